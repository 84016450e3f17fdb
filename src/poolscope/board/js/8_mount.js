// How Streamlit runs the board: once when it appears, again whenever its data change.

const boards = new WeakMap();
const reader = new TextDecoder();

export default function mount(component) {
  const { data, parentElement, setStateValue } = component;
  let board = boards.get(parentElement);
  if (!board) {
    board = new Board(parentElement.querySelector(".board"), (values) => setStateValue("setting", values));
    boards.set(parentElement, board);
  }
  board.update(JSON.parse(reader.decode(data)));
  return () => {
    board.close();
    boards.delete(parentElement);
  };
}
