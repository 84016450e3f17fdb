"""Pools that are sound and meet a setting that does not suit them."""

import dataclasses
from collections.abc import Iterator

from tests.diagnosis.planted import material
from tests.diagnosis.planted.build import Book, invented, row, rows, written
from tests.diagnosis.planted.material import Planted, falling

OVER = "over-diversified"
SINGLE = "single-source question"
SCALE = "scores on another scale"
NO_VECTORS = "vectors missing"


def over_diversified(book: Book) -> Iterator[Planted]:
    """Plant policies that fetch picks from far below the relevant ones."""
    topics = book.topics
    delay, leave, restore = (topics[name].passages for name in ("delay", "leave", "restore"))
    four = ("length", "pay", "apply", "part")
    yield written(
        book,
        "over-leave-mmr",
        OVER,
        "Top-5 covers all four facets from four sources; MMR at 0.1 takes other topics instead.",
        topic="leave",
        listed=rows(leave),
        facets=four,
        fill=20,
        policy={"selector": "mmr", "lambda_": 0.1},
    )
    yield written(
        book,
        "over-delay-logits",
        OVER,
        "Eleven sound passages of eleven sources lead by a wide gap; MMR at 0.1 leaves them.",
        topic="delay",
        listed=rows(delay),
        fill=20,
        score="logits",
        levels=falling((11, 0.95, 0.8), (20, 0.25, 0.05)),
        policy={"selector": "mmr", "lambda_": 0.1},
    )
    good = rows(restore[:3], restore[5:7])
    spread = [good[0], good[3], good[1], good[4], good[2], *rows(restore[7:10], restore[3:4])]
    yield written(
        book,
        "over-cap-one",
        OVER,
        "A cap of one spends six slots on six sources and reaches into the irrelevant tail; plain "
        "top-6 holds two documents and a third.",
        topic="restore",
        listed=[*spread[:5], spread[8]],
        fill=20,
        score="logits",
        levels=falling((6, 0.95, 0.85), (20, 0.15, 0.0)),
        facets=("find", "replay", "switch", "verify"),
        policy={"selector": "grouped_cap", "cap": 1, "k": 6},
    )
    yield invented(
        "over-invented-lambda-zero",
        OVER,
        "Ten good passages of ten sources, then noise; MMR at 0 picks noise.",
        relevances=falling((10, 0.7, 0.62), (30, 0.2, -0.05)),
        groups=[-1] * 40,
        sources=[f"note-{number}" for number in range(40)],
        score="l2 distance",
        policy={"selector": "mmr", "lambda_": 0.0},
    )
    yield invented(
        "over-invented-k8",
        OVER,
        "A sound head of twelve; MMR at 0.05 takes most of its eight picks from the far tail.",
        relevances=falling((12, 0.75, 0.66), (138, 0.35, 0.0)),
        groups=[-1] * 150,
        sources=[f"page-{number // 2}" for number in range(150)],
        d=32,
        policy={"selector": "mmr", "lambda_": 0.05, "k": 8},
    )
    yield invented(
        "over-invented-anisotropic",
        OVER,
        "Every cosine is high, so the fall looks small, yet the picks are from the pool's bottom.",
        relevances=falling((12, 0.75, 0.66), (38, 0.25, 0.0)),
        groups=[-1] * 50,
        sources=[f"sheet-{number}" for number in range(50)],
        strength=1.5,
        policy={"selector": "mmr", "lambda_": 0.1},
    )
    yield written(
        book,
        "over-mmr-cap",
        OVER,
        "MMR at 0.15 with a cap of one loses three of the four facets that top-5 covers.",
        topic="leave",
        listed=rows(leave),
        facets=four,
        fill=20,
        space=material.projected(160, 2),
        embedder="MiniLM projected to 160 dimensions",
        score="cosine distance",
        policy={"selector": "mmr_cap", "lambda_": 0.15, "cap": 1},
    )


