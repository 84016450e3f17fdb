"""Whatever is done, in whatever order: the log leads to the tables, and undo to what was."""

import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from poolscope.golden.actions import (
    Action,
    AddFacet,
    AddPassages,
    AddQuestion,
    CarryOver,
    FinishPass,
    MarkPassage,
    MergeFacets,
    RemoveFacet,
    ReorderFacets,
    ReviseFacet,
    SetNotes,
    SplitFacet,
)
from poolscope.golden.carrying import Carried, How
from poolscope.golden.model import (
    Conflict,
    GoldenFacet,
    Mark,
    Passage,
    Question,
    Record,
    Saved,
    Weight,
    Who,
)
from poolscope.golden.store import Store, new_token, open_store


def _state(store: Store) -> Record | None:
    """Return the question without what an undo leaves: versions, and time and passes."""
    record = store.record("q")
    return None if record is None else replace(record.without_versions, attendance=())


def _drawn(data: st.DataObject, store: Store, who: Who) -> Action:
    facets = store.facets("q")
    passages = store.passages("q")
    kinds = ["add", "notes", "passages", "finish"]
    kinds += ["mark"] * 4 + ["revise", "remove", "split", "order"] if facets else []
    kinds += ["merge"] if len(facets) > 1 else []
    kinds += ["carry"] if passages else []
    kind = data.draw(st.sampled_from(kinds))
    if kind == "add":
        return AddFacet(new_token(), "new")
    if kind == "finish":
        return FinishPass()
    if kind == "notes":
        return SetNotes(data.draw(st.sampled_from("xyz")), store.questions()[0].notes_version)
    if kind == "passages":
        return AddPassages((Passage(data.draw(st.sampled_from("stuv")), "text"),))
    if kind == "carry":
        return _carry(data, passages)
    first = data.draw(st.sampled_from(facets))
    if kind == "mark":
        return _mark(data, store, who, first)
    if kind == "merge":
        second = data.draw(st.sampled_from([facet for facet in facets if facet != first]))
        return MergeFacets(first.id, second.id, first.version, second.version)
    return _on_a_facet(data, kind, first, tuple(facet.id for facet in facets))


def _carry(data: st.DataObject, passages: tuple[Passage, ...]) -> CarryOver:
    news = ("s", "m", "n")
    hows = st.sampled_from(How)
    carried = tuple(
        Carried(passage.key, data.draw(st.sampled_from(news)), data.draw(hows))
        for passage in passages
    )
    return CarryOver(tuple(Passage(key, f"new {key}") for key in news), carried)


def _mark(data: st.DataObject, store: Store, who: Who, facet: GoldenFacet) -> MarkPassage:
    passages = store.passages("q")
    passage = data.draw(st.sampled_from(passages)).key if passages else "none"
    seen = {(one.cell.facet, one.cell.passage): one.version for one in store.marks("q", who)}
    mark = data.draw(st.none() | st.sampled_from(Mark))
    return MarkPassage(facet.id, passage, mark, seen.get((facet.id, passage), 0), facet.version)


def _on_a_facet(
    data: st.DataObject, kind: str, facet: GoldenFacet, order: tuple[str, ...]
) -> Action:
    if kind == "order":
        return ReorderFacets(tuple(data.draw(st.permutations(order))), order)
    if kind == "revise":
        return ReviseFacet(facet.id, facet.version, weight=data.draw(st.sampled_from(Weight)))
    if kind == "remove":
        return RemoveFacet(facet.id, facet.version)
    parts = (AddFacet(new_token(), "x"), AddFacet(new_token(), "y"))
    return SplitFacet(facet.id, parts, facet.version)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_undo_leads_to_what_was_and_the_log_to_what_is(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "g.sqlite") as store:
        begun = AddQuestion(Question("q", "?"), (Passage("p1", "one"), Passage("p2", "two")))
        store.send("q", begun, Who("Ann"))
        for _ in range(data.draw(st.integers(3, 12))):
            who = Who(data.draw(st.sampled_from(["Ann", "Ben"])))
            before = _state(store)
            saved = store.send("q", _drawn(data, store, who), who)
            after = _state(store)
            if isinstance(saved, Conflict):
                assert after == before
                continue
            if saved.stroke.kind == "FinishPass" or not data.draw(st.booleans()):
                continue
            undone = store.undo("q", who)
            if not saved.stroke.changes:
                continue
            assert isinstance(undone, Saved)
            if not any(one.is_done for one in store.attendance("q")):
                assert _state(store) == before
        assert store.faults() == ()
