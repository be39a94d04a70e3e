ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS build
RUN python -m venv /venv
COPY requirements.txt .
RUN /venv/bin/pip install --no-cache-dir --require-hashes -r requirements.txt

FROM ${BASE}
# The uid is fixed so that a volume keeps its owner from one image to the next.
RUN useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin app \
    && install -d -o app -g app /data
COPY --from=build /venv /venv
WORKDIR /app
COPY manage.py ./
COPY rules rules/
COPY sheets sheets/
COPY squarescores squarescores/
COPY templates templates/
COPY static static/
# Everything the server writes is below VAR_DIR; /app stays read-only to it.
ENV VAR_DIR=/data PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
VOLUME /data
# By number, as some hosts only believe a number not to be root.
USER 10001
EXPOSE 8000
CMD ["/venv/bin/python", "-m", "squarescores.serve"]
