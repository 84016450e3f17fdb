// The map: every candidate in two dimensions, rings for each column's picks, zoom and pan.

const MAP_HEIGHT = 230;
const POINT = 4.2;
const SMALL_POINT = 3;
const MANY_POINTS = 500;
const MANY_RINGS = 10;
const REACH = 14;
const MOST_ZOOM = 40;
const PAN = 40;

class PoolMap {
  constructor(board) {
    this.board = board;
    this.zoom = 1;
    this.pan = [0, 0];
    this.root = element("section", "panel map");
    const head = element("div", "panel-head");
    head.append(element("h3", "", "Map"));
    this.caption = element("span", "panel-caption");
    const tools = element("div", "panel-tools");
    [["+", "Zoom in (Ctrl + wheel)", 1.5], ["−", "Zoom out (Ctrl + wheel)", 1 / 1.5], ["⟲", "Show all", 0]].forEach(([sign, label, by]) => {
      const button = element("button", "tool", sign);
      button.type = "button";
      button.title = label;
      button.setAttribute("aria-label", label);
      button.addEventListener("click", () => this.scale(by, this.width() / 2, MAP_HEIGHT / 2));
      tools.append(button);
    });
    head.append(this.caption, tools);
    this.frame = element("div", "map-frame");
    this.frame.tabIndex = 0;
    this.frame.setAttribute("role", "group");
    this.frame.setAttribute("aria-label", "Map: plus and minus zoom, arrow keys pan when zoomed in, 0 shows all");
    this.frame.addEventListener("keydown", (event) => this.key(event));
    this.points = element("canvas");
    this.rings = element("canvas", "map-rings");
    this.points.setAttribute("role", "img");
    this.rings.setAttribute("aria-hidden", "true");
    this.frame.append(this.points, this.rings);
    this.note = element("p", "panel-note");
    this.root.append(head, this.frame, this.note);
    board.area(this.frame, (x, y) => this.under(x, y), (dx, dy) => this.move(dx, dy));
    this.frame.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  width() {
    return this.board.widths.map;
  }

  key(event) {
    const pans = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const zooms = { "+": 1.5, "=": 1.5, "-": 1 / 1.5, 0: 0 };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in pans && this.zoom > 1) this.move(...pans[event.key].map((way) => way * PAN));
    else if (event.key in zooms) this.scale(zooms[event.key], this.width() / 2, MAP_HEIGHT / 2);
    else return;
    event.preventDefault();
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = this.frame.getBoundingClientRect();
    this.scale(event.deltaY < 0 ? 1.2 : 1 / 1.2, event.clientX - box.left, event.clientY - box.top);
  }

  scale(by, x, y) {
    const before = this.zoom;
    this.zoom = by === 0 ? 1 : clamp(this.zoom * by, 1, MOST_ZOOM);
    if (this.zoom === 1) this.pan = [0, 0];
    else {
      const [cx, cy] = [this.width() / 2, MAP_HEIGHT / 2];
      const ratio = this.zoom / before;
      this.pan = [x - cx - (x - cx - this.pan[0]) * ratio, y - cy - (y - cy - this.pan[1]) * ratio];
    }
    this.draw();
  }

  move(dx, dy) {
    if (this.zoom === 1) return;
    this.pan = [this.pan[0] + dx, this.pan[1] + dy];
    this.draw();
  }

  // From the layout's coordinates to pixels, the same scale on both axes.
  screen(x, y) {
    const { low, high } = this.bounds;
    const [width, height] = [this.width() - 40, MAP_HEIGHT - 40];
    const spanX = high[0] - low[0] || 1;
    const spanY = high[1] - low[1] || 1;
    const scale = Math.min(width / spanX, height / spanY) * this.zoom;
    return [
      this.width() / 2 + (x - (low[0] + high[0]) / 2) * scale + this.pan[0],
      MAP_HEIGHT / 2 - (y - (low[1] + high[1]) / 2) * scale + this.pan[1],
    ];
  }

  at(index) {
    const { x, y } = this.board.data.map;
    return x[index] === null ? null : this.screen(x[index], y[index]);
  }

  under(x, y) {
    let best = -1;
    let nearest = REACH * REACH;
    for (let index = 0; index < this.board.data.n; index += 1) {
      const spot = this.at(index);
      if (spot) {
        const distance = (spot[0] - x) ** 2 + (spot[1] - y) ** 2;
        if (distance < nearest) [best, nearest] = [index, distance];
      }
    }
    return best;
  }

