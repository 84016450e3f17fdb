"""What a file holds beside the passages that were read: no list of passages is lost in silence.

A reader takes the list that its software is known to write. Another list of objects with texts,
in a part that it does not know, is looked for here and named in a note.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from poolscope.counts import counted
from poolscope.formats import aliases, records, values
from poolscope.formats.shapes.base import Question

DEEPEST = 10
MOST_VISITED = 6_000
LOOKED_AT = 20
SHORTEST = 20
"""Fewest characters of a text that may be a passage; shorter ones are labels."""
MOST_NAMED = 3
KNOWN_AS_OTHERS = records.SAID | {"messages", "tools", "choices", "facets", "@search.captions"}
"""Names under which texts stand that are no candidates."""


def notes(value: object, questions: Sequence[Question]) -> tuple[str, ...]:
    """Return a sentence for each list of texts of which none was read.

    Args:
        value: What the file holds.
        questions: What was read of it.
    """
    met = {
        written.strip()
        for question in questions
        for passage in question.passages
        for written in (passage.text, *passage.metadata.values())
        if isinstance(written, str)
    }
    found: dict[str, int] = {}
    for path, count in _lists(value, met):
        found[path] = found.get(path, 0) + count
    said = [
        f"Not read: {counted(count, 'further text')} under “{values.shown(path)}”."
        for path, count in list(found.items())[:MOST_NAMED]
    ]
    more = len(found) - MOST_NAMED
    return (*said, f"Not read: {counted(more, 'further list')} of texts.") if more > 0 else (*said,)


def _lists(value: object, met: Collection[str]) -> Iterator[tuple[str, int]]:
    level: list[tuple[str, object]] = [("", value)]
    visited = 0
    for _ in range(DEEPEST):
        below: list[tuple[str, object]] = []
        for path, held in level[: MOST_VISITED - visited]:
            visited += 1
            texts = _unmet(held, met)
            if texts:
                yield path, texts
            else:
                below.extend(_opened(path, held))
        level = below


def _opened(path: str, held: object) -> Iterator[tuple[str, object]]:
    if isinstance(held, dict):
        for name, inner in held.items():
            written = values.text(name)
            if _may_hold(inner) and aliases.normal(written) not in KNOWN_AS_OTHERS:
                yield f"{path}.{written}" if path else written, inner
    elif isinstance(held, list):
        for inner in held:
            if _may_hold(inner):
                yield path, inner


def _may_hold(value: object) -> bool:
    """Whether a value may hold a list of objects: no vector, nothing that is empty."""
    if isinstance(value, list):
        return bool(value) and isinstance(value[0], (dict, list))
    return isinstance(value, dict) and bool(value)


def _unmet(held: object, met: Collection[str]) -> int:
    """Return how many texts a list of objects holds, if each has one and none was met, else 0."""
    first = held[:LOOKED_AT] if isinstance(held, list) else []
    if not isinstance(held, list) or not all(isinstance(entry, dict) for entry in first):
        return 0
    looked = [_text(entry) for entry in first]
    if any(not text or text in met for text in looked):
        return 0
    texts = [text for entry in held if isinstance(entry, dict) if (text := _text(entry))]
    return 0 if any(text in met for text in texts) else len(texts)


def _text(entry: Mapping[object, object]) -> str:
    if {"role", "content"} <= set(entry):
        return ""
    return _own_text(entry) or next(
        (
            text
            for name, inner in entry.items()
            if isinstance(inner, dict) and aliases.normal(values.text(name)) not in KNOWN_AS_OTHERS
            if (text := _own_text(inner))
        ),
        "",
    )


def _own_text(entry: Mapping[object, object]) -> str:
    for name, text in entry.items():
        if aliases.normal(values.text(name)) in aliases.TEXT and isinstance(text, str):
            return text.strip() if len(text.strip()) >= SHORTEST else ""
    return ""
