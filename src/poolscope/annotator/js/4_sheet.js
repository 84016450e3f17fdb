// The sheet: one question, its passages one at a time, its facets beside them.

const SILENCE_MS = 3000;
const QUIET_MS = 6000;
const MOST_SILENCE_MS = 12000;
const RETRY_MS = 5000;
const MOST_RETRY_MS = 30000;
const IN_FLIGHT_MS = 600;
const OPEN = ["open", "begun", "later"];
const scenes = new Map();

class Sheet {
  constructor(root) {
    this.root = root;
    this.at = 0;
    this.facet = 0;
    this.beat = 0;
    this.rows = [];
    this.silence = SILENCE_MS;
    this.retry = RETRY_MS;
    this.clock = new Clock(() => performance.now());
    this.build();
    this.listen();
  }

  build() {
    this.title = element("h2", "question");
    this.facts = element("p", "facts");
    this.putOffs = button("link", "", () => this.goToLater());
    this.notes = element("p", "notes");
    this.saved = element("p", "saved");
    this.saved.setAttribute("role", "status");
    this.notices = element("div", "notices");
    this.notices.setAttribute("role", "alert");
    this.dots = new Dots(this);
    this.place = element("b", "place");
    this.known = element("span", "known");
    this.text = element("div", "text");
    this.text.tabIndex = 0;
    this.text.setAttribute("aria-label", "Passage");
    const tools = element("div", "tools");
    this.previous = button("plain", "← Previous", () => this.do({ name: "passage", by: -1 }));
    this.following = button("plain", "Next →", () => this.do({ name: "passage", by: 1 }));
    this.later = button("plain", "Later", () => this.do({ name: "later" }), "l");
    this.next = button("main", "", () => this.do({ name: "next" }), "Ctrl Enter, on a Mac ⌘ Enter");
    tools.append(this.previous, this.following, this.later, this.next);
    const head = element("div", "passage-head");
    head.append(this.place, this.known);
    const passage = element("section", "passage");
    passage.append(head, this.text, tools);
    this.list = element("ol", "facets");
    this.none = element("p", "none", "No facet yet. Press a and name the first component of a full answer, in a few words.");
    this.input = element("input", "add");
    this.input.type = "text";
    this.input.placeholder = "Add a facet (a)";
    this.input.setAttribute("aria-label", "Add a facet");
    this.input.addEventListener("keydown", (event) => this.typed(event));
    const hint = element("p", "add-hint", "Enter adds, Esc leaves");
    hint.id = "add-hint";
    this.input.setAttribute("aria-describedby", hint.id);
    const aside = element("section", "aside");
    aside.append(element("h3", "", "Does this passage support…"), this.none, this.list, this.input, hint);
    const top = element("header", "top");
    const words = element("div", "words");
    const line = element("div", "line");
    line.append(this.facts, this.putOffs);
    words.append(this.title, line, this.notes);
    top.append(words, this.saved);
    const body = element("div", "body");
    body.append(passage, aside);
    this.help = element("dl", "help");
    this.help.hidden = true;
    KEYS.forEach(([keys, what]) => {
      const term = element("dt");
      term.append(...keys.split(" ").flatMap((key) => [element("kbd", "", key), " "]));
      this.help.append(term, element("dd", "", what));
    });
    const foot = element("p", "foot");
    const asked = button("link", "? all keys", () => this.do({ name: "help" }));
    this.ahead = element("span", "ahead");
    foot.append("1–9 mark · ↑↓ facet · ←→ passage · l later · ", this.ahead, "u undo · a add · ", asked);
    body.append(this.help);
    this.root.replaceChildren(top, this.notices, this.dots.root, body, foot);
  }

  listen() {
    this.onKey = (event) => this.pressed(event);
    this.onLife = () => this.clock.beat();
    this.onLeave = () => {
      if (document.visibilityState === "hidden") this.spend(this.data && this.data.question.id);
    };
    this.onStorage = (event) => this.changedElsewhere(event);
    window.addEventListener("keydown", this.onKey, true);
    window.addEventListener("storage", this.onStorage);
    document.addEventListener("visibilitychange", this.onLeave);
    this.root.addEventListener("pointermove", this.onLife);
    this.timer = setInterval(() => this.tick(), 500);
  }

