"""The verdict against pools in which one thing, and only that, was planted.

``planted/generate.py`` makes them and shares no code with the findings. Each pool names the first
finding that a careful engineer would expect, with the reason in ``why``.
"""

import gzip
import json
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from poolscope.diagnosis import diagnose
from poolscope.diagnosis.base import Kind, Verdict
from poolscope.errors import Place
from poolscope.formats import RawPool, RawRow, assemble
from poolscope.model import MissingVector, Policy, Pool, Scaling

FOLDER = Path(__file__).resolve().parent / "planted"
FEWEST_RIGHT = 0.95


NOT_PLANTED = (Kind.IGNORED, Kind.STARVED, Kind.NOTHING, Kind.ONE_PASSAGE)
"""An ignored passage shows in an answer, which a pool does not have; the others have cases."""

PLANTED_KINDS = [kind for kind in Kind if kind not in NOT_PLANTED]


@dataclass(frozen=True, eq=False)
class Case:
    """A planted pool and what is expected of it."""

    name: str
    pool: Pool
    policy: Policy
    expect: Kind
    accept: frozenset[Kind]
    alarm: bool
    why: str
    real: bool


@cache
def cases() -> tuple[Case, ...]:
    """Load every planted pool through the door that a user's file takes."""
    document = json.loads(gzip.decompress((FOLDER / "pools.json.gz").read_bytes()))
    with np.load(FOLDER / "vectors.npz", allow_pickle=False) as archive:
        vectors = {name: archive[name].astype(np.float64) for name in archive.files}
    return tuple(
        _case(entry, document["texts"], vectors.get(entry["name"])) for entry in document["pools"]
    )


def _case(entry: dict[str, Any], texts: list[str], vectors: np.ndarray[Any, Any] | None) -> Case:
    rows = [
        RawRow(
            place=Place(entry["name"], row=number + 1),
            id=row["id"],
            text=texts[row["text"]],
            score=row.get("score"),
            vector=_vector(vectors, number + 1),
            facets=row.get("facets"),
            fields=row["fields"],
        )
        for number, row in enumerate(entry["rows"])
    ]
    raw = RawPool(
        rows=rows,
        query=entry["query"],
        query_id=entry["name"],
        query_vector=_vector(vectors, 0),
        facets=entry["facets"] or None,
    )
    loaded = assemble(raw, source_field=entry["source_field"])
    assert not loaded.report.set_aside
    expect = Kind(entry["expect"])
    return Case(
        name=entry["name"],
        pool=loaded.pool,
        policy=_policy(entry["policy"]),
        expect=expect,
        accept=frozenset({expect, *(Kind(kind) for kind in entry["accept"])}),
        alarm=entry["alarm"],
        why=entry["why"],
        real=entry["real"],
    )


def _vector(vectors: np.ndarray[Any, Any] | None, row: int) -> np.ndarray[Any, Any] | None:
    """Return a row; one of NaN stands for a candidate without a vector."""
    return None if vectors is None or np.isnan(vectors[row]).any() else vectors[row]


def _policy(settings: dict[str, Any]) -> Policy:
    changed = dict(settings)
    if "scaling" in changed:
        changed["scaling"] = Scaling(changed["scaling"])
    if "missing_vector" in changed:
        changed["missing_vector"] = MissingVector(changed["missing_vector"])
    return Policy(**changed)


@cache
def verdicts() -> dict[str, Verdict]:
    """Diagnose every planted pool once."""
    return {case.name: diagnose(case.pool, case.policy) for case in cases()}


def is_right(case: Case) -> bool:
    """Say whether the first finding is one that the pool allows."""
    return verdicts()[case.name].first.kind in case.accept


def confusion() -> str:
    """Lay out expected against found, and every pool that went wrong with its reason."""
    counts = Counter((case.expect, verdicts()[case.name].first.kind) for case in cases())
    lines = ["", "expected -> found first: pools"]
    lines += [
        f"  {expect} -> {found}: {count}" for (expect, found), count in sorted(counts.items())
    ]
    for case in cases():
        if not is_right(case):
            first = verdicts()[case.name].first
            lines += [f"{case.name}: wanted {case.expect}: {case.why}"]
            lines += [f"    found {first.kind}: {first.sentence}"]
    return "\n".join(lines)


def test_the_first_finding_is_right_on_the_planted_pools() -> None:
    right = sum(is_right(case) for case in cases())
    assert right >= FEWEST_RIGHT * len(cases()), confusion()


def test_pools_that_allow_no_alarm_get_none() -> None:
    alarms = [
        f"{case.name}: {finding.kind}: {finding.sentence} (planted: {case.why})"
        for case in cases()
        if not case.alarm
        for finding in verdicts()[case.name].findings
        if finding.is_alarm
    ]
    assert not alarms, "\n".join(alarms)


def test_no_healthy_pool_allows_an_alarm() -> None:
    assert not [case.name for case in cases() if case.expect is Kind.HEALTHY and case.alarm]


@pytest.mark.parametrize("kind", PLANTED_KINDS)
def test_every_kind_is_planted_often_enough(kind: Kind) -> None:
    fewest = 15 if kind is Kind.HEALTHY else 5
    assert sum(case.expect is kind for case in cases()) >= fewest


def test_the_planted_pools_are_many_varied_and_real() -> None:
    assert len(cases()) >= 60
    assert sum(case.real for case in cases()) >= 20
    assert len({case.policy.k for case in cases()}) >= 5
    names = {case.pool.score_kind.name for case in cases() if case.pool.score_kind is not None}
    assert {"cosine", "cosine distance", "L2 distance", "similarity of unknown kind"} <= names
    assert {len(case.pool) for case in cases()} >= {5, 6, 500}
