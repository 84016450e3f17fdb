"""The script's queue and keys, run under Node; what it may not do, read from its text."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from poolscope import annotator
from poolscope.annotator import HERE

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")

STORAGE = """
class Storage {
  constructor(items) { this.items = new Map(items); }
  get length() { return this.items.size; }
  key(at) { return [...this.items.keys()][at]; }
  getItem(name) { return this.items.get(name); }
  setItem(name, value) { this.items.set(name, value); }
  removeItem(name) { this.items.delete(name); }
}
const full = { length: 0, key() {}, setItem() { throw new Error("full"); } };
const storage = new Storage();
const queue = new Queue("s", storage);
const mark = (token, mark, more) => queue.add({
  token, kind: "mark", question: "q", facet: "f", passage: "p", mark, seen: 0, ...more });
const saved = (token, version, attempt = 0) => ({ token, became: "saved", version, attempt });
const failed = (token, attempt = 0) => ({ token, became: "failed", version: null, attempt });
const tokens = () => queue.strokes.map((stroke) => stroke.token);
"""


@pytest.fixture(scope="module")
def run() -> Callable[..., Any]:
    """Run statements after the script's queue and keys, and return what they return."""

    def evaluate(body: str, given: object = None) -> Any:  # noqa: ANN401 - whatever JSON holds
        assert NODE is not None
        parts = [HERE / "js" / name for name in ("1_queue.js", "2_keys.js")]
        script = "\n".join(part.read_text(encoding="utf-8") for part in parts)
        program = (
            f"{script}\n{STORAGE}\n"
            "const input = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n"
            f"const found = (() => {{ {body} }})();\n"
            "process.stdout.write(JSON.stringify(found === undefined ? null : found));"
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


@needs_node
def test_a_stroke_is_kept_until_the_server_has_answered(run: Callable[..., Any]) -> None:
    found = run(
        "mark('a', 'supports'); mark('b', 'does not', { after: 'a' });"
        "const before = [...storage.items.keys()];"
        "queue.settle([saved('a', 1)]);"
        "return { before, tokens: tokens(), kept: [...storage.items.keys()],"
        " next: queue.strokes[0].seen, after: queue.strokes[0].after };"
    )
    assert found == {
        "before": ["poolscope-stroke:s:a", "poolscope-stroke:s:b"],
        "tokens": ["b"],
        "kept": ["poolscope-stroke:s:b"],
        "next": 1,
        "after": "",
    }


@needs_node
def test_a_reload_finds_the_strokes_in_their_order_and_no_others(run: Callable[..., Any]) -> None:
    found = run(
        "mark('a', 'supports'); mark('b', null); mark('c', 'later');"
        "new Queue('other', storage).add({ token: 'x', kind: 'time', question: 'q' });"
        "const turned = new Storage([...storage.items].reverse());"
        "const again = new Queue('s', turned);"
        "return { message: again.message().map((stroke) => [stroke.token, stroke.mark]),"
        " isUnsent: new Queue('s', turned).isUnsent };"
    )
    assert found["message"] == [["a", "supports"], ["b", None], ["c", "later"]]
    assert found["isUnsent"] is True


@needs_node
def test_a_broken_or_full_storage_keeps_the_page_working_and_says_so(
    run: Callable[..., Any],
) -> None:
    found = run(
        "const torn = new Queue('s', new Storage([['poolscope-stroke:s:a', '{']]));"
        "const other = new Queue('s', full);"
        "other.add({ token: 'a', kind: 'time', question: 'q' });"
        "return [torn.isKept, torn.strokes.length, other.isKept, other.strokes.length];"
    )
    assert found == [False, 0, False, 1]


@needs_node
def test_what_failed_is_sent_again_as_another_attempt(run: Callable[..., Any]) -> None:
    found = run(
        "mark('a', 'supports'); mark('b', null); queue.message();"
        "queue.settle([failed('a'), { token: 'b', became: 'waiting', attempt: 0, version: null }]);"
        "const unanswered = queue.isUnanswered;"
        "queue.again();"
        "queue.settle([failed('a')]);"  # the answer to the first attempt says nothing of this one
        "const states = queue.strokes.map((stroke) => [stroke.attempt, stroke.became]);"
        "queue.settle([saved('a', 1, 1)]);"
        "return { unanswered, states, tokens: tokens() };"
    )
    assert found == {
        "unanswered": False,
        "states": [[1, "new"], [0, "new"]],
        "tokens": ["b"],
    }


@needs_node
def test_a_message_carries_what_python_reads_and_nothing_of_the_browsers_own(
    run: Callable[..., Any],
) -> None:
    found = run("mark('a', 'supports', { before: null, label: 'x' }); return queue.message()[0];")
    assert set(found) == {
        "token", "kind", "question", "facet", "passage", "mark", "seen", "attempt", "after",
        "seconds", "label",
    }  # fmt: skip


@needs_node
def test_the_screen_shows_strokes_on_top_of_what_is_kept(run: Callable[..., Any]) -> None:
    found = run(
        "const kept = new Map([['f p', { mark: 'later', version: 3 }],"
        " ['f o', { mark: 'supports', version: 1 }]]);"
        "mark('a', 'supports'); mark('b', 'does not'); mark('c', null, { question: 'another' });"
        "const shown = overlaid(kept, queue.strokes, 'q');"
        "queue.strokes[1].became = 'conflict'; queue.strokes[0].became = 'conflict';"
        "const refused = overlaid(kept, queue.strokes, 'q');"
        "return [...shown.values(), refused.get('f p').mark, kept.get('f p').mark];"
    )
    assert found == [
        {"mark": "does not", "version": 3, "state": "new"},
        {"mark": "supports", "version": 1},
        "later",
        "later",
    ]


UNDONE: tuple[tuple[list[tuple[str, str, str]], list[str]], ...] = (
    ([], ["k2.1", "k2.0"]),
    ([("a", "mark", "")], ["a"]),
    ([("g.0", "mark", ""), ("g.1", "mark", "")], ["g.1", "g.0"]),
    ([("a", "mark", ""), ("b", "undo", "a")], ["k2.1", "k2.0"]),
    ([("b.0", "undo", "k2.1"), ("b.1", "undo", "k2.0")], ["k1"]),
    ([("t", "time", "")], ["k2.1", "k2.0"]),
)
"""Strokes on their way with what they undo, and what the next undo takes back."""


@needs_node
def test_an_undo_takes_back_the_last_key_whole(run: Callable[..., Any]) -> None:
    given = [
        [
            {"token": token, "kind": kind, "undoes": undoes, "question": "q", "became": "new"}
            for token, kind, undoes in strokes
        ]
        for strokes, _ in UNDONE
    ]
    found = run(
        "const base = ['k1', 'k2.0', 'k2.1'].map((token) => ({ token }));"
        "const last = (strokes) => lastGroup(undoable(base, strokes, 'q'));"
        "return input.map((strokes) => last(strokes).map((entry) => entry.token));",
        given,
    )
    assert found == [wanted for _, wanted in UNDONE]


PLAIN: Mapping[str, object] = {
    "ctrlKey": False, "metaKey": False, "altKey": False, "shiftKey": False,
}  # fmt: skip


EVENTS: tuple[tuple[Mapping[str, object], object], ...] = (
    ({"key": "1", "code": "Digit1"}, {"name": "cycle", "at": 0}),
    ({"key": "&", "code": "Digit1"}, {"name": "cycle", "at": 0}),  # a French keyboard
    ({"key": "7", "code": "Digit7", "shiftKey": True}, {"name": "cycle", "at": 6}),
    ({"key": "7", "code": "Numpad7"}, {"name": "cycle", "at": 6}),
    ({"key": "?", "code": "Slash", "shiftKey": True}, {"name": "help"}),
    ({"key": "0", "code": "Digit0"}, None),
    ({"key": "ArrowRight"}, {"name": "passage", "by": 1}),
    ({"key": "ArrowUp"}, {"name": "facet", "by": -1}),
    ({"key": "Enter", "ctrlKey": True}, {"name": "next"}),
    ({"key": "Enter", "metaKey": True}, {"name": "next"}),
    ({"key": "Enter"}, None),
    ({"key": "u"}, {"name": "undo"}),
    ({"key": "u", "ctrlKey": True}, None),
    ({"key": "c", "metaKey": True}, None),
    ({"key": "1", "altKey": True}, None),
    ({"key": "r"}, None),
    ({"key": "constructor"}, None),
    ({"key": "Tab"}, None),
)


@needs_node
def test_what_each_key_asks_for(run: Callable[..., Any]) -> None:
    given = [{**PLAIN, **event} for event, _ in EVENTS]
    assert run("return input.map(command);", given) == [wanted for _, wanted in EVENTS]


@needs_node
def test_a_digit_goes_round_and_a_mark_put_off_becomes_support(run: Callable[..., Any]) -> None:
    given = [None, "supports", "does not", "can't tell", "later"]
    assert run("return input.map(nextMark);", given) == [
        "supports", "does not", "can't tell", None, "supports",
    ]  # fmt: skip


@needs_node
def test_keys_are_dead_while_somebody_types(run: Callable[..., Any]) -> None:
    given = [
        {"tagName": "INPUT", "type": "text"},
        {"tagName": "INPUT", "type": "number"},
        {"tagName": "TEXTAREA"},
        {"tagName": "SELECT"},
        {"tagName": "DIV", "isContentEditable": True},
        {"tagName": "INPUT", "type": "checkbox"},
        {"tagName": "BUTTON"},
        {"tagName": "BODY"},
        {},
        None,
    ]
    assert run("return input.map(isTyping);", given) == [True] * 5 + [False] * 5


FIELD: tuple[tuple[Mapping[str, object], str, str | None], ...] = (
    ({"key": "Enter"}, "memory limit", "add"),
    ({"key": "Enter"}, " ", "leave"),
    ({"key": "Escape"}, "memory", "leave"),
    ({"key": "Enter", "isComposing": True}, "memory", None),
    ({"key": "a"}, "", None),
    ({"key": "a", "repeat": True}, "", "ignore"),
    ({"key": "a", "repeat": True}, "a", None),
    ({"key": "Backspace", "repeat": True}, "", None),
)
"""Keys in the field of a new facet, what stands there, and what they ask for."""


@needs_node
def test_a_key_in_the_field_adds_leaves_or_types(run: Callable[..., Any]) -> None:
    given = [[event, value] for event, value, _ in FIELD]
    found = run("return input.map(([event, value]) => fieldCommand(event, value));", given)
    assert found == [wanted for *_, wanted in FIELD]


@needs_node
def test_what_ctrl_enter_does_next_is_said(run: Callable[..., Any]) -> None:
    def state(**true: bool) -> dict[str, bool]:
        return dict.fromkeys(("isAllMarked", "isReady", "isDone", "hasNext"), False) | true

    given = [
        state(),
        state(isAllMarked=True),
        state(isAllMarked=True, isReady=True),
        state(isAllMarked=True, isDone=True),
        state(isAllMarked=True, isReady=True, isDone=True, hasNext=True),
        state(isAllMarked=True, isReady=True, isDone=True),
    ]
    found = run("return input.map(nextWords).map(({ main, line }) => [main, line]);", given)
    assert found == [
        ["The rest does not · go on", "the rest does not, go on"],
        ["Nothing is open · finish the pass", "finish the pass"],
        ["Finish the pass · next question", "finish the pass"],
        ["Go on", "go on"],
        ["Next question", "next question"],
        ["Every question is done", ""],
    ]


@needs_node
def test_time_counts_work_and_a_pause_as_a_minute_at_most(run: Callable[..., Any]) -> None:
    found = run(
        "let at = 0; const clock = new Clock(() => at);"
        "at = 10000; clock.beat(); at = 40000; const first = clock.take();"
        "at = 4000000; const pause = clock.take(); return [first, pause, clock.seconds];"
    )
    assert found == [40, 60, 0]


def test_text_enters_the_document_as_text_and_nothing_is_fetched() -> None:
    script = annotator.script()
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script)
    assert not re.search(r"fetch\(|XMLHttpRequest|WebSocket|import\(|https?://", script)
    assert not re.search(r"url\(|@import", annotator.style())


def test_the_parts_are_joined_in_the_order_of_their_names() -> None:
    script = annotator.script()
    firsts = ("class Queue", "class Clock", "class FacetRow", "class Sheet", "export default")
    places = [script.index(line) for line in firsts]
    assert places == sorted(places)
    assert script.count("export default") == 1
