"""A writer that is killed loses nothing that it was told is kept, and leaves nothing half done."""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def kills() -> Iterator[ModuleType]:
    """Load the module beside this file that benchmarks use too."""
    spec = importlib.util.spec_from_file_location(
        "golden_kills", Path(__file__).with_name("kills.py")
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["golden_kills"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["golden_kills"]


def test_a_killed_writer_loses_no_kept_stroke(address: Path | str, kills: ModuleType) -> None:
    outcome = kills.killed(address, kills=12, seed=4)
    assert outcome.kills == 12
    assert outcome.kept >= 12
    assert (outcome.lost, outcome.strange, outcome.faults) == (0, 0, ())
    assert outcome.unanswered <= 12
