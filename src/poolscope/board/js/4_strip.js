// The rank strip: the pool in rank order, coloured by source, each column's picks marked below.

const STRIP_HEIGHT = 22;
const MARK_ROW = 11;

class Strip {
  constructor(board) {
    this.board = board;
    this.root = element("div", "strip");
    const head = element("div", "strip-head");
    this.title = element("span");
    this.aside = element("span");
    head.append(this.title, this.aside);
    this.frame = element("div", "strip-frame");
    this.bars = element("canvas");
    this.marks = element("canvas", "strip-marks");
    this.bars.setAttribute("role", "img");
    this.marks.setAttribute("aria-hidden", "true");
    this.frame.append(this.bars, this.marks);
    this.legend = element("div", "legend");
    this.root.append(head, this.frame, this.legend);
    board.area(this.frame, (x) => this.under(x));
  }

  width() {
    return this.board.widths.strip;
  }

  under(x) {
    const index = Math.floor((x / this.width()) * this.board.data.n);
    return index >= 0 && index < this.board.data.n ? index : -1;
  }

  refresh() {
    const { data } = this.board;
    const rows = data.columns.map((column, number) => `${RING_MARKS[number]} ${column.title}`);
    setText(this.title, `The pool in rank order, coloured by ${data.key}; picks below: ${rows.join(", ")}`);
    if (!this.board.same) this.drawLegend();
    this.frame.style.height = `${STRIP_HEIGHT + 5 + MARK_ROW * data.columns.length}px`;
    if (this.board.same && !this.board.relaid && this.depth === this.board.values.depth) this.drawMarks();
    else this.draw();
  }

  drawLegend() {
    this.legend.replaceChildren(
      ...this.board.data.palette.map((entry, number) => {
        const item = element("span");
        item.title = entry.label;
        const swatch = element("canvas", "swatch");
        item.append(swatch, element("span", "legend-name", entry.label));
        const context = fitted(swatch, 12, 12);
        context.fillStyle = entry.colour;
        trace(context, entry.shape, 6, 6, 4.4);
        context.fill();
        this.board.linkSource(item, number);
        return item;
      }),
    );
  }

  // What the canvas shows, in words.
  describe() {
    const { data, current } = this.board;
    const picks = data.columns.map((column, number) => {
      const ranks = data.selections.picks[current[number]].map((index) => index + 1);
      return `${column.title} picks ${ranks.length ? `ranks ${ranks.join(", ")}` : "nothing"}`;
    });
    this.bars.setAttribute("aria-label", `Rank strip of ${counted(data.n, "candidate")} by ${data.key}. ${picks.join("; ")}.`);
  }

  draw() {
    const { data } = this.board;
    const width = this.width();
    if (!width) return;
    const { depth } = this.board.values;
    this.depth = depth;
    setText(this.aside, depth < data.n ? "beyond the pool depth is faded" : counted(data.n, "candidate"));
    const context = fitted(this.bars, width, STRIP_HEIGHT);
    const step = width / data.n;
    const gap = step > 5 ? 1.5 : step > 2.5 ? 0.6 : 0;
    const bar = Math.max(step - gap, 0.4);
    this.board.paint(context, depth, 0.25, (index) => context.rect(index * step, 0, bar, STRIP_HEIGHT));
    this.drawMarks();
  }

  drawMarks() {
    const { data, current } = this.board;
    const width = this.width();
    if (!width) return;
    const rows = data.columns.length;
    const context = fitted(this.marks, width, STRIP_HEIGHT + 5 + MARK_ROW * rows);
    const step = width / Math.max(data.n, 1);
    data.columns.forEach((_, number) => {
      const base = this.board.members(current[0]);
      data.selections.picks[current[number]].forEach((index) => {
        const x = clamp((index + 0.5) * step, 4, width - 4);
        const entered = number > 0 && !base.has(index);
        context.strokeStyle = entered ? data.theme.accent : data.theme.ink;
        context.lineWidth = entered ? 1.8 : 1.3;
        trace(context, RINGS[number], x, STRIP_HEIGHT + 8 + MARK_ROW * number, 3);
        context.stroke();
      });
    });
    const lit = this.board.lit();
    if (lit >= 0) {
      context.strokeStyle = data.theme.ink;
      context.lineWidth = 2;
      context.strokeRect(lit * step, 1, Math.max(step, 3), STRIP_HEIGHT - 2);
    }
  }
}
