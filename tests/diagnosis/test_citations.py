"""Every style of citation, what it refers to, and what only looks like one."""

from collections.abc import Callable

import pytest

from poolscope.diagnosis.citations import Citation, Cited, Numbering, Style, cited
from poolscope.model import Order, Policy, Pool, Selection
from poolscope.selection import select

MakePool = Callable[..., Pool]

IDS = ("g-1", "g-2", "inc-2024", "run-7", "inc-2024-11", "old-9")
SOURCES = (
    "docs/deploy-guide.md",
    "docs/deploy-guide.md",
    "incident 2024",
    "runbook",
    "incident 2024-11",
    "archive",
)
TEXTS = (
    "Deploys flush the edge cache before the health check runs.",
    "Roll back by pinning the previous image digest.",
    "Workers slept inside retries to the payment provider.",
    "Restart the workers one zone after another.",
    "The orders database ran out of connections.",
    "Nothing of interest happened.",
)


@pytest.fixture(scope="module")
def selection(make_pool: MakePool) -> Selection:
    """Five of six passages: slot 1 is index 0, and so on; ``old-9`` is left out."""
    scores = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    pool = make_pool(ids=IDS, scores=scores, sources=SOURCES, texts=TEXTS)
    return select(pool, Policy(k=5))


def indices(found: Cited) -> list[int | None]:
    return [citation.index for citation in found.citations]


