"""Poolscope's own file of a golden set: JSON that loads back as it was, but for version counts."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from poolscope.errors import FormatError, Place
from poolscope.golden import model
from poolscope.golden.model import (
    Attendance,
    Cell,
    GoldenFacet,
    GoldenSet,
    Judgement,
    Mark,
    Passage,
    Project,
    Question,
    Record,
    Role,
    Weight,
)
from poolscope.model import Stratum

FORMAT = "poolscope golden set"
VERSION = 1


def as_json(golden_set: GoldenSet) -> str:
    """Write a golden set whole. Equal sets give equal texts."""
    project = golden_set.project
    value = {
        "format": FORMAT,
        "version": VERSION,
        "project": {
            "hides_score": project.hides_score,
            "hides_rank": project.hides_rank,
            "hides_source": project.hides_source,
            "seed": project.seed,
            "guidelines": project.guidelines,
        },
        "questions": [_record_out(record) for record in golden_set.records],
    }
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _record_out(record: Record) -> dict[str, object]:
    question = record.question
    return {
        "id": question.id,
        "text": question.text,
        "stratum": question.stratum,
        "notes": question.notes,
        "passages": [
            {
                "key": passage.key,
                "id": passage.id,
                "source": passage.source,
                "rank": passage.rank,
                "score": passage.score,
                "text": passage.text,
            }
            for passage in record.passages
        ],
        "facets": [
            {
                "id": facet.id,
                "label": facet.label,
                "description": facet.description,
                "weight": facet.weight,
            }
            for facet in record.facets
        ],
        "judgements": [
            {
                "facet": one.cell.facet,
                "passage": one.cell.passage,
                "annotator": one.annotator,
                "role": one.role,
                "mark": one.mark,
                "independent": one.independent,
                "made_at": model.written(one.made_at),
            }
            for one in record.judgements
        ],
        "attendance": [
            {"annotator": one.annotator, "seconds": one.seconds, "is_done": one.is_done}
            for one in record.attendance
        ],
    }


def from_json(text: str, name: str = "") -> GoldenSet:
    """Read a golden set back.

    Args:
        text: As ``as_json`` wrote it.
        name: The file's name.

    Raises:
        FormatError: It is no golden set, of a newer version, or a part is missing or wrong.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(
            f"This is not JSON: {error}.", "Give a file that was exported here.", Place(name)
        ) from error
    reader = _Reader(name)
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise reader.wrong("the file", f"“format”: “{FORMAT}”")
    version = reader.whole(value, "version", "the file")
    if version > VERSION:
        raise FormatError(
            f"The golden set has version {version}, this program reads version {VERSION}.",
            "It was written by a newer version: update Poolscope.",
            Place(name),
        )
    settings = reader.fields(value.get("project"), "project")
    project = Project(
        reader.flag(settings, "hides_score", "project"),
        reader.flag(settings, "hides_rank", "project"),
        reader.flag(settings, "hides_source", "project"),
        reader.whole(settings, "seed", "project"),
        guidelines=reader.text({"guidelines": "", **settings}, "guidelines", "project"),
    )
    records = tuple(
        reader.record(reader.fields(item, f"question {number}"), f"question {number}")
        for number, item in enumerate(reader.items(value, "questions", "the file"), start=1)
    )
    ids = [record.question.id for record in records]
    if len(set(ids)) != len(ids):
        raise reader.wrong("questions", "every id once")
    return GoldenSet(project, records)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Takes JSON apart and says where it is not as it should be."""

    name: str

    def wrong(self, where: str, wanted: str) -> FormatError:
        return FormatError(
            f"In {where}: wanted {wanted}.", "Give a file that was exported here.", Place(self.name)
        )

    def fields(self, value: object, where: str) -> dict[str, object]:
        if not isinstance(value, dict):
            raise self.wrong(where, "an object")
        return value

    def items(self, value: Mapping[str, object], key: str, where: str) -> list[object]:
        found = value.get(key)
        if not isinstance(found, list):
            raise self.wrong(where, f"a list “{key}”")
        return found

    def text(self, value: Mapping[str, object], key: str, where: str) -> str:
        found = value.get(key)
        if not isinstance(found, str):
            raise self.wrong(where, f"a text “{key}”")
        return model.storable(found, f"“{key}” of {where}")

    def whole(self, value: Mapping[str, object], key: str, where: str) -> int:
        found = value.get(key)
        if not isinstance(found, int) or isinstance(found, bool) or abs(found) >= 2**63:
            raise self.wrong(where, f"a whole number “{key}”")
        return found

    def number(self, value: Mapping[str, object], key: str, where: str) -> float:
        found = value.get(key)
        if (
            not isinstance(found, int | float)
            or isinstance(found, bool)
            or not math.isfinite(found)
        ):
            raise self.wrong(where, f"a number “{key}”")
        return float(found)

    def flag(self, value: Mapping[str, object], key: str, where: str) -> bool:
        found = value.get(key)
        if not isinstance(found, bool):
            raise self.wrong(where, f"true or false for “{key}”")
        return found

    def mark(self, value: Mapping[str, object], key: str, where: str) -> Mark | None:
        return None if value.get(key) is None else Mark(self.one_of(value, key, where, Mark))

    def one_of(
        self,
        value: Mapping[str, object],
        key: str,
        where: str,
        among: type[Mark | Role | Stratum | Weight],
    ) -> str:
        found = self.text(value, key, where)
        if found not in list(among):
            raise self.wrong(where, f"“{key}” to be one of: {', '.join(among)}")
        return found

    def moment(self, value: Mapping[str, object], key: str, where: str) -> datetime:
        try:
            found = model.moment(self.text(value, key, where))
        except ValueError as error:
            raise self.wrong(where, f"a moment “{key}” such as 2026-01-31T12:00:00Z") from error
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)

    def record(self, value: Mapping[str, object], where: str) -> Record:
        id_ = self.text(value, "id", where)
        where = f"question “{id_}”"
        passages = tuple(
            self.passage(self.fields(item, where), f"{where}, passage {number}")
            for number, item in enumerate(self.items(value, "passages", where), start=1)
        )
        facets = tuple(
            self.facet(self.fields(item, where), place, f"{where}, facet {place + 1}")
            for place, item in enumerate(self.items(value, "facets", where))
        )
        judgements = tuple(
            self.judgement(self.fields(item, where), f"{where}, judgement {number}")
            for number, item in enumerate(self.items(value, "judgements", where), start=1)
        )
        keys, ids = {one.key for one in passages}, {one.id for one in facets}
        if len(keys) != len(passages) or len(ids) != len(facets):
            raise self.wrong(where, "every passage and every facet once")
        if any(one.cell.facet not in ids or one.cell.passage not in keys for one in judgements):
            raise self.wrong(where, "judgements of its own facets and passages")
        spoken = {(one.cell, one.role, _speaker(one)) for one in judgements}
        if len(spoken) != len(judgements):
            raise self.wrong(where, "one judgement a cell of each annotator, and one ruling")
        question = Question(
            id_,
            self.text(value, "text", where),
            Stratum(self.one_of(value, "stratum", where, Stratum)),
            self.text(value, "notes", where),
        )
        return Record(question, passages, facets, judgements, self.attendance(value, where))

    def passage(self, value: Mapping[str, object], where: str) -> Passage:
        return Passage(
            self.text(value, "key", where),
            self.text(value, "text", where),
            None if value.get("source") is None else self.text(value, "source", where),
            self.text(value, "id", where),
            self.whole(value, "rank", where),
            None if value.get("score") is None else self.number(value, "score", where),
        )

    def facet(self, value: Mapping[str, object], place: int, where: str) -> GoldenFacet:
        return GoldenFacet(
            self.text(value, "id", where),
            self.text(value, "label", where),
            self.text(value, "description", where),
            Weight(self.one_of(value, "weight", where, Weight)),
            place,
        )

    def judgement(self, value: Mapping[str, object], where: str) -> Judgement:
        return Judgement(
            Cell(self.text(value, "facet", where), self.text(value, "passage", where)),
            self.text(value, "annotator", where),
            Role(self.one_of(value, "role", where, Role)),
            self.mark(value, "mark", where),
            self.mark(value, "independent", where),
            self.moment(value, "made_at", where),
            0,
        )

    def attendance(self, value: Mapping[str, object], where: str) -> tuple[Attendance, ...]:
        return tuple(
            Attendance(
                self.text(item, "annotator", where),
                self.number(item, "seconds", where),
                self.flag(item, "is_done", where),
            )
            for raw in self.items(value, "attendance", where)
            for item in [self.fields(raw, where)]
        )


def _speaker(judgement: Judgement) -> str:
    """Return who a judgement is one of: all adjudicators share the ruling of a cell."""
    return "" if judgement.role is Role.ADJUDICATOR else judgement.annotator
