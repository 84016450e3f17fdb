"""Changes by hand on small pools and the checkout sample, then a brute-force search over a grid."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations

import numpy as np
import pytest

from poolscope.diagnosis.what_would_it_take import (
    Answer,
    Change,
    Goal,
    Move,
    candidate_goal,
    facet_goal,
    what_would_it_take,
)
from poolscope.errors import PolicyError
from poolscope.model import (
    Facet,
    MissingKey,
    MissingVector,
    NearCopy,
    OnBudget,
    Policy,
    Pool,
    Relevance,
    Selection,
)
from poolscope.selection import SELECTORS, named, select
from poolscope.selection.keys import cap_keys
from poolscope.selection.paths import Axis, path

MakePool = Callable[..., Pool]
Sample = Callable[[str], Pool]


SECOND_CAUSE = "Retries to the payment provider hold the worker threads"


def by_label(answer: Answer) -> dict[str, Change]:
    """Return the changes by their settings' names."""
    return {" + ".join(move.label for move in change.moves): change for change in answer.changes}


def assert_sound(answer: Answer) -> None:
    """Every change holds what it says: its value, its stretch, who moves and what it does."""
    pool, now = answer.selection.pool, answer.selection
    for change in answer.changes:
        after = select(pool, change.policy)
        assert answer.goal.indices & after.members
        assert change.entered == tuple(sorted(after.members - now.members))
        assert change.left == tuple(sorted(now.members - after.members))
        assert change.moves
        for move in change.moves:
            assert_move(pool, change, move, answer.goal)
        assert change.effect.tokens == (
            int(pool.tokens[now.indices].sum()),
            int(pool.tokens[after.indices].sum()),
        )
        assert_facets(change, now, after)
        means = [
            float(picked.relevances[picked.indices].mean()) if len(picked) else np.nan
            for picked in (now, after)
        ]
        assert change.effect.relevance == pytest.approx(means, nan_ok=True)
        assert change.relevance_lost == pytest.approx(means[0] - means[1], nan_ok=True)


def assert_facets(change: Change, now: Selection, after: Selection) -> None:
    """Facets gained and lost are those that one selection has a passage for and not the other."""
    pool = now.pool
    was, becomes = (
        [
            facet.label
            for number, facet in enumerate(pool.facets)
            if any(pool.marks[index, number] == 1 for index in picked.members)
        ]
        for picked in (now, after)
    )
    assert list(change.effect.gained) == [label for label in becomes if label not in was]
    assert list(change.effect.lost) == [label for label in was if label not in becomes]
    assert change.effect.facets == len(pool.facets)
    assert change.effect.covered == ((len(was), len(becomes)) if pool.facets else None)


def assert_move(pool: Pool, change: Change, move: Move, goal: Goal) -> None:
    """A move's value lies in its stretch, and both ends of the stretch let the goal in too."""
    if move.label == "key":
        assert move.value == change.policy.key == move.low == move.high != move.before
        return
    low, high, value = float(move.low), float(move.high), float(move.value)
    assert low <= value <= high
    assert value != move.before
    if move.label in SLOTS:
        field = SLOTS[move.label]
        assert getattr(change.policy, field) == value == low
        reaching = {
            slots
            for slots in range(int(float(move.before)) + 1, int(high) + 2)
            if goal.indices & select(pool, change.policy.changed(**{field: slots})).members
        }
        assert set(range(int(low), int(high) + 1)) <= reaching
        assert min(reaching) == low
        return
    axis = AXES[move.label]
    assert getattr(change.policy, axis.value) == value
    for end in (low, high):
        at_end = change.policy.changed(**{axis.value: end if axis is Axis.LAMBDA else round(end)})
        assert goal.indices & select(pool, at_end).members
    if axis is not Axis.LAMBDA:
        past = [low - 1] * (low > (axis is Axis.CAP)) + [high + 1] * (high < len(pool))
        for end in past:
            outside = change.policy.changed(**{axis.value: round(end)})
            assert not goal.indices & select(pool, outside).members or end > highest(axis, outside)


