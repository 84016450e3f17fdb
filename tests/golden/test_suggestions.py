"""Possible facets and possible support, in pools small enough to check by hand."""

from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np
import pytest

from poolscope.golden.model import (
    Cell,
    GoldenFacet,
    Judgement,
    Mark,
    Passage,
    Question,
    Record,
    Role,
)
from poolscope.golden.passages import passages_of
from poolscope.golden.suggestions import (
    Basis,
    Likeness,
    PossibleSupport,
    likeness,
    suggestions,
)
from poolscope.model import Pool

AT = datetime(2026, 1, 1, tzinfo=UTC)
YES, NO, UNSURE = Mark.SUPPORTS, Mark.DOES_NOT, Mark.CANT_TELL
FACETS = (GoldenFacet("a", "cause"), GoldenFacet("b", "remedy", place=1))

MakePool = Callable[..., Pool]

TEXTS = (
    "the pump stops when the valve is shut",
    "a shut valve stops the pump",
    "refund requests take two weeks",
    "file refund requests here",
    "the office is open",
)
VECTORS = [[1, 0, 0], [0.95, 0.3, 0], [0, 1, 0.1], [0, 1, 0.15], [0, 0, 1]]


@pytest.fixture
def pool(make_pool: MakePool) -> Pool:
    return make_pool(texts=TEXTS, vectors=VECTORS, scores=[5, 4, 3, 2, 1])


def said(
    who: str, facet: str, passage: Passage, mark: Mark | None, role: Role = Role.ANNOTATOR
) -> Judgement:
    return Judgement(Cell(facet, passage.key), who, role, mark, mark, AT, 1)


def record(pool: Pool, *judgements: Judgement) -> Record:
    return Record(Question("q", "?"), passages_of(pool), FACETS, judgements)


def test_passages_that_are_alike_and_support_nothing_are_a_possible_facet(pool: Pool) -> None:
    one, two, three, four, _ = passages_of(pool)
    marks = (said("Ann", "a", one, YES), said("Ann", "a", three, NO), said("Ann", "b", two, UNSURE))
    found = suggestions(record(pool, *marks), likeness(passages_of(pool), pool), "Ann")
    (facet,) = found.facets
    assert set(facet.passages) == {three.key, four.key}
    assert facet.phrases == ("refund requests",)
    assert facet.likeness == pytest.approx(pool.similarity(2, 3))
    # The second and the last passage are like nothing else that supports nothing.
    assert found.alone == 2
    assert (found.basis, found.missing) == (Basis.VECTORS, "")


def test_a_passage_like_a_supporting_one_is_possible_support(pool: Pool) -> None:
    one, two, three, four, _ = passages_of(pool)
    marks = (
        said("Ann", "a", one, YES),
        said("Ann", "a", two, NO),
        said("Ann", "b", three, YES),
        said("Ben", "b", four, UNSURE),
    )
    found = suggestions(record(pool, *marks), likeness(passages_of(pool), pool), "Ann", begins=0.9)
    first, second = found.support
    assert first == PossibleSupport(Cell("b", four.key), three.key, first.likeness, None)
    assert second == PossibleSupport(Cell("a", two.key), one.key, second.likeness, NO)
    assert first.likeness == pytest.approx(pool.similarity(2, 3))
    assert second.likeness == pytest.approx(pool.similarity(0, 1))
    strict = suggestions(
        record(pool, *marks), likeness(passages_of(pool), pool), "Ann", begins=0.99
    )
    assert [each.cell for each in strict.support] == [Cell("b", four.key)]


def test_what_is_said_or_ruled_already_is_not_suggested(pool: Pool) -> None:
    one, two, three, four, _ = passages_of(pool)
    alike = likeness(passages_of(pool), pool)
    marks = [said("Ann", "a", one, YES), said("Ann", "b", three, YES)]
    assert len(suggestions(record(pool, *marks), alike, "Ann", begins=0.9).support) == 2
    marks += [said("Ben", "a", two, YES), said("Eve", "b", four, NO, Role.ADJUDICATOR)]
    assert suggestions(record(pool, *marks), alike, "Ann", begins=0.9).support == ()


