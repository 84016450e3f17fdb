// How Streamlit runs the board: once when it appears, again whenever its data change.

const boards = new WeakMap();
const reader = new TextDecoder();

export default function mount(component) {
  const { data, parentElement, setStateValue, setTriggerValue } = component;
  let board = boards.get(parentElement);
  if (!board) {
    const root = parentElement.querySelector(".board");
    const send = (values) => setStateValue("setting", values);
    board = new Board(root, send, (asked) => setTriggerValue("asked", asked));
    boards.set(parentElement, board);
  }
  board.update(JSON.parse(reader.decode(data)));
  return () => {
    board.close();
    boards.delete(parentElement);
  };
}
