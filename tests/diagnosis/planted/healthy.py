"""Pools in which nothing should be changed, of many sorts."""

import dataclasses
from collections.abc import Iterator

import numpy as np

from tests.diagnosis.planted import material
from tests.diagnosis.planted.build import Book, invented, row, rows, written
from tests.diagnosis.planted.material import Planted, falling

HEALTHY = "healthy"


def healthy(book: Book) -> Iterator[Planted]:
    """Plant healthy pools; none may raise an alarm."""
    for pool in (*_diverse(book), *_alike(book), *_sizes(book), *_other_rules(book)):
        yield dataclasses.replace(pool, alarm=False)


def _diverse(book: Book) -> Iterator[Planted]:
    """Plant good picks of several sources."""
    topics = book.topics
    delay, leave, restore = (topics[name].passages for name in ("delay", "leave", "restore"))
    yield written(
        book,
        "healthy-leave-ceiling",
        HEALTHY,
        "Top-5 covers all four facets from four documents, two good passages of one among them.",
        topic="leave",
        listed=rows(leave),
        facets=("length", "pay", "apply", "part"),
        fill=20,
    )
    yield written(
        book,
        "healthy-delay-reranked",
        HEALTHY,
        "Five sources, five facets, scores that fall gently.",
        topic="delay",
        listed=rows(delay),
        score="logits",
        levels=falling((11, 0.92, 0.7), (12, 0.4, 0.1)),
        facets=("sum", "who", "when", "weather", "care"),
    )
    yield written(
        book,
        "healthy-delay-whole",
        HEALTHY,
        "Five picks of five sources on different parts of the question, facets unknown.",
        topic="delay",
        listed=rows(delay[:5], delay[7:]),
        space=material.whole,
        embedder="MiniLM",
        score="bm25",
        levels=falling((9, 0.92, 0.7), (14, 0.4, 0.1)),
        fill=14,
    )
    mixed = [restore[0], restore[5], restore[3], restore[2], restore[8], *restore[6:8]]
    yield written(
        book,
        "healthy-restore-two-of-one",
        HEALTHY,
        "Two unlike passages of one runbook among five of four sources; all facets are covered.",
        topic="restore",
        listed=rows(mixed, (restore[1], restore[4], *restore[9:])),
        score="logits",
        levels=falling((11, 0.92, 0.6), (12, 0.4, 0.1)),
        facets=("find", "replay", "verify", "switch"),
    )
    yield written(
        book,
        "healthy-no-vectors",
        HEALTHY,
        "No vectors and plain top-5, which needs none; four sources, every facet.",
        topic="leave",
        listed=rows(leave[:4], leave[4:]),
        space=None,
        score="bm25",
        levels=falling((10, 0.92, 0.6), (10, 0.4, 0.1)),
        facets=("length", "pay", "apply", "part"),
        fill=10,
    )
    web = [
        dataclasses.replace(row(passage), source=f"https://example.org/{passage.source}")
        for passage in (*delay[:5], *delay[9:])
    ]
    yield written(
        book,
        "healthy-web-pages",
        HEALTHY,
        "Every row is its own web page, as is right for web search; no vectors, fused ranks.",
        topic="delay",
        listed=web,
        fill=14,
        space=None,
        score="rrf",
        levels=falling((21, 1.0, 0.0)),
    )
    pump = topics["heatpump"]
    other = [passage for passage in pump.passages if "defrost" not in passage.facets]
    yield written(
        book,
        "healthy-crowd-below-k",
        HEALTHY,
        "Five sources and five facets are picked; the six alike passages of the manual come after.",
        topic="heatpump",
        listed=rows(pump.of("defrost")[:1], other[:4], pump.of("defrost")[1:], other[4:]),
        score="logits",
        levels=falling((5, 0.95, 0.86), (8, 0.8, 0.6), (12, 0.4, 0.1)),
        facets=("defrost", "mount", "fan", "night", "loop"),
    )
    documents = [material.windows(passage) for passage in topics["nitrate"].passages]
    apart = [document[0] for document in documents]
    yield written(
        book,
        "healthy-windows-apart",
        HEALTHY,
        "Windows were cut with overlap, yet the four picks are of four documents and share none.",
        topic="nitrate",
        listed=[*apart, documents[0][2], documents[1][2], documents[2][2]],
        score="logits",
        levels=falling((7, 0.9, 0.7), (12, 0.4, 0.1)),
        policy={"k": 4},
    )


