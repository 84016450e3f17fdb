import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolscope import geometry

finite = st.floats(-1e6, 1e6)


def test_rows_are_scaled_to_unit_length() -> None:
    unit = geometry.unit_rows([[3.0, 4.0], [0.0, 2.0], [0.6, 0.8]])
    assert unit.rows == pytest.approx(np.array([[0.6, 0.8], [0.0, 1.0], [0.6, 0.8]]))
    assert not unit.zero.any()


def test_the_largest_deviation_from_unit_length_is_reported() -> None:
    assert geometry.unit_rows([[3.0, 4.0], [0.0, 2.0]]).deviation == pytest.approx(4.0)
    assert geometry.unit_rows([[0.5, 0.0], [1.0, 0.0]]).deviation == pytest.approx(0.5)
    assert geometry.unit_rows([[1.0, 0.0]]).deviation == 0.0


def test_a_zero_row_stays_zero_is_named_and_counts_for_no_deviation() -> None:
    unit = geometry.unit_rows([[0.0, 0.0], [1.0, 0.0]])
    assert unit.rows[0].tolist() == [0.0, 0.0]
    assert unit.zero.tolist() == [True, False]
    assert unit.deviation == 0.0


def test_no_rows_at_all() -> None:
    unit = geometry.unit_rows(np.empty((0, 3)))
    assert unit.rows.shape == (0, 3)
    assert unit.deviation == 0.0


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1e160, 1e300])
def test_huge_and_tiny_rows_have_a_direction_too(size: float) -> None:
    unit = geometry.unit_rows([[3.0 * size, 4.0 * size]])
    assert unit.rows[0] == pytest.approx([0.6, 0.8])
    assert not unit.zero.any()


def test_the_rows_given_are_not_changed_and_the_result_is_read_only() -> None:
    given_rows = np.array([[3.0, 4.0]])
    unit = geometry.unit_rows(given_rows)
    assert given_rows.tolist() == [[3.0, 4.0]]
    with pytest.raises(ValueError, match="read-only"):
        unit.rows[0, 0] = 1.0


def test_single_precision_is_widened_before_it_is_scaled() -> None:
    rows = np.array([[1.0, 2.0, 2.0]], dtype=np.float32)
    lengths = np.linalg.norm(geometry.unit_rows(rows).rows, axis=1)
    assert abs(lengths[0] - 1.0) < 1e-15


def test_cosine_of_rows_to_a_row_by_hand() -> None:
    rows = geometry.unit_rows([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [-1.0, 0.0], [0.0, 0.0]]).rows
    assert geometry.cosines(rows, rows[0]) == pytest.approx([1.0, math.sqrt(0.5), 0.0, -1.0, 0.0])
    assert geometry.cosines(rows, rows[4]).tolist() == [0.0] * 5


def test_pairwise_agrees_with_cosines_and_is_symmetric() -> None:
    rows = geometry.unit_rows(np.random.default_rng(3).normal(size=(17, 9))).rows
    product = geometry.pairwise(rows)
    assert (product == product.T).all()
    for index, row in enumerate(rows):
        assert product[index] == pytest.approx(geometry.cosines(rows, row), abs=1e-14)


def test_canonical_joins_what_differs_by_rounding_and_keeps_the_rest() -> None:
    values = np.array([0.3, 0.1 + 0.2, 0.3 * (1 - 5e-12), 0.7])
    snapped = geometry.canonical(values)
    assert snapped[0] == snapped[1]
    assert snapped[2] < snapped[0]
    assert snapped == pytest.approx(values, rel=2e-12)


def test_canonical_is_relative_so_small_scores_stay_apart() -> None:
    values = np.array([1e-15, 2e-15, 0.0, -1e-15])
    assert geometry.canonical(values).tolist() == values.tolist()


def test_canonical_with_a_scale_joins_the_rounding_of_cosines_near_zero() -> None:
    snapped = geometry.canonical(np.array([3e-17, -2e-17, 0.0, 1e-11]), scale=1.0)
    assert snapped[0] == snapped[1] == snapped[2]
    assert snapped[3] == 1e-11


def test_canonical_of_huge_values() -> None:
    assert geometry.canonical(np.array([1.7e308, -1.7e308])).tolist() == [1.7e308, -1.7e308]


def test_canonical_leaves_nan_and_nothing_alone() -> None:
    snapped = geometry.canonical(np.array([np.nan, 1.0, np.nan]))
    assert np.isnan(snapped).tolist() == [True, False, True]
    assert geometry.canonical(np.empty(0)).tolist() == []


@settings(max_examples=60, deadline=None)
@given(values=st.lists(finite, min_size=1, max_size=30), jitter=st.integers(0, 2**32 - 1))
def test_canonical_is_stable_ordered_and_near(values: list[float], jitter: int) -> None:
    noise = 1.0 + np.random.default_rng(jitter).uniform(-2e-13, 2e-13, len(values))
    once = geometry.canonical(np.array(values))
    noisy = geometry.canonical(np.array(values) * noise)
    assert geometry.canonical(once).tolist() == once.tolist()
    for a in range(len(values)):
        for b in range(len(values)):
            if values[a] == values[b]:
                assert noisy[a] == noisy[b]
            if values[a] < values[b]:
                assert once[a] <= once[b]
    assert once == pytest.approx(np.array(values), rel=1e-10)
