// The columns: numbers above, a card a slot, and what left. Nodes are kept and refilled.

class Column {
  constructor(board, number) {
    this.board = board;
    this.number = number;
    this.root = element("section", "column");
    const head = element("h3", "column-head");
    head.append(element("span", "column-ring", RING_MARKS[number]));
    this.title = element("span", "column-title");
    this.setting = element("small");
    head.append(this.title, this.setting);
    this.numbers = element("table", "numbers");
    this.body = element("tbody");
    this.numbers.append(this.body);
    this.rows = [];
    this.cards = [];
    this.list = element("div", "cards");
    this.notes = element("div", "notes");
    this.left = element("ul", "left");
    this.root.append(head, this.numbers, this.list, this.notes, this.left);
  }

  column() {
    return this.board.data.columns[this.number];
  }

  // Everything that a new payload can change beside the selection.
  refresh() {
    const column = this.column();
    setText(this.title, column.title);
    this.root.setAttribute("aria-label", column.title);
    this.title.title = column.summary;
    const { measures } = this.board.data;
    if (this.rows.length !== measures.length) {
      this.rows = measures.map((measure) => this.row(measure));
      this.body.replaceChildren(...this.rows.map((row) => row.root));
    }
    this.shown = null;
  }

  row(measure) {
    const root = element("tr");
    const label = element("th");
    label.scope = "row";
    const name = element("span", "", measure.label);
    name.title = measure.summary;
    label.append(name);
    const value = element("td", "value");
    const change = element("td", "change");
    root.append(label, value, change);
    return { root, value, change };
  }

  show(selection) {
    const { data } = this.board;
    const column = this.column();
    setText(this.setting, this.settingText());
    const values = data.selections.values[selection];
    const base = data.selections.values[this.board.current[0]];
    data.measures.forEach((measure, index) => {
      const row = this.rows[index];
      const value = values[index];
      setText(row.value, this.valueText(measure, index, value, selection));
      row.value.classList.toggle("undefined", value === null);
      const both = this.number > 0 && value !== null && base[index] !== null;
      const scale = measure.of || 1;
      const decimals = measure.of ? 0 : measure.decimals;
      setText(row.change, both ? signed((value - base[index]) * scale, decimals) : "");
    });
    const settled = selection === column.settled && this.board.isSettled();
    const baseline = this.board.current[0];
    const seen = `${selection}/${baseline}/${settled}/${this.board.current.join(",")}`;
    if (seen === this.shown) return;
    this.shown = seen;
    this.showCards(data.selections.picks[selection]);
    this.showLeft(selection, baseline, settled);
    const notes = settled ? column.notes : [];
    this.notes.replaceChildren(...notes.map((note) => element("p", "", note)));
  }

  settingText() {
    const { data, values } = this.board;
    const words = { lambda: `lambda ${axisText("lambda", values.lambda)}`, cap: `cap ${values.cap} per ${data.key}` };
    const parts = this.column().reads.map((axis) => words[axis]);
    return parts.concat(this.column().extras).join(", ") || "the baseline";
  }

  valueText(measure, index, value, selection) {
    if (value === null) return measure.needs ? `needs ${measure.needs}` : "undefined";
    if (!measure.of) return number(value, measure.decimals);
    const judged = this.board.data.selections.judged[selection];
    const share = judged !== null && judged < 1 ? ` · ${Math.round(judged * 100)}% judged` : "";
    return `${Math.round(value * measure.of)} of ${measure.of}${share}`;
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
    this.list.classList.toggle("empty", picks.length === 0);
  }

  showLeft(selection, baseline, settled) {
    const { data } = this.board;
    const kept = this.board.members(selection);
    const gone = data.selections.picks[baseline].filter((index) => !kept.has(index));
    const reasons = new Map(settled ? this.column().left : []);
    this.left.replaceChildren(
      ...gone.sort((a, b) => a - b).map((index) => {
        const item = element("li");
        item.style.setProperty("--source", this.board.colour(index));
        item.append(element("b", "", `rank ${index + 1} left`));
        const reason = reasons.get(index);
        item.append(document.createTextNode(reason ? `: ${reason}` : ""));
        this.board.link(item, () => index);
        return item;
      }),
    );
  }

  state(index) {
    const { data, current } = this.board;
    if (this.number > 0) {
      return this.board.members(current[0]).has(index) ? ["kept", false] : ["entered", true];
    }
    const lost = data.columns
      .filter((_, other) => other > 0 && !this.board.members(current[other]).has(index))
      .map((column) => column.title);
    return [lost.length ? `left by ${lost.join(" and ")}` : "kept by all", false];
  }
}

class Card {
  constructor(board, column) {
    this.board = board;
    this.column = column;
    this.index = -1;
    this.root = element("article", "card");
    this.root.tabIndex = 0;
    const head = element("header");
    this.source = element("b");
    this.rank = element("span");
    head.append(this.source, this.rank);
    this.text = element("p", "card-text");
    this.foot = element("footer");
    this.root.append(head, this.text, this.foot);
    board.link(this.root, () => this.index);
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        board.pin(this.index);
      }
    });
  }

  show(slot, index) {
    const { data } = this.board;
    const [word, entered] = this.column.state(index);
    if (this.index !== index) {
      this.index = index;
      this.root.style.setProperty("--source", this.board.colour(index));
      const score = data.candidates.score[index];
      setText(this.rank, `rank ${index + 1}${score === null ? "" : ` · ${score}`}`);
      this.source.title = this.board.source(index);
    }
    setText(this.source, `${slot + 1} · ${this.board.source(index)}`);
    setText(this.text, this.board.text(index));
    const facets = data.candidates.facets[index].map((facet) => {
      const chip = element("span", "facet", data.facets[facet]);
      chip.title = data.facets[facet];
      return chip;
    });
    this.foot.replaceChildren(...facets, element("span", entered ? "entered" : "", word));
    this.mark();
  }

  mark() {
    const { hot, pinned } = this.board;
    this.root.classList.toggle("hot", this.index >= 0 && this.index === hot);
    this.root.classList.toggle("pinned", this.index >= 0 && this.index === pinned);
  }
}
