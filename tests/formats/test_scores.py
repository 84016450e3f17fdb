import numpy as np
import pytest

from poolscope.formats import scores
from poolscope.geometry import Floats
from poolscope.model import Direction

N, D = 12, 8
RANDOM = np.random.default_rng(11)
ROWS = RANDOM.normal(size=(N, D))
ROWS /= np.linalg.norm(ROWS, axis=1)[:, None]
QUERY = RANDOM.normal(size=D)
QUERY /= np.linalg.norm(QUERY)
ROWS = ROWS[np.argsort(-(ROWS @ QUERY))]
COSINE = ROWS @ QUERY
L2 = np.linalg.norm(ROWS - QUERY, axis=1)
ALL = np.ones(N, dtype=bool)
HIGHER, LOWER, ORDER = Direction.HIGHER, Direction.LOWER, Direction.ORDER

KNOWN = {
    "cosine": (COSINE, HIGHER, True),
    "cosine distance": (1 - COSINE, LOWER, True),
    "L2 distance": (L2, LOWER, True),
    "squared L2 distance": (L2**2, LOWER, True),
    "negative inner product": (-COSINE, LOWER, True),
    "(1 + cosine) / 2": ((1 + COSINE) / 2, HIGHER, False),
    "1 / (1 + L2²)": (1 / (1 + L2**2), HIGHER, False),
    "1 / (1 + L2)": (1 / (1 + L2), HIGHER, False),
    "1 - L2² / √2": (1 - L2**2 / np.sqrt(2), HIGHER, False),
    "exp(-(1 - cosine))": (np.exp(COSINE - 1), HIGHER, False),
}


def _read(raw: Floats, rows: Floats = ROWS, direction: Direction | None = None) -> scores.Reading:
    return scores.read(raw, scores.measure(rows, ALL, QUERY), ALL, direction)


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("decimals", [16, 6, 4])
def test_formula_is_found_from_the_vectors(name: str, decimals: int) -> None:
    raw, direction, is_cosine = KNOWN[name]
    reading = _read(np.round(raw, decimals), ROWS.astype(np.float16).astype(np.float64))
    assert reading.kind.name == name
    assert reading.kind.direction is direction
    assert reading.kind.is_cosine is is_cosine
    assert reading.kind.evidence.startswith(f"The recomputed {name} equals the score to ")
    if is_cosine:
        assert reading.scores == pytest.approx(COSINE, abs=2e-4)


def test_table_covers_every_formula_but_those_equal_on_unit_vectors() -> None:
    names = {formula.name for formula in scores.FORMULAS}
    assert names - set(KNOWN) == {"inner product", "1 - inner product"}


@pytest.mark.parametrize("name", ["inner product", "1 - inner product", "L2 distance"])
def test_long_vectors_keep_the_scale_of_the_score(name: str) -> None:
    lengths = np.linspace(3, 1, N)[:, None]
    rows = ROWS * lengths
    formula = next(formula for formula in scores.FORMULAS if formula.name == name)
    raw = formula.compute(scores.measure(rows, ALL, QUERY))
    reading = _read(raw, rows, LOWER if formula.lower else HIGHER)
    assert reading.kind.name == name
    assert not reading.kind.is_cosine
    assert reading.kind.conversion == ("-distance" if formula.lower else "as loaded")


def test_known_score_in_another_order_leaves_the_order_authoritative() -> None:
    shuffled = np.roll(np.arange(N), 3)
    reading = _read(COSINE[shuffled], ROWS[shuffled])
    assert reading.kind.name == "cosine"
    assert reading.kind.direction is ORDER
    assert reading.kind.is_cosine
    assert "the order is authoritative" in reading.kind.evidence
    assert reading.note


@pytest.mark.parametrize(
    ("raw", "direction", "first"),
    [
        ([3.0, 2.0, 2.0, -1.0], HIGHER, 3.0),
        ([0.1, 0.2, 0.2, 0.9], LOWER, -0.1),
        ([0.4715, 0.0727, 0.3292], ORDER, 0.4715),
        ([1.0, 1.0], ORDER, 1.0),
        ([1.0], ORDER, 1.0),
    ],
)
def test_without_vectors_the_list_order_decides(
    raw: list[float], direction: Direction, first: float
) -> None:
    reading = scores.read(np.array(raw), None, np.zeros(len(raw), dtype=bool))
    assert reading.kind.direction is direction
    assert reading.scores[0] == first
    assert not reading.kind.is_cosine


def test_the_users_word_wins() -> None:
    reading = _read(COSINE, direction=LOWER)
    assert reading.kind.direction is LOWER
    assert reading.kind.evidence == "Chosen by hand."
    assert reading.scores.tolist() == (-COSINE).tolist()


def test_fused_scores_fit_no_formula() -> None:
    reading = _read(1 / (60 + np.arange(N)))
    assert reading.kind.name == "similarity of unknown kind"


def test_huge_vectors_fit_nothing_and_warn_of_nothing() -> None:
    assert _read(COSINE, ROWS * 1e200).kind.name == "cosine"


def test_rows_without_a_vector_are_not_measured() -> None:
    has = ALL.copy()
    has[4] = False
    reading = scores.read(COSINE, scores.measure(ROWS, has, QUERY), has)
    assert reading.kind.name == "cosine"
