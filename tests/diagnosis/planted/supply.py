"""Pools that lack something: depth, sources, a facet, a source's name."""

import dataclasses
from collections.abc import Iterator

from tests.diagnosis.planted.build import Book, invented, row, rows, tail, written
from tests.diagnosis.planted.material import Planted, Row, falling

SHALLOW = "pool too shallow"
SHORTAGE = "pool shortage"
WEAK = "weak source identity"
ONE_SOURCE = "crowded by one source"
MEANING = "crowded by meaning"


def _late(book: Book, topic: str, head: list[Row], late: Row, rank: int) -> list[Row]:
    """Put a passage at a rank beyond the head, passages of other topics between."""
    return [*head, *tail(book, topic, rank - 1 - len(head), 41), late]


def shallow(book: Book) -> Iterator[Planted]:
    """Plant pools whose missing part lies below the depth that the policy may see."""
    topics = book.topics
    delay, leave, bread = (topics[name].passages for name in ("delay", "leave", "sourdough"))
    yield written(
        book,
        "shallow-care-at-17",
        SHALLOW,
        "Four facets are in the context; the fifth has its first passage at rank 17, depth is 10.",
        topic="delay",
        listed=_late(book, "delay", rows(delay[:4], delay[5:10]), row(delay[4]), 17),
        score="logits",
        levels=falling((9, 0.9, 0.7), (8, 0.5, 0.4), (8, 0.3, 0.1)),
        facets=("sum", "who", "when", "weather", "care"),
        fill=8,
        policy={"selector": "two_pass_cap", "cap": 2, "depth": 10},
    )
    head = rows([leave[0], leave[2], leave[1], *leave[4:6], *leave[7:]])
    head = [entry for entry in head if entry.source != "colleague-story-12"]
    yield written(
        book,
        "shallow-part-at-15",
        SHALLOW,
        "Length, pay and application are covered; part-time starts at rank 15, MMR sees eight.",
        topic="leave",
        listed=_late(book, "leave", head, row(leave[3]), 15),
        score="bm25",
        levels=falling((7, 0.9, 0.75), (8, 0.7, 0.5), (8, 0.4, 0.1)),
        facets=("length", "pay", "apply", "part"),
        fill=8,
        policy={"selector": "mmr", "lambda_": 0.8, "depth": 8},
    )
    mixed = rows(bread[:1], bread[7:10], bread[11:])
    yield written(
        book,
        "shallow-no-vectors",
        SHALLOW,
        "Everything asked for but shaping is in the context; shaping is at rank 20, depth is 12.",
        topic="sourdough",
        listed=_late(book, "sourdough", mixed, row(bread[10]), 20),
        space=None,
        score="logits",
        levels=falling((5, 0.9, 0.8), (15, 0.7, 0.5), (5, 0.4, 0.1)),
        facets=("starter", "cold", "over", "flour", "shape"),
        fill=5,
        policy={"selector": "grouped_cap", "cap": 2, "depth": 12},
    )
    yield invented(
        "shallow-invented-rank-57",
        SHALLOW,
        "Three facets are covered; the fourth has its only passage at rank 57, the depth is 20.",
        relevances=falling((100, 0.7, 0.45)),
        groups=[-1] * 100,
        sources=[f"paper-{number}" for number in range(100)],
        supports={1: "a", 2: "b", 4: "c a", 6: "b", 57: "d"},
        facets={"a": "Cause", "b": "Effect", "c": "Cost", "d": "Repair"},
        policy={"k": 8, "depth": 20, "selector": "mmr", "lambda_": 0.9},
    )
    yield invented(
        "shallow-invented-rank-120",
        SHALLOW,
        "A facet is first supported at rank 120 of 200 while the selector sees thirty.",
        relevances=falling((200, 0.65, 0.35)),
        groups=[-1] * 200,
        sources=[f"case-{number // 2}" for number in range(0, 400, 2)],
        d=32,
        supports={1: "a", 3: "b", 5: "a b", 120: "c", 131: "c"},
        facets={"a": "Who", "b": "When", "c": "Why"},
        score="logits",
        policy={"depth": 30, "selector": "two_pass_cap", "cap": 1},
    )
    yield written(
        book,
        "shallow-hardly-deeper-than-k",
        SHALLOW,
        "Seven alike threads for six slots: no setting can bring another meaning in, only a deeper "
        "retrieval; that the picks are crowded by meaning is true as well.",
        accept=(MEANING,),
        topic="sourdough",
        listed=rows(bread[:7]),
        fill=0,
        policy={"selector": "mmr", "lambda_": 0.6, "k": 6},
    )
    pump = rows(topics["heatpump"].passages)
    yield written(
        book,
        "shallow-depth-is-k",
        SHALLOW,
        "MMR may see five candidates for five slots, so it only reorders one manual while other "
        "sources wait at rank 8; that the slots are crowded by it is true as well.",
        accept=(ONE_SOURCE,),
        topic="heatpump",
        listed=pump,
        score="logits",
        levels=falling((7, 0.9, 0.84), (6, 0.83, 0.76), (12, 0.3, 0.1)),
        facets=("defrost", "mount", "fan", "night", "loop"),
        policy={"selector": "mmr", "lambda_": 0.5, "depth": 5},
    )


