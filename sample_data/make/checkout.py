"""Write ``sample_data/checkout.json``: thirty reports of one cause, with vectors in closed form.

No model and no randomness: one query axis, one axis a cause, one private axis a report. The texts,
in rank order, are in ``checkout.texts.json``. Run by hand: ``python sample_data/make/checkout.py``.
"""

import json
import math
from typing import Any

from embedding import SAMPLES, write_pool

COUNT = 50
CAUSES = ("c1", "c2", "c3")
SHARED_SQUARED = 0.1531965
RARE = {"c2": (9, 20, 27, 33, 40), "c3": (14, 24, 31, 44)}
UNRELATED = (38, 39, 41, 42, 43, *range(45, COUNT + 1))


def relevance(rank: int) -> float:
    """Cosine of the report at ``rank`` (from 1) to the query."""
    return (800 - (rank - 1)) / 1000


def cause(rank: int) -> str | None:
    """The cause that the report at ``rank`` tells, or ``None`` for an unrelated one."""
    if rank in UNRELATED:
        return None
    return next((name for name, ranks in RARE.items() if rank in ranks), "c1")


def vector(rank: int) -> list[float]:
    """Unit vector of the report at ``rank``: query axis, cause axes, private axes.

    Two reports of one cause have the cosine ``relevance(i) * relevance(j) + SHARED_SQUARED``, any
    other two ``relevance(i) * relevance(j)``. A zero stays an integer, to keep the file short.
    """
    row: list[float] = [0] * (1 + len(CAUSES) + COUNT)
    row[0] = relevance(rank)
    name = cause(rank)
    shared = 0.0
    if name is not None:
        shared = SHARED_SQUARED
        row[1 + CAUSES.index(name)] = math.sqrt(shared)
    row[len(CAUSES) + rank] = math.sqrt(1 - relevance(rank) ** 2 - shared)
    return row


def main() -> None:
    """Join texts and vectors and write the pool.

    Raises:
        ValueError: A report's facets are not those of its rank, or there are not fifty reports.
    """
    path = SAMPLES / "make" / "checkout.texts.json"
    spec: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    passages = spec["passages"]
    if len(passages) != COUNT:
        raise ValueError(f"{len(passages)} reports, wanted {COUNT}")
    candidates = []
    for rank, passage in enumerate(passages, start=1):
        name = cause(rank)
        wanted = [] if name is None else [name]
        if passage["facets"] != wanted:
            raise ValueError(f"rank {rank} is marked {passage['facets']}, wanted {wanted}")
        candidates.append({**passage, "score": relevance(rank), "vector": vector(rank)})
    head = {key: spec[key] for key in ("query_id", "query", "facets")}
    query_vector = [1, *[0] * (len(CAUSES) + COUNT)]
    write_pool("checkout", {**head, "query_vector": query_vector}, candidates)


if __name__ == "__main__":
    main()
