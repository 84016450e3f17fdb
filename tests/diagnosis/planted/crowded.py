"""Pools whose picks repeat one another: copies, overlaps, one source, one meaning."""

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np

from tests.diagnosis.planted import material
from tests.diagnosis.planted.build import Book, invented, row, rows, written
from tests.diagnosis.planted.material import Planted, Row, falling

COPIES = "exact or near copies"
OVERLAP = "overlapping chunks"
ONE_SOURCE = "crowded by one source"
MEANING = "crowded by meaning"

NAMES = ("Anna Berg", "Tom Keller", "Ines Prado", "Jon Hale", "Mia Sand", "Paul Orth")
DATES = ("3 March", "9 March", "14 March", "21 March", "2 April", "11 April")


def filled(text: str, number: int) -> str:
    """Fill a letter's blanks with the name, the date and the order of one customer."""
    return text.format(name=NAMES[number], date=DATES[number], order=f"40{number}17")


def letters(book: Book, number: int, count: int) -> list[Row]:
    """Write one letter of the topic to several customers, each its own source."""
    passage = book.topics["letters"].passages[number]
    stem = passage.source.split("-")[0]
    return [Row(filled(passage.text, who), f"{stem}-0{who + 31}", ()) for who in range(count)]


def elsewhere(original: Row, *sources: str) -> list[Row]:
    """Put the same text under further sources."""
    return [dataclasses.replace(original, source=source) for source in sources]


def copies(book: Book) -> Iterator[Planted]:
    """Plant exact and near copies."""
    topics = book.topics
    delay = rows(topics["delay"].passages)
    yield written(
        book,
        "copies-mirrored-path",
        COPIES,
        "Three of five picks are the same text under three paths.",
        topic="delay",
        listed=[
            *elsewhere(delay[3], "docs/conditions.md", "mirror/conditions.md", "old/2023/terms.md"),
            *delay[:3],
            *delay[4:],
        ],
    )
    yield written(
        book,
        "copies-letters",
        COPIES,
        "All five picks are one letter with another date, cosine at least 0.95.",
        topic="letters",
        listed=[*letters(book, 0, 6), *rows(topics["delay"].passages[:6])],
        score="logits",
        levels=falling((6, 0.9, 0.8), (6, 0.78, 0.6), (12, 0.4, 0.1)),
    )
    yield written(
        book,
        "copies-letters-no-vectors",
        COPIES,
        "Four of five picks are one letter to four people, nine words in ten the same; no vectors.",
        topic="letters",
        listed=[
            row(topics["delay"].passages[1]),
            *letters(book, 3, 4),
            *rows(topics["delay"].passages[2:8]),
        ],
        space=None,
        score="bm25",
        levels=falling((11, 0.9, 0.6), (12, 0.4, 0.1)),
    )
    yield written(
        book,
        "copies-visits-anisotropic",
        COPIES,
        "Six of eight picks are one visit note with other dates; the other texts stay under 0.95.",
        topic="letters",
        listed=[*letters(book, 2, 6), *rows(topics["leave"].passages[:4])],
        fill=10,
        space=material.anisotropic(1.0),
        embedder="MiniLM with a common direction 1.0",
        score="logits",
        levels=falling((6, 0.9, 0.82), (4, 0.8, 0.74), (10, 0.7, 0.4)),
        policy={"k": 8},
    )
    bulletin = rows(topics["restore"].passages)
    spaced = dataclasses.replace(
        bulletin[1], text=bulletin[1].text.replace(". ", ".\n\n"), source="export/restore-b.txt"
    )
    yield written(
        book,
        "copies-no-vectors",
        COPIES,
        "Two passages each stand twice among five picks, once with other white space.",
        topic="restore",
        listed=[
            bulletin[0],
            *elsewhere(bulletin[0], "export/restore-a.txt"),
            bulletin[1],
            spaced,
            *bulletin[5:10],
        ],
        space=None,
        score="bm25",
        levels=falling((9, 0.9, 0.7), (12, 0.55, 0.2)),
    )
    old = [
        dataclasses.replace(entry, source=f"archive/{entry.source}")
        for entry in (bulletin[0], bulletin[2], bulletin[6])
    ]
    yield written(
        book,
        "copies-two-versions",
        COPIES,
        "The archive holds the same three passages again: three of six picks are repeats.",
        topic="restore",
        listed=[*bulletin, *old],
        space=material.whole,
        embedder="MiniLM",
        score="l2 distance",
        policy={"k": 6},
    )
    yield written(
        book,
        "copies-notices-projected",
        COPIES,
        "Five of six picks are one maintenance notice with another date and name.",
        topic="letters",
        listed=[
            row(topics["delay"].passages[4]),
            *letters(book, 1, 5),
            *rows(topics["restore"].passages[7:10]),
        ],
        fill=9,
        space=material.projected(160, 11),
        embedder="MiniLM projected to 160 dimensions",
        score="rrf",
        levels=falling((18, 1.0, 0.0)),
        policy={"k": 6},
    )
    made = invented(
        "copies-invented-pairs",
        COPIES,
        "Eight picks hold four texts, each found twice by two indexes.",
        relevances=falling((30, 0.7, 0.45)),
        groups=[-1] * 30,
        sources=[f"{'ab'[number % 2]}/file-{number // 2}" for number in range(30)],
        policy={"k": 8},
        score="logits",
    )
    yield dataclasses.replace(made, rows=_paired(made.rows, 5))


