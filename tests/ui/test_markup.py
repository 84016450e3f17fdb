"""Markup: well-formed for any text, and no text of a pool ever becomes markup."""

import dataclasses
import math
import re
from collections.abc import Callable
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolscope.analysis import Comparison, compare
from poolscope.charts.labels import plain
from poolscope.charts.theme import LIGHT, Palette, palette
from poolscope.model import UNJUDGED, Facet, Policy, Pool
from poolscope.selection import SELECTORS
from poolscope.ui import markup

MakePool = Callable[..., Pool]
HOSTILE = {
    "image": '<img src=x onerror="alert(1)">',
    "script": "</article></section><script>alert(1)</script>",
    "attribute": '" onmouseover="alert(1)" x="',
    "single quotes": "' onload='alert(1)",
    "style": "red;background:url(http://example.org/x.png)",
    "entity": "&lt;b&gt; &amp;amp; &#x3C;",
    "markdown": "![x](http://example.org/x.png) **b** `c` $\\frac{1}{2}$ :red[r]",
    "right to left": "abc\u202edef\u2066ghi\u200f",
    "nul": "a\x00b\x1bc\x7fd\x85e",
    "emoji": "👩‍🔬🇩🇪 e\u0301",
    "surrogate": "a\ud800b",
    "long": "x" * 100_000,
    "long words": "word " * 30_000,
    "lines": "one\n\n  two\r\n\tthree",
    "empty": "",
    "blank": " \n\t",
}
ANY_TEXT = st.text(
    st.characters(exclude_characters="\ufffe\uffff") | st.sampled_from("<>&\"'\x00\u202e\ud800\n"),
    max_size=60,
)
TAGS = {
    "div", "p", "h1", "h3", "small", "section", "table", "caption", "tbody", "tr", "th", "td",
    "span", "i", "b", "article", "header", "details", "summary", "footer", "ul", "li",
}  # fmt: skip
ATTRIBUTES = {"class", "style", "role", "aria-label", "aria-hidden", "title", "scope", "colspan"}


def parsed(body: str) -> ET.Element:
    body.encode("utf-8")
    return ET.fromstring(f"<div>{body}</div>")  # noqa: S314 - made by the code under test


def harmless(body: str) -> ET.Element:
    """Parse a block and check that it holds our elements and attributes only."""
    root = parsed(body)
    for element in root.iter():
        assert element.tag in TAGS
        assert set(element.attrib) <= ATTRIBUTES
        assert "url(" not in element.get("style", "")
    return root


def pool_of(make_pool: MakePool, text: str) -> Pool:
    return make_pool(
        vectors=np.eye(3) + 0.1,
        scores=[0.9, 0.8, 0.7],
        query=text,
        texts=(text, text, text),
        sources=[text, text or None, None],
        fields={text: [text, None, "z"]},
        facets=(Facet(text, text), Facet("f2", "second")),
        judgements=np.array([[1, 0], [1, 1], [0, 0]], dtype=np.int8),
    )


def compared(pool: Pool, key: str = "source", **changes: object) -> tuple[Comparison, Palette]:
    policy = Policy(k=2, key=key).changed(**changes)
    rules = tuple(selector.name for selector in SELECTORS[1:5])
    return compare(pool, policy, rules), palette(pool, key, LIGHT)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_stays_text_in_every_block(make_pool: MakePool, name: str) -> None:
    text = HOSTILE[name]
    pool = pool_of(make_pool, text)
    for key in ("source", text):
        comparison, colours = compared(pool, key, budget=2 * int(pool.tokens[0]))
        harmless(markup.title(pool.query, [text]))
        harmless(markup.finding(text))
        harmless(markup.strip(comparison, colours, key))
        harmless(markup.legend(colours))
        harmless(markup.table([(text, text)]))
        harmless(markup.listing([text]))
        for number in range(len(comparison.columns)):
            harmless(markup.column(comparison, number, colours, key))


@given(ANY_TEXT)
@settings(max_examples=300)
def test_any_text_reads_back_as_what_is_printable(text: str) -> None:
    for body in (f"<b>{markup.text(text)}</b>", f'<b title="{markup.text(text)}">x</b>'):
        element = parsed(body)[0]
        assert len(element) == 0
        assert set(element.attrib) <= {"title"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a < b & c > d", "a &lt; b &amp; c &gt; d"),
        ("\"quoted\" and 'so'", "&quot;quoted&quot; and &#x27;so&#x27;"),
        ("a\x00b\u202ec", "abc"),
        ("näher 日本 👩‍🔬", "näher 日本 👩‍🔬"),
    ],
)
def test_text_by_hand(text: str, shown: str) -> None:
    assert markup.text(text) == shown


