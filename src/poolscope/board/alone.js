// The board in a file of its own: what a server would answer to a release is looked up in a
// lattice of settings that Python worked out. Depth, cap and k move from stop to stop.

const NEAR = 1e-9;
// A sheet of A4 within its margins, in CSS pixels, and how far the page is scaled to it.
const SHEET = { high: 1030, least: 0.35, most: 0.66 };
const STOPPED_NOTE = "at the values in this file";

// Selections, each written as one candidate more than another.
function spelled({ parents, last, places }) {
  return places.map((place) => {
    const picks = [];
    for (let at = place; at >= 0; at = parents[at]) picks.push(last[at]);
    return picks.reverse();
  });
}

// A path that is looked up from its selections, neighbours that are equal as one stretch.
function merged(highs, selections) {
  const kept = highs.map((_, i) => i).filter((i) => i === highs.length - 1 || selections[i] !== selections[i + 1]);
  return {
    highs: kept.map((i) => highs[i]),
    selections: kept.map((i) => selections[i]),
    breaks: [],
    exact: false,
    note: STOPPED_NOTE,
  };
}

class Lattice {
  constructor(file) {
    this.file = file;
    this.stops = file.lattice.stops;
    const { values, judged } = file.lattice;
    this.selections = { picks: spelled(file.lattice.picks), values, judged };
    this.paths = file.lattice.paths.map(([ends, selections]) => {
      const highs = ends.map((place) => file.lattice.ends[place]);
      return { highs, selections };
    });
    this.ranges = { lambda: [0, 1] };
    Object.entries(this.stops).forEach(([axis, stops]) => {
      this.ranges[axis] = [stops[0], stops[stops.length - 1]];
    });
    this.nowhere = new Array(file.board.n).fill(-1);
  }

  // The path of a column over lambda at a stop of every other axis.
  path(number, setting) {
    const { axes, cells } = this.file.lattice.columns[number];
    const cell = axes.reduce((place, axis) => {
      return place * this.stops[axis].length + this.stops[axis].indexOf(setting[axis]);
    }, 0);
    return this.paths[cells[cell]];
  }

  overLambda(number, setting) {
    const { highs, selections } = this.path(number, setting);
    const breaks = highs.slice(0, -1).filter((high, i) => i === 0 || high - highs[i - 1] > NEAR);
    const { exact } = this.file.lattice.columns[number];
    return { highs, selections, breaks, exact, note: exact ? "" : "Approximate: lambda was sampled." };
  }

  over(number, axis, setting) {
    const stops = this.stops[axis];
    const found = stops.map((stop) => {
      const { highs, selections } = this.path(number, { ...setting, [axis]: stop });
      return selections[place(highs, setting.lambda)];
    });
    return merged(stops, found);
  }

  column(number, setting, home) {
    const said = this.file.columns[number];
    const paths = { lambda: this.overLambda(number, setting) };
    Object.keys(this.stops).forEach((axis) => {
      paths[axis] = this.over(number, axis, setting);
    });
    if (home) return { ...said, paths };
    // Reasons are given at the file's own setting; elsewhere the columns only say who is in.
    const away = { settled: -1, notes: [], left: [], together: "", causes: this.nowhere, blockers: null, cosines: null };
    return { ...said, ...away, paths };
  }

  isHome(setting) {
    return !differ(setting, this.file.board.setting);
  }

  // What a server would send at a setting.
  payload(setting, theme) {
    const home = this.isHome(setting);
    return {
      ...this.file.board,
      ...this.file.themes[theme],
      stops: this.stops,
      ranges: this.ranges,
      selections: this.selections,
      setting: { ...setting },
      columns: this.file.columns.map((_, number) => this.column(number, setting, home)),
    };
  }
}

class Page {
  constructor(file, root) {
    this.lattice = new Lattice(file);
    this.setting = file.board.setting;
    this.dark = window.matchMedia("(prefers-color-scheme: dark)");
    this.back = document.querySelector(".away");
    this.judged = document.querySelector(".judged");
    this.board = new Board(root, (values) => this.show(values), null);
    this.back.querySelector("button").addEventListener("click", () => this.show(file.board.setting));
    this.dark.addEventListener("change", () => this.show(this.setting));
    window.addEventListener("beforeprint", () => this.print(true));
    window.addEventListener("afterprint", () => this.print(false));
    this.show(this.setting);
  }

  show(setting) {
    this.setting = { ...setting };
    const theme = this.dark.matches && !this.printing ? 1 : 0;
    this.board.update(this.lattice.payload(this.setting, theme));
    this.back.hidden = this.lattice.isHome(this.setting);
    // Plain top-k reads k and the depth alone: its verdict holds as long as neither moved.
    const opened = this.lattice.file.board.setting;
    const past = ["k", "depth"].some((axis) => this.setting[axis] !== opened[axis]);
    this.judged.classList.toggle("past", past);
    this.judged.querySelector(".elsewhere").hidden = !past;
  }

  // Paper is white and has a width of its own.
  print(on) {
    this.printing = on;
    document.body.classList.toggle("printing", on);
    this.board.resize();
    this.show(this.setting);
    const high = [...document.body.children].reduce((sum, part) => sum + part.offsetHeight, 0);
    document.body.style.setProperty("--sheet", clamp(SHEET.high / high, SHEET.least, SHEET.most));
  }
}

window.poolscope = new Page(
  JSON.parse(document.getElementById("poolscope-data").textContent),
  document.querySelector(".board"),
);