def _paired(made: Sequence[Row], pairs: int) -> list[Row]:
    found: list[Row] = list(made)
    for number in range(pairs):
        first = found[2 * number]
        found[2 * number + 1] = dataclasses.replace(
            found[2 * number + 1], text=first.text, vector=first.vector, facets=first.facets
        )
    return found


def without_spans(cut: list[Row]) -> list[Row]:
    """Drop the spans of windows."""
    return [dataclasses.replace(entry, fields={}) for entry in cut]


def overlaps(book: Book) -> Iterator[Planted]:
    """Plant windows that share half of their text."""
    documents = [material.windows(passage) for passage in book.topics["nitrate"].passages]
    plan, county, letter, tracer = documents
    cut = [entry for document in documents for entry in document]
    why = "Neighbouring windows of a document, half of their sentences shared, fill the slots"
    yield written(
        book,
        "overlap-spans-reranked",
        OVERLAP,
        f"{why}: two pairs of two documents.",
        topic="nitrate",
        listed=[*plan[:2], *county[:2], letter[0], *plan[2:], *county[2:], *letter[1:], *tracer],
        score="logits",
        levels=falling((13, 0.95, 0.6), (12, 0.3, 0.1)),
    )
    yield written(
        book,
        "overlap-spans-cosine",
        OVERLAP,
        f"{why}; the spans say so.",
        topic="nitrate",
        listed=cut,
        policy={"k": 6},
        fill=20,
    )
    yield written(
        book,
        "overlap-text-only",
        OVERLAP,
        f"{why}; only the shared text shows it.",
        topic="nitrate",
        listed=without_spans(
            [*county[:2], *letter[:2], tracer[0], *plan, county[2], letter[2], tracer[1]]
        ),
        space=material.projected(96, 5),
        embedder="MiniLM projected to 96 dimensions",
        score="rrf",
        levels=falling((25, 1.0, 0.0)),
    )
    yield written(
        book,
        "overlap-spans-no-vectors",
        OVERLAP,
        f"{why}; spans, and no vectors.",
        topic="nitrate",
        listed=[*county, *plan[3:5], *letter, tracer[0], *plan[:3], tracer[1]],
        space=None,
        score="bm25",
        levels=falling((13, 0.9, 0.5), (12, 0.4, 0.1)),
    )
    yield written(
        book,
        "overlap-text-no-vectors",
        OVERLAP,
        f"{why}: three pairs of three documents, no spans, no vectors.",
        topic="nitrate",
        listed=without_spans([*plan[3:5], *county[1:3], *tracer, *plan[:3], county[0], *letter]),
        space=None,
        score="logits",
        levels=falling((13, 0.9, 0.6), (12, 0.3, 0.1)),
        policy={"k": 6},
    )
    yield written(
        book,
        "overlap-one-document",
        OVERLAP,
        "All four picks are neighbouring windows of one document: overlap is the narrower cause, "
        "though one source holds them all as well.",
        accept=(ONE_SOURCE,),
        topic="nitrate",
        listed=[*plan, *county, *letter, *tracer],
        score="logits",
        levels=falling((13, 0.95, 0.7), (12, 0.3, 0.1)),
        policy={"k": 4},
    )
    yield _invented_windows()


