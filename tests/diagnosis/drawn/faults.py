"""Pools with one fault each, plainly there: every maker draws one from a generator."""

import dataclasses
from collections.abc import Callable

import numpy as np

from poolscope.model import MissingVector, Policy, Scaling
from tests.diagnosis.drawn import spaces
from tests.diagnosis.drawn.pool import (
    Drawn,
    Entry,
    levels,
    made,
    marked,
    off_topic,
    some_domain,
    some_look,
)
from tests.diagnosis.drawn.prose import document, passage
from tests.diagnosis.drawn.spaces import Embedder


def copies(rng: np.random.Generator, name: str) -> Drawn:
    """Two or more slots repeat an earlier passage, as text or all but; the rest differ."""
    domain, k = some_domain(rng), int(rng.choice([4, 5, 6, 8]))
    look = some_look(rng, vectors=bool(rng.random() < 0.75))
    fall = levels(rng, k + 4, 0.78, 0.62)
    original = passage(rng, domain, 0, 5)
    repeats = 2 if k < 8 else 3
    changes: tuple[Callable[[str], str], ...] = (
        lambda text: text,
        lambda text: "  " + text.replace(". ", ".\n"),
        lambda text: text.upper(),
        lambda text: text + " Last updated in March.",
        lambda text: text.replace(" the ", " that ", 1),
    )
    entries = [Entry(original, "first.md", 0, fall[0])]
    for at in range(1, k + 4):
        if at % 2 and at < 2 * repeats:
            change = changes[int(rng.integers(len(changes)))]
            entries.append(Entry(change(original), f"rep-{at}.md", 0, fall[at]))
        else:
            theme = 1 + at % 4
            entries.append(Entry(passage(rng, domain, theme), f"doc-{at}.md", theme, fall[at]))
    entries = [*entries, *off_topic(rng, domain, 20, 0.45)]
    if look.embedder is not None:
        # A direction drawn for a text knows nothing of copies: words do.
        look = dataclasses.replace(look, embedder=_by_words(rng))
    return Drawn(
        name=name,
        accept=("exact or near copies",),
        alarm=True,
        pool=made(rng, domain, entries, look),
        policy=Policy(k=k),
        why=f"{repeats} of {k} slots repeat the first passage",
    )


def _by_words(rng: np.random.Generator) -> Embedder:
    return spaces.hashed if rng.random() < 0.5 else spaces.latent


def overlap(rng: np.random.Generator, name: str) -> Drawn:
    """Windows of one document that share half their text fill most slots."""
    domain, k = some_domain(rng), int(rng.choice([4, 5, 6]))
    look = some_look(rng, vectors=bool(rng.random() < 0.75))
    if look.embedder is not None:
        look = dataclasses.replace(look, embedder=_by_words(rng))
    size, stride = (6, 3) if rng.random() < 0.6 else (5, 2)
    sentences = document(rng, domain, [int(t) for t in rng.permutation(5)] * 2)
    starts = np.concatenate(([0], np.cumsum([len(sentence) + 1 for sentence in sentences])))
    with_spans = bool(rng.random() < 0.5)
    windows = []
    for at in range(0, len(sentences) - size + 1, stride):
        fields: dict[str, str] = {}
        if with_spans:
            text = " ".join(sentences[at : at + size])
            start = int(starts[at])
            fields = {"start": str(start), "end": str(start + len(text))}
        windows.append((" ".join(sentences[at : at + size]), fields))
    run = windows[: k if k < 6 else k - 1]
    order = rng.permutation(len(run))
    fall = levels(rng, k + 4, 0.74, 0.60)
    entries = [
        Entry(run[int(at)][0], "handbook.pdf", -1, fall[place], run[int(at)][1])
        for place, at in enumerate(order)
    ]
    entries += [
        Entry(passage(rng, domain, at % 5), f"memo-{at}.pdf", at % 5, fall[at])
        for at in range(len(run), k + 4)
    ]
    entries = [*entries, *off_topic(rng, domain, 18, 0.4)]
    return Drawn(
        name=name,
        accept=("overlapping chunks",),
        alarm=True,
        pool=made(rng, domain, entries, look),
        policy=Policy(k=k),
        why=f"{len(run)} of {k} slots are windows of one document that share half their text",
    )


