"""The exact path of MMR over lambda, with or without a cap.

Level by level: all stretches of lambda with the same picks so far are taken together; each splits
where the next pick changes. Stretches with the same set of picks share one row of redundancies.
Tasks that differ only in pool depth and cap are walked together, which saves most of the time.
Shapes are written in ``n`` (candidates within the pool depth), ``m`` (eligible candidates), ``d``
(dimensions), ``s`` (sets of picks), ``q`` (stretches of lambda) and ``t`` (tasks).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from poolscope.geometry import Bools, Floats, Ints
from poolscope.model import OnBudget
from poolscope.selection.base import Draft, Task
from poolscope.selection.paths.envelope import Columns, Front, Spans, handovers
from poolscope.selection.paths.sampled import merged
from poolscope.selection.paths.values import Axis, Interval, Path
from poolscope.selection.similarities import similarities

NOBODY = -1
"""In the picks of a stretch: no pick in this slot."""
UNLIMITED = np.iinfo(np.intp).max
"""The cap of a task without one."""


@dataclass(frozen=True, slots=True)
class Guard:
    """How much work an exact path may cost; counted, not timed, so that every machine agrees.

    Args:
        intervals: Most intervals.
        cells: Most redundancies, summed over the levels: a second takes some 2e8.
    """

    intervals: int = 5_000
    cells: int = 300_000_000


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """All stretches of lambda after some picks.

    Args:
        low: Shape ``(q,)``, rising.
        high: Shape ``(q,)``.
        picks: Shape ``(q, k)``, numbers of columns, ``NOBODY`` where a slot is empty.
        sets: Shape ``(q,)``, which set of picks each has.
        redundancy: Shape ``(s, m)``, ``inf`` where a candidate cannot be picked.
        keys: Shape ``(s,)``, a fingerprint of each set.
        left: Shape ``(s,)``, tokens left; meaningless without a budget.
        tasks: Shape ``(s,)``, which task each set belongs to.
    """

    low: Floats
    high: Floats
    picks: Ints
    sets: Ints
    redundancy: Floats
    keys: npt.NDArray[np.uint64]
    left: Ints
    tasks: Ints

    def where(self, mask: Bools) -> "_Level":
        """Return the stretches under a mask."""
        return replace(
            self,
            low=self.low[mask],
            high=self.high[mask],
            picks=self.picks[mask],
            sets=self.sets[mask],
        )


def exact(task: Task, guard: Guard) -> Path | None:
    """Compute the path over lambda; ``None`` where the guard stops it.

    Args:
        task: What is selected from; its selector is MMR, with or without a cap.
        guard: When to give up.
    """
    found = together([task], guard)
    return None if found is None else found[0]


def together(tasks: Sequence[Task], guard: Guard) -> tuple[Path, ...] | None:
    """Compute the paths over lambda of several tasks; ``None`` where the guard stops it.

    Args:
        tasks: Alike but for pool depth, cap, and whether there is a cap; the deepest comes first.
            Several of them have nothing in before the selector chooses, and remove no near copies.
        guard: When to give up, for each of them.
    """
    return _Walk(tasks, guard).paths()


class _TooMuchError(Exception):
    """The guard's limit is reached."""


