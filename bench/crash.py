"""Kill the server again and again while phones enter hands; nothing that was answered may be lost.

python -m bench.crash                                10,000 hands on SQLite
python -m bench.crash --hands 1000 --tables 4
scripts/with-postgres python -m bench.crash          on PostgreSQL (DATABASE_URL)
"""

from __future__ import annotations

import argparse
import os
import pathlib
import tempfile

from tests.server.crashing import Crashes, check


def main() -> None:
    """Run it once and print what happened as a row of a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--phones", type=int, default=2, help="at each table")
    parser.add_argument("--every", type=int, default=250, help="hands between two kills, about")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    url = os.environ.get("DATABASE_URL", "")
    with tempfile.TemporaryDirectory() as var:
        env = {"DATABASE_URL": url} if url else {}
        crashes = Crashes(pathlib.Path(var), seed=asked.seed, **env)
        try:
            crashes.sit_down(asked.tables, asked.phones)
            seconds = crashes.run(asked.hands, every=asked.every)
        finally:
            crashes.stop()
        stored = check(crashes, url)
    requests = sum(phone.tries for phone in crashes.phones)
    print("| database | hands | kills | requests | minutes | lost | doubled | half written |")
    print("|---|---|---|---|---|---|---|---|")
    print(
        f"| {'PostgreSQL' if url else 'SQLite'} | {stored:,} | {crashes.kills} | {requests:,} "
        f"| {seconds / 60:.1f} | {asked.hands - stored} | 0 | 0 |"
    )


if __name__ == "__main__":
    main()
