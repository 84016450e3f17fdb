// The trade-off: coverage and relevance kept as exact step functions over one parameter.

const CURVE = { left: 34, right: 10, top: 14, bottom: 20, least: 280, flattest: 0.48, highest: 230 };
const SVG = "http://www.w3.org/2000/svg";

function drawn(tag, attributes, text) {
  const node = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
  if (text !== undefined) node.textContent = text;
  return node;
}

class Curve {
  constructor(board) {
    this.board = board;
    this.root = element("section", "panel curve");
    const head = element("div", "panel-head");
    this.title = element("h3");
    this.caption = element("span", "panel-caption");
    head.append(this.title, this.caption);
    this.frame = element("div", "curve-frame");
    this.svg = drawn("svg", { role: "img" });
    this.frame.append(this.svg);
    this.fit();
    this.key = element("p", "panel-note");
    this.root.append(head, this.frame, this.key);
  }

  // Drawn as wide as it stands, so that its letters are as large as all others.
  fit() {
    this.width = Math.max(this.board.widths.curve, CURVE.least);
    this.height = Math.min(Math.round(this.width * CURVE.flattest), CURVE.highest);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
  }

  // The last column that answers to the axis moved last; lambda before anything moved.
  choose() {
    const { data, axis } = this.board;
    for (const wanted of [axis, "lambda", "depth", "cap", "k"]) {
      for (let number = data.columns.length - 1; number > 0; number -= 1) {
        const column = data.columns[number];
        const reads = wanted === "depth" || wanted === "k" || column.reads.includes(wanted);
        if (reads && column.paths[wanted].highs.length > 1) return { axis: wanted, number };
      }
    }
    return { axis: "lambda", number: data.columns.length - 1 };
  }

  refresh() {
    const { data } = this.board;
    this.fit();
    this.drawnFor = this.board.axis;
    const { axis, number: subject } = this.choose();
    Object.assign(this, { axis, subject });
    const column = data.columns[subject];
    setText(this.title, `What ${AXIS_WORDS[axis].title.toLowerCase()} buys and costs`);
    const { exact, note } = column.paths[axis];
    setText(this.caption, `${column.title}, ${exact ? "exact" : "approximate"}`);
    this.caption.title = note;
    this.lines = this.series(column, axis);
    this.svg.setAttribute("aria-label", this.described());
    this.svg.replaceChildren(...this.grid(), ...this.lines.map((line) => this.path(line)));
    this.marker = drawn("line", { class: "curve-now", y1: CURVE.top - 6, y2: this.height - CURVE.bottom });
    this.svg.append(this.marker);
    const seen = this.lines.filter((line) => line.points.some(({ value }) => value !== null));
    const keys = seen.reverse().map((line) => {
      const item = element("span", "curve-key");
      item.append(element("i", `stroke ${line.kind}`), document.createTextNode(line.name));
      return item;
    });
    this.key.replaceChildren(...keys);
    this.show();
  }

  // Stretches over which neither the column nor the baseline changes, as they are drawn: a whole
  // number stands in the middle of its step.
  stretches(column, axis) {
    const { data } = this.board;
    const base = data.columns[0];
    const [low, high] = data.ranges[axis];
    const inside = [...column.paths[axis].highs, ...base.paths[axis].highs];
    const ends = [...new Set(inside.filter((value) => value >= low && value < high))].sort((a, b) => a - b);
    const half = axis === "lambda" ? 0 : 0.5;
    return [...ends, high].map((end, index) => ({
      low: index ? ends[index - 1] + half : low,
      high: Math.min(end + half, high),
      mine: data.selections.values[selectionAt(column, axis, end)],
      top: data.selections.values[selectionAt(base, axis, end)],
    }));
  }

