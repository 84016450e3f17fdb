"""Analysis: three rules on one pool, and the sentence about plain top-k."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from poolscope import analysis, selection
from poolscope.errors import PolicyError
from poolscope.measures import Measured
from poolscope.model import Facet, Policy, Pool
from poolscope.selection import offers, presets

MakePool = Callable[..., Pool]
RULES = ("two_pass_cap", "grouped_cap", "mmr", "mmr_cap")
ONE_TWO = (Facet("one", "The first"), Facet("two", "The second"))


@pytest.fixture
def pool(make_pool: MakePool) -> Pool:
    return make_pool(
        vectors=[[1, 0, 0], [0.99, 0.1, 0], [0.98, 0.2, 0], [0.4, 0.9, 0], [0.3, 0, 0.95]],
        scores=[0.95, 0.93, 0.91, 0.6, 0.5],
        sources=["a", "a", "a", "b", "c"],
        facets=ONE_TWO,
        judgements=np.array([[1, 0], [1, 0], [1, 0], [0, 1], [0, 0]], dtype=np.int8),
    )


def test_the_baseline_comes_first_and_the_rules_in_their_order(pool: Pool) -> None:
    found = analysis.compare(pool, Policy(k=3), RULES)
    assert [c.selection.policy.selector for c in found.columns] == ["top_k", *RULES]
    labels = [selection.named(name).label for name in ("top_k", *RULES)]
    assert [c.title for c in found.columns] == labels
    assert found.baseline is found.columns[0]
    assert all(c.baseline is found.baseline.measured for c in found.columns)


def test_entered_and_left_are_the_two_differences(pool: Pool) -> None:
    top, capped = analysis.compare(pool, Policy(k=3, cap=1), ("two_pass_cap",)).columns
    assert capped.selection.members == {0, 3, 4}
    assert capped.entered == {3, 4}
    assert capped.left == (1, 2)
    assert (top.entered, top.left) == (frozenset(), ())


def test_changes_are_held_against_top_k(pool: Pool) -> None:
    top, capped = analysis.compare(pool, Policy(k=3, cap=1), ("two_pass_cap",)).columns
    assert capped.change("distinct_sources") == 2
    assert capped.change("facet_coverage") == pytest.approx(0.5)
    assert capped.change("mean_relevance") == pytest.approx((0.6 + 0.5 - 0.93 - 0.91) / 3)
    assert top.change("mean_relevance") == 0


def test_an_undefined_measure_has_no_change(make_pool: MakePool) -> None:
    (_, capped) = analysis.compare(make_pool(4, sources="aabb"), Policy(k=2), ("mmr",)).columns
    assert math.isnan(capped.change("facet_coverage"))


@pytest.mark.parametrize(("depth", "seen"), [(None, 5), (3, 3), (99, 5), (0, 0)])
def test_depth_is_what_the_rules_see(pool: Pool, depth: int | None, seen: int) -> None:
    assert analysis.compare(pool, Policy(depth=depth), ()).depth == seen


def test_a_field_that_does_not_exist_is_refused(pool: Pool) -> None:
    with pytest.raises(PolicyError, match="team"):
        analysis.compare(pool, Policy(key="team"), ("two_pass_cap",))


def test_supported_gives_labels(pool: Pool) -> None:
    assert analysis.supported(pool, 0) == ("The first",)
    assert analysis.supported(pool, 4) == ()


def test_rules_are_asked_without_what_they_do_not_read(pool: Pool) -> None:
    asked: list[Policy] = []

    def run(pool: Pool, policy: Policy) -> Measured:
        asked.append(policy)
        return analysis.select_and_measure(pool, policy)

    setting = Policy(k=2, lambda_=0.3, cap=1)
    found = analysis.compare(pool, setting, ("grouped_cap", "mmr"), run)
    usual = Policy(k=2)
    assert asked == [
        usual,
        usual.changed(selector="grouped_cap", cap=1),
        usual.changed(selector="mmr", lambda_=0.3),
    ]
    assert [column.selection.policy for column in found.columns] == [
        setting.changed(selector=rule) for rule in ("top_k", "grouped_cap", "mmr")
    ]


def test_a_policy_takes_over_what_its_own_rule_does_not_read() -> None:
    now = Policy(lambda_=0.3, cap=1, k=9)
    step = Policy(selector="mmr", lambda_=0.9, cap=2, k=5)
    assert analysis.with_unread(step, now) == step.changed(cap=1)
    both = step.changed(selector="mmr_cap")
    assert analysis.with_unread(both, now) == both


def test_one_reason_for_all_that_left_is_known_as_one(make_pool: MakePool) -> None:
    pool = make_pool(4, scores=[0.9, 0.8, 0.7, 0.6])
    mmr = analysis.compare(pool, Policy(k=3), ("mmr",)).columns[1]
    assert mmr.left == (0, 1, 2)
    assert (
        mmr.shared_reason == mmr.reasons[0] == "it has no vector, and this rule weighs similarity"
    )
    alone = analysis.compare(pool, Policy(k=1), ("mmr",)).columns[1]
    assert (len(alone.reasons), alone.shared_reason) == (1, "")
    assert analysis.compare(pool, Policy(k=3), ("mmr",)).baseline.shared_reason == ""


def test_crowding_is_what_the_measures_say_of_plain_top_k(pool: Pool) -> None:
    found = analysis.crowding(pool, 4)
    measured = analysis.select_and_measure(pool, Policy(selector="top_k", k=4))
    assert found.largest_share == measured["largest_share"] == 0.75
    assert found.distinct_sources == measured["distinct_sources"] == 2
    assert found.mean_pairwise == measured["mean_pairwise_cosine"]
    assert found.near_copies == measured["near_copy_pairs"] == 3
    assert analysis.crowding(pool) == analysis.crowding(pool, analysis.CROWDED_AT)


def test_crowding_is_undefined_where_the_measures_are(make_pool: MakePool) -> None:
    found = analysis.crowding(make_pool(3, sources="aab"))
    assert found.largest_share == pytest.approx(2 / 3)
    assert found.distinct_sources == 2
    assert math.isnan(found.mean_pairwise)
    assert math.isnan(found.near_copies)
    empty = analysis.crowding(make_pool(0))
    assert math.isnan(empty.largest_share)
    assert empty.place > found.place


def test_a_preset_stands_beside_the_rules_and_is_measured_as_they_are(make_pool: MakePool) -> None:
    pool = make_pool(
        vectors=[[1, 0, 0], [0.99, 0.1, 0], [0.98, 0.2, 0], [0.4, 0.9, 0], [0.3, 0, 0.95]],
        query_vector=[1, 0, 0],
        scores=[5.0, 4.0, 3.0, 2.0, 1.0],
        sources="aaabc",
    )
    names = ("preset:langchain_mmr", "preset:grouped", "mmr")
    top, langchain, grouped, mmr = analysis.compare(pool, Policy(k=3, cap=1), names).columns
    direct = presets.named("langchain_mmr").select(pool, presets.Request(k=3))
    assert langchain.selection.ordered == direct.ordered
    assert (langchain.title, langchain.policy.selector) == ("LangChain MMR", names[0])
    assert langchain.setting == "lambda fixed at 0.5"
    assert grouped.setting == "cap fixed at 2 per source"
    assert mmr.setting == "lambda 0.6"
    # Its system reads cosines; its mean stands beside that of top-k, so it is one of scores.
    assert langchain.selection.relevance_name == "cosine to the question"
    picks = list(langchain.selection.ordered)
    expected = np.mean(np.array([5.0, 4.0, 3.0, 2.0, 1.0])[picks])
    assert langchain.measured["mean_relevance"] == pytest.approx(expected)
    assert langchain.measured["relevance_kept"] == pytest.approx(expected / 4.0)
    assert top.measured["mean_relevance"] == pytest.approx(4.0)


def test_a_preset_that_lacks_something_leaves_nothing_and_says_what(pool: Pool) -> None:
    _, lacking = analysis.compare(pool, Policy(k=3), ("preset:agentmemory",)).columns
    assert [need.value for need in lacking.lacks] == ["a field “session”"]
    assert lacking.selection.notes == ("Nothing is selected: it needs a field “session”.",)
    assert (lacking.left, lacking.entered) == ((), frozenset())


def with_stored(stored: int) -> tuple[offers.Offer, ...]:
    return tuple(
        replace(offer, stored=stored) if offer.asks_stored else offer for offer in offers.OFFERS
    )


def test_every_rule_is_a_row_with_the_numbers_of_its_column(pool: Pool) -> None:
    setting = Policy(k=3, cap=1, lambda_=0.4)
    found = analysis.every_rule(pool, setting, with_stored(20))
    assert [row.offer.rule for row in found] == [offer.rule for offer in offers.OFFERS]
    ran = [row for row in found if not row.lacks]
    names = tuple(row.offer.name for row in ran[1:])
    assert "preset:swafra:stored=20" in names
    columns = analysis.compare(pool, setting, names).columns
    for row, column in zip(ran, columns, strict=True):
        assert row.picks == column.selection.ordered
        assert row.coverage == pytest.approx(column.measured["facet_coverage"], nan_ok=True)
        assert row.relevance == pytest.approx(column.measured["mean_relevance"], nan_ok=True)
        assert row.sources == column.measured["distinct_sources"]
        assert row.tokens == column.measured["tokens"]
        assert row.shared == column.measured["shared_with_top_k"]


def test_a_rule_that_cannot_run_is_a_row_of_nothing_but_what_it_lacks(pool: Pool) -> None:
    rows = {row.offer.name: row for row in analysis.every_rule(pool, Policy(k=3))}
    lacking = rows["preset:agentmemory"]
    assert [need.value for need in lacking.lacks] == ["a field “session”"]
    assert lacking.picks == ()
    numbers = (lacking.coverage, lacking.relevance, lacking.sources, lacking.shared)
    assert all(math.isnan(value) for value in numbers)
    assert [need.value for need in rows["preset:swafra"].lacks] == ["the number of stored sources"]
    assert rows["top_k"].shared == 3


@pytest.mark.parametrize("n", [0, 1, 2])
def test_every_rule_is_asked_of_the_smallest_pools(make_pool: MakePool, n: int) -> None:
    for k in (0, 5):
        found = analysis.every_rule(make_pool(n), Policy(k=k), with_stored(3))
        assert len(found) == len(offers.OFFERS)
        assert all(len(row.picks) <= n for row in found)
