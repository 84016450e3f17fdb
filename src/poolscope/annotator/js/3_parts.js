// Small pieces of the sheet: elements, facet rows, passage dots.

const GLYPHS = { supports: "✓", "does not": "–", "can't tell": "?", later: "…" };
const CHOICES = ["supports", "does not", "can't tell"];

function element(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function button(className, text, act, help) {
  const node = element("button", className, text);
  node.type = "button";
  if (help) node.title = help;
  node.addEventListener("click", act);
  return node;
}

function counted(number, word) {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

// The passage that is looked at, of this window alone and for a reload.
const LOOKED_AT = "poolscope-passage";

function lookedAt() {
  try {
    return window.sessionStorage.getItem(LOOKED_AT);
  } catch {
    return null;
  }
}

function look(spot) {
  if (lookedAt() === spot) return;
  try {
    window.sessionStorage.setItem(LOOKED_AT, spot);
  } catch {
    // without it a reload begins at the first open passage
  }
}

function span(seconds) {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

class FacetRow {
  constructor(sheet, number) {
    this.sheet = sheet;
    this.number = number;
    this.root = element("li", "facet");
    this.digit = element("kbd", "digit", number < 9 ? String(number + 1) : "");
    this.label = element("b", "facet-label");
    this.weight = element("span", "facet-weight");
    this.about = element("p", "facet-about");
    this.others = element("p", "facet-others");
    this.choices = CHOICES.map((mark) => {
      const node = button("choice", "", () => sheet.choose(number, mark));
      node.append(element("i", "glyph", GLYPHS[mark]), document.createTextNode(mark));
      return node;
    });
    const group = element("div", "choices");
    group.setAttribute("role", "group");
    this.state = element("span", "cell-state");
    group.append(...this.choices, this.state);
    const head = element("div", "facet-head");
    head.append(this.digit, this.label, this.weight);
    this.group = group;
    this.root.append(head, this.about, group, this.others);
    this.root.addEventListener("mousedown", () => sheet.pointAt(number));
  }

  show(facet, cell, others, isPointed) {
    const mark = cell ? cell.mark : null;
    setText(this.label, facet.label);
    setText(this.weight, facet.weight === "okay" ? "okay" : "");
    setText(this.about, facet.description);
    this.group.setAttribute("aria-label", facet.label);
    this.choices.forEach((node, at) => {
      const isOn = mark === CHOICES[at];
      node.classList.toggle("on", isOn);
      node.setAttribute("aria-pressed", String(isOn));
    });
    this.root.classList.toggle("pointed", isPointed);
    const said = { new: "saving", waiting: "saving", failed: "not saved", conflict: "changed elsewhere" }[cell && cell.state] || "";
    setText(this.state, [mark === "later" ? "later" : "", said].filter(Boolean).join(" · "));
    this.state.classList.toggle("bad", said !== "" && said !== "saving");
    setText(this.others, others.map(([name, their]) => `${name}: ${their}`).join(" · "));
  }
}

// One dot a passage: how far it is, at a glance.
class Dots {
  constructor(sheet) {
    this.sheet = sheet;
    this.root = element("div", "dots");
    this.root.setAttribute("aria-label", "Passages");
    this.nodes = [];
  }

  build(count) {
    this.nodes = Array.from({ length: count }, (_, at) => {
      const node = button("dot", "", () => this.sheet.goTo(at));
      node.tabIndex = -1;
      return node;
    });
    this.root.replaceChildren(...this.nodes);
  }

  show(states, current) {
    this.nodes.forEach((node, at) => {
      const name = `dot ${states[at]}${at === current ? " current" : ""}`;
      if (node.className === name) return;
      node.className = name;
      node.title = `Passage ${at + 1}: ${states[at]}`;
      node.setAttribute("aria-label", node.title);
    });
  }
}