def single_source(book: Book) -> Iterator[Planted]:
    """Plant questions that the consecutive parts of one document answer."""
    topics = book.topics
    steps = [
        row(passage, position=str(number))
        for number, passage in enumerate(topics["brakes"].of_source("workshop-manual-brakes.pdf"))
    ]
    others = rows(topics["brakes"].passages[6:])
    setup = [
        row(passage, position=str(number))
        for number, passage in enumerate(topics["vpn"].of_source("it-handbook/vpn.md"))
    ]
    rest = rows(topics["vpn"].passages[5:])
    six, five = ("s1", "s2", "s3", "s4", "s5", "s6"), ("s1", "s2", "s3", "s4", "s5")
    wide = "Diversity has replaced steps of the one document that answers, with facets lost; that "
    wide += "the picks are over-diversified is the same thing in other words."
    yield written(
        book,
        "single-brakes",
        SINGLE,
        "Six unlike steps of one manual, all needed, far above every other source: leave them.",
        alarm=False,
        topic="brakes",
        listed=[*steps, *others],
        facets=six,
        policy={"k": 6},
    )
    yield written(
        book,
        "single-brakes-capped",
        SINGLE,
        wide,
        accept=(OVER,),
        topic="brakes",
        listed=[*steps, *others],
        score="logits",
        levels=falling((6, 0.95, 0.8), (6, 0.2, 0.1), (12, 0.08, 0.0)),
        facets=six,
        policy={"k": 6, "selector": "two_pass_cap", "cap": 1},
    )
    yield written(
        book,
        "single-vpn-unjudged",
        SINGLE,
        "The five sections of one page score above 0.6, the next source 0.27; they are not alike.",
        alarm=False,
        topic="vpn",
        listed=[*setup, *rest],
    )
    yield written(
        book,
        "single-vpn-no-vectors",
        SINGLE,
        "The five steps of one page cover every facet, with a wide gap of score below them.",
        alarm=False,
        topic="vpn",
        listed=[*setup, *rest],
        space=None,
        score="logits",
        levels=falling((5, 0.95, 0.85), (5, 0.2, 0.1), (12, 0.08, 0.0)),
        facets=five,
    )
    yield written(
        book,
        "single-vpn-mmr",
        SINGLE,
        wide,
        accept=(OVER,),
        topic="vpn",
        listed=[*setup, *rest],
        facets=five,
        policy={"selector": "mmr", "lambda_": 0.3},
    )
    yield written(
        book,
        "single-brakes-grouped",
        SINGLE,
        wide,
        accept=(OVER,),
        topic="brakes",
        listed=[*steps, *others],
        space=material.anisotropic(0.7),
        embedder="MiniLM with a common direction 0.7",
        score="l2 distance",
        facets=six,
        policy={"k": 6, "selector": "grouped_cap", "cap": 2},
    )
    yield invented(
        "single-invented-k7",
        SINGLE,
        "Seven consecutive sections of one specification at 0.75, the rest below 0.45, not alike.",
        alarm=False,
        relevances=falling((7, 0.75, 0.7), (73, 0.42, 0.2)),
        groups=[-1] * 80,
        sources=["spec-11.md"] * 7 + [f"mail-{number}" for number in range(73)],
        fields=[{"chunk_index": str(20 + n if n < 7 else n % 5)} for n in range(80)],
        policy={"k": 7},
    )


def another_scale(book: Book) -> Iterator[Planted]:
    """Plant MMR on raw scores that do not lie on the scale of a cosine."""
    topics = book.topics
    delay, leave, restore = (rows(topics[n].passages) for n in ("delay", "leave", "restore"))
    plain = {"selector": "mmr", "scaling": "none"}
    yield written(
        book,
        "scale-bm25",
        SCALE,
        "BM25 of 15 to 25 against cosines below 1: the penalty never counts.",
        topic="delay",
        listed=delay,
        score="bm25",
        levels=falling((11, 0.95, 0.6), (12, 0.5, 0.1)),
        policy={**plain, "lambda_": 0.6},
    )
    yield written(
        book,
        "scale-logits",
        SCALE,
        "Logits from 4 to -3 against cosines, unscaled.",
        topic="leave",
        listed=leave,
        score="logits",
        levels=falling((10, 0.9, 0.6), (12, 0.5, 0.1)),
        policy={**plain, "lambda_": 0.5},
    )
    yield written(
        book,
        "scale-rrf",
        SCALE,
        "Fused reciprocal ranks of 0.03 against cosines: only the penalty counts.",
        topic="restore",
        listed=restore,
        score="rrf",
        levels=falling((23, 1.0, 0.0)),
        policy={**plain, "lambda_": 0.7},
    )
    yield invented(
        "scale-invented-bm25",
        SCALE,
        "Raw BM25 of 14 to 20 weighed against cosines.",
        relevances=falling((60, 0.7, 0.45)),
        groups=[-1] * 60,
        sources=[f"law-{number // 2}" for number in range(60)],
        score="bm25",
        policy={**plain, "lambda_": 0.5, "k": 8},
    )
    yield invented(
        "scale-invented-rrf",
        SCALE,
        "Raw fused ranks weighed against cosines that are all near 0.7.",
        relevances=falling((100, 0.6, 0.3)),
        groups=[-1] * 100,
        sources=[f"bug-{number}" for number in range(100)],
        strength=1.5,
        score="rrf",
        policy={**plain, "lambda_": 0.6},
    )
    yield invented(
        "scale-invented-logits-cap",
        SCALE,
        "Raw logits, some below zero, in MMR with a cap.",
        relevances=falling((30, 0.65, 0.3)),
        groups=[-1] * 30,
        sources=[f"post-{number // 3}" for number in range(30)],
        score="logits",
        levels=falling((30, 0.8, 0.1)),
        policy={**plain, "selector": "mmr_cap", "cap": 2, "lambda_": 0.4},
    )