def highest(axis: Axis, policy: Policy) -> int:
    """Return the largest cap that differs from a larger one, the largest k looked at."""
    return {Axis.CAP: policy.k, Axis.K: 50, Axis.DEPTH: 10**6}[axis]


SLOTS = {"slots for the best": "best", "slots for its neighbours": "neighbours"}
AXES = {"lambda": Axis.LAMBDA, "cap": Axis.CAP, "pool depth": Axis.DEPTH, "k": Axis.K}


def test_checkout_at_lambda_one_needs_a_lambda_below_the_last_slots_break(sample: Sample) -> None:
    pool = sample("checkout")
    answer = what_would_it_take(pool, Policy(selector="mmr", lambda_=1.0), facet_goal(pool, 1))
    assert answer.goal.name == SECOND_CAUSE
    assert not answer.is_in
    assert answer.is_exhaustive
    assert_sound(answer)
    assert list(by_label(answer)) == ["lambda", "k"]
    lambda_, k = answer.changes
    # Rank 9 takes the last slot from rank 5: lambda (r5 - r9) = (1 - lambda) (cos 5,1 - cos 9,1).
    gap = 0.796 * 0.8 + 0.1531965 - 0.792 * 0.8
    (move,) = lambda_.moves
    assert move.high == pytest.approx(gap / (gap + 0.796 - 0.792), abs=1e-9)
    assert 0.4 < float(move.low) < 0.5  # the picks of lambda 0.4 and less are the unrelated ones
    assert (move.before, move.value) == (1.0, 0.97)
    assert (lambda_.entered, lambda_.left) == ((8,), (4,))
    assert lambda_.effect.coverage == pytest.approx((1 / 3, 2 / 3))
    assert lambda_.effect.relevance == pytest.approx((0.798, 0.7972))
    assert lambda_.relevance_lost == pytest.approx(0.0008)
    assert lambda_.effect.sources == (5, 5)
    (move,) = k.moves
    assert (move.before, move.low, move.high, move.value) == (5, 9, 50, 9)
    assert (k.entered, k.left) == ((5, 6, 7, 8), ())
    assert k.effect.sources == (5, 9)
    assert k.effect.tokens == (50, 90)


def test_a_facet_that_a_change_pushes_out_is_named(sample: Sample) -> None:
    """On the monograph a lambda low enough for beta-blockers lets two others go."""
    pool = sample("monograph")
    answer = what_would_it_take(pool, Policy(selector="mmr", lambda_=0.6), facet_goal(pool, 5))
    assert_sound(answer)
    moved = by_label(answer)["lambda"].effect
    assert moved.gained == ("Beta-blockers or diltiazem: pulse slows further",)
    assert moved.covered == (5, 4)
    assert len(moved.lost) == 2
    raised = by_label(answer)["k"].effect
    assert (raised.covered, raised.lost) == ((5, 6), ())


def test_checkout_at_depth_eight_needs_depth_nine(sample: Sample) -> None:
    pool = sample("checkout")
    policy = Policy(selector="mmr", lambda_=0.6, depth=8)
    answer = what_would_it_take(pool, policy, facet_goal(pool, 1))
    assert_sound(answer)
    (change,) = answer.changes
    (move,) = change.moves
    assert (move.label, move.before, move.low, move.value) == ("pool depth", 8, 9, 9)
    assert move.high == 50
    assert change.policy == policy.changed(depth=9)
    third = what_would_it_take(pool, policy, facet_goal(pool, 2))
    assert third.changes[0].policy == policy.changed(depth=14)


