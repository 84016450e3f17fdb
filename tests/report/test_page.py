"""The file carries what it shows, under a policy that allows nothing else, and no more."""

import base64
import hashlib
import html
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from poolscope import analysis, formats, projection, samples
from poolscope.board.lattice import MOST_STRETCHES
from poolscope.diagnosis import diagnose
from poolscope.model import Facet, Policy, Pool
from poolscope.report.fingerprint import code, made_by
from poolscope.report.page import Disclosure, Link, document, headline, page, said
from poolscope.ui import markup

MEGABYTES = 2
HOSTILE = (
    '</script><script>window.hit=1</script>',
    '<img src=x onerror="window.hit=2">',
    '"><svg onload=window.hit=3>',
    "<!--<script>",
    "]]>  '; alert(1); //",
    "{{7*7}} ${7*7} \\u003cscript\\u003e",
    "javascript:window.hit=4",
    "\u202edelrettacs \x00\x1b[31m",
)  # fmt: skip


class Tags(HTMLParser):
    """Every tag of a document with its attributes, and the text of its scripts and styles."""

    def __init__(self, document: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.raw: dict[str, list[str]] = {"script": [], "style": []}
        self._open = ""
        self.feed(document)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in self.raw:
            self._open = tag
            self.raw[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self._open = "" if tag == self._open else self._open

    def handle_data(self, data: str) -> None:
        if self._open:
            self.raw[self._open][-1] += data


def written(pool: Pool, policy: Policy | None = None, **rest: Any) -> str:  # noqa: ANN401
    """Write a pool's file."""
    rules = ("grouped_cap", "mmr") if pool.vectors is not None else ("grouped_cap",)
    comparison = analysis.compare(pool, policy or Policy(), rules)
    return page(comparison, projection.pca(pool), **rest)


def held(document: str) -> dict[str, Any]:
    """Return the data that a file carries."""
    found = re.search(r'id="poolscope-data">(.*?)</script>', document, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def hostile(make_pool: Callable[..., Pool]) -> Pool:
    """Return a pool whose every text is out to do harm."""
    n = len(HOSTILE)
    return make_pool(
        n,
        scores=np.linspace(0.9, 0.1, n),
        vectors=np.eye(n)[:, :n] + 0.2,
        query=HOSTILE[0] + HOSTILE[1],
        texts=HOSTILE,
        sources=[*HOSTILE[1:], HOSTILE[0]],
        ids=[f"{number} {text}" for number, text in enumerate(HOSTILE)],
        facets=(Facet("f<0>", HOSTILE[2]),),
        judgements=np.ones((n, 1), dtype=np.int8),
    )


@pytest.fixture(scope="module")
def monograph() -> Pool:
    """The first sample."""
    found = samples.SAMPLES[0]
    load = formats.read(samples.data(found), found.file)
    return load.question(0, source_field=found.source_field).pool


@pytest.fixture(scope="module")
def document_of_sample(monograph: Pool) -> str:
    """Its file."""
    return written(monograph)


def test_the_policy_allows_the_own_script_and_style_and_nothing_else(
    document_of_sample: str,
) -> None:
    tags = Tags(document_of_sample)
    policy = next(
        str(given["content"])
        for tag, given in tags.tags
        if tag == "meta" and given.get("http-equiv") == "Content-Security-Policy"
    )

    def hashed(content: str) -> str:
        return base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()

    data, script = tags.raw["script"]
    (style,) = tags.raw["style"]
    assert policy.split("; ") == [
        "default-src 'none'",
        f"script-src 'sha256-{hashed(script)}'",
        f"style-src 'sha256-{hashed(style)}'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert "unsafe" not in policy
    assert json.loads(data)


def test_nothing_in_the_file_points_anywhere(document_of_sample: str) -> None:
    allowed = {"http://www.w3.org/2000/svg"}  # a name, not an address that is asked
    assert set(re.findall(r"https?://[^\"' )]+", document_of_sample)) <= allowed
    for tag, given in Tags(document_of_sample).tags:
        assert tag not in {"link", "img", "iframe", "object", "base", "form"}
        assert not {"src", "href", "action", "style"} & set(given), tag
        assert not any(name.startswith("on") for name in given)


def test_hostile_text_is_data_or_escaped(make_pool: Callable[..., Pool]) -> None:
    pool = hostile(make_pool)
    document = written(pool, Policy(k=4), links=(Link('x" onclick="y', "<b>back</b>"),))
    tags = Tags(document)
    assert [tag for tag, _ in tags.tags].count("script") == 2
    assert not {"img", "svg", "b>back"} & {tag for tag, _ in tags.tags}
    assert not any(name.startswith("on") for _, given in tags.tags for name in given)
    data, _ = tags.raw["script"]
    assert not set("<>&\u2028\u2029") & set(data)
    whole = held(document)["board"]["candidates"]["whole"]
    assert "".join(whole.values()).count("<script>") == 2


def test_the_file_says_what_it_was_made_from(monograph: Pool, document_of_sample: str) -> None:
    assert monograph.query in document_of_sample
    assert f"fingerprint {monograph.digest}" in document_of_sample
    assert made_by() in document_of_sample
    assert code() in document_of_sample
    stops = held(document_of_sample)["lattice"]["stops"]
    assert f"moves over {', '.join(map(str, stops['depth']))}" in document_of_sample
    assert "lambda 0.6" in document_of_sample
    assert "cap 2 per source" in document_of_sample


@pytest.mark.parametrize("name", ["monograph", "deploy-guide-8"])
def test_the_verdict_is_the_one_of_the_screen(name: str) -> None:
    sample = samples.named(name)
    assert sample is not None
    load = formats.read(samples.data(sample), sample.file)
    pool = load.question(0, source_field=sample.source_field).pool
    document = html.unescape(re.sub(r"<[^>]+>", "", written(pool)))
    comparison = analysis.compare(pool, Policy(), ("grouped_cap",))
    found = diagnose(pool, Policy()).findings
    assert headline(comparison, Disclosure.EVERYTHING) == found[0].sentence
    for finding in found:
        shown = markup.verdict(finding, len(pool.facets))
        assert html.unescape(re.sub(r"<[^>]+>", "", shown)) in document
        for line in finding.evidence:
            assert line in document


def test_a_suggested_step_stands_with_its_cost(document_of_sample: str) -> None:
    assert "Coverage 2 → 5 of 6, mean relevance 0.777 → 0.649." in document_of_sample


def test_without_passages_no_passage_is_in_the_bytes(monograph: Pool) -> None:
    document = written(monograph, disclosure=Disclosure.QUESTION)
    assert monograph.query in document
    _hold_back(document, monograph.texts)


def test_with_labels_only_neither_question_nor_passage_is_in_the_bytes(monograph: Pool) -> None:
    document = written(monograph, disclosure=Disclosure.LABELS)
    _hold_back(document, (monograph.query, *monograph.texts))
    assert monograph.distinct_sources[0] in document
    assert monograph.facets[0].label in document


def _hold_back(document: str, texts: tuple[str, ...]) -> None:
    """Assert that no run of five words of any text is anywhere in a file."""
    line = " ".join(document.split())
    for text in texts:
        words = text.split()
        for start in range(0, max(len(words) - 4, 1), 5):
            run = " ".join(words[start : start + 5])
            assert run not in line, run


def test_a_sentence_that_quotes_a_passage_is_withheld(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(
        2, scores=[2, 1], query="who is it", texts=("alpha beta gamma delta epsilon", "short one")
    )
    for quoting in ("It says: Beta  gamma delta epsilon.", "It says “alpha beta gamma delta”."):
        assert said(pool, quoting, Disclosure.EVERYTHING) == quoting
        assert "Withheld" in said(pool, quoting, Disclosure.QUESTION)
    assert said(pool, "5 of 5 slots share a source.", Disclosure.LABELS).startswith("5 of 5")


def test_a_large_pool_fits_into_two_megabytes(clustered: Callable[..., Pool]) -> None:
    pool = clustered(200)
    document = written(pool, Policy(k=10))
    assert len(document.encode()) < MEGABYTES * 1_000_000
    lattice = held(document)["lattice"]
    assert sum(len(ends) for ends, _ in lattice["paths"]) <= MOST_STRETCHES
    assert len(lattice["stops"]["depth"]) >= 6
    assert len(lattice["stops"]["k"]) >= 6


def test_a_pool_without_anything_has_a_file(make_pool: Callable[..., Pool]) -> None:
    document = written(make_pool(0, query=""))
    assert "A pool without a question" in document
    assert held(document)["board"]["n"] == 0


def test_a_document_without_a_script_allows_none() -> None:
    found = document("An index", "<main>x</main>")
    assert "script-src 'none'" in found
    assert "<script" not in found
