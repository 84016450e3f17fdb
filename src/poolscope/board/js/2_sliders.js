// The four sliders. While one is held nothing leaves the browser; on release the setting does.

const AXIS_WORDS = {
  lambda: { title: "Lambda", low: "0 difference only", high: "1 relevance only, top-k" },
  cap: { title: "Cap", low: "1 breadth only", high: "" },
  depth: { title: "Pool depth", low: "", high: "" },
  k: { title: "k in context", low: "", high: "" },
};
const KEY_COMMIT_MS = 250;
const STOPS_SAID = 6;
const MOST_TYPED = 12;

// A value that a slider does not take, and the nearest that it does, with some of the others.
function offStops(typed, kept, stops) {
  const from = clamp(stops.indexOf(kept) - STOPS_SAID / 2, 0, Math.max(stops.length - STOPS_SAID, 0));
  const some = stops.slice(from, from + STOPS_SAID).join(", ");
  const [before, after] = [from > 0 ? "… " : "", from + STOPS_SAID < stops.length ? " …" : ""];
  return `${typed} is not in the file: ${kept} is the nearest of ${before}${some}${after}`;
}

class Slider {
  constructor(board, axis) {
    this.board = board;
    this.axis = axis;
    this.root = element("div", `slider slider-${axis}`);
    const head = element("div", "slider-head");
    this.title = element("span", "slider-title", AXIS_WORDS[axis].title);
    this.title.id = `slider-${axis}`;
    this.box = element("input", "slider-box");
    this.box.type = "text";
    this.box.inputMode = "decimal";
    this.box.setAttribute("aria-label", `${AXIS_WORDS[axis].title}, type a value`);
    head.append(this.title, this.box);
    this.track = element("div", "slider-track");
    this.track.tabIndex = 0;
    this.track.setAttribute("role", "slider");
    this.track.setAttribute("aria-labelledby", this.title.id);
    this.rail = element("div", "slider-rail");
    this.ticks = element("canvas", "slider-ticks");
    this.fill = element("div", "slider-fill");
    this.thumb = element("div", "slider-thumb");
    this.track.append(this.rail, this.ticks, this.fill, this.thumb);
    const foot = element("div", "slider-foot");
    this.low = element("span");
    this.middle = element("span");
    this.high = element("span");
    foot.append(this.low, this.middle, this.high);
    this.note = element("div", "slider-told");
    this.note.setAttribute("role", "status");
    this.root.append(head, this.track, foot, this.note);
    this.listen();
  }

