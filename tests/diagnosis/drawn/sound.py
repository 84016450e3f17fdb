"""Pools in which nothing should be changed, each with another face that could mislead."""

import dataclasses

import numpy as np

from poolscope.model import Policy
from tests.diagnosis.drawn import spaces
from tests.diagnosis.drawn.pool import (
    Drawn,
    Entry,
    Look,
    levels,
    made,
    marked,
    off_topic,
    some_domain,
    some_look,
)
from tests.diagnosis.drawn.prose import FOREIGN, Domain, document, passage

HEALTHY = "healthy"
LABELS = {f"f{theme}": f"answer {theme}" for theme in range(5)}


def _varied(
    rng: np.random.Generator,
    domain: Domain,
    count: int,
    *,
    high: float = 0.78,
    low: float = 0.40,
    sentences: int | None = None,
) -> list[Entry]:
    """Passages that go round the themes, each from its own source."""
    fall = levels(rng, count, high, low)
    return [
        Entry(passage(rng, domain, at % 5, sentences), f"note-{chr(97 + at % 26)}{at}", at % 5, r)
        for at, r in enumerate(fall)
    ]


def _healthy(
    name: str,
    pool_of: tuple[np.random.Generator, Domain, list[Entry], Look],
    policy: Policy,
    why: str,
    *,
    accept: tuple[str, ...] = (HEALTHY,),
    facets: dict[str, str] | None = None,
) -> Drawn:
    rng, domain, entries, look = pool_of
    pool = made(rng, domain, entries, look, facets=facets)
    return Drawn(name=name, accept=accept, alarm=False, pool=pool, policy=policy, why=why)


def plain(rng: np.random.Generator, name: str) -> Drawn:
    """Different passages from different sources."""
    domain = some_domain(rng)
    entries = _varied(rng, domain, int(rng.choice([12, 30, 60])))
    policy = Policy(k=int(rng.choice([3, 5, 8, 10])))
    return _healthy(name, (rng, domain, entries, some_look(rng)), policy, "five themes in turn")


def high(rng: np.random.Generator, name: str) -> Drawn:
    """An embedder that puts everything above 0.85."""
    domain = some_domain(rng)
    entries = _varied(rng, domain, 30)
    look = dataclasses.replace(some_look(rng), common=float(rng.uniform(6.0, 12.0)))
    return _healthy(name, (rng, domain, entries, look), Policy(), "five themes, all cosines high")


def low(rng: np.random.Generator, name: str) -> Drawn:
    """An embedder with low cosines throughout."""
    domain = some_domain(rng)
    entries = _varied(rng, domain, 30, high=0.30, low=0.12)
    look = dataclasses.replace(some_look(rng), common=0.0)
    return _healthy(name, (rng, domain, entries, look), Policy(), "five themes, all cosines low")


def logits(rng: np.random.Generator, name: str) -> Drawn:
    """A reranker's logits, read by plain top-k."""
    domain = some_domain(rng)
    look = dataclasses.replace(some_look(rng), score="logit")
    return _healthy(
        name, (rng, domain, _varied(rng, domain, 25), look), Policy(), "top-k compares no scales"
    )


def lexical(rng: np.random.Generator, name: str) -> Drawn:
    """BM25 and no vectors."""
    domain = some_domain(rng)
    entries = _varied(rng, domain, 25)
    return _healthy(
        name, (rng, domain, entries, Look(None, 0.0, "bm25")), Policy(), "five sources, five texts"
    )


def distances(rng: np.random.Generator, name: str) -> Drawn:
    """Distances, smaller is better."""
    domain = some_domain(rng)
    score = str(rng.choice(["cosine distance", "l2 distance"]))
    look = dataclasses.replace(some_look(rng), score=score)
    return _healthy(
        name, (rng, domain, _varied(rng, domain, 25), look), Policy(), "turned over at load"
    )


def bare(rng: np.random.Generator, name: str) -> Drawn:
    """No vectors, no sources, no scores: a list of texts."""
    domain = some_domain(rng)
    entries = [dataclasses.replace(entry, source=None) for entry in _varied(rng, domain, 15)]
    return _healthy(
        name, (rng, domain, entries, Look(None, 0.0, "none")), Policy(), "different texts"
    )


