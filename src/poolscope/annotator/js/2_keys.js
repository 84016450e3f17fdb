// What each key asks for, when somebody types, and how the time of work is counted.

const CYCLE = [null, "supports", "does not", "can't tell"];
const IDLE_MS = 60000;
const LETTERS = {
  s: { name: "set", mark: "supports" },
  d: { name: "set", mark: "does not" },
  c: { name: "set", mark: "can't tell" },
  l: { name: "later" },
  n: { name: "open" },
  u: { name: "undo" },
  a: { name: "add" },
  "?": { name: "help" },
};
const MOVES = {
  ArrowRight: { name: "passage", by: 1 },
  ArrowLeft: { name: "passage", by: -1 },
  ArrowDown: { name: "facet", by: 1 },
  ArrowUp: { name: "facet", by: -1 },
  Escape: { name: "close" },
};
const STREAMLITS = ["r", "c"];
const KEYS = [
  ["1 … 9", "mark a facet: supports, again does not, again can't tell, again nothing"],
  ["↑ ↓", "go to another facet"],
  ["s d c", "mark that facet: supports, does not, can't tell; again takes it back"],
  ["← →", "the passage before, the next one"],
  ["n", "the next passage with something open"],
  ["l", "put what is open here off until later, and go on"],
  ["Ctrl+Enter", "all that is open here does not support; go on. On a Mac ⌘ Enter"],
  ["u", "take the last stroke back; under Agreement, the last ruling"],
  ["a", "open the field for a new facet; Enter adds it, Esc leaves"],
  ["?", "show or hide these keys"],
];

function nextMark(mark) {
  const at = Math.max(CYCLE.indexOf(mark), 0);
  return CYCLE[(at + 1) % CYCLE.length];
}

// The command of a key; null where the key is not ours.
function command(event) {
  const { key, code = "", ctrlKey, metaKey, altKey, shiftKey } = event;
  if (key === "Enter" && (ctrlKey || metaKey) && !altKey) return { name: "next" };
  if (ctrlKey || metaKey || altKey) return null;
  const digit = /^[1-9]$/.test(key) ? key : !shiftKey && /^Digit[1-9]$/.test(code) ? code.slice(5) : "";
  if (digit) return { name: "cycle", at: Number(digit) - 1 };
  if (Object.hasOwn(MOVES, key)) return MOVES[key];
  const letter = key.toLowerCase();
  return Object.hasOwn(LETTERS, letter) ? LETTERS[letter] : null;
}

// What Ctrl+Enter does next: on the button, and in the line of keys.
function nextWords({ isAllMarked, isReady, isDone, hasNext }) {
  if (isReady && isDone) {
    return hasNext ? { main: "Next question", line: "next question" } : { main: "Every question is done", line: "" };
  }
  if (isReady) return { main: "Finish the pass · next question", line: "finish the pass" };
  if (isAllMarked && !isDone) return { main: "Nothing is open · finish the pass", line: "finish the pass" };
  if (isAllMarked) return { main: "Go on", line: "go on" };
  return { main: "The rest does not · go on", line: "the rest does not, go on" };
}

// What a key means in the field of a new facet: add it, leave, or nothing but typing. Each gives
// the keys back to the sheet. A letter that is still held down from opening the field is no name.
function fieldCommand(event, value) {
  if (event.isComposing) return null;
  if (event.key === "Escape") return "leave";
  if (event.key === "Enter") return value.trim() ? "add" : "leave";
  return event.repeat && !value && event.key.length === 1 ? "ignore" : null;
}

const NOT_TYPED = ["button", "checkbox", "radio", "range", "submit", "reset", "color", "file"];

// Whether what has the focus takes letters.
function isTyping(node) {
  if (!node || !node.tagName) return false;
  const tag = node.tagName.toUpperCase();
  if (tag === "INPUT") return !NOT_TYPED.includes(node.type);
  return tag === "TEXTAREA" || tag === "SELECT" || Boolean(node.isContentEditable);
}

// Whether an element outside the sheet wants the key for itself.
function isTaken(node, key) {
  if (!node || !node.closest) return false;
  if (node.closest("[role=dialog], [role=listbox], [role=menu], [role=combobox]")) return true;
  return key.startsWith("Arrow") && Boolean(node.closest("[role=tab], [role=slider], [role=radiogroup], [type=radio]"));
}

// Time of work: from one sign of life to the next, a pause counting as a minute at most.
class Clock {
  constructor(now) {
    this.now = now;
    this.spent = 0;
    this.last = now();
  }

  beat() {
    const at = this.now();
    this.spent += Math.min(at - this.last, IDLE_MS);
    this.last = at;
  }

  get seconds() {
    return this.spent / 1000;
  }

  take() {
    this.beat();
    const seconds = Math.round(this.spent) / 1000;
    this.spent = 0;
    return seconds;
  }
}