def _alike(book: Book) -> Iterator[Planted]:
    """Plant picks that are alike, or look so, with nothing wrong about it."""
    topics = book.topics
    bridge, plans = topics["bridge"].passages, topics["plans"].passages
    yield written(
        book,
        "healthy-table-rows",
        HEALTHY,
        "Five table rows share a header and differ in every value; all five are asked for.",
        topic="plans",
        listed=rows(plans),
        facets=("solo", "team", "studio", "campus", "global"),
    )
    yield written(
        book,
        "healthy-table-rows-anisotropic",
        HEALTHY,
        "The same rows in an embedder that gives every pair 0.8 or more.",
        topic="plans",
        listed=rows(plans),
        space=material.anisotropic(1.8),
        embedder="MiniLM with a common direction 1.8",
        score="l2 distance",
        facets=("solo", "team", "studio", "campus", "global"),
    )
    yield written(
        book,
        "healthy-one-answer",
        HEALTHY,
        "One true answer, five sources that bear it out, and no other facet to gain.",
        topic="bridge",
        listed=rows(bridge),
        facets=("year",),
    )
    yield written(
        book,
        "healthy-one-answer-unjudged",
        HEALTHY,
        "Five sources agree on the one date; everything else is far less relevant.",
        topic="bridge",
        listed=rows(bridge),
        score="logits",
        levels=falling((5, 0.95, 0.85), (3, 0.25, 0.15), (12, 0.12, 0.0)),
    )
    delay, leave = topics["delay"].passages, topics["leave"].passages
    yield written(
        book,
        "healthy-delay-anisotropic",
        HEALTHY,
        "An embedder in which everything is 0.8 alike; five sources on five parts of the question.",
        topic="delay",
        listed=rows(delay[:5], delay[8:]),
        space=material.anisotropic(2.2),
        embedder="MiniLM with a common direction 2.2",
        score="logits",
        levels=falling((8, 0.92, 0.75), (14, 0.4, 0.1)),
        fill=14,
    )
    yield written(
        book,
        "healthy-leave-anisotropic",
        HEALTHY,
        "Mean pairwise similarity over 0.85 by the embedder alone; all four facets are covered.",
        topic="leave",
        listed=rows(leave),
        space=material.anisotropic(2.0),
        embedder="MiniLM with a common direction 2.0",
        facets=("length", "pay", "apply", "part"),
    )
    yield invented(
        "healthy-invented-all-high",
        HEALTHY,
        "Every pair of the pool is alike to about 0.85, the picks no more than the rest.",
        relevances=falling((100, 0.55, 0.4)),
        groups=[-1] * 100,
        sources=[f"brief-{number}" for number in range(100)],
        strength=3.0,
        policy={"k": 8},
    )
    yield invented(
        "healthy-invented-groups-mixed",
        HEALTHY,
        "Four groups of meaning share the eight picks evenly.",
        relevances=falling((60, 0.7, 0.45)),
        groups=[number % 4 for number in range(40)] + [-1] * 20,
        sources=[f"story-{number}" for number in range(60)],
        shared=0.25,
        policy={"k": 8},
    )


