"""Files out and in from the page."""

import dataclasses
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from poolscope.golden.actions import SetProject
from poolscope.golden.model import GoldenSet, Project, Who
from poolscope.golden.own_json import as_json
from poolscope.golden.store import Store

if TYPE_CHECKING:
    from tests.ui.conftest import Screen

OpenTab = Callable[..., "Screen"]
WHERE = "A golden set of this app"


def test_a_download_says_what_is_not_in_it(open_tab: OpenTab) -> None:
    screen = open_tab("Files")
    button: Any = screen.app.get("download_button")[0]
    assert button.proto.label == "Download 2 questions"
    assert "Others' marks on 1 question are not in it" in screen.says
    screen.choose("As", "qrels")
    assert "Judgements carry the facets' numbers, not their names" in screen.says
    screen.named("selectbox", "A passage is named by")
    ben = open_tab("Files", who=Who("Ben"))
    assert "Others' marks" not in ben.says.replace("**Others' marks**", "")


def test_a_golden_set_that_is_there_already_changes_nothing(
    open_tab: OpenTab, golden: Store
) -> None:
    before = as_json(golden.golden_set())
    screen = open_tab("Files").upload("golden.json", before.encode(), where=WHERE)
    assert "Read as a golden set of this app: 2 questions, 2 facets, 190 marks." in screen.says
    assert "2 questions of them there already." in screen.says
    screen.press("Add to the golden set")
    assert "Questions: 2 there already, the same." in screen.says
    assert as_json(golden.golden_set()) == before


def test_judgements_come_in_under_the_own_name(open_tab: OpenTab, golden: Store) -> None:
    lines = b"other 1 d1 1\nother 2 d1 0\ncheckout 1 d1 1\n"
    screen = open_tab("Files").upload("some.qrels", lines, where=WHERE)
    assert "Read as TREC judgements: 2 questions, 3 facets, 3 marks." in screen.says
    assert "1 document known by an id alone, among them d1" in screen.says
    screen.press("Add to the golden set")
    assert "Questions: 1 added, 1 left as they are." in screen.says
    assert "The golden set has others under “checkout”: nothing is overwritten." in screen.says
    record = golden.record("other")
    assert record is not None
    assert {one.annotator for one in record.judgements} == {"Ann"}


def test_nuggets_come_in_as_facets_and_a_broken_file_is_said(
    open_tab: OpenTab, golden: Store
) -> None:
    nuggets = {"qid": "new", "query": "What?", "nuggets": [{"text": "a *cause*"}]}
    screen = open_tab("Files").upload("n.json", json.dumps(nuggets).encode(), where=WHERE)
    assert "1 question without passages" in screen.says
    screen.press("Add to the golden set")
    assert [facet.label for facet in golden.facets("new")] == ["a *cause*"]
    screen.upload("broken.json", b'{"nuggets": 1}', where=WHERE)
    assert "There is no list “nuggets”." in screen.says
    assert not [each for each in screen.app.button if each.label == "Add to the golden set"]


def test_guidelines_that_are_left_out_are_said(open_tab: OpenTab, golden: Store) -> None:
    words = GoldenSet(Project(guidelines="Read it all."))
    screen = open_tab("Files").upload("golden.json", as_json(words).encode(), where=WHERE)
    screen.press("Add to the golden set")
    assert "The file's guidelines are left out: an adjudicator alone" in screen.says
    assert golden.project().guidelines == ""


def test_settings_that_are_left_out_are_said(open_tab: OpenTab, golden: Store) -> None:
    golden.send("", SetProject(dataclasses.replace(golden.project(), seed=5)), Who("Ann"))
    other = as_json(GoldenSet(Project(seed=11))).encode()
    screen = open_tab("Files").upload("golden.json", other, where=WHERE)
    screen.press("Add to the golden set")
    assert "The file's settings (what is hidden until a pass is done" in screen.says
    assert golden.project().seed == 5
