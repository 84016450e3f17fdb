"""The steps of a traced run, whichever software wrote them: what went in and what came out.

A step that its software calls a retrieval may have given any list. Where no step is called so,
only lists of a known shape count. One list that several steps of a trace pass on is read once.
"""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from poolscope.counts import counted
from poolscope.formats import values
from poolscope.formats.shapes import inner, reranked
from poolscope.formats.shapes.base import Json, Question


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One step of a run.

    Args:
        name: As the software shows it.
        id: Its own id.
        trace: The run that it is a step of.
        input: What it was given.
        output: What it gave back.
        retrieves: Whether the software calls it a retrieval.
        reranks: Whether the software calls it a reranking.
    """

    name: str = ""
    id: str = ""
    trace: str = ""
    input: Json = None
    output: Json = None
    retrieves: bool = False
    reranks: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Met:
    """A question and the step that it was met in."""

    question: Question
    name: str = ""
    trace: str = ""


def questions(steps: Iterable[Step]) -> Sequence[Question]:
    """Return the retrievals of a run, or the one question that says there are none."""
    listed = list(steps)
    found = retrievals(listed)
    if found:
        return found
    told = sum(step.retrieves or step.reranks for step in listed)
    problem = (
        f"None of {counted(len(listed), 'step')} holds the passages of a retrieval; "
        f"steps that are called one: {told}."
    )
    return [Question([], problem=problem, remedy=REMEDY)]


REMEDY = "Export the finished run, with what its retriever gave back."


def retrievals(listed: Sequence[Step]) -> Sequence[Question]:
    """Return the retrievals of a run, in the order of the file; empty without any."""
    told = [met for step in listed for met in _told(step)]
    if not told:
        return once([met for step in listed for met in _read(step, inner.telling)])
    bare = {met.trace for met in told if not _has_ids(met.question)}
    others = [step for step in listed if step.trace in bare and not step.retrieves]
    return once([*_completed(told, others)])


def _has_ids(question: Question) -> bool:
    return any(passage.id is not None for passage in question.passages)


def _completed(told: Sequence[Met], others: Sequence[Step]) -> Iterator[Met]:
    """Add ids and scores to lists that other steps of the trace passed on with them."""
    known = {_key(met): met for step in others for met in _read(step, inner.telling)}
    for met in told:
        other = known.get(_key(met))
        if other is None or _has_ids(met.question):
            yield met
        else:
            yield dataclasses.replace(met, question=filled(met.question, other.question))


def filled(question: Question, other: Question) -> Question:
    """Add ids, scores, vectors and metadata from a list of the same texts in the same order."""
    texts = [passage.text for passage in question.passages]
    if [passage.text for passage in other.passages] != texts:
        return question
    passages = [
        dataclasses.replace(
            passage,
            id=more.id if passage.id is None else passage.id,
            score=more.score if passage.score is None else passage.score,
            vector=more.vector if passage.vector is None else passage.vector,
            metadata={**more.metadata, **passage.metadata},
        )
        for passage, more in zip(question.passages, other.passages, strict=True)
    ]
    return dataclasses.replace(question, passages=passages)


def _told(step: Step) -> Sequence[Met]:
    if step.reranks:
        after, before = inner.any_list(step.output), inner.any_list(step.input)
        empty = Question([])
        pair = reranked.questions(
            before[0] if before else empty, after[0] if after else empty, step.id
        )
        query = inner.asked(step.input)
        return [
            Met(dataclasses.replace(found, query=query), step.name, step.trace)
            for found in pair
            if found.passages
        ]
    return _read(step, inner.any_list) if step.retrieves else ()


def _read(step: Step, find: Callable[[Json], Sequence[Question]]) -> Sequence[Met]:
    found = find(step.output)
    if not found:
        return ()
    asked = inner.with_query(found, inner.asked(step.input), step.id)
    return [Met(question, step.name, step.trace) for question in asked]


def once(found: Sequence[Met]) -> Sequence[Question]:
    """Return each list of a trace once: the telling one of those that hold the same passages.

    The same passages for another question are another retrieval.
    """
    groups: dict[tuple[str, ...], list[Met]] = {}
    for met in found:
        if met.question.passages:
            query = met.question.query
            asked = query if isinstance(query, str) else ""
            groups.setdefault((asked, *_key(met)), []).append(met)
    return [_said(max(group, key=_weight), len(group)) for group in groups.values()]


def _key(met: Met) -> tuple[str, ...]:
    passages = met.question.passages
    texts = any(passage.text is not None for passage in passages)
    parts = (passage.text if texts else passage.id for passage in passages)
    return (
        met.trace,
        *(
            part if isinstance(part, str) else str(part) if isinstance(part, int) else ""
            for part in parts
        ),
    )


def _weight(met: Met) -> tuple[int, bool]:
    """Return how much a list says of its passages; of two alike the first counts."""
    passages = met.question.passages
    told = sum(
        any(part is not None for part in parts)
        for parts in (
            [passage.id for passage in passages],
            [passage.score for passage in passages],
            [passage.vector for passage in passages],
        )
    )
    return told, bool(met.question.query)


def _said(met: Met, number: int) -> Question:
    notes = [f"Read from the step “{values.shown(met.name)}”."] if met.name else []
    if number > 1:
        notes.append(f"{number} steps of the trace hold the same passages; they are read once.")
    return dataclasses.replace(met.question, notes=(*notes, *met.question.notes))