def _invented_windows() -> Planted:
    """Cut windows of six sentences at a stride of three from eight invented documents."""
    rng = np.random.default_rng(71)
    made: list[tuple[Row, float]] = []
    for document in range(8):
        sentences = [material.prose(rng, words=8) for _ in range(21)]
        meanings = rng.normal(size=(21, 40))
        relevance = rng.uniform(0.35, 0.7, size=21)
        for first in range(0, 16, 3):
            text = " ".join(sentences[first : first + 6])
            start = sum(len(sentence) + 1 for sentence in sentences[:first])
            span = {"start_index": str(start), "end_index": str(start + len(text))}
            level = float(np.mean(relevance[first : first + 6])) + 0.25 * (
                first < 4 and document < 4
            )
            own = material.units(meanings[first : first + 6].sum(axis=0))
            vector = np.concatenate(([level], own * np.sqrt(1.0 - level**2)))
            source = f"volume-{document}.txt"
            made.append((Row(text, source, fields=span, vector=material.stored(vector)), level))
    made.sort(key=lambda entry: -entry[1])
    query = np.eye(41)[0]
    ranked = [entry for entry, _ in made]
    vectors = np.array([entry.vector for entry in ranked])
    scores = material.cosine_scores(query, vectors)
    order = np.argsort(-scores, kind="stable")
    return Planted(
        name="overlap-invented",
        expect=OVERLAP,
        why="The picks are the first two windows of four documents, half of their text shared.",
        rows=material.numbered(material.with_scores([ranked[i] for i in order], scores[order])),
        policy={"k": 8},
        query=material.prose(rng, words=8),
        query_vector=query,
        real=False,
        embedder="means of sentence vectors, d 41",
        scores="cosine",
    )