  close() {
    window.removeEventListener("keydown", this.onKey, true);
    window.removeEventListener("storage", this.onStorage);
    document.removeEventListener("visibilitychange", this.onLeave);
    clearInterval(this.timer);
  }

  // ---- what the server says

  update(data) {
    const isOther = !this.data || this.data.question.id !== data.question.id || this.data.scope !== data.scope;
    if (isOther && this.data) this.spend(this.data.question.id);
    if (!this.queue || this.queue.scope !== data.scope) this.queue = new Queue(data.scope, window.localStorage);
    if (data.passages) scenes.set(data.scene, data.passages);
    const passages = scenes.get(data.scene);
    const isFilled = this.isLacking && passages;
    this.data = data;
    this.isLacking = !passages;
    this.passages = passages || [];
    const hadFailed = this.queue.failed().length > 0;
    const refused = this.queue.settle(data.outcomes);
    if (this.queue.failed().length && !hadFailed) this.failedAt = performance.now();
    if (data.heard >= this.beat) this.inFlight = 0;
    this.marks = new Map();
    data.marks.forEach(([facet, at, mark, version]) => {
      if (at < this.passages.length) this.marks.set(cellName(data.facets[facet].id, this.passages[at].key), { mark, version });
    });
    if (isOther || isFilled) this.begin();
    if (isOther) this.takeFocus();
    this.refused(refused);
    if (this.dots.nodes.length !== this.passages.length) this.dots.build(this.passages.length);
    if (this.rows.length !== data.facets.length) {
      this.rows = data.facets.map((_, number) => new FacetRow(this, number));
      this.list.replaceChildren(...this.rows.map((row) => row.root));
    }
    Object.entries(data.theme).forEach(([name, value]) => this.root.style.setProperty(`--sheet-${name}`, value));
    if (!this.queue.troubled().length) this.retry = RETRY_MS;
    this.silence = SILENCE_MS;
    this.quietSince = this.queue.isUnanswered ? performance.now() : 0;
    this.show();
    if (this.isLacking || this.queue.isUnsent) this.flush();
  }

  begin() {
    this.facet = 0;
    this.notice = null;
    this.isReady = false;
    this.clock.take();
    const cells = this.cells();
    const before = this.passages.findIndex((passage) => this.spot(passage) === lookedAt());
    const first = this.data.isDone ? 0 : this.passages.findIndex((_, at) => this.isOpen(at, cells));
    this.at = before >= 0 ? before : Math.max(first, 0);
  }

  // What a window remembers the passage by that is looked at.
  spot(passage) {
    return JSON.stringify([this.data.scope, this.data.question.id, passage.key]);
  }

  // A list from which the question was chosen would keep the keys.
  takeFocus() {
    const node = document.activeElement;
    if (node && node.getAttribute("role") === "combobox") this.text.focus({ preventScroll: true });
  }

  // Strokes that cannot be tried again as they are: say so, and keep what was typed.
  refused(strokes) {
    strokes.forEach((stroke) => {
      if (stroke.kind === "mark") return;
      const typed = stroke.label ? ` You typed: ${stroke.label}` : "";
      this.notice = `${stroke.outcome.problem} ${stroke.outcome.remedy}${typed}`;
      this.isReady = false;
      this.queue.drop([stroke]);
    });
  }

  changedElsewhere(event) {
    if (!this.queue || event.newValue !== null || !event.key) return;
    const gone = this.queue.strokes.filter((stroke) => this.queue.name(stroke.token) === event.key);
    if (!gone.length) return;
    this.queue.drop(gone);
    this.flush();
  }

  // ---- to the server

