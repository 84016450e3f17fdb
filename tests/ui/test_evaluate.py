"""Evaluate as a person meets it: what a golden set says, and what is missing without one."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from poolscope.model import Policy, policy_toml
from poolscope.ui import golden_questions
from tests.ui.conftest import words
from tests.ui.test_address import address

if TYPE_CHECKING:
    from tests.ui.conftest import Screen

SECONDS = 600


def line(number: int, facets: tuple[str, ...], *, vectors: bool = False) -> str:
    """A question whose first two passages are of one source; the second facet is at rank 3."""
    rows = [
        {"id": "1", "source": "x", "text": "one", "score": 0.9, "facets": list(facets[:1])},
        {"id": "2", "source": "x", "text": "two", "score": 0.8, "facets": []},
        {"id": "3", "source": "y", "text": "three", "score": 0.6, "facets": list(facets[1:])},
    ]
    head = {"query_id": f"q{number}", "query": f"Question {number}?"}
    named = {"facets": {name: name for name in facets}} if facets else {}
    if not facets:
        rows = [{key: row[key] for key in ("id", "source", "text", "score")} for row in rows]
    if vectors:
        rows = [
            {**row, "vector": vector}
            for row, vector in zip(rows, ([1.0, 0.0], [1.0, 0.01], [0.0, 1.0]), strict=True)
        ]
    return json.dumps({**head, **named, "candidates": rows})


def golden(several: int, one: int = 0, bare: int = 0, *, vectors: bool = False) -> bytes:
    kinds = [("a", "b")] * several + [("a",)] * one + [()] * bare
    lines = [line(number, facets, vectors=vectors) for number, facets in enumerate(kinds)]
    return "\n".join(lines).encode()


def settled(screen: Screen) -> Screen:
    """Look again until no run is under way."""
    last = time.monotonic() + SECONDS
    while any(button.label == "Stop" for button in screen.app.button):
        assert time.monotonic() < last
        screen.run()
    return screen


def look(screen: Screen, section: str) -> Screen:
    control = screen.named("button_group", "Look at")
    control.set_value(section)
    return settled(screen.run())


@pytest.fixture
def opened(open_app: Callable[..., Screen]) -> Callable[[bytes], Screen]:
    def made(data: bytes) -> Screen:
        screen = open_app("data").upload("golden.jsonl", data)
        screen.page("inspect").slide("k", 2)
        return settled(screen.page("evaluate"))

    return made


def test_one_question_says_what_is_needed_and_opens_the_sample(
    open_app: Callable[..., Screen],
) -> None:
    screen = open_app("evaluate", sample="healthy")
    assert "judged on many questions, and this file holds one" in screen.says
    settled(screen.press("Open the sample"))
    assert "34 questions: 15 with several components, 19 with one true answer." in screen.says


def test_questions_without_facets_say_what_is_needed(opened: Callable[[bytes], Screen]) -> None:
    screen = opened(golden(0, bare=3))
    assert "has no facets" in screen.says
    assert "Annotate which components a full answer has" in screen.says


def test_the_sample_says_that_nothing_is_shown_to_beat_top_k(
    open_app: Callable[..., Screen],
) -> None:
    screen = settled(open_app("evaluate", sample="help-centre"))
    assert "This set does not tell it from nothing." in screen.says
    assert "No lambda is shown to beat plain top-k (lambda 1): the best, 0.708 to 0.787" in (
        screen.says
    )
    assert "Held out: chosen on half of the questions" in screen.says
    assert len(screen.figures) == 1
    look(screen, "Depth and cap")
    rows = [[words(cell) for cell in row] for each in screen.elements for row in each.iter("tr")]
    assert rows[0] == ["pool depth", "no cap", "cap 1", "cap 2", "cap 3"]
    assert rows[-1][0] == "whole pool"
    depth = screen.named("number_input", "Pool depth")
    assert (depth.value, depth.placeholder, depth.disabled) == (None, "whole pool", True)
    assert "The pool depth above is not read here: each row has its own." in screen.says
    cost = "mean relevance \N{MINUS SIGN}0.006"
    assert rows[-1][1] == f"0.939+0.056 at 0.708 to 0.787{cost}"
    look(screen, "Proxy")
    assert "as a goal it would mislead" in screen.says
    assert "The usual threshold, 0.850: it sounds on 0%" in screen.says


def test_every_panel_of_a_small_set(opened: Callable[[bytes], Screen]) -> None:
    screen = opened(golden(4, one=2, bare=1))
    assert "“MMR” needs vectors; there are none." in screen.says
    settled(screen.choose("Rule", "grouped_cap"))
    assert "6 questions: 4 with several components, 2 with one true answer." in screen.says
    assert "1 question left out; number 7: The question “q6” has no facets." in screen.says
    look(screen, "Table")
    table = [[words(cell) for cell in row] for each in screen.elements for row in each.iter("tr")]
    (capped,) = [row for row in table if row[0] == "Capped, 1 per source"]
    assert capped[1:5:3] == ["1.000too few for an interval", "same"]
    assert capped[2] == "+0.500too few for an interval"
    assert capped[-1] == "—"  # there are no vectors
    assert "settings need what these questions lack" in " ".join(
        expander.label for expander in screen.app.expander
    )
    look(screen, "Two settings")
    screen.choose("Setting", 1)
    assert "“Capped, 1 per source” less “Top-k” is +0.500" in screen.says
    assert "better on 4, worse on 0, the same on 0" in screen.says
    cost = "\N{MINUS SIGN}0.100"
    assert f"Mean relevance changes by {cost}, over 4 questions." in screen.says
    assert f"+0.50, mean relevance {cost}: Question 0?" in screen.says
    assert toml(screen) == Policy(selector="grouped_cap", cap=1, k=2)
    look(screen, "Query mix")
    screen.choose("Setting", 1)
    screen.slide("Questions with one true answer", 50)
    assert "“Top-k” scores 0.750 and “Capped, 1 per source” 1.000, at a mean rel" in screen.says
    assert address(screen)["share"] == ["50"]
    look(screen, "Proxy")
    assert "“MMR” needs vectors; there are none." in screen.says


def toml(screen: Screen) -> Policy:
    """The setting that is written as TOML, as ``--policy`` reads it."""
    (written,) = [item.value for item in screen.app.code if item.language == "toml"]
    return policy_toml.read(written, needs=("selector",))


def test_a_setting_is_taken_out_as_toml_and_a_preset_by_its_name(
    opened: Callable[[bytes], Screen],
) -> None:
    screen = opened(golden(6, vectors=True))
    found = toml(screen)
    assert (found.selector, found.k) == ("mmr", 2)
    assert f"MMR at lambda {found.lambda_:g}, where the mean is largest, as pool" in screen.says
    screen.named("button_group", "Over").set_value("k")
    settled(screen.run())
    assert toml(screen).k == 3
    look(screen, "Two settings")
    assert toml(screen) == Policy(selector="mmr", k=2, lambda_=0.8)
    setting = screen.named("selectbox", "Setting")
    (place,) = [at for at, label in enumerate(setting.options) if label == "Preset: Two-pass"]
    screen.choose("Setting", place)
    assert [item.value for item in screen.app.code] == [
        "poolscope evaluate GOLDEN --preset two_pass"
    ]


def test_a_share_is_that_of_its_own_set(opened: Callable[[bytes], Screen]) -> None:
    screen = look(opened(golden(2, one=2)), "Query mix")
    label = "Questions with one true answer"
    assert screen.slide(label, 40).named("slider", label).value == 40
    assert address(screen)["share"] == ["40"]
    screen.page("data").upload("other.jsonl", golden(3, one=7))
    assert settled(screen.page("evaluate")).named("slider", label).value == 70
    assert "share" not in address(screen)


def test_judged_answers_stand_beside_what_is_measured(opened: Callable[[bytes], Screen]) -> None:
    screen = look(opened(golden(2, one=1)), "Answers")
    assert "No answers are given, so nothing is said of their accuracy." in screen.says
    table = (
        b"setting,question_id,correct\ntop_k,q0,1\ntop_k,q2,0\n"
        b"grouped_cap,q1,1\nour own,q0,0.5\ntop_k,q9,1\n"
    )
    settled(screen.upload("answers.csv", table, where="Judged answers"))
    assert "answers.csv: 5 answers, 1 of them to questions that are not here." in screen.says
    rows = [[words(cell) for cell in row] for each in screen.elements for row in each.iter("tr")]
    assert rows[1][:5] == ["top_k", "0.500", "0.850", "1.0001 answer", "0.0001 answer"]
    assert rows[2][:5] == ["grouped_cap", "0.500", "0.850", "1.0001 answer", "—"]
    assert rows[3][:5] == ["our own", "—", "—", "0.5001 answer", "—"]
    screen.page("inspect")
    assert "answers.csv: 5 answers" in settled(screen.page("evaluate")).says
    screen.upload("bad.csv", b"a,b\n1,2\n", where="Judged answers")
    assert "There is no setting in this row." in screen.says


def test_a_question_that_differs_is_one_click_from_inspect(
    opened: Callable[[bytes], Screen],
) -> None:
    screen = look(opened(golden(3, one=1)), "Two settings")
    screen.choose("Setting", 1)
    screen.app.button(key="inspect:2").click()
    screen.run()
    assert "Question 2?" in screen.says
    assert "Question 3 of 4" in screen.says


def test_what_was_measured_is_found_again_whatever_inspect_shows(
    opened: Callable[[bytes], Screen], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[object] = []

    def pools(*given: object) -> Iterator[object]:
        begun.append(given)
        return real(*given)  # type: ignore[arg-type]  # as given

    real = golden_questions.pools
    screen = opened(golden(3, one=2, vectors=True))
    monkeypatch.setattr(golden_questions, "pools", pools)
    for section in ("Sweep", "Depth and cap", "Proxy", "Two settings"):
        look(screen, section)
    first = len(begun)
    screen.choose("Setting", 11)  # MMR at lambda 0.5
    screen.app.button(key="inspect:2").click()
    screen.run().page("inspect")
    screen.slide("Lambda", 0.8).slide("Cap", 1).slide("Pool depth", 2)
    settled(screen.page("evaluate"))
    assert "Nothing set on Inspect changes what is measured here." in screen.says
    for section in ("Sweep", "Depth and cap", "Proxy", "Two settings"):
        look(screen, section)
    assert len(begun) == first
    screen.page("inspect").named("number_input", "Token budget").set_value(500)
    screen.run().page("evaluate")
    assert (
        "From Inspect, beside the controls here: at most 500 tokens (skip)." in settled(screen).says
    )
    assert len(begun) > first


def test_other_parameters_are_followed_too(opened: Callable[[bytes], Screen]) -> None:
    screen = opened(golden(3))
    screen.choose("Rule", "grouped_cap")
    assert "No cap is shown to beat" not in settled(screen).says
    assert "Cap 1 is +0.500 against a cap that is never reached" in screen.says
    depth = screen.named("number_input", "Pool depth")
    assert not depth.disabled
    depth.set_value(1)
    settled(screen.run())
    assert "Nothing changes over cap: the mean is 0.500 at every value" in screen.says
    screen.named("number_input", "Pool depth").set_value(None)
    screen.named("button_group", "Over").set_value("k")
    settled(screen.run())
    assert "More slots cover more by themselves" in screen.says
    screen.named("button_group", "Over").set_value("depth")
    settled(screen.run())
    assert "The pool depth above is not read here: it is followed." in screen.says


def test_many_questions_wait_to_be_asked_for(opened: Callable[[bytes], Screen]) -> None:
    screen = opened(golden(301))
    assert "301 questions are loaded." in screen.says
    assert not screen.figures
