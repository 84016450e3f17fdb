"""The rules that hold for every selector: section 2 of the design, row by row."""

import dataclasses
import inspect
from collections.abc import Callable
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import pytest

from poolscope.errors import PolicyError
from poolscope.model import (
    CAUSES,
    OPEN,
    PICKED,
    Cause,
    Facet,
    MissingKey,
    MissingVector,
    NearCopy,
    OnBudget,
    Order,
    Policy,
    Pool,
    Relevance,
    Selection,
)
from poolscope.selection import SELECTORS, Selector, named, select

MakePool: TypeAlias = Callable[..., Pool]

every = pytest.mark.parametrize("selector", SELECTORS, ids=lambda selector: selector.name)
similar = pytest.mark.parametrize(
    "selector", [s for s in SELECTORS if s.reads_similarity], ids=lambda selector: selector.name
)
capped = pytest.mark.parametrize(
    "selector",
    [
        s
        for s in SELECTORS
        if "cap" in {parameter.name for parameter in s.parameters} and s.reads_key
    ],
    ids=lambda selector: selector.name,
)
keyed = pytest.mark.parametrize(
    "selector", [s for s in SELECTORS if s.reads_key], ids=lambda selector: selector.name
)


def policy_of(selector: Selector, **settings: object) -> Policy:
    """Return a policy whose cap is out of the way unless it is given."""
    return Policy(selector=selector.name, cap=100).changed(**settings)


def twelve(make_pool: MakePool, **changes: object) -> Pool:
    """Twelve candidates of four sources in general position."""
    rng = np.random.default_rng(12)
    given: dict[str, Any] = {
        "scores": np.sort(rng.uniform(0.2, 0.9, 12))[::-1],
        "vectors": rng.normal(size=(12, 5)),
        "query_vector": rng.normal(size=5).tolist(),
        "sources": "aabacbdabcdd",
        "tokens": [7, 3, 9, 4, 5, 8, 2, 6, 7, 3, 4, 5],
    }
    given.update(changes)
    return make_pool(12, **given)


def causes_of(selection: Selection) -> list[Cause | None]:
    reasons = [selection.reason(index) for index in range(len(selection.pool))]
    return [None if reason is None else reason.cause for reason in reasons]


# The list itself


def test_names_and_labels_are_distinct() -> None:
    assert len({selector.name for selector in SELECTORS}) == len(SELECTORS)
    assert len({selector.label for selector in SELECTORS}) == len(SELECTORS)


@every
def test_it_is_found_by_its_name_and_says_what_it_does(selector: Selector) -> None:
    assert named(selector.name) is selector
    assert selector.summary.endswith(".")
    assert selector.label


def test_an_unknown_name_is_refused_with_the_choices(make_pool: MakePool) -> None:
    with pytest.raises(PolicyError) as caught:
        select(make_pool(1), Policy(selector="best"))
    assert "“best”" in caught.value.problem
    assert all(selector.name in caught.value.remedy for selector in SELECTORS)


@every
def test_declared_parameters_are_the_keywords_and_fields_of_a_policy(selector: Selector) -> None:
    keywords = {
        name
        for name, parameter in inspect.signature(selector.function).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }
    declared = {parameter.name for parameter in selector.parameters}
    assert declared == keywords
    assert declared <= {field.name for field in dataclasses.fields(Policy)}


@every
def test_a_value_outside_a_declared_range_is_refused(selector: Selector) -> None:
    for parameter in selector.parameters:
        if parameter.low is not None:
            policy_of(selector, **{parameter.name: parameter.low})
            with pytest.raises(PolicyError):
                policy_of(selector, **{parameter.name: parameter.low - 1})
        if parameter.high is not None:
            policy_of(selector, **{parameter.name: parameter.high})
            with pytest.raises(PolicyError):
                policy_of(selector, **{parameter.name: parameter.high + 1})


