// The columns: the rule, its numbers, a card a slot, and what left. Nodes are kept and refilled.

const TAIL = 8;
// Letters of what a number needs that stand beside its label in one line.
const ONE_LINE = 14;

class Column {
  constructor(board, number) {
    this.board = board;
    this.number = number;
    this.root = element("section", "column");
    this.head = new Head(board, number);
    this.numbers = element("table", "numbers");
    this.numbers.setAttribute("role", "table"); // said, since a narrow column lays it out as a list
    this.judged = element("span", "picks-judged");
    this.judged.title = "How many of the picks somebody judged; the others may cover more.";
    const caption = element("caption");
    caption.append(this.judged, element("span", "", number > 0 ? "vs top-k" : "\u00a0"));
    this.numbers.append(caption);
    this.body = element("tbody");
    this.numbers.append(this.body);
    this.rows = [];
    this.cards = [];
    this.list = element("div", "cards");
    this.list.setAttribute("role", "group");
    this.slot = 0;
    this.notes = element("div", "notes");
    this.together = element("p", "together");
    this.left = element("ul", "left");
    this.gone = [];
    const rest = element("div", "column-rest");
    rest.append(this.list, this.notes, this.together, this.left);
    this.root.append(this.head.root, this.numbers, rest);
  }

  column() {
    return this.board.data.columns[this.number];
  }

  // Everything that a new payload can change beside the selection.
  refresh() {
    const column = this.column();
    this.head.refresh(column);
    setText(this.head.room, this.settingText(this.board.widest()));
    this.root.setAttribute("aria-label", column.title);
    this.list.setAttribute("aria-label", `Passages of ${column.title}; arrow keys move between them`);
    const { measures } = this.board.data;
    if (this.rows.length !== measures.length) {
      this.rows = measures.map((measure) => this.row(measure));
      this.body.replaceChildren(...this.rows.map((row) => row.root));
    }
    // The same passage may have another colour, source or text now.
    const stays = (part) => this.board.same && part.index !== this.board.pinned;
    [...this.cards, ...this.gone].forEach((part) => {
      if (!stays(part)) part.index = -1;
    });
    this.shown = null;
  }

  row(measure) {
    const root = element("tr");
    root.setAttribute("role", "row");
    const label = element("th");
    label.scope = "row";
    label.setAttribute("role", "rowheader");
    const name = element("span", "", measure.label);
    name.title = measure.summary;
    label.append(name);
    const value = element("td", "value");
    const change = element("td", "change");
    [value, change].forEach((cell) => cell.setAttribute("role", "cell"));
    root.append(label, value, change);
    return { root, value, change };
  }

  show(selection) {
    const { data } = this.board;
    const column = this.column();
    setText(this.head.words, this.settingText(this.board.values));
    const settled = selection === column.settled && this.board.isSettled();
    const baseline = this.board.current[0];
    const seen = `${settled}/${selection}/${this.board.current.join(",")}`;
    if (seen === this.shown) return;
    this.shown = seen;
    const values = data.selections.values[selection];
    const base = data.selections.values[baseline];
    setText(this.judged, this.judgedText(selection));
    data.measures.forEach((measure, index) => {
      const row = this.rows[index];
      const value = column.lacks.length ? null : values[index];
      setText(row.value, this.valueText(measure, value));
      row.value.classList.toggle("undefined", value === null);
      row.value.classList.toggle("lengthy", row.value.textContent.length > ONE_LINE);
      row.value.colSpan = value === null ? 2 : 1;
      row.value.title = value === null && measure.needs.length ? `needs ${measure.needs.join(", ")}` : "";
      row.change.hidden = value === null;
      const both = this.number > 0 && value !== null && base[index] !== null;
      const scale = measure.of || 1;
      const decimals = measure.of ? 0 : measure.decimals;
      setText(row.change, both ? signed((value - base[index]) * scale, decimals) : "");
    });
    this.showCards(data.selections.picks[selection]);
    this.showLeft(selection, baseline, settled);
    const notes = settled ? column.notes : [];
    this.notes.replaceChildren(...notes.map((note) => element("p", "", note)));
  }

  settingText(values) {
    const { reads, extras, key, lacks } = this.column();
    if (lacks.length) return `needs ${lacks.join(", ")}`;
    const words = { lambda: `lambda ${axisText("lambda", values.lambda)}`, cap: `cap ${values.cap} per ${key}` };
    const parts = reads.filter((axis) => axis in words).map((axis) => words[axis]);
    return parts.concat(extras).join(", ") || (this.number > 0 ? "its own settings" : "the baseline");
  }

  valueText(measure, value) {
    if (this.column().lacks.length) return "–";
    if (value === null) return measure.needs.length ? `needs ${measure.needs[0]}` : "–";
    return measure.of ? `${Math.round(value * measure.of)} of ${measure.of}` : number(value, measure.decimals);
  }

  // Stands over the coverage that it qualifies.
  judgedText(selection) {
    const { measures, selections } = this.board.data;
    const judged = selections.judged[selection];
    const counts = measures.some((measure) => measure.of) && !this.column().lacks.length;
    return counts && judged !== null && judged < 1 ? `${Math.round(judged * 100)}% judged` : "";
  }

  showCards(picks) {
    while (this.cards.length < picks.length) {
      const card = new Card(this.board, this);
      this.cards.push(card);
      this.list.append(card.root);
    }
    this.cards.forEach((card, slot) => {
      card.root.hidden = slot >= picks.length;
      if (slot < picks.length) card.show(slot, picks[slot]);
      else card.index = -1;
    });
    this.list.classList.toggle("empty", picks.length === 0 && !this.column().lacks.length);
    this.stand(clamp(this.slot, 0, Math.max(picks.length - 1, 0)));
  }