  listen() {
    this.track.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      this.track.focus();
      this.track.setPointerCapture(event.pointerId);
      this.held = true;
      this.move(event);
    });
    this.track.addEventListener("pointermove", (event) => {
      if (this.held) this.move(event);
    });
    const release = () => {
      if (!this.held) return;
      this.held = false;
      this.board.commit();
    };
    this.track.addEventListener("pointerup", release);
    this.track.addEventListener("pointercancel", release);
    this.track.addEventListener("keydown", (event) => this.key(event));
    this.track.addEventListener("blur", () => this.flush());
    this.box.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.typed();
      if (event.key === "Escape") this.restore();
    });
    this.box.addEventListener("blur", () => this.typed());
  }

  range() {
    return this.board.data.ranges[this.axis];
  }

  // The only values that this slider takes, where not every value of its range was sent.
  stops() {
    return this.board.data.stops && this.board.data.stops[this.axis];
  }

  nearest(value) {
    const stops = this.stops();
    if (!stops) return value;
    return stops.reduce((best, stop) => (Math.abs(stop - value) < Math.abs(best - value) ? stop : best));
  }

  // Where a value stands on the track, from 0 to 1; stops are spaced evenly.
  share(value) {
    const [low, high] = this.range();
    const stops = this.stops();
    if (stops) return stops.length > 1 ? Math.max(stops.indexOf(value), 0) / (stops.length - 1) : 0;
    return high > low ? (value - low) / (high - low) : 0;
  }

  move(event) {
    const box = this.track.getBoundingClientRect();
    const [low, high] = this.range();
    const share = clamp((event.clientX - box.left) / box.width, 0, 1);
    const stops = this.stops();
    if (stops) {
      this.board.set(this.axis, stops[Math.round(share * (stops.length - 1))]);
      return;
    }
    const value = low + share * (high - low);
    const kept = this.axis === "lambda" ? Math.round(value * 1000) / 1000 : Math.round(value);
    this.board.set(this.axis, kept);
  }

  // What the box showed before is not a typed value: it may be rounded.
  typed() {
    const text = this.box.value.trim();
    if (text !== "" && text !== this.text) {
      const value = Number(text.replace(",", "."));
      const kept = Number.isNaN(value) ? this.board.values[this.axis] : this.taken(value);
      this.board.set(this.axis, kept);
      this.told = { at: kept, words: this.otherwise(text.slice(0, MOST_TYPED), value, kept) };
      this.board.commit();
      this.tell();
    }
    this.restore();
  }

  // The value that a typed one comes to.
  taken(value) {
    return this.nearest(clamp(this.axis === "lambda" ? value : Math.round(value), ...this.range()));
  }

  // Why a typed value was not taken as it is; empty where it was.
  otherwise(text, value, kept) {
    if (value === kept) return "";
    if (Number.isNaN(value)) return `${text} is no number`;
    const stops = this.stops();
    if (stops) return offStops(text, kept, stops);
    const [low, high] = this.range();
    return value < low || value > high ? `${text} is outside ${low} to ${high}` : `${text} is no whole number`;
  }

  // What was typed and not taken is said as long as the slider stays there.
  tell() {
    if (this.told && this.told.at !== this.board.values[this.axis]) this.told = null;
    setText(this.note, this.told ? this.told.words : "");
  }

  restore() {
    this.text = axisText(this.axis, this.board.values[this.axis]);
    if (this.box.value !== this.text) this.box.value = this.text;
  }

  key(event) {
    const steps = {
      ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10,
    };
    const [low, high] = this.range();
    let value = null;
    if (event.key === "Home") value = low;
    else if (event.key === "End") value = high;
    else if (event.key in steps) value = this.step(steps[event.key]);
    if (value === null) return;
    event.preventDefault();
    this.board.set(this.axis, value);
    clearTimeout(this.timer);
    this.pending = true;
    this.timer = setTimeout(() => this.flush(), KEY_COMMIT_MS);
  }

  flush() {
    if (!this.pending) return;
    this.pending = false;
    clearTimeout(this.timer);
    this.board.commit();
  }

  // One step goes to the middle of the next stretch in which some column shows another selection.
  step(count) {
    const [low, high] = this.range();
    const value = this.board.values[this.axis];
    const stops = this.stops();
    if (stops) return stops[clamp(stops.indexOf(value) + count, 0, stops.length - 1)];
    if (this.axis !== "lambda") return clamp(value + count, low, high);
    const edges = [low, ...this.board.breaks(this.axis), high];
    let stretch = 0;
    while (stretch < edges.length - 2 && value >= edges[stretch + 1]) stretch += 1;
    stretch += count;
    if (stretch < 0) return low;
    if (stretch > edges.length - 2) return high;
    const middle = (edges[stretch] + edges[stretch + 1]) / 2;
    const rounded = Math.round(middle * 1e4) / 1e4;
    const inside = rounded > edges[stretch] && rounded < edges[stretch + 1];
    return inside ? rounded : middle;
  }

  show() {
    const value = this.board.values[this.axis];
    const [low, high] = this.range();
    const share = this.share(value);
    this.fill.style.width = `${100 * share}%`;
    this.thumb.style.left = `${100 * share}%`;
    const text = axisText(this.axis, value);
    if (this.box.getRootNode().activeElement !== this.box) this.restore();
    this.tell();
    this.track.setAttribute("aria-valuemin", low);
    this.track.setAttribute("aria-valuemax", high);
    this.track.setAttribute("aria-valuenow", value);
    this.track.setAttribute("aria-valuetext", `${text}${this.said()}`);
  }

  said() {
    const [low, high] = this.range();
    const value = this.board.values[this.axis];
    if (this.axis === "lambda" && value === high) return ", relevance only, the same as top-k";
    if (this.axis === "lambda" && value === low) return ", difference only";
    return "";
  }

  // Everything that a new payload can change.
  refresh() {
    const { data, axis } = { data: this.board.data, axis: this.axis };
    const [low, high] = this.range();
    const words = AXIS_WORDS[axis];
    const suffix = { lambda: ` · relevance: ${data.relevance}`, cap: ` per ${data.key}` }[axis] || "";
    setText(this.title, words.title + suffix);
    setText(this.low, words.low || number(low, 0));
    setText(this.high, words.high || number(high, 0));
    const breaks = this.board.breaks(axis);
    const stops = this.stops();
    const said = stops ? `${counted(stops.length, "value")} in file` : "";
    setText(this.middle, axis === "lambda" ? `${this.inexact()}${counted(breaks.length, "break point")}` : said);
    const silent = data.columns.every((column) => column.paths[axis].highs.length < 2);
    this.root.classList.toggle("silent", silent);
    this.root.title = silent ? "No column changes over this range at the current setting." : "";
    if (!this.board.same) this.told = null;
    this.draw();
    this.show();
  }

  inexact() {
    const exact = this.board.data.columns.every((column) => column.paths[this.axis].exact);
    return exact ? "" : "about ";
  }

  measure() {
    this.width = this.track.clientWidth;
  }

  draw() {
    const { width } = this;
    if (!width) return;
    const context = fitted(this.ticks, width, 16);
    context.fillStyle = this.board.data.theme.quiet;
    context.globalAlpha = 0.75;
    const marked = this.axis === "lambda" ? this.board.breaks(this.axis) : this.stops() || [];
    marked.forEach((value) => context.fillRect(Math.round(width * this.share(value)), 1, 1, 14));
  }
}
