"""Serve the app the way it is meant to be run: `make run`, and the container's command.

Makes the secret key and the database at the first start, prints the addresses for the phones, and
serves from one process.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import os
import resource
import socket
import sys
import threading

import django
import segno
import uvicorn

from squarescores import network, starting
from squarescores.environment import env_number
from squarescores.protocol import BoundedProtocol

MOST_PORT = 65_535
HEARD_EVERY = 20.0  # seconds between two times that what `sheets.presence` knows is written down
SPARE_FILES = 128  # for the log, static files and answers on their way
FILES_PER_THREAD = 3  # of SQLite: the file and what lies beside it
FEWEST_CONNECTIONS = 50


def main() -> None:
    """Prepare, print where phones find it, and serve until stopped."""
    os.umask(0o077)  # what is written here is for this user alone
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "squarescores.settings")
    try:
        with starting.in_words():
            port, listener, phones = _prepare()
    except starting.CannotStartError as error:
        sys.exit(str(error))
    threading.Thread(target=_keep_missing_results, daemon=True).start()
    _say_where(port)
    config = uvicorn.Config(
        "squarescores.asgi:application",
        loop="uvloop",
        http=BoundedProtocol,
        ws="none",
        lifespan="off",
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    BoundedProtocol.most_connections = phones
    Server(config).run(sockets=[listener])


def _prepare() -> tuple[int, socket.socket, int]:
    """Make and look at all that is needed; return the port, its socket and how many may connect."""
    port = env_number("PORT", 8000, most=MOST_PORT)
    os.environ.setdefault("LAN_URL", f"http://{network.lan_address()}:{port}")
    starting.make_secret_key()
    listener = _listen(port)
    django.setup()
    phones = _allow_many_phones()
    _hide_database()
    starting.prepare_database()
    from squarescores import storage  # which asks the settings

    storage.collect()
    return port, listener, phones


def _keep_missing_results() -> None:
    """Make up for what a killed process left out; no phone waits for it, whatever comes of it."""
    from django.db import connection

    from sheets.actions import keep_missing_results

    try:
        keep_missing_results()
    finally:
        connection.close()


def _write_down_heard(stopped: threading.Event) -> None:
    """Write down when phones were heard of, now and then and once at the end.

    What cannot be written now is written the next time; no page depends on it.
    """
    from django.db import connection

    from sheets import outages
    from sheets.actions import write_down_heard

    ends = False
    while not ends:
        ends = stopped.wait(HEARD_EVERY)
        try:
            write_down_heard()
        except Exception as error:
            outages.note(error)
        finally:
            connection.close()


def _close_database() -> None:
    """End the threads of pages, and with them their connections, and tidy what they leave."""
    from squarescores import asgi

    asgi.end_threads()
    gc.collect()  # a connection goes with its thread, but not before this
    starting.leave_one_file()


class Server(uvicorn.Server):
    """Ends the phones' streams before it waits for what is open: they would never end.

    While it serves, messages go out in a thread of their own, and another one writes down when
    phones were heard of.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._stopped = threading.Event()
        self._heard = threading.Thread(
            target=_write_down_heard, args=(self._stopped,), name="heard", daemon=True
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        from sheets.mailing import sender

        sender.start()
        self._heard.start()
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        from sheets.live.hub import hub
        from sheets.mailing import sender

        hub.close()
        await super().shutdown(sockets)
        self._stopped.set()
        await asyncio.to_thread(sender.stop, within=3)
        await asyncio.to_thread(self._heard.join, 3)
        await asyncio.to_thread(_close_database)


def _allow_many_phones() -> int:
    """Take all the open files this user may have; return for how many connections they do."""
    from django.conf import settings

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 65536 if hard == resource.RLIM_INFINITY else min(hard, 65536)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    needed = SPARE_FILES + FILES_PER_THREAD * settings.PAGE_THREADS
    if most < needed + FEWEST_CONNECTIONS:
        raise starting.CannotStartError(
            f"This user may open {most} files, and {needed + FEWEST_CONNECTIONS} are needed. Raise "
            "that (ulimit -n), or lower PAGE_THREADS."
        )
    return most - needed


def _hide_database() -> None:
    """Take an older server's database out of others' sight; SQLite's other files follow it."""
    from django.db import connection

    if connection.vendor != "sqlite":
        return
    for ending in ("", "-wal", "-shm"):
        with contextlib.suppress(OSError):
            os.chmod(f"{connection.settings_dict['NAME']}{ending}", 0o600)


def _listen(port: int) -> socket.socket:
    """Take the port before anything else, so that a taken one is said in a sentence."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("0.0.0.0", port))
        listener.listen(2048)
    except PermissionError:
        sys.exit(f"This user may not use port {port}. Try another one: PORT=8000 make run")
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            sys.exit(f"Port {port} cannot be used: {error.strerror}.")
        other = port + 1 if port < MOST_PORT else 8000
        sys.exit(
            f"Port {port} is taken by another program, perhaps by a SquareScores that is still "
            f"running. Stop it, or use another port: PORT={other} make run"
        )
    return listener


def _say_where(port: int) -> None:
    """Print the addresses, and one of them as a QR code for the phones."""
    from django.conf import settings

    print("SquareScores is running. On the phones, open one of these:\n")
    if not settings.PUBLIC_URL:
        print(f"    http://{network.hostname()}.local:{port}")
    print(f"    {settings.SHARED_URL}\n")
    segno.make(settings.SHARED_URL, micro=False).terminal(compact=True)
    print("\nStop it with Ctrl-C; everything is kept.", flush=True)


if __name__ == "__main__":
    main()
