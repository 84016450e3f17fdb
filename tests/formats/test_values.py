import base64
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolscope.formats import values

NUMBERS = [-0.14, 0.18, 0.5, 2.0]


def _base64() -> str:
    return base64.b64encode(np.array(NUMBERS, dtype="<f4").tobytes()).decode()


@pytest.mark.parametrize(
    "written",
    [
        NUMBERS,
        tuple(NUMBERS),
        [NUMBERS],
        np.array(NUMBERS),
        np.array([NUMBERS], dtype=np.float32),
        "[-0.14, 0.18, 0.5, 2.0]",
        "[[-0.14, 0.18, 0.5, 2.0]]",
        "[-0.14 0.18\n  0.5   2. ]",
        "-0.14 0.18 0.5 2",
        "[np.float32(-0.14), np.float32(0.18), np.float32(0.5), np.float32(2.0)]",
        "array([-0.14,  0.18,  0.5 ,  2.  ], dtype=float32)",
        np.array(NUMBERS, dtype="<f4").tobytes(),
        _base64(),
        {"dense": NUMBERS},
        '{"dense": [-0.14, 0.18, 0.5, 2.0]}',
    ],
    ids=lambda written: str(written)[:24],
)
def test_vector_forms(written: object) -> None:
    assert values.vector(written) == pytest.approx(NUMBERS, abs=1e-7)


@pytest.mark.parametrize(
    "nothing", [None, "", " ", [], "[]", np.zeros(0), {"indices": [1], "values": [0.5]}]
)
def test_no_vector(nothing: object) -> None:
    assert values.vector(nothing) is None


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("high", "is “high”, not a list of numbers"),
        (0.5, "is a number, not a list of numbers"),
        ([0.1, None], "holds null among its numbers"),
        ([True], "holds true or false among its numbers"),
        ([[1, 2], [3, 4]], "holds a list among its numbers"),
        ("[[1, 2], [3, 4]]", "holds several vectors"),
        (np.zeros((2, 2)), "holds several vectors"),
        (b"abc", "is 3 bytes"),
        ([10**400], "holds a number too large"),
    ],
)
def test_refused_vectors(written: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        values.vector(written)


@pytest.mark.parametrize("cut", ["[0.1 0.2 ... 0.5 0.6]", "[0.1, …, 0.6]"])
def test_cut_vector_is_lost(cut: str) -> None:
    with pytest.raises(values.LostVectorError):
        values.vector(cut)


@pytest.mark.parametrize(
    ("written", "number"),
    [
        (3, 3.0),
        ("0.0570179224014", 0.0570179224014),
        (" 1e-3 ", 0.001),
        ("0,94", 0.94),
        (np.float32(0.5), 0.5),
        (10**400, math.inf),
        (-(10**400), -math.inf),
        ("Infinity", math.inf),
        (None, None),
        ("  ", None),
    ],
)
def test_number(written: object, number: float | None) -> None:
    assert values.number(written) == number


@pytest.mark.parametrize("written", ["abc", "1,234", True, [1.0], {}])
def test_not_a_number(written: object) -> None:
    with pytest.raises(ValueError, match="not a number"):
        values.number(written)


@pytest.mark.parametrize(
    ("written", "whole"),
    [("12", 12), (12.0, 12), (12.5, None), ("a", None), (math.nan, None), (math.inf, None)],
)
def test_whole(written: object, whole: int | None) -> None:
    assert values.whole(written) == whole


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (2024.0, "2024"),
        (0.25, "0.25"),
        (True, "true"),
        (7, "7"),
        ("\ud83d", "?"),
        ("é", "é"),
        (b"ab", "ab"),
    ],
)
def test_text(value: object, written: str) -> None:
    assert values.text(value) == written


def test_structures_in_text() -> None:
    assert values.structure('["a", 1]') == ["a", 1]
    assert values.structure("{'a': None}") == {"a": None}
    assert values.structure("[datetime.datetime(2024, 1, 1)]") == ["2024-01-01"]
    assert values.structure("{'v': np.float64(0.5)}") == {"v": 0.5}
    assert values.structure("(deprecated)") == "(deprecated)"
    assert values.structure(7) == 7
    assert values.structure("plain") == "plain"
    assert values.structure("(" * 5000) == "(" * 5000
    assert values.structure("[" * 50_000) == "[" * 50_000


@given(st.text(max_size=60))
def test_any_text_is_a_vector_or_refused(written: str) -> None:
    try:
        vector = values.vector(written)
    except ValueError:
        return
    assert vector is None or vector.ndim == 1


def test_shown_is_short() -> None:
    assert values.shown("a\nb") == "a b"
    assert len(values.shown("x" * 500)) == values.SHOWN
