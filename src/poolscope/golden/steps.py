"""From what somebody asks for to the rows that it changes, or to a conflict. Writes nothing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import singledispatch

from poolscope.errors import StoreError
from poolscope.golden import model, schema
from poolscope.golden.actions import (
    AddFacet,
    AddPassages,
    AddQuestion,
    AddRecord,
    Adjudicate,
    CarryOver,
    FinishPass,
    MarkPassage,
    MergeFacets,
    RemoveFacet,
    ReorderFacets,
    ReviseFacet,
    SetNotes,
    SetProject,
    SetStratum,
    SpendTime,
    SplitFacet,
    Undo,
)
from poolscope.golden.carrying import Carried, How
from poolscope.golden.model import (
    Cell,
    Change,
    Conflict,
    Mark,
    Passage,
    Question,
    Role,
    Stroke,
    Values,
    Who,
)
from poolscope.golden.rows import Key, Row, Rows, changed
from poolscope.golden.schema import (
    ADJUDICATED,
    ATTENDANCE,
    FACET,
    KINDS,
    MARK,
    NOTES,
    PASSAGE,
    PLACE,
    PROJECT,
    QUESTION,
)

STRENGTH = (Mark.SUPPORTS, Mark.CANT_TELL, Mark.LATER, Mark.DOES_NOT)
"""Of two marks that become one the first of these is kept: what supports a part supports both,
and nothing counts as settled while one of the two was open."""

WHOLE_SET = "golden set"
"""The one key of the project's settings."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Where an action takes place.

    Args:
        rows: The tables.
        question: Id of the question.
        who: Who acts.
        at: When, as it is stored.
    """

    rows: Rows
    question: str
    who: Who
    at: str

    @property
    def owner(self) -> str:
        """Under which name a mark stands."""
        return ADJUDICATED if self.who.role is Role.ADJUDICATOR else self.who.name

    @property
    def is_done(self) -> bool:
        """Whether the own pass is done."""
        row = self.rows.get(ATTENDANCE, self.question, self.who.name)
        return row is not None and bool(row.whole("is_done"))


@dataclass(frozen=True, slots=True)
class Step:
    """What an action changes.

    Args:
        changes: The rows.
        clashes: Cells where a merge met “supports” and “does not”.
    """

    changes: tuple[Change, ...] = ()
    clashes: tuple[Cell, ...] = ()


@singledispatch
def step(action: object, scene: Scene) -> Step | Conflict:
    """Return what an action changes.

    Raises:
        StoreError: It may not be asked for.
    """
    raise TypeError(f"{type(action).__name__} is no action, in question {scene.question}")


@step.register
def _set_project(action: SetProject, scene: Scene) -> Step | Conflict:
    row = scene.rows.get(PROJECT, WHOLE_SET)
    project = action.project
    if row is not None and row.version != project.version:
        return scene.rows.conflict("The settings of the golden set were changed meanwhile.", row)
    values: Values = {
        "hides_score": int(project.hides_score),
        "hides_rank": int(project.hides_rank),
        "hides_source": int(project.hides_source),
        "seed": project.seed,
    }
    return Step(changed(PROJECT, (WHOLE_SET,), row, values))


@step.register
def _add_question(action: AddQuestion, scene: Scene) -> Step | Conflict:
    row = scene.rows.get(QUESTION, scene.question)
    if row is not None and not row.is_gone:
        return scene.rows.conflict(
            f"The golden set already has a question “{scene.question}”.", row
        )
    return Step(
        (
            *_question(action.question, scene, row),
            *_passages(action.passages, scene),
        )
    )


def _question(question: Question, scene: Scene, row: Row | None) -> tuple[Change, ...]:
    notes = scene.rows.get(NOTES, scene.question)
    values: Values = {
        "text": question.text,
        "stratum": question.stratum.value,
        "place": scene.rows.next_place(),
        "gone": 0,
    }
    return (
        *changed(QUESTION, (scene.question,), row, values),
        *changed(NOTES, (scene.question,), notes, {"notes": question.notes}),
    )


def _passages(passages: Iterable[Passage], scene: Scene) -> tuple[Change, ...]:
    known = scene.rows.all(PASSAGE, scene.question)
    found: list[Change] = []
    for passage in passages:
        key = (scene.question, passage.key)
        row = known.get(key)
        if row is None or row.is_gone:
            found += changed(PASSAGE, key, row, _passage(passage))
    return tuple(found)


def _passage(passage: Passage) -> Values:
    return {
        "text": passage.text,
        "source": passage.source,
        "id": passage.id,
        "rank": passage.rank,
        "score": passage.score,
        "gone": 0,
    }


@step.register
def _add_record(action: AddRecord, scene: Scene) -> Step | Conflict:
    record = action.record
    begun = step(AddQuestion(record.question, record.passages), scene)
    if isinstance(begun, Conflict):
        return begun
    found = list(begun.changes)
    key: Key
    for place, facet in enumerate(record.facets):
        key = (scene.question, facet.id)
        values = _facet_values(AddFacet(facet.id, facet.label, facet.description, facet.weight))
        found += changed(FACET, key, scene.rows.get(FACET, *key), values)
        found += changed(PLACE, key, scene.rows.get(PLACE, *key), {"place": place})
    for mark in record.judgements:
        owner = ADJUDICATED if mark.role is Role.ADJUDICATOR else mark.annotator
        key = (scene.question, mark.cell.facet, mark.cell.passage, owner)
        values = {
            "annotator": mark.annotator,
            "mark": _value(mark.mark),
            "independent": _value(mark.independent),
            "made_at": model.written(mark.made_at),
        }
        found += changed(MARK, key, scene.rows.get(MARK, *key), values)
    for who in record.attendance:
        key = (scene.question, who.annotator)
        values = {"seconds": who.seconds, "is_done": int(who.is_done)}
        found += changed(ATTENDANCE, key, scene.rows.get(ATTENDANCE, *key), values)
    return Step(tuple(found))


@step.register
def _add_passages(action: AddPassages, scene: Scene) -> Step | Conflict:
    return Step(_passages(action.passages, scene))


@step.register
def _set_stratum(action: SetStratum, scene: Scene) -> Step | Conflict:
    row = scene.rows.get(QUESTION, scene.question)
    if row is None or row.version != action.seen:
        return scene.rows.conflict("The question was changed meanwhile.", *_present(row))
    return Step(changed(QUESTION, (scene.question,), row, {"stratum": action.stratum.value}))


@step.register
def _set_notes(action: SetNotes, scene: Scene) -> Step | Conflict:
    row = scene.rows.get(NOTES, scene.question)
    if (0 if row is None else row.version) != action.seen:
        return scene.rows.conflict("The notes were changed meanwhile.", *_present(row))
    return Step(changed(NOTES, (scene.question,), row, {"notes": action.notes}))


def _present(row: Row | None) -> tuple[Row, ...]:
    return () if row is None else (row,)


def _facet_values(facet: AddFacet) -> Values:
    label = facet.label.strip()
    if not label:
        raise StoreError("The facet has no label.", "Enter a few words that name it.")
    return {
        "label": label,
        "description": facet.description,
        "weight": facet.weight.value,
        "gone": 0,
    }


def _order(scene: Scene) -> tuple[str, ...]:
    """Return the ids of a question's facets in their order."""
    facets = scene.rows.all(FACET, scene.question)
    places = scene.rows.all(PLACE, scene.question)
    alive = [key for key, row in facets.items() if not row.is_gone]
    return tuple(
        facet for _, facet in sorted(alive, key=lambda key: (places[key].whole("place"), key[1]))
    )


