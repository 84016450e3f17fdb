"""One question as one HTML file: the live board without a server, and what it was made from.

The file asks for nothing: its content security policy allows its own script and its own style, by
their hashes, and no more. Every text of a pool is data in it, or escaped.
"""

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from poolscope import board, wording
from poolscope.analysis import Comparison, bare
from poolscope.board import Json
from poolscope.board.payload import NAMES, Find
from poolscope.charts.labels import plain, shortened
from poolscope.charts.theme import DARK, LIGHT, palette
from poolscope.diagnosis import Finding, diagnose
from poolscope.model import Pool
from poolscope.projection import Layout
from poolscope.report.fingerprint import made_by
from poolscope.selection.offers import path
from poolscope.selection.paths import Axis

STYLE = Path(__file__).with_name("page.css")
TITLE = "Poolscope"
NO_QUESTION = "A pool without a question"
WITHHELD_QUESTION = "Question withheld"
WITHHELD = "Withheld: it quotes a passage."
QUOTED_WORDS = 4
"""Words in a row that a sentence may share with a passage where passages are withheld."""

QUOTED_LETTERS = 12
NONE = "'none'"


class Disclosure(StrEnum):
    """What of a pool's texts a file carries; labels of sources and facets are always there."""

    EVERYTHING = "question and passages"
    QUESTION = "question, no passages"
    LABELS = "labels only"


@dataclass(frozen=True, slots=True)
class Link:
    """A place beside the file.

    Args:
        address: Where it lies, relative to the file.
        words: What it is called.
    """

    address: str
    words: str


def page(
    comparison: Comparison,
    layout: Layout,
    *,
    disclosure: Disclosure = Disclosure.EVERYTHING,
    links: Sequence[Link] = (),
    find: Find = path,
) -> str:
    """Write a comparison as one self-contained HTML file.

    Args:
        comparison: The columns at the setting that the file opens with, the baseline first.
        layout: A place for every candidate that has a vector.
        disclosure: What of the texts it carries.
        links: Files beside it, such as an index.
        find: Computes a path.
    """
    pool, key = comparison.pool, comparison.baseline.selection.policy.key
    scenes = [board.scene(pool, key, layout, palette(pool, key, theme)) for theme in (LIGHT, DARK)]
    data = board.alone(comparison, scenes, find, withheld=disclosure is not Disclosure.EVERYTHING)
    question = asked(pool, disclosure)
    body = "".join(
        (
            f"<header><p>{TITLE}{_links(links)}</p><h1>{text(question)}</h1>",
            f'<p class="facts">{text(" · ".join(facts(comparison)))}</p></header>',
            '<main><section class="judged" aria-labelledby="verdict">',
            f'<h2 id="verdict">Verdict on plain top-k at {text(_opening(comparison))}</h2>',
            f"{_verdict(comparison, disclosure)}",
            '<p class="elsewhere" hidden>The sliders stand elsewhere: this verdict is the one at '
            f"{text(_opening(comparison))}.</p></section>",
            '<section aria-labelledby="rules"><h2 id="rules">What each rule selects</h2>',
            '<p class="away" hidden>Why passages left is said at the setting of this file. '
            '<button type="button">Back to it</button></p>',
            '<div class="board"></div><noscript><p>The board needs JavaScript; this file holds all '
            "that it needs, and asks for nothing.</p></noscript></section>",
            '<section aria-labelledby="about"><h2 id="about">About this file</h2>',
            f"{_table(about(comparison, data, disclosure))}</section></main>",
            "<footer>This file asks for nothing from any network.</footer>",
        )
    )
    return document(shortened(question, 80), body, script=_script(), data=data)


def document(
    title: str, body: str, *, script: str = "", data: Mapping[str, Json] | None = None
) -> str:
    """Return a whole document under a policy that allows its own script and style alone."""
    style = stylesheet()
    held = "" if data is None else _data(data)
    run = f"<script>{script}</script>" if script else ""
    policy = (
        f"default-src 'none'; script-src {_hash(script) if script else NONE}; "
        f"style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{text(title)} · {TITLE}</title><style>{style}</style></head>\n"
        f"<body>{body}\n{held}{run}</body></html>\n"
    )


def text(value: str) -> str:
    """Escape a text for an element or an attribute."""
    return html.escape(plain(value), quote=True)


def asked(pool: Pool, disclosure: Disclosure) -> str:
    """Return the question as a file may say it."""
    if disclosure is Disclosure.LABELS:
        return WITHHELD_QUESTION
    return shortened(pool.query, 300) or NO_QUESTION


def facts(comparison: Comparison) -> list[str]:
    """Say what the pool is made of, in a few words each."""
    pool = comparison.pool
    vectors = "no vectors" if pool.vectors is None else f"{pool.vectors.shape[1]}-d vectors"
    return [
        wording.counted(len(pool), "candidate"),
        wording.sources(pool),
        vectors,
        "no scores" if pool.score_kind is None else f"score: {pool.score_kind.name}",
        *([wording.counted(len(pool.facets), "facet")] if pool.facets else []),
    ]


