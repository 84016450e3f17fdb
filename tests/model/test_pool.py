import dataclasses
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest

from poolscope import geometry
from poolscope.errors import PolicyError, PoolError
from poolscope.model import (
    DOES_NOT,
    SUPPORTS,
    UNJUDGED,
    Direction,
    Facet,
    Pool,
    ScoreKind,
    Stratum,
)

MakePool: TypeAlias = Callable[..., Pool]
KIND = ScoreKind(name="cosine", direction=Direction.HIGHER, evidence="a test", is_cosine=True)


def parts() -> dict[str, Any]:
    """Every part of a pool of three, each array fresh and writable."""
    return {
        "query": "why?",
        "ids": ("a", "b", "c"),
        "texts": ("first", "second", "third"),
        "sources": ("x", None, "x"),
        "tokens": np.array([3, 4, 5]),
        "tokenizer": "words",
        "raw_scores": np.array([0.1, 0.2, 0.3]),
        "scores": np.array([0.9, 0.8, 0.7]),
        "score_kind": KIND,
        "vectors": np.array([[1.0, 0.0], [0.0, 0.0], [0.6, 0.8]]),
        "has_vector": np.array([True, False, True]),
        "query_vector": np.array([0.0, 1.0]),
        "positions": (7, None, 8),
        "spans": ((0, 10), None, (5, 15)),
        "fields": {"section": ("s1", None, "s2"), "year": ("2024", "2024", "2025")},
        "facets": (Facet("f", "one facet"), Facet("g", "another")),
        "judgements": np.array(
            [[SUPPORTS, DOES_NOT], [UNJUDGED, UNJUDGED], [SUPPORTS, SUPPORTS]], dtype=np.int8
        ),
        "source_field": "doc",
        "merges": ("parts",),
        "query_id": "q1",
        "stratum": Stratum.SEVERAL,
    }


def changed(**changes: object) -> Pool:
    """Build the pool of ``parts`` with some of them replaced."""
    given = parts()
    given.update(changes)
    return Pool(**given)


CHANGES: dict[str, Any] = {
    "query": "why not?",
    "ids": ("a", "b", "d"),
    "texts": ("first", "second", "fourth"),
    "sources": ("x", "None", "x"),
    "tokens": np.array([3, 4, 6]),
    "tokenizer": "characters / 4",
    "raw_scores": np.array([0.1, 0.2, 0.30000001]),
    "scores": np.array([0.9, 0.8, 0.6]),
    "score_kind": dataclasses.replace(KIND, is_cosine=False),
    "vectors": np.array([[1.0, 0.0], [0.0, 0.0], [0.8, 0.6]]),
    "has_vector": np.array([True, True, True]),
    "query_vector": np.array([1.0, 0.0]),
    "positions": (7, None, 9),
    "spans": ((0, 10), None, (5, 16)),
    "fields": {"section": ("s1", None, "s3"), "year": ("2024", "2024", "2025")},
    "facets": (Facet("f", "one facet"), Facet("g", "yet another")),
    "judgements": np.array([[1, 0], [-1, -1], [1, 0]], dtype=np.int8),
    "source_field": "source",
    "merges": (),
    "query_id": "q2",
    "stratum": Stratum.ONE,
}


def test_equal_parts_give_equal_digests() -> None:
    first, second = Pool(**parts()), Pool(**parts())
    assert first.digest == second.digest
    assert len(first.digest) == 16
    assert int(first.digest, 16) >= 0


def test_the_list_of_changes_covers_every_field() -> None:
    assert set(CHANGES) == {field.name for field in dataclasses.fields(Pool)} == set(parts())


@pytest.mark.parametrize("name", list(CHANGES))
def test_the_digest_changes_when_one_part_changes(name: str) -> None:
    assert changed(**{name: CHANGES[name]}).digest != Pool(**parts()).digest


def test_moving_a_word_between_two_texts_changes_the_digest(make_pool: MakePool) -> None:
    first = make_pool(2, texts=("a b", "c"))
    second = make_pool(2, texts=("a", "b c"))
    assert first.digest != second.digest


@pytest.mark.parametrize(
    "name",
    ["tokens", "raw_scores", "scores", "vectors", "has_vector", "query_vector", "judgements"],
)
def test_arrays_are_read_only_and_detached_from_what_was_given(name: str) -> None:
    given = parts()
    pool = Pool(**given)
    held = getattr(pool, name)
    digest, before = pool.digest, held.copy()
    with pytest.raises(ValueError, match="read-only"):
        held[0] = 0
    given[name][0] = 0
    assert held.tolist() == before.tolist()
    assert Pool(**parts()).digest == digest