def _sizes(book: Book) -> Iterator[Planted]:
    """Plant pools of many sizes, depths and kinds of score."""
    leave = book.topics["leave"].passages
    yield invented(
        "healthy-invented-k3",
        HEALTHY,
        "Three picks of three sources, gentle scores.",
        relevances=falling((30, 0.66, 0.4)),
        groups=[-1] * 30,
        sources=[f"faq-{number}" for number in range(30)],
        score="cosine distance",
        policy={"k": 3},
    )
    yield invented(
        "healthy-invented-k15",
        HEALTHY,
        "Fifteen picks of twelve sources, none with more than two.",
        relevances=falling((150, 0.7, 0.35)),
        groups=[-1] * 150,
        sources=[f"doc-{(number * 7) % 12}" for number in range(150)],
        score="logits",
        policy={"k": 15},
        d=32,
    )
    yield invented(
        "healthy-invented-500",
        HEALTHY,
        "Five hundred candidates by rank alone, spread over many sources.",
        relevances=falling((500, 0.6, 0.1)),
        groups=[-1] * 500,
        sources=[f"url-{(number * 13) % 211}" for number in range(500)],
        score="none",
        d=32,
    )
    yield written(
        book,
        "healthy-six-for-three",
        HEALTHY,
        "Six candidates, three slots, three sources, every facet asked for.",
        topic="leave",
        listed=rows([leave[0], leave[2], leave[3], leave[5], leave[6], leave[8]]),
        fill=0,
        score="logits",
        levels=falling((6, 0.9, 0.5)),
        facets=("length", "pay", "part"),
        policy={"k": 3},
    )
    yield written(
        book,
        "healthy-few-candidates",
        HEALTHY,
        "Seven candidates for five slots, and the five picks hold every facet that is asked for.",
        topic="delay",
        listed=rows(book.topics["delay"].passages[:5], book.topics["delay"].passages[8:10]),
        fill=0,
        score="bm25",
        levels=falling((7, 0.9, 0.5)),
        facets=("sum", "who", "when", "weather", "care"),
    )
    yield invented(
        "healthy-invented-two-per-file",
        HEALTHY,
        "Each file has two passages that are not alike; the five picks come from three files.",
        relevances=falling((40, 0.68, 0.42)),
        groups=[-1] * 40,
        sources=[f"file-{number // 2}" for number in range(40)],
        d=96,
        score="l2 distance",
    )
    rng = np.random.default_rng(8)
    shuffled = invented(
        "healthy-order-is-authoritative",
        HEALTHY,
        "The list was reordered after scoring, so the scores are not monotone; nothing is crowded.",
        relevances=falling((14, 0.66, 0.5)),
        groups=[-1] * 14,
        sources=[f"case-{number}" for number in range(14)],
        score="logits",
    )
    order = rng.permutation(len(shuffled.rows))
    yield dataclasses.replace(shuffled, rows=[shuffled.rows[index] for index in order])
    yield invented(
        "healthy-facets-known-k8",
        HEALTHY,
        "Five of five facets within eight picks of eight sources.",
        relevances=falling((80, 0.72, 0.4)),
        groups=[-1] * 80,
        sources=[f"study-{number}" for number in range(80)],
        supports={
            1: "a",
            2: "b",
            3: "c",
            4: "a d",
            5: "b",
            6: "e",
            7: "",
            9: "c",
            20: "d",
            44: "e",
        },
        facets={"a": "Dose", "b": "Harm", "c": "Price", "d": "Proof", "e": "Law"},
        score="bm25",
        policy={"k": 8},
    )


def _other_rules(book: Book) -> Iterator[Planted]:
    """Plant policies other than top-k that do no harm."""
    topics = book.topics
    delay, leave = topics["delay"].passages, topics["leave"].passages
    yield written(
        book,
        "healthy-mmr-gentle",
        HEALTHY,
        "MMR at 0.9 on logits, scaled as the pool decides, keeps five sources and five facets.",
        topic="delay",
        listed=rows(delay),
        score="logits",
        levels=falling((5, 0.97, 0.9), (6, 0.72, 0.6), (12, 0.3, 0.1)),
        facets=("sum", "who", "when", "weather", "care"),
        policy={"selector": "mmr", "lambda_": 0.9},
    )
    yield written(
        book,
        "healthy-cap-idle",
        HEALTHY,
        "A cap of two that never binds; four sources and every facet.",
        topic="leave",
        listed=rows(leave),
        facets=("length", "pay", "apply", "part"),
        policy={"selector": "grouped_cap", "cap": 2, "depth": 20},
    )
    yield invented(
        "healthy-invented-mmr",
        HEALTHY,
        "MMR at 0.85 picks from the head of a sound pool.",
        relevances=falling((70, 0.7, 0.3)),
        groups=[-1] * 70,
        sources=[f"log-{number}" for number in range(70)],
        policy={"selector": "mmr", "lambda_": 0.85, "k": 6},
    )