@every
def test_declared_choices_are_those_of_the_policy(selector: Selector) -> None:
    for parameter in selector.parameters:
        if parameter.choices is not None:
            assert type(getattr(Policy(), parameter.name)) is parameter.choices
        assert parameter.help.endswith(".")


# k


@every
@pytest.mark.parametrize("k", range(15))
def test_picks_are_distinct_and_as_many_as_there_can_be(
    make_pool: MakePool, selector: Selector, k: int
) -> None:
    pool = twelve(make_pool)
    selection = select(pool, policy_of(selector, k=k))
    assert len(selection) == len(set(selection.indices.tolist())) == min(k, 12)
    assert selection.empty_slots == max(k - 12, 0)
    assert all(0 <= index < 12 for index in selection.indices)
    assert len(selection.rules) == len(selection.picks) == len(selection)
    assert [pick.slot for pick in selection.picks] == list(range(1, len(selection) + 1))


@every
def test_k_zero_is_an_empty_selection_without_a_note(
    make_pool: MakePool, selector: Selector
) -> None:
    selection = select(twelve(make_pool), policy_of(selector, k=0))
    assert (len(selection), selection.picks, selection.ordered) == (0, (), ())
    assert selection.notes == ()
    assert causes_of(selection) == [Cause.BELOW_K] * 12


@every
@pytest.mark.parametrize("k", [-1, 2.5, True])
def test_a_k_that_is_no_count_is_refused_by_its_value(selector: Selector, k: object) -> None:
    with pytest.raises(PolicyError, match=f"k is {k!r}"):
        policy_of(selector, k=k)


@every
def test_empty_slots_are_counted_and_explained(make_pool: MakePool, selector: Selector) -> None:
    selection = select(twelve(make_pool), policy_of(selector, k=8, depth=5))
    assert selection.empty_slots == 3
    note = selection.notes[-1]
    assert note.startswith("3 of 8 slots stayed empty: 12 in the pool.")
    assert "beyond the pool depth (7)" in note


@every
def test_more_slots_than_candidates_are_noted_without_a_cause(
    make_pool: MakePool, selector: Selector
) -> None:
    selection = select(twelve(make_pool), policy_of(selector, k=20))
    assert selection.notes[-1] == "8 of 20 slots stayed empty: 12 in the pool."


@every
def test_full_slots_leave_no_note_of_empty_ones(make_pool: MakePool, selector: Selector) -> None:
    notes = select(twelve(make_pool), policy_of(selector, k=6)).notes
    assert not any("empty" in note for note in notes)


@every
@pytest.mark.parametrize("k", [0, 3])
def test_an_empty_pool_gives_an_empty_selection(
    make_pool: MakePool, selector: Selector, k: int
) -> None:
    for pool in (make_pool(0), make_pool(0, scores=[], vectors=[], query_vector=[1.0, 0.0, 0.0])):
        selection = select(pool, policy_of(selector, k=k))
        assert len(selection) == 0
        assert selection.empty_slots == k


@every
@pytest.mark.parametrize("budget", [None, 30])
def test_a_larger_k_only_adds_where_it_says_so(
    make_pool: MakePool, selector: Selector, budget: int | None
) -> None:
    facets = tuple(Facet(name, name) for name in "abcd")
    marks = np.random.default_rng(3).integers(0, 2, size=(12, 4)).astype(np.int8)
    pool = twelve(make_pool, facets=facets, judgements=marks)
    policy = policy_of(selector, cap=2, budget=budget, quotas=(("a", 2), ("b", 3)), refill=True)
    picks = [select(pool, policy.changed(k=k)).indices.tolist() for k in range(13)]
    only_adds = all(longer[: len(shorter)] == shorter for shorter, longer in pairwise(picks))
    assert only_adds is selector.prefix.holds
    assert selector.prefix.why.endswith(".")


# Depth


