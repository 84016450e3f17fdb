"""One damaged row among many changes neither the format that is chosen nor the number of rows."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from poolscope import formats
from poolscope.errors import FormatError
from poolscope.formats.base import Tried
from poolscope.formats.shapes import SHAPES, Passage, Question, Shape, langchain, nearly

GOOD = Path(__file__).resolve().parent.parent / "good"
ROWS = 10
DAMAGED = 1
ELSEWHERE = {"json", "poolscope", "python", "deepeval-sources"}
"""Formats that are known by a field of their own, or tell fields by their names alone."""
OTHER_ROWS = {"haystack-pipeline", "traceloop", "vertex-rag", "promptfoo"}
"""Formats whose lists hold other things beside passages, or passages of several lists."""

Place = tuple[str | int, ...]


def _lists(value: Any, path: Place = ()) -> Iterator[Place]:  # noqa: ANN401
    """Yield the places of the lists of three rows."""
    is_list = isinstance(value, list) and len(value) == 3
    if is_list and all(isinstance(row, (dict, list)) for row in value):
        yield path
    pairs: list[tuple[str | int, Any]] = list(value.items()) if isinstance(value, dict) else []
    pairs += enumerate(value) if isinstance(value, list) else ()
    for name, inner in pairs:
        yield from _lists(inner, (*path, name))


def _at(value: Any, path: Place) -> Any:  # noqa: ANN401
    for name in path:
        value = value[name]
    return value


def _copied(value: Any) -> Any:  # noqa: ANN401
    return json.loads(json.dumps(value))


def _renamed(value: Any, number: int) -> Any:  # noqa: ANN401
    """Give a row ids and texts of its own."""
    if isinstance(value, dict):
        return {name: _renamed(inner, number) for name, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, number) for inner in value]
    if isinstance(value, str) and (value in ("g1", "g2", "g3") or len(value) > 20):
        return f"{value}-{number}"
    return value


def _grown(document: Any, path: Place) -> Any:  # noqa: ANN401
    grown = _copied(document)
    rows = _at(grown, path)
    rows.extend(_renamed(rows[number % 3], number) for number in range(3, ROWS))
    return grown


def _parts(row: Any, depth: int = 1) -> Iterator[Place]:  # noqa: ANN401
    pairs = list(row.items()) if isinstance(row, dict) else []
    if isinstance(row, list) and len(row) == 2:
        pairs = list(enumerate(row))
    for name, inner in pairs:
        yield (name,)
        if depth:
            yield from ((name, *further) for further in _parts(inner, depth - 1))


def _damages(document: Any, path: Place) -> Iterator[tuple[str, Any]]:  # noqa: ANN401
    """Yield a document with one row damaged: each key dropped, each value null, no row at all."""
    for part in _parts(_at(document, path)[DAMAGED]):
        for what in ("dropped", "null"):
            damaged = _copied(document)
            holder = _at(damaged, (*path, DAMAGED, *part[:-1]))
            if what == "null":
                holder[part[-1]] = None
            else:
                del holder[part[-1]]
            yield f"{part} {what}", damaged
    damaged = _copied(document)
    _at(damaged, path)[DAMAGED] = None
    yield "no row", damaged


def _samples() -> Iterator[tuple[Path, Any, Place]]:
    for path in sorted(GOOD.glob("*/*.json")):
        if path.parent.name not in ELSEWHERE:
            document = json.loads(path.read_text("utf-8-sig"))
            yield from ((path, document, place) for place in _lists(document))


def _read(document: object, name: str) -> formats.Load:
    return formats.read(json.dumps(document).encode(), name)


def _rows(load: formats.Load) -> int:
    loaded = load.question(0)
    return len(loaded.pool) + len(loaded.report.set_aside)


SAMPLES = [(path, _grown(document, place), place) for path, document, place in _samples()]
LABELS = [f"{path.parent.name}-{path.stem}-{place}" for path, _, place in SAMPLES]


@pytest.mark.parametrize(("path", "document", "place"), SAMPLES, ids=LABELS)
def test_a_damaged_row_stays_a_row_of_the_same_format(
    path: Path,
    document: Any,  # noqa: ANN401
    place: Place,
) -> None:
    name = path.parent.name
    assert formats.detect(json.dumps(document).encode(), path.name).format.name == name
    # Rows that stand in columns, or are named by another file, are not rows of this list.
    are_rows = name not in {"chroma", "reranker", *OTHER_ROWS}
    are_rows = are_rows and _rows(_read(document, path.name)) == ROWS
    for what, damaged in _damages(document, place):
        load = _read(damaged, path.name)
        assert load.format.name == name, what
        if are_rows:
            assert _rows(load) == ROWS, what


def test_many_formats_are_damaged_so() -> None:
    assert len(SAMPLES) >= 45
    assert len({path.parent.name for path, _, _ in SAMPLES}) >= 35


def _pairs(damaged: object) -> list[object]:
    whole = [
        [{"page_content": f"passage {n}", "metadata": {"source": "a"}, "type": "Document"}, 1.0 - n]
        for n in range(9)
    ]
    return [*whole[:2], damaged, *whole[2:]]


@pytest.mark.parametrize(
    ("damaged", "reason"),
    [
        ([{"metadata": {"source": "a"}, "type": "Document"}, 0.5], "has no “page_content”"),
        ([{"page_content": "it", "metadata": {}, "type": "Document"}], "The score is missing"),
        (None, "not a LangChain document"),
    ],
)
def test_a_pair_of_langchain_that_lacks_a_part_is_set_aside(damaged: object, reason: str) -> None:
    load = _read(_pairs(damaged), "pool.json")
    assert load.format.name == "langchain-pairs"
    assert load.reason.endswith("; 1 row of the first 10 does not fit")
    loaded = load.question(0)
    assert len(loaded.pool) == 9
    [row] = loaded.report.set_aside
    assert row.row == 3
    assert reason in row.reason


def test_a_list_of_which_much_is_damaged_is_not_taken_for_the_shape() -> None:
    pairs = _pairs(None)
    some: list[object] = [*pairs[:4], 1, 2, 3]
    assert nearly.recognised(langchain.PAIRS, some) is None
    assert nearly.recognised(langchain.PAIRS, [*pairs, 1]) is not None
    assert nearly.recognised(langchain.PAIRS, pairs[1:4]) is None


def test_a_damaged_question_of_many_is_named() -> None:
    asked = [
        {"query": f"q{n}", "source_documents": [pair[0] for pair in _pairs(None)[3:6]]}  # type: ignore[index]
        for n in range(8)
    ]
    asked[4] = {"query": "broken"}
    load = _read(asked, "pool.json")
    assert load.format.name == "asked"
    assert len(load) >= 7


def test_rows_of_no_shape_are_nearly_of_none() -> None:
    rows = [{"id": n, "text": f"t{n}", "score": 1.0, "source": "s"} for n in range(30)]
    assert [shape.name for shape in SHAPES if nearly.recognised(shape, rows)] == []
    assert nearly.recognised(langchain.PAIRS, None) is None


def test_entries_fit_mostly() -> None:
    assert nearly.mostly([1, 2, 3, "x"], lambda entry: isinstance(entry, int))
    assert not nearly.mostly([1, 2, "x"], lambda entry: isinstance(entry, int))
    assert not nearly.mostly([], lambda entry: isinstance(entry, int))


def _two_halves(value: object) -> list[Question]:
    """Read a list as two questions, and drop what is no text."""
    texts = [entry["a"] for entry in value if entry] if isinstance(value, list) else []
    half = len(texts) // 2
    return [
        Question([Passage(text=text) for text in part]) for part in (texts[:half], texts[half:])
    ]


def _has_texts(value: object) -> str | None:
    is_one = isinstance(value, list) and all(isinstance(entry, dict) for entry in value)
    return "each entry has “a”" if is_one and value else None


def test_rows_of_several_questions_that_were_dropped_are_counted_in_a_note() -> None:
    shape = Shape("halves", "Halves", _has_texts, _two_halves, Tried.SCHEMA)
    rows: list[object] = [{"a": f"t{n}"} for n in range(8)]
    rows[2] = None
    questions = nearly.read(shape, rows)
    assert [len(question.passages) for question in questions] == [3, 4]
    assert questions[0].notes == (
        "1 of 8 rows does not have the form of the others and was left out, number 3 first.",
    )
    assert nearly.read(shape, rows[3:])[0].notes == ()


def test_what_cannot_be_mended_is_refused_as_the_shape_does() -> None:
    def refuse(value: object) -> list[Question]:
        raise FormatError(f"{value} is not read.", "Give another.")

    shape = Shape("no", "None", lambda _: None, refuse, Tried.SCHEMA)
    with pytest.raises(FormatError, match="7 is not read"):
        nearly.read(shape, 7)