class _Walk:
    """One computation of paths; private to one call of ``together``."""

    def __init__(self, tasks: Sequence[Task], guard: Guard) -> None:
        count = len(tasks)
        self._guard = Guard(guard.intervals * count, guard.cells * count)
        self._draft = Draft(tasks[0])
        task = self._draft.admit_first()
        eligible = task.order
        self._columns = columns = Columns.of(eligible, task.used.weighed)
        self._first = tuple(self._draft.picks)
        slots = 0 if self._draft.stopped else task.policy.k - len(self._first)
        self._k = min(slots, len(eligible))
        self._is_first_free = task.policy.first_item_always and not self._first
        has_budget = task.policy.budget is not None
        self._skips = has_budget and task.policy.on_budget is OnBudget.SKIP
        self._stops = has_budget and task.policy.on_budget is OnBudget.STOP
        self._tokens = task.pool.tokens[columns.index]
        self._depths = np.array([item.depth for item in tasks])
        capped = any(item.selector.reads_key for item in tasks)
        self._groups = task.groups[columns.index] if capped else None
        self._caps = np.stack([self._caps_of(item) for item in tasks])
        self._held = self._of_first(task)
        self._rows = _Rows(task, columns)
        # Sums of random 64-bit numbers: two sets share one about as often as memory fails.
        marks = np.random.default_rng(0).integers(
            2**64, size=len(eligible) + count, dtype=np.uint64
        )
        self._marks, self._signs = marks[:-count], marks[-count:]
        self._cells = 0
        self._ended: list[_Level] = []

    def paths(self) -> tuple[Path, ...] | None:
        """Go level by level to the last slot; one path a task."""
        level = self._start()
        try:
            for slot in range(self._k):
                if not len(level.low):
                    break
                level = self._next(level, slot)
        except _TooMuchError:
            return None
        self._ended.append(level)
        return tuple(Path(Axis.LAMBDA, item) for item in self._intervals())

    def _caps_of(self, task: Task) -> Ints:
        """Return how many picks each column's group may have under a task; shape ``(m,)``."""
        columns = self._columns.index
        return task.caps[columns] if task.selector.reads_key else np.full(len(columns), UNLIMITED)

    def _of_first(self, task: Task) -> Ints:
        """Count, for every column, who of its group was in first; shape ``(m,)``."""
        held = np.zeros(len(self._columns.index), dtype=np.intp)
        if self._groups is not None:
            for index in self._first:
                held += self._groups == task.groups[index]
        return held

    def _start(self) -> _Level:
        """Return one stretch a task before any choice; with nothing in first the best is taken."""
        count, m = len(self._depths), len(self._columns.index)
        redundancy = np.full((count, m), -np.inf)
        if self._first:
            redundancy[:] = self._rows.to(self._first)
            if self._groups is not None:
                redundancy[self._held >= self._caps] = np.inf
        redundancy[self._columns.index >= self._depths[:, None]] = np.inf
        level = _Level(
            low=np.zeros(count),
            high=np.ones(count),
            picks=np.full((count, self._k), NOBODY, dtype=np.intp),
            sets=np.arange(count),
            redundancy=redundancy,
            keys=self._signs,
            left=np.full(count, self._draft.left),
            tasks=np.arange(count),
        )
        if not self._is_first_free:
            self._leave_out_too_long(redundancy, level.left)
        return level

    def _next(self, level: _Level, slot: int) -> _Level:
        """Fill one slot in every stretch, splitting it where the pick changes."""
        if slot == 0 and not self._first:
            first = level.redundancy.argmin(axis=1)
            nobody = level.redundancy[level.sets, first] == np.inf
            return self._grown(self._end(level, nobody), first[~nobody], slot)
        front = Front.of(self._columns, level.redundancy)
        alone = front.sizes[level.sets] == 0
        if alone.any():
            level = self._end(level, alone)
        winners, spans = handovers(front, level.sets, level.low, level.high)
        return self._split(level, front, winners, spans, slot)

    def _split(self, level: _Level, front: Front, winners: Ints, spans: Spans, slot: int) -> _Level:
        (closes, opens), (cut, _, newcomers) = spans.ends, spans.who
        lows = np.concatenate((level.low, opens))
        nodes = np.concatenate((np.arange(len(level.low)), cut))
        tasks = level.tasks[level.sets[nodes]]
        order = _ordered(tasks, lows)
        nodes = nodes[order]
        winners = np.concatenate((winners, newcomers))[order]
        # Stretches of a task do not overlap: their ends are in the same order as their starts.
        highs = np.concatenate((level.high, closes))
        highs = highs[_ordered(tasks, highs)]
        picked = front.columns[level.sets[nodes], winners]
        parts = replace(
            level, low=lows[order], high=highs, picks=level.picks[nodes], sets=level.sets[nodes]
        )
        return self._grown(parts, picked, slot)

    def _end(self, level: _Level, mask: Bools) -> _Level:
        """Set aside the stretches that get no further pick; return the others."""
        self._ended.append(level.where(mask))
        return level.where(~mask)

    def _grown(self, level: _Level, picked: Ints, slot: int) -> _Level:
        """Add a pick to every stretch, or end it there, and make the rows of the new sets."""
        if self._stops and not (slot == 0 and self._is_first_free):
            too_long = self._tokens[picked] > level.left[level.sets]
            level, picked = self._end(level, too_long), picked[~too_long]
        picks = level.picks.copy()
        picks[:, slot] = picked
        level = replace(level, picks=picks)
        if slot + 1 == self._k:
            return level
        keys = level.keys[level.sets] + self._marks[picked]
        keys, first, sets = np.unique(keys, return_index=True, return_inverse=True)
        self._spend(len(picked), len(first))
        before, last = level.sets[first], picked[first]
        left = level.left[before] - self._tokens[last]
        redundancy = self._rows.maximum(level.redundancy, before, last)
        redundancy[np.arange(len(first)), last] = np.inf
        tasks = level.tasks[before]
        self._leave_out_full(redundancy, picks[first, : slot + 1], tasks)
        self._leave_out_too_long(redundancy, left)
        return replace(level, sets=sets, redundancy=redundancy, keys=keys, left=left, tasks=tasks)

    def _spend(self, stretches: int, sets: int) -> None:
        """Count the work of a level."""
        self._cells += sets * len(self._columns.index)
        total = stretches + sum(len(level.low) for level in self._ended)
        if total > self._guard.intervals or self._cells > self._guard.cells:
            raise _TooMuchError

    def _leave_out_full(self, redundancy: Floats, picks: Ints, tasks: Ints) -> None:
        """Take out the candidates whose group is full after the last of some picks."""
        if self._groups is None:
            return
        last = picks[:, -1]
        group = self._groups[last]
        taken = (self._groups[picks] == group[:, None]).sum(axis=1) + self._held[last]
        full = taken >= self._caps[tasks, last]
        if full.any():
            members = self._groups[None, :] == group[full][:, None]
            redundancy[full] = np.where(members, np.inf, redundancy[full])

    def _leave_out_too_long(self, redundancy: Floats, left: Ints) -> None:
        """Take out the candidates that do not fit what is left, where such are passed over."""
        if self._skips:
            redundancy[self._tokens[None, :] > left[:, None]] = np.inf

    def _intervals(self) -> list[tuple[Interval, ...]]:
        lows = np.concatenate([level.low for level in self._ended])
        highs = np.concatenate([level.high for level in self._ended])
        tasks = np.concatenate([level.tasks[level.sets] for level in self._ended])
        picks = np.concatenate([level.picks for level in self._ended])
        order = _ordered(tasks, lows)
        ends = np.cumsum(np.bincount(tasks, minlength=len(self._depths)))
        rows = np.where(picks == NOBODY, NOBODY, self._columns.index[picks])
        return [
            merged(
                Interval(low, high, self._first + tuple(index for index in row if index != NOBODY))
                for low, high, row in zip(
                    lows[part].tolist(), highs[part].tolist(), rows[part].tolist(), strict=True
                )
            )
            for part in np.split(order, ends[:-1])
        ]