def test_rows_that_are_already_read_only_are_not_copied() -> None:
    rows = geometry.unit_rows([[3.0, 4.0]]).rows
    pool = Pool(
        query="", ids=("a",), texts=("",), sources=("s",), tokens=np.array([1]), tokenizer="",
        vectors=rows,
    )  # fmt: skip
    assert pool.vectors is rows


def test_fields_cannot_be_changed_through_the_pool_or_the_mapping_given() -> None:
    given = parts()
    pool = Pool(**given)
    given["fields"]["new"] = ("1", "2", "3")
    assert set(pool.fields) == {"section", "year"}
    with pytest.raises(TypeError):
        pool.fields["new"] = ("1", "2", "3")  # type: ignore[index]


def test_a_pool_is_frozen() -> None:
    field = "query"
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(Pool(**parts()), field, "another")


@pytest.mark.parametrize(
    ("name", "value", "label"),
    [
        ("texts", ("one",), "texts for 1"),
        ("sources", ("x",) * 4, "sources for 4"),
        ("tokens", np.array([1]), "tokens for 1"),
        ("raw_scores", np.array([1.0, 2.0]), "raw_scores for 2"),
        ("scores", np.array([1.0, 2.0]), "scores for 2"),
        ("vectors", np.eye(2), "vectors for 2"),
        ("has_vector", np.array([True]), "has_vector for 1"),
        ("positions", (1, 2), "positions for 2"),
        ("spans", ((0, 1),), "spans for 1"),
        ("fields", {"section": ("s1",)}, "field section for 1"),
        ("judgements", np.zeros((2, 2), dtype=np.int8), "judgements for 2"),
    ],
)
def test_parts_of_another_length_are_refused(name: str, value: object, label: str) -> None:
    with pytest.raises(PoolError) as caught:
        changed(**{name: value})
    assert caught.value.problem == f"The pool has 3 ids but {label}."
    assert caught.value.remedy == "Give one value for each candidate."


@pytest.mark.parametrize("width", [1, 3])
def test_judgements_for_another_number_of_facets_are_refused(width: int) -> None:
    with pytest.raises(PoolError) as caught:
        changed(judgements=np.zeros((3, width), dtype=np.int8))
    assert f"(3, {width})" in caught.value.problem
    assert "(3, 2)" in caught.value.problem


def test_an_id_held_twice_is_refused() -> None:
    with pytest.raises(PoolError, match="share an id") as caught:
        changed(ids=("a", "b", "a"))
    assert "distinct" in caught.value.remedy


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["scores", "raw_scores", "vectors", "query_vector"])
def test_a_value_that_is_not_finite_is_refused(name: str, value: float) -> None:
    given = parts()
    given[name][...] = value
    with pytest.raises(PoolError, match=f"{name} is not finite"):
        Pool(**given)


def test_one_infinite_score_among_finite_ones_is_refused() -> None:
    with pytest.raises(PoolError, match="scores is not finite"):
        changed(scores=np.array([1.0, np.inf, np.inf]))


def test_a_row_that_is_not_of_unit_length_is_refused_by_its_number() -> None:
    rows = np.array([[1.0, 0.0], [0.0, 0.0], [0.6, 0.81]])
    with pytest.raises(PoolError) as caught:
        changed(vectors=rows)
    assert caught.value.problem == "Vector 3 has not unit length."
    assert "unit_rows" in caught.value.remedy


def test_a_query_vector_that_is_not_of_unit_length_is_refused() -> None:
    with pytest.raises(PoolError, match="query vector has not unit length"):
        changed(query_vector=np.array([0.0, 2.0]))


def test_a_zero_query_vector_is_allowed() -> None:
    assert changed(query_vector=np.zeros(2)).query_vector is not None


def test_a_query_vector_of_another_model_is_refused_with_both_dimensions() -> None:
    with pytest.raises(PoolError) as caught:
        changed(query_vector=np.array([0.0, 1.0, 0.0]))
    assert "3 dimensions" in caught.value.problem
    assert "have 2" in caught.value.problem


@pytest.mark.parametrize("name", ["scores", "score_kind"])
def test_scores_and_their_kind_come_together(name: str) -> None:
    with pytest.raises(PoolError, match="kind"):
        changed(**{name: None})


