"""Kill a writer of a golden set 200 times: ``python tests/benchmarks/golden_kill.py [KILLS]``.

On SQLite and on a PostgreSQL that is started for it; prints what was kept, and what was lost.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.benchmarks.golden_server import postgresql
from tests.golden.kills import killed


def main() -> None:
    """Print one line a database."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder:
        _shown("SQLite", killed(Path(folder) / "golden.sqlite", count, seed=1))
    with postgresql() as address:
        _shown("PostgreSQL", killed(address, count, seed=1))


def _shown(name: str, outcome: object) -> None:
    print(f"{name}: {outcome}", flush=True)


if __name__ == "__main__":
    main()
