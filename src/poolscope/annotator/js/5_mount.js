// How Streamlit runs the sheet: once when it appears, again whenever its data change. Before there
// is a question it is given a name alone, to remember.

const sheets = new WeakMap();
const reader = new TextDecoder();
const YEAR_SECONDS = 31536000;

// For the next visit, and for a server that was started anew: who works here, on which question.
function remember(name, value) {
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${YEAR_SECONDS}; samesite=strict`;
}

export default function mount(component) {
  const { data, parentElement, setStateValue, setTriggerValue } = component;
  const given = JSON.parse(reader.decode(data));
  if (!given.question) {
    remember("poolscope_annotator", given.who);
    return undefined;
  }
  let sheet = sheets.get(parentElement);
  if (!sheet) {
    const root = parentElement.querySelector(".sheet");
    sheet = new Sheet(root, (message) => setStateValue("strokes", message), (asked) => setTriggerValue("go", asked));
    sheets.set(parentElement, sheet);
  }
  sheet.update(given);
  return () => {
    sheet.close();
    sheets.delete(parentElement);
  };
}
