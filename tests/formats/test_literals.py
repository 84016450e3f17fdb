import math

import pytest

from poolscope.formats import literals


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("[1, -2.5, 'a', None, True]", [1, -2.5, "a", None, True]),
        ("Document(id='a', metadata={'n': 1})", {"id": "a", "metadata": {"n": 1}}),
        ("[(Document(id='a'), np.float64(0.5))]", [[{"id": "a"}, 0.5]]),
        ("{'v': array([0.1, 0.2], dtype=float32)}", {"v": [0.1, 0.2]}),
        ("{'t': datetime.datetime(2026, 1, 2, 3, 4, tzinfo=UTC)}", {"t": "2026-01-02T03:04"}),
        ("{'t': datetime.date(2026, 1, 2)}", {"t": "2026-01-02"}),
        ("[UUID('a'), PosixPath('b'), Decimal('1.5')]", ["a", "b", "1.5"]),
        ("{'k': <Kind.A: '4'>, 't': '<Kind.A: 4>'}", {"k": "4", "t": "<Kind.A: 4>"}),
        ("defaultdict(<class 'list'>, {'a': 1})", None),
        ("{1: 'a'}", {"1": "a"}),
        ("['it is a' \"b's\"\n 'c  d']", ["it is a", "b's", "c  d"]),
        ("[{'a': 1}\n {'a': 'x' }]", [{"a": 1}, {"a": "x"}]),
        ("array([0.5 -1.\n 2. ])", [0.5, -1.0, 2.0]),
        ("(Document(id='a'), 1)\n(Document(id='b'), 2)", [[{"id": "a"}, 1], [{"id": "b"}, 2]]),
        ("Document(id='a')\nDocument(id='b')", [{"id": "a"}, {"id": "b"}]),
        (
            "page_content='a b=c' metadata={'k': 'x y=z'}",
            {"page_content": "a b=c", "metadata": {"k": "x y=z"}},
        ),
        ("['\\ud83d\\ude00']", ["\N{GRINNING FACE}"]),
        ("{'v': array([0.1, ..., 0.2])}", {"v": "[0.1, ..., 0.2]"}),
    ],
)
def test_values(written: str, value: object) -> None:
    if value is None:
        with pytest.raises(literals.NotPythonError):
            literals.value(written)
    else:
        assert literals.value(written) == value


def test_numbers_that_are_none() -> None:
    found = literals.value("[nan, inf, -inf, np.nan]")
    assert isinstance(found, list)
    assert [math.isnan(number) for number in found] == [True, False, False, True]
    assert found[1:3] == [math.inf, -math.inf]


@pytest.mark.parametrize(
    "written",
    [
        "__import__('os').system('id')",
        "[x for x in y]",
        "lambda: 1",
        "f'{a}'",
        "a = 1",
        "1 + 1",
        "f(*a)",
        "f(**a)",
        "{**a}",
        "a[0]",
        "f()()",
        "3j",
        "0x" + "f" * 5000,
        "(" * 300 + ")" * 300,
        "-" * 100 + "1",
        "[" * 80 + "]" * 80,
        "'" + "a" * literals.LONGEST + "'",
        "",
        "# a comment",
    ],
    ids=lambda written: written[:20],
)
def test_what_is_no_value_is_refused(written: str) -> None:
    with pytest.raises(literals.NotPythonError):
        literals.value(written)


@pytest.mark.parametrize(
    "written",
    ["['" + "\\'" * 200_000, "['a" + " " * 200_000, "[" + "1 " * 50_000 + "x", "f" + "()" * 50_000],
    ids=lambda written: written[:8],
)
def test_long_texts_that_never_close_are_refused(written: str) -> None:
    """Each text in quotes is met once, however the rest of it looks."""
    with pytest.raises(literals.NotPythonError):
        literals.value(written)