def test_checkout_needs_depth_and_lambda_where_neither_alone_does(sample: Sample) -> None:
    pool = sample("checkout")
    policy = Policy(selector="mmr", lambda_=1.0, depth=8)
    answer = what_would_it_take(pool, policy, facet_goal(pool, 1))
    assert_sound(answer)
    (change,) = answer.changes
    labels = {move.label: move for move in change.moves}
    assert set(labels) == {"lambda", "pool depth"}
    assert labels["pool depth"].low == 9
    assert labels["lambda"].high == pytest.approx(0.9750618, abs=1e-6)
    assert change.policy == policy.changed(depth=9, lambda_=0.97)
    assert change.relevance_lost == pytest.approx(0.0008)


def test_a_goal_that_is_in_needs_nothing(sample: Sample) -> None:
    pool = sample("checkout")
    answer = what_would_it_take(pool, Policy(), facet_goal(pool, 0))
    assert answer.is_in
    assert not answer.changes
    assert answer.cause == ""


def test_a_facet_that_nobody_supports_was_not_retrieved(make_pool: MakePool) -> None:
    pool = make_pool(4, facets=(Facet("f", "the dose"),), judgements=np.zeros((4, 1)))
    answer = what_would_it_take(pool, Policy(k=2), facet_goal(pool, 0))
    assert answer.goal == Goal("the dose", frozenset())
    assert not answer.is_in
    assert not answer.changes
    assert answer.cause.startswith("No passage of the pool is marked as supporting it")


def test_an_empty_pool_has_no_passage_either(make_pool: MakePool) -> None:
    pool = make_pool(0, facets=(Facet("f", "the dose"),))
    assert "not retrieved" in what_would_it_take(pool, Policy(), facet_goal(pool, 0)).cause


def test_without_a_vector_mmr_never_takes_it(make_pool: MakePool) -> None:
    vectors = [[1.0, 0.0], [1.0, 0.1], [0.0, 0.0], [1.0, 1.0]]
    has = np.array([True, True, False, True])
    pool = make_pool(vectors=vectors, scores=[0.9, 0.8, 0.7, 0.6], has_vector=has)
    answer = what_would_it_take(pool, Policy(selector="mmr", k=2), candidate_goal(2))
    assert answer.goal.name == "rank 3"
    assert not answer.changes
    assert answer.cause == "Rank 3 has no vector, and this rule weighs similarity."
    kept = Policy(selector="mmr", k=2, missing_vector=MissingVector.NO_REDUNDANCY, lambda_=1.0)
    assert "lambda" in by_label(what_would_it_take(pool, kept, candidate_goal(2)))


def test_without_a_vector_there_is_no_cosine_to_rank_it_by(make_pool: MakePool) -> None:
    vectors, has = [[1.0, 0.0], [0.0, 0.0]], np.array([True, False])
    pool = make_pool(vectors=vectors, query_vector=[1.0, 0.0], has_vector=has)
    policy = Policy(relevance=Relevance.COSINE, k=1)
    answer = what_would_it_take(pool, policy, candidate_goal(1))
    assert answer.cause == "Rank 2 has no vector, and relevance is a cosine."


def test_a_k_too_small_says_the_k_it_takes(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7, 0.6], tokens=[10, 20, 30, 40], sources="aabc")
    answer = what_would_it_take(pool, Policy(k=2), candidate_goal(2))
    assert_sound(answer)
    (change,) = answer.changes
    assert change.moves == (Move("k", 2.0, 3.0, 4.0, 3.0),)
    assert (change.entered, change.left) == ((2,), ())
    assert change.effect.relevance == pytest.approx((0.85, 0.8))
    assert change.effect.sources == (1, 2)
    assert change.effect.tokens == (30, 60)
    assert change.effect.coverage is None


def test_a_k_of_zero_has_no_relevance_to_lose(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8])
    (change,) = what_would_it_take(pool, Policy(k=0), candidate_goal(1)).changes
    assert change.policy.k == 2
    assert np.isnan(change.relevance_lost)


def test_a_rank_past_the_largest_k_is_reached_by_nothing(make_pool: MakePool) -> None:
    pool = make_pool(scores=1.0 - 0.01 * np.arange(60))
    answer = what_would_it_take(pool, Policy(), candidate_goal(59))
    assert not answer.changes
    assert answer.cause == (
        "Up to a k of 50 others come first: 59 passages are at least as relevant as rank 60."
    )


