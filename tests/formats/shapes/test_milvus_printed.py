import json

import pytest

from poolscope import formats

HITS = [
    "id: 145, distance: 0.25, entity: {'text': \"It's due, id: 3\", 'url': 'a'}",
    "id: num3, distance: 1e-05, entity: {'text': 'two\\nlines', 'url': 'b'}",
]


def _read(written: str) -> formats.Loaded:
    load = formats.read(written.encode(), "printed.txt")
    assert load.format.name == "milvus"
    return load.question()


@pytest.mark.parametrize(
    "written",
    [str(HITS), json.dumps(HITS), "\n".join(HITS), str([str(HITS)]), str([HITS]),
     f"data: {[str(HITS)]} , cost: 0", json.dumps({"code": 200, "search_result": [HITS]})],
    ids=["list", "json", "lines", "lists", "nested", "result", "logged"],
)  # fmt: skip
def test_every_hit_is_read_from_what_is_printed(written: str) -> None:
    loaded = _read(written)
    assert loaded.pool.ids == ("145", "num3")
    assert loaded.pool.texts == ("It's due, id: 3", "two\nlines")
    assert loaded.pool.sources == ("a", "b")
    assert loaded.pool.raw_scores is not None
    assert loaded.pool.raw_scores.tolist() == [0.25, 1e-05]
    assert "It was read as Milvus prints it." in loaded.report.notes


def test_oldest_print_has_ids_alone() -> None:
    loaded = _read(str(["(distance: 0.2, id: 1)", "(distance: 0.3, id: 2)"]))
    assert loaded.pool.ids == ("1", "2")
    assert any("no texts" in note for note in loaded.report.notes)


def test_ten_hits_may_be_a_cut_list_and_a_cut_hit_is_set_aside() -> None:
    ten = [f"id: {n}, distance: 0.{n + 1}, entity: {{'text': 't{n}'}}" for n in range(10)]
    assert any("first ten" in note for note in _read(str(ten)).report.notes)
    cut = _read("\n".join([*HITS, "id: 7, distance: 0.5, entity: {'text': 'a"]))
    assert [item.reason for item in cut.report.set_aside] == ["The printed hit is cut off."]
