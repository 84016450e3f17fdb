"""Make ``sample_data/agent-memory.json``: memories of an assistant, found by three retrieval arms.

The arms rank the same memories: ``semantic`` by cosine of MiniLM vectors, ``keyword`` by BM25 and
``graph`` by shared named entities. Their lists are cut to a depth and fused by reciprocal rank, so
the pool's score is not on the cosine scale. Equal fused scores keep the order of the store.
"""

import json
import math
import re
from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
from embedding import SAMPLES, embed, rounded, write_pool

TEXTS = "agent_memory"
NAME = "agent-memory"
ARM_DEPTH = 40
RRF_K = 60
BM25_K1 = 1.2
BM25_B = 0.75
SCORE_DECIMALS = 8
PRIORITIES = {
    "preferences": 0,
    "skills": 1,
    "entities": 1,
    "experiences": 2,
    "resources": 2,
    "events": 3,
}
"""What is given up first where the context is too small: the largest number; 0 is never."""

STOP_WORDS = (
    "a about an and are as at be by did do for from has have he her his how in is it its no not of "
    "on or she so than that the their they this to until was we were what when which while who "
    "whether will with would"
)


def tokens(text: str) -> list[str]:
    """Split a text into lower-case words and numbers, stop words left out."""
    stop_words = set(STOP_WORDS.split())
    return [word for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in stop_words]


def bm25(query: str, texts: list[str]) -> npt.NDArray[np.float64]:
    """Score texts against a query with Okapi BM25 (no stemming)."""
    bags = [Counter(tokens(text)) for text in texts]
    lengths = [bag.total() for bag in bags]
    mean_length = sum(lengths) / len(lengths)
    scores = np.zeros(len(texts))
    for term in sorted(set(tokens(query))):
        holders = sum(term in bag for bag in bags)
        weight = math.log(1 + (len(bags) - holders + 0.5) / (holders + 0.5))
        for i, bag in enumerate(bags):
            norm = BM25_K1 * (1 - BM25_B + BM25_B * lengths[i] / mean_length)
            scores[i] += weight * bag[term] * (BM25_K1 + 1) / (bag[term] + norm)
    return scores


def entities_in(text: str, aliases: dict[str, list[str]]) -> set[str]:
    """Name the entities of which a text holds an alias as whole words, in any case."""
    lowered = text.lower()
    return {
        name
        for name, forms in aliases.items()
        if any(re.search(rf"\b{re.escape(form)}\b", lowered) for form in forms)
    }


def graph_scores(
    query: str, texts: list[str], aliases: dict[str, list[str]]
) -> npt.NDArray[np.float64]:
    """Score texts by the entities they share with the query, directly or one step away.

    A text gets 1 for each entity of the query. For each other entity it gets the share of the
    texts naming a query entity that name this one too, so what is often mentioned together with
    the query's entities pulls its own memories in.
    """
    wanted = entities_in(query, aliases)
    named = [entities_in(text, aliases) for text in texts]
    direct = [names for names in named if names & wanted]
    together = Counter(name for names in direct for name in sorted(names - wanted))
    weights = {name: count / len(direct) for name, count in together.items()}
    return np.array(
        [
            len(names & wanted) + sum(weights.get(name, 0.0) for name in sorted(names - wanted))
            for names in named
        ]
    )


def arm_list(scores: npt.NDArray[np.float64]) -> dict[int, int]:
    """Rank an arm's hits: row to rank, from 1, positive scores only, cut to ``ARM_DEPTH``.

    Equal scores keep the order of the store (oldest memory first).
    """
    order = np.argsort(-scores, kind="stable")[:ARM_DEPTH]
    return {int(row): rank for rank, row in enumerate(order, start=1) if scores[row] > 0}


def main() -> None:
    """Run the arms, fuse their lists and write the pool."""
    path = SAMPLES / "make" / f"{TEXTS}.texts.json"
    spec = json.loads(path.read_text(encoding="utf-8"))
    memories: list[dict[str, Any]] = [
        {
            "id": f"{session['source'].removeprefix('session-')}-m{position:02d}",
            "source": session["source"],
            "position": position,
            "text": memory["text"],
            "facets": memory["facets"],
            "category": memory["category"],
            "session": session["source"].removeprefix("session-"),
            "priority": PRIORITIES[memory["category"]],
        }
        for session in spec["sessions"]
        for position, memory in enumerate(session["memories"])
    ]
    texts = [memory["text"] for memory in memories]
    rows = rounded(embed([spec["query"], *texts]))
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    arms = {
        "semantic": arm_list(unit[1:] @ unit[0]),
        "keyword": arm_list(bm25(spec["query"], texts)),
        "graph": arm_list(graph_scores(spec["query"], texts, spec["entities"])),
    }
    candidates = []
    for i, memory in enumerate(memories):
        arm_ranks = {arm: found[i] for arm, found in arms.items() if i in found}
        if not arm_ranks:
            continue
        candidates.append(
            {
                **memory,
                "arm": min(arm_ranks, key=lambda arm: arm_ranks[arm]),
                "arm_ranks": arm_ranks,
                "score": round(sum(1 / (RRF_K + r) for r in arm_ranks.values()), SCORE_DECIMALS),
                "vector": rows[1 + i],
            }
        )
    candidates.sort(key=lambda candidate: -candidate["score"])
    head = {key: spec[key] for key in ("query_id", "query", "facets")}
    write_pool(NAME, {**head, "query_vector": rows[0]}, candidates)


if __name__ == "__main__":
    main()
