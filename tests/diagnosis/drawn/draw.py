"""One draw: every maker a number of times, each pool from a seed of its own."""

import zlib
from collections import Counter
from collections.abc import Sequence

import numpy as np

from poolscope.diagnosis import Verdict, diagnose
from tests.diagnosis.drawn import faults, sound
from tests.diagnosis.drawn.pool import Drawn


def draw(seed: int, times: int, healthy_times: int) -> list[Drawn]:
    """Draw pools; the same seed gives the same ones."""
    makers = [(maker, times) for maker in faults.MAKERS]
    makers += [(maker, healthy_times) for maker in sound.MAKERS]
    return [
        maker(np.random.default_rng([seed, zlib.crc32(maker.__name__.encode()), number]), name)
        for maker, count in makers
        for number in range(count)
        for name in [f"{maker.__name__}-{seed}-{number}"]
    ]


def verdicts(pools: Sequence[Drawn]) -> dict[str, Verdict]:
    """Diagnose every pool."""
    return {drawn.name: diagnose(drawn.pool, drawn.policy) for drawn in pools}


def is_right(drawn: Drawn, verdict: Verdict) -> bool:
    """Say whether the first finding, and whether it alarms, are as expected."""
    first = verdict.first
    return first.kind in drawn.accept and drawn.alarm in (None, first.is_alarm)


def report(pools: Sequence[Drawn], found: dict[str, Verdict]) -> str:
    """Lay out right and wrong by maker, then every pool that went wrong."""
    lines = []
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for drawn in pools:
        maker = drawn.name.rsplit("-", 2)[0]
        total[maker] += 1
        right[maker] += is_right(drawn, found[drawn.name])
        if not is_right(drawn, found[drawn.name]):
            first = found[drawn.name].first
            alarm = "alarm" if first.is_alarm else "no alarm"
            lines.append(f"{drawn.name}: wanted {drawn.accept[0]}, found {alarm}: {first.sentence}")
    return "\n".join(
        [
            f"{right.total()} of {total.total()} right",
            *(f"  {maker}: {right[maker]} of {total[maker]}" for maker in total),
            *lines,
        ]
    )
