"""Facets on both databases, by hand."""

from collections.abc import Callable

import pytest

from poolscope.errors import StoreError
from poolscope.golden.actions import (
    Action,
    AddFacet,
    MarkPassage,
    MergeFacets,
    RemoveFacet,
    ReorderFacets,
    ReviseFacet,
    SplitFacet,
)
from poolscope.golden.model import (
    Cell,
    Conflict,
    GoldenFacet,
    Mark,
    Role,
    Saved,
    Weight,
    Who,
)
from poolscope.golden.store import Store

ANN, BEN, EVE = Who("Ann"), Who("Ben"), Who("Eve", Role.ADJUDICATOR)
YES, NO, UNSURE, LATER = Mark.SUPPORTS, Mark.DOES_NOT, Mark.CANT_TELL, Mark.LATER

Do = Callable[..., Saved]
Refused = Callable[..., Conflict]


def mark(facet: str, passage: str, said: Mark | None, seen: int = 0, facet_seen: int = 1) -> Action:
    return MarkPassage(facet, passage, said, seen, facet_seen)


def marks(store: Store) -> dict[tuple[str, str, str], Mark | None]:
    """Everybody's marks by facet, passage and name."""
    record = store.record("q1")
    assert record is not None
    return {
        (one.cell.facet, one.cell.passage, one.annotator): one.mark for one in record.judgements
    }


def order(store: Store) -> str:
    return "".join(facet.id for facet in store.facets("q1"))


def test_a_facet_is_renamed_described_and_weighed(asked: Store, do: Do, refused: Refused) -> None:
    do(ReviseFacet("a", 1, label=" root cause "))
    do(ReviseFacet("a", 2, description="names the defect", weight=Weight.OKAY))
    assert asked.facets("q1")[0] == GoldenFacet(
        "a", "root cause", "names the defect", Weight.OKAY, 0, 3
    )
    found = refused(ReviseFacet("a", 1, label="mine"), BEN)
    assert "it now reads “root cause”" in found.problem
    assert (found.annotator, found.kind, found.version) == ("Ann", "ReviseFacet", 3)
    with pytest.raises(StoreError, match="no label"):
        asked.send("q1", ReviseFacet("a", 3, label="  "), ANN)


def test_a_facet_is_removed_with_its_marks(asked: Store, do: Do, refused: Refused) -> None:
    do(mark("a", "p1", YES))
    do(RemoveFacet("a", 1), BEN)
    assert order(asked) == "b"
    assert marks(asked) == {}
    found = refused(mark("a", "p2", YES))
    assert found.annotator == "Ben"
    assert "“cause” was taken away" in found.problem


def test_facets_are_reordered_as_they_were_seen(asked: Store, do: Do, refused: Refused) -> None:
    do(AddFacet("c", "cost"))
    found = refused(ReorderFacets(("b", "a"), ("a", "b")), BEN)
    assert (found.annotator, found.kind) == ("Ann", "AddFacet")
    do(ReorderFacets(("c", "a", "b"), ("a", "b", "c")), BEN)
    assert order(asked) == "cab"
    assert [facet.version for facet in asked.facets("q1")] == [1, 1, 1]
    do(AddFacet("d", "date"))
    assert order(asked) == "cabd"
    with pytest.raises(StoreError, match="other facets"):
        asked.send("q1", ReorderFacets(("a", "b"), ("c", "a", "b", "d")), ANN)


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        (YES, NO, YES),
        (NO, YES, YES),
        (NO, NO, NO),
        (UNSURE, NO, UNSURE),
        (LATER, NO, LATER),
        (LATER, UNSURE, UNSURE),
        (YES, LATER, YES),
        (NO, None, NO),
        (None, UNSURE, UNSURE),
    ],
)
def test_marks_follow_a_merge(
    asked: Store, do: Do, first: Mark | None, second: Mark | None, kept: Mark
) -> None:
    if first:
        do(mark("a", "p1", first))
    if second:
        do(mark("b", "p1", second))
    do(mark("a", "p2", YES), BEN)
    saved = do(MergeFacets("a", "b", 1, 1))
    assert order(asked) == "b"
    assert marks(asked) == {("b", "p1", "Ann"): kept, ("b", "p2", "Ben"): YES}
    assert saved.clashes == ((Cell("b", "p1"),) if {first, second} == {YES, NO} else ())


def test_a_merge_needs_both_facets_as_they_were_seen(
    asked: Store, do: Do, refused: Refused
) -> None:
    do(ReviseFacet("b", 1, label="cure"), BEN)
    assert refused(MergeFacets("a", "b", 1, 1)).annotator == "Ben"
    assert refused(MergeFacets("b", "a", 1, 1)).annotator == "Ben"
    assert refused(MergeFacets("x", "a", 1, 1)).annotator == ""
    with pytest.raises(StoreError, match="with itself"):
        asked.send("q1", MergeFacets("a", "a", 1, 1), ANN)


def test_a_split_keeps_what_holds_of_every_part(asked: Store, do: Do, refused: Refused) -> None:
    for passage, said in (("p1", YES), ("p2", NO), ("p3", UNSURE)):
        do(mark("a", passage, said))
    do(SplitFacet("a", (AddFacet("a1", "one"), AddFacet("a2", "two")), 1))
    assert [facet.id for facet in asked.facets("q1")] == ["a1", "a2", "b"]
    assert marks(asked) == {
        (part, passage, "Ann"): said
        for part in ("a1", "a2")
        for passage, said in (("p1", LATER), ("p2", NO), ("p3", LATER))
    }
    assert (
        "already has this facet"
        in refused(SplitFacet("b", (AddFacet("a1", "x"), AddFacet("c", "y")), 1)).problem
    )
    with pytest.raises(StoreError, match="two parts at least"):
        asked.send("q1", SplitFacet("b", (AddFacet("c", "y"),), 1), ANN)
