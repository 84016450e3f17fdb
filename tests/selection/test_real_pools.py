"""Real questions with annotated facets, against an independent computation in double precision."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

from poolscope.model import Policy, Pool, Relevance
from poolscope.selection import select

MakePool: TypeAlias = Callable[..., Pool]

COLUMNS: list[dict[str, object]] = [
    {"selector": "top_k"},
    {"selector": "grouped_cap", "cap": 2},
    {"selector": "two_pass_cap", "cap": 2},
    *({"selector": "mmr", "lambda_": lambda_} for lambda_ in (0.9, 0.8, 0.6, 0.4, 0.2)),
]
"""The settings of the columns below, k = 5 over the whole pool, relevance = cosine."""

PUBLISHED = {
    # coverage, mean relevance, distinct sources, mean pairwise cosine: the notice of the cases
    "argkp_topic_stance": """
        .491 .892 5.00 .901 | .491 .892 5.00 .901 | .491 .892 5.00 .901 | .491 .892 5.00 .899
        | .514 .891 5.00 .891 | .522 .873 5.00 .834 | .604 .467 5.00 .291 | .545 .414 5.00 .268""",
    "quotesum_dev": """
        .776 .562 2.96 .498 | .763 .547 3.33 .455 | .777 .492 5.00 .341 | .799 .560 3.22 .480
        | .801 .557 3.38 .456 | .701 .489 4.40 .293 | .333 .310 5.00 .068 | .325 .280 4.96 .045""",
    "qmsum_spans_overlap50": """
        .469 .443 2.16 .544 | .459 .422 3.12 .489 | .411 .378 4.74 .435 | .461 .442 2.35 .518
        | .449 .436 2.58 .480 | .430 .390 3.15 .351 | .393 .296 3.51 .219 | .365 .253 3.51 .196""",
}


def pools(make_pool: MakePool, folder: Path, name: str) -> list[tuple[Pool, list[set[str]], int]]:
    """Each question's pool, the facets of each candidate, and how many facets there are."""
    queries = np.load(folder / f"{name}.queries.npz")
    vector_of = dict(zip(queries["ids"].tolist(), queries["vectors"], strict=True))
    vectors = np.load(folder / f"{name}.npz")
    read = []
    for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        record: dict[str, Any] = json.loads(line)
        rows = record["candidates"]
        pool = make_pool(
            len(rows),
            sources=[row["source"] for row in rows],
            vectors=vectors[record["query_id"]].astype(np.float64),
            query_vector=vector_of[record["query_id"]].astype(np.float64),
        )
        read.append((pool, [set(row["facets"]) for row in rows], len(record["facets"])))
    return read


def figures(pool: Pool, facets: list[set[str]], count: int, policy: Policy) -> list[float]:
    picks = select(pool, policy).indices
    assert pool.vectors is not None
    assert pool.query_vector is not None
    rows = pool.vectors[picks]
    return [
        len(set().union(*(facets[index] for index in picks))) / count,
        float((rows @ pool.query_vector).mean()),
        len({pool.sources[index] for index in picks}),
        float((rows @ rows.T)[np.triu_indices(len(picks), 1)].mean()),
    ]


@pytest.mark.parametrize("name", list(PUBLISHED))
def test_the_published_averages(make_pool: MakePool, cases: Path, name: str) -> None:
    read = pools(make_pool, cases / "pools", name)
    for settings, cell in zip(COLUMNS, PUBLISHED[name].split("|"), strict=True):
        policy = Policy(k=5, relevance=Relevance.COSINE).changed(**settings)
        averages = np.mean([figures(*entry, policy) for entry in read], axis=0)
        wanted = [float(figure) for figure in cell.split()]
        # Printed to three decimals, the sources to two; a tie at the fourth may round either way.
        assert (np.abs(averages - wanted) <= [6e-4, 6e-4, 6e-3, 6e-4]).all(), settings