@pytest.mark.parametrize(
    ("text", "expected", "style"),
    [
        ("Flushed [1].", [0], Style.NUMBER),
        ("Flushed [1, 3].", [0, 2], Style.NUMBER),
        ("Flushed [1; 3].", [0, 2], Style.NUMBER),
        ("Flushed [1][2].", [0, 1], Style.NUMBER),
        ("Flushed[1] then.", [0], Style.NUMBER),
        ("Flushed [2-4].", [1, 2, 3], Style.NUMBER),
        ("Flushed [2\u20134].", [1, 2, 3], Style.NUMBER),
        ("Flushed [1, 3-4].", [0, 2, 3], Style.NUMBER),
        ("Flushed [Doc 2] and [source #3].", [1, 2], Style.NUMBER),
        ("Flushed [Passage 2, Passage 4].", [1, 3], Style.NUMBER),
        ("It was flushed (1). Then (2, 3).", [0, 1, 2], Style.PARENTHESIS),
        ("It was flushed\u00b9. Then slept\u00b2,\u2075.", [0, 1, 4], Style.SUPERSCRIPT),
        ("It was flushed.\u00b9\u207b\u00b3", [0, 1, 2], Style.SUPERSCRIPT),
        ("Flushed [g-1].", [0], Style.NAME),
        ("Flushed [G-1] and [ g-2 ].", [0, 1], Style.NAME),
        ("Flushed [g-1, run-7].", [0, 3], Style.NAME),
        ("Slept [incident 2024].", [2], Style.NAME),
        ("Ran out [incident 2024-11].", [4], Style.NAME),
        ("Ran out [see incident 2024-11, p. 3].", [4], Style.NAME),
        ("Restart [runbook, 2].", [3], Style.NAME),
        ("Flushed [^1].\n\n[^1]: g-2", [1], Style.FOOTNOTE),
        ("Flushed[^a].\n\n[^a]: incident 2024-11, section 2", [4], Style.FOOTNOTE),
        ("Flushed[^a].\n\n[^a]: [3]", [2], Style.FOOTNOTE),
        ("Flushed[^a].\n\n[^a]: Passage 3", [2], Style.FOOTNOTE),
        ("Slept[^a].\n\n[^a]: “Workers slept inside retries to the provider”", [2], Style.FOOTNOTE),
        ("Flushed[^2].", [1], Style.FOOTNOTE),
        ("See [the guide](https://x.org/a/g-2).", [1], Style.LINK),
        ("See [2](https://x.org/a).", [1], Style.LINK),
        ("See [run-7](https://x.org/a).", [3], Style.LINK),
        ("Slept 【3†source】.", [2], Style.FILE),
        ("Slept 【4:3†source】.", [2], Style.FILE),
        ("Slept 【4:0†runbook.md】.", [3], Style.FILE),
        ("Slept 【3】.", [2], Style.FILE),
        ("Slept <cite>3</cite>.", [2], Style.TAG),
        ("Slept <cite>inc-2024</cite>.", [2], Style.TAG),
        ("Slept <sup>3</sup> or <sup>[1,2]</sup>.", [2, 0, 1], Style.TAG),
        ('Slept <cite data-x="9">3, 4</cite>.', [2, 3], Style.TAG),
        ("Restart.\n\nSource: runbook", [3], Style.LINE),
        ("Restart. (Source: runbook)", [3], Style.LINE),
        ("Restart.\n**Sources:** runbook, inc-2024", [3, 2], Style.LINE),
        ("Restart.\nSources: 4, 3", [3, 2], Style.LINE),
        ("Restart.\n\n## References\n- runbook\n- inc-2024", [3, 2], Style.LINE),
        ("Restart.\n\nSources:\n1. runbook\n2. inc-2024", [3, 2], Style.LINE),
    ],
)
def test_a_style_is_read(
    selection: Selection, text: str, expected: list[int], style: Style
) -> None:
    found = cited(selection, text)
    assert indices(found) == expected
    assert {citation.kind for citation in found.citations} == {style}
    assert all(citation.in_context for citation in found.citations)
    assert len(found.prose) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Nothing is cited here.",
        "- [ ] to do\n- [x] done",
        "He said [sic] so […].",
        "There are two steps: (1) flush and (2) restart.",
        "(1) Flush.\n(2) Restart.",
        "In (2024) and (17).",
        "An area of 20 m\u00b2, 10\u00b3 of them, 5 cm\u00b2.",
        "That is 10<sup>3</sup> and m<sup>2</sup> and the 1<sup>st</sup>.",
        "`rows[1]` and\n```\nx = y[2]\n```\nand so on",
        "![a chart](https://x.org/g-1.png)",
        "The source of the trouble was a retry.",
        "In [2024] and [1-9999].",
    ],
)
def test_what_only_looks_like_a_citation_is_none(selection: Selection, text: str) -> None:
    assert cited(selection, text).citations == ()


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ("Flushed [9].", None),
        ("Flushed [inc-1999].", None),
        ("Nothing [old-9].", 5),
        ("Nothing [archive].", 5),
        ("Nothing (Source: archive).", 5),
        ("Nothing. Source: some other book", None),
        ("Nothing 【2:1†other.pdf】.", None),
        ("Nothing <cite>other</cite>.", None),
        ("Nothing [here](https://x.org/other).", None),
        ("Nothing[^z].", None),
        ("Nothing[^1].\n\n[^1]: A book that nobody retrieved", None),
    ],
)
def test_what_is_not_in_the_context_is_kept(
    selection: Selection, text: str, index: int | None
) -> None:
    (citation,) = cited(selection, text).citations
    assert not citation.in_context
    assert citation.index == index


def test_numbers_count_from_zero_where_a_zero_is_cited(selection: Selection) -> None:
    found = cited(selection, "Flushed [0]. Pinned [1]. Gone [5].")
    assert found.from_zero
    assert indices(found) == [0, 1, None]
    assert not cited(selection, "Flushed [1].").from_zero


@pytest.mark.parametrize(
    ("text", "numbering", "why"),
    [
        ("Flushed [1].", Numbering.FROM_ONE, "No 0 is cited: numbers count from 1"),
        ("Flushed [0].", Numbering.FROM_ZERO, "A 0 is cited: numbers count from 0"),
    ],
)
def test_the_numbering_taken_is_said_with_its_reason(
    selection: Selection, text: str, numbering: Numbering, why: str
) -> None:
    found = cited(selection, text)
    assert found.numbering is numbering
    assert found.why.startswith(why)
    assert found.numberings == (Numbering.FROM_ONE, Numbering.FROM_ZERO)