def test_what_is_left_out_is_filled_in(make_pool: MakePool) -> None:
    pool = make_pool(3, facets=(Facet("f", "one"),))
    assert pool.positions == (None, None, None)
    assert pool.spans == (None, None, None)
    assert pool.vector_mask.tolist() == [False] * 3
    assert pool.marks.tolist() == [[UNJUDGED]] * 3


def test_a_zero_vector_counts_as_a_vector_where_nothing_else_is_said(make_pool: MakePool) -> None:
    assert make_pool(vectors=[[0.0, 0.0], [1.0, 0.0]]).vector_mask.tolist() == [True, True]


def test_an_empty_pool_is_a_pool() -> None:
    pool = Pool(query="", ids=(), texts=(), sources=(), tokens=np.array([], int), tokenizer="")
    assert len(pool) == 0
    assert pool.distinct_sources == ()
    assert pool.codes("source").tolist() == []


def test_the_view_of_a_candidate() -> None:
    first, second, third = (Pool(**parts()).candidate(index) for index in range(3))
    assert (first.rank, first.id, first.text, first.source) == (1, "a", "first", "x")
    assert (first.raw_score, first.position, first.tokens) == (0.1, 7, 3)
    assert first.supports == ("f",)
    assert dict(first.fields) == {"section": "s1", "year": "2024"}
    assert (second.source, second.position, second.has_vector) == (None, None, False)
    assert second.supports == ()
    assert dict(second.fields) == {"year": "2024"}
    assert third.supports == ("f", "g")
    assert third.has_vector


def test_a_candidate_without_scores_has_no_raw_score(make_pool: MakePool) -> None:
    assert make_pool(1).candidate(0).raw_score is None


def test_scores_that_differ_by_rounding_are_made_equal_and_raw_ones_stay(
    make_pool: MakePool,
) -> None:
    pool = make_pool(scores=[0.3, 0.1 + 0.2, 0.2])
    assert pool.scores is not None
    assert pool.raw_scores is not None
    assert pool.scores[0] == pool.scores[1] > pool.scores[2]
    assert pool.raw_scores.tolist() == [0.3, 0.1 + 0.2, 0.2]


def test_columns_and_their_numbers() -> None:
    pool = Pool(**parts())
    assert pool.column("source") == ("x", None, "x")
    assert pool.column("section") == ("s1", None, "s2")
    assert pool.codes("source").tolist() == [0, -1, 0]
    assert pool.codes("year").tolist() == [0, 0, 1]
    assert pool.distinct_sources == ("x",)


def test_numbers_follow_the_order_of_first_appearance(make_pool: MakePool) -> None:
    pool = make_pool(sources=["z", "a", "z", None, "m", "a"])
    assert pool.codes("source").tolist() == [0, 1, 0, -1, 2, 1]
    assert pool.distinct_sources == ("z", "a", "m")
    with pytest.raises(ValueError, match="read-only"):
        pool.codes("source")[0] = 5


def test_an_unknown_field_is_refused_with_the_choices() -> None:
    with pytest.raises(PolicyError) as caught:
        Pool(**parts()).codes("author")
    assert "“author”" in caught.value.problem
    assert caught.value.remedy == "Choose one of: source, section, year."


def test_similarity_of_two_candidates(make_pool: MakePool) -> None:
    pool = make_pool(vectors=[[1.0, 0.0], [3.0, 4.0], [0.0, 0.0]])
    assert pool.similarity(0, 1) == pytest.approx(0.6)
    assert pool.similarity(0, 0) == pytest.approx(1.0)
    assert pool.similarity(2, 2) == 0.0
    assert make_pool(2).similarity(0, 1) == 0.0


def test_a_vector_that_is_marked_missing_is_refused(make_pool: MakePool) -> None:
    pool = make_pool(2, vectors=[[1.0, 0.0], [0.0, 1.0]])
    with pytest.raises(PoolError, match="marked missing"):
        dataclasses.replace(pool, has_vector=np.array([True, False]))


def test_vectors_that_are_marked_but_not_given_are_refused(make_pool: MakePool) -> None:
    with pytest.raises(PoolError, match="marked but not given"):
        dataclasses.replace(make_pool(2), vectors=None, has_vector=np.array([True, False]))


def test_a_negative_token_count_is_refused(make_pool: MakePool) -> None:
    with pytest.raises(PoolError, match="token count is negative"):
        dataclasses.replace(make_pool(2), tokens=np.array([1, -1]))
