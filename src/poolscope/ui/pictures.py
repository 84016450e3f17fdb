"""Pictures with a button for each kind of file; the browser itself turns SVG into PNG."""

from collections.abc import Mapping

from poolscope.ui import cache

NAME = "poolscope.pictures"
HTML = '<div class="pictures"></div>'
STYLE = """
.pictures { display: grid; gap: 22px; }
figure { margin: 0; }
img { display: block; width: 100%; height: auto; border: 1px solid var(--st-border-color); border-radius: 6px; background: #fff; }
figcaption { display: flex; gap: 8px; align-items: center; margin-top: 8px; font-size: 0.875rem; color: var(--st-text-color); }
figcaption b { font-weight: 600; margin-right: auto; }
button { font: inherit; padding: 0.25rem 0.75rem; cursor: pointer; color: var(--st-text-color); background: transparent;
  border: 1px solid var(--st-border-color); border-radius: 0.5rem; }
button:hover, button:focus-visible { border-color: var(--st-primary-color); outline: none; }
button:focus-visible { box-shadow: 0 0 0 2px var(--st-primary-color); }
"""  # noqa: E501 - style, a rule a line
SCRIPT = """
const SCALE = 2;

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function png(image, name) {
  const canvas = document.createElement("canvas");
  canvas.width = SCALE * image.naturalWidth;
  canvas.height = SCALE * image.naturalHeight;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => save(blob, name), "image/png");
}

function button(label, words, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.setAttribute("aria-label", words);
  made.addEventListener("click", act);
  return made;
}

export default function mount({ data, parentElement }) {
  const root = parentElement.querySelector(".pictures");
  const blobs = [];
  const figures = Object.entries(data.pictures).map(([title, svg]) => {
    const blob = new Blob([svg], { type: "image/svg+xml" });
    const address = URL.createObjectURL(blob);
    blobs.push(address);
    const name = `${data.stem}-${title.toLowerCase().replaceAll(" ", "-")}`;
    const figure = document.createElement("figure");
    const image = new Image();
    image.alt = title;
    image.src = address;
    const caption = document.createElement("figcaption");
    const label = document.createElement("b");
    label.textContent = title;
    caption.append(label, button("SVG", `${title} as SVG`, () => save(blob, `${name}.svg`)),
      button("PNG", `${title} as PNG`, () => png(image, `${name}.png`)));
    figure.append(image, caption);
    return figure;
  });
  root.replaceChildren(...figures);
  return () => blobs.forEach((address) => URL.revokeObjectURL(address));
}
"""


def draw(pictures: Mapping[str, str], stem: str, *, key: str) -> None:
    """Draw pictures with their buttons.

    Args:
        pictures: SVG by title.
        stem: What the files' names begin with.
        key: Key of the component.
    """
    cache.renderer(NAME, HTML, STYLE, SCRIPT)(
        key=key, data={"pictures": dict(pictures), "stem": stem}
    )
