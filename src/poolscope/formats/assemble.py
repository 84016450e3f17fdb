"""From raw rows to a pool: the one place where a question is put together.

Every row that cannot be used is listed with its number and a reason; nothing is dropped in
silence. ``rows`` says what a row is set aside for.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from poolscope.counts import counted
from poolscope.errors import FormatError, Place, PoolError
from poolscope.formats import aliases, copies, facets, scores, sources, values
from poolscope.formats.base import MAX_CANDIDATES, RawPool, RawRow
from poolscope.formats.places import field_names, positions, spans, unambiguous
from poolscope.formats.report import ImportReport, Loaded, SetAside, SourceReport
from poolscope.formats.rows import Row, checked, identified
from poolscope.formats.stacking import Vectors, stacked, unit
from poolscope.geometry import Floats
from poolscope.model import UNJUDGED, Direction, Pool, ScoreKind, Stratum

CHARACTERS_A_TOKEN = 4
ESTIMATE = "estimate: characters / 4, rounded up"


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """The kept rows' scores, as the pool takes them; all ``None`` without scores."""

    raw: Floats | None = None
    scores: Floats | None = None
    kind: ScoreKind | None = None
    notes: tuple[str, ...] = ()


def assemble(
    raw: RawPool,
    *,
    source_field: str | None = None,
    direction: Direction | None = None,
    merges: Sequence[str] = (),
    format_label: str = "",
    reason: str = "",
) -> Loaded:
    """Check and convert the rows of one question.

    Args:
        raw: What a reader met.
        source_field: The field that sources are read from; ``None`` chooses by precedence, an
            empty name uses none.
        direction: The user's word on which end of the score is better; ``None`` finds out.
        merges: Rules that merge source labels, by name: see ``identity.RULES``.
        format_label: For the report.
        reason: For the report.

    Raises:
        FormatError: The question cannot be read, or its vectors were lost on export.
        PoolError: No row can be used, or the source field or a rule does not exist.
    """
    if raw.problem is not None:
        raise raw.problem
    _check_size(raw)
    field = sources.choose([raw]) if source_field is None else source_field
    _check_field(raw, field)
    listed, rank_notes = _by_rank(raw)
    told_apart, id_notes = identified(listed, field, merges)
    rows, check_warnings = checked(told_apart, raw.query_vector)
    kept = [row for row in rows if not row.problem]
    if rows and not kept:
        raise _nothing_left(rows)
    vectors = stacked(kept, raw.query_vector)
    scored = _scored(kept, vectors, direction, raw)
    described = sources.report([row.raw for row in kept], field, merges)
    pool, judged = _pool(raw, kept, described, vectors, scored)
    report = ImportReport(
        format_label=format_label,
        reason=reason,
        rows=len(raw.rows),
        candidates=len(kept),
        set_aside=_set_aside(rows),
        columns=raw.columns,
        vectors=vectors.report,
        score_kind=scored.kind,
        sources=described,
        copies=copies.count(pool.texts, vectors.units, vectors.has),
        facets=len(pool.facets),
        judged=int((pool.marks != UNJUDGED).any(axis=1).sum()) if pool.facets else 0,
        notes=(*raw.notes, *rank_notes, *id_notes, *judged.notes),
        warnings=(*check_warnings, *vectors.warnings, *scored.notes),
    )
    return Loaded(pool, report, raw)


def _check_size(raw: RawPool) -> None:
    if len(raw.rows) > MAX_CANDIDATES:
        raise FormatError(
            f"The question has {len(raw.rows):,} candidates; at most {MAX_CANDIDATES:,} are read.",
            "Give one retrieval's candidates: export fewer, the best ranked; or, where several "
            "questions stand in one table, a column “query” or “query_id”.",
            Place(raw.rows[0].place.file),
        )


def _check_field(raw: RawPool, field: str) -> None:
    names = tuple(dict.fromkeys(name for row in raw.rows for name in row.fields))
    if field and raw.rows and field not in names:
        raise PoolError(
            f"The candidates have no field “{field}”.", f"Choose one of: {', '.join(names)}."
        )


