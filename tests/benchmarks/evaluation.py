"""How long a golden set takes: ``python tests/benchmarks/evaluation.py``.

120 questions of 200 candidates, d = 384, k = 10: the exact sweep over lambda with intervals, at
four depths and five caps, on all cores; then, for some questions, one sweep beside a grid of 101
lambdas through pyversity, on one core and side by side in one run.
"""

import os
import time

import numpy as np
from pyversity import Strategy, diversify
from threadpoolctl import threadpool_limits

from poolscope import geometry
from poolscope.evaluation import run
from poolscope.evaluation.questions import Question, question
from poolscope.evaluation.statistics import band
from poolscope.evaluation.sweep import combined
from poolscope.model import DOES_NOT, SUPPORTS, Direction, Facet, Policy, Pool, ScoreKind
from poolscope.selection.paths import Axis

QUESTIONS, N, D, K, FACETS = 120, 200, 384, 10, 5
DEPTHS, CAPS = (25, 50, 100, 200), (1, 2, 3, 5, 10)
COSINE = ScoreKind("cosine", Direction.HIGHER, "drawn by a benchmark", is_cosine=True)


def drawn(seed: int) -> Question:
    """Draw a question: clusters of passages, the first of which are its facets."""
    random = np.random.default_rng(seed)
    centres, query = random.normal(size=(12, D)), random.normal(size=D)
    cluster = random.integers(len(centres), size=N)
    rows = geometry.unit_rows(
        centres[cluster] + 0.8 * random.normal(size=(N, D)) + 0.5 * query
    ).rows
    scores = rows @ geometry.unit_rows(query).rows[0]
    order = np.argsort(-scores, kind="stable")
    marks = np.full((N, FACETS), DOES_NOT, dtype=np.int8)
    for facet in range(FACETS):
        marks[cluster[order] == facet, facet] = SUPPORTS
    return question(
        Pool(
            query="",
            query_id=str(seed),
            ids=tuple(str(i) for i in range(N)),
            texts=("",) * N,
            sources=tuple(f"source {i // 2}" for i in cluster[order]),
            tokens=np.full(N, 100),
            tokenizer="benchmark",
            raw_scores=scores[order],
            scores=scores[order],
            score_kind=COSINE,
            vectors=geometry.read_only(rows[order]),
            query_vector=geometry.unit_rows(query).rows[0],
            facets=tuple(Facet(str(i), "") for i in range(FACETS)),
            judgements=marks,
        )
    )


def whole(questions: list[Question]) -> None:
    """Sweep the golden set at every depth and cap."""
    policies = [
        Policy(selector="mmr_cap", k=K, depth=depth, cap=cap) for depth in DEPTHS for cap in CAPS
    ]
    begin = time.perf_counter()
    done = sorted(run.curves(questions, policies, Axis.LAMBDA), key=lambda item: item.number)
    swept = time.perf_counter()
    pieces = 0
    for number, policy in enumerate(policies):
        found = combined(questions, [item.result[number] for item in done], policy, Axis.LAMBDA)
        band(found, "facet_coverage")
        pieces += len(found.starts)
    end = time.perf_counter()
    print(
        f"{len(questions)} questions, {len(policies)} settings, {pieces:,} pieces: sweeps "
        f"{swept - begin:.1f} s, means and bands {end - swept:.1f} s, in all {end - begin:.1f} s"
    )


def beside(questions: list[Question]) -> None:
    """Hold one sweep against a grid of pyversity."""
    policy = Policy(selector="mmr", k=K)
    parts = [(item.pool.vectors, item.pool.scores) for item in questions]
    lean = [
        (rows.astype(np.float32), scores)
        for rows, scores in parts
        if rows is not None and scores is not None
    ]
    with threadpool_limits(1, user_api="blas"):
        begin = time.perf_counter()
        run.sweep(questions, policy, Axis.LAMBDA, workers=1)
        ours = time.perf_counter() - begin
        begin = time.perf_counter()
        for rows, scores in lean:
            for lambda_ in np.linspace(0.0, 1.0, 101):
                diversify(rows, scores, K, strategy=Strategy.MMR, diversity=1.0 - lambda_)
        theirs = time.perf_counter() - begin
    print(
        f"{len(questions)} questions, one sweep, measures included: {ours:.2f} s; "
        f"pyversity, 101 lambdas, picks alone: {theirs:.2f} s; ratio {ours / theirs:.2f}"
    )


def main() -> None:
    """Print the figures."""
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    questions = [drawn(seed) for seed in range(QUESTIONS)]
    beside(questions[:24])
    whole(questions)


if __name__ == "__main__":
    main()
