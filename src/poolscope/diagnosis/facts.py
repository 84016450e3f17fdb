"""What the findings look at: one selection, measured once, from every side.

Shapes are written in ``n`` (candidates of the pool) and ``p`` (picks). Every closeness is held
against the pool's own spread, so no embedder's level and no score's scale decides anything.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from poolscope import selection as selectors
from poolscope.diagnosis.meaning import Grouping, grouped
from poolscope.diagnosis.text import Words, overlap, resemblance, words
from poolscope.geometry import Bools, Floats, Ints
from poolscope.measures import facet_support, most_covered
from poolscope.model import SUPPORTS, UNJUDGED, Policy, Pool, Relevance, Selection
from poolscope.selection.paths import Axis, Path, path

CLOSE = 0.35
"""Furthest below the last pick, in pool spreads, at which a candidate is an alternative at all."""

LEVEL_WEIGHT = 8.0
"""How a loss relative to the score itself compares to one relative to the pool's spread."""

EVEN = 0.99
"""Correlation of a turned score with the rank from which the score is but the rank."""

MOST_NEAR = 60
"""Most alternatives looked at."""

SHARED_TEXT = 0.2
"""Share of the shorter chunk that two chunks must have in common to overlap."""

COPIED_TEXT = 0.85
"""Share of the shorter chunk from which two chunks are copies rather than neighbours."""

NEAR_COPY_WORDS = 0.7
"""Share of different words in common from which two passages are near copies."""

NEAR_COPY_COSINE = 0.95
NEAR_COPY_DISTANCE = 0.12
"""Distance of two near copies, relative to the pool's usual distance."""

CONTRADICTED = 0.3
"""Distance, relative to the pool's usual one, at which vectors deny that texts are copies."""


@dataclass(frozen=True, slots=True)
class Copies:
    """Picks that repeat an earlier pick.

    Args:
        exact: How many picks have the text of an earlier one.
        near: How many more say almost the same words, or have almost the same vector.
        first: The first pair, pool indices; ``None`` without one.
    """

    exact: int
    near: int
    first: tuple[int, int] | None

    @property
    def wasted(self) -> int:
        """How many slots hold a repetition."""
        return self.exact + self.near


