import numpy as np

from poolscope import geometry
from poolscope.formats import copies


def _brute(vectors: geometry.Floats, texts: tuple[str, ...]) -> int:
    near = 0
    for i in range(len(vectors)):
        if texts[i] in texts[:i]:
            continue
        near += any(vectors[i] @ vectors[j] >= geometry.NEAR_COPY for j in range(i))
    return near


def test_against_all_pairs() -> None:
    random = np.random.default_rng(5)
    n = copies.CHUNK * 2 + 7
    rows = geometry.unit_rows(random.normal(size=(n, 4))).rows
    texts = tuple(str(random.integers(0, 900)) for _ in range(n))
    found = copies.count(texts, rows, np.ones(n, dtype=bool))
    assert found.near == _brute(rows, texts)
    assert found.exact == n - len(set(texts))
    assert found.examined == n


def test_spacing_does_not_make_a_text_another() -> None:
    found = copies.count(("a  b", "a b\n", "c", ""), None, np.zeros(4, dtype=bool))
    assert (found.exact, found.near, found.examined) == (1, 0, 0)


def test_empty_texts_are_no_copies() -> None:
    assert copies.count(("", "", ""), None, np.zeros(3, dtype=bool)).exact == 0


def test_work_is_capped() -> None:
    n = copies.MOST + 10
    rows = np.ones((n, 1))
    found = copies.count(tuple(map(str, range(n))), rows, np.ones(n, dtype=bool))
    assert (found.examined, found.near) == (copies.MOST, copies.MOST - 1)