def about(
    comparison: Comparison, data: Mapping[str, Json], disclosure: Disclosure
) -> list[tuple[str, str]]:
    """Say what the file was made from, and what its sliders reach."""
    pool = comparison.pool
    relevance = comparison.baseline.selection.relevance_name
    rows = [
        ("Opens with", _opening(comparison)),
        ("Relevance", relevance),
        *((column.title, column.setting) for column in comparison.columns[1:]),
        ("Lambda", "moves freely: every value at which a selection changes is in the file"),
    ]
    stops = _stops(data)
    for axis, words in ((Axis.DEPTH, "Pool depth"), (Axis.CAP, "Cap"), (Axis.K, "k in context")):
        rows.append((words, f"moves over {', '.join(map(str, stops[NAMES[axis]]))}"))
    rows += [
        ("Texts", disclosure.value),
        ("Pool", f"fingerprint {pool.digest}"),
        ("Made by", made_by()),
    ]
    return rows


def _opening(comparison: Comparison) -> str:
    """Say what plain top-k is asked at the setting that the file opens with."""
    k = comparison.baseline.selection.policy.k
    return f"k {k}, pool depth {comparison.depth} of {len(comparison.pool)}"


def _stops(data: Mapping[str, Json]) -> Mapping[str, Sequence[Json]]:
    lattice = data["lattice"]
    found = lattice["stops"] if isinstance(lattice, Mapping) else {}
    return {name: part for name, part in _items(found) if isinstance(part, list)}


def _items(part: Json) -> Iterable[tuple[str, Json]]:
    return part.items() if isinstance(part, Mapping) else ()


def headline(comparison: Comparison, disclosure: Disclosure) -> str:
    """Say the verdict on plain top-k in one sentence."""
    return said(comparison.pool, _found(comparison)[0].sentence, disclosure)


def _found(comparison: Comparison) -> tuple[Finding, ...]:
    policy = bare(comparison.baseline.selection.policy)
    return diagnose(comparison.pool, policy).findings


def _verdict(comparison: Comparison, disclosure: Disclosure) -> str:
    found, *others = _found(comparison)
    pool = comparison.pool
    evidence = [said(pool, line, disclosure) for line in found.evidence]
    evidence += [said(pool, other.sentence, disclosure) for other in others]
    lines = "".join(f"<li>{text(line)}</li>" for line in evidence)
    why = f"<details><summary>Why?</summary><ul>{lines}</ul></details>" if lines else ""
    return (
        f'<p class="verdict"><b>{text(found.kind.value.capitalize())}.</b> '
        f"{text(said(pool, _rest(found), disclosure))} "
        f"<span>{text(said(pool, found.remedy, disclosure))}</span></p>{why}"
    )


def _rest(found: Finding) -> str:
    return found.sentence.removeprefix(f"{found.kind.value.capitalize()}. ")


def said(pool: Pool, sentence: str, disclosure: Disclosure) -> str:
    """Return a sentence, or that it is withheld where it quotes what is not to be shown."""
    if disclosure is Disclosure.EVERYTHING:
        return sentence
    hidden = [*pool.texts, *([pool.query] if disclosure is Disclosure.LABELS else [])]
    bare_of_labels = sentence
    for label in (*pool.distinct_sources, *(facet.label for facet in pool.facets)):
        bare_of_labels = bare_of_labels.replace(label, " | ")
    return WITHHELD if _quotes(bare_of_labels, hidden) else sentence


def _quotes(sentence: str, hidden: Iterable[str]) -> bool:
    """Whether a sentence has a run of words in common with a text, or holds a whole short one."""
    words = _words(sentence)
    runs = {" ".join(words[i : i + QUOTED_WORDS]) for i in range(len(words) - QUOTED_WORDS + 1)}
    line = " ".join(words)
    for each in hidden:
        text_line = " ".join(_words(each))
        if any(run in text_line for run in runs):
            return True
        if len(text_line) >= QUOTED_LETTERS and text_line in line:
            return True
    return False


def _words(text: str) -> list[str]:
    """Return words in lower case, and a bar where a label stood."""
    return re.findall(r"\w+|\|", text.casefold())


def _links(links: Sequence[Link]) -> str:
    return "".join(f' · <a href="{text(link.address)}">{text(link.words)}</a>' for link in links)


def _table(rows: Iterable[tuple[str, str]]) -> str:
    body = "".join(
        f'<tr><th scope="row">{text(name)}</th><td>{text(value)}</td></tr>' for name, value in rows
    )
    return f'<table class="about"><tbody>{body}</tbody></table>'


def _data(data: Mapping[str, Json]) -> str:
    """Return JSON in which nothing can end the element that holds it."""
    written = json.dumps(data, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        written = written.replace(letter, f"\\u{ord(letter):04x}")
    return f'<script type="application/json" id="poolscope-data">{written}</script>\n'


@cache
def _script() -> str:
    return f'(() => {{\n"use strict";\n{board.alone_script()}\n}})();'


@cache
def stylesheet() -> str:
    """Return the style of a file: the board's and the page's, colours by role for both themes."""
    roles = ("ink", "quiet", "line", "card", "page", "accent")

    def variables(theme: object) -> str:
        return "".join(f"--page-{role}:{getattr(theme, role)};" for role in roles)

    return (
        f":root{{{variables(LIGHT)}}}\n"
        f"@media screen and (prefers-color-scheme: dark){{:root{{{variables(DARK)}}}}}\n"
        f"{board.style()}\n{STYLE.read_text(encoding='utf-8')}"
    )


def _hash(content: str) -> str:
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    return f"'sha256-{digest}'"
