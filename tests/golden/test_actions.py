import json

import pytest

from poolscope.errors import StoreError
from poolscope.golden.actions import (
    AddFacet,
    AddPassages,
    AddQuestion,
    AddRecord,
    CarryOver,
    MarkPassage,
    SplitFacet,
    as_json,
    checked,
)
from poolscope.golden.carrying import Carried, How
from poolscope.golden.model import GoldenFacet, Mark, Passage, Question, Record, Weight


def test_the_log_holds_an_action_whole_but_for_passages() -> None:
    assert json.loads(as_json(MarkPassage("a", "p", Mark.CANT_TELL, 1, 2))) == {
        "facet": "a",
        "passage": "p",
        "mark": "can't tell",
        "seen": 1,
        "facet_seen": 2,
    }
    split = SplitFacet("a", (AddFacet("b", "B", weight=Weight.OKAY),), 3)
    assert json.loads(as_json(split))["parts"][0]["weight"] == "okay"
    carry = CarryOver((Passage("n", "long text"),), (Carried("o", "n", How.WITHIN),))
    assert json.loads(as_json(carry)) == {
        "carried": [{"old": "o", "new": "n", "how": "whole within a longer passage"}]
    }


def test_every_typed_text_is_looked_at() -> None:
    for action in (
        AddFacet("a", "x\x00"),
        AddFacet("a", "x", "\x00"),
        AddQuestion(Question("\x00", "?")),
        AddQuestion(Question("q", "?\x00")),
        AddQuestion(Question("", "?")),
        AddQuestion(Question("q", "?", notes="\x00")),
        SplitFacet("a", (AddFacet("b", "\x00"),), 1),
        AddPassages((Passage("p", "x", "\udc00"),)),
        AddRecord(Record(Question("q", "?"), facets=(GoldenFacet("a", "\x00"),))),
        AddRecord(Record(Question("", "?"))),
    ):
        with pytest.raises(StoreError):
            checked(action)