  flush() {
    const now = performance.now();
    if (this.inFlight && now - this.inFlight < IN_FLIGHT_MS) {
      this.isDue = true;
      return;
    }
    this.isDue = false;
    this.inFlight = now;
    this.beat = Math.max(this.beat + 1, Date.now());
    this.sentAt = now;
    this.send({ beat: this.beat, has: this.isLacking ? "" : this.data.scene, strokes: this.queue.message() });
  }

  tick() {
    if (!this.queue) return;
    const now = performance.now();
    const failed = this.queue.failed();
    if (this.isDue) this.flush();
    else if (failed.length && now - this.failedAt > this.retry) {
      this.retry = Math.min(this.retry * 2, MOST_RETRY_MS);
      this.tryAgain();
    } else if (!failed.length && this.queue.isUnanswered && now - (this.sentAt || 0) > this.silence) {
      this.silence = Math.min(this.silence * 2, MOST_SILENCE_MS);
      this.flush();
    }
    this.showSaved();
  }

  tryAgain() {
    this.queue.again();
    this.inFlight = 0;
    this.flush();
    this.show();
  }

  stroke(values) {
    const made = this.queue.add({
      token: randomName(),
      question: this.data.question.id,
      facet: "",
      passage: "",
      mark: null,
      seen: 0,
      facetSeen: 0,
      label: "",
      undoes: "",
      seconds: this.clock.take(),
      ...values,
    });
    this.notice = null;
    this.quietSince = this.quietSince || performance.now();
    this.flush();
    return made;
  }

  spend(question) {
    if (!this.queue || !question || this.clock.seconds < 1) return;
    this.stroke({ kind: "time", question });
  }

  // Strokes on one cell follow one another: what each has seen is what the one before leaves.
  chained(facet, passage) {
    const before = this.queue.lastOn(this.data.question.id, facet, passage);
    const known = this.marks.get(cellName(facet, passage));
    return { after: before ? before.token : "", seen: known ? known.version : 0 };
  }

  mark(at, number, mark, token) {
    const facet = this.data.facets[number];
    const passage = this.passages[at];
    if (!facet || !passage) return;
    const shown = this.cells().get(cellName(facet.id, passage.key));
    if (shown && shown.state === "conflict") return;
    this.stroke({
      kind: "mark",
      facet: facet.id,
      passage: passage.key,
      mark,
      before: (shown && shown.mark) || null,
      facetSeen: facet.version,
      ...this.chained(facet.id, passage.key),
      ...(token ? { token } : {}),
    });
  }

  settleConflict(stroke, isMine) {
    const same = this.queue.strokes.filter((other) => touches(other, stroke.question, stroke.facet, stroke.passage));
    const wanted = same[same.length - 1].mark;
    this.queue.drop(same);
    const number = this.data.facets.findIndex((facet) => facet.id === stroke.facet);
    const at = this.passages.findIndex((passage) => passage.key === stroke.passage);
    if (isMine && number >= 0 && at >= 0) this.mark(at, number, wanted);
    this.queue.again();
    this.flush();
    this.show();
  }

  // ---- what a person does

  pressed(event) {
    if (!this.queue || !this.root.isConnected || !this.root.offsetParent) return;
    const node = event.composedPath()[0];
    if (isTyping(node)) return;
    const isInside = event.composedPath().includes(this.root);
    if (!isInside && isTaken(node, event.key)) return;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const asked = command(event);
    if (isPlain && STREAMLITS.includes(event.key.toLowerCase())) event.stopImmediatePropagation();
    this.clock.beat();
    if (!asked || (asked.name === "close" && this.help.hidden)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.repeat && !["passage", "facet"].includes(asked.name)) return;
    this.do(asked);
  }

  typed(event) {
    event.stopPropagation();
    this.clock.beat();
    const asked = fieldCommand(event, this.input.value);
    if (!asked) return;
    event.preventDefault();
    if (asked === "ignore") return;
    if (asked === "add") {
      const label = this.input.value.trim();
      this.stroke({ kind: "facet", facet: `f-${randomName().slice(0, 12)}`, label });
      this.input.value = "";
      this.isReady = false;
    }
    this.input.blur();
    this.text.focus({ preventScroll: true });
    this.show();
  }