def one_source(book: Book) -> Iterator[Planted]:
    """Plant one document, or session, whose alike passages crowd out close alternatives."""
    topics = book.topics
    pump, trip, refunds = topics["heatpump"], topics["trip"], topics["refunds"]
    inverter = rows(topics["inverter"].passages)
    manual = rows(pump.of("defrost"))
    other = [row(passage) for passage in pump.passages if "defrost" not in passage.facets]
    yield written(
        book,
        "one-source-inverter",
        ONE_SOURCE,
        "Four of five picks are one guide on one cause; two other causes follow closely.",
        topic="inverter",
        listed=inverter,
        facets=("grid", "earth", "heat", "firmware"),
    )
    yield written(
        book,
        "one-source-manual-anisotropic",
        ONE_SOURCE,
        "Five alike passages of one manual; five other sources score nearly as much.",
        topic="heatpump",
        listed=[*manual, *other],
        space=material.anisotropic(1.2),
        embedder="MiniLM with a common direction 1.2",
        score="logits",
        levels=falling((7, 0.9, 0.84), (6, 0.83, 0.76), (12, 0.4, 0.1)),
    )
    yield written(
        book,
        "one-source-manual-no-vectors",
        ONE_SOURCE,
        "All five picks are one manual; the next sources score nearly as much.",
        topic="heatpump",
        listed=[*manual[:6], *other],
        space=None,
        score="bm25",
        levels=falling((6, 0.9, 0.82), (6, 0.81, 0.74), (12, 0.4, 0.1)),
        facets=("defrost", "mount", "fan", "night", "loop"),
    )
    session = [
        Row(passage.text, None, passage.facets, {"session_id": passage.source})
        for passage in (*trip.of("hotel"), *(p for p in trip.passages if "hotel" not in p.facets))
    ]
    yield written(
        book,
        "one-source-session",
        ONE_SOURCE,
        "One session on hotels, which decided nothing, holds every slot; the decisions follow.",
        topic="trip",
        listed=session,
        score="rrf",
        levels=falling((24, 1.0, 0.0)),
        facets=tuple(trip.facets),
        source_field="session_id",
        fill=12,
    )
    fees = rows(
        [passage for passage in refunds.passages if passage.source == "help-centre/refunds"]
    )
    rest = rows(
        [passage for passage in refunds.passages if passage.source != "help-centre/refunds"]
    )
    yield written(
        book,
        "one-source-refunds",
        ONE_SOURCE,
        "Four of four picks are one help page on one reason; three more reasons are just below.",
        topic="refunds",
        listed=[*fees, *rest],
        fill=0,
        space=None,
        score="logits",
        levels=falling((5, 0.85, 0.8), (4, 0.79, 0.74), (1, 0.2, 0.2)),
        facets=tuple(refunds.facets),
        policy={"k": 4},
    )
    yield written(
        book,
        "one-source-refunds-unjudged",
        ONE_SOURCE,
        "Five alike passages of one help page, four sources at their heels, facets unknown.",
        topic="refunds",
        listed=[*fees, *rest],
        space=material.projected(128, 3),
        embedder="MiniLM projected to 128 dimensions",
        score="bm25",
        levels=falling((5, 0.85, 0.8), (4, 0.79, 0.74), (13, 0.3, 0.1)),
    )
    yield written(
        book,
        "one-source-mmr-too-weak",
        ONE_SOURCE,
        "MMR at 0.97 still gives four of five slots to one guide on one cause.",
        topic="inverter",
        listed=inverter,
        score="l2 distance",
        facets=("grid", "earth", "heat", "firmware"),
        policy={"selector": "mmr", "lambda_": 0.97},
    )
    head = [0, 0, 0, 1, 0, 0, 0, 2, 0, 3, 4, 5]
    yield invented(
        "one-source-invented-k8",
        ONE_SOURCE,
        "Six of eight picks are one file and alike; a hundred others fall away gently.",
        relevances=falling((120, 0.72, 0.42)),
        groups=[0 if source == 0 else -1 for source in head] + [-1] * 108,
        sources=[f"doc-{source}" for source in (*head, *(6 + n // 2 for n in range(108)))],
        shared=0.3,
        score="logits",
        policy={"k": 8},
    )
    wide = [0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 4, 0, 5]
    yield invented(
        "one-source-invented-k15",
        ONE_SOURCE,
        "Ten of fifteen picks are one thread and alike; the next threads score as much.",
        relevances=falling((60, 0.66, 0.5)),
        groups=[0 if source == 0 else -1 for source in wide] + [-1] * 45,
        sources=[f"thread-{source}" for source in (*wide, *(6 + n // 2 for n in range(45)))],
        shared=0.35,
        policy={"k": 15},
    )


def meaning(book: Book) -> Iterator[Planted]:
    """Plant many sources that say one thing, with other things close behind."""
    topics = book.topics
    bread, nodes = topics["sourdough"], topics["evictions"]
    starters = rows(bread.of("starter"))
    breads = [row(passage) for passage in bread.passages if "starter" not in passage.facets]
    logs = rows(nodes.of("logs"))
    other = [row(passage) for passage in nodes.passages if "logs" not in passage.facets]
    bread_facets = ("starter", "cold", "over", "flour", "shape")
    yield written(
        book,
        "meaning-sourdough-cosine",
        MEANING,
        "Five threads, all on the weak starter; four other causes are within a hair.",
        topic="sourdough",
        listed=rows(bread.passages),
        facets=bread_facets,
    )
    yield written(
        book,
        "meaning-sourdough-unjudged",
        MEANING,
        "Five alike threads of five sources, other causes just below, facets unknown.",
        topic="sourdough",
        listed=[*starters, *breads],
        space=material.whole,
        embedder="MiniLM",
        score="logits",
        levels=falling((7, 0.9, 0.84), (5, 0.83, 0.78), (12, 0.3, 0.1)),
    )
    yield written(
        book,
        "meaning-evictions",
        MEANING,
        "Five incidents of one cause in five slots; three other causes follow at once.",
        topic="evictions",
        listed=[*logs[:7], *other, logs[7]],
        score="bm25",
        levels=falling((13, 0.9, 0.75), (12, 0.4, 0.1)),
        facets=("logs", "memory", "priority", "images"),
    )
    yield written(
        book,
        "meaning-evictions-capped",
        MEANING,
        "A cap is set and does nothing, since every incident is its own source; one cause fills k.",
        topic="evictions",
        listed=[*logs, *other],
        score="logits",
        levels=falling((8, 0.9, 0.84), (5, 0.83, 0.78), (12, 0.4, 0.1)),
        facets=("logs", "memory", "priority", "images"),
        policy={"selector": "two_pass_cap", "cap": 2, "k": 6},
    )
    yield written(
        book,
        "meaning-sourdough-projected",
        MEANING,
        "Seven alike threads lead a fused list; the other causes stand right behind.",
        topic="sourdough",
        listed=[*starters, *breads],
        space=material.projected(128, 8),
        embedder="MiniLM projected to 128 dimensions",
        score="rrf",
        levels=falling((24, 1.0, 0.0)),
        facets=bread_facets,
    )
    groups = [
        1 if rank in (8, 15, 22, 29) else 2 if rank in (12, 19, 30) else 0 for rank in range(36)
    ]
    yield invented(
        "meaning-invented-below-alarm",
        MEANING,
        "Thirty tickets of one cause, two other causes between them; the mean stays under 0.85.",
        relevances=falling((50, 0.74, 0.68)),
        groups=[*groups, *[-1] * 14],
        sources=[f"TICKET-{number * 7 + 100}" for number in range(50)],
        shared=0.24,
    )
    yield invented(
        "meaning-invented-k10",
        MEANING,
        "Ten picks of ten sources from one group of meaning; five groups follow, gently.",
        relevances=falling((200, 0.6, 0.4)),
        groups=[*[0] * 12, *(1 + number % 5 for number in range(60)), *[-1] * 128],
        sources=[f"https://example.org/{number}" for number in range(200)],
        shared=0.45,
        d=32,
        score="bm25",
        policy={"k": 10},
    )
    yield invented(
        "meaning-invented-low-cosines",
        MEANING,
        "An embedder of low cosines: the picks share 0.5, everything else 0.1, sources differ.",
        relevances=falling((40, 0.34, 0.28)),
        groups=[*[0] * 8, *[-1] * 32],
        sources=[f"memo-{number}" for number in range(40)],
        shared=0.42,
        d=96,
    )