def _placed(order: Sequence[str], scene: Scene) -> tuple[Change, ...]:
    places = scene.rows.all(PLACE, scene.question)
    return tuple(
        change
        for index, facet in enumerate(order)
        for key in [(scene.question, facet)]
        for change in changed(PLACE, key, places.get(key), {"place": index})
    )


@step.register
def _add_facet(action: AddFacet, scene: Scene) -> Step | Conflict:
    key = (scene.question, action.id)
    row = scene.rows.get(FACET, *key)
    if row is not None:
        return scene.rows.conflict("The question already has this facet.", row)
    places = scene.rows.all(PLACE, scene.question).values()
    last = max((place.whole("place") for place in places), default=-1)
    return Step(
        (
            *changed(FACET, key, None, _facet_values(action)),
            *changed(PLACE, key, None, {"place": last + 1}),
        )
    )


def _facet(facet: str, seen: int, scene: Scene) -> Row | Conflict:
    """Return a facet if it is as it was seen."""
    row = scene.rows.get(FACET, scene.question, facet)
    if row is None:
        return Conflict(f"The question has no facet “{facet}”.")
    if row.is_gone:
        return scene.rows.conflict(
            f"The facet “{row.text('label')}” was taken away, merged or split meanwhile.", row
        )
    if row.version != seen:
        return scene.rows.conflict(
            f"The facet was changed meanwhile; it now reads “{row.text('label')}”.", row
        )
    return row