  // One card of a column is in the tab order; the arrow keys move from card to card.
  stand(slot) {
    this.slot = slot;
    this.cards.forEach((card, at) => {
      const index = at === slot ? 0 : -1;
      if (card.root.tabIndex !== index) card.root.tabIndex = index;
    });
  }

  showLeft(selection, baseline, settled) {
    const { data } = this.board;
    const kept = this.board.members(selection);
    const ran = this.column().lacks.length === 0;
    const gone = data.selections.picks[baseline].filter((index) => ran && !kept.has(index));
    gone.sort((a, b) => a - b);
    const reasons = new Map(settled ? this.column().left : []);
    setText(this.together, settled ? this.column().together : "");
    while (this.gone.length < gone.length) {
      const item = new Gone(this.board);
      this.gone.push(item);
      this.left.append(item.root);
    }
    this.gone.forEach((item, place) => {
      item.root.hidden = place >= gone.length;
      if (place < gone.length) item.show(gone[place], reasons.get(gone[place]));
    });
  }

  state(index) {
    const { data, current } = this.board;
    if (this.number > 0) {
      if (this.board.marked(index) === "pinned") return ["pinned", true];
      return this.board.members(current[0]).has(index) ? ["kept", false] : ["entered", true];
    }
    const ran = data.columns.map((_, other) => other).filter((other) => other > 0 && !data.columns[other].lacks.length);
    const lost = ran.filter((other) => !this.board.members(current[other]).has(index));
    if (lost.length > 2) return [`left by ${lost.length === ran.length ? "all" : `${lost.length} of ${ran.length}`}`, false];
    if (lost.length === 2 && ran.length === 2) return ["left by both", false];
    return [lost.length ? `left by ${lost.map((other) => data.columns[other].title).join(" and ")}` : "kept by all", false];
  }
}

// A passage of plain top-k that a column does not have.
class Gone {
  constructor(board) {
    this.board = board;
    this.index = -1;
    this.root = element("li");
    this.name = element("b");
    this.reason = element("span");
    this.root.append(this.name, this.reason);
    board.link(this.root, () => this.index);
  }

  show(index, reason) {
    if (this.index !== index) {
      this.index = index;
      this.root.style.setProperty("--source", this.board.colour(index));
      setText(this.name, `rank ${index + 1} left`);
    }
    setText(this.reason, reason ? `: ${reason}` : "");
  }
}

class Card {
  constructor(board, column) {
    this.board = board;
    this.column = column;
    this.index = -1;
    this.slot = column.cards.length;
    this.root = element("article", "card");
    this.root.setAttribute("role", "button");
    this.root.tabIndex = -1;
    const head = element("header");
    this.source = element("b");
    this.name = element("span");
    this.tail = element("span", "tail");
    this.source.append(this.name, this.tail);
    this.rank = element("span");
    head.append(this.source, this.rank);
    this.text = element("p", "card-text");
    this.foot = element("footer");
    this.root.append(head, this.text, this.foot);
    board.link(this.root, () => this.index);
    this.root.addEventListener("focus", () => column.stand(this.slot));
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const { board, column, slot } = this;
    const steps = { ArrowDown: [0, 1], ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowLeft: [-1, 0] };
    if (event.key === "Enter" || event.key === " ") board.pin(this.index);
    else if (event.key in steps) {
      const [across, down] = steps[event.key];
      const other = board.columns[column.number + across];
      const card = other && other.cards[slot + down];
      if (card && !card.root.hidden) card.root.focus();
    } else return;
    event.preventDefault();
  }

  show(slot, index) {
    const { data } = this.board;
    const [word, entered] = this.column.state(index);
    if (this.index !== index) {
      this.index = index;
      this.root.style.setProperty("--source", this.board.colour(index));
      const score = data.candidates.score[index];
      setText(this.rank, `rank ${index + 1}${score === null ? "" : ` · ${score}`}`);
      this.showSource(slot, this.board.source(index));
      setText(this.text, this.board.text(index));
      this.said = null;
    }
    if (this.said !== word) {
      this.said = word;
      const state = element("span", entered ? "entered" : "state", word);
      state.title = word;
      this.foot.replaceChildren(...this.chips(), state);
    }
    this.mark();
  }

  // The end of a long name tells files apart, so the middle is what gives way.
  showSource(slot, source) {
    const letters = Array.from(source);
    const cut = letters.length > TAIL + 4 ? letters.length - TAIL : letters.length;
    setText(this.name, `${slot + 1} · ${letters.slice(0, cut).join("")}`);
    setText(this.tail, letters.slice(cut).join(""));
    this.source.title = source;
  }

  // One facet by name and how many more; all of them on a pinned card.
  chips() {
    const { data } = this.board;
    const labels = data.candidates.facets[this.index].map((facet) => data.facets[facet]);
    const chips = labels.map((label, at) => {
      const chip = element("span", at ? "facet further" : "facet", label);
      chip.title = label;
      return chip;
    });
    if (labels.length > 1) {
      const more = element("span", "facet more", `+${labels.length - 1}`);
      more.title = labels.slice(1).join("; ");
      chips.push(more);
    }
    return chips;
  }

  mark() {
    const { hot, pinned } = this.board;
    const isPinned = this.index >= 0 && this.index === pinned;
    this.root.classList.toggle("hot", this.index >= 0 && this.index === hot);
    this.root.classList.toggle("pinned", isPinned);
    this.root.setAttribute("aria-pressed", isPinned);
  }
}
