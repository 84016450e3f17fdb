"""What a reranker was given and what it made of it: the pool before, and the order after."""

import dataclasses
from collections.abc import Mapping, Sequence

from poolscope.counts import counted
from poolscope.formats import values
from poolscope.formats.shapes.base import Json, Passage, Question


def questions(before: Question, after: Question, query_id: str) -> Sequence[Question]:
    """Return the order after a reranker, then the pool it was given.

    Args:
        before: The documents given to it; may be empty.
        after: The documents it gave back.
        query_id: What the two are called.
    """
    if not before.passages:
        return [dataclasses.replace(after, query_id=query_id)]
    if not after.passages:
        note = "The reranker's own order is not in it; this is the pool that it was given."
        return [dataclasses.replace(before, query_id=query_id, notes=(*before.notes, note))]
    places = _places(before.passages)
    note = (
        f"A reranker was given {counted(len(before.passages), 'passage')} and gave back "
        f"{len(after.passages)}, in this order; each has its rank and score before. "
        "What it was given is a question of its own."
    )
    marked = [_marked(passage, places, before.passages) for passage in after.passages]
    return [
        dataclasses.replace(
            after,
            passages=marked,
            query_id=f"{query_id} reranked",
            notes=(*after.notes, note),
        ),
        dataclasses.replace(before, query_id=f"{query_id} before reranking"),
    ]


def _places(passages: Sequence[Passage]) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for index, passage in enumerate(passages):
        for key in _keys(passage):
            found.setdefault(key, index)
    return found


def _keys(passage: Passage) -> list[str]:
    named = [] if passage.id is None else [f"id {values.text(passage.id)}"]
    return [*named, f"text {values.text(passage.text)}"]


def _marked(passage: Passage, places: Mapping[str, int], before: Sequence[Passage]) -> Passage:
    index = next((places[key] for key in _keys(passage) if key in places), None)
    if index is None:
        return passage
    was = before[index]
    extra: dict[str, Json] = {"rank before": index + 1, "score before": was.score}
    return dataclasses.replace(
        passage,
        text=was.text if passage.text is None else passage.text,
        id=was.id if passage.id is None else passage.id,
        metadata={**was.metadata, **passage.metadata, **extra},
    )