def shortage(book: Book) -> Iterator[Planted]:
    """Plant pools with one source only, or with a facet that nothing supports."""
    topics = book.topics
    delay, leave, restore = (topics[name].passages for name in ("delay", "leave", "restore"))
    yield written(
        book,
        "shortage-one-manual",
        SHORTAGE,
        "The whole pool is one manual: no rule can bring a second source in.",
        topic="heatpump",
        listed=rows(topics["heatpump"].of("defrost")),
        fill=0,
        policy={"selector": "two_pass_cap", "cap": 2, "k": 3},
    )
    yield invented(
        "shortage-invented-one-source",
        SHORTAGE,
        "Fifty candidates, all of annual-report-2024.pdf: a metadata filter is the likely cause.",
        relevances=falling((50, 0.6, 0.5)),
        groups=[number % 4 for number in range(50)],
        sources=["annual-report-2024.pdf"] * 50,
        shared=0.25,
    )
    fees = [
        row(passage, section=f"Refunds {number}")
        for number, passage in enumerate(topics["refunds"].of("fee")[:5], start=1)
    ]
    yield written(
        book,
        "shortage-one-page-sections",
        SHORTAGE,
        "Five passages of one help page and nothing else; that one source for all may also be a "
        "weak identity is allowed, as a section field varies.",
        accept=(WEAK,),
        topic="refunds",
        listed=fees,
        fill=0,
        space=None,
        score="bm25",
        levels=falling((5, 0.9, 0.7)),
        policy={"k": 2},
    )
    yield written(
        book,
        "shortage-facet-care",
        SHORTAGE,
        "Four of five facets are in the context, and no candidate of the pool supports the fifth.",
        topic="delay",
        listed=rows(delay[:4], delay[5:]),
        score="logits",
        levels=falling((10, 0.9, 0.6), (12, 0.4, 0.1)),
        facets=("sum", "who", "when", "weather", "care"),
    )
    yield written(
        book,
        "shortage-facet-no-vectors",
        SHORTAGE,
        "No passage says how to apply; everything else is in the context.",
        topic="leave",
        listed=rows([leave[0], leave[2], leave[3], *leave[4:]]),
        space=None,
        score="bm25",
        levels=falling((9, 0.9, 0.6), (12, 0.4, 0.1)),
        facets=("length", "pay", "apply", "part"),
    )
    yield invented(
        "shortage-invented-facet",
        SHORTAGE,
        "Of four facets three are in the context and one has no passage among eighty.",
        relevances=falling((80, 0.7, 0.4)),
        groups=[-1] * 80,
        sources=[f"minutes-{number}" for number in range(80)],
        supports={1: "a", 2: "b", 3: "c", 5: "a", 9: "b"},
        facets={"a": "Where", "b": "When", "c": "Who", "d": "Price"},
        strength=1.0,
        policy={"k": 8},
    )
    kept = [passage for passage in restore if not {"verify", "switch"} & set(passage.facets)]
    order = [kept[0], kept[1], kept[5], kept[3], kept[6], kept[2], kept[4], *kept[7:]]
    yield written(
        book,
        "shortage-two-facets",
        SHORTAGE,
        "Two of four facets have no passage in the pool at all; the other two are covered.",
        topic="restore",
        listed=rows(order),
        score="rrf",
        levels=falling((len(order) + 12, 1.0, 0.0)),
        facets=("find", "replay", "verify", "switch"),
        policy={"k": 4},
    )