def _by_rank(raw: RawPool) -> tuple[list[RawRow], tuple[str, ...]]:
    """Order rows by their rank field if it numbers them from 0 or from 1, else as listed."""
    rows = list(raw.rows)
    name = raw.columns.get("rank")
    if name is None:
        return rows, ()
    ranks = [values.whole(row.rank) for row in rows]
    numbers = [rank for rank in ranks if rank is not None]
    n = len(rows)
    if sorted(numbers) not in (list(range(n)), list(range(1, n + 1))):
        note = f"“{name}” does not number the rows from 0 or 1; the list order is the rank."
        return rows, (note,)
    if numbers == sorted(numbers):
        return rows, ()
    ordered = [rows[index] for index in np.argsort(numbers, kind="stable")]
    return ordered, (f"The rows were ordered by “{name}”.",)


def _nothing_left(rows: Sequence[Row]) -> PoolError:
    first = rows[0]
    return PoolError(
        f"None of {counted(len(rows), 'candidate')} can be used; the first: {first.problem}",
        "Correct what is said there, or choose the format by hand.",
        first.raw.place,
    )


def _set_aside(rows: Iterable[Row]) -> tuple[SetAside, ...]:
    found = [
        SetAside(row.raw.place.row or 0, row.raw.id or "", row.problem, row.raw.place.line)
        for row in rows
        if row.problem
    ]
    return tuple(sorted(found, key=lambda entry: entry.row))


def _scored(
    rows: Sequence[Row], vectors: Vectors, direction: Direction | None, pool: RawPool
) -> Scored:
    found = [row.score for row in rows if row.score is not None]
    if not found or len(found) < len(rows):
        return Scored()
    raw = np.array(found, dtype=np.float64)
    declared = None if pool.declared is None else pool.declared.score_kind
    measured = None
    if vectors.loaded is not None and vectors.query is not None:
        measured = scores.measure(vectors.loaded, vectors.has, vectors.query)
    reading = scores.read(raw, measured, vectors.has, direction, pool.known, declared)
    notes = (reading.note,) if reading.note else ()
    return Scored(raw, reading.scores, reading.kind, notes)


def _pool(
    raw: RawPool, rows: Sequence[Row], named: SourceReport, vectors: Vectors, scored: Scored
) -> tuple[Pool, facets.Judged]:
    kept = [row.raw for row in rows]
    judged = facets.judge(raw.facets, kept)
    tokens, tokenizer = _tokens(kept)
    query = vectors.query
    return Pool(
        query=raw.query,
        ids=tuple(row.id for row in rows),
        texts=tuple(row.raw.text or "" for row in rows),
        sources=tuple(row.source for row in rows),
        tokens=np.array(tokens, dtype=np.intp),
        tokenizer=tokenizer,
        raw_scores=scored.raw,
        scores=scored.scores,
        score_kind=scored.kind,
        vectors=vectors.units,
        has_vector=vectors.has,
        query_vector=None if query is None else unit(query),
        positions=unambiguous(positions(rows), rows),
        spans=unambiguous(spans(kept), rows),
        fields=_fields(kept, named),
        facets=judged.facets,
        judgements=judged.judgements,
        source_field=named.chosen.field,
        merges=named.merges,
        query_id=raw.query_id,
        stratum=next((item for item in Stratum if item == raw.stratum), None),
    ), judged


def _tokens(rows: Sequence[RawRow]) -> tuple[list[int], str]:
    """Return token counts and where they come from; a missing count is estimated."""
    name = aliases.first(field_names(rows), aliases.TOKENS)
    counts = [values.whole(row.fields.get(name)) if name else None for row in rows]
    known = [count if count is not None and count >= 0 else None for count in counts]
    estimated = [math.ceil(len(row.text or "") / CHARACTERS_A_TOKEN) for row in rows]
    tokens = [
        guess if count is None else count for count, guess in zip(known, estimated, strict=True)
    ]
    without = known.count(None)
    if without == len(rows):
        return tokens, ESTIMATE
    return tokens, f"field “{name}”" + (f", {without} by {ESTIMATE}" if without else "")


def _fields(rows: Sequence[RawRow], named: SourceReport) -> dict[str, tuple[str | None, ...]]:
    """Return the metadata columns; the source field is ``Pool.sources``, unless labels were merged.

    A field that is called ``source`` but is not what ``Pool.sources`` holds would hide behind it
    and takes another name.
    """
    field = "" if named.merges else named.chosen.field
    return {
        ("source (as loaded)" if name == "source" else name): tuple(
            row.fields.get(name) for row in rows
        )
        for name in field_names(rows)
        if name != field
    }
