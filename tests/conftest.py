"""What every test may ask for: small pools by keyword, the sample data, the cases of others."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from poolscope import geometry
from poolscope.model import Direction, Facet, Pool, ScoreKind

if TYPE_CHECKING:
    from xdist.scheduler import LoadScopeScheduling

REPO = Path(__file__).resolve().parent.parent

settings.register_profile(
    "anew", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("same", settings.get_profile("anew"), derandomize=True)
settings.load_profile("same")
"""The same examples every time; ``pytest --hypothesis-profile=anew`` draws others. No example has
a deadline: other programs run on the machine too."""

Rows: TypeAlias = Sequence[Sequence[float]] | np.ndarray[Any, Any]

WORDS = (
    "cache", "node", "restart", "probe", "deploy", "memory",
    "pressure", "window", "region", "shift", "quota", "lease",
)  # fmt: skip

FIRST = ("tests/browser/", "tests/ui/")
"""What takes longest is begun first, so that both workers end together."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes longest first; all else keeps its order."""
    items.sort(key=lambda item: [not item.nodeid.startswith(folder) for folder in FIRST])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> "LoadScopeScheduling":  # noqa: ANN401 - py's
    """Give a file to one worker, and all files that drive the browser to the same one.

    Two browsers, servers and layouts at once would take the cores from each other.
    """
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):  # type: ignore[misc]  # its base has no types
        def _split_scope(self, nodeid: str) -> str:
            browser = FIRST[0]
            return browser if nodeid.startswith(browser) else super()._split_scope(nodeid)

    return Scheduling(config, log)


COSINE_KIND = ScoreKind(
    name="cosine", direction=Direction.HIGHER, evidence="built by a test", is_cosine=True
)


def _make_pool(
    n: int | None = None,
    *,
    scores: Sequence[float] | np.ndarray[Any, Any] | None = None,
    vectors: Rows | None = None,
    query_vector: Sequence[float] | None = None,
    sources: Sequence[str | None] | str | None = None,
    tokens: Sequence[int] | int = 10,
    ids: Sequence[str] | None = None,
    fields: Mapping[str, Sequence[str | None]] | None = None,
    score_kind: ScoreKind = COSINE_KIND,
    **rest: Any,  # noqa: ANN401 - whatever else Pool takes
) -> Pool:
    """Build a pool of ``n`` candidates, or of as many as the first given part has.

    Vectors are scaled to unit length; a zero row stays zero. A string of sources gives each
    candidate one letter.
    """
    if n is None:
        n = next(len(part) for part in (scores, vectors, sources, ids) if part is not None)
    rows = None
    if vectors is not None:
        rows = geometry.unit_rows(vectors if len(vectors) else np.empty((0, 3))).rows
    query = None if query_vector is None else geometry.unit_rows([query_vector]).rows[0]
    return Pool(
        query=rest.pop("query", "a question"),
        ids=tuple(ids) if ids is not None else tuple(f"d{rank}" for rank in range(1, n + 1)),
        texts=rest.pop("texts", tuple(f"passage {rank}" for rank in range(1, n + 1))),
        sources=tuple(sources) if sources is not None else ("s",) * n,
        tokens=np.full(n, tokens) if isinstance(tokens, int) else np.array(tokens, dtype=np.intp),
        tokenizer="given by the test",
        raw_scores=None if scores is None else np.array(scores, dtype=np.float64),
        scores=None if scores is None else np.array(scores, dtype=np.float64),
        score_kind=None if scores is None else score_kind,
        vectors=rows,
        query_vector=query,
        fields={name: tuple(values) for name, values in (fields or {}).items()},
        **rest,
    )


def _sample(name: str) -> Pool:
    data = json.loads((REPO / "sample_data" / f"{name}.json").read_text(encoding="utf-8"))
    candidates = data["candidates"]
    facets = tuple(Facet(id_, label) for id_, label in data["facets"].items())
    return _make_pool(
        len(candidates),
        query=data["query"],
        query_id=data["query_id"],
        ids=[row["id"] for row in candidates],
        texts=tuple(row["text"] for row in candidates),
        sources=[row["source"] for row in candidates],
        scores=[row["score"] for row in candidates],
        positions=tuple(row.get("position") for row in candidates),
        vectors=[row["vector"] for row in candidates] if "vector" in candidates[0] else None,
        query_vector=data.get("query_vector"),
        facets=facets,
        judgements=np.array(
            [[int(facet.id in row["facets"]) for facet in facets] for row in candidates],
            dtype=np.int8,
        ),
    )


@pytest.fixture(scope="session")
def make_pool() -> Callable[..., Pool]:
    """Build a small pool; see ``_make_pool`` for the keywords."""
    return _make_pool


@pytest.fixture(scope="session")
def sample() -> Callable[[str], Pool]:
    """Read a pool of ``sample_data`` by name, without the format readers."""
    return _sample


@pytest.fixture(scope="session")
def cases() -> Path:
    """Folder of the cases that nobody here wrote; skips where it is absent."""
    folder = REPO.parent / "shared" / "cases"
    if not folder.is_dir():
        pytest.skip("the shared cases are not beside the repository")
    return folder


@pytest.fixture(scope="session")
def clustered() -> Callable[..., Pool]:
    """Draw a pool as a search gives it: 384-d, a few topics, 500 characters a passage."""

    def draw(n: int, seed: int = 0) -> Pool:
        random = np.random.default_rng(seed)
        centres = random.normal(size=(12, 384))
        of = random.integers(12, size=n)
        rows = 0.6 * centres[of] + random.normal(size=(n, 384))
        question = centres[:4].mean(axis=0) + random.normal(size=384)
        rows += 0.3 * question
        scores = rows @ question / np.linalg.norm(rows, axis=1) / np.linalg.norm(question)
        order = np.argsort(-scores)
        return _make_pool(
            n,
            scores=scores[order],
            vectors=rows[order],
            query_vector=question,
            texts=tuple(" ".join(random.choice(WORDS, size=80)) for _ in range(n)),
            sources=[f"handbook-of-operations-{of[i]:02d}.md" for i in order],
            facets=tuple(Facet(f"f{i}", f"component {i} of the answer") for i in range(6)),
            judgements=random.integers(-1, 2, size=(n, 6)).astype(np.int8),
        )

    return draw