def _ordered(tasks: Ints, values: Floats) -> Ints:
    """Sort stretches by task and, within it, by a value; shape ``(q,)``."""
    return np.lexsort((values, tasks)) if tasks.any() else values.argsort(kind="stable")


class _Rows:
    """Similarities of the eligible candidates to each pick."""

    def __init__(self, task: Task, columns: Columns) -> None:
        self._known = similarities(task.pool)
        self._index = columns.index
        whole = len(columns.index) == len(task.pool)
        self._in_order = whole and columns.spare is None
        self._clip = task.policy.clip_negative
        self._rows: dict[int, Floats] = {}

    def to(self, picks: Sequence[int]) -> Floats:
        """Return the largest similarity of each eligible candidate to some; shape ``(1, m)``."""
        rows = np.array([self._eligible(row) for row in self._known.rows(picks)])
        largest: Floats = rows.max(axis=0, keepdims=True)
        return largest

    def maximum(self, redundancy: Floats, sets: Ints, picked: Ints) -> Floats:
        """Return redundancies after a further pick.

        Args:
            redundancy: Shape ``(s, m)``, before it.
            sets: Shape ``(q,)``, which of its rows each pick joins.
            picked: Shape ``(q,)``, columns.
        """
        columns = picked.tolist()
        new = [column for column in dict.fromkeys(columns) if column not in self._rows]
        for column, row in zip(new, self._known.rows(self._index[new].tolist()), strict=True):
            self._rows[column] = self._eligible(row)
        before = redundancy[sets]
        for row, column in zip(before, columns, strict=True):
            np.maximum(row, self._rows[column], out=row)
        return before

    def _eligible(self, row: Floats) -> Floats:
        """Return the similarities of the eligible candidates, in their order; shape ``(m,)``."""
        if not self._in_order:
            row = row[self._index]
        return np.maximum(row, 0.0) if self._clip else row