def one_source(rng: np.random.Generator, name: str) -> Drawn:
    """One source says one thing in nearly all slots; others stand right behind."""
    domain, k = some_domain(rng), int(rng.choice([4, 5, 5, 6, 8]))
    known = bool(rng.random() < 0.4)
    look = some_look(rng, vectors=bool(rng.random() < 0.7))
    many = k + int(rng.integers(0, 3))
    top = levels(rng, many, 0.80, 0.74)
    behind = levels(rng, 5, 0.738, 0.70)
    themes = [int(t) for t in rng.permutation(5)]
    entries = [Entry(passage(rng, domain, themes[0]), "annual-report", themes[0], r) for r in top]
    entries += [
        Entry(
            passage(rng, domain, themes[1 + at % 4]), f"other-{'pqrst'[at]}", themes[1 + at % 4], r
        )
        for at, r in enumerate(behind)
    ]
    entries += off_topic(rng, domain, 20, 0.45)
    facets = {themes[at]: f"f{at}" for at in range(3)} if known else {}
    if known:
        entries = marked(entries, facets)
    return Drawn(
        name=name,
        accept=("crowded by one source",),
        alarm=True,
        pool=made(
            rng, domain, entries, look, facets={f: f"answer {f}" for f in facets.values()} or None
        ),
        policy=Policy(k=k),
        why=f"annual-report has all {k} slots, five others lie within 0.1 of it",
    )


def meaning(rng: np.random.Generator, name: str) -> Drawn:
    """Distinct sources say one thing in all slots; other answers stand right behind."""
    domain, k = some_domain(rng), int(rng.choice([4, 5, 5, 6, 8, 10]))
    known = bool(rng.random() < 0.4)
    look = some_look(rng)
    many = k + int(rng.integers(0, 5))
    top = levels(rng, many, 0.80, 0.74)
    behind = levels(rng, 6, 0.738, 0.70)
    themes = [int(t) for t in rng.permutation(5)]
    entries = [
        Entry(passage(rng, domain, themes[0]), f"report-{chr(97 + at)}", themes[0], r)
        for at, r in enumerate(top)
    ]
    entries += [
        Entry(
            passage(rng, domain, themes[1 + at % 2]), f"case-{chr(97 + at)}", themes[1 + at % 2], r
        )
        for at, r in enumerate(behind)
    ]
    entries += off_topic(rng, domain, int(rng.choice([10, 25, 40])), 0.45)
    facets = {themes[at]: f"f{at}" for at in range(3)} if known else {}
    if known:
        entries = marked(entries, facets)
    return Drawn(
        name=name,
        accept=("crowded by meaning",),
        alarm=True,
        pool=made(
            rng, domain, entries, look, facets={f: f"answer {f}" for f in facets.values()} or None
        ),
        policy=Policy(k=k),
        why=f"all {k} slots are on one theme, from as many sources; two more themes lie as near",
    )


