"""Files that nobody here wrote: the flat samples and the real pools beside the repository."""

import io
import json
from pathlib import Path

import numpy as np
import pytest

from poolscope import formats
from poolscope.errors import FormatError
from poolscope.geometry import Floats
from poolscope.model import Direction

REPO = Path(__file__).resolve().parent.parent.parent
CASES = REPO.parent / "shared" / "cases"

pytestmark = pytest.mark.skipif(
    not CASES.is_dir(), reason="the shared cases are not beside this repository"
)

TEXTS = {
    "refunds-0": "Refunds are issued within 14 days of purchase to the original card.",
    "refunds-1": "Refunds are issued within 14 days of the purchase to the original card.",
    "refunds-2": "To ask for a refund, open the order and choose Refund.",
    "refunds-3": "A refund for a gift goes back to the person who paid.",
    "billing-0": (
        "Invoices are sent on the first day of the month; credits appear as negative lines."
    ),
    "chat-17": "user: can I cancel after the trial? agent: yes, and the charge is reversed.",
}
SOURCES = {
    **dict.fromkeys(("refunds-0", "refunds-1", "refunds-2", "refunds-3"), "docs/refunds.md"),
    "billing-0": "docs/billing.pdf",
    "chat-17": "session-42",
}
RANKED = ("refunds-0", "refunds-1", "refunds-3", "refunds-2", "billing-0", "chat-17")
SCORES = (0.942982018, 0.9411528707, 0.9363496304, 0.892952323, 0.5811343193, 0.377204299)
FLAT = ("csv", "parquet", "columns.json", "records.jsonl")


def _beside(**files: bytes) -> formats.Beside:
    return formats.Beside(
        **{role: formats.File(data, f"{role}.npz") for role, data in files.items()}
    )


def _flat(ending: str) -> Path:
    return next((CASES / "formats").glob(f"flat_pandas*{ending}"))


def _embeddings() -> Floats:
    rows: Floats = np.load(CASES / "formats" / "flat_embeddings.npy").astype(np.float64)
    return np.asarray(rows / np.linalg.norm(rows, axis=1)[:, None])


def _check(loaded: formats.Loaded, order: tuple[str, ...]) -> None:
    pool = loaded.pool
    assert pool.ids == order
    assert pool.texts == tuple(TEXTS[name] for name in order)
    assert pool.sources == tuple(SOURCES[name] for name in order)
    scores = dict(zip(RANKED, SCORES, strict=True))
    assert pool.raw_scores == pytest.approx([scores[name] for name in order], abs=1e-6)
    rows = dict(zip(TEXTS, _embeddings(), strict=True))
    assert pool.vectors == pytest.approx(np.stack([rows[name] for name in order]), abs=1e-6)
    assert loaded.report.set_aside == ()
    assert loaded.report.copies.near == 1


@pytest.mark.parametrize("ending", FLAT)
def test_flat_samples_read_to_the_known_pool(ending: str) -> None:
    path = _flat(ending)
    loaded = formats.read(path.read_bytes(), path.name).question()
    _check(loaded, RANKED)
    assert loaded.pool.query == "How do I get a refund?"
    assert loaded.pool.query_id == "q1"
    assert loaded.pool.fields["arm"] == ("dense",) * 6
    assert loaded.pool.tokens.tolist() == [12, 13, 12, 11, 15, 14]
    assert loaded.report.score_kind is not None
    assert loaded.report.score_kind.direction is Direction.HIGHER


def test_npz_with_object_texts_is_refused_and_reads_when_saved_as_text() -> None:
    path = CASES / "formats" / "flat.npz"
    with pytest.raises(FormatError, match="Save texts as unicode arrays"):
        formats.read(path.read_bytes(), path.name)
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files if name != "texts"}
    stream = io.BytesIO()
    np.savez(stream, **arrays, texts=np.array(list(TEXTS.values())))
    loaded = formats.read(stream.getvalue(), path.name).question()
    _check(loaded, tuple(TEXTS))
    kind = loaded.report.score_kind
    assert kind is not None
    assert (kind.name, kind.direction) == ("cosine", Direction.ORDER)


def test_lone_array_is_joined_beside_its_pool() -> None:
    path = _flat("csv")
    rows = np.load(CASES / "formats" / "flat_embeddings.npy")
    stream = io.BytesIO()
    np.savez(stream, ids=np.array(list(TEXTS)), vectors=rows)
    load = formats.read(path.read_bytes(), path.name, beside=_beside(vectors=stream.getvalue()))
    _check(load.question(), RANKED)


@pytest.mark.parametrize(
    "path", sorted((CASES / "pools").glob("*.jsonl")), ids=lambda path: path.stem
)
def test_real_pools_load_with_facets_and_vectors(path: Path) -> None:
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    load = formats.read(
        path.read_bytes(),
        path.name,
        beside=_beside(
            vectors=path.with_suffix(".npz").read_bytes(),
            query_vectors=path.with_suffix(".queries.npz").read_bytes(),
        ),
    )
    assert len(load) == len(lines)
    for line, loaded in zip(lines, load.questions(), strict=True):
        pool, report = loaded.pool, loaded.report
        assert pool.query_id == line["query_id"]
        assert pool.ids == tuple(row["id"] for row in line["candidates"])
        assert [facet.id for facet in pool.facets] == list(line["facets"])
        assert report.judged == len(pool)
        assert pool.candidate(0).supports == tuple(line["candidates"][0]["facets"])
        assert report.vectors is not None
        assert (report.vectors.dimension, report.vectors.missing) == (384, 0)
        assert report.score_kind is not None
        assert report.score_kind.name == "cosine"
        assert report.score_kind.direction is Direction.HIGHER


@pytest.mark.parametrize(
    "path", sorted((REPO / "sample_data").glob("*.json")), ids=lambda p: p.stem
)
def test_sample_data_loads_whole(path: Path) -> None:
    load = formats.read(path.read_bytes(), path.name)
    for loaded in load.questions():
        assert loaded.report.set_aside == ()
        assert loaded.report.warnings == ()
        assert loaded.pool.score_kind is not None
        assert loaded.pool.score_kind.direction is Direction.HIGHER
