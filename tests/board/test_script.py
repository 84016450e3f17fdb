"""The script's lookup and its words, run under Node against Python."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from poolscope import board
from poolscope.board import HERE
from poolscope.model import Policy, Pool
from poolscope.selection.paths import Axis, Path, path

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")

Run = Callable[[str, object], Any]


@pytest.fixture(scope="module")
def run() -> Run:
    """Evaluate an expression over ``input`` after the script's first part."""

    def evaluate(expression: str, given: object) -> Any:  # noqa: ANN401 - whatever JSON holds
        assert NODE is not None
        script = (HERE / "js" / "1_base.js").read_text(encoding="utf-8")
        program = (
            f"{script}\nconst input = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n"
            f"process.stdout.write(JSON.stringify({expression}));"
        )
        done = subprocess.run(  # noqa: S603 - our own script under the node that was found
            [NODE, "-e", program],
            input=json.dumps(given),
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return evaluate


def values(found: Path, seed: int) -> list[float]:
    """Draw values of a path's range: random ones, both sides of every end, and the ends."""
    random = np.random.default_rng(seed)
    ends = [end for interval in found.intervals for end in (interval.low, interval.high)]
    if found.axis is not Axis.LAMBDA:
        return [*ends, *random.integers(int(found.low), int(found.high) + 1, size=50).tolist()]
    return [*ends, *random.random(300).tolist(), *np.round(random.random(300), 3).tolist()]


@needs_node
@pytest.mark.parametrize("axis", Axis)
def test_the_lookup_is_the_path_at_a_value(
    run: Run, clustered: Callable[..., Pool], axis: Axis
) -> None:
    for seed in range(3):
        found = path(clustered(80, seed), Policy(selector="mmr_cap", k=8), axis)
        asked = values(found, seed)
        numbers = {interval: number for number, interval in enumerate(found.intervals)}
        column = {
            "paths": {
                "any": {
                    "highs": [interval.high for interval in found.intervals],
                    "selections": list(numbers.values()),
                }
            }
        }
        shown = run(
            "input.values.map((value) => selectionAt(input.column, 'any', value))",
            {"column": column, "values": asked},
        )
        assert shown == [numbers[found.at(value)] for value in asked]


@needs_node
def test_the_lookup_stays_within_the_path(run: Run) -> None:
    assert run("input.map((value) => place([1, 4, 9], value))", [-5, 0, 1, 2, 4, 5, 9, 10, 99]) == [
        0, 0, 0, 1, 1, 2, 2, 2, 2,
    ]  # fmt: skip
    assert run("place([1], input)", 0.5) == 0


@needs_node
def test_changes_are_signed_and_none_is_called_the_same(run: Run) -> None:
    given = [[0.0214, 2], [-0.0214, 2], [0.004, 2], [-0.004, 2], [-0.0, 2], [3, 0], [-1234.5, 1]]
    assert run("input.map(([change, decimals]) => signed(change, decimals))", given) == [
        "+0.02", "\N{MINUS SIGN}0.02", "same", "same", "same", "+3", "\N{MINUS SIGN}1,234.5",
    ]  # fmt: skip


@needs_node
def test_numbers_have_their_decimals_and_undefined_a_dash(run: Run) -> None:
    given = [[0.5, 3], [1234567, 0], [None, 2], [0, 2]]
    assert run("input.map(([value, decimals]) => number(value, decimals))", given) == [
        "0.500", "1,234,567", "\N{EN DASH}", "0.00",
    ]  # fmt: skip


@needs_node
def test_lambda_is_shown_with_two_to_four_decimals(run: Run) -> None:
    given = [0, 1, 0.6, 0.61, 0.612, 0.6125, 0.61254, 0.9999999]
    assert run("input.map((value) => trimmed(value))", given) == [
        "0.00", "1.00", "0.60", "0.61", "0.612", "0.6125", "0.6125", "1.00",
    ]  # fmt: skip


def test_the_script_selects_nothing_by_itself() -> None:
    """No vectors, no relevance, no lambda in a formula: the script only looks up."""
    script = board.script()
    code = re.sub(r"//[^\n]*", "", script)
    assert not re.search(r"vector|redundan|marginal|argmax", code, re.IGNORECASE)
    assert not re.search(r"(?:lambda\S*\s*\*|\*\s*lambda)", code)


def test_text_enters_the_document_as_text_and_nothing_is_fetched() -> None:
    script = board.script()
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script)
    assert not re.search(
        r"fetch\(|XMLHttpRequest|WebSocket|import\(|https?://(?!www\.w3\.org)", script
    )
    assert not re.search(r"url\(|@import", board.style())


def test_the_parts_are_joined_in_the_order_of_their_names() -> None:
    script = board.script()
    firsts = ("const AXES", "class Slider", "class Column", "class Board {")
    places = [script.index(line) for line in firsts]
    assert places == sorted(places)
    assert "export" not in script


