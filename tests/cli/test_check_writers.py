"""A comparison as it is written: what a name of a question may not do."""

from collections.abc import Mapping
from xml.etree import ElementTree as ET

import numpy as np

from poolscope.cli.check_writers import junit, sentence, table
from poolscope.evaluation.check import Held, Limits, check
from poolscope.evaluation.contenders import Contender, Row
from poolscope.evaluation.sweep import COVERAGE, NAMES
from poolscope.geometry import Floats
from poolscope.model import Stratum


class Asked:
    """A question without a pool."""

    name = "\x1b[2Jq\x00 <b>\x08"
    stratum = Stratum.SEVERAL


def row(label: str, coverage: float) -> Row:
    values: Mapping[str, Floats] = {name: np.array([0.5]) for name in NAMES}
    return Row(Contender(label), {**values, COVERAGE: np.array([coverage])})


def test_a_name_moves_no_cursor_and_breaks_no_markup() -> None:
    made = check([row("a\x07b", 1.0), row("base", 0.0)], [Asked()], Limits(max_relevance_drop=-1.0))
    assert all(character.isprintable() or character == "\n" for character in table(made))
    assert ET.fromstring(junit(made)).get("failures") == "1"  # noqa: S314 - just written


def test_what_could_not_be_measured_is_said() -> None:
    held = Held("min_hit", 0.5, float("nan"))
    assert held.is_broken
    assert "could not be measured" in sentence(held)