def shallow(rng: np.random.Generator, name: str) -> Drawn:
    """The depth ends before the other answer, or the other sources, begin."""
    domain, k = some_domain(rng), int(rng.choice([3, 4, 5]))
    look, depth = some_look(rng), 2 * k
    known = bool(rng.random() < 0.6)
    top = levels(rng, depth + 2, 0.80, 0.72)
    behind = levels(rng, 4, 0.718, 0.70)
    themes = [int(t) for t in rng.permutation(5)]
    entries = [
        Entry(
            passage(rng, domain, themes[0]),
            f"paper-{chr(97 + at)}" if known else "one-report",
            themes[0],
            r,
        )
        for at, r in enumerate(top)
    ]
    entries += [
        Entry(passage(rng, domain, themes[1]), f"late-{chr(97 + at)}", themes[1], r)
        for at, r in enumerate(behind)
    ]
    entries += off_topic(rng, domain, 15, 0.4)
    facets = {themes[0]: "f0", themes[1]: "f1"} if known else {}
    if known:
        entries = marked(entries, facets)
    return Drawn(
        name=name,
        accept=("pool too shallow",),
        alarm=True,
        pool=made(
            rng, domain, entries, look, facets={f: f"answer {f}" for f in facets.values()} or None
        ),
        policy=Policy(k=k, depth=depth),
        why=f"the depth is {depth}; what differs begins at rank {depth + 3}",
    )


def shortage(rng: np.random.Generator, name: str) -> Drawn:
    """A facet has no passage at all, or a whole pool is one source on one theme."""
    domain, k = some_domain(rng), int(rng.choice([4, 5, 6]))
    look = some_look(rng)
    themes = [int(t) for t in rng.permutation(5)]
    known = bool(rng.random() < 0.6)
    fall = levels(rng, 24, 0.78, 0.35)
    if known:
        entries = [
            Entry(passage(rng, domain, themes[at % 3]), f"leaf-{at}", themes[at % 3], r)
            for at, r in enumerate(fall)
        ]
        facets = {themes[at]: f"f{at}" for at in range(3)}
        entries = marked(entries, facets)
        labels = {**{f: f"answer {f}" for f in facets.values()}, "f9": "the answer nobody wrote"}
        why = "no passage supports f9; the others are covered"
    else:
        entries = [
            Entry(passage(rng, domain, themes[0]), "leaflet.pdf", themes[0], r) for r in fall
        ]
        labels, why = {}, "all 24 candidates are from leaflet.pdf and on one theme"
    return Drawn(
        name=name,
        accept=("pool shortage",),
        alarm=True if known else None,
        pool=made(rng, domain, entries, look, facets=labels or None),
        policy=Policy(k=k),
        why=why,
    )


def starved(rng: np.random.Generator, name: str) -> Drawn:
    """A token budget leaves slots empty."""
    domain = some_domain(rng)
    look = some_look(rng, vectors=bool(rng.random() < 0.5))
    fall = levels(rng, 20, 0.78, 0.4)
    entries = [
        Entry(passage(rng, domain, at % 5, 6), f"item-{at}", at % 5, r) for at, r in enumerate(fall)
    ]
    pool = made(rng, domain, entries, look)
    return Drawn(
        name=name,
        accept=("token budget too small",),
        alarm=True,
        pool=pool,
        policy=Policy(k=6, budget=int(pool.tokens[:6].sum() * rng.uniform(0.3, 0.6))),
        why="half of the budget that six passages need",
    )


def over_diversified(rng: np.random.Generator, name: str) -> Drawn:
    """A low lambda, or a cap of 1, fills the slots from far below."""
    domain, k = some_domain(rng), int(rng.choice([4, 5, 8]))
    look = some_look(rng)
    by_cap = bool(rng.random() < 0.3)
    fall = levels(rng, k + 3, 0.82, 0.70)
    entries = [
        Entry(
            passage(rng, domain, at % 5),
            f"vol-{at // 20 if by_cap else at}",
            at % 5,
            r,
        )
        for at, r in enumerate(fall)
    ]
    entries += off_topic(rng, domain, 25, 0.3)
    policy = (
        Policy(k=k, selector="two_pass_cap", cap=1)
        if by_cap
        else Policy(k=k, selector="mmr", lambda_=float(rng.choice([0.0, 0.1, 0.2])))
    )
    return Drawn(
        name=name,
        accept=("over-diversified",),
        alarm=True,
        pool=made(rng, domain, entries, look),
        policy=policy,
        why="what is picked beside the first is off topic, at less than half the relevance",
    )


