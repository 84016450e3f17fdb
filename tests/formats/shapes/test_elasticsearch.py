import json
from typing import TYPE_CHECKING

import pytest

from poolscope import formats
from poolscope.errors import FormatError

if TYPE_CHECKING:
    from tests.formats.conftest import Known


def _read(value: object) -> formats.Load:
    return formats.read(json.dumps(value).encode(), "x.json")


@pytest.mark.parametrize(
    ("name", "order", "scores", "vectors"),
    [
        (
            "opensearch_osmem_bm25.json",
            ("refunds-2", "refunds-0", "refunds-3", "refunds-1"),
            (0.68813515, 0.5616106, 0.5616106, 0.54309595),
            False,
        ),
        ("opensearch_osmem_fields.json", ("refunds-0", "refunds-1"), (1.0, 1.0), False),
        (
            "opensearch_osmem_sorted_null_score.json",
            ("refunds-0", "billing-0", "chat-17", "refunds-1", "refunds-2", "refunds-3"),
            None,
            True,
        ),
    ],
)
def test_hits(
    known: "Known",
    name: str,
    order: tuple[str, ...],
    scores: tuple[float, ...] | None,
    *,
    vectors: bool,
) -> None:
    loaded = known.loads(name).question()
    known.check(loaded, order, scores=scores, vectors=vectors, query="")
    assert any("no score, as after a sort" in note for note in loaded.report.notes) == vectors


def _response(*hits: object) -> dict[str, object]:
    return {"took": 1, "hits": {"total": len(hits), "hits": list(hits)}}


def _hit(name: str, score: float | None = 1.0, **parts: object) -> dict[str, object]:
    source = {"text": f"text {name}", "source": "s"}
    return {"_index": "x", "_id": name, "_score": score, "_source": source, **parts}


def _nested(parent: str, offset: int, score: float) -> dict[str, object]:
    return {
        "_id": parent,
        "_nested": {"field": "passages", "offset": offset},
        "_score": score,
        "_source": {"text": f"{parent} {offset}", "vector": [1.0, offset]},
    }


def test_passages_inside_a_document_are_candidates() -> None:
    inner = {"passages": _response(_nested("d1", 4, 0.9), _nested("d1", 2, 0.7))}
    other = {"passages": _response(_nested("d2", 0, 0.8))}
    loaded = _read(
        _response(
            _hit("d1", _source={"title": "One", "passages": []}, inner_hits=inner),
            _hit("d2", _source={"title": "Two", "content": "whole"}, inner_hits=other),
        )
    ).question()
    pool = loaded.pool
    assert pool.ids == ("d1#4", "d1#2", "d2#0")
    assert pool.texts == ("d1 4", "d1 2", "d2 0")
    assert pool.sources == ("d1", "d1", "d2")
    assert pool.positions == (4, 2, 0)
    assert pool.fields["title"] == ("One", "One", "Two")
    assert "content" not in pool.fields
    assert pool.raw_scores is not None
    assert pool.raw_scores.tolist() == [0.9, 0.7, 0.8]
    assert loaded.report.notes == ("Opened: 2 hits into 3 inner hits.",)


def test_a_collapse_with_inner_hits_is_opened() -> None:
    inner = {"more": _response(_hit("a"), _hit("b"))}
    pool = _read(_response(_hit("a", fields={"source": ["s"]}, inner_hits=inner))).question().pool
    assert pool.ids == ("a", "b")
    assert pool.sources == ("s", "s")


def test_a_collapse_without_them_is_said() -> None:
    hits = [_hit("a", fields={"group": [1]}), _hit("b", fields={"group": [2]})]
    notes = _read(_response(*hits)).question().report.notes
    assert "another “group”, as after a collapse" in notes[0]


def test_rank_of_fusion() -> None:
    loaded = _read(_response(_hit("b", None, _rank=2), _hit("a", None, _rank=1))).question()
    assert loaded.pool.ids == ("a", "b")
    assert loaded.pool.raw_scores is None


def test_semantic_text() -> None:
    source = {"content": {"text": "passage", "inference": {"inference_id": "e"}}, "url": "u"}
    pool = _read(_response(_hit("a", _source=source))).question().pool
    assert pool.texts == ("passage",)
    assert pool.sources == ("u",)


def _lit(name: str, pieces: list[str], score: float = 1.0, **more: object) -> dict[str, object]:
    lit = {"title": ["t"], "body_semantic": pieces}
    return {"_index": "x", "_id": name, "_score": score, "highlight": lit, **more}


def test_highlighted_chunks_stand_in_for_a_semantic_text_that_is_not_returned() -> None:
    hits = [
        _lit("a", ["first chunk", "second chunk"], 0.9, _source={"url": "u"}),
        _lit("b", ["third chunk"], 0.8, _source={"url": "v"}),
    ]
    loaded = _read(_response(*hits)).question()
    pool = loaded.pool
    assert pool.texts == ("first chunk", "second chunk", "third chunk")
    assert pool.ids == ("a#0", "a#1", "b")
    assert pool.raw_scores is not None
    assert pool.raw_scores.tolist() == [0.9, 0.9, 0.8]
    assert pool.sources == ("u", "u", "v")
    assert any("read as texts. 2 chunks share the score" in each for each in loaded.report.notes)


def test_chunks_of_a_hit_without_fields_have_its_id_as_their_source() -> None:
    hits = [_lit("a", ["first", "second"]), _lit("b", ["third", "fourth"])]
    assert _read(_response(*hits)).question().pool.sources == ("a", "a", "b", "b")


