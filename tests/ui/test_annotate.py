"""Annotate, as a person meets it: the first question, facets, notes, and what goes wrong."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from poolscope import annotator
from poolscope.golden import connection, place
from poolscope.golden.actions import (
    AddFacet,
    AddQuestion,
    FinishPass,
    MarkPassage,
    ReviseFacet,
    SetGuidelines,
)
from poolscope.golden.model import Mark, Passage, Question, Role, Weight, Who
from poolscope.golden.store import Store, open_store
from poolscope.model import Stratum
from poolscope.ui import annotators, facets_panel, taking_back

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ui.conftest import Screen

ANN, BEN = Who("Ann"), Who("Ben")
FACETS = {"cause": "The cause", "fix": "The fix"}


@pytest.fixture
def golden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of an empty golden set, which the page is told of."""
    path = tmp_path / "labels" / "golden.sqlite"
    monkeypatch.setenv(place.VARIABLE, str(path))
    return path


@pytest.fixture
def store(golden: Path) -> Iterator[Store]:
    """The same golden set from outside, as a colleague's server would have it."""
    golden.parent.mkdir(exist_ok=True)
    with open_store(golden) as opened:
        yield opened


@pytest.fixture
def begun(
    golden: Path,  # noqa: ARG001 - the page reads its address
    open_app: Callable[..., Screen],
    pool_file: Callable[..., bytes],
) -> Screen:
    """The page with Ann at work, and one question with two facets loaded and not taken in."""
    screen = open_app("data").upload("incident.json", pool_file(facets=FACETS))
    return named(screen.page("annotate"))


def named(screen: Screen, name: str = "Ann") -> Screen:
    screen.named("text_input", "Your name").set_value(name)
    return screen.run()


@pytest.fixture
def marked(begun: Screen) -> Screen:
    """The page with the question taken in, under the facets that its file names."""
    begun.press("Take this question in").press("Begin with these 2")
    return tab(begun, "Question and facets")


def tab(screen: Screen, name: str) -> Screen:
    screen.app.session_state["annotate-tabs"] = name
    return screen.run()


def question(store: Store) -> str:
    return store.questions()[0].id


def labels(store: Store) -> list[str]:
    return [facet.label for facet in store.facets(question(store))]


def field(screen: Screen, kind: str, part: str) -> Any:  # noqa: ANN401 - AppTest's widgets share no type
    """A widget of the facets panel by a part of its key."""
    prefix = facets_panel.PREFIX
    found = [item for item in screen.app.get(kind) if f":{part}" in str(item.key)]
    found = [item for item in found if str(item.key).startswith(prefix)]
    assert found, (part, [item.key for item in screen.app.get(kind)])
    return found[0]


def sheet(screen: Screen) -> dict[str, Any]:
    """What the marking sheet was given."""
    shown = [item.proto for item in screen.app.get("bidi_component")]
    found = [json.loads(item.bytes) for item in shown if item.component_name == annotator.NAME]
    (data,) = [item for item in found if "here" not in item]
    given: dict[str, Any] = data
    return given


def remembered(screen: Screen) -> dict[str, str]:
    """What the browser was told to remember."""
    shown = [item.proto for item in screen.app.get("bidi_component")]
    found = [json.loads(item.bytes) for item in shown if item.component_name == annotator.NAME]
    (data,) = [item["here"] for item in found if "here" in item]
    here: dict[str, str] = data
    return here