  do(asked) {
    const act = {
      cycle: () => this.cycle(asked.at),
      set: () => this.choose(this.facet, asked.mark),
      passage: () => this.goTo(this.at + asked.by),
      facet: () => this.pointAt(this.facet + asked.by),
      open: () => this.goOn(),
      later: () => this.putOff(),
      next: () => this.finish(),
      undo: () => this.undo(),
      add: () => this.input.focus(),
      help: () => { this.help.hidden = !this.help.hidden; },
      close: () => { this.help.hidden = true; },
    }[asked.name];
    act();
    this.show();
  }

  cycle(number) {
    if (number >= this.data.facets.length) return;
    this.facet = number;
    this.mark(this.at, number, nextMark(this.markAt(this.at, number)));
  }

  choose(number, mark) {
    this.facet = number;
    this.mark(this.at, number, this.markAt(this.at, number) === mark ? null : mark);
    this.show();
  }

  pointAt(number) {
    this.facet = Math.min(Math.max(number, 0), Math.max(this.data.facets.length - 1, 0));
    this.show();
    const row = this.rows[this.facet];
    if (row) row.root.scrollIntoView({ block: "nearest" });
  }

  goTo(at) {
    this.at = Math.min(Math.max(at, 0), Math.max(this.passages.length - 1, 0));
    this.facet = 0;
    this.isReady = false;
    this.text.scrollTop = 0;
    this.show();
  }

  // To the next passage with an empty cell, round the end; then to those that were put off.
  goOn() {
    const cells = this.cells();
    const round = this.passages.map((_, step) => (this.at + 1 + step) % this.passages.length);
    const open = round.find((at) => this.stateOf(at, cells) === "open" || this.stateOf(at, cells) === "begun");
    const later = round.find((at) => this.stateOf(at, cells) === "later");
    const found = open === undefined ? later : open;
    if (found !== undefined) this.goTo(found);
    else this.isReady = true;
  }

  goToLater() {
    const cells = this.cells();
    const isLater = (at) => this.data.facets.some((facet) => {
      const cell = cells.get(cellName(facet.id, this.passages[at].key));
      return Boolean(cell) && cell.mark === "later";
    });
    const found = this.passages.map((_, step) => (this.at + 1 + step) % this.passages.length).find(isLater);
    if (found !== undefined) this.goTo(found);
  }

  each(isWanted, mark) {
    const group = randomName();
    const cells = this.cells();
    let count = 0;
    this.data.facets.forEach((facet, number) => {
      const cell = cells.get(cellName(facet.id, this.passages[this.at].key));
      if (!isWanted((cell && cell.mark) || null)) return;
      this.mark(this.at, number, mark, `${group}.${count}`);
      count += 1;
    });
    return count;
  }

  putOff() {
    if (!this.passages.length) return;
    if (this.each((mark) => mark === null, "later")) this.goOn();
    else this.notice = "Nothing is open in this passage.";
  }

  finish() {
    if (!this.data.facets.length) {
      this.notice = "Name a facet first: press a.";
      return;
    }
    if (!this.passages.length) {
      this.notice = "This question has no passages.";
      return;
    }
    if (this.isReady && !this.data.isDone) {
      this.stroke({ kind: "finish" });
      return;
    }
    if (this.isReady) {
      this.go({ to: this.data.next || "", nonce: randomName() });
      return;
    }
    this.each((mark) => mark === null || mark === "later", "does not");
    this.goOn();
  }

