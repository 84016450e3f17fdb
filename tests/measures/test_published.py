"""Numbers that others printed: ndeval on TREC Web 2013, pyndeval, ir-measures, real pools."""

import csv
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from poolscope import geometry
from poolscope.geometry import Bools
from poolscope.measures import measure
from poolscope.measures.ranking import alpha_ndcg, err_ia, nerr_ia, subtopic_recall
from poolscope.model import Selection

FUNCTIONS: Mapping[str, Callable[[Bools, Bools, int], float]] = {
    "strec": subtopic_recall,
    "StRecall": subtopic_recall,
    "alpha-nDCG": alpha_ndcg,
    "alpha_nDCG": alpha_ndcg,
    "ERR-IA": err_ia,
    "ERR_IA": err_ia,
    "nERR-IA": nerr_ia,
}


@dataclass(frozen=True, eq=False)
class Topic:
    """A topic's judgements and one ranking, as rows; ndeval's ties need ids from z to a."""

    ranked: Bools
    judged: Bools

    def value(self, name: str) -> float:
        measure_name, cutoff = name.split("@")
        return FUNCTIONS[measure_name](self.ranked, self.judged, int(cutoff))


def topic_of(qrels: Sequence[tuple[str, str, int]], ranking: Sequence[str]) -> Topic:
    """Arrange qrels of (subtopic, document, judgement) and a ranking of documents."""
    columns = {subtopic: i for i, subtopic in enumerate(sorted({row[0] for row in qrels}))}
    documents = sorted({row[1] for row in qrels}, reverse=True)
    rows = {document: i for i, document in enumerate(documents)}
    judged = np.zeros((len(rows), len(columns)), dtype=np.bool_)
    for subtopic, document, judgement in qrels:
        judged[rows[document], columns[subtopic]] = judgement > 0
    ranked = np.zeros((len(ranking), len(columns)), dtype=np.bool_)
    for place, document in enumerate(ranking):
        if document in rows:
            ranked[place] = judged[rows[document]]
    return Topic(ranked, judged)


@cache
def trec_topics(folder: Path, run: str) -> Mapping[str, Topic]:
    qrels: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for line in (folder / "qrels.web.201-250.ndeval.txt").read_text().splitlines():
        topic, subtopic, document, judgement = line.split()
        qrels[topic].append((subtopic, document, int(judgement)))
    ranked: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for line in (folder / f"run.{run}.trec").read_text().splitlines():
        topic, _, document, rank, *_ = line.split()
        ranked[topic].append((int(rank), document))
    return {
        topic: topic_of(qrels[topic], [document for _, document in sorted(ranked[topic])])
        for topic in qrels
    }


@pytest.mark.parametrize("run", ["crowd", "hash"])
@pytest.mark.parametrize("cutoff", [5, 10, 20])
@pytest.mark.parametrize("name", ["strec", "alpha-nDCG", "ERR-IA", "nERR-IA"])
def test_trec_web_2013_as_ndeval_prints_it(cases: Path, run: str, cutoff: int, name: str) -> None:
    folder = cases / "vectors" / "trec_web_2013"
    column = f"{name}@{cutoff}"
    with (folder / f"expected.{run}.ndeval.csv").open() as file:
        expected = {row["topic"]: float(row[column]) for row in csv.DictReader(file)}
    mean = expected.pop("amean")
    values = {topic: arranged.value(column) for topic, arranged in trec_topics(folder, run).items()}
    assert len(values) == 50
    # Six decimals are printed: half a unit of the last one, and room for the last bit.
    assert values == pytest.approx(expected, rel=0, abs=5e-7 + 1e-12)
    assert np.mean(list(values.values())) == pytest.approx(mean, rel=0, abs=5e-7 + 1e-12)


def case(cases: Path, name: str) -> dict[str, list[list[str]]]:
    content = json.loads((cases / "vectors" / "vectors.json").read_text())[name]
    return {part: content[part] for part in ("qrels", "run") if part in content}


def expected_of(cases: Path, name: str) -> dict[str, float]:
    content = json.loads((cases / "vectors" / "vectors.json").read_text())[name]
    return dict(content["expected"])


def by_score(run: Sequence[Sequence[str]]) -> list[str]:
    return [row[1] for row in sorted(run, key=lambda row: (-float(row[2]), row[1]))]


