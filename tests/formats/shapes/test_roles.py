import numpy as np
import pytest

from poolscope.formats.shapes import roles


def test_the_first_alias_that_fits() -> None:
    entries = [{"relevance": "high", "distance": "0.5"}]
    assert roles.field(entries, "score") == "distance"
    assert roles.field([{"values": ["a", "b"], "emb": [1.0, 2.0]}], "vector") == "emb"
    assert roles.field([{}], "score") is None


def test_parsed() -> None:
    assert roles.parsed('[{"a": 1}]') == [{"a": 1}]
    assert roles.parsed("[{'a': datetime.date(2026, 1, 2)}]") == [{"a": "2026-01-02"}]
    assert roles.parsed("[not a list") == "[not a list"
    assert roles.parsed(np.array([1.0])) == [1.0]


def test_distinct() -> None:
    assert roles.distinct(["a", 1])
    assert not roles.distinct(["a", "a"])
    assert not roles.distinct(["a", None])
    assert not roles.distinct([])


@pytest.mark.parametrize(
    ("value", "is_vector"),
    [
        ([1, 2.5], True),
        ("[0.1, 0.2]", True),
        ({"dense": [0.1, 0.2]}, True),
        ({"indices": [1], "values": [0.5]}, False),
        ("abcdefghijklmnopqrstuvwx", False),
        ([1.0], False),
        (["a", "b"], False),
        (None, False),
    ],
)
def test_vectors(value: object, is_vector: bool) -> None:  # noqa: FBT001 - a column of the table
    assert roles.is_vector(value) is is_vector
