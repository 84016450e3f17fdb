"""From raw rows to a pool: the one place where rows are checked, converted and set aside.

Every row that cannot be used is listed with its number and a reason; nothing is dropped in
silence. A row is set aside for: a reader's problem; no text where others have one; a score that
is not finite or not a number, or is missing where at least half of the rows have one; a vector
that is not finite, not a list of numbers, or of another dimension than most; an id that an
earlier row of the same source has.
"""

import dataclasses
import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from poolscope import geometry
from poolscope.errors import FormatError, Place, PoolError
from poolscope.formats import aliases, copies, facets, identity, scores, sources, values
from poolscope.formats.base import MAX_CANDIDATES, RawPool, RawRow
from poolscope.formats.report import ImportReport, Loaded, SetAside, SourceReport, VectorReport
from poolscope.geometry import Bools, Floats
from poolscope.model import UNJUDGED, Direction, Pool, ScoreKind

CHARACTERS_A_TOKEN = 4
ESTIMATE = "estimate: characters / 4, rounded up"
MAJORITY = 0.5
"""Share of rows with a score from which a row without one is set aside."""


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A raw row with its numbers read.

    Args:
        raw: As the reader met it.
        id: Its id, or one made from its source and text.
        source: What it belongs to; ``None`` where that is not said.
        label: The same as the file has it, before labels were merged.
        score: ``None`` where it is missing.
        vector: ``None`` where it is missing.
        problem: Why it is set aside; empty if it is kept.
    """

    raw: RawRow
    id: str
    source: str | None
    label: str | None = None
    score: float | None = None
    vector: Floats | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """The kept rows' scores, as the pool takes them; all ``None`` without scores."""

    raw: Floats | None = None
    scores: Floats | None = None
    kind: ScoreKind | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """The kept rows' vectors, as loaded and as unit rows; ``None`` without any.

    Args:
        loaded: Shape ``(n, d)``, zero where there is none.
        units: The same as unit rows.
        has: Shape ``(n,)``.
        query: Shape ``(d,)``, as loaded.
        report: What the Data page shows.
        warnings: Sentences about vectors that cannot be used.
    """

    loaded: Floats | None
    units: Floats | None
    has: Bools
    query: Floats | None
    report: VectorReport | None
    warnings: tuple[str, ...] = ()


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
    identified, id_notes = _identified(listed, field, merges)
    checked, check_warnings = _checked(identified, raw.query_vector)
    kept = [row for row in checked if not row.problem]
    if checked and not kept:
        raise _nothing_left(checked)
    vectors = _vectors(kept, raw.query_vector)
    scored = _scored(kept, vectors, direction, raw)
    described = sources.report([row.raw for row in kept], field, merges)
    pool, judged = _pool(raw, kept, described, vectors, scored)
    report = ImportReport(
        format_label=format_label,
        reason=reason,
        rows=len(raw.rows),
        candidates=len(kept),
        set_aside=_set_aside(checked),
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


def _identified(
    rows: Sequence[RawRow], field: str, merges: Sequence[str]
) -> tuple[list[Row], tuple[str, ...]]:
    """Give every row an id and a source; ids that repeat across sources are told apart.

    Ids are told apart by the labels as they are loaded, so that merging them loses no row.
    """
    labels = sources.labels(rows, field) if field else (None,) * len(rows)
    ids = [row.id for row in rows]
    notes: tuple[str, ...] = ()
    if not any(ids):
        ids, notes = _document_ids(rows)
    if _is_local(ids, labels):
        ids = [
            f"{label}#{name}" if name and label else name
            for name, label in zip(ids, labels, strict=True)
        ]
        notes = ("The ids repeat across sources, so each was read together with its source.",)
    made: Counter[str] = Counter()
    found: list[Row] = []
    merged = identity.merged(labels, merges)
    for row, name, label, source in zip(rows, ids, labels, merged, strict=True):
        if not name:
            stem = hashlib.sha256(f"{label}\x1f{row.text}".encode()).hexdigest()[:12]
            made[stem] += 1
            name = stem if made[stem] == 1 else f"{stem}-{made[stem]}"
        found.append(Row(row, name, source, label))
    if made:
        notes = (*notes, f"{made.total()} rows have no id; it was made from source and text.")
    return found, notes


def _document_ids(rows: Sequence[RawRow]) -> tuple[list[str | None], tuple[str, ...]]:
    """Take document ids for ids where they are all distinct: then each is of one candidate."""
    names = tuple(dict.fromkeys(name for row in rows for name in row.fields))
    name = aliases.first(names, aliases.DOCUMENT_ID)
    found = [row.fields.get(name) for row in rows] if name is not None else []
    if not found or None in found or len(set(found)) < len(found):
        return [None] * len(rows), ()
    return found, (f"The ids were read from “{name}”.",)


def _is_local(ids: Sequence[str | None], labels: Sequence[str | None]) -> bool:
    """Whether an id names a passage only together with its source."""
    homes: dict[str, set[str]] = {}
    for name, label in zip(ids, labels, strict=True):
        if name and label:
            homes.setdefault(name, set()).add(label)
    return any(len(found) > 1 for found in homes.values())


def _checked(rows: list[Row], query: object) -> tuple[list[Row], tuple[str, ...]]:
    """Read every row's numbers and mark the rows that cannot be used."""
    rows = [_problem(row, row.raw.problem) if row.raw.problem else row for row in rows]
    rows, text_warnings = _with_texts(rows)
    rows, score_warnings = _with_scores(rows)
    rows, vector_warnings = _with_vectors(rows, query)
    return _without_repeats(rows), (*text_warnings, *score_warnings, *vector_warnings)


def _with_texts(rows: list[Row]) -> tuple[list[Row], tuple[str, ...]]:
    if not any(row.raw.text for row in rows):
        warning = "No candidate has a text: only ids, scores and vectors can be looked at."
        return rows, (warning,) if rows else ()
    return [_problem(row, "The row has no text.") if not row.raw.text else row for row in rows], ()


def _problem(row: Row, reason: str) -> Row:
    return row if row.problem else dataclasses.replace(row, problem=reason)


def _with_scores(rows: list[Row]) -> tuple[list[Row], tuple[str, ...]]:
    read = [_with_score(row) for row in rows]
    given = sum(row.score is not None for row in read)
    if given == 0:
        unread = sum(row.raw.score is not None for row in read)
        warning = f"None of {unread} scores is a finite number; the list order is the rank."
        return rows, (warning,) if unread else ()
    if given < MAJORITY * len(rows):
        warning = f"Only {given} of {len(rows)} rows have a score, so the scores were left out."
        return [dataclasses.replace(row, score=None) for row in read], (warning,)
    missing = "The score is missing, other rows have one."
    return [_problem(row, missing) if row.score is None else row for row in read], ()


def _with_score(row: Row) -> Row:
    try:
        score = values.number(row.raw.score)
    except ValueError as error:
        return _problem(row, f"The score {error}.")
    if score is None:
        return row
    if math.isnan(score):
        return _problem(row, "The score is NaN.")
    if math.isinf(score):
        return _problem(row, "The score is infinite.")
    if abs(score) > values.LARGEST:
        return _problem(row, f"The score is {score:.3g}, beyond {values.LARGEST:.0e}.")
    return dataclasses.replace(row, score=score)


def _with_vectors(rows: list[Row], query: object) -> tuple[list[Row], tuple[str, ...]]:
    read = [_with_vector(row) for row in rows]
    dimensions = Counter(len(row.vector) for row in read if row.vector is not None)
    if not dimensions:
        unread = sum(_is_unread(new, old) for new, old in zip(read, rows, strict=True))
        warning = f"None of {unread} vectors is a list of finite numbers; they were left out."
        return rows, (warning,) if unread else ()
    # Of equally frequent dimensions the question's own counts, else the one met first.
    most = dimensions.most_common(1)[0][1]
    tied = [size for size, count in dimensions.items() if count == most]
    asked = _size(query)
    usual = asked if asked in tied else tied[0]
    return [_of_dimension(row, usual) for row in read], ()


def _size(query: object) -> int:
    """Return the dimension of the question's vector, 0 without a readable one."""
    try:
        vector = values.vector(query)
    except (ValueError, values.LostVectorError):
        return 0
    return 0 if vector is None else len(vector)


def _is_unread(new: Row, old: Row) -> bool:
    return bool(new.problem) and not old.problem


def _with_vector(row: Row) -> Row:
    try:
        vector = values.vector(row.raw.vector)
    except values.LostVectorError as error:
        raise FormatError(
            "The vectors were lost on export: this one is cut with dots in the middle.",
            "Export to Parquet or JSON, which keep every number.",
            row.raw.place if row.raw.place.column else _at(row.raw.place, "vector"),
        ) from error
    except ValueError as error:
        return _problem(row, f"The vector {error}.")
    if vector is None:
        return row
    largest = float(np.abs(vector).max())  # NaN where any of them is
    if math.isnan(largest):
        return _problem(row, "The vector holds NaN.")
    if largest > values.LARGEST:
        return _problem(row, "The vector holds an infinite number.")
    return dataclasses.replace(row, vector=vector)


def _at(place: Place, column: str) -> Place:
    return dataclasses.replace(place, column=column)


def _of_dimension(row: Row, usual: int) -> Row:
    if row.vector is None or len(row.vector) == usual:
        return row
    return _problem(row, f"The vector has {len(row.vector)} dimensions, most have {usual}.")


def _without_repeats(rows: list[Row]) -> list[Row]:
    """Set aside every usable row whose id an earlier usable row has."""
    first: dict[str, int] = {}
    checked: list[Row] = []
    for row in rows:
        if not row.problem:
            number = first.setdefault(row.id, row.raw.place.row or 0)
            if number != (row.raw.place.row or 0):
                row = _problem(row, f"The id is already that of row {number}.")
        checked.append(row)
    return checked


def _nothing_left(rows: Sequence[Row]) -> PoolError:
    first = rows[0]
    return PoolError(
        f"None of the {len(rows)} candidates can be used; the first: {first.problem}",
        "Correct the file, or choose its format by hand.",
        first.raw.place,
    )


def _set_aside(rows: Iterable[Row]) -> tuple[SetAside, ...]:
    found = [
        SetAside(row.raw.place.row or 0, row.raw.id or "", row.problem, row.raw.place.line)
        for row in rows
        if row.problem
    ]
    return tuple(sorted(found, key=lambda entry: entry.row))


def _vectors(rows: Sequence[Row], query: object) -> Vectors:
    """Stack the kept rows' vectors and scale them to unit length."""
    has = np.array([row.vector is not None for row in rows], dtype=bool)
    if not has.any():
        return Vectors(None, None, has, None, None)
    d = next(len(row.vector) for row in rows if row.vector is not None)
    loaded = np.zeros((len(rows), d))
    for index, row in enumerate(rows):
        if row.vector is not None:
            loaded[index] = row.vector
    asked, warnings = _query(query, d)
    units = geometry.unit_rows(loaded)
    report = VectorReport(
        dimension=d,
        missing=int((~has).sum()),
        zero=int((units.zero & has).sum()),
        deviation=units.deviation,
        has_query=asked is not None,
    )
    return Vectors(loaded, _kept(loaded, units.rows), has, asked, report, warnings)


def _kept(loaded: Floats, units: Floats) -> Floats:
    """Return unit rows; a row that has unit length but for rounding stays as it was loaded."""
    with np.errstate(over="ignore"):
        squares = np.einsum("ij,ij->i", loaded, loaded)
    exact = np.abs(squares - 1.0) <= geometry.TOLERANCE
    return geometry.read_only(np.where(exact[:, None], loaded, units))


def _query(query: object, d: int) -> tuple[Floats | None, tuple[str, ...]]:
    """Read the question's vector; one that does not fit is left out with a warning."""
    try:
        vector = values.vector(query)
    except ValueError as error:
        return None, (f"The question's vector {error}; it was left out.",)
    if vector is None:
        return None, ()
    if len(vector) != d:
        found = f"The question's vector has {len(vector)} dimensions, the candidates have {d}"
        return None, (f"{found}; it was left out.",)
    if not np.isfinite(vector).all() or float(np.abs(vector).max()) > values.LARGEST:
        return None, ("The question's vector is not finite; it was left out.",)
    return vector, ()


def _unit(vector: Floats) -> Floats:
    row: Floats = _kept(vector[None, :], geometry.unit_rows(vector).rows)[0]
    return row


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
        query_vector=None if query is None else _unit(query),
        positions=_unambiguous(_positions(rows), rows),
        spans=_unambiguous(_spans(kept), rows),
        fields=_fields(kept, named),
        facets=judged.facets,
        judgements=judged.judgements,
        source_field=named.chosen.field,
        merges=named.merges,
        query_id=raw.query_id,
    ), judged


