"""Make ``sample_data/help-centre.json``: a golden set of 34 questions in two strata.

The questions share the passages of a help centre, as questions of one index do; each pool is the
24 nearest of them. Facts were written into the passages first, some of them more than once, as
help centres repeat themselves, and two older versions of the terms lie beside the last; the
questions then asked for facts. Nothing was tuned for a rule to win. MiniLM's 384 dimensions are
turned to their 48 main ones to keep the file small.
"""

import json
from typing import Any

import numpy as np
from embedding import SAMPLES, embed

NAME, TEXTS = "help-centre", "help_centre"
DEPTH, DIMENSIONS, DECIMALS = 24, 48, 4


def main() -> None:
    """Embed, rank and write."""
    spec = json.loads((SAMPLES / "make" / f"{TEXTS}.texts.json").read_text(encoding="utf-8"))
    passages = [
        {"id": f"{source}-{position + 1}", "source": source, "position": position, "text": text,
         "facts": facts}
        for source, listed in spec["documents"].items()
        for position, (text, facts) in enumerate(listed)
    ]  # fmt: skip
    asked = spec["questions"]
    rows = embed([*(item["text"] for item in passages), *(query for _, query, _ in asked)])
    main_axes = np.linalg.svd(rows, full_matrices=False)[2][:DIMENSIONS]
    rows = np.round(rows @ main_axes.T, DECIMALS)
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    count = len(passages)
    questions = []
    for number, (name, query, facets) in enumerate(asked):
        scores = units[:count] @ units[count + number]
        best = np.argsort(-scores, kind="stable")[:DEPTH]
        candidates: list[dict[str, Any]] = [
            {
                **{key: passages[i][key] for key in ("id", "source", "position", "text")},
                "facets": [fact for fact in passages[i]["facts"] if fact in facets],
                "score": round(float(scores[i]), 6),
                "vector": rows[i].tolist(),
            }
            for i in best
        ]
        questions.append(
            {
                "query_id": name,
                "query": query,
                "facets": {fact: spec["labels"][fact] for fact in facets},
                "query_vector": rows[count + number].tolist(),
                "candidates": candidates,
            }
        )
    lines = ",\n".join(json.dumps(item, ensure_ascii=False) for item in questions)
    text = f'{{"questions": [\n{lines}\n]}}\n'
    (SAMPLES / f"{NAME}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
