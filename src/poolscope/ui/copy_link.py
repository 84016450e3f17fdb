"""The button that copies the page's address, and the browser's way back over it.

The browser alone knows the address whole, and what lies behind it.
"""

from poolscope.ui import cache

NAME = "poolscope.copy_link"
HTML = '<button type="button">Copy link</button><span role="status"></span>'
STYLE = """
button { width: 100%; font: inherit; font-size: 0.875rem; padding: 0.35rem 0.75rem; cursor: pointer;
  color: var(--st-text-color); background: transparent; border-radius: 0.5rem;
  border: 1px solid var(--st-border-color); }
button:hover, button:focus-visible { border-color: var(--st-primary-color); outline: none; }
button:focus-visible { box-shadow: 0 0 0 2px var(--st-primary-color); }
span { display: block; min-height: 1.2em; margin-top: 0.2rem; font-size: 0.8rem;
  color: var(--st-text-color); overflow-wrap: anywhere; }
"""
SCRIPT = """
// Without a secure address the browser has no clipboard to give; then the link is shown instead.
// Streamlit goes to a page without parameters and writes them when its run has ended, which makes
// two entries of one page: the first way back would show nothing new. The second takes the place of
// the first instead.
// Poolscope's own parameters count, not those that Streamlit is embedded with.
const kept = Symbol.for("poolscope.one-entry");
function isBare(address) {
  return [...address.searchParams.keys()].every((name) => /^embed(_options)?$/.test(name));
}
function oneEntryAPage() {
  if (window[kept]) return;
  window[kept] = true;
  const push = window.history.pushState.bind(window.history);
  window.history.pushState = (state, unused, to) => {
    const here = new URL(window.location.href);
    const next = to == null ? here : new URL(to, here.href);
    const isSecond = isBare(here) && !isBare(next) && next.pathname === here.pathname;
    (isSecond ? window.history.replaceState.bind(window.history) : push)(state, unused, to);
  };
}

export default function mount({ parentElement }) {
  oneEntryAPage();
  const button = parentElement.querySelector("button");
  const said = parentElement.querySelector("span");
  let timer = null;
  button.onclick = async () => {
    const link = window.location.href;
    try {
      await navigator.clipboard.writeText(link);
      said.textContent = "Copied.";
    } catch {
      said.textContent = link;
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(() => { said.textContent = ""; }, 4000);
  };
  return () => clearTimeout(timer);
}
"""


def draw() -> None:
    """Draw the button."""
    cache.renderer(NAME, HTML, STYLE, SCRIPT)(key="copy-link")