@every
@pytest.mark.parametrize("depth", [0, 1, 5, 11, 12, 40])
def test_nothing_beyond_the_depth_is_picked(
    make_pool: MakePool, selector: Selector, depth: int
) -> None:
    selection = select(twelve(make_pool), policy_of(selector, k=12, depth=depth))
    assert selection.members == frozenset(range(min(depth, 12)))
    for index in range(depth, 12):
        reason = selection.reason(index)
        assert reason is not None
        assert (reason.cause, reason.rank, reason.limit) == (Cause.BEYOND_DEPTH, index + 1, depth)


@every
@pytest.mark.parametrize("depth", [4, 7])
def test_a_depth_is_the_pool_cut_there(make_pool: MakePool, selector: Selector, depth: int) -> None:
    pool = twelve(make_pool)
    assert pool.scores is not None
    assert pool.vectors is not None
    short = make_pool(
        depth,
        scores=pool.scores[:depth],
        vectors=pool.vectors[:depth],
        sources=pool.sources[:depth],
    )
    policy = policy_of(selector, k=3, cap=1)
    cut, whole = select(short, policy), select(pool, policy.changed(depth=depth))
    assert whole.indices.tolist() == cut.indices.tolist()


# Ties


@every
def test_equal_candidates_are_picked_in_rank_order(make_pool: MakePool, selector: Selector) -> None:
    twins = make_pool(6, scores=[0.5] * 6, vectors=[[1.0, 2.0, 2.0]] * 6, sources="abcdef")
    assert select(twins, policy_of(selector, k=4)).indices.tolist() == [0, 1, 2, 3]


@every
def test_scores_equal_but_for_rounding_are_picked_in_rank_order(
    make_pool: MakePool, selector: Selector
) -> None:
    near = [0.3, 0.1 + 0.2, 0.3 * (1 + 4e-13), 0.3]
    pool = make_pool(4, scores=near, vectors=[[1.0, 0.0]] * 4, sources="abcd")
    assert select(pool, policy_of(selector, k=4)).indices.tolist() == [0, 1, 2, 3]


@every
def test_scores_further_apart_than_rounding_are_not_equal(
    make_pool: MakePool, selector: Selector
) -> None:
    pool = make_pool(2, scores=[0.3, 0.3 * (1 + 1e-11)], vectors=np.eye(2), sources="ab")
    assert select(pool, policy_of(selector, k=1)).indices.tolist() == [1]


LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "strided": lambda rows: np.repeat(rows, 3, axis=0)[::3],
    "sliced": lambda rows: np.hstack([rows, rows])[:, : rows.shape[1]],
}


