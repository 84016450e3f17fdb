"""The verdict against pools drawn from seeds: other texts and embedders than the planted ones.

``drawn/`` makes them in a moment and shares no code with the findings. A pool is right when the
kind that leads, and whether it alarms, are as expected.
"""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from poolscope.diagnosis import Verdict
from tests.diagnosis.drawn import faults, real, sound
from tests.diagnosis.drawn.draw import draw, is_right, report, verdicts
from tests.diagnosis.drawn.pool import Drawn
from tests.diagnosis.planted.material import FOLDER

SEED = 909
FEWEST_RIGHT = 0.95


@cache
def drawn() -> tuple[tuple[Drawn, ...], dict[str, Verdict]]:
    """Draw once."""
    pools = draw(SEED, times=2, healthy_times=1)
    return tuple(pools), verdicts(pools)


def test_the_first_finding_is_right_on_the_drawn_pools() -> None:
    pools, found = drawn()
    right = sum(is_right(pool, found[pool.name]) for pool in pools)
    assert right >= FEWEST_RIGHT * len(pools), report(pools, found)


def test_no_drawn_pool_that_is_in_order_gets_an_alarm() -> None:
    pools, found = drawn()
    alarms = [
        f"{pool.name}: {finding.sentence} (drawn: {pool.why})"
        for pool in pools
        if pool.alarm is False
        for finding in found[pool.name].findings
        if finding.is_alarm
    ]
    assert not alarms, "\n".join(alarms)


def test_real_questions_spoilt_in_one_way_are_found_out(cases: Path) -> None:
    pools = list(real.draw(cases / "pools", np.random.default_rng(SEED)))
    found = verdicts(pools)
    assert len(pools) >= 20
    right = sum(is_right(pool, found[pool.name]) for pool in pools)
    assert right >= FEWEST_RIGHT * len(pools), report(pools, found)
    assert not [pool.name for pool in pools if not pool.alarm and found[pool.name].first.is_alarm]


def test_a_draw_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    first, again, other = (
        faults.meaning(np.random.default_rng([seed]), "m").pool for seed in (1, 1, 2)
    )
    assert first.texts == again.texts
    assert first.texts != other.texts
    assert first.vectors is not None
    assert again.vectors is not None
    np.testing.assert_array_equal(first.vectors, again.vectors)


def test_the_generators_share_no_code_with_the_findings() -> None:
    for path in (FOLDER.parent / "drawn").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.name != "draw.py":
            assert "poolscope.diagnosis" not in text, path.name


@pytest.mark.parametrize("makers", [faults.MAKERS, sound.MAKERS])
def test_every_maker_is_drawn(makers: tuple[object, ...]) -> None:
    pools, _ = drawn()
    names = {pool.name.rsplit("-", 2)[0] for pool in pools}
    assert {getattr(maker, "__name__", "") for maker in makers} <= names
