// How Streamlit runs the board. The code of the board comes with the first message of a page, as
// what it draws does, and both are kept: what a release changes is all that is sent after.

const boards = new WeakMap();
const reader = new TextDecoder();
const NOT_LOADED = "The board's code could not be loaded; move a setting or load the page again. "
  + "The page's other parts work without it.";
let code = "";
let loading = null;
let Board = null;

function load(text) {
  code = text;
  Board = null;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  loading = import(address).then(
    (module) => {
      if (code === text) Board = module.Board;
    },
    (error) => {
      if (code === text) {  // the next message asks for the code again
        code = "";
        loading = null;
      }
      throw error;
    },
  ).finally(() => URL.revokeObjectURL(address));
}

export default function mount(component) {
  const { data, parentElement, setStateValue, setTriggerValue } = component;
  const sent = JSON.parse(reader.decode(data));
  if (sent.code && sent.code !== code) load(sent.code);
  const held = boards.get(parentElement) || { board: null, last: null };
  boards.set(parentElement, held);
  held.last = sent;
  const isLate = () => held.last !== sent || boards.get(parentElement) !== held;
  const root = parentElement.querySelector(".board");
  const draw = () => {
    if (isLate()) return;
    if (!held.board) {
      const send = (values) => setStateValue("setting", values);
      held.board = new Board(root, send, (asked) => setTriggerValue("asked", asked));
    }
    held.board.update(sent);
  };
  const fail = () => {
    if (!isLate() && !held.board) root.textContent = NOT_LOADED;
  };
  if (Board) draw();
  else if (loading) loading.then(draw, fail);
  else setTimeout(() => setTriggerValue("asked", { what: "scene", digest: sent.digest }));
  return () => {  // called, late, for data that newer ones have overtaken too
    if (parentElement.isConnected) return;
    if (held.board) held.board.close();
    boards.delete(parentElement);
  };
}