  undo() {
    const stack = undoable(this.data.undo, this.queue.strokes, this.data.question.id);
    const last = lastGroup(stack);
    if (!last.length) {
      this.notice = "There is nothing to take back.";
      return;
    }
    const group = randomName();
    last.forEach((entry, number) => {
      const chain = entry.passage ? this.chained(entry.facet, entry.passage) : { after: "", seen: 0 };
      this.stroke({
        kind: "undo",
        token: `${group}.${number}`,
        undoes: entry.token,
        facet: entry.passage ? entry.facet : "",
        passage: entry.passage || "",
        mark: entry.before || null,
        ...chain,
      });
    });
    const at = this.passages.findIndex((passage) => passage.key === last[0].passage);
    const number = this.data.facets.findIndex((facet) => facet.id === last[0].facet);
    if (at >= 0) this.at = at;
    if (number >= 0) this.facet = number;
    this.isReady = false;
  }

  // ---- what is shown

  cells() {
    return overlaid(this.marks, this.queue.strokes, this.data.question.id);
  }

  markAt(at, number) {
    const cell = this.cells().get(cellName(this.data.facets[number].id, this.passages[at].key));
    return cell ? cell.mark : null;
  }

  stateOf(at, cells) {
    const found = this.data.facets.map((facet) => {
      const cell = cells.get(cellName(facet.id, this.passages[at].key));
      return (cell && cell.mark) || null;
    });
    const empty = found.filter((mark) => mark === null).length;
    if (empty && empty === found.length) return "open";
    if (empty || !found.length) return found.length ? "begun" : "open";
    if (found.includes("later")) return "later";
    return found.includes("supports") ? "supports" : "settled";
  }

  isOpen(at, cells) {
    return OPEN.includes(this.stateOf(at, cells));
  }

  show() {
    const { data } = this;
    const cells = this.cells();
    const states = this.passages.map((_, at) => this.stateOf(at, cells));
    if (states.some((state) => OPEN.includes(state))) this.isReady = false;
    this.dots.show(states, this.at);
    setText(this.title, data.question.text);
    this.title.title = data.question.text;
    setText(this.notes, data.notes);
    this.showFacts(cells);
    this.showPassage();
    data.facets.forEach((facet, number) => {
      const passage = this.passages[this.at];
      const cell = passage && cells.get(cellName(facet.id, passage.key));
      const others = data.others.filter(([one, at]) => one === number && at === this.at).map(([, , name, mark]) => [name, mark]);
      this.rows[number].show(facet, cell, others, number === this.facet);
    });
    this.none.hidden = data.facets.length > 0;
    this.showNext(states);
    this.showNotices();
    this.showSaved();
  }

  showFacts(cells) {
    const { data } = this;
    let settled = 0;
    let later = 0;
    data.facets.forEach((facet) => this.passages.forEach((passage) => {
      const cell = cells.get(cellName(facet.id, passage.key));
      if (cell && cell.mark === "later") later += 1;
      else if (cell && cell.mark) settled += 1;
    }));
    const total = data.facets.length * this.passages.length;
    const parts = [
      `Question ${data.place} of ${data.questions}, ${data.finished} done`,
      `${settled} of ${counted(total, "mark")}`,
      `${span(data.seconds + this.clock.seconds)} on this one`,
      data.isDone ? "your pass is done" : "",
    ];
    setText(this.facts, parts.filter(Boolean).join(" · "));
    this.putOffs.hidden = later === 0;
    setText(this.putOffs, `${later} put off`);
  }

  showPassage() {
    const passage = this.passages[this.at];
    if (!passage) {
      setText(this.place, this.isLacking ? "Reading the passages" : "No passages");
      setText(this.text, "");
      setText(this.known, "");
      return;
    }
    setText(this.place, `Passage ${this.at + 1} of ${this.passages.length}`);
    const known = [
      passage.rank ? `rank ${passage.rank}` : "",
      passage.score !== null ? `score ${Number(passage.score.toPrecision(4))}` : "",
      passage.source || "",
    ].filter(Boolean);
    const hidden = this.data.hidden.length ? `${listed(this.data.hidden)} hidden until your pass is done` : "";
    setText(this.known, [...known, hidden].filter(Boolean).join(" · "));
    setText(this.text, passage.text);
    look(this.spot(passage));
  }

