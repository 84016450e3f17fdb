import pytest

from poolscope.errors import Place
from poolscope.formats.base import RawRow
from poolscope.formats.facets import judge
from poolscope.model import DOES_NOT, SUPPORTS, UNJUDGED, Facet


def _rows(*entries: object) -> list[RawRow]:
    return [RawRow(Place(row=number), facets=entry) for number, entry in enumerate(entries, 1)]


def test_lists_judge_every_facet_mappings_those_they_name() -> None:
    judged = judge(
        {"a": "A", "b": "B"},
        _rows(["a"], [], None, {"a": True, "b": None}, {"b": False}, {"a": 1, "b": "no"}),
    )
    assert judged.judgements.tolist() == [
        [SUPPORTS, DOES_NOT],
        [DOES_NOT, DOES_NOT],
        [UNJUDGED, UNJUDGED],
        [SUPPORTS, UNJUDGED],
        [UNJUDGED, DOES_NOT],
        [SUPPORTS, DOES_NOT],
    ]


@pytest.mark.parametrize(
    "head",
    [
        {"a": "A", "b": "b"},
        {"a": {"label": "A"}, "b": None},
        [{"id": "a", "label": "A"}, "b"],
        '{"a": "A", "b": "b"}',
    ],
)
def test_heads(head: object) -> None:
    assert judge(head, []).facets == (Facet("a", "A"), Facet("b", "b"))


def test_facets_that_only_rows_name_are_added() -> None:
    judged = judge({"a": "A"}, _rows(["a", "z"], []))
    assert judged.facets[1] == Facet("z", "z")
    assert judged.judgements.tolist() == [[1, 1], [0, 0]]
    assert judged.notes == ("1 facet named by candidates only and added: “z”.",)


@pytest.mark.parametrize("written", ['["a", "b"]', "['a', 'b']", "a; b", "a|b", "a,b"])
def test_lists_in_text(written: str) -> None:
    assert judge({"a": "A", "b": "B"}, _rows(written)).judgements.tolist() == [[1, 1]]


def test_no_facets_at_all() -> None:
    assert judge(None, _rows(None, None)).judgements.shape == (2, 0)
