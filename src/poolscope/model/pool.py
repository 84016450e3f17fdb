"""A pool: all candidates of one question, in rank order.

Shapes are written in ``n`` (candidates), ``d`` (dimensions) and ``m`` (facets).
"""

import dataclasses
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from poolscope import geometry
from poolscope.counts import counted
from poolscope.errors import PolicyError, PoolError
from poolscope.geometry import Bools, Floats, Ints

SUPPORTS, DOES_NOT, UNJUDGED = 1, 0, -1
"""What ``Pool.judgements`` holds for a passage and a facet."""

UNIT_LENGTH_SLACK = 1e-6


class Direction(StrEnum):
    """Which end of a score is the better one, as the file carried it."""

    HIGHER = "higher is better"
    LOWER = "lower is better"
    ORDER = "the order is authoritative"


@dataclass(frozen=True, slots=True)
class ScoreKind:
    """What a score measures and how that is known.

    Args:
        name: The measure in words: ``cosine``, ``L2 distance``, ``reranker or fused score``.
        direction: Which end is better in the raw values.
        evidence: Why this reading holds: one sentence for the screen.
        conversion: How ``Pool.scores`` follows from the raw values, ``as loaded`` or a formula.
        is_cosine: Whether the converted score lies on the scale of the vectors' cosine.
    """

    name: str
    direction: Direction
    evidence: str
    conversion: str = "as loaded"
    is_cosine: bool = False


class Stratum(StrEnum):
    """What a full answer is made of; the two kinds of question are reported apart."""

    SEVERAL = "several components"
    ONE = "one true answer"


