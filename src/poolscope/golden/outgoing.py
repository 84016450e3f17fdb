"""The files that a golden set is written as."""

from collections.abc import Callable
from enum import StrEnum

from poolscope.golden import exchange, own_json, trec
from poolscope.golden.model import GoldenSet, Passage

RUN_TAG = "pool"


class Kind(StrEnum):
    """What can be written."""

    JSON = "json"
    CSV = "csv"
    QRELS = "qrels"
    RUN = "run"


LABELS = {
    Kind.JSON: "Everything, as JSON of this app: loads back as it is",
    Kind.CSV: "Marks as a table: one line a mark, with annotator and time",
    Kind.QRELS: "TREC diversity judgements: facets as subtopics",
    Kind.RUN: "TREC run: the passages as the pool ranked them",
}

NAMES: dict[str, Callable[[Passage], str]] = {"key": trec.by_key, "id": trec.by_id}
"""How a passage is named in a TREC file: by what stays, or by what its pool called it."""


def written(golden_set: GoldenSet, kind: Kind, document: Callable[[Passage], str]) -> str:
    """Write a golden set.

    Args:
        golden_set: What is written.
        kind: As what.
        document: Names a passage in a TREC file.
    """
    if kind is Kind.JSON:
        return own_json.as_json(golden_set)
    if kind is Kind.CSV:
        return exchange.as_csv(golden_set)
    if kind is Kind.QRELS:
        return trec.as_qrels(golden_set, document)
    return "".join(
        trec.as_run(
            record.question.id,
            [document(passage) for passage in record.passages if passage.rank > 0],
            RUN_TAG,
        )
        for record in golden_set.records
    )


LACKS = {
    Kind.JSON: "",
    Kind.CSV: "Passages without a mark, notes and time spent are not in the table.",
    Kind.QRELS: "Judgements carry the facets' numbers, not their names; what marks come to, not "
    "whose they are; and no open cells.",
    Kind.RUN: "Passages without a rank are not in the run.",
}
"""What a file of a kind does not carry."""
