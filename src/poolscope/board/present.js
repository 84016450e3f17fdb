// The view for a room: one question, before and after, one number each. It reads the same payload
// as the board and looks the same paths up; nothing that is moved here leaves the browser.

const PLAY_SECONDS = 7;
const HOLD_MS = 900;
const IDLE_MS = 4000;
// Picks from which a name stands alone; rows of a column, and columns, that can be read across a room.
const MANY = 6;
const ROWS = 12;
const COLUMNS = 3;
const STRIP = { bar: 34, mark: 13, above: 24 };
// What has its own use for the keys.
const BUSY = "input, textarea, select, [contenteditable=true], [role=slider], [role=combobox], [role=listbox], [role=menu], [role=radiogroup], [role=tablist], [role=dialog]";
const MOVED = { lambda: "Lambda", cap: "Cap" };

class Talk {
  constructor(root, turn) {
    this.root = root;
    this.turn = turn;
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.place = element("p", "talk-place");
    this.question = element("h1", "talk-question");
    this.sides = ["before", "after"].map((name) => this.side(name));
    this.dial = this.track();
    this.strip = element("canvas", "talk-strip");
    this.strip.setAttribute("role", "img");
    this.live = element("p", "announce");
    this.live.setAttribute("aria-live", "polite");
    this.foot = element("div", "talk-foot");
    this.buttons = [
      this.button("Previous question", "←", () => this.go(-1)),
      this.button("Next question", "→", () => this.go(1)),
      this.button("Play", "Space", () => this.play()),
      this.button("Full screen", "F", () => this.fill()),
    ];
    this.hint = element("span", "talk-hint", "↑ ↓ step");
    this.chosen = element("span", "talk-hint");
    this.note = element("p", "talk-note");
    this.foot.append(...this.buttons, this.hint, this.chosen);
    const body = element("div", "talk-body");
    body.append(...this.sides.map((side) => side.root));
    root.tabIndex = 0;
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", "Presentation; left and right change the question, up and down step, space plays, f fills the screen");
    root.replaceChildren(this.place, this.question, body, this.note, this.dial.root, this.strip, this.foot, this.live);
    this.pressed = (event) => this.key(event);
    document.addEventListener("keydown", this.pressed, true);
    this.stir = () => this.wake();
    root.addEventListener("pointermove", this.stir);
    this.observer = new ResizeObserver(() => this.drawStrip());
    this.observer.observe(root);
  }

  side(name) {
    const root = element("section", `talk-side ${name}`);
    const title = element("h2", "talk-title");
    const figure = element("p", "talk-figure");
    const number = element("b");
    const label = element("span");
    figure.append(number, label);
    const cost = element("p", "talk-cost");
    const list = element("ol", "talk-list");
    const more = element("p", "talk-more");
    root.append(title, figure, cost, list, more);
    return { root, title, number, label, cost, list, more, rows: [] };
  }

  track() {
    const root = element("div", "talk-dial");
    const word = element("b", "talk-word");
    const rail = element("div", "talk-rail");
    const ticks = element("canvas", "talk-ticks");
    const thumb = element("i", "talk-thumb");
    rail.append(ticks, thumb);
    const ends = [element("span"), element("span")];
    root.append(word, ends[0], rail, ends[1]);
    return { root, word, rail, ticks, thumb, ends };
  }

  button(label, key, act) {
    const button = element("button", "talk-button");
    button.type = "button";
    button.append(element("kbd", "", key), document.createTextNode(label));
    button.addEventListener("click", act);
    return button;
  }

  update(data) {
    const other = !this.data || this.data.digest !== data.digest || this.data.rule !== data.rule;
    this.data = data;
    this.stop();
    Object.entries(data.theme).forEach(([name, value]) => this.root.style.setProperty(`--board-${name}`, value));
    this.axis = ["lambda", "cap"].find((axis) => data.columns[1].reads.includes(axis) && data.columns[1].paths[axis].highs.length > 1) || null;
    if (other || this.axis === null) this.value = this.axis ? data.setting[this.axis] : null;
    setText(this.place, this.placeText());
    setText(this.chosen, this.chosenText());
    setText(this.note, this.noteText());
    setText(this.question, data.talk.question);
    this.root.classList.toggle("long", data.talk.question.length > 90);
    const alone = data.talk.count < 2 && data.talk.place >= 0;
    this.buttons[0].hidden = this.buttons[1].hidden = alone;
    this.buttons[0].disabled = data.talk.place <= 0;
    this.buttons[1].disabled = data.talk.place >= data.talk.count - 1;
    this.buttons[2].hidden = this.hint.hidden = this.dial.root.hidden = !this.axis;
    this.drawTicks();
    this.show();
    this.wake();
  }

  placeText() {
    const { place, count } = this.data.talk;
    if (place < 0) return `Not among the ${count === 1 ? "question" : `${count} questions`} chosen`;
    return count > 1 ? `Question ${place + 1} of ${count}` : "";
  }

  // Left and right go over the chosen questions only: how many those are is said.
  chosenText() {
    const { count, of } = this.data.talk;
    return count < of ? `${count} of ${of} questions chosen: more under Prepare` : "";
  }

