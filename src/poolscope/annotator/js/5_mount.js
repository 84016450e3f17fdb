// How Streamlit runs the sheet: once when it appears, again whenever its data change.

const sheets = new WeakMap();
const reader = new TextDecoder();
const YEAR_SECONDS = 31536000;

// For the next visit, and for a server that was started anew: who works here, on which question.
function remember(name, value) {
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${YEAR_SECONDS}; samesite=strict`;
}

export default function mount(component) {
  const { data, parentElement, setStateValue, setTriggerValue } = component;
  let sheet = sheets.get(parentElement);
  if (!sheet) {
    const root = parentElement.querySelector(".sheet");
    sheet = new Sheet(root, (message) => setStateValue("strokes", message), (asked) => setTriggerValue("go", asked));
    sheets.set(parentElement, sheet);
  }
  sheet.update(JSON.parse(reader.decode(data)));
  return () => {
    sheet.close();
    sheets.delete(parentElement);
  };
}
