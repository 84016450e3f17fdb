"""A factory that fills a Selection without the selection layer, and the shared reference cases."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from poolscope import geometry
from poolscope.model import (
    OPEN,
    PICKED,
    Direction,
    Facet,
    Policy,
    Pool,
    Rule,
    ScoreKind,
    Selection,
)


def build(
    n: int,
    picks: Sequence[int] = (),
    *,
    k: int | None = None,
    depth: int | None = None,
    relevances: Sequence[float] | None = None,
    raw_scores: Sequence[float] | None = None,
    vectors: npt.ArrayLike | None = None,
    has_vector: Sequence[bool] | None = None,
    sources: Sequence[str | None] | None = None,
    tokens: Sequence[int] | None = None,
    positions: Sequence[int | None] = (),
    spans: Sequence[tuple[int, int] | None] = (),
    judgements: npt.ArrayLike | None = None,
) -> Selection:
    """Select ``picks`` from a pool of ``n``; relevance falls with rank unless given."""
    marks = None if judgements is None else np.array(judgements, dtype=np.int8)
    facets = 0 if marks is None else marks.shape[1]
    used = np.array(
        1.0 - np.arange(n) / max(n, 1) if relevances is None else relevances, dtype=np.float64
    )
    rows = None if vectors is None else geometry.unit_rows(vectors).rows.copy()
    mask = None if has_vector is None or rows is None else np.array(has_vector, dtype=np.bool_)
    if rows is not None and mask is not None:
        rows[~mask] = 0.0
    scores = None if raw_scores is None else np.array(raw_scores, dtype=np.float64)
    kind = None if scores is None else ScoreKind("score", Direction.HIGHER, "made for a test")
    pool = Pool(
        query="",
        ids=tuple(f"p{index}" for index in range(n)),
        texts=("",) * n,
        sources=tuple(sources) if sources is not None else ("s",) * n,
        tokens=np.array(tokens if tokens is not None else [1] * n, dtype=np.intp),
        tokenizer="test",
        raw_scores=scores,
        scores=scores,
        score_kind=kind,
        vectors=rows,
        has_vector=mask,
        positions=tuple(positions),
        spans=tuple(spans),
        facets=tuple(Facet(f"f{column}", f"facet {column}") for column in range(facets)),
        judgements=marks,
    )
    indices = np.array(picks, dtype=np.intp)
    causes = np.full(n, OPEN, dtype=np.int8)
    causes[indices] = PICKED
    return Selection(
        pool=pool,
        policy=Policy(k=len(picks) if k is None else k, depth=depth),
        indices=indices,
        rules=(Rule.RELEVANCE,) * len(picks),
        relevances=used,
        weighed=used,
        redundancies=np.full(len(picks), np.nan),
        blockers=np.full(len(picks), -1, dtype=np.intp),
        runners_up=np.full(len(picks), -1, dtype=np.intp),
        margins=np.full(len(picks), np.nan),
        causes=causes,
        limits=np.full(n, np.nan),
    )


@pytest.fixture(scope="session")
def selection_of() -> Callable[..., Selection]:
    return build


@pytest.fixture(scope="session")
def cases() -> Path:
    for folder in Path(__file__).resolve().parents:
        found = folder / "shared" / "cases"
        if found.is_dir():
            return found
    pytest.skip("the reference cases (../shared/cases beside the repository) are not here")