@every
@pytest.mark.parametrize("relevance", [Relevance.SCORE, Relevance.COSINE])
@pytest.mark.parametrize("d", [3, 17, 128])
@pytest.mark.parametrize("orthogonal", [False, True])
def test_twins_are_picked_by_rank_whatever_the_shape_of_the_batch(
    make_pool: MakePool,
    selector: Selector,
    relevance: Relevance,
    d: int,
    orthogonal: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    rng = np.random.default_rng(d)
    bases = rng.normal(size=(3, d))
    if orthogonal:  # their cosines are rounding and nothing else
        bases = np.linalg.qr(rng.normal(size=(d, d)))[0][:3]
    of = np.array([0, 1, 2, 1, 0, 2, 2, 0, 1])
    scores = np.array([0.9, 0.9, 0.7])[of]
    expected: set[tuple[int, ...]] = set()
    for appended in (0, 1, 30):
        rows = np.vstack([bases[of], rng.normal(size=(appended, d))])
        pool = make_pool(
            scores=[*scores, *[0.1] * appended],
            vectors=rows,
            query_vector=(bases[0] + 0.5 * rng.permutation(bases[1])).tolist()
            if not orthogonal
            else bases[2].tolist(),
            sources=[f"s{base}" for base in of] + ["t"] * appended,
        )
        for layout in LAYOUTS.values():
            laid = dataclasses.replace(pool, vectors=layout(pool.vectors))
            for lambda_ in (0.0, 0.4, 1.0):
                policy = policy_of(
                    selector, k=7, cap=3, depth=9, relevance=relevance, lambda_=lambda_
                )
                picks = select(laid, policy).indices.tolist()
                for base in range(3):
                    twins = [index for index in picks if of[index] == base]
                    assert twins == np.flatnonzero(of == base)[: len(twins)].tolist()
                if relevance is Relevance.SCORE or orthogonal:
                    expected.add((int(10 * lambda_), *picks))
    if expected:
        assert len(expected) == 3


@similar
def test_similarities_that_are_only_rounding_do_not_decide(
    make_pool: MakePool, selector: Selector
) -> None:
    rows = np.linalg.qr(np.random.default_rng(0).normal(size=(40, 40)))[0]
    pool = make_pool(vectors=rows, scores=np.linspace(1.0, 0.5, 40))
    picks = select(pool, policy_of(selector, k=10, lambda_=0.0)).indices
    assert picks.tolist() == list(range(10))


@every
def test_cosines_that_are_only_rounding_do_not_decide(
    make_pool: MakePool, selector: Selector
) -> None:
    rows = np.linalg.qr(np.random.default_rng(1).normal(size=(40, 40)))[0]
    pool = make_pool(
        39, vectors=rows[1:], query_vector=rows[0].tolist(), sources=list(map(str, range(39)))
    )
    policy = policy_of(selector, k=10, relevance=Relevance.COSINE, lambda_=0.7)
    assert select(pool, policy).indices.tolist() == list(range(10))


# Vectors


@every
def test_without_any_vector_only_what_reads_similarity_is_empty(
    make_pool: MakePool, selector: Selector
) -> None:
    selection = select(twelve(make_pool, vectors=None), policy_of(selector, k=4))
    if selector.reads_similarity:
        assert len(selection) == 0
        assert causes_of(selection) == [Cause.NO_VECTOR] * 12
        assert "without a vector (12)" in selection.notes[-1]
    else:
        assert len(selection) == 4


def half(make_pool: MakePool, **changes: object) -> Pool:
    """Build the twelve, the even ranks without a vector, the best of all among them."""
    rows = np.random.default_rng(4).normal(size=(12, 5))
    mask = np.arange(12) % 2 == 1
    rows[~mask] = 0.0
    return twelve(make_pool, vectors=rows, has_vector=mask, **changes)


@every
def test_candidates_without_a_vector_are_left_out_by_name_where_similarity_is_read(
    make_pool: MakePool, selector: Selector
) -> None:
    selection = select(half(make_pool), policy_of(selector, k=12))
    if selector.reads_similarity:
        assert selection.members == frozenset(range(1, 12, 2))
        assert causes_of(selection)[::2] == [Cause.NO_VECTOR] * 6
        assert "without a vector (6)" in selection.notes[-1]
    else:
        assert selection.members == frozenset(range(12))


@similar
def test_let_in_without_a_vector_they_are_similar_to_nothing(
    make_pool: MakePool, selector: Selector
) -> None:
    policy = policy_of(selector, k=12, missing_vector=MissingVector.NO_REDUNDANCY, lambda_=0.5)
    selection = select(half(make_pool), policy)
    assert len(selection) == 12
    for pick in selection.picks[1:]:
        if pick.index % 2 == 0:
            assert pick.redundancy == 0.0


@similar
@pytest.mark.parametrize("lambda_", [0.3, 1.0])
def test_with_no_vectors_and_all_let_in_it_is_top_k(
    make_pool: MakePool, selector: Selector, lambda_: float
) -> None:
    pool = twelve(make_pool, vectors=None)
    policy = policy_of(selector, k=5, missing_vector=MissingVector.NO_REDUNDANCY, lambda_=lambda_)
    assert select(pool, policy).indices.tolist() == [0, 1, 2, 3, 4]


@every
def test_without_a_vector_there_is_no_cosine_to_rank_by(
    make_pool: MakePool, selector: Selector
) -> None:
    policy = policy_of(
        selector,
        k=12,
        relevance=Relevance.COSINE,
        missing_vector=MissingVector.NO_REDUNDANCY,
    )
    selection = select(half(make_pool), policy)
    assert selection.members == frozenset(range(1, 12, 2))
    assert causes_of(selection)[::2] == [Cause.NO_VECTOR] * 6


@similar
def test_a_zero_vector_is_similar_to_nothing_not_even_its_twin(
    make_pool: MakePool, selector: Selector
) -> None:
    pool = make_pool(
        scores=[0.9, 0.8, 0.7, 0.6],
        vectors=[[1.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 0.0]],
        sources="abcd",
    )
    selection = select(pool, policy_of(selector, k=4, lambda_=0.5))
    assert selection.indices.tolist() == [0, 2, 3, 1]
    assert [pick.redundancy for pick in selection.picks] == [None, 0.0, 0.0, pytest.approx(1.0)]


@every
def test_unnormalised_vectors_count_as_their_directions(
    make_pool: MakePool, selector: Selector
) -> None:
    rng = np.random.default_rng(8)
    rows = rng.normal(size=(12, 5))
    scaled = rows * rng.uniform(0.01, 100.0, size=(12, 1))
    policy = policy_of(selector, k=6, cap=2, relevance=Relevance.COSINE, lambda_=0.5)
    plain = select(twelve(make_pool, vectors=rows), policy)
    assert select(twelve(make_pool, vectors=scaled), policy).indices.tolist() == (
        plain.indices.tolist()
    )


# Relevance


@every
@pytest.mark.parametrize("relevance", list(Relevance))
def test_the_first_pick_is_the_most_relevant_and_relevance_is_named(
    make_pool: MakePool, selector: Selector, relevance: Relevance
) -> None:
    rng = np.random.default_rng(21)
    pool = twelve(make_pool, scores=rng.permutation(np.linspace(0.1, 0.9, 12)))
    assert pool.scores is not None
    assert pool.vectors is not None
    assert pool.query_vector is not None
    wanted = {
        Relevance.SCORE: pool.scores,
        Relevance.COSINE: pool.vectors @ pool.query_vector,
        Relevance.RANK: -np.arange(12.0),
    }[relevance]
    for lambda_ in (0.0, 0.5, 1.0):
        selection = select(pool, policy_of(selector, k=3, relevance=relevance, lambda_=lambda_))
        assert selection.indices[0] == wanted.argmax()
        assert relevance.value in selection.relevance_name
        order = np.argsort(-selection.relevances, kind="stable")
        assert order.tolist() == np.argsort(-wanted, kind="stable").tolist()


@every
def test_relevance_alone_is_top_k(make_pool: MakePool, selector: Selector) -> None:
    scores = np.random.default_rng(5).permutation(np.arange(12.0))
    pool = twelve(make_pool, scores=scores, sources=["one"] * 12)
    top = select(pool, Policy(selector="top_k", k=7)).indices.tolist()
    assert select(pool, policy_of(selector, k=7, lambda_=1.0)).indices.tolist() == top


@every
def test_a_relevance_that_the_pool_lacks_is_refused(
    make_pool: MakePool, selector: Selector
) -> None:
    pool = make_pool(3)
    with pytest.raises(PolicyError, match="no scores"):
        select(pool, policy_of(selector, relevance=Relevance.SCORE))
    with pytest.raises(PolicyError, match="query vector"):
        select(pool, policy_of(selector, relevance=Relevance.COSINE))


# Missing source


@capped
def test_the_three_rules_for_a_missing_source(make_pool: MakePool, selector: Selector) -> None:
    pool = make_pool(
        scores=[0.9, 0.8, 0.7, 0.6, 0.5],
        vectors=np.eye(5),
        sources=["a", None, None, "a", None],
    )
    policy = policy_of(selector, k=5, cap=1, backfill=False)
    members = {rule: select(pool, policy.changed(missing_key=rule)).members for rule in MissingKey}
    assert members[MissingKey.ALONE] == {0, 1, 2, 4}
    assert members[MissingKey.SHARED] == {0, 1}
    assert members[MissingKey.REJECT] == {0}
    rejected = select(pool, policy.changed(missing_key=MissingKey.REJECT))
    assert [causes_of(rejected)[index] for index in (1, 2, 4)] == [Cause.NO_SOURCE] * 3
    assert "without a source (3)" in rejected.notes[-1]


@every
def test_no_source_matters_only_where_the_source_is_read(
    make_pool: MakePool, selector: Selector
) -> None:
    pool = twelve(make_pool, sources=[None] * 12)
    selection = select(pool, policy_of(selector, k=12, missing_key=MissingKey.REJECT))
    assert len(selection) == (0 if selector.reads_key else 12)


@keyed
def test_an_unknown_key_is_refused_with_the_fields_there_are(
    make_pool: MakePool, selector: Selector
) -> None:
    pool = twelve(make_pool, fields={"section": ["x"] * 12})
    with pytest.raises(PolicyError) as caught:
        select(pool, policy_of(selector, key="author"))
    assert "“author”" in caught.value.problem
    assert "source, section" in caught.value.remedy


# Token budget


def spread(make_pool: MakePool, tokens: list[int]) -> Pool:
    """Candidates of their own source and direction: every selector walks them in rank order."""
    n = len(tokens)
    return make_pool(
        scores=np.linspace(0.9, 0.5, n), vectors=np.eye(n), sources=list(map(str, range(n))),
        tokens=tokens,
    )  # fmt: skip


@every
def test_skip_passes_over_what_does_not_fit_and_goes_on(
    make_pool: MakePool, selector: Selector
) -> None:
    selection = select(spread(make_pool, [4, 9, 3, 8, 3]), policy_of(selector, k=5, budget=10))
    assert selection.indices.tolist() == [0, 2, 4]
    first, second = selection.reason(1), selection.reason(3)
    assert first is not None
    assert second is not None
    assert (first.cause, first.value, first.limit) == (Cause.OVER_BUDGET, 9.0, 6.0)
    assert (second.cause, second.value, second.limit) == (Cause.OVER_BUDGET, 8.0, 3.0)
    assert "over the token budget (2)" in selection.notes[-1]


@every
def test_stop_ends_at_the_first_that_does_not_fit(make_pool: MakePool, selector: Selector) -> None:
    policy = policy_of(selector, k=5, budget=10, on_budget=OnBudget.STOP)
    selection = select(spread(make_pool, [4, 9, 3, 8, 3]), policy)
    assert selection.indices.tolist() == [0]
    assert causes_of(selection) == [None, *[Cause.OVER_BUDGET] * 4]
    assert "over the token budget (4)" in selection.notes[-1]


@every
@pytest.mark.parametrize("on_budget", list(OnBudget))
def test_the_first_item_may_exceed_the_budget_only_if_asked(
    make_pool: MakePool, selector: Selector, on_budget: OnBudget
) -> None:
    pool = spread(make_pool, [40, 9, 3])
    policy = policy_of(selector, k=3, budget=10, on_budget=on_budget)
    without = select(pool, policy)
    assert without.indices.tolist() == ([1] if on_budget is OnBudget.SKIP else [])
    assert select(pool, policy.changed(first_item_always=True)).indices.tolist() == [0]


@every
def test_a_first_item_that_fits_leaves_the_rest_of_the_budget(
    make_pool: MakePool, selector: Selector
) -> None:
    policy = policy_of(selector, k=3, budget=10, first_item_always=True)
    assert select(spread(make_pool, [4, 6, 1]), policy).indices.tolist() == [0, 1]


@every
def test_a_budget_of_nothing_admits_what_costs_nothing(
    make_pool: MakePool, selector: Selector
) -> None:
    policy = policy_of(selector, k=3, budget=0)
    assert select(spread(make_pool, [1, 0, 5]), policy).indices.tolist() == [1]


@every
@pytest.mark.parametrize("budget", [0, 5, 10, 17, 30, 63, 64])
@pytest.mark.parametrize("on_budget", list(OnBudget))
def test_the_budget_is_never_exceeded(
    make_pool: MakePool, selector: Selector, budget: int, on_budget: OnBudget
) -> None:
    pool = twelve(make_pool)
    policy = policy_of(selector, k=12, cap=2, budget=budget, on_budget=on_budget, lambda_=0.4)
    assert pool.tokens[select(pool, policy).indices].sum() <= budget


# Output order


@every
def test_membership_and_order_are_separate_choices(make_pool: MakePool, selector: Selector) -> None:
    pool = twelve(make_pool, positions=(5, 1, 9, 3, None, 2, 1, 8, 4, 7, 6, 0))
    policy = policy_of(selector, k=6, cap=2, lambda_=0.2)
    base = select(pool, policy)
    by_score = select(pool, policy.changed(order=Order.SCORE))
    by_document = select(pool, policy.changed(order=Order.DOCUMENT))
    assert base.ordered == tuple(base.indices)
    assert by_score.indices.tolist() == by_document.indices.tolist() == base.indices.tolist()
    assert by_score.ordered == tuple(sorted(base.members))  # the scores fall with the rank
    places = [
        (pool.sources[i] or "", 99 if (at := pool.positions[i]) is None else at)
        for i in by_document.ordered
    ]
    assert places == sorted(places)
    assert frozenset(by_document.ordered) == base.members


# Reasons, determinism, memory


@every
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"cap": 1},
        {"cap": 1, "backfill": False, "k": 8},
        {"budget": 20},
        {"budget": 20, "on_budget": OnBudget.STOP},
        {"depth": 7, "k": 3},
        {"missing_key": MissingKey.REJECT, "cap": 2},
        {"near_copies": tuple(NearCopy), "copy_cosine": 0.5},
        {"best": 2, "neighbours": 1},
        {"quotas": (("a", 1), ("d", 1)), "cap": 2},
    ],
)
def test_everything_left_out_has_one_reason_and_nothing_picked_has_any(
    make_pool: MakePool, selector: Selector, settings: dict[str, object]
) -> None:
    pool = half(make_pool, sources=["a", None, "b", "a", "c", "b", "d", "a", None, "c", "d", "d"])
    selection = select(pool, policy_of(selector, **settings))
    for index in range(12):
        reason = selection.reason(index)
        assert (reason is None) == (index in selection)
        if reason is not None:
            assert reason.rank == index + 1
            assert reason.cause in CAUSES
    assert (selection.causes[selection.indices] == PICKED).all()
    assert set(selection.causes.tolist()) <= {PICKED, OPEN, *range(len(CAUSES))}


@every
def test_the_same_pool_and_policy_give_the_same_selection(
    make_pool: MakePool, selector: Selector
) -> None:
    policy = policy_of(selector, k=6, cap=2, budget=40)
    first, second = select(twelve(make_pool), policy), select(twelve(make_pool), policy)
    assert first.pool.digest == second.pool.digest
    assert first.picks == second.picks
    assert first.notes == second.notes
    assert [first.reason(i) for i in range(12)] == [second.reason(i) for i in range(12)]


@every
def test_a_selection_remembers_what_made_it_and_cannot_be_written(
    make_pool: MakePool, selector: Selector
) -> None:
    pool, policy = twelve(make_pool), policy_of(selector, k=4)
    selection = select(pool, policy)
    assert selection.pool is pool
    assert selection.policy is policy
    for name in ("indices", "redundancies", "blockers", "runners_up", "margins", "causes"):
        array = getattr(selection, name)
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