@step.register
def _revise_facet(action: ReviseFacet, scene: Scene) -> Step | Conflict:
    row = _facet(action.facet, action.seen, scene)
    if isinstance(row, Conflict):
        return row
    wanted = AddFacet(
        action.facet,
        row.text("label") if action.label is None else action.label,
        row.text("description") if action.description is None else action.description,
        model.Weight(row.text("weight")) if action.weight is None else action.weight,
    )
    return Step(changed(FACET, (scene.question, action.facet), row, _facet_values(wanted)))


@step.register
def _remove_facet(action: RemoveFacet, scene: Scene) -> Step | Conflict:
    row = _facet(action.facet, action.seen, scene)
    if isinstance(row, Conflict):
        return row
    return Step(changed(FACET, (scene.question, action.facet), row, {"gone": 1}))


@step.register
def _reorder_facets(action: ReorderFacets, scene: Scene) -> Step | Conflict:
    if sorted(action.order) != sorted(action.seen):
        raise StoreError("The new order names other facets.", "Name every facet once.")
    if _order(scene) != action.seen:
        rows = (
            *scene.rows.all(PLACE, scene.question).values(),
            *scene.rows.all(FACET, scene.question).values(),
        )
        return scene.rows.conflict("The facets or their order were changed meanwhile.", *rows)
    return Step(_placed(action.order, scene))


@step.register
def _merge_facets(action: MergeFacets, scene: Scene) -> Step | Conflict:
    if action.facet == action.into:
        raise StoreError("A facet cannot be merged with itself.", "Choose two facets.")
    gone = _facet(action.facet, action.seen, scene)
    into = _facet(action.into, action.seen_into, scene)
    if isinstance(gone, Conflict):
        return gone
    if isinstance(into, Conflict):
        return into
    old = scene.rows.all(MARK, scene.question, action.facet)
    new = scene.rows.all(MARK, scene.question, action.into)
    found = list(changed(FACET, (scene.question, action.facet), gone, {"gone": 1}))
    clashes: list[Cell] = []
    for (_, _, passage, owner), row in old.items():
        key = (scene.question, action.into, passage, owner)
        found += _followed(key, row, new.get(key))
        both = {row.values["mark"], new[key].values["mark"] if key in new else None}
        if both >= {Mark.SUPPORTS, Mark.DOES_NOT}:
            clashes.append(Cell(action.into, passage))
    return Step(tuple(found), tuple(dict.fromkeys(clashes)))


def _followed(key: Key, old: Row, new: Row | None) -> tuple[Change, ...]:
    """Return the change of a cell that takes over another one's mark."""
    if new is None or new.values["mark"] is None:
        return () if old.values["mark"] is None else changed(MARK, key, new, old.values)
    values: Values = {
        "mark": _stronger(old.values["mark"], new.values["mark"]),
        "independent": _stronger(old.values["independent"], new.values["independent"]),
    }
    return changed(MARK, key, new, values)


def _stronger(first: object, second: object) -> str | None:
    both = [mark for mark in STRENGTH if mark in (first, second)]
    return both[0].value if both else None


@step.register
def _split_facet(action: SplitFacet, scene: Scene) -> Step | Conflict:
    if len(action.parts) < 2:
        raise StoreError("A facet is split into two parts at least.", "Name two or more parts.")
    row = _facet(action.facet, action.seen, scene)
    if isinstance(row, Conflict):
        return row
    found = list(changed(FACET, (scene.question, action.facet), row, {"gone": 1}))
    marks = scene.rows.all(MARK, scene.question, action.facet)
    for part in action.parts:
        key = (scene.question, part.id)
        taken = scene.rows.get(FACET, *key)
        if taken is not None:
            return scene.rows.conflict("The question already has this facet.", taken)
        found += changed(FACET, key, None, _facet_values(part))
        for (_, _, passage, owner), mark in marks.items():
            if mark.values["mark"] is not None:
                cell = (scene.question, part.id, passage, owner)
                found += changed(MARK, cell, None, {**mark.values, **_for_a_part(mark)})
    order = [
        facet
        for old in _order(scene)
        for facet in ([part.id for part in action.parts] if old == action.facet else [old])
    ]
    return Step((*found, *_placed(order, scene)))