@dataclass(frozen=True, slots=True)
class Facet:
    """One distinct component of a full answer."""

    id: str
    label: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One retrieved passage: a view of a pool's row.

    Args:
        rank: Place in the pool, from 1.
        source: What it belongs to; ``None`` where the file does not say.
        raw_score: As the file carried it; ``None`` without one.
        position: Place in its document; ``None`` where unknown.
        supports: Ids of the facets it supports.
        fields: Every scalar metadata field as text.
    """

    rank: int
    id: str
    text: str
    source: str | None
    raw_score: float | None
    position: int | None
    tokens: int
    has_vector: bool
    supports: tuple[str, ...]
    fields: Mapping[str, str]


@dataclass(frozen=True, eq=False, kw_only=True)
class Pool:
    """All candidates of one question, in rank order.

    Args:
        query: The question; may be empty.
        ids: ``n`` distinct candidate ids.
        texts: ``n`` passages.
        sources: ``n`` source labels, ``None`` where missing.
        raw_scores: Shape ``(n,)``, as loaded; ``None`` without scores.
        scores: Shape ``(n,)``, the same converted so that higher is better.
        score_kind: What the score measures; ``None`` without scores.
        vectors: Shape ``(n, d)``, unit rows, a zero row where there is none; ``None`` without any.
        has_vector: Shape ``(n,)``; a zero vector counts as one.
        query_vector: Shape ``(d,)``, unit length or zero.
        tokens: Shape ``(n,)``, token counts.
        tokenizer: Where the counts come from, for the screen.
        positions: ``n`` places within the document, ``None`` where unknown.
        spans: ``n`` pairs of start and end offsets within the document, ``None`` where unknown.
        fields: Every scalar metadata field, as text, ``None`` where missing.
        facets: ``m`` facets of a full answer.
        judgements: Shape ``(n, m)``: ``SUPPORTS``, ``DOES_NOT`` or ``UNJUDGED``.
        source_field: The field that ``sources`` was read from.
        merges: Rules by which labels of ``sources`` were merged, by name.
        query_id: Id of the question in a file that holds several.
        stratum: What a full answer is made of, where somebody said so.

    Raises:
        PoolError: The parts do not fit together.
    """

    query: str
    ids: tuple[str, ...]
    texts: tuple[str, ...]
    sources: tuple[str | None, ...]
    tokens: Ints
    tokenizer: str
    raw_scores: Floats | None = None
    scores: Floats | None = None
    score_kind: ScoreKind | None = None
    vectors: Floats | None = None
    has_vector: Bools | None = None
    query_vector: Floats | None = None
    positions: tuple[int | None, ...] = ()
    spans: tuple[tuple[int, int] | None, ...] = ()
    fields: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    facets: tuple[Facet, ...] = ()
    judgements: npt.NDArray[np.int8] | None = None
    source_field: str = "source"
    merges: tuple[str, ...] = ()
    query_id: str = ""
    stratum: Stratum | None = None

    def __post_init__(self) -> None:
        n = len(self.ids)
        if not self.positions:
            self._set("positions", (None,) * n)
        if not self.spans:
            self._set("spans", (None,) * n)
        if self.has_vector is None:
            self._set("has_vector", np.full(n, self.vectors is not None))
        if self.judgements is None:
            self._set("judgements", np.full((n, len(self.facets)), UNJUDGED, dtype=np.int8))
        self._set("fields", MappingProxyType(dict(self.fields)))
        for name in ("tokens", "raw_scores", "scores", "has_vector", "judgements"):
            array = getattr(self, name)
            if array is not None:
                self._set(name, geometry.read_only(np.array(array)))
        for name in ("vectors", "query_vector"):
            array = getattr(self, name)
            if array is not None and array.flags.writeable:  # rows from unit_rows are not copied
                self._set(name, geometry.read_only(np.array(array)))
        self._check(n)
        if self.scores is not None:
            self._set("scores", geometry.canonical(self.scores))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check(self, n: int) -> None:
        parts: dict[str, int] = {
            "texts": len(self.texts),
            "sources": len(self.sources),
            "tokens": len(self.tokens),
            "positions": len(self.positions),
            "spans": len(self.spans),
            **{f"field {name}": len(values) for name, values in self.fields.items()},
        }
        for name in ("raw_scores", "scores", "vectors", "has_vector", "judgements"):
            array = getattr(self, name)
            if array is not None:
                parts[name] = len(array)
        for name, length in parts.items():
            if length != n:
                raise PoolError(
                    f"The pool has {counted(n, 'id')} but {name} for {length}.",
                    "Give one value for each candidate.",
                )
        if len(set(self.ids)) != n:
            raise PoolError("Two candidates share an id.", "Make every candidate's id distinct.")
        if (self.scores is None) != (self.score_kind is None):
            raise PoolError("Scores came without their kind.", "Give both scores and score_kind.")
        self._check_values(n)
        if self.marks.shape != (n, len(self.facets)):
            raise PoolError(
                f"The judgements have the shape {self.marks.shape}, "
                f"wanted ({n}, {len(self.facets)}): candidates and facets.",
                "Give one judgement for each candidate and facet.",
            )
        self._check_vectors()

    def _check_values(self, n: int) -> None:
        for name in ("scores", "raw_scores", "vectors", "query_vector"):
            array = getattr(self, name)
            if array is not None and not np.isfinite(array).all():
                raise PoolError(f"A value in {name} is not finite.", "Set such rows aside first.")
        if n and int(self.tokens.min()) < 0:
            raise PoolError("A token count is negative.", "Count tokens from 0.")

    def _check_vectors(self) -> None:
        if self.query_vector is not None and _not_unit(self.query_vector[None, :]).any():
            raise PoolError(
                "The query vector has not unit length.", "Pass geometry.unit_rows(...)."
            )
        if self.vectors is None:
            if self.vector_mask.any():
                raise PoolError("Vectors are marked but not given.", "Give them, or mark none.")
            return
        if self.vectors[~self.vector_mask].any():
            raise PoolError("A vector is given but marked missing.", "Mark it, or make it zero.")
        off = _not_unit(self.vectors)
        if off.any():
            raise PoolError(
                f"Vector {int(off.argmax()) + 1} has not unit length.",
                "Pass geometry.unit_rows(...).",
            )
        if self.query_vector is not None and self.query_vector.shape != self.vectors.shape[1:]:
            raise PoolError(
                f"The query vector has {self.query_vector.shape[0]} dimensions, "
                f"the candidates have {self.vectors.shape[1]}.",
                "Embed the question with the model that embedded the passages.",
            )

    def __reduce__(self) -> tuple[Callable[..., "Pool"], tuple[dict[str, object]]]:
        """Travel to another process as the parts it was made of, without what it has worked out."""
        parts = {item.name: getattr(self, item.name) for item in dataclasses.fields(self)}
        return _remade, ({**parts, "fields": dict(self.fields)},)

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def vector_mask(self) -> Bools:
        """Which candidates carry a vector, shape ``(n,)``."""
        assert self.has_vector is not None  # noqa: S101 - set in __post_init__, for the type checker
        return self.has_vector

    @property
    def marks(self) -> npt.NDArray[np.int8]:
        """The judgements, shape ``(n, m)``, never ``None``."""
        assert self.judgements is not None  # noqa: S101 - set in __post_init__, for the type checker
        return self.judgements

    @property
    def distinct_sources(self) -> tuple[str, ...]:
        """Source labels in the order of their first appearance."""
        return tuple(dict.fromkeys(source for source in self.sources if source is not None))

    def candidate(self, index: int) -> Candidate:
        """Return the view of the candidate at an index from 0."""
        return Candidate(
            rank=index + 1,
            id=self.ids[index],
            text=self.texts[index],
            source=self.sources[index],
            raw_score=None if self.raw_scores is None else float(self.raw_scores[index]),
            position=self.positions[index],
            tokens=int(self.tokens[index]),
            has_vector=bool(self.vector_mask[index]),
            supports=tuple(
                facet.id
                for facet, mark in zip(self.facets, self.marks[index], strict=True)
                if mark == SUPPORTS
            ),
            fields={
                name: value
                for name, values in self.fields.items()
                if (value := values[index]) is not None
            },
        )

    def column(self, key: str) -> tuple[str | None, ...]:
        """Return the values of ``source`` or of a metadata field, one a candidate.

        Raises:
            PolicyError: The pool has no such field.
        """
        if key == "source":
            return self.sources
        if key not in self.fields:
            raise PolicyError(
                f"The pool has no field “{key}”.",
                f"Choose one of: {', '.join(('source', *self.fields))}.",
            )
        return self.fields[key]

    def codes(self, key: str) -> Ints:
        """Number the values of a key in order of first appearance, -1 where missing; ``(n,)``.

        Raises:
            PolicyError: The pool has no such field.
        """
        if key not in self._codes:
            numbers: dict[str, int] = {}
            codes = [
                -1 if value is None else numbers.setdefault(value, len(numbers))
                for value in self.column(key)
            ]
            self._codes[key] = geometry.read_only(np.array(codes, dtype=np.intp))
        return self._codes[key]

    @cached_property
    def _codes(self) -> dict[str, Ints]:
        return {}

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The index of every candidate, by its id."""
        return MappingProxyType({name: index for index, name in enumerate(self.ids)})

    @cached_property
    def kept(self) -> dict[str, object]:
        """What the layers above worked out from this pool and will want again, by their names."""
        return {}

    @cached_property
    def has_all_vectors(self) -> bool:
        """Whether every candidate carries a vector."""
        return bool(self.vector_mask.all())

    def similarity(self, first: int, second: int) -> float:
        """Cosine of two candidates; 0 where either has no vector."""
        if self.vectors is None:
            return 0.0
        return float(self.vectors[first] @ self.vectors[second])

    @cached_property
    def digest(self) -> str:
        """Fingerprint of everything that can change a selection or a screen: 16 hex digits."""
        digest = hashlib.sha256()
        for item in dataclasses.fields(self):
            value = getattr(self, item.name)
            digest.update(f"\x1f{item.name}\x1e".encode())
            if isinstance(value, np.ndarray):
                digest.update(f"{value.dtype}{value.shape}".encode())
                digest.update(np.ascontiguousarray(value).tobytes())
            else:
                digest.update(repr(dict(value) if isinstance(value, Mapping) else value).encode())
        return digest.hexdigest()[:16]


def _remade(parts: Mapping[str, Any]) -> Pool:
    return Pool(**parts)


def _not_unit(rows: Floats) -> Bools:
    """Which rows are neither of unit length nor zero, shape ``(n,)``."""
    squares = np.einsum("ij,ij->i", rows, rows)
    off: Bools = (np.abs(squares - 1.0) > UNIT_LENGTH_SLACK) & (squares != 0.0)
    return off
