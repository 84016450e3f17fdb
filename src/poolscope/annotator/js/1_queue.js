// Strokes on their way. Each is kept in this browser until the server has said what became of it,
// so that a reload, a lost connection or a server that ends loses none.

const PREFIX = "poolscope-stroke";
const MOST_SENT = 100;

function randomName() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function cellName(facet, passage) {
  return `${facet} ${passage}`;
}

function touches(stroke, question, facet, passage) {
  return stroke.question === question && stroke.facet === facet && stroke.passage === passage;
}

// What a person sees: the marks that the server knows, with the strokes on their way on top.
function overlaid(marks, strokes, question) {
  const shown = new Map(marks);
  strokes.forEach((stroke) => {
    if (stroke.question !== question || !stroke.passage) return;
    const name = cellName(stroke.facet, stroke.passage);
    const known = shown.get(name) || { version: 0 };
    const mark = stroke.became === "conflict" ? known.mark || null : stroke.mark;
    shown.set(name, { ...known, mark, state: stroke.became });
  });
  return shown;
}

// The strokes that an undo can take back, the last one last.
function undoable(base, strokes, question) {
  const stack = base.slice();
  strokes.forEach((stroke) => {
    if (stroke.question !== question || stroke.became === "conflict") return;
    if (stroke.kind === "undo") {
      const at = stack.findIndex((entry) => entry.token === stroke.undoes);
      if (at >= 0) stack.splice(at, 1);
    } else if (stroke.kind === "mark" || stroke.kind === "facet") stack.push(stroke);
  });
  return stack;
}

// Strokes that were one key have tokens of one group: group.0, group.1 and so on.
function groupOf(token) {
  return token.split(".")[0];
}

// The last group of a stack, to be taken back from its end.
function lastGroup(stack) {
  if (!stack.length) return [];
  const group = groupOf(stack[stack.length - 1].token);
  let first = stack.length;
  while (first > 0 && groupOf(stack[first - 1].token) === group) first -= 1;
  return stack.slice(first).reverse();
}

class Queue {
  constructor(scope, storage) {
    this.scope = scope;
    this.storage = storage;
    this.strokes = [];
    this.last = 0;
    this.isKept = true;
    this.load();
  }

  name(token) {
    return `${PREFIX}:${this.scope}:${token}`;
  }

  // Another window of this browser may have left some: sending a stroke twice keeps it once.
  load() {
    const start = this.name("");
    try {
      for (let at = 0; at < this.storage.length; at += 1) {
        const name = this.storage.key(at);
        if (!name.startsWith(start)) continue;
        const stroke = JSON.parse(this.storage.getItem(name));
        if (stroke && stroke.token) this.strokes.push({ ...stroke, became: "new", failure: null, isSent: false });
      }
    } catch {
      this.isKept = false;
    }
    this.strokes.sort((one, other) => one.order - other.order);
    this.last = this.strokes.reduce((most, stroke) => Math.max(most, stroke.order), 0);
  }

  keep(stroke) {
    try {
      this.storage.setItem(this.name(stroke.token), JSON.stringify(stroke));
      this.isKept = true;
    } catch {
      this.isKept = false;
    }
  }

  add(stroke) {
    this.last = Math.max(this.last + 1, Date.now());
    const made = { attempt: 0, after: "", seconds: 0, ...stroke, order: this.last, became: "new" };
    this.strokes.push(made);
    this.keep(made);
    return made;
  }

  drop(strokes) {
    const gone = new Set(strokes.map((stroke) => stroke.token));
    this.strokes = this.strokes.filter((stroke) => !gone.has(stroke.token));
    try {
      gone.forEach((token) => this.storage.removeItem(this.name(token)));
    } catch {
      this.isKept = false;
    }
  }

  // The last stroke on a cell that is on its way.
  lastOn(question, facet, passage) {
    return this.strokes.filter((stroke) => touches(stroke, question, facet, passage)).pop();
  }

  // Take in what became of strokes; returns those that were refused.
  settle(outcomes) {
    const said = new Map(outcomes.map((outcome) => [outcome.token, outcome]));
    const saved = [];
    const refused = [];
    this.strokes.forEach((stroke) => {
      const outcome = said.get(stroke.token);
      if (!outcome || outcome.attempt !== stroke.attempt) return;
      if (outcome.became === "saved") saved.push(stroke);
      else {
        if (outcome.became === "conflict" && stroke.became !== "conflict") refused.push(stroke);
        if (outcome.became === "failed") stroke.failure = outcome;
        Object.assign(stroke, { became: outcome.became, outcome });
      }
    });
    this.drop(saved);
    this.strokes.forEach((stroke) => {
      const before = said.get(stroke.after);
      if (!before || before.became !== "saved") return;
      if (before.version !== null) stroke.seen = before.version;
      stroke.after = "";
      this.keep(stroke);
    });
    return refused;
  }

  // Strokes that failed are tried anew, and those that waited for another one.
  again() {
    this.strokes.forEach((stroke) => {
      if (stroke.became === "failed") stroke.attempt += 1;
      if (stroke.became === "failed" || stroke.became === "waiting") stroke.became = "new";
    });
  }

  failed() {
    return this.strokes.filter((stroke) => stroke.became === "failed");
  }

  // Those that failed, and those that have failed and are being tried anew.
  troubled() {
    return this.strokes.filter((stroke) => stroke.failure && stroke.became !== "conflict");
  }

  conflicts(question) {
    return this.strokes.filter((stroke) => stroke.became === "conflict" && stroke.question === question);
  }

  // What goes to the server: all that have no answer, and those that another one rests on.
  message() {
    return this.strokes.slice(0, MOST_SENT).map((stroke) => {
      stroke.isSent = true;
      const { order, became, outcome, failure, before, isSent, ...sent } = stroke;
      return sent;
    });
  }

  // Whether some were never sent, or went out and nothing was said of them.
  get isUnsent() {
    return this.strokes.some((stroke) => !stroke.isSent);
  }

  get isUnanswered() {
    return this.strokes.some((stroke) => stroke.became === "new");
  }

  get open() {
    return this.strokes.filter((stroke) => stroke.became !== "conflict").length;
  }
}