def _for_a_part(mark: Row) -> Values:
    def kept(name: str) -> str | None:
        if mark.values[name] is None:
            return None
        is_kept = mark.values[name] == Mark.DOES_NOT
        return Mark.DOES_NOT.value if is_kept else Mark.LATER.value

    return {"mark": kept("mark"), "independent": kept("independent")}


@step.register
def _mark(action: MarkPassage, scene: Scene) -> Step | Conflict:
    if scene.who.role is not Role.ANNOTATOR:
        raise StoreError("An adjudicator settles cells.", "Mark passages as an annotator.")
    return _marked(action, scene)


@step.register
def _adjudicate(action: Adjudicate, scene: Scene) -> Step | Conflict:
    if scene.who.role is not Role.ADJUDICATOR:
        raise StoreError("Only an adjudicator settles a cell.", "Open the adjudication view.")
    return _marked(action, scene)


def _marked(action: MarkPassage | Adjudicate, scene: Scene) -> Step | Conflict:
    facet = _facet(action.facet, action.facet_seen, scene)
    if isinstance(facet, Conflict):
        return facet
    passage = scene.rows.get(PASSAGE, scene.question, action.passage)
    if passage is None or passage.is_gone:
        return scene.rows.conflict("The passage was taken away meanwhile.", *_present(passage))
    key = (scene.question, action.facet, action.passage, scene.owner)
    row = scene.rows.get(MARK, *key)
    if (0 if row is None else row.version) != action.seen:
        return scene.rows.conflict(
            "This passage was marked for this facet in another window meanwhile.", *_present(row)
        )
    mark = _value(action.mark)
    values: Values = {
        "annotator": scene.who.name,
        "mark": mark,
        "independent": _independent(row, mark, scene),
        "made_at": scene.at,
    }
    return Step(changed(MARK, key, row, values))


def _value(mark: Mark | None) -> str | None:
    return None if mark is None else mark.value


def _independent(row: Row | None, mark: str | None, scene: Scene) -> str | None:
    """Return the mark that was made without sight of others'.

    Others' marks on a cell are shown to whom is done with the pass and has settled the own one.
    """
    if scene.who.role is Role.ADJUDICATOR:
        return None
    earlier = None if row is None else row.text("independent") or None
    return earlier if _has_looked(earlier) and scene.is_done else mark


def _has_looked(earlier: str | None) -> bool:
    return earlier is not None and Mark(earlier).is_final


@step.register
def _finish(_action: FinishPass, scene: Scene) -> Step | Conflict:
    passages = [key for (_, key), row in _alive(PASSAGE, scene)]
    facets = [key for (_, key), row in _alive(FACET, scene)]
    marks = scene.rows.all(MARK, scene.question)
    open_ = sum(
        row is None or row.values["mark"] in (None, Mark.LATER)
        for facet in facets
        for passage in passages
        for row in [marks.get((scene.question, facet, passage, scene.owner))]
    )
    if open_ or not facets:
        return Conflict(
            f"The pass is not done: {open_} of {len(facets) * len(passages)} marks are open."
            if facets
            else "The pass is not done: the question has no facets."
        )
    return Step()


def _alive(kind: schema.Kind, scene: Scene) -> list[tuple[Key, Row]]:
    rows = scene.rows.all(kind, scene.question)
    return [(key, row) for key, row in rows.items() if not row.is_gone]


@step.register
def _spend_time(_action: SpendTime, _scene: Scene) -> Step | Conflict:
    return Step()


def attendance(scene: Scene, seconds: float, *, finishes: bool) -> tuple[Change, ...]:
    """Return the change of the time spent, and of the pass that is done."""
    if not seconds and not finishes:
        return ()
    key = (scene.question, scene.who.name)
    row = scene.rows.get(ATTENDANCE, *key)
    spent = 0.0 if row is None else row.real("seconds")
    done = 0 if row is None else row.whole("is_done")
    values: Values = {"seconds": spent + seconds, "is_done": 1 if finishes else done}
    return changed(ATTENDANCE, key, row, values)


