"""A golden set's marks on a pool's candidates, by hand."""

from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np
import pytest

from poolscope.golden.judged import in_set, judged
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
from poolscope.golden.passages import passages_of
from poolscope.model import DOES_NOT, SUPPORTS, UNJUDGED, Facet, Pool, Stratum

AT = datetime(2026, 1, 1, tzinfo=UTC)
YES, NO = Mark.SUPPORTS, Mark.DOES_NOT
FACETS = (GoldenFacet("a", "cause"), GoldenFacet("b", "remedy", place=1))

MakePool = Callable[..., Pool]


def said(who: str, facet: str, passage: str, mark: Mark, role: Role = Role.ANNOTATOR) -> Judgement:
    return Judgement(Cell(facet, passage), who, role, mark, mark, AT, 0)


def test_marks_follow_a_passage_into_another_pool(make_pool: MakePool) -> None:
    old = make_pool(
        texts=("one", "two", "three"),
        sources=("s", "s", "t"),
        ids=("x", "y", "z"),
        scores=[3, 2, 1],
    )
    one, two, three = (each.key for each in passages_of(old))
    record = Record(
        Question("q7", "?"),
        passages_of(old),
        FACETS,
        (
            said("Ann", "a", one, YES),
            said("Ann", "b", two, NO),
            said("Ann", "a", two, YES),
            said("Ben", "a", two, NO),
            said("Ann", "b", three, YES),
        ),
    )
    # Another export: other ids, another order, a copy, a text in another source, one that is new.
    new = make_pool(
        texts=("new", "TWO", "one", "one ", "one"),
        sources=("s", "s", "s", "s", "u"),
        ids=("1", "2", "3", "4", "5"),
        scores=[5, 4, 3, 2, 1],
        facets=(Facet("old", "old"),),
        judgements=np.ones((5, 1), dtype=np.int8),
        query_id="another",
    )
    found = judged(new, record)
    assert found.pool.facets == (Facet("a", "cause"), Facet("b", "remedy"))
    assert found.pool.marks.tolist() == [
        [UNJUDGED, UNJUDGED],
        [UNJUDGED, DOES_NOT],
        [SUPPORTS, UNJUDGED],
        [SUPPORTS, UNJUDGED],
        [UNJUDGED, UNJUDGED],
    ]
    assert found.pool.query_id == "q7"
    assert found.pool.texts == new.texts
    assert found.met == 3
    assert found.absent == (three,)
    assert found.out_of_reach == (Facet("b", "remedy"),)


@pytest.mark.parametrize(
    ("said_so", "found"), [(Stratum.ONE, Stratum.ONE), (Stratum.SEVERAL, None)]
)
def test_one_true_answer_is_said_of_the_pool_too(
    make_pool: MakePool, said_so: Stratum, found: Stratum | None
) -> None:
    """Several components is what a question has before anybody says anything."""
    pool = make_pool(texts=("one",), scores=[1.0])
    record = Record(Question("q", "?", said_so), passages_of(pool), FACETS, ())
    assert judged(pool, record).pool.stratum is found


def test_an_adjudicator_decides(make_pool: MakePool) -> None:
    pool = make_pool(texts=("one",), scores=[1.0])
    (passage,) = passages_of(pool)
    marks = (
        said("Ann", "a", passage.key, YES),
        said("Ben", "a", passage.key, YES),
        said("Eve", "a", passage.key, NO, Role.ADJUDICATOR),
    )
    found = judged(pool, Record(Question("q", "?"), (passage,), FACETS, marks))
    assert found.pool.marks.tolist() == [[DOES_NOT, UNJUDGED]]
    assert found.out_of_reach == ()


def test_a_passage_that_is_known_by_an_id_alone_is_told_by_its_id(make_pool: MakePool) -> None:
    pool = make_pool(texts=("one", "two"), ids=("d1", "d2"), scores=[2.0, 1.0])
    passages = (Passage("id:d2", "", id="d2"), Passage("k", "a known text", id="d1"))
    marks = (said("Ann", "a", "id:d2", YES), said("Ann", "a", "k", YES))
    found = judged(pool, Record(Question("q", "?"), passages, FACETS[:1], marks))
    assert found.pool.marks.tolist() == [[UNJUDGED], [SUPPORTS]]
    assert found.absent == ("k",)


def test_a_question_without_facets_and_an_empty_pool(make_pool: MakePool) -> None:
    assert judged(make_pool(2, scores=[2, 1]), Record(Question("q", "?"))).pool.marks.shape == (
        2,
        0,
    )
    empty = judged(make_pool(0, scores=[]), Record(Question("q", "?"), (), FACETS))
    assert empty.pool.marks.shape == (0, 2)


def test_a_pool_finds_its_question_in_a_golden_set(make_pool: MakePool) -> None:
    golden_set = GoldenSet(
        records=(
            Record(Question("q1", "What?"), (), FACETS),
            Record(Question("q2", "Bare")),
            Record(Question("q3", "Why?"), (), FACETS[:1]),
        )
    )

    def facets(query_id: str, query: str) -> int | None:
        pool = make_pool(1, scores=[1.0], query=query, query_id=query_id)
        found = in_set(pool, golden_set)
        return None if found is None else len(found.pool.facets)

    assert facets("q1", " What? ") == 2
    assert facets("q3", "") == 1
    assert facets("q1", "Something else?") is None
    assert facets("q2", "Bare") is None
    assert facets("q4", "What?") is None
    assert facets("", "") is None
