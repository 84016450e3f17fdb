import pytest

from poolscope import errors
from poolscope.errors import (
    FormatError,
    JudgeError,
    Place,
    PolicyError,
    PoolError,
    PoolscopeError,
    StoreError,
)

KINDS = (FormatError, PoolError, PolicyError, JudgeError, StoreError)


def test_a_place_names_only_the_parts_that_are_known() -> None:
    assert str(Place()) == ""
    assert str(Place(file="pool.csv")) == "pool.csv"
    assert str(Place(row=1, column="score")) == "row 1, field “score”"
    assert str(Place(file="pool.csv", line=4, row=3, column="score")) == (
        "pool.csv, line 4, row 3, field “score”"
    )


def test_row_and_line_zero_are_parts_too() -> None:
    assert str(Place(line=0)) == "line 0"
    assert str(Place(row=0)) == "row 0"


@pytest.mark.parametrize("kind", KINDS)
def test_the_sentence_is_place_problem_remedy(kind: type[PoolscopeError]) -> None:
    error = kind("It is broken.", "Mend it.", Place(file="a.json", line=2))
    assert str(error) == "a.json, line 2: It is broken. Mend it."
    assert (error.problem, error.remedy) == ("It is broken.", "Mend it.")


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_place_the_sentence_starts_with_the_problem(kind: type[PoolscopeError]) -> None:
    error = kind("It is broken.", "Mend it.")
    assert str(error) == "It is broken. Mend it."
    assert error.place == Place()


@pytest.mark.parametrize("kind", KINDS)
def test_one_except_catches_all_of_ours_and_no_bug(kind: type[PoolscopeError]) -> None:
    assert issubclass(kind, PoolscopeError)
    assert not issubclass(kind, (ValueError, TypeError, LookupError))


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    tree = errors.__doc__ or ""
    defined = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, Exception)
    }
    assert defined == {kind.__name__ for kind in (PoolscopeError, *KINDS)}
    assert all(name in tree for name in defined)
