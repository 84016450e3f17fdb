// The board: holds the setting, looks selections up, and keeps every part in step.

const SETTLE_ANNOUNCE_MS = 400;
const ANSWER_MS = 5000;
const LEAST_COLUMN = 220; // as wide as a line of numbers needs, in pixels
const LONGEST_LAMBDA = 0.1234; // no other is written longer, and all digits are as wide

function differ(one, other) {
  return AXES.some((axis) => one[axis] !== other[axis]);
}

class Board {
  constructor(root, send, ask) {
    this.root = root;
    this.send = send;
    this.ask = ask;
    this.hot = -1;
    this.pinned = -1;
    this.litSource = -1;
    this.axis = "lambda";
    this.sets = new Map();
    this.widths = { strip: 0, map: 0, curve: 0 };
    this.sliders = AXES.map((axis) => new Slider(this, axis));
    this.strip = new Strip(this);
    this.map = new PoolMap(this);
    this.curve = new Curve(this);
    this.held = new HeldBar(this);
    this.columns = [];
    this.card = element("div", "hover-card");
    this.card.hidden = true;
    this.live = element("div", "announce");
    this.live.setAttribute("aria-live", "polite");
    const controls = element("div", "controls");
    controls.append(...this.sliders.map((slider) => slider.root));
    this.lists = element("div", "columns");
    const aside = element("div", "aside");
    aside.append(this.map.root, this.curve.root);
    const body = element("div", "body");
    body.append(this.lists, aside);
    root.replaceChildren(controls, this.strip.root, body, this.held.root, this.card, this.live);
    // Plain letters typed on a card must not reach the page's own shortcuts.
    root.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
    });
    this.escape = (event) => {
      if (event.key === "Escape" && this.pinned >= 0) this.pin(this.pinned);
    };
    document.addEventListener("keydown", this.escape, true);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(root);
  }

  update(sent) {
    const data = this.completed(sent);
    if (!data) return;
    const other = !this.data || this.data.digest !== data.digest;
    const held = other ? undefined : this.sliders.find((slider) => slider.held || slider.pending);
    const before = this.values;
    // A release changes what is selected; what the pool looks like mostly stays as it is drawn.
    this.same = !other && this.data.scene === data.scene;
    this.data = data;
    this.sets.clear();
    this.carded = -1;
    if (!this.same) {
      this.groups = data.palette.map(() => []);
      data.candidates.colour.forEach((number, index) => this.groups[number].push(index));
      Object.entries(data.theme).forEach(([name, value]) => this.root.style.setProperty(`--board-${name}`, value));
    }
    if (other || !this.awaits(data)) this.sent = null;
    // An answer to an earlier release does not undo a later one, nor what is being moved.
    this.values = { ...(this.sent || data.setting) };
    if (held) this.values[held.axis] = clamp(before[held.axis], ...data.ranges[held.axis]);
    if (other) {
      [this.pinned, this.hot, this.axis] = [-1, -1, "lambda"];
      this.held.leave(false);
    }
    this.relaid = this.columns.length !== data.columns.length;
    if (this.relaid) {
      this.root.classList.toggle("many", data.columns.length > 3);
      this.pack();
      this.columns = data.columns.map((_, number) => new Column(this, number));
      this.lists.replaceChildren(...this.columns.map((column) => column.root));
    }
    const moved = AXES.filter((axis) => this.values[axis] !== data.setting[axis]);
    if (moved.length < 2) this.look(moved[0] || this.axis);
    else this.current = data.columns.map((column) => column.settled);
    this.columns.forEach((column) => column.refresh());
    if (!this.same || this.relaid) this.measure();
    this.sliders.forEach((slider) => slider.refresh());
    this.strip.refresh();
    this.map.refresh();
    this.curve.refresh();
    this.columns.forEach((column, number) => column.show(this.current[number]));
    this.held.mark();
    this.strip.describe();
    this.root.classList.toggle("waiting", moved.length > 1);
    this.root.dataset.settled = this.isSettled();
  }

  // What stands still is sent once; what comes later names it, and brings what changed.
  completed(sent) {
    const { cards, whole } = sent.candidates;
    if (!cards) return sent;
    if (!this.data || this.data.scene !== sent.scene) {
      setTimeout(() => this.ask({ what: "scene", digest: sent.digest }));
      return null;
    }
    const text = [...this.data.candidates.text];
    Object.entries(cards).forEach(([index, card]) => {
      text[index] = card;
    });
    return { ...this.data, ...sent, candidates: { ...this.data.candidates, text, whole } };
  }

  // Whether an answer to a later release than this one is still to come.
  awaits(data) {
    return this.sent && performance.now() - this.sentAt < ANSWER_MS && differ(this.sent, data.setting);
  }

  // Whether a lookup is allowed: the paths hold while only one parameter has left the setting.
  answers(axis) {
    return AXES.every((name) => name === axis || this.values[name] === this.data.setting[name]);
  }

  isSettled() {
    return !differ(this.values, this.data.setting);
  }

  // A setting that takes as much room as any that the sliders reach.
  widest() {
    return { ...this.values, lambda: LONGEST_LAMBDA, cap: this.data.ranges.cap[1] };
  }

  look(axis) {
    this.current = this.data.columns.map((column) => selectionAt(column, axis, this.values[axis]));
  }

  set(axis, value) {
    if (this.values[axis] === value) return;
    this.values[axis] = value;
    this.axis = axis;
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = null;
      this.show();
    });
  }

  show() {
    const { axis } = this;
    this.sliders.forEach((slider) => slider.show());
    this.root.dataset.settled = this.isSettled();
    if (!this.answers(axis)) {
      this.root.classList.add("waiting");
      return;
    }
    this.look(axis);
    this.columns.forEach((column, number) => column.show(this.current[number]));
    if (axis === "depth") {
      this.strip.draw();
      this.map.draw();
    } else {
      this.strip.drawMarks();
      this.map.drawRings();
    }
    this.curve.show();
    this.announce();
  }

  commit() {
    if (!differ(this.values, this.sent || this.data.setting)) return;
    this.sent = { ...this.values };
    this.sentAt = performance.now();
    this.send(this.sent);
  }

  announce() {
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() => {
      const parts = this.columns.slice(1).map((column) => {
        const rows = column.rows.slice(0, 2).map((row, index) => `${this.data.measures[index].label} ${row.value.textContent}`);
        return `${column.column().title}: ${rows.join(", ")}`;
      });
      setText(this.live, parts.join(". "));
      this.strip.describe();
    }, SETTLE_ANNOUNCE_MS);
  }

  // Put another rule into a column; null takes the column away.
  choose(number, rule) {
    const rules = [...this.rules()];
    rules.splice(number, 1, ...(rule === null ? [] : [rule]));
    this.wanted = { rules, digest: this.data.digest, at: performance.now() };
    this.ask({ what: "columns", rules: rules.slice(1), digest: this.data.digest });
  }

  // The rules of the columns, as they were last asked for while the answer is still to come.
  rules() {
    const shown = this.data.columns.map((column) => column.rule);
    const { wanted } = this;
    const waits = wanted && wanted.digest === this.data.digest && performance.now() - wanted.at < ANSWER_MS;
    if (!waits || wanted.rules.join() === shown.join()) this.wanted = null;
    return this.wanted ? wanted.rules : shown;
  }

  // The first rule that no column shows and this pool can serve.
  addColumn() {
    const rules = this.rules();
    const next = this.data.offers.find(({ name, lacks }) => !rules.includes(name) && !lacks.length);
    if (next && rules.length < RINGS.length) this.choose(rules.length, next.name);
  }

  // What the rules are is told of all of them or of none, so that they stay in line.
  tell(open) {
    this.columns.forEach(({ head }) => {
      head.about.open = open;
    });
  }

  // Values at which some column shows another selection, in rising order.
  breaks(axis) {
    const found = new Set();
    this.data.columns.forEach((column) => column.paths[axis].breaks.forEach((value) => found.add(value)));
    return [...found].sort((a, b) => a - b);
  }

  members(selection) {
    if (!this.sets.has(selection)) this.sets.set(selection, new Set(this.data.selections.picks[selection]));
    return this.sets.get(selection);
  }

  entry(index) {
    return this.data.palette[this.data.candidates.colour[index]];
  }

  colour(index) {
    return this.entry(index).colour;
  }

  // Fill what add adds to the path for each candidate, one path a colour: those beyond the depth
  // faded and below, the commonest source on top.
  paint(context, depth, faded, add) {
    const { palette } = this.data;
    [false, true].forEach((within) => {
      context.globalAlpha = within ? 1 : faded;
      for (let number = palette.length - 1; number >= 0; number -= 1) {
        context.fillStyle = palette[number].colour;
        context.beginPath();
        this.groups[number].forEach((index) => {
          if (index < depth === within) add(index, palette[number]);
        });
        context.fill();
      }
    });
    context.globalAlpha = 1;
  }

  source(index) {
    return this.data.sources[this.data.candidates.source[index]];
  }

  // The whole passage of a pinned pick, where the payload holds it; else its beginning.
  text(index) {
    const whole = index === this.pinned ? this.data.candidates.whole[index] : undefined;
    return whole !== undefined ? whole : this.data.candidates.text[index];
  }

  // The pick that keeps a candidate out by likeness, in the last column that weighs it.
  blocker(index) {
    if (!this.isSettled()) return null;
    for (let number = this.columns.length - 1; number > 0; number -= 1) {
      const column = this.data.columns[number];
      if (column.blockers && column.blockers[index] >= 0 && !this.members(this.current[number]).has(index)) {
        return { index: column.blockers[index], likeness: column.likeness, value: column.cosines[index] };
      }
    }
    return null;
  }

  lit() {
    return this.hot >= 0 ? this.hot : this.pinned;
  }

  // Light a passage up everywhere while the pointer or the focus is on an element.
  link(node, index) {
    node.addEventListener("pointerenter", () => this.light(index()));
    node.addEventListener("pointerleave", () => this.light(-1));
    node.addEventListener("focus", () => this.light(index()));
    node.addEventListener("blur", () => this.light(-1));
    node.addEventListener("click", () => this.pin(index()));
  }

  linkSource(node, number) {
    node.addEventListener("pointerenter", () => this.lightSource(number));
    node.addEventListener("pointerleave", () => this.lightSource(-1));
  }

  lightSource(number) {
    this.litSource = number;
    this.map.drawRings();
  }

  // A canvas on which passages are found by position; dragging may pan it.
  area(frame, find, pan) {
    let from = null;
    let moved = false;
    frame.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      from = [event.clientX, event.clientY];
      moved = false;
      frame.setPointerCapture(event.pointerId);
    });
    frame.addEventListener("pointermove", (event) => {
      if (from && pan) {
        const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
        if (moved || Math.hypot(dx, dy) > 4) {
          moved = true;
          from = [event.clientX, event.clientY];
          pan(dx, dy);
          return;
        }
      }
      const box = frame.getBoundingClientRect();
      const index = find(event.clientX - box.left, event.clientY - box.top);
      this.light(index);
      this.hover(index, event);
    });
    frame.addEventListener("pointercancel", () => {
      from = null;
    });
    frame.addEventListener("pointerup", (event) => {
      const box = frame.getBoundingClientRect();
      const index = find(event.clientX - box.left, event.clientY - box.top);
      if (from && !moved && index >= 0) this.pin(index);
      from = null;
    });
    frame.addEventListener("pointerleave", () => {
      this.light(-1);
      this.hover(-1);
    });
  }

  light(index) {
    if (this.hot === index) return;
    this.hot = index;
    this.mark();
  }

  // What a person decided about a passage by hand, if anything.
  marked(index) {
    return Object.keys(MARKS).find((mark) => this.data.marked[mark].includes(index));
  }

  // Ask Python to do something about a passage.
  act(what, index) {
    if (what === "explain") this.held.leave(true);
    this.ask({ what, index, digest: this.data.digest });
  }

  pin(index) {
    this.pinned = this.pinned === index ? -1 : index;
    this.columns.forEach((column) => {
      column.cards.forEach((card) => {
        if (card.index >= 0) setText(card.text, this.text(card.index));
      });
    });
    this.mark();
  }

  mark() {
    this.columns.forEach((column) => column.cards.forEach((card) => card.mark()));
    this.held.mark();
    this.strip.drawMarks();
    this.map.drawRings();
  }

  hover(index, event) {
    this.card.hidden = index < 0;
    if (index < 0) return;
    if (this.carded !== index || !this.isSettled()) {
      this.carded = index;
      this.fill(index);
    }
    const box = this.root.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const { offsetWidth: wide, offsetHeight: high } = this.card;
    this.card.style.left = `${clamp(x + 14, 0, Math.max(box.width - wide, 0))}px`;
    this.card.style.top = `${y + 18 + high > box.height ? y - high - 12 : y + 18}px`;
  }

  fill(index) {
    const { candidates, facets, columns } = this.data;
    const score = candidates.score[index];
    const head = element("header");
    head.append(
      element("b", "", this.source(index)),
      element("span", "", `rank ${index + 1}${score === null ? "" : ` · ${score}`}`),
    );
    const lines = columns.map((column, number) => {
      const inside = this.members(this.current[number]).has(index);
      const cause = this.isSettled() && !inside ? `: ${this.data.causes[column.causes[index]] || "out"}` : "";
      return element("li", "", `${RING_MARKS[number]} ${column.title}: ${inside ? "in" : `out${cause}`}`);
    });
    const list = element("ul");
    list.append(...lines);
    const parts = [head, element("p", "", candidates.text[index])];
    const supports = candidates.facets[index].map((facet) => facets[facet]);
    if (supports.length) parts.push(element("p", "supports", `supports: ${supports.join("; ")}`));
    this.card.style.setProperty("--source", this.colour(index));
    this.card.replaceChildren(...parts, list);
  }

  // Reading a width makes the browser lay the page out, so it is not done while a slider is held.
  measure() {
    const width = (part) => part.frame.clientWidth;
    this.widths = { strip: width(this.strip), map: width(this.map), curve: width(this.curve) };
    this.sliders.forEach((slider) => slider.measure());
  }

  // Whether the columns have to be narrow; by the width last told of, so that nothing is read.
  pack() {
    const count = this.data.columns.length;
    this.root.classList.toggle("narrow", count > 3 && this.wide < count * LEAST_COLUMN);
  }

  resize() {
    const wide = this.root.clientWidth;
    if (wide === this.wide || !this.data) return;
    this.wide = wide;
    this.pack();
    this.measure();
    this.sliders.forEach((slider) => slider.draw());
    this.strip.draw();
    this.map.draw();
    this.curve.refresh();
  }

  close() {
    this.observer.disconnect();
    document.removeEventListener("keydown", this.escape, true);
    clearTimeout(this.announcing);
    if (this.frame) cancelAnimationFrame(this.frame);
  }
}