def test_pieces_around_matched_words_are_one_passage_without_their_marks() -> None:
    lit = {"highlight": {"content": ["the <em>probe</em> fires", '<em class="hlt1">early</em>']}}
    hits = [{"_index": "x", "_id": name, "_score": 1.0, **lit} for name in "ab"]
    loaded = _read(_response(*hits)).question()
    assert loaded.pool.texts == ("the probe fires\nearly",) * 2
    assert loaded.pool.ids == ("a", "b")
    assert any("“content” were read as texts." in note for note in loaded.report.notes)


def test_a_text_that_is_returned_is_read_before_what_is_highlighted() -> None:
    hit = _lit("a", ["first chunk", "second chunk"], _source={"text": "the whole passage"})
    assert _read(_response(hit)).question().pool.texts == ("the whole passage",)


def test_a_hit_without_a_fragment_beside_hits_with_some_is_set_aside() -> None:
    bare = {"_index": "x", "_id": "b", "_score": 0.9}
    loaded = _read(_response(_lit("a", ["one", "two"]), bare)).question()
    assert loaded.pool.ids == ("a#0", "a#1")
    assert [row.id for row in loaded.report.set_aside] == ["b"]


def test_multi_search_and_bare_hits() -> None:
    load = _read({"responses": [_response(_hit("a")), {"error": {"reason": "no shard"}}]})
    assert load.question(0).pool.ids == ("a",)
    with pytest.raises(FormatError, match="no shard"):
        load.question(1)
    assert _read([_hit("a"), _hit("b")]).question().pool.ids == ("a", "b")


def test_hits_without_source_are_read_and_ask_for_a_corpus() -> None:
    hit = {"_index": "x", "_id": "a", "_score": 1.0}
    loaded = _read(_response(hit)).question()
    assert (loaded.pool.ids, loaded.pool.texts) == (("a",), ("",))
    assert any("no texts. Give beside it the corpus" in note for note in loaded.report.notes)


def test_dotted_names_of_fields() -> None:
    fields = {"body": ["t"], "metadata.source": ["s"], "vector": [0.6, 0.8], "tags": ["x", "y"]}
    hit = {"_index": "x", "_id": "a", "_score": 1.0, "fields": fields}
    pool = _read(_response(hit)).question().pool
    assert pool.sources == ("s",)
    assert pool.fields["tags"] == ("x, y",)
    assert pool.vectors is not None
    assert pool.vectors[0] == pytest.approx([0.6, 0.8])


def _deep(*offsets: int) -> dict[str, object]:
    place: dict[str, object] = {}
    for offset in reversed(offsets):
        place = {"field": "part", "offset": offset, **({"_nested": place} if place else {})}
    return {"_id": "d", "_nested": place, "_score": 1, "_source": {"text": f"text {offsets}"}}


def test_inner_hits_of_inner_hits_are_opened() -> None:
    section = {**_deep(2), "inner_hits": {"part.part": _response(_deep(2, 0), _deep(2, 1))}}
    hit = _hit("d", _source={"title": "One"}, inner_hits={"part": _response(section)})
    pool = _read(_response(hit)).question().pool
    assert pool.ids == ("d#2.0", "d#2.1")
    assert pool.texts == ("text (2, 0)", "text (2, 1)")
    assert pool.positions == (0, 1)


def test_pieces_of_two_fields_at_one_place_are_two() -> None:
    other = {**_nested("d1", 0, 0.7), "_nested": {"field": "notes", "offset": 0}}
    inner = {"passages": _response(_nested("d1", 0, 0.9)), "notes": _response(other)}
    pool = _read(_response(_hit("d1", _source={"title": "x"}, inner_hits=inner))).question().pool
    assert pool.ids == ("d1#passages.0", "d1#notes.0")


def test_inner_hits_that_the_search_cut_are_counted() -> None:
    inner = {"more": {"hits": {"total": {"value": 5}, "hits": [_hit("a"), _hit("b")]}}}
    loaded = _read(_response(_hit("a", fields={"source": ["s"]}, inner_hits=inner))).question()
    assert loaded.report.notes == (
        "Opened: 1 hit into 2 inner hits.",
        "3 further inner hits were counted by the search and not returned: its “size” cut them.",
    )


def test_hits_of_aggregations_are_read_where_the_search_lists_none() -> None:
    buckets = [{"key": name, "top": _response(*map(_hit, name))} for name in ("ab", "c")]
    aggregations = {"aggregations": {"by": {"buckets": buckets}}}
    loaded = _read({**_response(), **aggregations}).question()
    assert loaded.pool.ids == ("a", "b", "c")
    assert "those of 2 buckets of its aggregations were read" in loaded.report.notes[0]
    beside = _read({**_response(_hit("a")), **aggregations}).question()
    assert beside.pool.ids == ("a",)
    assert beside.report.notes[0] == (
        "The aggregations hold 2 further hits that are no part of the list."
    )


def test_several_texts_of_a_field_are_joined() -> None:
    hits = [
        {"_id": "a", "fields": {"text": ["one", "two"]}},
        {"_id": "b", "fields": {"text": ["c"]}},
    ]
    loaded = _read(_response(*hits)).question()
    assert loaded.pool.texts == ("one\ntwo", "c")
    assert "“text” holds several texts in 1 row; they were joined, a line each." in (
        loaded.report.notes
    )