def without_vectors(book: Book) -> Iterator[Planted]:
    """Plant MMR on pools that have no vectors, or not all."""
    topics = book.topics
    delay, leave = (rows(topics[name].passages) for name in ("delay", "leave"))
    yield written(
        book,
        "vectors-none",
        NO_VECTORS,
        "MMR is asked for and no candidate has a vector.",
        topic="delay",
        listed=delay,
        space=None,
        score="bm25",
        levels=falling((11, 0.95, 0.6), (12, 0.5, 0.1)),
        policy={"selector": "mmr", "lambda_": 0.7},
    )
    yield written(
        book,
        "vectors-none-let-in",
        NO_VECTORS,
        "MMR with a cap counts every candidate as similar to nothing, as none has a vector.",
        topic="leave",
        listed=leave,
        space=None,
        score="logits",
        levels=falling((10, 0.9, 0.6), (12, 0.4, 0.1)),
        policy={
            "selector": "mmr_cap",
            "cap": 2,
            "missing_vector": "count as similar to nothing",
        },
    )
    partly = written(
        book,
        "vectors-some-left-out",
        NO_VECTORS,
        "Ranks 1, 3 and 4 have no vector and MMR leaves them out unseen.",
        topic="delay",
        listed=delay,
        score="logits",
        levels=falling((11, 0.95, 0.7), (12, 0.5, 0.1)),
        policy={"selector": "mmr", "lambda_": 0.9},
    )
    yield _bare(partly, {0, 2, 3, 8})
    half = invented(
        "vectors-half-count-as-new",
        NO_VECTORS,
        "Half of the candidates have no vector and pass for perfectly different ones.",
        relevances=falling((60, 0.7, 0.45)),
        groups=[-1] * 60,
        sources=[f"clip-{number}" for number in range(60)],
        score="logits",
        policy={"selector": "mmr", "missing_vector": "count as similar to nothing"},
    )
    yield _bare(half, set(range(0, 60, 2)))
    yield invented(
        "vectors-none-invented",
        NO_VECTORS,
        "Twelve candidates by rank alone, MMR, and no vectors.",
        relevances=falling((12, 0.7, 0.5)),
        groups=[-1] * 12,
        sources=[f"fax-{number}" for number in range(12)],
        vectors=False,
        score="none",
        policy={"selector": "mmr", "lambda_": 0.5, "k": 4},
    )
    late = invented(
        "vectors-first-half-missing",
        NO_VECTORS,
        "The twelve best of thirty came from a keyword arm without vectors; MMR drops them all.",
        relevances=falling((30, 0.68, 0.4)),
        groups=[-1] * 30,
        sources=[f"entry-{number}" for number in range(30)],
        score="rrf",
        policy={"selector": "mmr", "lambda_": 0.8},
    )
    yield _bare(late, set(range(12)))


def _bare(pool: Planted, indices: set[int]) -> Planted:
    """Take the vectors of some candidates away."""
    kept = [
        dataclasses.replace(entry, vector=None) if index in indices else entry
        for index, entry in enumerate(pool.rows)
    ]
    return dataclasses.replace(pool, rows=kept)
