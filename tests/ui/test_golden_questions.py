"""Evaluate with the marks of the golden set in place of a file's own facets."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from poolscope import formats
from poolscope.golden import exchange, place
from poolscope.golden.actions import MarkPassage
from poolscope.golden.model import (
    Cell,
    GoldenFacet,
    GoldenSet,
    Judgement,
    Mark,
    Record,
    Role,
    Saved,
    Who,
)
from poolscope.golden.store import Store, open_store
from poolscope.golden.taking_in import taken_in
from tests.ui.test_evaluate import golden as pool_lines
from tests.ui.test_evaluate import look, settled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.ui.conftest import Screen

AT = datetime(2026, 1, 1, tzinfo=UTC)
ANN = Who("Ann")
DATA = pool_lines(0, bare=3, vectors=True)
"""Three questions of three passages, without a facet."""


def _record(number: int) -> Record:
    """Two facets, one supported by the first passage, the other by the last."""
    pool = formats.read(DATA, "pools.jsonl").question(number).pool
    begun = taken_in(pool)
    facets = tuple(GoldenFacet(f"{number}-{name}", name, place=at) for at, name in enumerate("ab"))
    marks = tuple(
        Judgement(Cell(facet.id, passage.key), "Ann", Role.ANNOTATOR, mark, mark, AT, 0)
        for facet, best in zip(facets, (0, 2), strict=True)
        for at, passage in enumerate(begun.passages)
        for mark in [Mark.SUPPORTS if at == best else Mark.DOES_NOT]
    )
    return Record(begun.question, begun.passages, facets, marks)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A golden set that knows two of the three questions."""
    path = tmp_path / "golden.sqlite"
    monkeypatch.setenv(place.VARIABLE, str(path))
    with open_store(path) as made:
        exchange.put(GoldenSet(records=(_record(0), _record(1))), made, ANN)
        yield made


def _coverage(screen: Screen) -> str:
    look(screen, "Table")
    return screen.says


def test_the_golden_set_judges_where_it_is_chosen(
    store: Store, open_app: Callable[..., Screen]
) -> None:
    screen = open_app("data").upload("pools.jsonl", DATA)
    screen.page("inspect").slide("k", 2)
    settled(screen.page("evaluate"))
    control = screen.named("button_group", "Facets and marks of")
    assert control.value == "the golden set"  # the file has no facets
    assert "knows 2 of 3 questions" in control.help
    assert "has no facets. Annotate" not in screen.says
    assert "2 questions" in screen.says
    assert "The golden set has no facets for this question." in screen.says

    before = _coverage(screen)
    assert "0.500" in before  # plain top-2 takes both passages of one source
    for number in (0, 1):
        record = store.record(f"q{number}")
        assert record is not None
        second = record.passages[1].key
        action = MarkPassage(f"{number}-b", second, Mark.SUPPORTS, 1, 1)
        assert isinstance(store.send(f"q{number}", action, ANN), Saved)
    settled(screen.run())
    assert _coverage(screen) != before


def test_a_file_with_facets_judges_by_itself_until_the_golden_set_is_chosen(
    store: Store,  # noqa: ARG001 - it is there
    open_app: Callable[..., Screen],
) -> None:
    screen = open_app("data").upload("pools.jsonl", pool_lines(2, bare=1))
    settled(screen.page("evaluate"))
    control = screen.named("button_group", "Facets and marks of")
    assert control.value == "the file"


def test_undecided_cells_are_told_from_facets_without_support(
    store: Store, open_app: Callable[..., Screen]
) -> None:
    """Both supports of one question are disputed, two cells in all; the other has one of each."""
    record = store.record("q0")
    assert record is not None
    for facet, at in (("0-a", 0), ("0-b", 2)):
        action = MarkPassage(facet, record.passages[at].key, Mark.DOES_NOT, 0, 1)
        assert isinstance(store.send("q0", action, Who("Ben")), Saved)
    screen = open_app("data").upload("pools.jsonl", DATA)
    settled(screen.page("evaluate"))
    assert "Undecided: 2 cells of 1 question to settle on Annotate" in screen.says
    assert "no supporting passage" not in screen.says


def test_no_golden_set_is_made_by_looking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_app: Callable[..., Screen]
) -> None:
    path = tmp_path / "none.sqlite"
    monkeypatch.setenv(place.VARIABLE, str(path))
    screen = open_app("data").upload("pools.jsonl", DATA)
    settled(screen.page("evaluate"))
    assert not [each for each in screen.app.get("button_group") if "Facets and" in str(each)]
    assert not path.exists()