  showNext(states) {
    const words = nextWords({
      isAllMarked: states.length > 0 && !states.some((state) => OPEN.includes(state)),
      isReady: this.isReady,
      isDone: this.data.isDone,
      hasNext: Boolean(this.data.next),
    });
    setText(this.next, words.main);
    setText(this.ahead, words.line ? `Ctrl Enter ${words.line} · ` : "");
    this.next.disabled = this.isReady && this.data.isDone && !this.data.next;
    this.previous.disabled = this.at === 0;
    this.following.disabled = this.at + 1 >= this.passages.length;
  }

  showNotices() {
    const found = this.queue.conflicts(this.data.question.id).filter((stroke) => stroke.kind === "mark").map((stroke) => this.conflict(stroke));
    if (this.notice) found.push(element("p", "notice", this.notice));
    const held = this.queue.troubled().length ? this.queue.strokes : [];
    held.forEach((stroke) => {
      if (stroke.kind === "facet") found.push(element("p", "notice", `Not saved yet: the facet “${stroke.label}”.`));
    });
    if (this.isReady && !this.data.isDone) {
      found.push(element("p", "notice ready", "Every mark is made. Ctrl Enter again finishes your pass: from then on ranks, scores, sources and others' marks are shown here. You can still change your marks."));
    }
    if (!this.queue.isKept) found.push(element("p", "notice", "This browser keeps nothing for this page: do not close it while something is not saved."));
    const words = found.map((node) => node.textContent).join("\n");
    if (words === this.noticed) return;
    this.noticed = words;
    this.notices.replaceChildren(...found);
  }

  conflict(stroke) {
    const facet = this.data.facets.find((item) => item.id === stroke.facet);
    const at = this.passages.findIndex((passage) => passage.key === stroke.passage);
    const known = this.marks.get(cellName(stroke.facet, stroke.passage));
    const same = this.queue.strokes.filter((other) => touches(other, stroke.question, stroke.facet, stroke.passage));
    const mine = same[same.length - 1].mark || "nothing";
    const bar = element("p", "notice conflict");
    const where = facet && at >= 0 ? `Passage ${at + 1}, “${facet.label}”. ` : "";
    const there = facet ? ` There: ${(known && known.mark) || "nothing"}. Yours: ${mine}.` : ` Yours was: ${mine}.`;
    bar.append(element("span", "", `${where}${stroke.outcome.problem}${there}`));
    if (facet && at >= 0) bar.append(button("plain", "Use mine", () => this.settleConflict(stroke, true)));
    bar.append(button("plain", facet ? "Keep what is there" : "Let it go", () => this.settleConflict(stroke, false)));
    return bar;
  }

  showSaved() {
    const failed = this.queue.failed();
    const [troubled] = this.queue.troubled();
    const open = this.queue.open;
    let state = "kept";
    let words = "All saved";
    if (troubled) {  // until it is saved: what is said only between two attempts cannot be read
      state = "failed";
      const { problem, remedy } = troubled.failure;
      const now = failed.length ? "" : " Trying again.";
      words = `${counted(open, "stroke")} not saved. ${problem} ${remedy}${now}`;
    } else if (this.quietSince && performance.now() - this.quietSince > QUIET_MS) {
      state = "silent";
      words = `${counted(open, "stroke")} not saved yet: the server does not answer. This browser keeps them and sends them again.`;
    } else if (open) {
      state = "saving";
      words = `Saving ${open}`;
    }
    this.root.dataset.open = String(open);
    this.saved.className = `saved ${state}`;
    if (words === this.said) return;
    this.said = words;
    const shown = [element("span", "", words)];
    if (failed.length) {
      shown.push(button("plain", "Try again", () => this.tryAgain()));
      if (failed[0].attempt > 0) {
        shown.push(button("plain", "Let the first go", () => {
          this.queue.drop([this.queue.failed()[0]]);
          this.tryAgain();
        }, "Gives up the stroke that cannot be saved, and goes on with the others"));
      }
    }
    this.saved.replaceChildren(...shown);
  }
}
