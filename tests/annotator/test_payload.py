"""What leaves the server for a sheet, and what may not leave it yet."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from poolscope import annotator
from poolscope.annotator.payload import Json, Sheet, payload, scope, sheet
from poolscope.annotator.strokes import Became, Kind, Outcome, Sent
from poolscope.charts.theme import LIGHT
from poolscope.golden.actions import (
    AddFacet,
    AddQuestion,
    Adjudicate,
    FinishPass,
    MarkPassage,
    SetProject,
)
from poolscope.golden.model import Mark, Passage, Project, Question, Role, Who
from poolscope.golden.store import Store, open_store

ANN, BEN = Who("Ann"), Who("Ben")
PASSAGES = tuple(
    Passage(f"p{rank}", f"text {rank}", f"handbook-{rank}.md", f"id-{rank}", rank, 0.25 * rank)
    for rank in range(1, 4)
)
SECRETS = ("handbook-", '"id-', "0.25", "0.75", "Ben", '"rank": 1', '"rank": 3')


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A golden set of two questions; Ben has marked the first."""
    with open_store(tmp_path / "golden.sqlite") as opened:
        opened.send("q", AddQuestion(Question("q", "Why?"), PASSAGES), ANN)
        opened.send("r", AddQuestion(Question("r", "How?"), PASSAGES), ANN)
        opened.send("q", AddFacet("f", "cause"), ANN)
        for passage in PASSAGES:
            opened.send("q", MarkPassage("f", passage.key, Mark.DOES_NOT, 0, 1), BEN)
        yield opened


def seen(store: Store, question: str = "q", who: Who = ANN) -> Sheet:
    found = sheet(store, question, who)
    assert found is not None
    return found


def sent(shown: Sheet, has: str = "") -> dict[str, Json]:
    return payload(shown, scope="s", theme=LIGHT, has=has)


def finish(store: Store) -> None:
    for passage in PASSAGES:
        store.send("q", MarkPassage("f", passage.key, Mark.SUPPORTS, 0, 1), ANN, seconds=2)
    store.send("q", FinishPass(), ANN)


def test_nothing_that_is_hidden_leaves_the_server_before_the_pass_is_done(store: Store) -> None:
    said = json.dumps(sent(seen(store)))
    assert not [secret for secret in SECRETS if secret in said]
    assert sent(seen(store))["hidden"] == ["source", "rank", "score"]


def test_all_of_it_is_shown_once_the_pass_is_done(store: Store) -> None:
    finish(store)
    found = sent(seen(store))
    said = json.dumps(found)
    assert [secret for secret in SECRETS if secret not in said] == []
    assert found["hidden"] == []
    assert found["isDone"] is True
    assert {item[2] for item in found["others"]} == {"Ben"}  # type: ignore[index,union-attr]


def test_a_project_may_show_what_it_likes(store: Store) -> None:
    store.send("", SetProject(Project(hides_score=True, hides_rank=False, hides_source=False)), ANN)
    found = sent(seen(store))
    assert found["hidden"] == ["score"]
    said = json.dumps(found)
    assert "handbook-1.md" in said
    assert '"rank": 1' in said
    assert "0.75" not in said


def test_an_adjudicators_mark_is_told_from_annotators(store: Store) -> None:
    finish(store)
    judge = Who("Cy", Role.ADJUDICATOR)
    store.send("q", Adjudicate("f", "p1", Mark.SUPPORTS, 0, 1), judge)
    found = sent(seen(store))
    assert "Cy, adjudicator" in {item[2] for item in found["others"]}  # type: ignore[index,union-attr]


def test_own_marks_come_by_place_with_their_version_taken_back_ones_too(store: Store) -> None:
    store.send("q", MarkPassage("f", "p2", Mark.LATER, 0, 1), ANN)
    store.send("q", MarkPassage("f", "p2", None, 1, 1), ANN)
    shown = seen(store)
    at = [passage.key for passage in shown.passages].index("p2")
    assert sent(shown)["marks"] == [[0, at, None, 2]]


def test_the_order_is_the_annotators_own_and_stays(store: Store) -> None:
    orders = {
        tuple(passage.key for passage in seen(store, who=Who(name)).passages)
        for name in ("Ann", "Ben", "Cy", "Di", "Ed", "Flo")
    }
    assert len(orders) > 1
    before = [passage.key for passage in seen(store).passages]
    finish(store)
    assert [passage.key for passage in seen(store).passages] == before


def test_passages_are_sent_once(store: Store) -> None:
    first = sent(seen(store))
    assert len(first["passages"]) == 3  # type: ignore[arg-type]
    again = sent(seen(store), has=str(first["scene"]))
    assert again["passages"] is None
    finish(store)  # ranks may be seen now: another scene
    done = sent(seen(store), has=str(first["scene"]))
    assert done["passages"] is not None


def test_where_the_question_stands_and_which_is_next(store: Store) -> None:
    found = sent(seen(store))
    assert [found[name] for name in ("place", "questions", "finished", "next")] == [1, 2, 0, "r"]
    finish(store)
    found = sent(seen(store, "r"))
    assert [found[name] for name in ("place", "finished", "next")] == [2, 1, None]


def test_the_strokes_that_an_undo_can_take_back_come_with_what_was_before(store: Store) -> None:
    first = store.send("q", MarkPassage("f", "p1", Mark.SUPPORTS, 0, 1), ANN)
    store.send("q", MarkPassage("f", "p1", Mark.DOES_NOT, 1, 1), ANN)
    found = sent(seen(store))["undo"]
    assert isinstance(found, list)
    assert [item["kind"] for item in found[-2:]] == ["MarkPassage", "MarkPassage"]  # type: ignore[call-overload,index]
    assert [item["before"] for item in found[-2:]] == [None, "supports"]  # type: ignore[call-overload,index]
    assert found[-2]["token"] == first.stroke.token  # type: ignore[union-attr,call-overload,index]


def test_an_outcome_says_why(store: Store) -> None:
    outcome = Outcome(Sent("t", 2, "q", Kind.MARK), Became.FAILED, "Full.", "Make room.")
    found = payload(seen(store), scope="s", theme=LIGHT, outcomes=[outcome], heard=7)
    assert found["outcomes"] == [
        {
            "token": "t", "attempt": 2, "became": "failed", "problem": "Full.",
            "remedy": "Make room.", "by": "", "at": None, "version": None,
        }
    ]  # fmt: skip
    assert found["heard"] == 7


def test_a_payload_is_written_as_json_whatever_the_text(store: Store) -> None:
    hostile = Passage("h", '</script><img src=x onerror=alert(1)> "\\ \u2028 é')
    store.send("s", AddQuestion(Question("s", "<b>?"), (hostile,)), ANN)
    data = annotator.encoded(sent(seen(store, "s")))
    assert json.loads(data)["passages"][0]["text"] == hostile.text


def test_a_question_that_is_not_there_has_no_sheet(store: Store) -> None:
    assert sheet(store, "none", ANN) is None


def test_a_browser_keeps_the_strokes_of_each_set_and_each_name_apart() -> None:
    found = {scope(address, Who(name)) for address in ("a", "b") for name in ("Ann", "Ben")}
    assert len(found) == 4