  // What the rule lacks, or why there is nothing to move.
  noteText() {
    const { note, lacks } = this.data.talk;
    if (note || this.axis || lacks.length) return note;
    return `${this.data.columns[1].title}: no step of lambda or cap changes it here.`;
  }

  number(column) {
    const { axis, value, data } = this;
    return axis ? selectionAt(data.columns[column], axis, value) : data.columns[column].settled;
  }

  show() {
    const { data } = this;
    this.current = [data.columns[0].settled, this.number(1)];
    this.current.forEach((selection, number) => this.showSide(number, selection));
    this.showDial();
    this.drawStrip();
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() => setText(this.live, this.said()), HOLD_MS);
  }

  said() {
    return this.sides.map(({ title, number, label, cost }) => {
      return `${title.textContent}: ${number.textContent} ${label.textContent}${cost.textContent && `, ${cost.textContent}`}`;
    }).join(". ");
  }

  measured(name, selection) {
    const place = this.data.measures.findIndex((measure) => measure.name === name);
    return { measure: this.data.measures[place], value: this.data.selections.values[selection][place] };
  }

  // Facets where there are any; else how many sources the slots hold.
  figure(selection, picks) {
    const { measure, value } = this.measured("facet_coverage", selection);
    if (measure.of && value !== null) return [`${Math.round(value * measure.of)} of ${measure.of}`, `${measure.of === 1 ? "facet" : "facets"} covered`];
    const sources = this.measured("distinct_sources", selection).value;
    const slots = picks.length === 1 ? "slot" : "slots";
    return [number(sources, 0), `${sources === 1 ? "source" : "sources"} in ${picks.length} ${slots}`];
  }

  cost(selection) {
    const { measure, value } = this.measured("mean_relevance", selection);
    return value === null ? "" : `mean relevance ${number(value, measure.decimals)}`;
  }

  showSide(at, selection) {
    const side = this.sides[at];
    const picks = this.data.selections.picks[selection];
    const before = new Set(this.data.selections.picks[this.current[0]]);
    const lacks = at ? this.data.talk.lacks : [];
    const [figure, label] = lacks.length ? ["–", `needs ${lacks.join(", ")}`] : this.figure(selection, picks);
    setText(side.title, `${at ? "After" : "Before"}: ${this.data.columns[at].title}`);
    setText(side.number, figure);
    setText(side.label, label);
    setText(side.cost, lacks.length ? "" : this.cost(selection));
    side.list.classList.toggle("many", picks.length > MANY);
    const columns = clamp(Math.ceil(picks.length / ROWS), 1, COLUMNS);
    const shown = Math.min(picks.length, columns * ROWS);
    side.list.style.setProperty("--columns", columns);
    side.list.style.setProperty("--rows", Math.max(Math.ceil(shown / columns), 1));
    setText(side.more, shown < picks.length ? `and ${picks.length - shown} more` : "");
    while (side.rows.length < shown) {
      const row = element("li");
      const name = element("b");
      const text = element("span");
      row.append(name, text);
      side.rows.push({ row, name, text });
      side.list.append(row);
    }
    side.rows.forEach(({ row, name, text }, slot) => {
      row.hidden = slot >= shown;
      if (row.hidden) return;
      const index = picks[slot];
      row.style.setProperty("--source", this.entry(index).colour);
      row.classList.toggle("entered", at === 1 && !before.has(index));
      setText(name, this.data.sources[this.data.candidates.source[index]]);
      setText(text, this.data.candidates.text[index]);
    });
  }

  entry(index) {
    return this.data.palette[this.data.candidates.colour[index]];
  }

  ends() {
    return this.data.ranges[this.axis];
  }

  share(value) {
    const [low, high] = this.ends();
    return high > low ? (value - low) / (high - low) : 0;
  }

  showDial() {
    if (!this.axis) return;
    setText(this.dial.word, `${MOVED[this.axis]} ${this.axis === "lambda" ? this.value.toFixed(2) : this.value}`);
    this.dial.thumb.style.left = `${100 * this.share(this.value)}%`;
    const words = this.axis === "lambda" ? ["difference only", "relevance only"] : this.ends().map(String);
    words.forEach((word, end) => setText(this.dial.ends[end], word));
  }

  drawTicks() {
    const width = this.dial.rail.clientWidth;
    if (!this.axis || !width) return;
    const context = fitted(this.dial.ticks, width, 12);
    context.fillStyle = this.data.theme.quiet;
    this.breaks().forEach((value) => context.fillRect(Math.round(width * this.share(value)), 0, 1, 12));
  }

  breaks() {
    const path = this.data.columns[1].paths[this.axis];
    return this.axis === "lambda" ? path.breaks : path.highs.slice(0, -1);
  }

  drawStrip() {
    const { data } = this;
    const width = this.strip.parentElement ? this.root.clientWidth - 2 * parseFloat(getComputedStyle(this.root).paddingLeft) : 0;
    if (!data || width <= 0) return;
    if (width !== this.wide) {
      this.wide = width;
      this.drawTicks();
    }
    const context = fitted(this.strip, width, STRIP.above + STRIP.bar + STRIP.above);
    const step = width / Math.max(data.n, 1);
    const gap = step > 6 ? 2 : step > 2.5 ? 0.6 : 0;
    for (let index = 0; index < data.n; index += 1) {
      context.globalAlpha = index < data.setting.depth ? 1 : 0.25;
      context.fillStyle = this.entry(index).colour;
      context.fillRect(index * step, STRIP.above, Math.max(step - gap, 0.4), STRIP.bar);
    }
    context.globalAlpha = 1;
    const before = new Set(data.selections.picks[this.current[0]]);
    const size = clamp(step / 2.6, 4, 7);
    this.current.forEach((selection, at) => {
      data.selections.picks[selection].forEach((index) => {
        const x = clamp((index + 0.5) * step, size + 1, width - size - 1);
        const y = at ? STRIP.above + STRIP.bar + STRIP.mark : STRIP.mark - 1;
        context.fillStyle = at && !before.has(index) ? data.theme.accent : data.theme.ink;
        trace(context, at ? "diamond" : "circle", x, y, size);
        context.fill();
      });
    });
    const ranks = this.current.map((selection) => data.selections.picks[selection].map((index) => index + 1).join(", ") || "nothing");
    this.strip.setAttribute("aria-label", `The pool of ${data.n} in rank order: before ranks ${ranks[0]}; after ranks ${ranks[1]}`);
  }

  go(step) {
    const { place, count } = this.data.talk;
    const next = place + step;
    if (next >= 0 && next < count) this.turn({ to: next, from: place });
  }

  // To the middle of the next stretch over which another selection stands.
  step(way) {
    if (!this.axis) return;
    this.stop();
    const [low, high] = this.ends();
    if (this.axis === "cap") {
      this.value = clamp(this.value + way, low, high);
    } else {
      const edges = [low, ...this.breaks(), high];
      let stretch = 0;
      while (stretch < edges.length - 2 && this.value > edges[stretch + 1]) stretch += 1;
      stretch += way;
      if (stretch < 0) this.value = low;
      else if (stretch > edges.length - 2) this.value = high;
      else this.value = (edges[stretch] + edges[stretch + 1]) / 2;
    }
    this.show();
  }

  // From plain top-k to the setting; without motion, one step at a time.
  play() {
    if (!this.axis) return;
    if (this.playing) {
      this.stop();
      return;
    }
    const [, high] = this.ends();
    const target = this.data.setting[this.axis];
    if (this.still.matches) {
      if (this.value <= target) {
        this.value = high;
        this.show();
      } else this.step(-1);
      return;
    }
    const from = this.value > target ? this.value : high;
    const began = performance.now() + HOLD_MS;
    const lasts = 1000 * PLAY_SECONDS * Math.max(from - target, 0.01) / Math.max(high - target, 0.01);
    const frame = (now) => {
      const share = clamp((now - began) / lasts, 0, 1);
      const value = from + (target - from) * share;
      this.value = share === 1 ? target : this.axis === "cap" ? Math.round(value) : value;
      this.show();
      this.playing = share < 1 ? requestAnimationFrame(frame) : null;
      this.root.classList.toggle("playing", share < 1);
    };
    this.root.classList.add("playing");
    this.playing = requestAnimationFrame(frame);
  }

  stop() {
    if (this.playing) cancelAnimationFrame(this.playing);
    this.playing = null;
    this.root.classList.remove("playing");
  }

  fill() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.root.requestFullscreen().catch(() => {});
  }

  // The hints are there while somebody reaches for them.
  wake() {
    this.root.classList.remove("idle");
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.root.classList.add("idle"), IDLE_MS);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [at] = event.composedPath();
    if (at.closest && at.closest(BUSY)) return;
    const acts = {
      ArrowRight: () => this.go(1), PageDown: () => this.go(1), ArrowLeft: () => this.go(-1), PageUp: () => this.go(-1),
      ArrowUp: () => this.step(1), ArrowDown: () => this.step(-1), f: () => this.fill(), F: () => this.fill(),
    };
    const acted = at.closest && at.closest("button, summary, [role=button], [role=switch]");
    if (event.key === " " && !acted) acts[" "] = () => this.play();
    if (!(event.key in acts)) return;
    event.preventDefault();
    event.stopPropagation();
    acts[event.key]();
    this.wake();
  }

  close() {
    this.stop();
    this.observer.disconnect();
    clearTimeout(this.resting);
    clearTimeout(this.announcing);
    document.removeEventListener("keydown", this.pressed, true);
  }
}

const talks = new WeakMap();
const reader = new TextDecoder();

export default function mount({ data, parentElement, setTriggerValue }) {
  let talk = talks.get(parentElement);
  if (!talk) {
    talk = new Talk(parentElement.querySelector(".talk"), (turned) => setTriggerValue("turned", turned));
    talks.set(parentElement, talk);
  }
  talk.update(JSON.parse(reader.decode(data)));
  return () => {  // called, late, for data that newer ones have overtaken too
    if (parentElement.isConnected) return;
    talk.close();
    talks.delete(parentElement);
  };
}