def test_a_draw_supports_nothing_but_its_passage_is_spoken_for(pool: Pool) -> None:
    one, _, three, four, _ = passages_of(pool)
    draw = (said("Ann", "a", one, YES), said("Ben", "a", one, NO))
    found = suggestions(record(pool, *draw), likeness(passages_of(pool), pool), "Ann", begins=0.9)
    assert found.support == ()
    assert one.key not in {key for each in found.facets for key in each.passages}
    assert [set(each.passages) for each in found.facets] == [{three.key, four.key}]


def test_nothing_that_is_suggested_is_a_mark(pool: Pool) -> None:
    one = passages_of(pool)[0]
    asked = record(pool, said("Ann", "a", one, YES))
    suggestions(asked, likeness(passages_of(pool), pool), "Ann")
    assert asked == record(pool, said("Ann", "a", one, YES))


def test_without_vectors_words_are_compared_and_it_is_said(pool: Pool, make_pool: MakePool) -> None:
    bare = make_pool(texts=TEXTS, scores=[5, 4, 3, 2, 1])
    for given, why in ((bare, "The pool has no vectors"), (None, "is not open")):
        alike = likeness(passages_of(pool), given)
        assert alike.basis is Basis.WORDS
        assert why in alike.missing
        found = suggestions(record(pool), alike, "Ann")
        assert {each.phrases for each in found.facets} >= {("refund requests",)}
        assert found.missing == alike.missing
    chosen = likeness(passages_of(pool), pool, Basis.WORDS)
    assert (chosen.basis, chosen.missing) == (Basis.WORDS, "")


def test_passages_without_a_vector_or_a_text_are_counted(make_pool: MakePool) -> None:
    pool = make_pool(
        texts=TEXTS,
        vectors=[*VECTORS[:4], [0, 0, 0]],
        scores=[5, 4, 3, 2, 1],
        has_vector=[True, True, True, True, False],
    )
    passages = (*passages_of(pool), Passage("id:d9", "", id="d9"))
    alike = likeness(passages, pool)
    assert alike.keys == tuple(each.key for each in passages[:5])
    assert alike.missing.startswith("1 passage without a text")
    assert "Without a vector in the open pool, and so like no other: 1 passage." in alike.missing
    assert alike.matrix[4].tolist() == [0.0] * 5


def test_vectors_follow_their_passages_into_another_order(pool: Pool) -> None:
    passages = passages_of(pool)
    alike = likeness(passages[::-1], pool)
    assert alike.matrix[0, 4] == pytest.approx(pool.similarity(4, 0))
    assert alike.matrix[1, 2] == pytest.approx(pool.similarity(3, 2))


def test_likeness_begins_on_the_way_from_the_median_to_1() -> None:
    matrix = np.array([[1.0, 0.2, 0.4], [0.2, 1.0, 0.8], [0.4, 0.8, 1.0]])
    assert Likeness(("a", "b", "c"), matrix, Basis.VECTORS).begins == pytest.approx(0.64)
    assert Likeness(("a",), matrix[:1, :1], Basis.VECTORS).begins == 1.0


@pytest.mark.parametrize("n", [0, 1])
def test_an_empty_question_has_no_suggestions(make_pool: MakePool, n: int) -> None:
    pool = make_pool(n, scores=[1.0] * n, vectors=[[1, 0, 0]] * n)
    found = suggestions(record(pool), likeness(passages_of(pool), pool), "Ann")
    assert (found.facets, found.support, found.alone) == ((), (), n)


def test_a_sample_whose_causes_are_known(sample: Callable[[str], Pool]) -> None:
    """Fifty reports tell three causes: each is found as one group, without a mark."""
    pool = sample("checkout")
    found = suggestions(record(pool), likeness(passages_of(pool), pool), "Ann")
    causes = {each.key: at for at, each in enumerate(passages_of(pool))}
    groups = [{tuple(pool.marks[causes[key]]) for key in each.passages} for each in found.facets]
    assert groups == [{(1, 0, 0)}, {(0, 1, 0)}, {(0, 0, 1)}]
    assert "connection" in found.facets[0].phrases
