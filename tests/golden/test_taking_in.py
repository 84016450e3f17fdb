"""What a golden set takes from a pool."""

from collections.abc import Callable

import numpy as np
import pytest

from poolscope.errors import StoreError
from poolscope.golden.model import GoldenFacet, Passage, Question
from poolscope.golden.passages import passages_of
from poolscope.golden.taking_in import beside, question_id, taken_in
from poolscope.model import Facet, Pool


@pytest.fixture
def pool(make_pool: Callable[..., Pool]) -> Pool:
    return make_pool(
        texts=("alpha", "beta", "alpha"),
        sources=("s", "s", "s"),
        scores=[0.9, 0.8, 0.7],
        query="Why did it stop?",
        facets=(Facet("c", "The cause"), Facet("f", " The fix "), Facet("e", " ")),
        judgements=np.ones((3, 3), dtype=np.int8),
    )


def test_a_question_goes_by_its_id_else_by_its_text() -> None:
    assert question_id("q7", "Why?") == "q7"
    by_text = question_id("", "Why did  it stop?")
    assert by_text == question_id(" ", "why did it stop?")
    assert by_text != question_id("", "Why did it start?")
    assert len(by_text) == len("q-") + 12


def test_a_question_without_id_and_text_is_refused_in_words() -> None:
    with pytest.raises(StoreError, match="no question") as caught:
        question_id("", " \n")
    assert "“query”" in caught.value.remedy


def test_a_pool_gives_question_and_passages_once_each_and_no_marks(pool: Pool) -> None:
    action = taken_in(pool)
    assert action.question.text == "Why did it stop?"
    assert [passage.text for passage in action.passages] == ["alpha", "beta"]
    assert [passage.rank for passage in action.passages] == [1, 2]


def test_a_pool_that_has_only_an_id_is_asked_by_it(make_pool: Callable[..., Pool]) -> None:
    assert taken_in(make_pool(1, query="", query_id="q7")).question == Question("q7", "q7")


def test_what_the_pool_has_more_is_told_from_what_it_lacks(pool: Pool) -> None:
    there = (passages_of(pool)[0], Passage("another", "gamma", "s"))
    facets = (GoldenFacet("x", "the CAUSE"),)
    found = beside(pool, Question("q", "WHY did  it stop?"), there, facets)
    assert [passage.text for passage in found.added] == ["beta"]
    assert found.gone == 1
    assert found.names == ("The fix",)
    assert not found.is_other


def test_another_question_under_the_same_id_is_told(pool: Pool) -> None:
    assert beside(pool, Question("q", "When?"), (), ()).is_other
