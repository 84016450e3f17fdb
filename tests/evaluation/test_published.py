"""Sweeps against others: ir-measures with NIST's ndeval, and the figures of the real pools."""

from collections.abc import Callable, Sequence
from pathlib import Path

import ir_measures
import numpy as np
import pytest

from poolscope import formats, selection
from poolscope.evaluation import run
from poolscope.evaluation.questions import Question, question
from poolscope.evaluation.sweep import ALPHA_NDCG, COVERAGE, PAIRWISE, RELEVANCE, outcome
from poolscope.model import SUPPORTS, Policy, Relevance
from poolscope.selection.paths import Axis

MMR = Policy(selector="mmr", k=5, relevance=Relevance.COSINE)
SETS = {
    "argkp_topic_stance": {
        1.0: (0.491, 0.892, 5.00, 0.901),
        0.9: (0.491, 0.892, 5.00, 0.899),
        0.8: (0.514, 0.891, 5.00, 0.891),
        0.6: (0.522, 0.873, 5.00, 0.834),
        0.4: (0.604, 0.467, 5.00, 0.291),
        0.2: (0.545, 0.414, 5.00, 0.268),
    },
    "quotesum_dev": {
        1.0: (0.776, 0.562, 2.96, 0.498),
        0.9: (0.799, 0.560, 3.22, 0.480),
        0.8: (0.801, 0.557, 3.38, 0.456),
        0.6: (0.701, 0.489, 4.40, 0.293),
        0.4: (0.333, 0.310, 5.00, 0.068),
        0.2: (0.325, 0.280, 4.96, 0.045),
    },
    "qmsum_spans_overlap50": {
        1.0: (0.469, 0.443, 2.16, 0.544),
        0.9: (0.461, 0.442, 2.35, 0.518),
        0.8: (0.449, 0.436, 2.58, 0.480),
        0.6: (0.430, 0.390, 3.15, 0.351),
        0.4: (0.393, 0.296, 3.51, 0.219),
        0.2: (0.365, 0.253, 3.51, 0.196),
    },
}
"""Coverage, mean relevance, distinct sources and mean pairwise cosine of MMR by lambda, k = 5, from
the notice of the cases."""
CAPPED = {
    "argkp_topic_stance": (0.491, 0.892, 5.00, 0.901),
    "quotesum_dev": (0.777, 0.492, 5.00, 0.341),
    "qmsum_spans_overlap50": (0.411, 0.378, 4.74, 0.435),
}
"""The same of the two-pass cap of 2."""
FIGURES = (COVERAGE, RELEVANCE, "distinct_sources", PAIRWISE)


def real(cases: Path, name: str) -> list[Question]:
    """Read a set of real pools."""

    def file(ending: str) -> formats.File:
        path = cases / "pools" / f"{name}{ending}"
        return formats.File(path.read_bytes(), path.name)

    beside = formats.Beside(vectors=file(".npz"), query_vectors=file(".queries.npz"))
    lines = file(".jsonl")
    load = formats.read(lines.data, lines.name, beside=beside)
    return [question(item.pool) for item in load.questions()]


@pytest.mark.parametrize("name", list(SETS))
def test_real_sets_give_the_published_averages(cases: Path, name: str) -> None:
    questions = real(cases, name)
    found = run.sweep(questions, MMR, Axis.LAMBDA)
    for lambda_, published in SETS[name].items():
        for measure, value in zip(FIGURES, published, strict=True):
            assert found.at(lambda_, measure).mean() == pytest.approx(value, abs=6e-3)
        assert found.at(lambda_, COVERAGE).mean() == pytest.approx(published[0], abs=6e-4)
    best = found.best(COVERAGE)
    assert best[0].value >= max(figures[0] for figures in SETS[name].values()) - 5e-4
    assert best[0].value == pytest.approx(found.mean(COVERAGE).max())
    capped = MMR.changed(selector="two_pass_cap", cap=2)
    rows = [outcome(item.pool, capped) for item in questions]
    for measure, value in zip(FIGURES, CAPPED[name], strict=True):
        assert np.mean([row[measure] for row in rows]) == pytest.approx(value, abs=6e-3)
    values = ir_values(questions, MMR.changed(lambda_=0.7))
    at = {measure: found.at(0.7, measure) for measure in (COVERAGE, ALPHA_NDCG)}
    for number, item in enumerate(questions):
        recall, gain = values[str(number)]
        supported = (item.pool.marks == SUPPORTS).any(axis=0).sum()
        assert at[COVERAGE][number] * len(item.pool.facets) == pytest.approx(recall * supported)
        if supported:
            assert at[ALPHA_NDCG][number] == pytest.approx(gain, abs=1e-9)


def ir_values(questions: Sequence[Question], policy: Policy) -> dict[str, tuple[float, float]]:
    """Subtopic recall and alpha-nDCG of every question by ir-measures, by its number."""
    qrels, scored = [], []
    for number, item in enumerate(questions):
        # ndeval's ideal breaks ties by the largest id, ours by the first row.
        names = [f"d{9999 - row}" for row in range(len(item.pool))]
        qrels += [
            ir_measures.Qrel(str(number), names[row], int(mark == SUPPORTS), str(facet))
            for (row, facet), mark in np.ndenumerate(item.pool.marks)
        ]
        picks = selection.select(item.pool, policy).indices.tolist()
        scored += [
            ir_measures.ScoredDoc(str(number), names[row], -float(place))
            for place, row in enumerate(picks)
        ]
    wanted = [ir_measures.StRecall @ policy.k, ir_measures.alpha_nDCG @ policy.k]
    found: dict[str, dict[str, float]] = {}
    for metric in ir_measures.pyndeval.iter_calc(wanted, qrels, scored):
        found.setdefault(metric.query_id, {})[str(metric.measure)] = metric.value
    blank = {str(measure): 0.0 for measure in wanted}
    rows = [found.get(str(number), blank) for number in range(len(questions))]
    first, second = map(str, wanted)
    return {str(number): (row[first], row[second]) for number, row in enumerate(rows)}


@pytest.mark.parametrize("axis", [Axis.LAMBDA, Axis.DEPTH, Axis.K])
def test_every_piece_equals_ir_measures(golden: Callable[..., list[Question]], axis: Axis) -> None:
    questions, policy = golden(4, facets=4, seed=11), Policy(selector="mmr", k=4)
    found = run.sweep(questions, policy, axis, workers=1)
    points = found.starts[1:21]  # ndeval counts 20 ranks at most
    for point in np.random.default_rng(1).choice(points, size=6).tolist():
        value = point if axis is Axis.LAMBDA else int(point)
        asked = policy.changed(**{axis.value: value})
        by_ir = ir_values(questions, asked)
        for number in range(len(questions)):
            recall, gain = by_ir[str(number)]
            assert found.at(point, COVERAGE)[number] == pytest.approx(recall, abs=1e-9)
            assert found.at(point, ALPHA_NDCG)[number] == pytest.approx(gain, abs=1e-9)
