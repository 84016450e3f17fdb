import json
from typing import TYPE_CHECKING

from poolscope import formats

if TYPE_CHECKING:
    from tests.formats.conftest import Known


def _read(value: object) -> formats.Load:
    return formats.read(json.dumps(value).encode(), "x.json")


ORDER = ("refunds-0", "refunds-1", "refunds-2", "refunds-3", "billing-0", "chat-17")


def test_objects_of_the_client(known: "Known") -> None:
    loaded = known.loads("weaviate_v4_asdict_dataclass.json").question()
    scores = [1 - cosine for cosine in known.cosines(ORDER)]
    known.check(loaded, ORDER, scores=scores, vectors=True, query="")
    assert loaded.pool.fields["certainty"][0] == "0.9714909791946411"


def _object(name: str, **metadata: object) -> dict[str, object]:
    return {"uuid": name, "properties": {"text": name}, "metadata": metadata, "vector": {}}


def test_the_score_that_orders_the_list_counts() -> None:
    objects = [
        _object("a", distance=0.3, score=None, rerank_score=0.9),
        _object("b", distance=0.1, score=None, rerank_score=0.4),
        _object("c", distance=0.2, score=None, rerank_score=0.2),
    ]
    pool = _read({"objects": objects}).question().pool
    assert pool.raw_scores is not None
    assert pool.raw_scores.tolist() == [0.9, 0.4, 0.2]
    assert pool.fields["distance"] == ("0.3", "0.1", "0.2")


def test_score_as_text_and_several_classes() -> None:
    row = {"content": "t", "url": "u", "_additional": {"id": "i", "score": "0.016"}}
    load = _read({"data": {"Get": {"A": [row], "B": [row]}}})
    assert [outline.query_id for outline in load.outlines] == ["A", "B"]
    pool = load.question().pool
    assert pool.sources == ("u",)
    assert pool.raw_scores is not None
    assert pool.raw_scores.tolist() == [0.016]


def test_objects_over_rest_carry_no_score() -> None:
    value = {"objects": [{"class": "A", "id": "i", "properties": {"text": "t"}, "vector": [1, 0]}]}
    loaded = _read(value).question()
    assert loaded.pool.ids == ("i",)
    assert loaded.pool.vectors is not None
    assert loaded.report.notes == (
        "No distance or score was asked for; the list order is the rank.",
    )


def test_objects_a_line() -> None:
    lines = [_object("a", distance=0.1, certainty=0.95), _object("b", distance=0.2, certainty=0.9)]
    load = formats.read("\n".join(map(json.dumps, lines)).encode(), "x.jsonl")
    pool = load.question().pool
    assert load.format.name == "weaviate"
    assert pool.raw_scores is not None
    assert pool.raw_scores.tolist() == [0.1, 0.2]
    assert pool.score_kind is not None
    assert pool.score_kind.direction == "lower is better"


def _grouped(doc: str, names: str, count: int) -> dict[str, object]:
    hits = [
        {"text": f"text {name}", "_additional": {"id": name, "distance": ord(name) / 1000}}
        for name in names
    ]
    group = {"id": 0, "groupedBy": {"value": doc, "path": ["doc"]}, "count": count, "hits": hits}
    return {"_additional": {"group": group}}


def test_every_hit_of_a_group_is_a_candidate() -> None:
    headed = {"text": "text d", **_grouped("b", "d", 1)}
    loaded = _read({"data": {"Get": {"A": [_grouped("a", "abc", 5), headed]}}}).question()
    assert loaded.pool.ids == ("a", "b", "c", "d")
    assert loaded.pool.texts == ("text a", "text b", "text c", "text d")
    assert loaded.pool.fields["group"] == ("a", "a", "a", "b")
    assert loaded.pool.raw_scores is not None
    assert loaded.pool.raw_scores.tolist() == [0.097, 0.098, 0.099, 0.1]
    assert loaded.report.notes[:2] == (
        "Opened: 2 groups of Weaviate into 4 hits, one group after the other.",
        "The groups count 6 objects; 2 of them are not in it.",
    )


def test_groups_of_the_client_are_one_question() -> None:
    groups = {
        name: {"name": name, "objects": [{**_object(each), "belongs_to_group": name}]}
        for name, each in (("x", "a"), ("y", "b"))
    }
    pool = _read({"groups": groups}).question().pool
    assert pool.ids == ("a", "b")
    assert pool.fields["group"] == ("x", "y")


def test_what_is_no_object_is_set_aside_not_passed_over() -> None:
    row = {"content": "t", "_additional": {"id": "i", "distance": 0.1}}
    loaded = _read({"data": {"Get": {"A": [row, None]}}}).question()
    assert loaded.pool.ids == ("i",)
    assert [item.row for item in loaded.report.set_aside] == [2]