def test_a_long_passage_and_question_are_cut(make_pool: MakePool) -> None:
    long = HOSTILE["long words"]
    pool = make_pool(3, sources=[long] * 3, texts=(long,) * 3, query=long)
    comparison, colours = compared(pool)
    body = markup.column(comparison, 0, colours, "source")
    assert len(body) < 20 * markup.MOST_CHARACTERS
    assert len(markup.title(pool.query, [])) < 500


@pytest.mark.parametrize(
    ("change", "decimals", "shown"),
    [
        (0.0, 2, "same"),
        (-0.0, 0, "same"),
        (0.004, 2, "same"),
        (-0.004, 2, "same"),
        (0.127, 3, "+0.127"),
        (-1.0, 0, "\u22121"),
        (-1234.5, 1, "\u22121,234.5"),
        (1500.0, 0, "+1,500"),
        (math.nan, 2, ""),
    ],
)
def test_signed(change: float, decimals: int, shown: str) -> None:
    assert markup.signed(change, decimals) == shown


def test_a_question_without_words_is_said() -> None:
    for query in ("", "  ", "\u202e\x00"):
        assert "A pool without a question" in markup.title(query, [])


def test_an_undefined_number_says_what_it_needs(make_pool: MakePool) -> None:
    comparison = compare(make_pool(3, sources="abc"), Policy(k=2), ("mmr",))
    body = markup.column(comparison, 1, palette(comparison.pool, "source", LIGHT), "source")
    root = parsed(body)
    needs = [
        "".join(cell.itertext()) for cell in root.iter("td") if cell.get("class") == "ps-undefined"
    ]
    assert "needs facets" in needs
    assert all(need.startswith("needs ") and len(need) > 6 for need in needs)
    assert "nan" not in body


def test_the_strip_has_a_bar_a_candidate_and_a_mark_a_pick(make_pool: MakePool) -> None:
    pool = make_pool(vectors=np.eye(10), scores=np.linspace(0.9, 0.1, 10), sources="ababababab")
    comparison = compare(pool, Policy(k=3, depth=6), ("two_pass_cap", "mmr"))
    colours = palette(pool, "source", LIGHT)
    root = harmless(markup.strip(comparison, colours, "source"))
    (bars,) = [part for part in root.iter("div") if part.get("class") == "ps-bars"]
    assert bars.get("style", "").count(colours.colour("a")) == 5
    assert bars.get("aria-label") == "Rank strip of 10 candidates"
    (shade,) = list(bars)
    assert shade.get("style") == "left:60.000%"
    (marks,) = [part for part in root.iter("div") if part.get("class") == "ps-marks"]
    assert len(list(marks)) == 9
    said = "".join(root.itertext())
    assert "beyond the pool depth is faded" in said


def test_the_strip_of_a_large_pool_stays_small(make_pool: MakePool) -> None:
    pool = make_pool(2000, sources=[f"s{n % 7}" for n in range(2000)])
    comparison = compare(pool, Policy(k=5), ("two_pass_cap",))
    body = markup.strip(comparison, palette(pool, "source", LIGHT), "source")
    assert len(body) < 100_000
    harmless(body)


def test_the_strip_of_nothing(make_pool: MakePool) -> None:
    pool = make_pool(0, sources="")
    comparison = compare(pool, Policy(k=5), ("two_pass_cap",))
    harmless(markup.strip(comparison, palette(pool, "source", LIGHT), "source"))


def test_table_and_listing_keep_their_order() -> None:
    rows = parsed(markup.table([("a", "1"), ("b", "2")]))
    assert ["".join(row.itertext()) for row in rows.iter("tr")] == ["a1", "b2"]
    items = parsed(markup.listing(["x", "y"]))
    assert ["".join(item.itertext()) for item in items.iter("li")] == ["x", "y"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_literal_label_leaves_markdown_nothing_to_read(name: str) -> None:
    found = markup.literal(HOSTILE[name])
    assert re.sub(r"\\([^\w\s])", "", found) == re.sub(r"[^\w\s]", "", plain(HOSTILE[name]))


def test_a_literal_label_keeps_words() -> None:
    assert markup.literal("Zoë 3rd") == "Zoë 3rd"
    assert markup.literal("*a* :red[b] $c$") == r"\*a\* \:red\[b\] \$c\$"


def test_how_many_picks_were_judged_stands_over_the_coverage_where_it_is_not_all(
    make_pool: MakePool,
) -> None:
    pool = pool_of(make_pool, "a text")
    partly = dataclasses.replace(
        pool, judgements=np.array([[1, 0], [UNJUDGED, UNJUDGED], [0, 0]], dtype=np.int8)
    )
    for shown, said in ((pool, False), (partly, True)):
        comparison, colours = compared(shown)
        assert ("50% judged" in markup.column(comparison, 0, colours, "source")) is said
