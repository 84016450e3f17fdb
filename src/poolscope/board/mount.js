// How Streamlit runs the board. The code of the board comes with the first message of a page, as
// what it draws does, and both are kept: what a release changes is all that is sent after.

const boards = new WeakMap();
const reader = new TextDecoder();
let code = "";
let loading = null;
let Board = null;

function load(text) {
  code = text;
  Board = null;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  loading = import(address).then((module) => {
    URL.revokeObjectURL(address);
    if (code === text) Board = module.Board;
  });
}

export default function mount(component) {
  const { data, parentElement, setStateValue, setTriggerValue } = component;
  const sent = JSON.parse(reader.decode(data));
  if (sent.code && sent.code !== code) load(sent.code);
  const held = boards.get(parentElement) || { board: null, last: null };
  boards.set(parentElement, held);
  held.last = sent;
  const draw = () => {
    if (held.last !== sent || boards.get(parentElement) !== held) return;
    if (!held.board) {
      const root = parentElement.querySelector(".board");
      const send = (values) => setStateValue("setting", values);
      held.board = new Board(root, send, (asked) => setTriggerValue("asked", asked));
    }
    held.board.update(sent);
  };
  if (Board) draw();
  else if (loading) loading.then(draw);
  else setTimeout(() => setTriggerValue("asked", { what: "scene", digest: sent.digest }));
  return () => {
    if (held.board) held.board.close();
    boards.delete(parentElement);
  };
}
