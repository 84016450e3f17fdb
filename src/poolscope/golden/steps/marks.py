"""Marks, adjudication, the pass that is done, and time."""

from poolscope.counts import agreed, counted
from poolscope.errors import StoreError
from poolscope.golden import schema
from poolscope.golden.actions import Adjudicate, FinishPass, MarkPassage, SpendTime
from poolscope.golden.model import Change, Conflict, Mark, Role, Values
from poolscope.golden.rows import Key, Row, changed
from poolscope.golden.schema import ATTENDANCE, FACET, MARK, PASSAGE
from poolscope.golden.steps.facets import as_seen
from poolscope.golden.steps.scene import Scene, Step, present, step


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
    facet = as_seen(action.facet, action.facet_seen, scene)
    if isinstance(facet, Conflict):
        return facet
    passage = scene.rows.get(PASSAGE, scene.question, action.passage)
    if passage is None or passage.is_gone:
        return scene.rows.conflict("The passage was taken away meanwhile.", *present(passage))
    key = (scene.question, action.facet, action.passage, scene.owner)
    row = scene.rows.get(MARK, *key)
    if (0 if row is None else row.version) != action.seen:
        return scene.rows.conflict(
            "This passage was marked for this facet in another window meanwhile.", *present(row)
        )
    mark = value_of(action.mark)
    values: Values = {
        "annotator": scene.who.name,
        "mark": mark,
        "independent": _independent(row, mark, scene),
        "made_at": scene.at,
    }
    return Step(changed(MARK, key, row, values))


def value_of(mark: Mark | None) -> str | None:
    """Return a mark as it is stored."""
    return None if mark is None else mark.value


def _independent(row: Row | None, mark: str | None, scene: Scene) -> str | None:
    """Return the mark that was made without sight of others'.

    Others' marks on a cell are shown to whom is done with the pass and has settled the own one.
    """
    if scene.who.role is Role.ADJUDICATOR:
        return None
    earlier = None if row is None else row.text("independent") or None
    return earlier if is_settled(earlier) and scene.is_done else mark


def is_settled(earlier: str | None) -> bool:
    """Whether a stored mark leaves nothing to do."""
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
            f"The pass is not done: {open_} of {counted(len(facets) * len(passages), 'mark')} "
            f"{agreed(open_, 'is', 'are')} open."
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
