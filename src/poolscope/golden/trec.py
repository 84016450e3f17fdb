"""A golden set as TREC judgements, where the facet is the subtopic; runs; lists of nuggets.

TREC splits lines at white space, so ids are written with percent signs for spaces.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import unquote

from poolscope.errors import FormatError, Place
from poolscope.formats import trec as formats_trec
from poolscope.golden.adjudication import settled
from poolscope.golden.model import (
    Cell,
    GoldenFacet,
    GoldenSet,
    Judgement,
    Mark,
    Passage,
    Question,
    Record,
    Weight,
    Who,
    storable,
)


def by_key(passage: Passage) -> str:
    """Name a passage in a TREC file by its key."""
    return passage.key


def by_id(passage: Passage) -> str:
    """Name a passage in a TREC file by the id that its pool gave it."""
    return passage.id or passage.key


def as_qrels(golden_set: GoldenSet, document: Callable[[Passage], str] = by_key) -> str:
    """Write diversity judgements: question, number of the facet from 1, passage, 1 or 0.

    Args:
        golden_set: What is written; open cells are left out.
        document: Names a passage; a run that is held against it has to name them alike.
    """
    lines = []
    for record in golden_set.records:
        said = settled(record.judgements)
        for number, facet in enumerate(record.facets, start=1):
            for passage in record.passages:
                supports = said.get(Cell(facet.id, passage.key))
                if supports is not None:
                    name = _field(document(passage))
                    lines.append(f"{_field(record.question.id)} {number} {name} {int(supports)}\n")
    return "".join(lines)


def as_run(question: str, documents: Sequence[str], tag: str) -> str:
    """Write a ranked list as lines of a TREC run; the score only repeats the order.

    Args:
        question: Its id.
        documents: Names of the passages, the first one on top.
        tag: Name of the run.
    """
    n = len(documents)
    return "".join(
        f"{_field(question)} Q0 {_field(name)} {rank} {n - rank + 1} {_field(tag)}\n"
        for rank, name in enumerate(documents, start=1)
    )


def _field(text: str) -> str:
    """Write a text without white space, so that ``unquote`` gives it back."""
    plain = text or "%"
    return "".join(
        "".join(f"%{byte:02X}" for byte in sign.encode()) if sign.isspace() or sign == "%" else sign
        for sign in plain
    )


@dataclass(frozen=True, slots=True)
class Foreign:
    """Judgements from elsewhere as a golden set.

    Args:
        golden_set: One record a question, with a facet for each subtopic.
        unknown: Documents that are none of the given passages; they are kept without a text.
    """

    golden_set: GoldenSet
    unknown: tuple[str, ...]


def from_qrels(
    text: str,
    who: Who,
    at: datetime,
    *,
    texts: Mapping[str, str] | None = None,
    passages: Mapping[str, Sequence[Passage]] | None = None,
    name: str = "",
) -> Foreign:
    """Read TREC judgements, with subtopics or without.

    Args:
        text: Lines of question, subtopic or 0, document, grade; above 0 supports.
        who: Under whose name the marks stand.
        at: When, UTC.
        texts: Questions by their id.
        passages: Passages by question; a document is one of them by its id or its key.
        name: The file's name.

    Raises:
        FormatError: A line is not as it should be.
    """
    lines = _qrels(text, name)
    records: list[Record] = []
    unknown: dict[str, None] = {}
    for id_ in dict.fromkeys(line.query_id for line in lines):
        own = [line for line in lines if line.query_id == id_]
        given = tuple((passages or {}).get(id_, ()))
        known = {each.key: each for each in given} | {each.id: each for each in given if each.id}
        met: dict[str, Passage] = {each.key: each for each in given}
        marks: dict[Cell, Judgement] = {}
        for line in own:
            passage = known.get(line.document)
            if passage is None:
                unknown[line.document] = None
                passage = Passage(f"id:{line.document}", "", id=line.document)
            met.setdefault(passage.key, passage)
            cell = Cell(_facet_id(line.subtopic), passage.key)
            mark = Mark.SUPPORTS if line.grade > 0 else Mark.DOES_NOT
            marks[cell] = Judgement(cell, who.name, who.role, mark, mark, at, 0)
        subtopics = dict.fromkeys(line.subtopic for line in own)
        facets = tuple(
            GoldenFacet(_facet_id(each), _facet_label(each), place=place)
            for place, each in enumerate(subtopics)
        )
        question = Question(id_, (texts or {}).get(id_, ""))
        records.append(Record(question, tuple(met.values()), facets, tuple(marks.values())))
    return Foreign(GoldenSet(records=tuple(records)), tuple(unknown))


def _qrels(text: str, name: str) -> list[formats_trec.Judgement]:
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        fields = line.split()
        if not fields:
            continue
        try:
            query, subtopic, document, grade = fields
            at = formats_trec.Judgement(
                unquote(query), unquote(subtopic), unquote(document), int(grade)
            )
        except ValueError as error:
            raise FormatError(
                f"The line is not of question, subtopic, document and whole grade: {line[:80]}",
                "Write four columns, split at spaces.",
                Place(name, line=number),
            ) from error
        for each in (at.query_id, at.subtopic, at.document):
            storable(each, "An id")
        found.append(at)
    if not found:
        raise FormatError(
            "The file holds no judgements.", "Give lines of four columns.", Place(name)
        )
    return found


def _facet_id(subtopic: str) -> str:
    return "relevant" if subtopic in formats_trec.PLAIN else f"subtopic {subtopic}"


def _facet_label(subtopic: str) -> str:
    return _facet_id(subtopic)


IMPORTANCE = {"vital": Weight.VITAL, "okay": Weight.OKAY}


def from_nuggets(text: str, name: str = "") -> GoldenSet:
    """Read lists of nuggets: one JSON object a question, or a list or lines of them.

    Each has ``qid``, ``query`` and ``nuggets``, and each nugget a ``text`` and an ``importance``,
    vital or okay. A nugget becomes a facet. What an answer was assigned is not of the pool, and
    left out.

    Raises:
        FormatError: It is none, or a part is missing.
    """
    records = [
        _nuggets(item, Place(name, row=number)) for number, item in enumerate(_items(text, name), 1)
    ]
    return GoldenSet(records=tuple(records))


def _items(text: str, name: str) -> list[object]:
    try:
        value = json.loads(text)
        return value if isinstance(value, list) else [value]
    except (ValueError, RecursionError):
        pass
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                found.append(json.loads(line))
            except (ValueError, RecursionError) as error:
                raise FormatError(
                    f"The line is not JSON: {error}.",
                    "Give one JSON object a question, or one a line.",
                    Place(name, line=number),
                ) from error
    return found


def _nuggets(item: object, place: Place) -> Record:
    if not isinstance(item, dict) or not isinstance(item.get("nuggets"), list):
        raise FormatError(
            "There is no list “nuggets”.", "Give objects with qid, query and nuggets.", place
        )
    facets = tuple(
        _nugget(nugget, number, place) for number, nugget in enumerate(item["nuggets"], start=1)
    )
    id_ = item.get("qid", item.get("query_id"))
    if not isinstance(id_, str | int) or id_ == "":
        raise FormatError("The question has no “qid”.", "Give every question an id.", place)
    query = item.get("query", "")
    question = Question(storable(str(id_), "The qid"), storable(str(query), "The query"))
    return Record(question, facets=facets)


def _nugget(nugget: object, number: int, place: Place) -> GoldenFacet:
    fields = nugget if isinstance(nugget, dict) else {"text": nugget}
    label = fields.get("text", f"nugget {number}")
    weight = IMPORTANCE.get(str(fields.get("importance", "vital")))
    if not isinstance(label, str) or not label.strip() or weight is None:
        raise FormatError(
            f"Nugget {number} has the text {label!r} and the importance "
            f"{fields.get('importance')!r}.",
            "Give a text, and “vital” or “okay”.",
            place,
        )
    return GoldenFacet(
        f"nugget {number}", storable(label.strip(), "A nugget"), weight=weight, place=number - 1
    )
