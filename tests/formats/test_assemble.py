import json
import math

import numpy as np
import pytest

from poolscope import formats
from poolscope.errors import Place, PoolError
from poolscope.formats import Loaded, RawPool, RawRow, assemble
from poolscope.model import Direction, Facet


def _load(rows: list[dict[str, object]], **options: object) -> Loaded:
    document: dict[str, object] = {"query": "How?", "candidates": rows}
    document |= {name: options.pop(name) for name in ("query_vector", "facets") if name in options}
    return formats.read(json.dumps(document).encode()).question(**options)  # type: ignore[arg-type]


def _row(name: str, **fields: object) -> dict[str, object]:
    return {"id": name, "text": f"text {name}", "source": "s", **fields}


def _reasons(loaded: Loaded) -> list[tuple[int, str, str]]:
    return [(entry.row, entry.id, entry.reason) for entry in loaded.report.set_aside]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"score": math.nan}, "The score is NaN."),
        ({"score": math.inf}, "The score is infinite."),
        ({"score": "1e308"}, "The score is 1e+308, beyond 1e+100."),
        ({"score": "high"}, "The score is “high”, not a number."),
        ({"score": None}, "The score is missing, other rows have one."),
        ({"text": ""}, "The row has no text."),
        ({"vector": [math.nan, 0]}, "The vector holds NaN."),
        ({"vector": [math.inf, 0]}, "The vector holds an infinite number."),
        ({"vector": [1, 2, 3]}, "The vector has 3 dimensions, most have 2."),
        ({"vector": "none"}, "The vector is “none”, not a list of numbers."),
        ({"id": "a"}, "The id is already that of row 1."),
    ],
)
def test_bad_row_is_set_aside_with_number_and_reason(
    fields: dict[str, object], reason: str
) -> None:
    good = {"score": 0.5, "vector": [1, 0]}
    bad = {**_row("b", **good), **fields}
    loaded = _load([_row("a", **good), bad, _row("c", **good), _row("d", **good)])
    assert _reasons(loaded) == [(2, str(bad["id"]), reason)]
    assert loaded.pool.ids == ("a", "c", "d")
    assert (loaded.report.rows, loaded.report.candidates) == (4, 3)


def test_missing_and_zero_vectors_stay() -> None:
    loaded = _load([_row("a", vector=[3, 4]), _row("b", vector=None), _row("c", vector=[0, 0])])
    assert loaded.pool.vector_mask.tolist() == [True, False, True]
    vectors = loaded.report.vectors
    assert vectors is not None
    assert (vectors.dimension, vectors.missing, vectors.zero) == (2, 1, 1)
    assert vectors.deviation == pytest.approx(4.0)


def test_scores_that_few_rows_have_are_left_out() -> None:
    loaded = _load([_row("a", score=1), _row("b"), _row("c")])
    assert len(loaded.pool) == 3
    assert loaded.pool.scores is None
    expected = "Only 1 of 3 rows has a score: scores are left out."
    assert loaded.report.warnings == (expected,)


def test_rank_column_orders_the_rows() -> None:
    loaded = _load([_row("a", rank=2, score=1), _row("b", rank=1, score=2)])
    assert loaded.pool.ids == ("b", "a")
    assert "The rows were ordered by “rank”." in loaded.report.notes


@pytest.mark.parametrize("ranks", [(0, 0, 0), (1, 2, 4), (2, 3, 4), ("x", 1, 2)])
def test_rank_that_is_no_numbering_is_ignored(ranks: tuple[object, ...]) -> None:
    rows = [_row(name, rank=rank) for name, rank in zip("abc", ranks, strict=True)]
    loaded = _load(rows)
    assert loaded.pool.ids == ("a", "b", "c")
    assert "the list order is the rank" in loaded.report.notes[0]


def test_ids_that_repeat_across_sources_are_told_apart() -> None:
    rows = [_row("chunk-1", source=source, text=source) for source in ("x", "y", "x")]
    loaded = _load(rows)
    assert loaded.pool.ids == ("x#chunk-1", "y#chunk-1")
    assert _reasons(loaded)[0][2] == "The id is already that of row 1."


