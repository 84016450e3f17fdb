// The trade-off: coverage and relevance kept as exact step functions over one parameter.

const CURVE = { width: 330, height: 190, left: 34, right: 10, top: 22, bottom: 22 };
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
    this.svg = drawn("svg", { viewBox: `0 0 ${CURVE.width} ${CURVE.height}`, role: "img" });
    this.key = element("p", "panel-note");
    this.root.append(head, this.svg, this.key);
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
    this.drawnFor = this.board.axis;
    const { axis, number: subject } = this.choose();
    Object.assign(this, { axis, subject });
    const column = data.columns[subject];
    setText(this.title, `What ${AXIS_WORDS[axis].title.toLowerCase()} buys and costs`);
    setText(this.caption, `${column.title}, ${column.paths[axis].exact ? "exact" : column.paths[axis].note}`);
    this.lines = this.series(column, axis);
    this.svg.setAttribute("aria-label", this.described());
    this.svg.replaceChildren(...this.frame(), ...this.lines.flatMap((line) => this.path(line)));
    this.marker = drawn("line", { class: "curve-now", y1: CURVE.top - 6, y2: CURVE.height - CURVE.bottom });
    this.svg.append(this.marker);
    const words = this.lines.map((line) => `${line.dashed ? "dashed" : "solid"}: ${line.name}`);
    setText(this.key, `${words.join("; ")}; dotted: plain top-k.`);
    this.show();
  }

  series(column, axis) {
    const { data } = this.board;
    const names = data.measures.map((measure) => measure.name);
    const at = (name) => names.indexOf(name);
    const relevance = at("mean_relevance");
    const base = data.columns[0];
    const points = (value) => {
      const { highs, selections } = column.paths[axis];
      return highs.map((high, index) => {
        const low = index ? highs[index - 1] : data.ranges[axis][0];
        const ground = selectionAt(base, axis, high);
        return { low, high, value: value(data.selections.values[selections[index]], data.selections.values[ground]) };
      });
    };
    const kept = (mine, top) => (top[relevance] > 0 && mine[relevance] !== null ? mine[relevance] / top[relevance] : null);
    const main = data.facets.length ? at("facet_coverage") : at("mean_pairwise_cosine");
    const now = data.selections.values[this.board.current[0]];
    return [
      { name: data.facets.length ? "facet coverage" : "mean pairwise cosine", points: points((mine) => mine[main]), ground: now[main], dashed: false },
      { name: "relevance kept, against top-k", points: points(kept), ground: null, dashed: true },
    ];
  }

  x(value) {
    const [low, high] = this.board.data.ranges[this.axis];
    const share = high > low ? (value - low) / (high - low) : 0;
    return CURVE.left + share * (CURVE.width - CURVE.left - CURVE.right);
  }

  y(value) {
    return CURVE.height - CURVE.bottom - clamp(value, 0, 1.05) * (CURVE.height - CURVE.top - CURVE.bottom);
  }

  frame() {
    const [low, high] = this.board.data.ranges[this.axis];
    const total = this.board.data.facets.length;
    const steps = total && total <= 6 ? total : 4;
    const nodes = [];
    for (let i = 0; i <= steps; i += 1) {
      const level = i / steps;
      nodes.push(drawn("line", { class: "curve-grid", x1: CURVE.left, x2: CURVE.width - CURVE.right, y1: this.y(level), y2: this.y(level) }));
      const label = total && total <= 6 ? `${i}/${total}` : number(level, 2);
      nodes.push(drawn("text", { class: "curve-label", x: CURVE.left - 5, y: this.y(level) + 4, "text-anchor": "end" }, label));
    }
    nodes.push(drawn("text", { class: "curve-label", x: CURVE.left, y: CURVE.height - 6 }, String(low)));
    nodes.push(drawn("text", { class: "curve-label", x: CURVE.width - CURVE.right, y: CURVE.height - 6, "text-anchor": "end" }, String(high)));
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
    const nodes = [drawn("path", { class: line.dashed ? "curve-line dashed" : "curve-line", d: d || "M0 0" })];
    if (line.ground !== null && line.ground !== undefined) {
      const y = this.y(line.ground);
      nodes.push(drawn("line", { class: "curve-ground", x1: CURVE.left, x2: CURVE.width - CURVE.right, y1: y, y2: y }));
    }
    return nodes;
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