def test_a_twin_of_a_better_passage_is_named_as_what_passes_it(make_pool: MakePool) -> None:
    vectors = np.vstack([np.eye(70)[:69], np.eye(70)[6] + 0.1 * np.eye(70)[69]])
    pool = make_pool(vectors=vectors, scores=1.0 - 0.001 * np.arange(70))
    answer = what_would_it_take(pool, Policy(selector="mmr"), candidate_goal(69))
    assert not answer.changes
    assert not answer.is_exhaustive  # of a large pool's depths some are asked
    assert "69 passages" in answer.cause
    assert "rank 7, lies at a cosine of 0.995 to it" in answer.cause


def test_a_cap_moves_up_to_where_it_lets_a_passage_in(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7, 0.6], sources="aaab")
    policy = Policy(selector="grouped_cap", cap=1, k=3)
    answer = what_would_it_take(pool, policy, candidate_goal(2))
    assert_sound(answer)
    assert by_label(answer)["cap"].moves == (Move("cap", 1.0, 3.0, 3.0, 3.0),)


def test_a_cap_and_a_k_that_both_grow_are_found(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7, 0.6, 0.5], sources="aaaaa")
    policy = Policy(selector="grouped_cap", cap=1, k=2)
    answer = what_would_it_take(pool, policy, candidate_goal(4))
    assert_sound(answer)
    assert answer.changes[0].policy == policy.changed(cap=5, k=5)


def test_three_settings_move_where_no_pair_does(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7, 0.6, 0.5], sources="aaaaa")
    policy = Policy(selector="grouped_cap", cap=1, k=2, depth=3)
    answer = what_would_it_take(pool, policy, candidate_goal(4))
    assert_sound(answer)
    assert answer.changes[0].policy == policy.changed(cap=5, k=5, depth=5)
    assert list(by_label(answer)) == ["cap + pool depth + k"]


def test_another_key_lets_a_passage_in(make_pool: MakePool) -> None:
    pool = make_pool(
        scores=[0.9, 0.8, 0.7, 0.6], sources="aabb", fields={"team": ["x", "y", "x", "x"]}
    )
    policy = Policy(selector="two_pass_cap", cap=1, k=2)
    answer = what_would_it_take(pool, policy, candidate_goal(1))
    assert_sound(answer)
    change = by_label(answer)["key"]
    assert change.moves == (Move("key", "source", "team", "team", "team"),)
    assert change.policy == policy.changed(key="team")


def test_a_key_in_a_pair(make_pool: MakePool) -> None:
    pool = make_pool(
        scores=[0.9, 0.8, 0.7, 0.6], sources="aaaa", fields={"team": ["x", "x", "y", "y"]}
    )
    policy = Policy(selector="grouped_cap", cap=1, k=2, depth=2)
    answer = what_would_it_take(pool, policy, candidate_goal(2))
    assert_sound(answer)
    assert answer.changes[0].policy == policy.changed(key="team", depth=3)


def test_what_no_setting_can_do_is_said_with_its_cause(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7], sources=["a", None, "a"], tokens=[10, 10, 500])
    rejecting = Policy(selector="grouped_cap", k=1, missing_key=MissingKey.REJECT)
    answer = what_would_it_take(pool, rejecting, candidate_goal(1))
    assert answer.cause == "Rank 2 has no source, and such candidates are rejected."
    answer = what_would_it_take(pool, Policy(budget=100), candidate_goal(2))
    assert "500 tokens" in answer.cause
    assert "token budget of 100" in answer.cause
    own = Policy(selector="grouped_cap", k=2, overrides=(("a", 1),))
    answer = what_would_it_take(pool, own, candidate_goal(2))
    assert answer.cause == "Rank 3 is kept out by the cap of 1 set for a alone."