def test_missing_ids_are_made_and_copies_stay() -> None:
    loaded = _load([{"text": "a"}, {"text": "a"}, {"text": "b"}])
    assert len(set(loaded.pool.ids)) == 3
    assert loaded.report.copies.exact == 1
    assert "3 rows have no id" in loaded.report.notes[0]
    assert "1 row has no id" in _load([_row("a"), {"text": "b"}]).report.notes[0]
    assert loaded.pool.ids == _load([{"text": "a"}, {"text": "a"}, {"text": "b"}]).pool.ids


def test_distinct_document_ids_serve_as_ids() -> None:
    loaded = _load([{"docno": "d1", "text": "a"}, {"docno": "d2", "text": "b"}])
    assert loaded.pool.ids == ("d1", "d2")


def test_tokens_are_read_or_estimated() -> None:
    loaded = _load([_row("a", n_tokens=7), _row("b", n_tokens=None, text="123456789")])
    assert loaded.pool.tokens.tolist() == [7, 3]
    assert loaded.pool.tokenizer == ("field “n_tokens”, 1 by estimate: characters / 4, rounded up")


@pytest.mark.parametrize(
    ("fields", "positions"),
    [
        ([{"position": 3}, {"position": 5}], (3, 5)),
        ([{"chunk": "0"}, {"chunk": "2"}], (0, 2)),
        ([{"chunk_index": 1.0}, {}], (1, None)),
        ([{"index": 0, "source": "x"}, {"index": 1, "source": "y"}], (None, None)),
        ([{"id": "s#4"}, {"id": "s#12"}], (4, 12)),
        ([{"id": "s#4"}, {"id": "s#12-0"}], (None, None)),
    ],
)
def test_positions(fields: list[dict[str, object]], positions: tuple[int | None, ...]) -> None:
    rows = [{**_row(name), **more} for name, more in zip("ab", fields, strict=True)]
    assert _load(rows).pool.positions == positions


def test_spans() -> None:
    loaded = _load([_row("a", metadata={"start_char_idx": 0, "end_char_idx": 9}), _row("b")])
    assert loaded.pool.spans == ((0, 9), None)


def test_source_field_is_chosen_shown_and_changed() -> None:
    rows = [_row("a", source="1", team="x"), _row("b", source="1", team="y")]
    assert _load(rows).pool.source_field == "source"
    changed = _load(rows, source_field="team")
    assert changed.pool.sources == ("x", "y")
    assert changed.pool.fields["source (as loaded)"] == ("1", "1")
    assert _load(rows, source_field="").pool.sources == (None, None)
    with pytest.raises(PoolError, match=r"no field “nope”.*Choose one of: source, team"):
        _load(rows, source_field="nope")


def test_direction_can_be_chosen() -> None:
    loaded = _load([_row("a", score=1), _row("b", score=2)], direction=Direction.HIGHER)
    assert loaded.report.score_kind is not None
    assert loaded.report.score_kind.evidence == "Chosen by hand."


def test_distance_is_converted_once() -> None:
    rows = [_row("a", score=0.0, vector=[1, 0]), _row("b", score=1.0, vector=[0, 1])]
    pool = _load(rows, query_vector=[2, 0]).pool
    assert pool.score_kind is not None
    assert (pool.score_kind.name, pool.score_kind.conversion) == (
        "cosine distance",
        "1 - distance",
    )
    assert pool.scores is not None
    assert pool.scores.tolist() == [1.0, 0.0]
    assert pool.raw_scores is not None
    assert pool.raw_scores.tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("query", "warning"),
    [
        ([1, 0, 0], "The question's vector has 3 dimensions, the candidates have 2"),
        ([math.nan, 0], "The question's vector is not finite"),
        ("x", "The question's vector is “x”, not a list of numbers"),
    ],
)
def test_question_vector_that_does_not_fit_is_left_out(query: object, warning: str) -> None:
    loaded = _load([_row("a", vector=[1, 0])], query_vector=query)
    assert loaded.pool.query_vector is None
    assert warning in loaded.report.warnings[0]


