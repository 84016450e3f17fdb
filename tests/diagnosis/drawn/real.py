"""Real questions with real vectors, left as they are or spoilt in one way.

They are read from a folder beside the repository and skip where it is absent.
"""

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from poolscope import formats
from poolscope.geometry import Floats, unit_rows
from poolscope.model import SUPPORTS, Direction, MissingVector, Policy, Pool, Scaling, ScoreKind
from tests.diagnosis.drawn.pool import Drawn

T = TypeVar("T")
LOGIT = ScoreKind("reranker logit", Direction.HIGHER, "written by a draw", is_cosine=False)


def _file(path: Path) -> formats.File:
    return formats.File(path.read_bytes(), path.name)


def questions(folder: Path, name: str) -> list[Pool]:
    """Read a set."""
    load = formats.read(
        (folder / f"{name}.jsonl").read_bytes(),
        f"{name}.jsonl",
        beside=formats.Beside(
            vectors=_file(folder / f"{name}.npz"),
            query_vectors=_file(folder / f"{name}.queries.npz"),
        ),
    )
    return [question.pool for question in load.questions()]


def taken(pool: Pool, rows: list[int], **changes: object) -> Pool:
    """Keep some rows of a pool, in a given order, hiding its facets unless they are given."""

    def kept(values: Sequence[T]) -> tuple[T, ...]:
        return tuple(values[row] for row in rows)

    parts: dict[str, object] = {
        "ids": tuple(f"{pool.ids[row]}~{at}" for at, row in enumerate(rows)),
        "texts": kept(pool.texts),
        "sources": kept(pool.sources),
        "tokens": pool.tokens[rows],
        "raw_scores": None if pool.raw_scores is None else pool.raw_scores[rows],
        "scores": None if pool.scores is None else pool.scores[rows],
        "vectors": None if pool.vectors is None else pool.vectors[rows],
        "has_vector": None if pool.has_vector is None else pool.has_vector[rows],
        "positions": kept(pool.positions),
        "spans": kept(pool.spans),
        "fields": {name: kept(values) for name, values in pool.fields.items()},
        "judgements": None if pool.judgements is None else pool.judgements[rows],
    }
    return dataclasses.replace(pool, **{**parts, **changes})  # type: ignore[arg-type]


def hidden(pool: Pool) -> Pool:
    """Hide what is annotated."""
    return dataclasses.replace(pool, facets=(), judgements=None)


def draw(folder: Path, rng: np.random.Generator) -> Iterator[Drawn]:
    """Draw real pools; those of windows are thinned until no two share text."""
    quotes = [pool for pool in questions(folder, "quotesum_dev") if len(pool) >= 20]
    order = rng.permutation(len(quotes))
    apart = [_apart(quotes[int(at)]) for at in order]
    apart = [pool for pool in apart if len(pool) >= 14]
    for number, pool in enumerate(apart[:4]):
        yield _drawn("copied", number, "exact or near copies", _copied(pool, rng), Policy())
        yield _drawn(
            "unlooked",
            number,
            "vectors missing",
            _blank(pool, rng),
            Policy(selector="mmr", lambda_=0.9, missing_vector=MissingVector.LEAVE_OUT),
        )
        yield _drawn(
            "unscaled",
            number,
            "scores on another scale",
            _rescored(pool),
            Policy(selector="mmr", lambda_=0.6, scaling=Scaling.NONE),
        )
        yield _drawn(
            "scattered",
            number,
            "over-diversified",
            hidden(pool),
            Policy(selector="mmr", lambda_=0.1),
        )
    yield from _known(apart)


def _known(pools: list[Pool]) -> Iterator[Drawn]:
    """Pools whose facets settle the verdict."""
    met = {"full": 0, "deep": 0, "gone": 0}
    for pool in pools:
        supports = pool.marks == SUPPORTS
        first = [int(column.argmax()) if column.any() else -1 for column in supports.T]
        if min(first) < 0 or len(first) < 2:
            continue
        if max(first) < 5 and met["full"] < 6:
            met["full"] += 1
            yield _drawn("full", met["full"], "healthy", pool, Policy(), "single-source question")
            left = [row for row in range(len(pool)) if not supports[row, 0]]
            if (
                len(left) >= 12
                and max(int(supports[left, at].argmax()) for at in range(1, len(first))) < 5
                and met["gone"] < 4
            ):
                met["gone"] += 1
                yield _drawn("gone", met["gone"], "pool shortage", taken(pool, left), Policy())
        if max(first) >= 9 and met["deep"] < 4:
            met["deep"] += 1
            yield _drawn(
                "deep",
                met["deep"],
                "pool too shallow",
                pool,
                Policy(k=4, depth=max(first) - 1),
            )


def _drawn(way: str, number: int, expect: str, pool: Pool, policy: Policy, *also: str) -> Drawn:
    return Drawn(
        name=f"real-{way}-{number}",
        accept=(expect, *also),
        alarm=expect != "healthy",
        pool=pool,
        policy=policy,
        why=f"real passages, {way}: {pool.query}",
    )


def _apart(pool: Pool) -> Pool:
    """Leave out every passage that shares eight words in a row with a better one."""
    seen: set[tuple[str, ...]] = set()
    rows = []
    for row, text in enumerate(pool.texts):
        words = text.lower().split()
        runs = {tuple(words[at : at + 8]) for at in range(len(words) - 7)}
        if not runs & seen:
            rows.append(row)
            seen |= runs
    return taken(pool, rows)


def _copied(pool: Pool, rng: np.random.Generator) -> Pool:
    """Let the third and the fifth slot repeat the first: another source, hardly another vector."""
    rows = [0, 1, 0, 2, 0, *range(3, len(pool))]
    assert pool.vectors is not None
    assert pool.scores is not None
    noise = rng.normal(size=pool.vectors.shape[1]) * 0.004
    vectors: Floats = pool.vectors[rows].copy()
    vectors[2], vectors[4] = vectors[2] + noise, vectors[4] - noise
    scores = np.minimum.accumulate(pool.scores[rows])
    scores[[1, 2, 3, 4]] = np.linspace(scores[0], pool.scores[3], 6)[1:5]
    sources = [pool.sources[row] for row in rows]
    sources[2], sources[4] = "mirror one", "mirror two"
    return taken(
        hidden(pool),
        rows,
        vectors=unit_rows(vectors).rows,
        scores=scores,
        raw_scores=scores,
        sources=tuple(sources),
    )


def _blank(pool: Pool, rng: np.random.Generator) -> Pool:
    n = len(pool)
    assert pool.vectors is not None
    has = np.ones(n, dtype=np.bool_)
    has[rng.choice(n, size=n // 3, replace=False)] = False
    vectors = np.where(has[:, None], pool.vectors, 0.0)
    return dataclasses.replace(hidden(pool), vectors=vectors, has_vector=has)


def _rescored(pool: Pool) -> Pool:
    assert pool.scores is not None
    scores = 12.0 * pool.scores - 5.0
    return dataclasses.replace(hidden(pool), scores=scores, raw_scores=scores, score_kind=LOGIT)