@pytest.mark.parametrize("name", ["case_pyndeval", "case_no_positive_subtopic", "case_tie"])
def test_pyndeval_cases(cases: Path, name: str) -> None:
    given = case(cases, name)
    topic = topic_of([(s, d, int(j)) for _, s, d, j in given["qrels"]], by_score(given["run"]))
    compared = 0
    for column, value in expected_of(cases, name).items():
        if column.split("@")[0] in FUNCTIONS and column.split("@")[-1].isdigit():
            assert topic.value(column) == pytest.approx(value, rel=0, abs=5.01e-5), column
            compared += 1
    assert compared >= 1


def test_err_ia_at_1_differs_from_ndeval_by_its_missing_normalisation(cases: Path) -> None:
    given = case(cases, "case_pyndeval")
    topic = topic_of([(s, d, int(j)) for _, s, d, j in given["qrels"]], by_score(given["run"]))
    printed = expected_of(cases, "case_pyndeval")["ERR-IA@1 (unnormalised in ndeval.c)"]
    assert topic.value("ERR-IA@1") == pytest.approx(printed / 3)


def test_ir_measures_case(cases: Path) -> None:
    content = json.loads((cases / "vectors" / "vectors.json").read_text())["case_ir_measures"]
    topics = {}
    for query in ("0", "1"):
        qrels = [line.split() for line in content["qrels_lines"]]
        run = [line.split() for line in content["run_lines"]]
        topics[query] = topic_of(
            [(row[1], row[2], int(row[3])) for row in qrels if row[0] == query],
            by_score([(row[0], row[2], row[4]) for row in run if row[0] == query]),
        )
        for column, value in content["expected"][query].items():
            if column.split("@")[0] in FUNCTIONS:
                assert topics[query].value(column) == pytest.approx(value, rel=0, abs=5.01e-5)
    for column, value in content["expected"]["mean"].items():
        mean = np.mean([topic.value(column) for topic in topics.values()])
        assert mean == pytest.approx(value, rel=0, abs=5.01e-5)


# Plain top-5 by cosine on the real pools, from an independent float64 computation (their NOTICE),
# each the mean over queries.
COLUMNS = ("facet_coverage", "mean_relevance", "distinct_sources", "mean_pairwise_cosine")
UNITS = (1e-3, 1e-3, 1e-2, 1e-3)
TOP_5 = {
    "argkp_topic_stance": (0.491, 0.892, 5.00, 0.901),
    "quotesum_dev": (0.776, 0.562, 2.96, 0.498),
    "qmsum_spans_overlap50": (0.469, 0.443, 2.16, 0.544),
}


@pytest.mark.parametrize("name", TOP_5)
def test_real_pools_at_top_5(
    cases: Path, name: str, selection_of: Callable[..., Selection]
) -> None:
    folder = cases / "pools"
    vectors = np.load(folder / f"{name}.npz", allow_pickle=False)
    queries = np.load(folder / f"{name}.queries.npz", allow_pickle=False)
    query_rows = dict(zip(queries["ids"].tolist(), queries["vectors"], strict=True))
    rows = []
    for line in (folder / f"{name}.jsonl").read_text().splitlines():
        record = json.loads(line)
        candidates = record["candidates"]
        unit = geometry.unit_rows(vectors[record["query_id"]]).rows
        relevances = unit @ geometry.unit_rows(query_rows[record["query_id"]]).rows[0]
        selection = selection_of(
            len(candidates),
            np.argsort(-relevances, kind="stable")[:5].tolist(),
            relevances=relevances,
            vectors=unit,
            sources=[candidate["source"] for candidate in candidates],
            judgements=[
                [facet in candidate["facets"] for facet in record["facets"]]
                for candidate in candidates
            ],
        )
        found = measure(selection)
        assert found["relevance_kept"] == pytest.approx(1)
        assert found["facet_coverage"] <= found["ceiling"]
        rows.append([found[column] for column in COLUMNS])
    means = dict(zip(COLUMNS, np.mean(rows, axis=0).tolist(), strict=True))
    # Printed to three decimals, the sources to two.
    for column, printed, unit_printed in zip(COLUMNS, TOP_5[name], UNITS, strict=True):
        assert means[column] == pytest.approx(printed, rel=0, abs=unit_printed / 2 + 1e-9), column