def test_facets_reach_the_pool() -> None:
    loaded = _load([_row("a", facets=["f"]), _row("b", facets=[]), _row("c")], facets={"f": "F"})
    assert loaded.pool.facets == (Facet("f", "F"),)
    assert loaded.pool.marks.tolist() == [[1], [0], [-1]]
    assert (loaded.report.facets, loaded.report.judged) == (1, 2)


def test_metadata_becomes_text_fields() -> None:
    loaded = _load([_row("a", page=2, ok=True, loc={"line": 1.5}), _row("b", tags=["x", "y"])])
    assert loaded.pool.fields == {
        "page": ("2", None),
        "ok": ("true", None),
        "loc.line": ("1.5", None),
        "tags": (None, "x, y"),
    }


def test_ids_and_vectors_without_texts_make_a_pool_with_a_warning() -> None:
    loaded = _load([{"id": "a", "vector": [1, 0]}, {"id": "b", "vector": [0, 1]}])
    assert loaded.pool.texts == ("", "")
    assert "No candidate has a text" in loaded.report.warnings[0]


def test_arrays_are_read_only() -> None:
    pool = _load([_row("a", score=1, vector=[1, 0])]).pool
    for array in (pool.vectors, pool.scores, pool.raw_scores, pool.tokens, pool.has_vector):
        assert isinstance(array, np.ndarray)
        assert not array.flags.writeable


def test_of_two_equally_frequent_dimensions_the_questions_own_counts() -> None:
    rows = [_row("a", vector=[1, 0]), _row("b", vector=[1, 0, 0])]
    three = _load(rows, query_vector=[0, 1, 0])
    assert three.pool.ids == ("b",)
    assert _reasons(three) == [(1, "a", "The vector has 2 dimensions, most have 3.")]
    assert _load(rows).pool.ids == ("a",)


def test_merging_sources_loses_no_row_and_keeps_what_was_loaded() -> None:
    rows = [
        RawRow(
            Place(row=number), "0", f"text {number}", fields={"source": label, "chunk_index": "0"}
        )
        for number, label in enumerate(("a.md#chunk-1", "a.md#chunk-2", "b.md#chunk-1"), start=1)
    ]
    apart = assemble(RawPool(rows))
    merged = assemble(RawPool(rows), merges=("parts",))
    assert apart.pool.ids == merged.pool.ids == tuple(f"{row.fields['source']}#0" for row in rows)
    assert apart.pool.sources == tuple(row.fields["source"] for row in rows)
    assert merged.pool.sources == ("a.md", "a.md", "b.md")
    assert merged.pool.fields["source (as loaded)"] == apart.pool.sources
    assert "source (as loaded)" not in apart.pool.fields
    assert (apart.pool.merges, merged.pool.merges) == ((), ("parts",))
    assert apart.pool.digest != merged.pool.digest
    assert merged.report.sources.distinct == 2
    assert merged.report.sources.chosen.distinct == 3


def test_places_that_two_merged_labels_number_alike_are_forgotten() -> None:
    rows = [
        RawRow(Place(row=number), f"p{number}", "x", fields={"source": label, "chunk_index": place})
        for number, (label, place) in enumerate(
            (("a.md#chunk-1", "0"), ("a.md#chunk-2", "0"), ("b.md#chunk-1", "0"), ("c.md", "4")),
            start=1,
        )
    ]
    assert assemble(RawPool(rows)).pool.positions == (0, 0, 0, 4)
    assert assemble(RawPool(rows), merges=("parts",)).pool.positions == (None, None, 0, 4)


def test_an_unknown_rule_for_merging_is_refused() -> None:
    with pytest.raises(PoolError, match="no rule “colour”"):
        assemble(RawPool([RawRow(Place(row=1), "a", "x")]), merges=("colour",))
