"""The declared values cannot be changed."""

import dataclasses
from collections.abc import Callable, MutableMapping
from typing import cast

import pytest

from poolscope.measures import MEASURES, Measured
from poolscope.model import Selection


def test_a_measure_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        MEASURES[0].label = "other"  # type: ignore[misc]  # what is tested


def test_measured_values_are_a_read_only_copy(selection_of: Callable[..., Selection]) -> None:
    given = {"x": 1.0}
    measured = Measured(selection_of(1), given)
    given["x"] = 2.0
    assert measured["x"] == 1.0
    with pytest.raises(TypeError):
        cast("MutableMapping[str, float]", measured.values)["x"] = 3.0