def table(rng: np.random.Generator, name: str) -> Drawn:
    """Rows of tables that share a header."""
    domain = some_domain(rng)
    header = "Region | Product | Units sold | Units returned | Revenue in thousand | Manager\n"
    if rng.random() < 0.5:
        header += "All figures are for the year to the end of March and have not been audited\n"
    names = [word for theme in domain.themes for word in theme]
    fall = levels(rng, 24, 0.72, 0.5)
    per = int(rng.choice([1, 2]))
    entries = []
    for at, r in enumerate(fall):
        a, b, c = (names[int(i)] for i in rng.choice(len(names), size=3, replace=False))
        cells = f"{a} | {b} | {rng.integers(10, 9999)} | {rng.integers(10, 999)} | "
        cells += f"{rng.integers(10, 9999)} | {c}"
        entries.append(Entry(header + cells, f"sheet-{at // per}", -1, r))
    look = dataclasses.replace(some_look(rng), embedder=spaces.hashed, common=0.4)
    return _healthy(name, (rng, domain, entries, look), Policy(), "different rows, one header")


def footer(rng: np.random.Generator, name: str) -> Drawn:
    """A disclaimer at the end of every passage."""
    domain = some_domain(rng)
    end = " This page is for information only and does not replace the advice of a professional."
    entries = [
        dataclasses.replace(entry, text=entry.text + end)
        for entry in _varied(rng, domain, 25, sentences=7)
    ]
    per = int(rng.choice([1, 2, 6]))
    entries = [
        dataclasses.replace(entry, source=f"site-{at // per}") for at, entry in enumerate(entries)
    ]
    accept = (HEALTHY, "single-source question") if per == 6 else (HEALTHY,)
    return _healthy(
        name,
        (rng, domain, entries, some_look(rng)),
        Policy(),
        "boilerplate repeats, content does not",
        accept=accept,
    )


def multilingual(rng: np.random.Generator, name: str) -> Drawn:
    """Eight causes in eight languages."""
    domain = some_domain(rng)
    fall = levels(rng, 8, 0.7, 0.5)
    order = rng.permutation(8)
    entries = [
        Entry(FOREIGN[int(i)], f"log-{'abcdefgh'[int(i)]}", -1, r)
        for i, r in zip(order, fall, strict=True)
    ]
    entries += off_topic(rng, domain, 12, 0.4)
    return _healthy(
        name, (rng, domain, entries, some_look(rng)), Policy(), "each passage says something else"
    )


def short(rng: np.random.Generator, name: str) -> Drawn:
    """Passages of one sentence."""
    domain = some_domain(rng)
    entries = _varied(rng, domain, 25, sentences=1)
    return _healthy(name, (rng, domain, entries, some_look(rng)), Policy(), "five themes, briefly")


def long(rng: np.random.Generator, name: str) -> Drawn:
    """Passages of a page."""
    domain = some_domain(rng)
    entries = _varied(rng, domain, 15, sentences=30)
    return _healthy(
        name, (rng, domain, entries, some_look(rng)), Policy(), "five themes, at length"
    )


def few(rng: np.random.Generator, name: str) -> Drawn:
    """A pool hardly larger than k, or smaller."""
    domain = some_domain(rng)
    entries = _varied(rng, domain, int(rng.choice([3, 5, 6, 7])), low=0.55)
    return _healthy(name, (rng, domain, entries, some_look(rng)), Policy(k=5), "small but varied")


def only_source(rng: np.random.Generator, name: str) -> Drawn:
    """A corpus of one document whose passages differ; facets may say that all is covered."""
    domain = some_domain(rng)
    entries = [
        dataclasses.replace(entry, source="the-handbook") for entry in _varied(rng, domain, 25)
    ]
    known = bool(rng.random() < 0.5)
    if known:
        entries = marked(entries, {theme: f"f{theme}" for theme in range(5)})
    return _healthy(
        name,
        (rng, domain, entries, some_look(rng)),
        Policy(),
        "the only source there is, five themes",
        accept=(HEALTHY,) if known else (HEALTHY, "pool shortage"),
        facets=LABELS if known else None,
    )


def one_answer(rng: np.random.Generator, name: str) -> Drawn:
    """All picks agree, and nothing else comes near."""
    domain = some_domain(rng)
    fall = levels(rng, 7, 0.80, 0.72)
    entries = [
        Entry(passage(rng, domain, 0), f"witness-{'abcdefg'[at]}", 0, r)
        for at, r in enumerate(fall)
    ]
    entries += off_topic(rng, domain, 20, 0.38)
    return _healthy(
        name, (rng, domain, entries, some_look(rng)), Policy(), "no other meaning within reach"
    )


