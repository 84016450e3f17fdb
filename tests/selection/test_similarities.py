"""Similarities are worked out once, the same whoever asks, and no more than there is room for."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from poolscope import geometry
from poolscope.geometry import Floats
from poolscope.model import Pool
from poolscope.selection import similarities as module
from poolscope.selection.similarities import Similarities, similarities

MakePool: TypeAlias = Callable[..., Pool]


def _rows(n: int, d: int) -> Floats:
    return geometry.unit_rows(np.random.default_rng(n).normal(size=(n, d))).rows


def test_a_row_is_the_cosine_of_everybody_to_one(make_pool: MakePool) -> None:
    pool = make_pool(
        vectors=[[1, 0], [0.6, 0.8], [0, 0], [-1, 0]], has_vector=np.array([1, 1, 0, 1], bool)
    )
    assert similarities(pool).row(0) == pytest.approx([1.0, 0.6, 0.0, -1.0])
    assert similarities(pool).row(2).tolist() == [0.0] * 4


def test_a_pool_has_one_of_them_and_a_row_is_made_once(make_pool: MakePool) -> None:
    pool = make_pool(vectors=[[1, 0], [0.6, 0.8]])
    known = similarities(pool)
    assert similarities(pool) is known
    assert known.known(1) is None
    assert known.row(1) is known.row(1)
    assert known.known(1) is known.row(1)
    assert not known.row(1).flags.writeable


def test_without_vectors_nobody_resembles_anybody(make_pool: MakePool) -> None:
    assert similarities(make_pool(3)).row(1).tolist() == [0.0, 0.0, 0.0]


def test_rows_for_many_are_the_rows_for_each() -> None:
    rows = _rows(40, 8)
    many, one = Similarities(rows), Similarities(rows)
    for index, row in zip((5, 0, 39), many.rows([5, 0, 39]), strict=True):
        assert row.tolist() == one.row(index).tolist()


def test_one_product_for_many_is_kept_for_those_who_ask_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "LARGE", 100)
    rows = _rows(40, 8)
    known = Similarities(rows)
    found = known.rows([3, 7, 3])
    assert found[0] == pytest.approx(rows @ rows[3], abs=1e-12)
    assert found[2] is found[0]
    assert known.row(7) is found[1]


def test_no_more_is_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROOM", 90)
    known = Similarities(_rows(40, 8))
    for index in range(4):
        assert known.row(index)[index] == pytest.approx(1.0)
    assert [index for index in range(4) if known.known(index) is not None] == [0, 1]


def test_the_largest_of_several_and_those_among_some_keep_nothing() -> None:
    rows = _rows(40, 8)
    known = Similarities(rows)
    assert known.largest(rows[5:9], [1]) == pytest.approx(rows[5:9] @ rows[1])
    assert known.largest(rows[5:9], [1, 2, 30]) == pytest.approx(
        (rows[5:9] @ rows[[1, 2, 30]].T).max(axis=1)
    )
    some = np.array([3, 9, 12])
    assert known.among(some) == pytest.approx(rows[some] @ rows[some].T)
    assert known.known(1) is None
    assert known.single.dtype == np.float32
    assert not known.single.flags.writeable