def _tokens(rows: Sequence[RawRow]) -> tuple[list[int], str]:
    """Return token counts and where they come from; a missing count is estimated."""
    name = aliases.first(_names(rows), aliases.TOKENS)
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


def _names(rows: Sequence[RawRow]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for row in rows for name in row.fields))


def _positions(rows: Sequence[Row]) -> tuple[int | None, ...]:
    """Read places in the document from a field, else from ids that are source and number."""
    kept = [row.raw for row in rows]
    names = _names(kept)
    for alias in aliases.POSITION:
        name = aliases.first(names, (alias,))
        found = [values.whole(row.fields.get(name)) for row in kept] if name else []
        if any(place is not None for place in found) and not _numbers_rows(found, rows, alias):
            return tuple(found)
    places = [_place_in_id(row) for row in rows]
    return tuple(places) if None not in places else (None,) * len(rows)


def _numbers_rows(found: Sequence[int | None], rows: Sequence[Row], alias: str) -> bool:
    """Whether a field only numbers the rows of the list, across sources."""
    if alias == "position" or len({row.source for row in rows}) < 2:
        return False
    n = len(rows)
    return list(found) in (list(range(n)), list(range(1, n + 1)))


def _place_in_id(row: Row) -> int | None:
    """Return 12 for the id ``guide.md#12`` of the source ``guide.md``."""
    head, mark, tail = row.id.rpartition("#")
    safe = mark and head == row.label and tail.isascii() and tail.isdecimal() and len(tail) < 10
    return int(tail) if safe else None