def test_a_depth_beyond_the_pool_is_the_whole_pool(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7])
    answer = what_would_it_take(pool, Policy(k=1, depth=50), candidate_goal(2))
    assert list(by_label(answer)) == ["k"]
    assert answer.changes[0].policy.depth == 50


def test_a_policy_that_the_pool_cannot_serve_is_refused(make_pool: MakePool) -> None:
    with pytest.raises(PolicyError, match="no scores"):
        what_would_it_take(make_pool(3), Policy(relevance=Relevance.SCORE), candidate_goal(2))


@dataclass(frozen=True)
class Case:
    """One random question: what would it take?"""

    pool: Pool
    policy: Policy
    goal: Goal


FOLLOWED = ("top_k", "two_pass_cap", "grouped_cap", "mmr", "mmr_cap")
"""The rules whose paths are exact whatever is asked; of the others values are sampled."""


def test_a_rule_whose_paths_are_sampled_says_that_the_search_was_not_exhaustive(
    make_pool: MakePool,
) -> None:
    others = [rule.name for rule in SELECTORS if rule.name not in FOLLOWED]
    sampled = 0
    for seed, selector in enumerate(others):
        rng = np.random.default_rng(seed)
        case = next(filter(None, (draw(rng, selector, make_pool) for _ in range(200))), None)
        if case is None:
            continue
        answer = what_would_it_take(case.pool, case.policy, case.goal)
        for change in answer.changes:
            assert case.goal.indices & select(case.pool, change.policy).members
        sampled += not answer.is_exhaustive
    assert sampled


def random_case(seed: int, make_pool: MakePool) -> Case:
    """Draw a small clustered pool with ties, and a policy that does not reach some goal."""
    rng = np.random.default_rng(seed)
    selector = FOLLOWED[seed % len(FOLLOWED)]
    while True:
        case = draw(rng, selector, make_pool)
        if case is not None:
            return case


@cache
def asked(seed: int, make_pool: MakePool) -> tuple[Case, Answer]:
    case = random_case(seed, make_pool)
    return case, what_would_it_take(case.pool, case.policy, case.goal)


def draw(rng: np.random.Generator, selector: str, make_pool: MakePool) -> Case | None:
    n = int(rng.integers(4, 15))
    centres = rng.normal(size=(3, 4))
    vectors = centres[rng.integers(3, size=n)] + rng.choice([0.0, 0.2, 0.6]) * rng.normal(
        size=(n, 4)
    )
    has = rng.random(n) > 0.08
    vectors[~has] = 0.0
    scores = np.sort(np.round(rng.uniform(0.3, 0.9, size=n), int(rng.integers(1, 4))))[::-1]
    marks = (rng.random((n, 3)) < 0.2).astype(np.int8)
    pool = make_pool(
        vectors=vectors,
        scores=scores,
        has_vector=has,
        query_vector=centres.sum(axis=0),
        sources=[None if rng.random() < 0.1 else "abcd"[rng.integers(4)] for _ in range(n)],
        fields={"team": ["xyz"[rng.integers(3)] for _ in range(n)]},
        tokens=rng.integers(5, 30, size=n),
        facets=tuple(Facet(name, name) for name in "fgh"),
        judgements=marks,
    )
    goal = (
        facet_goal(pool, int(rng.integers(3)))
        if rng.random() < 0.5
        else candidate_goal(int(rng.integers(n)))
    )
    policy = draw_policy(rng, selector, n)
    if not goal.indices or goal.indices & select(pool, policy).members:
        return None
    return Case(pool, policy, goal)