def weak_identity(rng: np.random.Generator, name: str) -> Drawn:
    """Labels that part one document or join several."""
    domain, k = some_domain(rng), 5
    look = some_look(rng, vectors=bool(rng.random() < 0.7))
    way = int(rng.integers(4))
    fall = levels(rng, 26, 0.78, 0.3)
    entries = []
    for at, r in enumerate(fall):
        theme = at % 5
        text, document_ = passage(rng, domain, theme), "abcd"[int(rng.integers(4))]
        labels: tuple[str | None, dict[str, str], str] = (
            (f"manual-{document_}.pdf#chunk={at}", {}, ""),
            ("corpus", {"title": f"Manual {document_.upper()}"}, ""),
            (f"{at * 7919 % 9973:04x}{at:02d}", {"doc_id": f"manual-{document_}"}, ""),
            (None, {}, f"manual-{document_}_chunk_{at}"),
        )[way]
        entries.append(Entry(text, labels[0], theme, r, labels[1], id=labels[2]))
    return Drawn(
        name=name,
        accept=("weak source identity",),
        alarm=True,
        pool=made(rng, domain, entries, look),
        policy=Policy(k=k),
        why=("a part number in each label", "one label for all", "row ids as labels", "no labels")[
            way
        ],
    )


def another_scale(rng: np.random.Generator, name: str) -> Drawn:
    """MMR weighs logits or BM25 against cosines as they are."""
    domain = some_domain(rng)
    look = dataclasses.replace(some_look(rng), score=str(rng.choice(["logit", "bm25"])))
    fall = levels(rng, 30, 0.78, 0.3)
    entries = [
        Entry(passage(rng, domain, at % 5), f"page-{at}", at % 5, r) for at, r in enumerate(fall)
    ]
    return Drawn(
        name=name,
        accept=("scores on another scale",),
        alarm=True,
        pool=made(rng, domain, entries, look),
        policy=Policy(k=5, selector="mmr", lambda_=0.6, scaling=Scaling.NONE),
        why="scores of several units against similarities of at most 1",
    )


def without_vectors(rng: np.random.Generator, name: str) -> Drawn:
    """MMR never looks at the candidates that lack a vector."""
    domain = some_domain(rng)
    look = some_look(rng)
    fall = levels(rng, 30, 0.78, 0.3)
    entries = [
        Entry(passage(rng, domain, at % 5), f"page-{at}", at % 5, r) for at, r in enumerate(fall)
    ]
    blank = sorted(int(i) for i in rng.choice(30, size=int(rng.integers(8, 16)), replace=False))
    return Drawn(
        name=name,
        accept=("vectors missing",),
        alarm=True,
        pool=made(rng, domain, entries, look, blank=blank),
        policy=Policy(k=5, selector="mmr", lambda_=0.9, missing_vector=MissingVector.LEAVE_OUT),
        why=f"{len(blank)} of 30 candidates have none",
    )


def single_source(rng: np.random.Generator, name: str) -> Drawn:
    """One document answers in different passages; the others fall off."""
    domain, k = some_domain(rng), int(rng.choice([4, 5, 6]))
    look = some_look(rng, vectors=bool(rng.random() < 0.8))
    fall = levels(rng, k + 3, 0.82, 0.68)
    entries = [
        Entry(passage(rng, domain, at % 5), "the-guide", at % 5, r) for at, r in enumerate(fall)
    ]
    entries += off_topic(rng, domain, 20, 0.35)
    return Drawn(
        name=name,
        accept=("single-source question",),
        alarm=False,
        pool=made(rng, domain, entries, look),
        policy=Policy(k=k),
        why="the-guide holds five answers; everything else lies at half its relevance",
    )


MAKERS = (
    copies,
    overlap,
    one_source,
    meaning,
    shallow,
    shortage,
    starved,
    over_diversified,
    weak_identity,
    another_scale,
    without_vectors,
    single_source,
)
