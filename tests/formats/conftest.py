"""The pool behind the shared samples of formats, and the one check that a file reads to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from poolscope import formats
from poolscope.geometry import Floats

CASES = Path(__file__).resolve().parent.parent.parent.parent / "shared" / "cases" / "formats"

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
"""By cosine to the question, best first."""
COSINES = (0.942982018, 0.9411528707, 0.9363496304, 0.892952323, 0.5811343193, 0.377204299)


@dataclass(frozen=True)
class Known:
    """The pool behind the samples."""

    ranked: tuple[str, ...] = RANKED
    query: str = "How do I get a refund?"

    def loads(self, name: str, beside: formats.Beside | None = None) -> formats.Load:
        """Read a sample by its name; skip where the shared cases are not beside the repository."""
        file = self.file(name)
        return formats.read(file.data, file.name, beside=beside or formats.Beside())

    def file(self, name: str) -> formats.File:
        """Return a sample as a file; skip where the shared cases are not beside the repository."""
        path = CASES / name
        if not path.is_file():
            pytest.skip("the shared cases are not beside this repository")
        return formats.File(path.read_bytes(), path.name)

    def vectors(self) -> dict[str, Floats]:
        """Unit rows by id."""
        rows = np.load(CASES / "flat_embeddings.npy").astype(np.float64)
        return dict(zip(TEXTS, rows / np.linalg.norm(rows, axis=1)[:, None], strict=True))

    def cosines(self, order: Sequence[str]) -> list[float]:
        """The cosine to the question of each candidate, in an order."""
        found = dict(zip(RANKED, COSINES, strict=True))
        return [found[name] for name in order]

    def check(
        self,
        loaded: formats.Loaded,
        order: Sequence[str] = RANKED,
        *,
        ids: Sequence[str] | None = (),
        sources: Sequence[str | None] | None = (),
        scores: Sequence[float] | None = None,
        vectors: bool = False,
        query: str | None = None,
    ) -> None:
        """Assert that a file was read to the known pool.

        Args:
            loaded: What was read.
            order: Names of the known passages, in the file's order.
            ids: What the ids are; ``()`` for the known names, ``None`` where the file has none.
            sources: What the sources are; ``()`` for the known ones, ``None`` for none at all.
            scores: The raw scores to 1e-6; ``None`` where the file has none.
            vectors: Whether the file carries the vectors.
            query: The question; ``None`` for the known one, empty where the file has none.
        """
        pool = loaded.pool
        assert pool.texts == tuple(TEXTS[name] for name in order)
        if ids is not None:
            assert pool.ids == tuple(ids or order)
        expected = tuple(SOURCES[name] for name in order) if sources == () else sources
        assert pool.sources == ((None,) * len(order) if expected is None else tuple(expected))
        if scores is None:
            assert pool.raw_scores is None
        else:
            assert pool.raw_scores == pytest.approx(list(scores), abs=1e-6)
        if vectors:
            rows = self.vectors()
            assert pool.vectors == pytest.approx(np.stack([rows[name] for name in order]), abs=1e-6)
        else:
            assert pool.vectors is None
        assert pool.query == (self.query if query is None else query)
        assert loaded.report.set_aside == ()


@pytest.fixture
def known() -> Known:
    return Known()
