// The head of a column: the rule it shows, what may be put there instead, and what the rule is.

const FOLLOWED = { lambda: "lambda", cap: "cap", depth: "pool depth", k: "k" };

class Head {
  constructor(board, number) {
    this.board = board;
    this.number = number;
    this.root = element("div", "column-top");
    const head = element("h3", "column-head");
    head.append(element("span", "column-ring", RING_MARKS[number]));
    // What the sliders move stands on what its longest words need, so that no drag moves the board.
    this.setting = element("span", "column-words");
    this.words = element("span");
    this.room = element("span", "column-room");
    this.room.setAttribute("aria-hidden", true);
    this.setting.append(this.room, this.words);
    this.grows = element("span", "column-grows");
    const line = element("div", "column-setting");
    line.append(this.setting, this.grows);
    this.title = element("span", "column-title");
    // Where nobody answers, the rules are the ones that there are.
    if (number > 0 && board.ask) head.append(...this.chooser());
    else head.append(this.title);
    if (number === 0 && board.ask) head.append(this.adder());
    this.stored = element("input", "column-stored");
    this.asks = element("label", "column-asks", "Stored sources ");
    this.asks.append(this.stored);
    this.field = element("select", "column-field");
    this.part = element("span");
    this.names = element("label", "column-asks");
    this.names.append(this.part, this.field);
    this.about = element("details", "column-about");
    this.summary = element("summary", "column-summary");
    this.more = element("div");
    this.about.append(this.summary, this.more);
    this.about.addEventListener("toggle", () => board.tell(this.about.open));
    this.root.append(head, line, this.asks, this.names, this.about);
    this.listen();
  }

  chooser() {
    this.select = element("select", "column-rule");
    this.select.setAttribute("aria-label", `Rule of column ${this.number + 1}`);
    this.select.addEventListener("change", () => this.board.choose(this.number, this.select.value));
    this.remove = element("button", "column-button", "×");
    this.remove.type = "button";
    this.remove.addEventListener("click", () => this.board.choose(this.number, null));
    return [this.select, this.remove];
  }

  adder() {
    this.add = element("button", "column-button column-add", "+ Column");
    this.add.type = "button";
    this.add.title = `Another rule beside these, up to ${RINGS.length} columns`;
    this.add.addEventListener("click", () => this.board.addColumn());
    return this.add;
  }

  listen() {
    this.stored.inputMode = "numeric";
    this.stored.maxLength = 9;
    this.stored.placeholder = "how many?";
    this.stored.title = "How many sources the whole store holds, beyond this pool";
    const give = () => {
      const text = this.stored.value.trim();
      const given = this.stored.dataset.given;
      if (/^[0-9]+$/.test(text) && text !== given) this.board.choose(this.number, this.named(Number(text), this.column.field));
      else this.stored.value = given;
    };
    this.stored.addEventListener("keydown", (event) => {
      if (event.key === "Enter") give();
    });
    this.stored.addEventListener("blur", give);
    this.field.addEventListener("change", () => {
      this.board.choose(this.number, this.named(this.column.stored, this.field.value || null));
    });
  }

  // The name of what the column shows, with a number and a field of its own.
  named(stored, field) {
    const number = stored === null ? "" : `:stored=${stored}`;
    return `${this.offered()}${number}${field === null ? "" : `:field=${encodeURIComponent(field)}`}`;
  }

  // The name under which the list offers what the column shows.
  offered() {
    const rules = this.board.rules();
    const rule = rules.length === this.board.data.columns.length ? rules[this.number] : this.board.data.columns[this.number].rule;
    const found = this.board.data.offers.find(({ name }) => rule === name || rule.startsWith(`${name}:`));
    return found ? found.name : rule;
  }

  refresh(column) {
    const { data } = this.board;
    this.column = column;
    if (this.select) {
      if (this.select.dataset.digest !== data.digest) this.list();
      this.select.value = this.offered();
      this.nameChosen();
      this.remove.hidden = data.columns.length < 3;
      this.remove.title = `Remove ${column.title}`;
      this.remove.setAttribute("aria-label", this.remove.title);
    } else setText(this.title, column.title);
    if (this.add) this.add.hidden = data.columns.length >= RINGS.length;
    this.setting.title = column.before;
    setText(this.grows, column.grows);
    this.grows.title = column.why;
    setText(this.summary, column.summary);
    this.summary.title = column.summary;
    this.asks.hidden = !column.asksStored || !this.board.ask;
    this.stored.dataset.given = column.stored === null ? "" : String(column.stored);
    if (this.stored.getRootNode().activeElement !== this.stored) this.stored.value = this.stored.dataset.given;
    this.names.hidden = !column.part || !this.board.ask;
    if (!this.names.hidden) this.listFields(column);
    const sliders = column.reads.map((axis) => FOLLOWED[axis]);
    const parts = [
      `Beside plain MMR: ${column.differs}`,
      column.trap && `Trap: ${column.trap}`,
      `Sliders that it follows: ${sliders.join(", ")}.`,
      `${column.grows[0].toUpperCase()}${column.grows.slice(1)}. ${column.why}`,
    ];
    this.more.replaceChildren(...parts.filter(Boolean).map((part) => element("p", "", part)));
  }

  list() {
    const { offers, digest } = this.board.data;
    this.select.dataset.digest = digest;
    const groups = ["Rules", "Presets"].map((kind) => {
      const group = element("optgroup");
      group.label = kind;
      offers.filter((offer) => offer.kind === kind).forEach(({ name, label, lacks, barred }) => {
        const asks = lacks.length > 0 && !barred;
        const needs = lacks.length ? ` · needs ${lacks.join(", ")}${asks ? " (name one)" : ""}` : "";
        const option = element("option", asks ? "asks" : "", `${label}${needs}`);
        [option.dataset.label, option.dataset.whole] = [label, option.textContent];
        option.value = name;
        option.disabled = barred;
        group.append(option);
      });
      return group;
    });
    this.select.replaceChildren(...groups);
  }

  // What stands in the column is its title; what it would need is said of the others.
  nameChosen() {
    [...this.select.options].forEach((option) => {
      setText(option, option.selected ? option.dataset.label : option.dataset.whole);
    });
  }

  // The fields that may play the part of the one that the preset's system reads.
  listFields({ part, field, usualField }) {
    const { fields } = this.board.data;
    setText(this.part, `Field for ${part}`);
    const foreign = field !== null && !fields.includes(field);
    const options = [["", usualField], ...fields.map((name) => [name, name])];
    if (foreign) options.push([field, `${field} (not in this pool)`]);
    const listed = JSON.stringify(options);
    if (this.field.dataset.listed !== listed) {
      this.field.dataset.listed = listed;
      this.field.replaceChildren(
        ...options.map(([name, label]) => {
          const option = element("option", "", label);
          option.value = name;
          return option;
        }),
      );
    }
    this.field.value = field === null ? "" : field;
  }
}
