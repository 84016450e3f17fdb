// The bar about the passage that is held: what it is, and what can be done with it by hand.

const MARKS = { pinned: "pinned by hand", banned: "banned by hand" };

class HeldBar {
  constructor(board) {
    this.board = board;
    this.root = element("div", "held-bar");
    this.root.setAttribute("role", "toolbar");
    this.root.hidden = true;
    this.name = element("b");
    this.state = element("span", "held-state");
    this.buttons = {
      pin: this.button("pin", "Pin", "Into every column but top-k, before the rule chooses"),
      ban: this.button("ban", "Ban", "Out of every column but top-k"),
      release: this.button("release", "Release", "Let the rules decide on it again"),
      explain: this.button("explain", "Explain", "Open Explain on this passage"),
    };
    this.root.append(this.name, this.state, ...Object.values(this.buttons));
  }

  button(what, label, help) {
    const button = element("button", "held-button", label);
    button.type = "button";
    button.title = help;
    button.addEventListener("click", () => this.board.act(what, this.board.pinned));
    return button;
  }

  // Nothing more can be asked about the passage while its page is being opened.
  leave(isLeaving) {
    this.root.setAttribute("aria-busy", String(isLeaving));
    Object.values(this.buttons).forEach((button) => {
      button.disabled = isLeaving;
    });
  }

  mark() {
    const index = this.board.pinned;
    this.root.hidden = index < 0;
    if (index < 0) return;
    const mark = this.board.marked(index);
    const source = this.board.source(index);
    this.root.style.setProperty("--source", this.board.colour(index));
    this.root.setAttribute("aria-label", `Rank ${index + 1} of ${source}`);
    setText(this.name, `rank ${index + 1} · ${source}`);
    setText(this.state, mark ? MARKS[mark] : "");
    this.buttons.pin.hidden = mark === "pinned";
    this.buttons.ban.hidden = mark === "banned";
    this.buttons.release.hidden = !mark;
  }
}
