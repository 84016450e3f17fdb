"""Facets: added, revised, removed, merged, split, put in order; and what becomes of their marks."""

from collections.abc import Sequence

from poolscope.errors import StoreError
from poolscope.golden import model
from poolscope.golden.actions import (
    AddFacet,
    MergeFacets,
    RemoveFacet,
    ReorderFacets,
    ReviseFacet,
    SplitFacet,
)
from poolscope.golden.model import Cell, Change, Conflict, Mark, Values
from poolscope.golden.rows import Key, Row, changed
from poolscope.golden.schema import FACET, MARK, PLACE
from poolscope.golden.steps.scene import Scene, Step, step

STRENGTH = (Mark.SUPPORTS, Mark.CANT_TELL, Mark.LATER, Mark.DOES_NOT)
"""Of two marks that become one the first of these is kept: what supports a part supports both,
and nothing counts as settled while one of the two was open."""


def facet_values(facet: AddFacet) -> Values:
    """Return the row of a facet.

    Raises:
        StoreError: It has no label.
    """
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
            *changed(FACET, key, None, facet_values(action)),
            *changed(PLACE, key, None, {"place": last + 1}),
        )
    )


def as_seen(facet: str, seen: int, scene: Scene) -> Row | Conflict:
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
    row = as_seen(action.facet, action.seen, scene)
    if isinstance(row, Conflict):
        return row
    wanted = AddFacet(
        action.facet,
        row.text("label") if action.label is None else action.label,
        row.text("description") if action.description is None else action.description,
        model.Weight(row.text("weight")) if action.weight is None else action.weight,
    )
    return Step(changed(FACET, (scene.question, action.facet), row, facet_values(wanted)))


@step.register
def _remove_facet(action: RemoveFacet, scene: Scene) -> Step | Conflict:
    row = as_seen(action.facet, action.seen, scene)
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
    gone = as_seen(action.facet, action.seen, scene)
    into = as_seen(action.into, action.seen_into, scene)
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
        found += followed(key, row, new.get(key))
        both = {row.values["mark"], new[key].values["mark"] if key in new else None}
        if both >= {Mark.SUPPORTS, Mark.DOES_NOT}:
            clashes.append(Cell(action.into, passage))
    return Step(tuple(found), tuple(dict.fromkeys(clashes)))


def followed(key: Key, old: Row, new: Row | None) -> tuple[Change, ...]:
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
    row = as_seen(action.facet, action.seen, scene)
    if isinstance(row, Conflict):
        return row
    found = list(changed(FACET, (scene.question, action.facet), row, {"gone": 1}))
    marks = scene.rows.all(MARK, scene.question, action.facet)
    for part in action.parts:
        key = (scene.question, part.id)
        taken = scene.rows.get(FACET, *key)
        if taken is not None:
            return scene.rows.conflict("The question already has this facet.", taken)
        found += changed(FACET, key, None, facet_values(part))
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
