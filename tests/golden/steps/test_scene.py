"""Every action finds its function."""

import typing

from poolscope.golden import actions
from poolscope.golden.steps import step


def test_every_action_has_a_step() -> None:
    wanted = set(typing.get_args(actions.Action))
    assert wanted
    assert set(step.registry) - {object} == wanted
