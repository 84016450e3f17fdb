"""Settings, questions, their passages and notes, and passages that take the place of others."""

from collections.abc import Iterable

from poolscope.errors import StoreError
from poolscope.golden import model
from poolscope.golden.actions import (
    AddFacet,
    AddPassages,
    AddQuestion,
    AddRecord,
    CarryOver,
    SetGuidelines,
    SetNotes,
    SetProject,
    SetStratum,
)
from poolscope.golden.carrying import Carried, How
from poolscope.golden.model import (
    Change,
    Conflict,
    Judgement,
    Mark,
    Passage,
    Question,
    Role,
    Values,
)
from poolscope.golden.rows import Key, Row, changed
from poolscope.golden.schema import (
    ADJUDICATED,
    ATTENDANCE,
    FACET,
    GUIDELINES,
    MARK,
    NOTES,
    PASSAGE,
    PLACE,
    PROJECT,
    QUESTION,
)
from poolscope.golden.steps.facets import facet_values, followed
from poolscope.golden.steps.marks import value_of
from poolscope.golden.steps.scene import Scene, Step, present, step

WHOLE_SET = "golden set"
"""The one key of the project's settings."""


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
def _set_guidelines(action: SetGuidelines, scene: Scene) -> Step | Conflict:
    if scene.who.role is not Role.ADJUDICATOR:
        raise StoreError(
            "Guidelines are written by an adjudicator.", "Choose that part under your name."
        )
    row = scene.rows.get(GUIDELINES, WHOLE_SET)
    if (0 if row is None else row.version) != action.seen:
        return scene.rows.conflict("The guidelines were changed meanwhile.", *present(row))
    return Step(changed(GUIDELINES, (WHOLE_SET,), row, {"guidelines": action.guidelines.strip()}))


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
    if _is_bare(scene):
        found = list(_passages(record.passages, scene))
    else:
        begun = step(AddQuestion(record.question, record.passages), scene)
        if isinstance(begun, Conflict):
            return begun
        found = list(begun.changes)
    facets, places, marks, times = (
        scene.rows.all(kind, scene.question) for kind in (FACET, PLACE, MARK, ATTENDANCE)
    )
    key: Key
    for place, facet in enumerate(record.facets):
        key = (scene.question, facet.id)
        values = facet_values(AddFacet(facet.id, facet.label, facet.description, facet.weight))
        found += changed(FACET, key, facets.get(key), values)
        found += changed(PLACE, key, places.get(key), {"place": place})
    for mark in record.judgements:
        owner = ADJUDICATED if mark.role is Role.ADJUDICATOR else mark.annotator
        key = (scene.question, mark.cell.facet, mark.cell.passage, owner)
        found += changed(MARK, key, marks.get(key), _mark(mark))
    for who in record.attendance:
        key = (scene.question, who.annotator)
        values = {"seconds": who.seconds, "is_done": int(who.is_done)}
        found += changed(ATTENDANCE, key, times.get(key), values)
    return Step(tuple(found))


def _mark(mark: Judgement) -> Values:
    return {
        "annotator": mark.annotator,
        "mark": value_of(mark.mark),
        "independent": value_of(mark.independent),
        "made_at": model.written(mark.made_at),
    }


def _is_bare(scene: Scene) -> bool:
    """Whether the question is there and nobody has said anything of it yet."""
    row = scene.rows.lock(scene.question, is_shared=False)
    if row is None or row.is_gone:
        return False
    facets = scene.rows.all(FACET, scene.question).values()
    return all(facet.is_gone for facet in facets)


@step.register
def _add_passages(action: AddPassages, scene: Scene) -> Step | Conflict:
    return Step(_passages(action.passages, scene))


@step.register
def _set_stratum(action: SetStratum, scene: Scene) -> Step | Conflict:
    row = scene.rows.get(QUESTION, scene.question)
    if row is None or row.version != action.seen:
        return scene.rows.conflict("The question was changed meanwhile.", *present(row))
    return Step(changed(QUESTION, (scene.question,), row, {"stratum": action.stratum.value}))


@step.register
def _set_notes(action: SetNotes, scene: Scene) -> Step | Conflict:
    row = scene.rows.get(NOTES, scene.question)
    if (0 if row is None else row.version) != action.seen:
        return scene.rows.conflict("The notes were changed meanwhile.", *present(row))
    return Step(changed(NOTES, (scene.question,), row, {"notes": action.notes}))


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
            for change in followed(key, row, there):
                version = 0 if there is None else there.version
                moved[key] = Row(change.after, version, row.stroke, row.standing)
    return tuple(
        change
        for key, row in moved.items()
        for change in changed(MARK, key, marks.get(key), row.values)
    )