@dataclass(frozen=True, slots=True)
class Overlaps:
    """Picks of one document that share text.

    Args:
        pairs: Pool indices of two picks each.
        shares: Shared part of the shorter chunk, one a pair.
        involved: How many picks share text with another.
        repeated: How many slots' worth of text stands in the context a second time.
    """

    pairs: tuple[tuple[int, int], ...]
    shares: tuple[float, ...]
    involved: int
    repeated: float


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the annotated facets say.

    Args:
        covered: Facets that a pick supports.
        total: Facets of the question.
        reachable: The most facets that any k candidates within the depth support.
        reachable_deeper: The same over the whole pool.
        unsupported: Labels of the facets that no passage of the pool supports.
        beyond: Labels and first rank of the facets whose first support lies beyond the depth.
        left_out: Labels and first rank of the facets within the depth that no pick supports.
    """

    covered: int
    total: int
    reachable: int
    reachable_deeper: int
    unsupported: tuple[str, ...]
    beyond: tuple[tuple[str, int], ...]
    left_out: tuple[tuple[str, int], ...]

    @property
    def is_best(self) -> bool:
        """Whether no k candidates within the depth would cover more."""
        return self.covered >= self.reachable


@dataclass(frozen=True, eq=False)
class Facts:
    """One selection and what can be said about it and the pool around it.

    Args:
        selection: The selection.
        is_whole: Whether candidates beyond the depth count as within reach.
    """

    selection: Selection
    is_whole: bool = False

    @property
    def pool(self) -> Pool:
        """The pool selected from."""
        return self.selection.pool

    @property
    def policy(self) -> Policy:
        """The policy that selected."""
        return self.selection.policy

    @cached_property
    def picks(self) -> tuple[int, ...]:
        """Pool indices of the picks in the order of selection."""
        return tuple(self.selection.indices.tolist())

    @cached_property
    def depth(self) -> int:
        """How many candidates lie within reach, from rank 1."""
        n, depth = len(self.pool), self.policy.depth
        return n if depth is None or self.is_whole else min(depth, n)

    @property
    def is_cut(self) -> bool:
        """Whether the pool goes on beyond the depth."""
        return self.depth < len(self.pool)

    @cached_property
    def deeper(self) -> "Facts":
        """The same selection, seen against the whole pool."""
        return replace(self, is_whole=True)

    @cached_property
    def relevances(self) -> Floats:
        """The relevance used, shape ``(n,)``, ``nan`` beyond reach and where there is none."""
        values = self.selection.relevances.astype(np.float64)
        values[self.depth :] = np.nan
        return values

    @cached_property
    def reach(self) -> Ints:
        """Candidates within reach that have a relevance, best first."""
        known = np.flatnonzero(~np.isnan(self.relevances))
        return known[np.argsort(-self.relevances[known], kind="stable")]

    @cached_property
    def top(self) -> Ints:
        """What plain top-k would take."""
        return self.reach[: self.policy.k]

    @cached_property
    def spread(self) -> float:
        """Best relevance within reach less the mean of its lower half; 0 where all are equal."""
        if not len(self.reach):
            return 0.0
        values = self.relevances[self.reach]
        return float(values[0] / 2.0 - (values[len(values) // 2 :] / 2.0).mean()) * 2.0

    @cached_property
    def losses(self) -> Floats:
        """How far each candidate lies below plain top-k's last pick, in pool spreads; ``(n,)``.

        By rank alone, twice the slots further down is the end of what is close. Where the score is
        not the cosine to the question and that is known too, it is a second witness: a fused or
        rank-like score falls evenly, whatever lies under it.
        """
        if not len(self.top):
            return np.full(len(self.pool), np.nan)
        losses = self._losses_by_rank() if self._is_rank_only else self._losses_by_score()
        cosines = self._second_witness
        if cosines is None:
            return losses
        usual = float(np.median(cosines[self.top]))
        ranked = np.sort(cosines[self.reach])[::-1]
        spread = float(ranked[0] - ranked[len(ranked) // 2 :].mean())
        by_cosine = (usual - cosines) / max(spread, 1e-9)
        return np.fmax(losses, by_cosine)

    def _losses_by_rank(self) -> Floats:
        ranks = np.full(len(self.pool), np.nan)
        ranks[self.reach] = np.arange(len(self.reach))
        return (ranks - len(self.top) + 1.0) * CLOSE / (2.0 * len(self.top))

    def _losses_by_score(self) -> Floats:
        last = float(self.relevances[self.top[-1]])
        with np.errstate(over="ignore", invalid="ignore"):
            below = last - self.relevances
            losses = below / self.spread if self.spread > 0.0 else below * 0.0
            if last > 0.0 and float(np.nanmin(self.relevances)) >= 0.0:
                losses = np.minimum(losses, LEVEL_WEIGHT * below / last)
        return losses

    @cached_property
    def _second_witness(self) -> Floats | None:
        """Cosines to the question where the relevance is something else, shape ``(n,)``."""
        pool = self.pool
        if pool.vectors is None or pool.query_vector is None or self._is_cosine:
            return None
        if not pool.vector_mask[self.reach].all():
            return None
        cosines: Floats = pool.vectors @ pool.query_vector
        return cosines

    @property
    def _is_cosine(self) -> bool:
        reads = self.policy.relevance or selectors.available(self.pool)[0]
        kind = self.pool.score_kind
        by_score = reads is Relevance.SCORE and kind is not None and kind.is_cosine
        return by_score or reads is Relevance.COSINE

    @cached_property
    def knows_relevance(self) -> bool:
        """Whether the relevance says more than the order of the list.

        A reciprocal rank, or a sum of such, is an even line once it is turned over.
        """
        if self._is_cosine or self._second_witness is not None:
            return True
        values = self.relevances[self.reach]
        if self._is_rank_only or len(values) < 2 or self.spread <= 0.0:
            return False
        if values[-1] <= 0.0:
            return True
        line = np.corrcoef(1.0 / values, np.arange(len(values)))[0, 1]
        return bool(line < EVEN)

    @property
    def _is_rank_only(self) -> bool:
        return self.selection.relevance_name == "rank"

    def falls_to(self, index: int) -> float:
        """Return the fall from the last pick of plain top-k to a candidate, in ranges of its picks.

        Above 1 the candidate lies further below than the picks lie apart.
        """
        values = self.relevances[self.top]
        within = float(values[0] - values[-1])
        fall = float(values[-1] - self.relevances[index])
        return fall / within if within > 0.0 else (np.inf if fall > 0.0 else 0.0)

    @cached_property
    def near(self) -> tuple[int, ...]:
        """Candidates within reach that are not picked and hardly less relevant, best first."""
        members = self.selection.members
        close = self.losses <= CLOSE
        return tuple(int(i) for i in self.reach if close[i] and int(i) not in members)[:MOST_NEAR]

    @cached_property
    def key(self) -> str:
        """The field that slots are counted by: the policy's key where the pool has it."""
        key = self.policy.key
        return key if key == "source" or key in self.pool.fields else "source"

    @cached_property
    def groups(self) -> Ints:
        """The number of each candidate's source, shape ``(n,)``; without one it stands alone."""
        codes = self.pool.codes(self.key).copy()
        missing = codes < 0
        codes[missing] = codes.max(initial=-1) + 1 + np.arange(int(missing.sum()))
        return codes

    def name(self, group: int) -> str:
        """Return the label of a group."""
        first = int(np.flatnonzero(self.groups == group)[0])
        return self.pool.column(self.key)[first] or "no source"

    @cached_property
    def shares(self) -> tuple[tuple[int, int], ...]:
        """Groups of the picks with their slots, the largest first."""
        counts = Counter(self.groups[list(self.picks)].tolist())
        return tuple(counts.most_common())

    @property
    def largest(self) -> int:
        """Slots of the commonest source."""
        return self.shares[0][1] if self.shares else 0

    @cached_property
    def group_count(self) -> int:
        """How many sources lie within reach."""
        return int(np.unique(self.groups[: self.depth]).size)

    @cached_property
    def left_out_groups(self) -> tuple[int, ...]:
        """The best candidate of each source that has no slot, best first, however far below."""
        seen = set(self.groups[list(self.picks)].tolist())
        best = []
        for index in self.reach.tolist():
            if int(self.groups[index]) not in seen:
                seen.add(int(self.groups[index]))
                best.append(index)
        return tuple(best)

    @cached_property
    def has_vectors(self) -> bool:
        """Whether every pick but one, and two at least, have a vector."""
        if self.pool.vectors is None:
            return False
        with_vector = int(self.pool.vector_mask[list(self.picks)].sum())
        return with_vector >= max(2, len(self.picks) - 1)

    @cached_property
    def cosines(self) -> Floats:
        """Cosines of the picks with one another, shape ``(p, p)``; ``nan`` without vectors."""
        return self.similarities(self.picks, self.picks)

    def similarities(self, rows: Sequence[int], columns: Sequence[int]) -> Floats:
        """Return cosines of candidates, ``nan`` where either has no vector."""
        if self.pool.vectors is None:
            return np.full((len(rows), len(columns)), np.nan)
        vectors, known = self.pool.vectors, self.pool.vector_mask
        values = vectors[list(rows)] @ vectors[list(columns)].T
        values[~known[list(rows)]] = np.nan
        values[:, ~known[list(columns)]] = np.nan
        return np.clip(values, -1.0, 1.0)

    @cached_property
    def usual_distance(self) -> float:
        """Median of 1 - cosine over pairs of the best candidates within reach; ``nan`` for none."""
        some = self.reach[: max(4 * self.policy.k, 30)].tolist()
        values = self.similarities(some, some)[np.triu_indices(len(some), 1)]
        values = values[~np.isnan(values)]
        return float(1.0 - np.median(values)) if values.size else float("nan")

    @cached_property
    def meaning(self) -> Grouping | None:
        """How the picks and their alternatives group by meaning; ``None`` where that is unknown."""
        if not self.has_vectors or not self.near:
            return None
        picks = [i for i in self.picks if self.pool.vector_mask[i]]
        near = [i for i in self.near if self.pool.vector_mask[i]]
        if len(picks) < 3 or not near:
            return None
        return grouped(self.similarities(picks, [*picks, *near]), picks, near)

    @cached_property
    def words(self) -> tuple[Words, ...]:
        """The picks' texts as words, in the order of the picks."""
        return tuple(words(self.pool.texts[index]) for index in self.picks)

    @cached_property
    def tells_texts_apart(self) -> bool:
        """Whether the picks' texts are texts: most are long enough to compare."""
        informative = sum(text.is_informative for text in self.words)
        return bool(self.words) and 2 * informative > len(self.words)

    @cached_property
    def copies(self) -> Copies:
        """Picks that repeat an earlier one."""
        exact, near = 0, 0
        first: tuple[int, int] | None = None
        for later in range(len(self.picks)):
            same = [i for i in range(later) if self._is_exact(i, later)]
            alike = same or [i for i in range(later) if self._is_near_copy(i, later)]
            exact += bool(same)
            near += bool(alike) and not same
            if alike and first is None:
                first = (self.picks[alike[0]], self.picks[later])
        return Copies(exact, near, first)

    def _is_exact(self, first: int, second: int) -> bool:
        row = self.words[first].row
        return len(row) > 2 and row == self.words[second].row and not self._is_denied(first, second)

    def _is_near_copy(self, first: int, second: int) -> bool:
        if SHARED_TEXT <= self._shared(first, second) < COPIED_TEXT:
            return False
        one, other = self.words[first], self.words[second]
        close = self._is_very_close(first, second)
        if not (one.is_informative and other.is_informative):
            return close
        alike = resemblance(one, other)
        if alike >= NEAR_COPY_WORDS:
            return not self._is_denied(first, second)
        return close and alike >= NEAR_COPY_WORDS / 2.0

    def _is_very_close(self, first: int, second: int) -> bool:
        cosine = float(self.cosines[first, second])
        return cosine >= NEAR_COPY_COSINE and self._distance(cosine) <= NEAR_COPY_DISTANCE

    def _is_denied(self, first: int, second: int) -> bool:
        """Whether the vectors say that two passages differ, whatever their texts say."""
        cosine = float(self.cosines[first, second])
        return not np.isnan(cosine) and cosine < 0.9 and self._distance(cosine) > CONTRADICTED

    def _distance(self, cosine: float) -> float:
        usual = self.usual_distance
        return (1.0 - cosine) / usual if usual > 0.0 else 1.0

    @cached_property
    def overlaps(self) -> Overlaps:
        """Picks of one document whose offsets or texts overlap."""
        pairs, shares = [], []
        most: dict[int, float] = {}
        for later in range(len(self.picks)):
            for earlier in range(later):
                share = self._shared(earlier, later)
                if share >= SHARED_TEXT:
                    pairs.append((self.picks[earlier], self.picks[later]))
                    shares.append(share)
                    most[later] = max(most.get(later, 0.0), share)
        involved = len({index for pair in pairs for index in pair})
        return Overlaps(tuple(pairs), tuple(shares), involved, sum(most.values()))

    def _shared(self, first: int, second: int) -> float:
        """Return the shared part of the shorter of two picks of one source."""
        a, b = self.picks[first], self.picks[second]
        if self.groups[a] != self.groups[b]:
            return 0.0
        by_text = overlap(self.words[first], self.words[second])
        span, other = self.pool.spans[a], self.pool.spans[b]
        if span is None or other is None:
            return by_text
        (start, end), (other_start, other_end) = span, other
        shorter = max(min(end - start, other_end - other_start), 1)
        return max(by_text, (min(end, other_end) - max(start, other_start)) / shorter)

    @cached_property
    def coverage(self) -> Coverage | None:
        """What the facets say; ``None`` where they are not annotated or hardly judged."""
        pool = self.pool
        if not pool.facets or not self._is_judged:
            return None
        supports: Bools = pool.marks == SUPPORTS
        first = {i: int(supports[:, i].argmax()) + 1 for i in range(len(pool.facets))}
        rows = tuple(enumerate(facet_support(self.selection)))
        k = self.policy.k
        return Coverage(
            covered=sum(row.is_covered for _, row in rows),
            total=len(rows),
            reachable=most_covered(supports[: self.depth], k),
            reachable_deeper=most_covered(supports, k),
            unsupported=tuple(row.facet.label for _, row in rows if not row.in_pool),
            beyond=tuple(
                (row.facet.label, first[i])
                for i, row in rows
                if row.in_pool and first[i] > self.depth
            ),
            left_out=tuple(
                (row.facet.label, first[i])
                for i, row in rows
                if row.in_pool and first[i] <= self.depth and not row.is_covered
            ),
        )

    @property
    def _is_judged(self) -> bool:
        """Whether the picks, and half of all cells at least, carry a judgement."""
        judged = self.pool.marks != UNJUDGED
        return bool(judged[list(self.picks)].any() and 2 * int(judged.sum()) >= judged.size)

    @property
    def is_covered_at_best(self) -> bool:
        """Whether facets are known and the selection covers all that any other could."""
        return self.coverage is not None and self.coverage.is_best

    @cached_property
    def plain(self) -> "Facts":
        """Plain top-k at the same k and depth."""
        if self.policy.selector == "top_k":
            return self
        policy = self.policy.changed(selector="top_k", budget=None)
        return Facts(selectors.select(self.pool, policy), self.is_whole)

    @cached_property
    def under_caps(self) -> tuple[Selection, ...]:
        """What the two rules with a cap select, from the largest cap that binds to 1."""
        policies = (
            self.policy.changed(selector=selector, cap=cap, key=self.key, overrides=())
            for selector in ("grouped_cap", "two_pass_cap")
            for cap in range(self.largest - 1, 0, -1)
        )
        return tuple(selectors.select(self.pool, policy) for policy in policies)

    @cached_property
    def over_lambda(self) -> Path:
        """How MMR answers to lambda at this k and depth; only where there are vectors."""
        return path(self.pool, self.policy.changed(selector="mmr"), Axis.LAMBDA)

    def mean(self, indices: Sequence[int] | Ints) -> float:
        """Return the mean relevance of some candidates; ``nan`` for none."""
        values = self.selection.relevances[list(indices)]
        return float((values / max(len(values), 1)).sum()) if len(values) else float("nan")

    def cost(self, indices: Sequence[int]) -> float:
        """Return the relevance that picks give away against plain top-k, in pool spreads."""
        if self.spread <= 0.0:
            return 0.0
        return (self.mean(self.top) - self.mean(indices)) / self.spread