@contextmanager
def locked(golden: Path) -> Iterator[None]:
    """Hold the database as a program that writes does."""
    other = sqlite3.connect(golden, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()


def test_the_name_is_asked_first_and_where_labels_are_kept_is_said(
    golden: Path, open_app: Callable[..., Screen]
) -> None:
    screen = open_app("annotate")
    assert f"Labels are kept in {golden}" in screen.says
    assert "stay hidden until your own pass" in screen.says
    assert "The golden set is empty" in named(screen).says
    assert remembered(screen)[annotators.COOKIE] == "Ann"  # before there is a question
    assert [popover.proto.popover.label for popover in screen.app.get("popover")][-1] == "Ann"


def test_an_empty_name_is_asked_again_and_a_broken_one_is_explained(
    golden: Path,  # noqa: ARG001 - the page reads its address
    open_app: Callable[..., Screen],
) -> None:
    screen = named(open_app("annotate"), "  ")
    assert screen.app.get("popover") == []
    assert "no database can keep" in named(screen, "A\x00nn").says


def test_a_name_that_reads_as_markdown_is_shown_as_it_is(
    golden: Path,  # noqa: ARG001 - the page reads its address
    open_app: Callable[..., Screen],
) -> None:
    screen = named(open_app("annotate"), "![x](http://example.org/a.png) *B*")
    label = screen.app.get("popover")[-1].proto.popover.label
    assert label == r"\!\[x\]\(http\:\/\/example\.org\/a\.png\) \*B\*"


def test_a_question_is_taken_in_and_its_file_gives_names_and_no_marks(
    begun: Screen, store: Store
) -> None:
    assert "The file names 2 facets already" in begun.says
    begun.press("Take this question in")
    assert "1 question taken in." in begun.says
    assert [item.text for item in store.questions()] == ["Which one?"]
    assert sheet(begun)["facets"] == []
    begun.press("Begin with these 2")
    assert labels(store) == ["The cause", "The fix"]
    assert store.golden_set().records[0].judgements == ()
    found = sheet(begun)
    assert [facet["label"] for facet in found["facets"]] == ["The cause", "The fix"]
    assert {passage["text"] for passage in found["passages"]} == {"alpha", "beta", "gamma", "delta"}
    assert "Begin with these 2" not in [button.label for button in begun.app.button]


def test_without_a_pool_the_page_says_where_to_get_one(
    golden: Path,  # noqa: ARG001 - the page reads its address
    open_app: Callable[..., Screen],
) -> None:
    screen = named(open_app("annotate"))
    screen.app.session_state["poolscope"] = type(screen.app.session_state["poolscope"])()
    screen.app.query_params["sample"] = ""
    # The first sample is opened where nothing is: there is always something to take in.
    assert "Loaded: Product monograph" in screen.run().says


def test_a_pool_without_a_question_cannot_be_taken_in(
    golden: Path,  # noqa: ARG001 - the page reads its address
    open_app: Callable[..., Screen],
    pool_file: Callable[..., bytes],
) -> None:
    screen = open_app("data").upload("bare.json", pool_file(query=""))
    named(screen.page("annotate")).press("Take this question in")
    assert "This pool has no question" in screen.says


def several(*questions: tuple[str, str]) -> bytes:
    return b"\n".join(
        json.dumps(
            {"query_id": id_, "query": text, "candidates": [{"id": "a", "text": f"on {text}"}]}
        ).encode()
        for id_, text in questions
    )


def test_all_questions_of_a_file_are_taken_in_and_strangers_are_left_with_the_reason(
    golden: Path,  # noqa: ARG001 - the page reads its address
    open_app: Callable[..., Screen],
    store: Store,
) -> None:
    first = several(("q1", "Why?"), ("q2", "How?"), ("q3", "When?"))
    screen = open_app("data").upload("first.jsonl", first)
    named(screen.page("annotate")).press("Take only this one in")
    assert [item.id for item in store.questions()] == ["q1"]
    screen.press("Take in 2 questions of 3 loaded")
    assert [item.id for item in store.questions()] == ["q1", "q2", "q3"]
    second = several(("q3", "Where?"), ("q4", "Who?"))
    screen.page("data").upload("second.jsonl", second).page("annotate")
    screen.press("Take in 1 question of 2 loaded")
    assert "1 question taken in. 1 was not: “q3” is another question" in screen.says
    assert [item.text for item in store.questions()] == ["Why?", "How?", "When?", "Who?"]


def test_next_unfinished_leads_on_and_a_question_is_chosen_by_hand(
    golden: Path,  # noqa: ARG001 - the page reads its address
    open_app: Callable[..., Screen],
    store: Store,
) -> None:
    screen = open_app("data").upload("two.jsonl", several(("q1", "Why?"), ("q2", "How?")))
    named(screen.page("annotate")).press("Take all 2 questions in")
    assert sheet(screen)["question"]["id"] == "q1"
    screen.press("Next unfinished")
    assert sheet(screen)["question"]["id"] == "q2"
    screen.choose("Question", "q1")
    assert sheet(screen)["question"]["id"] == "q1"
    (passage,) = store.passages("q1")
    store.send("q1", AddFacet("f", "cause"), ANN)
    store.send("q1", MarkPassage("f", passage.key, Mark.SUPPORTS, 0, 1), ANN)
    store.send("q1", FinishPass(), ANN)
    options = screen.named("selectbox", "Question").options
    screen.run()
    assert sheet(screen)["isDone"] is True
    # The browser answers with an option's words: others would be no question at all.
    assert screen.named("selectbox", "Question").options == options == ["1. Why?", "2. How?"]
    tab(screen, "Progress")
    assert "1 of 2 questions done" in screen.says
    shown = screen.app.dataframe[-1].value
    assert shown["pass"].tolist() == ["done", ""]
    assert shown["marks"].tolist() == [1, 0]


def test_each_sheet_has_the_names_of_its_own_question_whichever_is_looked_at(
    golden: Path,  # noqa: ARG001 - the page reads its address
    open_app: Callable[..., Screen],
    pool_file: Callable[..., bytes],
    store: Store,
) -> None:
    both = b"\n".join(
        json.dumps({**json.loads(pool_file(query=text, facets=facets)), "query_id": id_}).encode()
        for id_, text, facets in (("q1", "Why?", FACETS), ("q2", "How?", {"way": "The way"}))
    )
    screen = open_app("data").upload("two.jsonl", both)
    named(screen.page("annotate")).press("Take all 2 questions in")
    assert "“The cause”, “The fix”" in screen.says
    screen.press("Next unfinished")
    assert sheet(screen)["question"]["id"] == "q2"
    assert "The file names facets: “The way”." in screen.says
    screen.press("Begin with these 1")
    assert labels(store) == []
    assert [facet.label for facet in store.facets("q2")] == ["The way"]
    # The page has a choice of its own: the sidebar's would name another question.
    assert "Question 1 of 2" not in screen.says
    assert "Question 1 of 2" in screen.page("explain").says


def test_an_empty_set_begins_with_a_file_too(
    golden: Path,  # noqa: ARG001 - the page reads its address
    open_app: Callable[..., Screen],
    store: Store,
) -> None:
    screen = named(open_app("annotate"))
    assert "The golden set is empty" in screen.says
    screen.upload("judged.trec", b"q1 f1 d1 1\nq1 f1 d2 0\n", where="A golden set of this app")
    screen.press("Add to the golden set")
    assert [item.id for item in store.questions()] == ["q1"]


def test_facets_are_renamed_described_weighed_and_put_in_order(
    marked: Screen, store: Store
) -> None:
    field(marked, "text_input", "label").set_value("The root cause")
    marked.run()
    assert labels(store) == ["The root cause", "The fix"]
    field(marked, "button", "down").click()
    marked.run()
    assert labels(store) == ["The fix", "The root cause"]
    field(marked, "toggle", "open").set_value(True)
    marked.run()
    field(marked, "text_area", "about").set_value("Names what was changed.")
    marked.run()
    field(marked, "button_group", "weight").set_value(Weight.OKAY)
    marked.run()
    first = store.facets(question(store))[0]
    assert (first.description, first.weight) == ("Names what was changed.", Weight.OKAY)


def test_facets_are_added_merged_split_and_taken_away(marked: Screen, store: Store) -> None:
    field(marked, "text_input", "new").set_value("The effect")
    marked.run()
    assert labels(store) == ["The cause", "The fix", "The effect"]
    assert field(marked, "text_input", "new").value == ""
    field(marked, "toggle", "open").set_value(True)
    marked.run()
    field(marked, "text_area", "parts").set_value("only one")
    marked.run()
    marked.press("Split")
    assert "write one a line" in marked.says
    field(marked, "text_area", "parts").set_value("first cause\n\n second cause ")
    marked.run().press("Split")
    assert labels(store) == ["first cause", "second cause", "The fix", "The effect"]
    field(marked, "toggle", "open").set_value(True)
    marked.run()
    into = store.facets(question(store))[2].id
    field(marked, "selectbox", "into").set_value(into)
    marked.run().press("Merge")
    assert labels(store) == ["second cause", "The fix", "The effect"]
    field(marked, "toggle", "open").set_value(True)
    marked.run().press("Take this facet away")
    assert labels(store) == ["The fix", "The effect"]


def test_the_kind_of_a_question_and_its_notes_are_kept(marked: Screen, store: Store) -> None:
    field(marked, "button_group", "stratum").set_value(Stratum.ONE)
    marked.run()
    field(marked, "text_area", "notes").set_value("Ask Ben about the second part.")
    marked.run()
    found = store.questions()[0]
    assert (found.stratum, found.notes) == (Stratum.ONE, "Ask Ben about the second part.")


def test_what_somebody_else_changed_meanwhile_is_not_overwritten(
    marked: Screen, store: Store
) -> None:
    first = store.facets(question(store))[0]
    field(marked, "text_input", "label").set_value("Mine")
    store.send(question(store), ReviseFacet(first.id, first.version, label="Theirs"), BEN)
    marked.run()
    assert "it now reads “Theirs”" in marked.says
    assert "By Ben. Nothing was changed." in marked.says
    assert labels(store) == ["Theirs", "The fix"]


def test_a_locked_golden_set_is_explained_and_what_was_typed_stays(
    marked: Screen, store: Store, golden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_MS", 50)
    with locked(golden):
        field(marked, "text_input", "new").set_value("The effect")
        marked.run()
        assert "is being written by another program" in marked.says
        assert field(marked, "text_input", "new").value == "The effect"
    assert labels(store) == ["The cause", "The fix"]
    marked.press("Add")
    assert labels(store) == ["The cause", "The fix", "The effect"]
    assert "is being written" not in marked.says


def test_a_full_disk_is_explained_and_what_was_typed_stays(
    marked: Screen, store: Store, golden: Path
) -> None:
    del store  # the page's own connection has the limit
    from poolscope.ui import cache

    shared = cache.golden_store(str(golden))
    with shared.engine.begin() as found:
        pages = found.exec_driver_sql("PRAGMA page_count").scalar()
        found.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    long = "words " * 3_000
    field(marked, "text_area", "notes").set_value(long)
    marked.run()
    assert "is full" in marked.says
    assert field(marked, "text_area", "notes").value == long
    with shared.engine.begin() as found:
        found.exec_driver_sql("PRAGMA max_page_count = 100000")
    field(marked, "text_area", "notes").set_value(long + "more")
    marked.run()
    assert shared.questions()[0].notes == long + "more"
    assert "is full" not in marked.says


def test_a_golden_set_that_cannot_be_opened_is_explained(
    open_app: Callable[..., Screen], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(b"not a database" * 100)
    monkeypatch.setenv(place.VARIABLE, str(broken))
    says = open_app("annotate").says
    assert "The golden set could not take this" in says
    assert "is not a golden set, or it is damaged" in says
    monkeypatch.setenv(place.VARIABLE, str(broken / "below" / "golden.sqlite"))
    assert "cannot be made" in open_app("annotate").says


def test_passages_that_were_found_since_are_offered(
    marked: Screen, store: Store, pool_file: Callable[..., bytes]
) -> None:
    again = pool_file(("alpha", "beta", "epsilon"), facets=FACETS)
    marked.page("data").upload("again.json", again).page("annotate")
    assert "has 1 passage that the golden set lacks, and lacks 2 of its own" in marked.says
    marked.press("Add them")
    texts = {passage.text for passage in store.passages(question(store))}
    assert texts == {"alpha", "beta", "gamma", "delta", "epsilon"}


def test_what_is_hidden_is_the_projects_choice(marked: Screen, store: Store) -> None:
    tab(marked, "Mark")
    assert sheet(marked)["hidden"] == ["source", "rank", "score"]
    marked.named("toggle", "Hide the source").set_value(False)
    marked.run()
    marked.named("number_input", "Seed").set_value(7)
    marked.run()
    assert sheet(marked)["hidden"] == ["rank", "score"]
    project = store.project()
    assert (project.hides_source, project.hides_rank, project.seed) == (False, True, 7)


def test_an_adjudicator_still_marks_as_an_annotator_and_another_name_can_be_taken(
    marked: Screen,
) -> None:
    tab(marked, "Mark")
    marked.named("radio", "Part").set_value(marked.named("radio", "Part").options[1])
    marked.run()
    assert "settled under Agreement" in marked.says
    assert sheet(marked)["who"] == "Ann"
    marked.press("Another name")
    assert "Your name" in [item.label for item in marked.app.text_input]
    named(marked, "Ben")
    assert sheet(marked)["who"] == "Ben"


def test_guidelines_are_there_on_demand(begun: Screen) -> None:
    assert "One distinct component of a full answer" in begun.says


def test_a_server_without_a_login_asks_for_names(begun: Screen) -> None:
    assert not [button for button in begun.app.button if button.label.startswith("Log ")]


@pytest.mark.parametrize(
    ("user", "name"),
    [
        ({"is_logged_in": False}, ""),
        ({"is_logged_in": True, "email": "ann@example.org", "name": "Ann"}, "ann@example.org"),
        ({"is_logged_in": True, "name": "Ann", "sub": "17"}, "Ann"),
    ],
)
def test_a_server_with_a_login_asks_for_no_name(
    golden: Path,  # noqa: ARG001 - the page reads its address
    open_app: Callable[..., Screen],
    monkeypatch: pytest.MonkeyPatch,
    user: Mapping[str, object],
    name: str,
) -> None:
    # Streamlit's own word on who is there; tests/browser/test_login.py asks a provider.
    monkeypatch.setattr("streamlit.user_info._get_user_info", lambda: dict(user))
    screen = open_app("annotate")
    buttons = [button.label for button in screen.app.button if "Log" in button.label]
    assert buttons == (["Log out"] if name else ["Log in"])
    assert "Your name" not in [item.label for item in screen.app.text_input]
    shown = [popover.proto.popover.label for popover in screen.app.get("popover")]
    assert [label.replace("\\", "") for label in shown[-1:]] == ([name] if name else [])
    if name:
        assert annotators.COOKIE not in remembered(screen)  # whoever is logged in
    else:  # these tests have no secrets
        assert "There can be no log-in: " in screen.press("Log in").says


def test_a_reload_finds_the_question_the_tab_and_the_part_again(
    golden: Path,  # noqa: ARG001 - the page reads its address
    open_app: Callable[..., Screen],
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for id_ in ("q1", "q2"):
        store.send(id_, AddQuestion(Question(id_, f"What of {id_}?"), (Passage(id_, id_),)), ANN)
    screen = named(open_app("annotate"))
    assert remembered(screen)[annotators.QUESTION_COOKIE] == "q1"
    screen.named("radio", "Part").set_value(Role.ADJUDICATOR)
    tab(screen.run().press("Next unfinished"), "Agreement")
    kept = remembered(screen)
    assert kept == {
        annotators.COOKIE: "Ann",
        annotators.QUESTION_COOKIE: "q2",
        annotators.PART_COOKIE: "adjudicator",
        annotators.TAB_COOKIE: "Agreement",
    }
    with monkeypatch.context() as patch:
        patch.setattr(annotators, "_remembered", lambda cookie: kept[cookie])
        again = open_app("annotate")
        assert remembered(again) == kept
        assert again.app.session_state["annotate-tabs"] == "Agreement"
        assert "Agreement needs two annotators" in again.says
        kept[annotators.TAB_COOKIE], kept[annotators.PART_COOKIE] = "Nowhere", "nobody"
        fresh = open_app("annotate")
        assert remembered(fresh)[annotators.PART_COOKIE] == "annotator"
        assert sheet(fresh)["question"]["id"] == "q2"


def test_a_teams_guidelines_are_an_adjudicators_and_are_shown_as_text(
    begun: Screen, store: Store
) -> None:
    begun.press("Take this question in")
    assert not [item for item in begun.app.text_area if "plain text" in item.label]
    assert "once an adjudicator has written them" in begun.says
    begun.named("radio", "Part").set_value(Role.ADJUDICATOR)
    begun.run()
    begun.named("text_area", "Write them").set_value("Read *all* of <b>it</b>.\n\nThen mark.")
    begun.run()
    assert store.project().guidelines == "Read *all* of <b>it</b>.\n\nThen mark."
    assert "Read *all* of &lt;b&gt;it&lt;/b&gt;." in "".join(begun.blocks)
    assert "Version 1, Ann, " in begun.says.replace("\\", "")
    store.send("", SetGuidelines("Theirs", 1), Who("Ben", Role.ADJUDICATOR))
    begun.named("text_area", "Write them").set_value("Mine")
    begun.run()
    assert "changed meanwhile. By Ben. Nothing was changed. You typed: Mine" in begun.says
    assert begun.named("text_area", "Write them").value == "Theirs"
    assert "Earlier versions" in [item.label for item in begun.app.expander]
    begun.named("radio", "Part").set_value(Role.ANNOTATOR)
    assert "Theirs" in begun.run().says


def test_a_change_of_a_facet_is_taken_back_where_it_was_made(marked: Screen, store: Store) -> None:
    field(marked, "text_input", "label").set_value("The root cause")
    marked.run().press("Undo the change of a facet")
    assert labels(store) == ["The cause", "The fix"]
    undo = marked.named("button", "Undo the facet")
    assert undo.proto.shortcut == taking_back.KEY
    marked.press("Undo the facet").press("Undo the facet")
    assert labels(store) == []
    undo = marked.named("button", "Undo taking this question in")
    assert undo.proto.shortcut == ""  # no single key takes a whole question away
    assert sheet(tab(marked, "Mark"))["undo"] == []


def test_what_an_adjudicator_does_to_facets_is_taken_back_on_the_sheet(
    marked: Screen, store: Store
) -> None:
    marked.named("radio", "Part").set_value(Role.ADJUDICATOR)
    marked.run()
    field(marked, "text_input", "new").set_value("The effect")
    marked.run()
    last = store.log()[-1]
    assert (last.kind, last.role) == ("AddFacet", Role.ANNOTATOR)
    assert sheet(tab(marked, "Mark"))["undo"][-1]["token"] == last.token
