"""A few hundred of the samples of ``tests/benchmarks/fuzz_formats.py``, the same at every run."""

import re
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[1] / "benchmarks" / "fuzz_formats.py"


def test_damaged_files_of_every_family_read_or_are_refused_within_limits() -> None:
    run = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, str(SCRIPT), "400", "7"],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    counted = re.search(r"^all 400 +(\d+) +(\d+) +0 +0 +0 +0$", run.stdout, re.MULTILINE)
    assert counted is not None, run.stdout
    assert min(int(number) for number in counted.groups()) > 50