def _spans(rows: Sequence[RawRow]) -> tuple[tuple[int, int] | None, ...]:
    names = _names(rows)
    for start_alias, end_alias in aliases.SPANS:
        start, end = aliases.first(names, (start_alias,)), aliases.first(names, (end_alias,))
        if start is not None and end is not None:
            return tuple(_span(row.fields.get(start), row.fields.get(end)) for row in rows)
    return (None,) * len(rows)


def _span(start: str | None, end: str | None) -> tuple[int, int] | None:
    first, last = values.whole(start), values.whole(end)
    if first is None or last is None or not 0 <= first <= last:
        return None
    return first, last


Placed = TypeVar("Placed")


def _unambiguous(
    places: tuple[Placed | None, ...], rows: Sequence[Row]
) -> tuple[Placed | None, ...]:
    """Forget the places within a merged source that two of its labels number alike."""
    holders: dict[tuple[str | None, Placed], set[str | None]] = {}
    for place, row in zip(places, rows, strict=True):
        if place is not None:
            holders.setdefault((row.source, place), set()).add(row.label)
    unclear = {source for (source, _), labels in holders.items() if len(labels) > 1}
    return tuple(
        None if row.source in unclear and row.source is not None else place
        for place, row in zip(places, rows, strict=True)
    )


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
        for name in _names(rows)
        if name != field
    }