  refresh() {
    if (!this.board.same) this.reset();
    if (this.board.same && !this.board.relaid && this.depth === this.board.values.depth) this.drawRings();
    else this.draw();
  }

  reset() {
    const { map, key, digest } = this.board.data;
    if (this.digest !== `${digest}/${map.method}`) {
      this.digest = `${digest}/${map.method}`;
      this.zoom = 1;
      this.pan = [0, 0];
    }
    const xs = map.x.filter((value) => value !== null).concat(map.query ? [map.query[0]] : []);
    const ys = map.y.filter((value) => value !== null).concat(map.query ? [map.query[1]] : []);
    const least = (values) => values.reduce((a, b) => Math.min(a, b), Infinity);
    const most = (values) => values.reduce((a, b) => Math.max(a, b), -Infinity);
    this.bounds = xs.length
      ? { low: [least(xs), least(ys)], high: [most(xs), most(ys)] }
      : { low: [0, 0], high: [1, 1] };
    this.root.classList.toggle("without", xs.length === 0);
    this.board.measure();
    setText(this.caption, xs.length ? `${map.method}, by ${key}` : "");
    setText(this.note, map.note || "Near means alike; far distances mean little.");
    this.points.setAttribute("aria-label", `Map of the pool by ${map.method}; the columns list the same passages as text`);
  }

  draw() {
    const { data, values } = this.board;
    const width = this.width();
    if (!width) return;
    this.depth = values.depth;
    const context = fitted(this.points, width, MAP_HEIGHT);
    const point = data.n > MANY_POINTS ? SMALL_POINT : POINT;
    this.board.paint(context, values.depth, 0.22, (index, { shape }) => {
      const spot = this.at(index);
      if (spot) outline(context, shape, spot[0], spot[1], point);
    });
    if (data.map.query) {
      const [x, y] = this.screen(...data.map.query);
      context.fillStyle = data.theme.ink;
      trace(context, "star", x, y, 6.5);
      context.fill();
    }
    this.drawRings();
  }

  drawRings() {
    const { data, current } = this.board;
    const width = this.width();
    if (!width) return;
    const context = fitted(this.rings, width, MAP_HEIGHT);
    const base = this.board.members(current[0]);
    data.columns.forEach((_, number) => {
      const picks = data.selections.picks[current[number]];
      const size = RING_SIZES[number] * (picks.length > MANY_RINGS ? 0.75 : 1);
      picks.forEach((index) => {
        const spot = this.at(index);
        if (!spot) return;
        const entered = number > 0 && !base.has(index);
        context.strokeStyle = entered ? data.theme.accent : data.theme.ink;
        context.lineWidth = entered ? 2 : 1.3;
        trace(context, RINGS[number], spot[0], spot[1], size);
        context.stroke();
      });
    });
    this.drawLit(context);
  }

  drawLit(context) {
    const { data } = this.board;
    const { ink, card } = data.theme;
    data.candidates.colour.forEach((number, index) => {
      if (number !== this.board.litSource || !this.at(index)) return;
      context.strokeStyle = ink;
      context.lineWidth = 1;
      trace(context, "circle", ...this.at(index), POINT + 2.5);
      context.stroke();
    });
    const lit = this.board.lit();
    const spot = lit >= 0 ? this.at(lit) : null;
    if (!spot) return;
    context.strokeStyle = ink;
    context.lineWidth = 2.5;
    trace(context, "circle", spot[0], spot[1], POINT + 4);
    context.stroke();
    const blocked = this.board.blocker(lit);
    const other = blocked ? this.at(blocked.index) : null;
    if (!other) return;
    context.setLineDash([4, 3]);
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(...spot);
    context.lineTo(...other);
    context.stroke();
    context.setLineDash([]);
    const label = `${blocked.likeness} ${number(blocked.value, 3)}`;
    context.font = "12px sans-serif";
    const [x, y] = [(spot[0] + other[0]) / 2, (spot[1] + other[1]) / 2];
    const wide = context.measureText(label).width + 8;
    context.fillStyle = card;
    context.fillRect(x - wide / 2, y - 9, wide, 17);
    context.fillStyle = ink;
    context.textAlign = "center";
    context.fillText(label, x, y + 4);
  }
}