def draw_policy(rng: np.random.Generator, selector: str, n: int) -> Policy:
    reads_lambda = selector.startswith("mmr")
    return Policy(
        selector=selector,
        k=int(rng.integers(3 if reads_lambda else 1, 5)),
        depth=None if rng.random() < (0.6 if reads_lambda else 0.3) else int(rng.integers(2, n)),
        lambda_=float(rng.choice([0.0, 0.25, 0.5, 0.6, 0.9, 1.0, rng.random()])),
        cap=int(rng.integers(1, 4)),
        key=str(rng.choice(["source", "team"])),
        backfill=bool(rng.random() < 0.4),
        budget=int(rng.integers(20, 90)) if rng.random() < 0.2 else None,
        on_budget=OnBudget.STOP if rng.random() < 0.5 else OnBudget.SKIP,
        relevance=Relevance.COSINE if rng.random() < 0.3 else None,
        clip_negative=bool(rng.random() < 0.3),
        missing_vector=rng.choice(list(MissingVector)),
        missing_key=rng.choice(list(MissingKey)),
    )


class Brute:
    """A search that only asks ``select``; its paths are read for where to ask, never for picks."""

    def __init__(self, case: Case) -> None:
        self.case = case
        rule = named(case.policy.selector)
        reads = {parameter.name for parameter in rule.parameters}
        self.labels = [
            label
            for label, axis in AXES.items()
            if axis in (Axis.DEPTH, Axis.K) or axis.value in reads
        ]
        self.keys = [key.name for key in cap_keys(case.pool)] if rule.reads_key else []

    def reaches(self, policy: Policy) -> float | None:
        """Return the mean relevance of what a policy selects, if it lets the goal in."""
        found = select(self.case.pool, policy)
        if not self.case.goal.indices & found.members:
            return None
        return float(found.relevances[found.indices].mean())

    def values(self, label: str, policy: Policy, lambdas: int) -> list[float]:
        n = len(self.case.pool)
        if label != "lambda":
            return list(range(1 if label == "cap" else 0, n + 1))
        parts = path(self.case.pool, policy, Axis.LAMBDA).intervals
        middles = [(part.low + part.high) / 2.0 for part in parts]
        return sorted({*np.linspace(0.0, 1.0, lambdas).tolist(), *middles})

    def moved(self, label: str, policy: Policy, lambdas: int) -> Iterator[tuple[float, Policy]]:
        for value in self.values(label, policy, lambdas):
            yield value, policy.changed(**{AXES[label].value: value})

    def other_keys(self) -> Iterator[Policy]:
        for key in self.keys:
            if key != self.case.policy.key:
                yield self.case.policy.changed(key=key)

    def before(self, label: str) -> float:
        value = getattr(self.case.policy, AXES[label].value)
        return float(len(self.case.pool) if value is None else value)

    def nearest(self) -> dict[str, float]:
        """Return, for every setting that alone lets the goal in, how far it has to move."""
        policy = self.case.policy
        found: dict[str, float] = {}
        for label in self.labels:
            distances = [
                abs(value - self.before(label))
                for value, moved in self.moved(label, policy, 101)
                if self.reaches(moved) is not None
            ]
            if distances:
                found[label] = min(distances)
        for label, field in SLOTS.items():
            slots = range(getattr(policy, field) + 1, policy.k + 1)
            reserved = [policy.changed(**{field: value}) for value in slots]
            enough = [moved for moved in reserved if self.reaches(moved) is not None]
            if enough:
                found[label] = float(getattr(enough[0], field) - getattr(policy, field))
        return found

    def keys_that_reach(self) -> set[str]:
        return {moved.key for moved in self.other_keys() if self.reaches(moved) is not None}

    def best_pair(self) -> float | None:
        """Return the highest mean relevance over all pairs of settings that let the goal in."""
        found = [
            relevance
            for policy in chain(self._pairs_of_values(), self._pairs_with_a_key())
            if (relevance := self.reaches(policy)) is not None
        ]
        return max(found, default=None)

    def _pairs_of_values(self) -> Iterator[Policy]:
        coarse_last = sorted(self.labels, key=lambda label: label == "lambda")
        for first, second in combinations(coarse_last, 2):
            for _, moved in self.moved(first, self.case.policy, 0):
                for _, both in self.moved(second, moved, 11):
                    yield both

    def _pairs_with_a_key(self) -> Iterator[Policy]:
        for moved in self.other_keys():
            for label in self.labels:
                for _, both in self.moved(label, moved, 11):
                    yield both


