"""Make ``sample_data/monograph.json``: a product monograph cut with 50 % overlap.

Every section of ``monograph.texts.json`` is prose. This script splits it into sentences and cuts
windows of four sentences at a stride of two, so neighbouring chunks share half of their sentences.
A chunk supports a facet exactly when it holds one of the facet's evidence quotes in full.

Scores are cosines of the vectors as written (five decimals), so whoever recomputes them gets the
same numbers.
"""

import json
import re
from typing import Any

import numpy as np
from embedding import SAMPLES, embed, rounded, write_pool

NAME = "monograph"
WINDOW = 4
STRIDE = 2
SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z0-9])")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Find the sentences of a text as ``(start, end)`` character offsets."""
    ends = [match.start() for match in SENTENCE_END.finditer(text)]
    starts = [match.end() for match in SENTENCE_END.finditer(text)]
    return list(zip([0, *starts], [*ends, len(text)], strict=True))


def windows(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Cut windows of ``WINDOW`` sentences at ``STRIDE``; the last one ends with the text."""
    cut = []
    for first in range(0, max(len(spans) - STRIDE, 1), STRIDE):
        last = min(first + WINDOW, len(spans)) - 1
        cut.append((spans[first][0], spans[last][1]))
    return cut


def chunk_document(
    document: dict[str, Any], evidence: dict[str, list[str]]
) -> list[dict[str, Any]]:
    """Cut one document into overlapping chunks.

    Args:
        document: ``source``, ``prefix`` (of the chunk ids), ``title`` and ``sections``.
        evidence: Facet id to the quotes that support it.

    Returns:
        One passage a chunk. ``start`` and ``end`` are character offsets in the whole document,
        its title and headings included; ``position`` is the chunk's index in the document.
    """
    whole = f"# {document['title']}\n"
    chunks: list[dict[str, Any]] = []
    for section in document["sections"]:
        whole += f"\n## {section['section']}\n\n"
        offset = len(whole)
        whole += section["text"] + "\n"
        for start, end in windows(sentence_spans(section["text"])):
            text = section["text"][start:end]
            supported = [key for key, quotes in evidence.items() if any(q in text for q in quotes)]
            chunks.append(
                {
                    "id": f"{document['prefix']}-{len(chunks):02d}",
                    "source": document["source"],
                    "position": len(chunks),
                    "text": text,
                    "facets": supported,
                    "section": section["section"],
                    "start": offset + start,
                    "end": offset + end,
                }
            )
    for chunk in chunks:
        if whole[chunk["start"] : chunk["end"]] != chunk["text"]:
            raise ValueError(f"offsets of {chunk['id']} do not give its text")
    return chunks


def main() -> None:
    """Chunk, embed, rank by cosine to the question and write the pool."""
    path = SAMPLES / "make" / f"{NAME}.texts.json"
    spec = json.loads(path.read_text(encoding="utf-8"))
    evidence: dict[str, list[str]] = spec["evidence"]
    passages = [c for document in spec["documents"] for c in chunk_document(document, evidence)]
    for quote in (quote for quotes in evidence.values() for quote in quotes):
        if not any(quote in passage["text"] for passage in passages):
            raise ValueError(f"no chunk holds the evidence {quote!r}")
    rows = rounded(embed([spec["query"], *(passage["text"] for passage in passages)]))
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    scores = unit[1:] @ unit[0]
    candidates = [
        {**passages[i], "score": round(float(scores[i]), 6), "vector": rows[1 + i]}
        for i in np.argsort(-scores, kind="stable")
    ]
    head = {key: spec[key] for key in ("query_id", "query", "facets")}
    write_pool(NAME, {**head, "query_vector": rows[0]}, candidates)


if __name__ == "__main__":
    main()
