// Helpers, and the lookup: which selection each column shows at a value of one parameter.
// There is no selection logic here: paths are computed in Python and only read.

const AXES = ["lambda", "cap", "depth", "k"];

function element(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

// Change the text of a node only where it differs: most of a drag changes nothing.
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function place(sorted, value) {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= sorted[middle]) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Number of the selection that a column shows while one axis moves and the others stand still.
function selectionAt(column, axis, value) {
  const path = column.paths[axis];
  return path.selections[place(path.highs, value)];
}

const FORMATS = new Map();

function number(value, decimals) {
  if (value === null || value === undefined) return "–";
  if (!FORMATS.has(decimals)) {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    FORMATS.set(decimals, new Intl.NumberFormat("en-US", digits));
  }
  return FORMATS.get(decimals).format(value).replace("-", "−");
}

function counted(count, thing) {
  return `${number(count, 0)} ${thing}${count === 1 ? "" : "s"}`;
}

function signed(change, decimals) {
  const shown = number(Math.abs(change), decimals);
  if (Number(shown.replaceAll(",", "")) === 0) return "same";
  return (change > 0 ? "+" : "−") + shown;
}

function axisText(axis, value) {
  return axis === "lambda" ? trimmed(value) : String(value);
}

// At least two decimals, at most four: what a person typed or stepped to stays readable.
function trimmed(value) {
  const shown = value.toFixed(4);
  return shown.replace(/0{1,2}$/, "");
}

function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}

// A canvas sized for the screen's pixels; returns its context in CSS pixels.
function fitted(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const wide = Math.round(width * ratio);
  const high = Math.round(height * ratio);
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

// Outline of one of the shapes that repeat a source's colour.
function trace(context, shape, x, y, r) {
  context.beginPath();
  outline(context, shape, x, y, r);
}

// The same as a further part of the path that was begun.
function outline(context, shape, x, y, r) {
  if (shape === "circle") {
    context.moveTo(x + r, y);
    context.arc(x, y, r, 0, 2 * Math.PI);
    return;
  }
  const corners = SHAPES[shape] || SHAPES.x;
  corners.forEach(([dx, dy], index) => {
    if (index === 0) context.moveTo(x + dx * r, y + dy * r);
    else context.lineTo(x + dx * r, y + dy * r);
  });
  context.closePath();
}

function star(points, inner) {
  const corners = [];
  for (let i = 0; i < 2 * points; i += 1) {
    const angle = -Math.PI / 2 + (i * Math.PI) / points;
    const length = i % 2 === 0 ? 1.25 : inner;
    corners.push([length * Math.cos(angle), length * Math.sin(angle)]);
  }
  return corners;
}

const SHAPES = {
  square: [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
  diamond: [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]],
  "triangle-up": [[0, -1.2], [1.1, 0.8], [-1.1, 0.8]],
  "triangle-down": [[0, 1.2], [1.1, -0.8], [-1.1, -0.8]],
  pentagon: star(5, 1.0).map(([x, y]) => [x * 0.95, y * 0.95]),
  hexagram: star(6, 0.75),
  "star-square": star(4, 0.6),
  cross: [
    [-0.4, -1.1], [0.4, -1.1], [0.4, -0.4], [1.1, -0.4], [1.1, 0.4], [0.4, 0.4],
    [0.4, 1.1], [-0.4, 1.1], [-0.4, 0.4], [-1.1, 0.4], [-1.1, -0.4], [-0.4, -0.4],
  ],
  hourglass: [[-1, -1.1], [1, -1.1], [-1, 1.1], [1, 1.1]],
  x: [
    [-1, -0.6], [-0.6, -1], [0, -0.4], [0.6, -1], [1, -0.6], [0.4, 0],
    [1, 0.6], [0.6, 1], [0, 0.4], [-0.6, 1], [-1, 0.6], [-0.4, 0],
  ],
  star: star(5, 0.5),
};

const RINGS = ["circle", "diamond", "square", "triangle-up", "pentagon"];
const RING_SIZES = [8, 9.5, 12.5, 14, 15];
const RING_MARKS = ["○", "◇", "□", "△", "⬠"];
