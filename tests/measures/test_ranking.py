"""By hand, and against NIST's ndeval as pyndeval runs it, through ir-measures."""

import math
from collections.abc import Callable

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from poolscope.geometry import Bools
from poolscope.measures.ranking import (
    alpha_ndcg,
    alpha_ndcg_of,
    err_ia,
    err_ia_of,
    ideal_ranking,
    nerr_ia,
    nerr_ia_of,
    subtopic_recall,
)
from poolscope.model import Selection

CUTOFFS = (5, 10, 20)
OURS = {
    ir_measures.StRecall: subtopic_recall,
    ir_measures.alpha_nDCG: alpha_ndcg,
    ir_measures.ERR_IA: err_ia,
    ir_measures.nERR_IA: nerr_ia,
}


def bools(*rows: list[int]) -> Bools:
    return np.array(rows, dtype=np.bool_)


def test_repeats_count_half_as_much_each_time() -> None:
    judged = bools([1, 0], [1, 0], [0, 1])
    log3 = math.log2(3)
    gain = 1 + 0.5 / log3
    ideal = 1 + 1 / log3
    assert alpha_ndcg(judged[[0, 1]], judged, 2) == pytest.approx(gain / ideal)
    assert nerr_ia(judged[[0, 1]], judged, 2) == pytest.approx(1.25 / 1.5)
    # Collection-independent: two facets at every rank, worth 1 and then a half.
    assert err_ia(judged[[0, 1]], judged, 2) == pytest.approx(1.25 / 2.5)


def test_alpha_of_0_and_1() -> None:
    judged = bools([1, 0], [1, 0], [0, 1])
    log3 = math.log2(3)
    assert alpha_ndcg(judged[[0, 1]], judged, 2, alpha=0.0) == pytest.approx(1)
    assert alpha_ndcg(judged[[0, 1]], judged, 2, alpha=1.0) == pytest.approx(1 / (1 + 1 / log3))


def test_a_perfect_ranking_scores_1() -> None:
    judged = bools([1, 0, 0], [0, 1, 1], [1, 0, 0])
    order = ideal_ranking(judged, 3)
    assert order.tolist() == [1, 0, 2]
    for cutoff in (1, 2, 3, 20):
        assert alpha_ndcg(judged[order], judged, cutoff) == pytest.approx(1)
        assert nerr_ia(judged[order], judged, cutoff) == pytest.approx(1)


def test_facets_that_no_passage_supports_do_not_count() -> None:
    judged = bools([1, 0], [0, 0])
    assert subtopic_recall(judged, judged, 1) == 1
    assert err_ia(judged, judged, 1) == 1


def test_nothing_supported_is_0_as_ndeval_prints_it() -> None:
    judged = np.zeros((3, 2), dtype=np.bool_)
    for function in OURS.values():
        assert function(judged, judged, 5) == 0


def test_err_ia_at_cutoff_1_is_normalised_here() -> None:
    judged = bools([1, 0, 0], [0, 1, 1])
    assert err_ia(judged, judged, 1) == pytest.approx(1 / 3)


def by_ir_measures(judged: Bools, ranking: list[int]) -> dict[str, float]:
    # ndeval's ideal breaks ties by the largest id, ours by the first row.
    name = [f"d{999 - row:03d}" for row in range(len(judged))]
    qrels = [
        ir_measures.Qrel("q", name[row], int(judged[row, facet]), str(facet))
        for row in range(len(judged))
        for facet in range(judged.shape[1])
    ]
    run = [
        ir_measures.ScoredDoc("q", name[row], float(-place)) for place, row in enumerate(ranking)
    ]
    wanted = [measure @ cutoff for measure in OURS for cutoff in CUTOFFS]
    metrics = ir_measures.pyndeval.iter_calc(wanted, qrels, run)
    return {str(metric.measure): metric.value for metric in metrics}


@st.composite
def topics(draw: st.DrawFn) -> tuple[Bools, list[int]]:
    shape = draw(st.tuples(st.integers(1, 25), st.integers(2, 6)))
    judged = draw(npst.arrays(np.bool_, shape))
    ranking = draw(st.permutations(range(shape[0])))
    return judged, ranking[: draw(st.integers(1, shape[0]))]


@settings(max_examples=150, deadline=None)
@given(topic=topics())
def test_equal_to_ndeval(topic: tuple[Bools, list[int]]) -> None:
    judged, ranking = topic
    expected = by_ir_measures(judged, ranking)
    for measure, function in OURS.items():
        for cutoff in CUTOFFS:
            value = function(judged[ranking], judged, cutoff)
            assert value == pytest.approx(expected[f"{measure}@{cutoff}"], abs=1e-12)


def test_greedy_ideal_may_be_beaten_as_in_ndeval() -> None:
    judged = bools([1, 0, 0, 1, 1, 0], [1, 1, 0, 1, 0, 0], [0, 0, 1, 0, 1, 1])
    ranking = [1, 2]
    value = alpha_ndcg(judged[ranking], judged, 5)
    assert value == pytest.approx(by_ir_measures(judged, ranking)["alpha_nDCG@5"], abs=1e-12)
    assert alpha_ndcg(judged[ranking], judged, 2) > 1


def test_of_a_selection_in_its_own_order_against_the_whole_pool(
    selection_of: Callable[..., Selection],
) -> None:
    marks = [[1, 0, 0], [-1, 1, 0], [1, 1, -1], [0, 0, 0]]
    judged = np.array(marks) == 1
    # The ideal may use what lies beyond the depth, and every slot of k counts.
    selection = selection_of(4, [3, 0], k=3, depth=2, judgements=marks)
    assert alpha_ndcg_of(selection) == alpha_ndcg(judged[[3, 0]], judged, 3)
    assert err_ia_of(selection) == err_ia(judged[[3, 0]], judged, 3)
    assert nerr_ia_of(selection) == nerr_ia(judged[[3, 0]], judged, 3)
    assert alpha_ndcg_of(selection_of(4, [2, 0], judgements=marks)) == pytest.approx(1)
    assert alpha_ndcg_of(selection_of(4, [0, 2], judgements=marks)) < 1


def test_undefined_without_support_or_slots(selection_of: Callable[..., Selection]) -> None:
    assert math.isnan(alpha_ndcg_of(selection_of(2, [0], judgements=[[0], [0]])))
    assert math.isnan(err_ia_of(selection_of(2, [0])))
    assert math.isnan(nerr_ia_of(selection_of(2, [], judgements=[[1], [0]])))