def test_a_person_can_say_how_numbers_count(selection: Selection) -> None:
    text = "Flushed [0]. Pinned [1]. Gone [5]."
    found = cited(selection, text, Numbering.FROM_ONE)
    assert indices(found) == [None, 0, 4]
    assert "as you chose" in found.why
    assert indices(cited(selection, "Flushed [1].", Numbering.FROM_ZERO)) == [1]


@pytest.mark.parametrize("text", ["Nothing.", "Flushed [g-1].", "Restart [1].\n\n[1]: runbook"])
def test_without_a_counted_number_no_numbering_is_said(selection: Selection, text: str) -> None:
    found = cited(selection, text)
    assert (found.why, found.numberings) == ("", ())


def test_numbers_follow_the_order_handed_out(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7], sources="ccb", positions=(2, 1, 1))
    ordered = select(pool, Policy(k=3, order=Order.DOCUMENT))
    assert ordered.ordered == (2, 1, 0)
    assert indices(cited(ordered, "One [1], two [2], three [3].")) == [2, 1, 0]


def test_numbers_are_ids_where_they_cannot_be_slots(make_pool: MakePool) -> None:
    pool = make_pool(ids=["11", "12", "3"], scores=[0.9, 0.8, 0.7])
    selection = select(pool, Policy(k=3))
    found = cited(selection, "One [12], two [11], three [3].")
    assert indices(found) == [1, 0, 2]
    assert found.numbering is Numbering.IDS
    assert Numbering.IDS in found.numberings
    assert "read as ids" in found.why
    slots = cited(selection, "One [12], two [11], three [3].", Numbering.FROM_ONE)
    assert indices(slots) == [None, None, 2]
    assert indices(cited(selection, "One [1], two [2].")) == [0, 1]


def test_a_source_with_several_passages_may_mean_each(selection: Selection) -> None:
    found = cited(selection, "Flushed [deploy-guide].")
    assert found.citations == tuple(
        Citation("deploy-guide", (8, 22), index, Style.NAME, in_context=True, among=2)
        for index in (0, 1)
    )


def test_an_id_goes_before_its_source(selection: Selection) -> None:
    found = cited(selection, "Pinned[^1].\n\n[^1]: docs/deploy-guide.md, g-2")
    assert indices(found) == [1]


def test_a_list_of_references_says_what_numbers_mean(selection: Selection) -> None:
    text = "Restart [1]. Slept [2]. Flushed [3].\n\n**References**\n[1] runbook\n[2] A title\n- g-2"
    found = cited(selection, text)
    # 1 is defined; 2 is defined as nothing known, 3 is not: both stay slots.
    assert indices(found) == [3, 1, 2, 1]
    assert found.prose.split() == ["Restart", ".", "Slept", ".", "Flushed", "."]


def test_prose_after_a_list_of_references_is_kept(selection: Selection) -> None:
    found = cited(selection, "A.\n\nSources:\n- runbook\n\nIn short, all is well here.")
    assert "In short, all is well here." in found.prose
    assert indices(found) == [3]


def test_spans_lie_where_the_citation_stands(selection: Selection) -> None:
    text = "Flushed [1, 3] and slept [inc-2024]."
    for citation in cited(selection, text).citations:
        assert citation.text in text[slice(*citation.span)]


def test_an_empty_context_knows_nothing(make_pool: MakePool) -> None:
    nothing = select(make_pool(0), Policy())
    assert [c.in_context for c in cited(nothing, "A [1] and [b-2].").citations] == [False, False]


def test_hostile_text_is_read_in_a_moment(selection: Selection) -> None:
    for text in ("[" * 20_000, "[1" * 20_000, "(1" * 20_000, "[a](" * 10_000, "¹,⁻" * 20_000):
        cited(selection, text)
    cited(selection, "Source: " * 10_000)
    cited(selection, "<cite>" * 10_000 + "【" * 10_000 + "`" * 10_001)