def test_the_code_is_imported_from_the_message_that_brought_it_and_from_nowhere_else() -> None:
    mounted = (HERE / "mount.js").read_text(encoding="utf-8")
    assert re.findall(r"import\([^)]*\)|import .* from|fetch", mounted) == ["import(address)"]
    assert "URL.createObjectURL(new Blob([text]" in mounted
    assert mounted.count("export default") == 1


MOUNTED = """
const root = { textContent: "" };
const asked = [];
const sent = (what) => new TextEncoder().encode(JSON.stringify(what));
const parentElement = { querySelector: () => root };
const setTriggerValue = (name, what) => asked.push(what);
const good = "export class Board { constructor(root) { this.root = root; } "
  + "update(sent) { this.root.textContent = 'drawn at ' + sent.at; } close() {} }";
const found = [];
(async () => {
  const give = async (what, isDone) => {
    mount({ data: sent(what), parentElement, setTriggerValue, setStateValue: () => {} });
    while (!isDone()) await new Promise((done) => setTimeout(done, 5));
    found.push(root.textContent);
  };
  URL.createObjectURL = () => "data:text/javascript,is no code";
  await give({ digest: "d", code: "code", at: 1 }, () => root.textContent);
  await give({ digest: "d", at: 2 }, () => asked.length);
  URL.createObjectURL = () => `data:text/javascript,${encodeURIComponent(good)}`;
  await give({ digest: "d", code: "code", at: 3 }, () => root.textContent.startsWith("drawn"));
  process.stdout.write(JSON.stringify({ found, asked }));
})();
"""


@needs_node
def test_code_that_cannot_be_loaded_is_said_and_asked_for_again() -> None:
    assert NODE is not None
    mounted = (HERE / "mount.js").read_text(encoding="utf-8")
    program = mounted.replace("export default function", "function") + MOUNTED
    done = subprocess.run(  # noqa: S603 - our own script under the node that was found
        [NODE, "-e", program], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    given = json.loads(done.stdout)
    first, second, third = given["found"]
    assert first.startswith("The board's code could not be loaded; ")
    assert (second, third) == (first, "drawn at 3")
    assert given["asked"] == [{"what": "scene", "digest": "d"}]


COMPLETED = """
const asked = [];
const board = { data: input.held, ask: (what) => asked.push(what) };
const found = Board.prototype.completed.call(board, input.sent);
setTimeout(() => process.stdout.write(JSON.stringify({ found, asked })), 5);
"""


@needs_node
def test_a_message_without_its_scene_is_completed_or_the_scene_is_asked_for() -> None:
    held = {
        "scene": "s",
        "digest": "d",
        "n": 2,
        "candidates": {"text": ["brief", "other"], "source": [0, 1], "whole": {"0": "old"}},
        "setting": {"k": 1},
    }
    sent = {
        "scene": "s",
        "digest": "d",
        "candidates": {"cards": {"1": "a card"}, "whole": {"1": "new"}},
        "setting": {"k": 2},
    }

    def completed(held: object, sent: object) -> Any:  # noqa: ANN401 - whatever JSON holds
        assert NODE is not None
        read = "const input = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        done = subprocess.run(  # noqa: S603 - our own script under the node that was found
            [NODE, "-e", f"{board.script()}\n{read}\n{COMPLETED}"],
            input=json.dumps({"held": held, "sent": sent}),
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    assert completed(held, sent) == {
        "found": {
            **held,
            "candidates": {"text": ["brief", "a card"], "source": [0, 1], "whole": {"1": "new"}},
            "setting": {"k": 2},
        },
        "asked": [],
    }
    lost = {"found": None, "asked": [{"what": "scene", "digest": "d"}]}
    assert completed(None, sent) == lost
    assert completed(held, {**sent, "scene": "another"}) == lost
    assert completed(None, held) == {"found": held, "asked": []}


LEAVING = """
const asked = [];
const held = Object.create(HeldBar.prototype);
held.root = { setAttribute: (name, value) => { held.root[name] = value; } };
held.buttons = { pin: { disabled: false }, explain: { disabled: false } };
const board = { data: { digest: "d" }, held, ask: (what) => asked.push(what) };
const states = input.map((what) => {
  Board.prototype.act.call(board, what, 3);
  return [held.root["aria-busy"] || "", ...Object.values(held.buttons).map((b) => b.disabled)];
});
held.leave(false);
states.push([held.root["aria-busy"], ...Object.values(held.buttons).map((b) => b.disabled)]);
process.stdout.write(JSON.stringify({ states, asked: asked.map((a) => a.what) }));
"""


@needs_node
def test_the_bar_takes_no_further_click_once_explain_was_asked_for() -> None:
    assert NODE is not None
    read = "const input = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
    done = subprocess.run(  # noqa: S603 - our own script under the node that was found
        [NODE, "-e", f"{board.script()}\n{read}\n{LEAVING}"],
        input=json.dumps(["pin", "explain"]),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "states": [["", False, False], ["true", True, True], ["false", False, False]],
        "asked": ["pin", "explain"],
    }
