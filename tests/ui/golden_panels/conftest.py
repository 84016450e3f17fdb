"""A golden set on two samples, marked by two, and the Annotate page on one of its tabs."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from poolscope import formats, samples
from poolscope.golden import exchange, place
from poolscope.golden.model import (
    Attendance,
    Cell,
    GoldenFacet,
    GoldenSet,
    Judgement,
    Mark,
    Record,
    Role,
    Who,
)
from poolscope.golden.store import Store, open_store
from poolscope.golden.taking_in import taken_in
from poolscope.model import SUPPORTS
from poolscope.ui.annotating import SLOT, Annotating
from poolscope.ui.views.annotate import TABS
from tests.ui.conftest import REPO, SECONDS, Screen

AT = datetime(2026, 1, 1, tzinfo=UTC)
ANN = Who("Ann")


def _record(name: str, *, done: tuple[str, ...]) -> Record:
    """Make a record of a sample's first facet, of which Ben differs in ranks 1 and 2.

    Args:
        name: Of the sample.
        done: Whose passes are done.
    """
    chosen = samples.named(name)
    assert chosen is not None
    load = formats.read(samples.data(chosen), chosen.file)
    pool = load.question(0, source_field=chosen.source_field).pool
    begun = taken_in(pool)
    facet = GoldenFacet(pool.facets[0].id, pool.facets[0].label)
    marks = []
    for rank, passage in enumerate(begun.passages, start=1):
        is_support = bool(pool.marks[rank - 1, 0] == SUPPORTS)
        for who in ("Ann", "Ben"):
            says = is_support if who == "Ann" or rank > 2 else not is_support
            mark = Mark.SUPPORTS if says else Mark.DOES_NOT
            cell = Cell(facet.id, passage.key)
            marks.append(Judgement(cell, who, Role.ANNOTATOR, mark, mark, AT, 0))
    attendance = tuple(Attendance(who, 60.0, who in done) for who in ("Ann", "Ben"))
    return Record(begun.question, begun.passages, (facet,), tuple(marks), attendance)


@pytest.fixture
def golden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """The golden set that the app opens; after the test it is what its log leads to.

    Both are done with “checkout”, Ann is in the middle of “handbook-work-abroad”.
    """
    path = tmp_path / "golden.sqlite"
    monkeypatch.setenv(place.VARIABLE, str(path))
    checkout = _record("checkout", done=("Ann", "Ben"))
    healthy = _record("healthy", done=("Ben",))
    with open_store(path) as store:
        exchange.put(GoldenSet(records=(checkout, healthy)), store, ANN)
        yield store
        assert store.faults() == ()


@pytest.fixture
def open_tab(golden: Store) -> Callable[..., Screen]:
    """Open a tab of the Annotate page as somebody, with a question, a sample or a file."""
    assert golden.questions()

    def opened(
        tab: str,
        *,
        who: Who = ANN,
        question: str = "checkout",
        sample: str = "checkout",
        pool: bytes = b"",
    ) -> Screen:
        app = AppTest.from_file(str(REPO / "app.py"), default_timeout=SECONDS)
        app.query_params["sample"] = sample
        app.session_state[SLOT] = Annotating(who.name, role=who.role, question=question)
        app.session_state[TABS] = tab
        if pool:
            Screen(app).page("data").upload("anew.json", pool)
        return Screen(app).page("annotate")

    return opened
