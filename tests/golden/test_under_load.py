"""Killed writers and crowds: nothing that was said to be kept is lost, nothing is half done."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def _beside(name: str) -> ModuleType:
    """Load a module beside this file, which a benchmark uses too."""
    spec = importlib.util.spec_from_file_location(
        f"golden_{name}", Path(__file__).with_name(f"{name}.py")
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


kills = _beside("kills")
crowds = _beside("crowd")


def test_a_killed_writer_loses_no_kept_stroke(address: Path | str) -> None:
    outcome = kills.killed(address, kills=12, seed=4)
    assert outcome.kills == 12
    assert outcome.kept >= 12
    assert (outcome.lost, outcome.strange, outcome.faults) == (0, 0, ())
    assert outcome.unanswered <= 12


def test_twenty_annotators_at_once_lose_nothing(address: Path | str) -> None:
    outcome = crowds.crowd(address, annotators=20, passages=4)
    assert outcome.failures == ()
    assert (outcome.sent, outcome.kept, outcome.lost, outcome.faults) == (160, 160, 0, ())
