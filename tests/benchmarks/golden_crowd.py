"""Twenty annotators at once: ``python tests/benchmarks/golden_crowd.py [PAUSE]``.

On SQLite and on a PostgreSQL that is started for it, each in a thread of one server, each with
``PAUSE`` seconds of thought before a stroke (0.2); prints what was lost and how long strokes took.
"""

import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.benchmarks.golden_server import postgresql
from tests.golden.crowd import Outcome, crowd


def main() -> None:
    """Print one line a database."""
    pause = float(sys.argv[1]) if len(sys.argv) > 1 else 0.2
    with postgresql() as address:
        _shown("PostgreSQL", crowd(address, 20, 10, pause=pause))
    with tempfile.TemporaryDirectory() as folder:
        _shown("SQLite", crowd(Path(folder) / "golden.sqlite", 20, 10, pause=pause))


def _shown(name: str, outcome: Outcome) -> None:
    times = sorted(outcome.seconds)
    print(
        f"{name}: {outcome.sent} sent, {outcome.kept} kept, {outcome.lost} lost, "
        f"{len(outcome.failures)} failed, {len(outcome.faults)} faults; a stroke takes "
        f"{statistics.median(times) * 1000:.1f} ms at the median, "
        f"{times[int(len(times) * 0.95)] * 1000:.1f} at the 95th of 100, "
        f"{times[-1] * 1000:.1f} at most",
        *sorted(set(outcome.failures)),
        flush=True,
    )


if __name__ == "__main__":
    main()