def distance(move: Move) -> float:
    return max(float(move.low) - float(move.before), float(move.before) - float(move.high), 0.0)


@pytest.mark.parametrize("seed", range(200))
def test_a_brute_force_search_finds_nothing_nearer_and_nothing_more(
    seed: int, make_pool: MakePool
) -> None:
    case, answer = asked(seed, make_pool)
    assert not answer.is_in
    assert answer.is_exhaustive
    assert_sound(answer)
    assert bool(answer.changes) != bool(answer.cause)
    brute = Brute(case)
    nearest, keys = brute.nearest(), brute.keys_that_reach()
    single = {c.moves[0].label: c.moves[0] for c in answer.changes if len(c.moves) == 1}
    assert {c.policy.key for c in answer.changes if c.moves[0].label == "key"} >= keys
    for label, far in nearest.items():
        assert distance(single[label]) <= far
    if not nearest and not keys:
        assert not single
        assert_pair(answer, brute)


def assert_pair(answer: Answer, brute: Brute) -> None:
    """Where no single change does, brute force finds no pair that keeps more relevance."""
    relevance = brute.best_pair()
    if relevance is None:
        assert all(len(change.moves) > 2 for change in answer.changes)
        return
    (change,) = answer.changes
    assert len(change.moves) == 2
    assert change.effect.relevance[1] >= relevance - 1e-9


def test_the_random_questions_have_every_kind_of_answer(make_pool: MakePool) -> None:
    kinds = set()
    for seed in range(200):
        _, answer = asked(seed, make_pool)
        kinds |= {tuple(move.label for move in change.moves) for change in answer.changes}
        kinds |= {("nothing",)} if answer.cause else set()
    assert {(label,) for label in (*AXES, "key", "nothing")} <= kinds
    assert {len(kind) for kind in kinds} == {1, 2, 3}


def test_a_banned_candidate_is_let_in_by_nothing_but_its_release(sample: Sample) -> None:
    pool = sample("checkout")
    policy = Policy(selector="mmr", banned=(pool.ids[8],))
    answer = what_would_it_take(pool, policy, candidate_goal(8))
    assert not answer.changes
    assert answer.cause == "Rank 9 is banned by hand: release it first."


def test_pins_stay_in_every_suggested_change(sample: Sample) -> None:
    pool = sample("checkout")
    policy = Policy(k=3, pinned=(pool.ids[30], pool.ids[40]))
    answer = what_would_it_take(pool, policy, candidate_goal(4))
    assert answer.changes
    assert_sound(answer)
    for change in answer.changes:
        assert {30, 40} <= select(pool, change.policy).members


def test_a_removed_copy_and_a_full_quota_say_so(make_pool: MakePool) -> None:
    pool = make_pool(3, texts=("x", "x", "y"), sources="aab")
    copies = Policy(k=1, near_copies=(NearCopy.TEXT,))
    answer = what_would_it_take(pool, copies, candidate_goal(1))
    assert answer.changes == ()
    assert answer.cause == "Rank 2 is out: near copy of rank 1 (a): the same text."
    quota = Policy(selector="quotas", k=1, quotas=(("a", 1),))
    answer = what_would_it_take(pool, quota, candidate_goal(2))
    assert answer.changes == ()
    assert answer.cause == "Rank 3 is out: no quota for b."


def test_where_arms_are_fused_what_comes_first_is_told_by_the_fused_score(
    make_pool: MakePool,
) -> None:
    # Rank 61 is more relevant than rank 62, but the 60th of its only list.
    arms = [*["a, b"] * 59, "c", "a", "c"]
    pool = make_pool(scores=1.0 - 0.01 * np.arange(62), fields={"arm": arms})
    answer = what_would_it_take(pool, Policy(arm_cap=100), candidate_goal(61))
    assert not answer.changes
    assert answer.cause == (
        "Up to a k of 50 others come first: 60 passages have at least as large a fused score as "
        "rank 62."
    )
