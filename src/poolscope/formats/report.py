"""What an import found: values for the Data page."""

from collections.abc import Mapping
from dataclasses import dataclass

from poolscope.formats.base import RawPool
from poolscope.model import Pool, ScoreKind


@dataclass(frozen=True, slots=True)
class SetAside:
    """One row that is not in the pool.

    Args:
        row: Its number among the candidates met, from 1.
        id: Its id; empty without one.
        reason: A sentence.
        line: Its line in the file, where it has one.
    """

    row: int
    id: str
    reason: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class VectorReport:
    """The vectors of the kept candidates.

    Args:
        dimension: Numbers in a vector.
        missing: Candidates without one.
        zero: Candidates whose vector has no length.
        deviation: Largest distance of a length from 1, before scaling.
        has_query: Whether the question has a vector too.
    """

    dimension: int
    missing: int
    zero: int
    deviation: float
    has_query: bool


@dataclass(frozen=True, slots=True)
class SourceField:
    """A field that can say what a candidate belongs to.

    Args:
        field: Its name.
        distinct: Number of its values.
        missing: Candidates without one.
    """

    field: str
    distinct: int
    missing: int


@dataclass(frozen=True, slots=True)
class SourceReport:
    """Where the sources come from.

    Args:
        chosen: The field used; its name is empty where no field qualifies.
        alternatives: The other fields, those of the precedence rule first.
        warnings: Sentences about weak identity.
        labels: The labels as the field has them, one a candidate.
        merges: Rules that merged them, by name.
        distinct: Number of sources, after merging.
    """

    chosen: SourceField
    alternatives: tuple[SourceField, ...]
    warnings: tuple[str, ...]
    labels: tuple[str | None, ...] = ()
    merges: tuple[str, ...] = ()
    distinct: int = 0


@dataclass(frozen=True, slots=True)
class Copies:
    """Candidates that repeat a better ranked one.

    Args:
        exact: Those with the very text of one.
        near: Those with another text, at least ``threshold`` cosine to one.
        threshold: The cosine from which a copy is near.
        examined: How many candidates, from rank 1, were compared by vector.
    """

    exact: int
    near: int
    threshold: float
    examined: int


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Everything an import found.

    Args:
        format_label: The format, for the screen.
        reason: Why the file was taken for it.
        rows: Candidates met.
        candidates: Candidates kept.
        set_aside: The others, in list order.
        columns: The field that each role was read from.
        vectors: ``None`` where no candidate has one.
        score_kind: What the score measures and how that is known; ``None`` without scores.
        sources: Where the sources come from.
        copies: Exact and near copies.
        facets: Number of facets.
        judged: Candidates with a judgement on any facet.
        notes: Sentences about what was done.
        warnings: Sentences about what weakens the pool.
    """

    format_label: str
    reason: str
    rows: int
    candidates: int
    set_aside: tuple[SetAside, ...]
    columns: Mapping[str, str]
    vectors: VectorReport | None
    score_kind: ScoreKind | None
    sources: SourceReport
    copies: Copies
    facets: int
    judged: int
    notes: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """One question, ready to be inspected.

    Args:
        pool: Its candidates.
        report: What the import found.
        raw: What the reader met, to assemble it anew with other choices.
    """

    pool: Pool
    report: ImportReport
    raw: RawPool