  series(column, axis) {
    const { data } = this.board;
    const at = (name) => data.measures.findIndex((measure) => measure.name === name);
    const relevance = at("mean_relevance");
    const main = data.facets.length ? at("facet_coverage") : at("mean_pairwise_cosine");
    const stretches = this.stretches(column, axis);
    const line = (name, kind, value) => ({
      name,
      kind,
      points: stretches.map(({ low, high, mine, top }) => ({ low, high, value: value(mine, top) })),
    });
    const { name: cost, kept } = this.cost(stretches, relevance);
    return [
      line("plain top-k", "dotted", (_, top) => top[main]),
      line(cost, "dashed", (mine, top) => (mine[relevance] === null || top[relevance] === null ? null : kept(mine[relevance], top[relevance]))),
      line(data.facets.length ? "facet coverage" : "mean pairwise cosine", "solid", (mine) => mine[main]),
    ];
  }

  // The share of plain top-k's relevance; where that is not above 0, as with distances, the place
  // between the lowest and the highest.
  cost(stretches, relevance) {
    const seen = stretches.flatMap(({ mine, top }) => [mine[relevance], top[relevance]]).filter((value) => value !== null);
    if (stretches.every(({ top }) => top[relevance] === null || top[relevance] > 0)) {
      return { name: "relevance kept", kept: (mine, top) => mine / top };
    }
    const { decimals } = this.board.data.measures[relevance];
    const [low, high] = [Math.min(...seen), Math.max(...seen)];
    return {
      name: `mean relevance, ${number(low, decimals)} to ${number(high, decimals)} drawn as 0 to 1`,
      kept: (mine) => (high > low ? (mine - low) / (high - low) : 1),
    };
  }

  x(value) {
    const [low, high] = this.board.data.ranges[this.axis];
    const share = high > low ? (value - low) / (high - low) : 0;
    return CURVE.left + share * (this.width - CURVE.left - CURVE.right);
  }

  y(value) {
    return this.height - CURVE.bottom - clamp(value, 0, 1.05) * (this.height - CURVE.top - CURVE.bottom);
  }

  grid() {
    const [low, high] = this.board.data.ranges[this.axis];
    const total = this.board.data.facets.length;
    const steps = total && total <= 6 ? total : 4;
    const nodes = [];
    for (let i = 0; i <= steps; i += 1) {
      const level = i / steps;
      nodes.push(drawn("line", { class: "curve-grid", x1: CURVE.left, x2: this.width - CURVE.right, y1: this.y(level), y2: this.y(level) }));
      const label = total && total <= 6 ? `${i}/${total}` : number(level, 2);
      nodes.push(drawn("text", { class: "curve-label", x: CURVE.left - 5, y: this.y(level) + 4, "text-anchor": "end" }, label));
    }
    nodes.push(drawn("text", { class: "curve-label", x: CURVE.left, y: this.height - 6 }, String(low)));
    nodes.push(drawn("text", { class: "curve-label", x: this.width - CURVE.right, y: this.height - 6, "text-anchor": "end" }, String(high)));
    return nodes;
  }

  path(line) {
    let d = "";
    let open = false;
    line.points.forEach(({ low, high, value }) => {
      if (value === null) {
        open = false;
        return;
      }
      const y = this.y(value).toFixed(1);
      d += `${open ? "L" : "M"}${this.x(low).toFixed(1)} ${y}L${this.x(high).toFixed(1)} ${y}`;
      open = true;
    });
    return drawn("path", { class: `curve-line ${line.kind}`, d: d || "M0 0" });
  }

  described() {
    return this.lines
      .map(({ name, points }) => {
        const values = points.map((point) => point.value).filter((value) => value !== null);
        return values.length ? `${name} from ${number(Math.min(...values), 2)} to ${number(Math.max(...values), 2)}` : `${name} undefined`;
      })
      .join("; ");
  }

  show() {
    if (this.board.axis !== this.drawnFor) {
      this.refresh();
      return;
    }
    const x = this.x(this.board.values[this.axis]).toFixed(1);
    this.marker.setAttribute("x1", x);
    this.marker.setAttribute("x2", x);
  }
}
