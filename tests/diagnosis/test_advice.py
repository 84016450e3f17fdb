"""A remedy with a step says what that was measured to buy and to cost, once."""

import pytest

from poolscope.diagnosis import Effect, Finding, Kind, Step, remedy
from poolscope.model import Policy

BOTH = Effect(coverage=(0.5, 5 / 6), relevance=(0.7414, 0.6836), sources=(1, 2), tokens=(9, 9))
BARE = Effect(coverage=None, relevance=(0.9, 0.8), sources=(1, 2), tokens=(9, 9))


def found(advice: str, effect: Effect | None) -> Finding:
    step = None if effect is None else Step(Policy(selector="mmr"), "MMR at lambda 0.6", effect)
    return Finding(Kind.OVERLAP, "Overlapping chunks. So.", (), advice, is_alarm=True, step=step)


@pytest.mark.parametrize(
    ("advice", "effect", "said"),
    [
        ("Leave it.", None, "Leave it."),
        (
            "Until then try MMR at lambda 0.6.",
            BOTH,
            "Until then try MMR at lambda 0.6. Coverage 3 → 5 of 6, mean relevance 0.741 → 0.684.",
        ),
        (
            "Remove copies.",
            BOTH,
            "Remove copies. MMR at lambda 0.6: coverage 3 → 5 of 6, mean relevance 0.741 → 0.684.",
        ),
        (
            "Try MMR at lambda 0.6.",
            BARE,
            "Try MMR at lambda 0.6. Mean relevance 0.900 → 0.800.",
        ),
    ],
)
def test_a_remedy_stands_with_what_its_step_costs(
    advice: str, effect: Effect | None, said: str
) -> None:
    assert remedy(found(advice, effect), 6) == said