def weak_identity(book: Book) -> Iterator[Planted]:
    """Plant pools whose source labels do not name documents."""
    topics = book.topics
    restore, delay = topics["restore"].passages, topics["delay"].passages
    refunds = topics["refunds"].passages
    chunks = [
        dataclasses.replace(entry, source=f"{entry.source}#chunk-{number}")
        for number, entry in enumerate(rows(restore), start=3)
    ]
    yield written(
        book,
        "weak-chunk-in-label",
        WEAK,
        "Every row is its own source, runbooks/restore.md#chunk-3, though documents are visible.",
        topic="restore",
        listed=chunks,
        fill=0,
    )
    named = [
        Row(
            passage.text,
            None,
            passage.facets,
            {"chunk_id": f"c-{number:04d}", "document": passage.source},
        )
        for number, passage in enumerate(refunds, start=812)
    ]
    yield written(
        book,
        "weak-chunk-id-as-source",
        WEAK,
        "The source field is the chunk id; the document stands beside it and repeats, and the cap "
        "counts chunks.",
        topic="refunds",
        listed=named,
        fill=0,
        source_field="chunk_id",
        score="cosine distance",
        policy={"selector": "two_pass_cap", "cap": 2},
    )
    constant = [
        Row(passage.text, "knowledge-base", passage.facets, {"title": passage.source})
        for passage in delay
    ]
    yield written(
        book,
        "weak-constant-title-varies",
        WEAK,
        "All rows share the source knowledge-base, while eleven titles stand beside it.",
        topic="delay",
        listed=constant,
        fill=0,
    )
    stored = [
        Row(passage.text, "qdrant", None, {"file_path": f"/data/{passage.source}"})
        for passage in (*restore[:3], *restore[5:], *restore[3:5])
    ]
    yield written(
        book,
        "weak-constant-no-vectors",
        WEAK,
        "All rows share the source qdrant; file_path tells seven documents apart.",
        topic="restore",
        listed=stored,
        fill=0,
        space=None,
        score="logits",
        levels=falling((11, 0.9, 0.4)),
    )
    folders = ("billing", "search", "deploy", "billing", "search")
    same = [
        Row(passage.text, "README.md", None, {"file_path": f"{folder}/README.md"})
        for passage, folder in zip(topics["evictions"].passages[8:], folders, strict=True)
    ]
    apart = [
        Row(passage.text, f"{number}.md", None, {"file_path": f"notes/{number}.md"})
        for number, passage in enumerate((*restore[5:], *delay[4:8]))
    ]
    yield written(
        book,
        "weak-same-name-two-folders",
        WEAK,
        "README.md stands for files of three folders; file_path tells them apart.",
        topic="evictions",
        listed=[*same[:4], apart[0], same[4], *apart[1:]],
        fill=0,
        score="bm25",
        levels=falling((15, 0.9, 0.4)),
    )
    yield invented(
        "weak-pages-invented",
        WEAK,
        "Every row is its own page, handbook-4.pdf?page=12: twelve files read as ninety sources.",
        relevances=falling((90, 0.62, 0.4)),
        groups=[-1] * 90,
        sources=[f"handbook-{number % 12}.pdf?page={number // 12 + 3}" for number in range(90)],
        strength=0.8,
        policy={"selector": "grouped_cap", "cap": 1, "k": 6},
    )