def majority(rng: np.random.Generator, name: str) -> Drawn:
    """Three of five slots from one source, on three themes."""
    domain = some_domain(rng)
    entries = _varied(rng, domain, 25)
    for at in (0, 2, 3):
        entries[at] = dataclasses.replace(entries[at], source="busy-wiki")
    return _healthy(
        name, (rng, domain, entries, some_look(rng)), Policy(), "a majority by chance, five themes"
    )


def slight_overlap(rng: np.random.Generator, name: str) -> Drawn:
    """Chunks cut with the customary overlap of a tenth."""
    domain = some_domain(rng)
    fall = levels(rng, 10, 0.76, 0.6)
    entries = []
    for source in ("blue.md", "green.md"):
        sentences = document(rng, domain, [int(t) for t in rng.permutation(5)] * 3)
        for part in range(4):
            text = " ".join(sentences[part * 9 : part * 9 + 10])
            entries.append(Entry(text, source, -1, 0.0))
    order = rng.permutation(len(entries))
    entries = [
        dataclasses.replace(entries[int(i)], level=r)
        for i, r in zip(order, fall[: len(entries)], strict=True)
    ]
    entries += off_topic(rng, domain, 15, 0.4)
    look = some_look(rng)
    return _healthy(
        name,
        (rng, domain, entries, look),
        Policy(),
        "neighbours share one sentence in ten",
        accept=(HEALTHY, "single-source question"),
    )


def gap(rng: np.random.Generator, name: str) -> Drawn:
    """One session repeats itself and nothing else comes near: crowding or depth is open."""
    domain = some_domain(rng)
    fall = levels(rng, 7, 0.80, 0.72)
    entries = [Entry(passage(rng, domain, 0), "session-7", 0, r) for r in fall]
    entries += off_topic(rng, domain, 20, 0.38)
    return _healthy(
        name,
        (rng, domain, entries, some_look(rng)),
        Policy(),
        "no alternative is near, so there is nothing to alarm about",
        accept=("single-source question",),
    )


def covered(rng: np.random.Generator, name: str) -> Drawn:
    """Alike by vectors, yet the facets say that no five would cover more."""
    domain = some_domain(rng)
    fall = levels(rng, 26, 0.78, 0.5)
    entries = [
        Entry(passage(rng, domain, 0), f"case-{at}", 0, r, facets=("f0", "f1")[at % 2 : at % 2 + 1])
        for at, r in enumerate(fall)
    ]
    facets = {"f0": "answer 0", "f1": "answer 1"}
    return _healthy(
        name, (rng, domain, entries, some_look(rng)), Policy(), "2 of 2 facets", facets=facets
    )


def gentle(rng: np.random.Generator, name: str) -> Drawn:
    """MMR at a high lambda, or a cap that binds nothing."""
    domain = some_domain(rng)
    entries = _varied(rng, domain, 30)
    look = dataclasses.replace(some_look(rng), score="cosine")
    policy = (
        Policy(selector="mmr", lambda_=0.9)
        if rng.random() < 0.5
        else Policy(selector="grouped_cap", cap=2)
    )
    return _healthy(name, (rng, domain, entries, look), policy, "the rule costs next to nothing")


def many(rng: np.random.Generator, name: str) -> Drawn:
    """A pool of hundreds."""
    domain = some_domain(rng)
    entries = _varied(rng, domain, 240)
    return _healthy(name, (rng, domain, entries, some_look(rng)), Policy(k=10), "five themes")


def copies_below(rng: np.random.Generator, name: str) -> Drawn:
    """Copies that stand far below the slots."""
    domain = some_domain(rng)
    entries = _varied(rng, domain, 25)
    for at in (15, 16, 17):
        entries[at] = dataclasses.replace(entries[at], text=entries[14].text)
    return _healthy(
        name, (rng, domain, entries, some_look(rng)), Policy(), "no slot repeats another"
    )


def pairs(rng: np.random.Generator, name: str) -> Drawn:
    """Two passages a source, on different themes."""
    domain = some_domain(rng)
    entries = [
        dataclasses.replace(entry, source=f"tome-{at // 2}")
        for at, entry in enumerate(_varied(rng, domain, 30))
    ]
    return _healthy(
        name, (rng, domain, entries, some_look(rng)), Policy(k=6), "three sources, two slots each"
    )


MAKERS = (
    plain,
    high,
    low,
    logits,
    lexical,
    distances,
    bare,
    table,
    footer,
    multilingual,
    short,
    long,
    few,
    only_source,
    one_answer,
    gap,
    majority,
    slight_overlap,
    covered,
    gentle,
    many,
    copies_below,
    pairs,
)
