import json
from typing import TYPE_CHECKING

from poolscope import formats

if TYPE_CHECKING:
    from tests.formats.conftest import Known


def _read(value: object) -> formats.Load:
    return formats.read(json.dumps(value).encode(), "x.json")


def test_search(known: "Known") -> None:
    load = known.loads("milvus_search.json")
    scores = known.cosines(known.ranked)
    known.check(load.question(), scores=scores, vectors=True, query="")
    assert load.format.name == "milvus"
    kind = load.question().pool.score_kind
    assert kind is not None
    assert kind.direction == "higher is better"


def test_rows_of_query_have_no_score(known: "Known") -> None:
    order = ("refunds-0", "refunds-1", "refunds-2", "refunds-3", "billing-0", "chat-17")
    known.check(known.loads("milvus_query.json").question(), order, vectors=True, query="")


def _hit(name: str, distance: float) -> dict[str, object]:
    return {"pk": name, "distance": distance, "entity": {"text": f"text {name}"}}


def test_each_list_is_a_question() -> None:
    load = _read([[_hit("a", 0.1), _hit("b", 0.2)], [], [_hit("c", 0.1)]])
    assert [outline.candidates for outline in load.outlines] == [2, 0, 1]
    assert load.question(0).pool.ids == ("a", "b")
    kind = load.question(0).pool.score_kind
    assert kind is not None
    assert kind.direction == "lower is better"


def test_printed_form_with_its_cost() -> None:
    printed = f"data: {[[_hit('a', 0.9), _hit('b', 0.8)]]}, extra_info: {{'cost': 6}}"
    loaded = formats.read(printed.encode()).question()
    assert loaded.pool.ids == ("a", "b")
    assert "It was read as Milvus prints it." in loaded.report.notes


def test_rows_over_rest_are_split_by_question() -> None:
    rows = [{"id": n, "distance": 1 / n, "text": f"t{n}"} for n in (1, 2, 3)]
    load = _read({"code": 0, "cost": 0, "data": rows, "topks": [2, 1]})
    assert [outline.candidates for outline in load.outlines] == [2, 1]
    assert load.question(1).pool.ids == ("3",)


def test_printed_lists_of_older_clients_are_texts() -> None:
    printed = f"data: {[str([_hit('a', 0.9), _hit('b', 0.8)])]} , extra_info: {{}}"
    assert formats.read(printed.encode()).question().pool.ids == ("a", "b")
