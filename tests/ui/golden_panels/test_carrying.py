"""A pool made anew beside the judged one: what is said, and what the button does."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from poolscope import samples
from poolscope.golden.passages import passages_of
from poolscope.golden.store import Store
from poolscope.ui import state

if TYPE_CHECKING:
    from tests.ui.conftest import Screen

OpenTab = Callable[..., "Screen"]


def _anew() -> bytes:
    """The checkout sample with other ids, sources and order: one edited, two joined, one gone."""
    chosen = samples.named("checkout")
    assert chosen is not None
    document = json.loads(samples.data(chosen))
    rows = document["candidates"]
    for row in rows:
        row["id"], row["source"] = f"new-{row['id']}", f"archive/{row['source']}"
    rows[0]["text"] = rows[0]["text"].replace("all 20", "all 40")
    rows[1]["text"] += f" {rows[2]['text']}"
    document["candidates"] = [row for at, row in enumerate(rows) if at not in (2, 3)][::-1]
    for rank, row in enumerate(document["candidates"]):
        row["score"] = 1 - rank / 100
    return json.dumps(document).encode()


def test_the_same_pool_and_no_pool_are_said(open_tab: OpenTab) -> None:
    assert "The loaded pool holds exactly the passages" in open_tab("Files").says
    other = open_tab("Files", sample="monograph")
    assert "Load this question's new pool on the Data page" in other.says


def test_marks_are_carried_over_and_a_changed_text_only_by_hand(
    open_tab: OpenTab, golden: Store
) -> None:
    before = golden.record("checkout")
    assert before is not None
    marks = {one.cell.passage for one in before.judgements}
    screen = open_tab("Files", pool=_anew())
    assert (
        "Carried over48 of 50: 46 the same text in another source, 2 whole within a longer"
        in screen.says
    )
    assert "Changed text1, nothing is carried unless you choose" in screen.says
    assert "Lost1: the loaded pool has nothing of them" in screen.says
    assert "New1, to be marked" in screen.says
    screen.named("button", "Carry over 48 of 50 passages")
    screen.named("radio", "Its successor").set_value(_edited(screen))
    screen.run()
    screen.press("Carry over 49 of 50 passages")
    assert "49 passages carried over; 1 left behind, in the log." in screen.says
    after = golden.record("checkout")
    assert after is not None
    assert len(after.passages) == 48
    assert not marks & {passage.key for passage in after.passages}
    edited = next(passage for passage in after.passages if "all 40" in passage.text)
    assert {
        (one.annotator, one.mark) for one in after.judgements if one.cell.passage == edited.key
    } == {("Ann", "supports"), ("Ben", "does not")}
    assert "The loaded pool holds exactly the passages" in screen.says
    carried = golden.log("checkout")[-1]
    assert (carried.kind, carried.annotator) == ("CarryOver", "Ann")
    assert "chosen by hand" in carried.what


def _edited(screen: "Screen") -> str:
    """Return the key of the one passage that is offered."""
    session = screen.app.session_state[state.SLOT]
    pool = session.load.question(session.question).pool
    return next(passage.key for passage in passages_of(pool) if "all 40" in passage.text)
