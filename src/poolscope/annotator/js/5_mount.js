// How Streamlit runs the sheet: once when it appears, again whenever its data change. A page has a
// second one without a question, which remembers who works where.

const sheets = new WeakMap();
const memories = new WeakMap();
const reader = new TextDecoder();
const YEAR_SECONDS = 31536000;

// For a reload, the next visit, and a server that was started anew. Tabs of one browser share what
// is remembered: each writes its own when it is about to be loaded again, and when it is used.
class Memory {
  constructor() {
    this.here = {};
    this.onUse = () => this.write();
    window.addEventListener("pagehide", this.onUse);
    window.addEventListener("focus", this.onUse);
  }

  update(here) {
    this.here = here;
    this.write();
  }

  write() {
    Object.entries(this.here).forEach(([name, value]) => {
      document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${YEAR_SECONDS}; samesite=strict`;
    });
  }

  close() {
    window.removeEventListener("pagehide", this.onUse);
    window.removeEventListener("focus", this.onUse);
  }
}

function remembering(parent, here) {
  let memory = memories.get(parent);
  if (!memory) {
    memory = new Memory();
    memories.set(parent, memory);
  }
  memory.update(here);
  return () => {
    if (parent.isConnected) return;
    memory.close();
    memories.delete(parent);
  };
}

// What it returns is called when the page is left, but also, and late, for data that newer ones have
// overtaken: then the sheet goes on, or its keys would be dead until the next answer.
export default function mount(component) {
  const { data, parentElement, setStateValue, setTriggerValue } = component;
  const given = JSON.parse(reader.decode(data));
  if (given.here) return remembering(parentElement, given.here);
  let sheet = sheets.get(parentElement);
  if (!sheet) {
    sheet = new Sheet(parentElement.querySelector(".sheet"));
    sheets.set(parentElement, sheet);
  }
  sheet.send = (message) => setStateValue("strokes", message);
  sheet.go = (asked) => setTriggerValue("go", asked);
  sheet.update(given);
  return () => {
    if (parentElement.isConnected) return;
    sheet.close();
    sheets.delete(parentElement);
  };
}
