"""What the verdict says of real questions: ``python tests/benchmarks/verdicts.py FOLDER [k]``.

``FOLDER`` holds sets of questions: ``NAME.jsonl``, and beside it ``NAME.npz`` with the vectors and
``NAME.queries.npz`` with those of the questions. Each question is diagnosed twice, with its facets
and with the facets hidden. Coverage is always counted by the facets. A step raises it, leaves it,
or lowers it; "tokens" is what the step changes in the length of the context, "twice" what it does
to the share of the context that stands in it a second time, both in mean. "missed" counts the
questions where some k candidates would cover more than what is selected.
"""

import dataclasses
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from poolscope import formats
from poolscope.diagnosis import Finding, diagnose
from poolscope.measures.coverage import ceiling, facet_coverage
from poolscope.model import Policy, Pool, Selection
from poolscope.selection import select

RUN = 8
"""Words in a row that count as repeated where an earlier pick has them; not the findings' count."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """One verdict, and what its step does to the facets.

    Args:
        name: The set.
        is_known: Whether the facets were there to see.
        first: The finding that leads.
        suggested: The first finding with a step.
        gained: Coverage after less before; 0 without a step.
        longer: Tokens after over tokens before, less 1.
        twice: Share of the context that stands in it a second time, after less before.
        is_missed: Whether some k candidates would cover more than what is selected.
    """

    name: str
    is_known: bool
    first: Finding
    suggested: Finding | None
    gained: float
    longer: float
    twice: float
    is_missed: bool

    @property
    def result(self) -> str:
        """Whether the step raised coverage, left it, or lowered it."""
        return "raised" if self.gained > 0 else "lowered" if self.gained < 0 else "left"


def _file(path: Path) -> formats.File:
    return formats.File(path.read_bytes(), path.name)


def questions(folder: Path, name: str) -> list[Pool]:
    """Read a set."""
    load = formats.read(
        (folder / f"{name}.jsonl").read_bytes(),
        f"{name}.jsonl",
        beside=formats.Beside(
            vectors=_file(folder / f"{name}.npz"),
            query_vectors=_file(folder / f"{name}.queries.npz"),
        ),
    )
    return [question.pool for question in load.questions()]


def without_facets(pool: Pool) -> Pool:
    """Hide what is annotated."""
    return dataclasses.replace(pool, facets=(), judgements=None)


def outcome(name: str, pool: Pool, policy: Policy, *, is_known: bool) -> Outcome:
    """Diagnose a question and follow the first step that is suggested."""
    verdict = diagnose(pool if is_known else without_facets(pool), policy)
    suggested = next((found for found in verdict.findings if found.step is not None), None)
    before = select(pool, policy)
    after = before if suggested is None else select(pool, _step_of(suggested))
    return Outcome(
        name,
        is_known,
        verdict.first,
        suggested,
        facet_coverage(after) - facet_coverage(before),
        _tokens(after) / max(_tokens(before), 1) - 1.0,
        _twice(after) - _twice(before),
        facet_coverage(before) < ceiling(before),
    )


def _step_of(finding: Finding) -> Policy:
    assert finding.step is not None
    return finding.step.policy


def _tokens(selection: Selection) -> int:
    return int(selection.pool.tokens[selection.indices].sum())


def _twice(selection: Selection) -> float:
    """Count the words that lie in a run which an earlier pick has too, as a share of all words."""
    seen: set[tuple[str, ...]] = set()
    repeated, total = 0, 0
    for index in selection.indices.tolist():
        words = selection.pool.texts[index].lower().split()
        runs = [tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)]
        is_seen = np.zeros(len(words), dtype=np.bool_)
        for at, run in enumerate(runs):
            if run in seen:
                is_seen[at : at + RUN] = True
        seen.update(runs)
        repeated, total = repeated + int(is_seen.sum()), total + len(words)
    return repeated / max(total, 1)


def counted(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Print verdicts, alarms and steps for one reading of some questions."""
    listed = list(outcomes)
    kinds = Counter((found.first.kind.value, found.first.is_alarm) for found in listed)
    for (kind, is_alarm), count in kinds.most_common():
        of_kind = [
            found
            for found in listed
            if (found.first.kind.value, found.first.is_alarm) == (kind, is_alarm)
        ]
        missed = sum(found.is_missed for found in of_kind)
        alarm = "alarm" if is_alarm else ""
        yield f"    {kind:28} {alarm:6} {count:4} (missed {missed:3})  {steps(of_kind)}"
    alarms = sum(found.first.is_alarm for found in listed)
    yield f"    {'all':28} {'alarm':6} {alarms:4} {'':12}  {steps(listed)}"


def steps(outcomes: Iterable[Outcome]) -> str:
    """Say what the steps of some outcomes did."""
    stepped = [found for found in outcomes if found.suggested is not None]
    if not stepped:
        return "no step"
    met = Counter(found.result for found in stepped)
    means = [np.mean([getattr(found, name) for found in stepped]) for name in _MEANS]
    return (
        f"steps: raised {met['raised']:3}  left {met['left']:3}  lowered {met['lowered']:3}"
        f"   coverage {means[0]:+.3f}  tokens {means[1]:+.0%}  twice {means[2]:+.0%}"
    )


_MEANS = ("gained", "longer", "twice")


def main(folder: Path, k: int) -> None:
    """Print the table set by set, and over all sets."""
    names = sorted(path.stem for path in folder.glob("*.jsonl"))
    pools = {name: questions(folder, name) for name in names}
    for is_known in (True, False):
        outcomes = [
            outcome(name, pool, Policy(k=k), is_known=is_known)
            for name in names
            for pool in pools[name]
        ]
        print(f"\nfacets {'known' if is_known else 'hidden'}, k = {k}")
        for name in names:
            of_set = [found for found in outcomes if found.name == name]
            print(f"  {name} ({len(of_set)})", *counted(of_set), sep="\n")
        print(f"  all ({len(outcomes)})", *counted(outcomes), sep="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5)
