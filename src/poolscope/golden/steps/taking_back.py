"""Undo: the rows go back to what they held, unless somebody changed them since."""

import dataclasses

from poolscope.errors import StoreError
from poolscope.golden import schema
from poolscope.golden.actions import Undo
from poolscope.golden.model import Change, Conflict, Stroke
from poolscope.golden.rows import Key, Row, changed
from poolscope.golden.schema import ATTENDANCE, FACET, KINDS, MARK, PASSAGE
from poolscope.golden.steps.marks import is_settled
from poolscope.golden.steps.scene import Scene, Step, present, step


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
            "It cannot be taken back: what it did was changed since.", *present(row)
        )
    values = dict(kind.absent if change.before is None else change.before)
    if kind is MARK:
        facet = scene.rows.get(FACET, *change.key[:2])
        if facet is not None and facet.is_gone and not _revives(stroke, change.key[:2]):
            return scene.rows.conflict(
                "It cannot be taken back: the facet was taken away, merged or split since.", facet
            )
        if is_settled(row.text("independent") or None) and scene.is_done:
            values["independent"] = row.values["independent"]
    elif values.get("gone") and not row.is_gone:
        used = _used_by_others(kind, change.key, stroke, scene)
        if used:
            found = scene.rows.conflict(
                "It cannot be taken back: others have marked it since.", *used
            )
            return dataclasses.replace(found, current=None)  # others' marks stay hidden
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