@step.register
def _carry_over(action: CarryOver, scene: Scene) -> Step | Conflict:
    known = scene.rows.all(PASSAGE, scene.question)
    found: list[Change] = []
    wanted: dict[Key, Passage] = {
        (scene.question, passage.key): passage for passage in action.passages
    }
    for key, passage in wanted.items():
        found += changed(PASSAGE, key, known.get(key), _passage(passage))
    for key, row in known.items():
        if key not in wanted and not row.is_gone:
            found += changed(PASSAGE, key, row, {"gone": 1})
    for item in action.carried:
        if (scene.question, item.old) not in known or (scene.question, item.new) not in wanted:
            return Conflict("A passage that was to be carried over is not there.")
    return Step((*found, *_carried_marks(action.carried, scene)))


def _carried_marks(carried: Iterable[Carried], scene: Scene) -> tuple[Change, ...]:
    marks = scene.rows.all(MARK, scene.question)
    moved: dict[Key, Row] = {}
    for item in carried:
        for (question, facet, passage, owner), row in marks.items():
            if passage != item.old or item.old == item.new:
                continue
            if item.how is How.WITHIN and row.values["mark"] != Mark.SUPPORTS:
                continue
            key = (question, facet, item.new, owner)
            there = moved.get(key, marks.get(key))
            for change in _followed(key, row, there):
                version = 0 if there is None else there.version
                moved[key] = Row(change.after, version, row.stroke, row.standing)
    return tuple(
        change
        for key, row in moved.items()
        for change in changed(MARK, key, marks.get(key), row.values)
    )


@step.register
def _undo(action: Undo, scene: Scene) -> Step | Conflict:
    stroke = scene.rows.stroke(action.stroke)
    if stroke is None or stroke.question != scene.question:
        return Conflict("There is nothing to take back: the stroke is not in the log.")
    if (stroke.annotator, stroke.role) != (scene.who.name, scene.who.role):
        raise StoreError(
            f"The stroke is {stroke.annotator}'s.", "Everybody takes back their own strokes."
        )
    found: list[Change] = []
    for change in stroke.changes:
        back = _taken_back(change, stroke, scene)
        if isinstance(back, Conflict):
            return back
        found += back
    return Step(tuple(found))


def _taken_back(change: Change, stroke: Stroke, scene: Scene) -> tuple[Change, ...] | Conflict:
    kind = KINDS[change.table]
    if kind is ATTENDANCE or (change.before is None and not kind.absent):
        return ()
    row = scene.rows.get(kind, *change.key)
    if row is None or row.standing != change.stands:
        return scene.rows.conflict(
            "It cannot be taken back: what it did was changed since.", *_present(row)
        )
    values = dict(kind.absent if change.before is None else change.before)
    if kind is MARK:
        facet = scene.rows.get(FACET, *change.key[:2])
        if facet is not None and facet.is_gone and not _revives(stroke, change.key[:2]):
            return scene.rows.conflict(
                "It cannot be taken back: the facet was taken away, merged or split since.", facet
            )
        if _has_looked(row.text("independent") or None) and scene.is_done:
            values["independent"] = row.values["independent"]
    elif values.get("gone") and not row.is_gone:
        used = _used_by_others(kind, change.key, stroke, scene)
        if used:
            return scene.rows.conflict(
                "It cannot be taken back: others have marked it since.", *used
            )
    return changed(kind, change.key, row, values, change.stood)


def _revives(stroke: Stroke, facet: Key) -> bool:
    return any(change.table == FACET.name and change.key == facet for change in stroke.changes)


def _used_by_others(kind: schema.Kind, key: Key, stroke: Stroke, scene: Scene) -> tuple[Row, ...]:
    """Return marks of others that came, since a stroke, to what taking it back takes away."""
    return tuple(
        row
        for (_, facet, passage, owner), row in scene.rows.marks_since(stroke).items()
        if owner != scene.owner
        and (kind is not FACET or facet == key[1])
        and (kind is not PASSAGE or passage == key[1])
    )
