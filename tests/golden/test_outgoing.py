"""What each file carries, and what it says that it does not."""

from datetime import UTC, datetime

import pytest

from poolscope.golden.model import (
    Cell,
    GoldenFacet,
    GoldenSet,
    Judgement,
    Mark,
    Passage,
    Question,
    Record,
    Role,
)
from poolscope.golden.outgoing import LABELS, LACKS, NAMES, Kind, written
from poolscope.golden.own_json import from_json

AT = datetime(2026, 1, 1, tzinfo=UTC)
SAID = Judgement(Cell("a", "k1"), "Ann", Role.ANNOTATOR, Mark.SUPPORTS, Mark.SUPPORTS, AT, 0)
SET = GoldenSet(
    records=(
        Record(
            Question("q1", "?"),
            (
                Passage("k1", "one", "s", "d 1", 1),
                Passage("k2", "two", "s", "d2", 2),
                Passage("id:x", "", id="x"),
            ),
            (GoldenFacet("a", "A"), GoldenFacet("b", "B", place=1)),
            (SAID,),
        ),
    )
)


def test_json_loads_back_as_it_was() -> None:
    assert from_json(written(SET, Kind.JSON, NAMES["key"])) == SET


def test_a_run_and_judgements_name_passages_alike() -> None:
    assert written(SET, Kind.RUN, NAMES["id"]) == "q1 Q0 d%201 1 2 pool\nq1 Q0 d2 2 1 pool\n"
    assert written(SET, Kind.QRELS, NAMES["id"]) == "q1 1 d%201 1\n"
    assert written(SET, Kind.RUN, NAMES["key"]) == "q1 Q0 k1 1 2 pool\nq1 Q0 k2 2 1 pool\n"
    assert written(SET, Kind.QRELS, NAMES["key"]) == "q1 1 k1 1\n"


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_is_named_and_written(kind: Kind) -> None:
    assert LABELS[kind]
    assert bool(LACKS[kind]) is (kind is not Kind.JSON)
    assert "q1" in written(SET, kind, NAMES["key"])
    assert written(GoldenSet(), kind, NAMES["key"]).count("q1") == 0
