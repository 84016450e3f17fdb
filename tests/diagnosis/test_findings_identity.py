"""Weak source identity, and labels that are not weak though they look it."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest

from poolscope.diagnosis import Finding, Kind, diagnose
from poolscope.model import Policy, Pool

MakePool: TypeAlias = Callable[..., Pool]

N = 20
WORDS = [f"{a}{b}" for a in "bdfgklmnprst" for b in ("al", "en", "ir", "ox", "um", "ash", "ell")]
TEXTS = tuple(" ".join(np.random.default_rng(i).choice(WORDS, size=25)) for i in range(N))


def labelled(make_pool: MakePool, sources: list[str], **rest: Any) -> Pool:  # noqa: ANN401
    parts = {"texts": TEXTS, **rest}
    vectors = np.random.default_rng(2).normal(size=(N, 30))
    return make_pool(scores=np.linspace(0.8, 0.2, N), vectors=vectors, sources=sources, **parts)


def first(pool: Pool) -> Finding:
    return diagnose(pool, Policy()).first


@pytest.mark.parametrize(
    "label",
    [
        "guide{d}.md#chunk-{i}",
        "guide{d}.md#{i}",
        "docs/guide{d}.md?page={i}",
        "guide{d}_chunk_{i}",
        "guide{d}.md:{i}",
        "manual{d}.pdf, p. {i}",
        "Guide {d} (part {i})",
        "guide.md#{i}",
    ],
)
def test_labels_that_number_the_parts_of_documents(make_pool: MakePool, label: str) -> None:
    found = first(labelled(make_pool, [label.format(d="abcd"[i % 4], i=i) for i in range(N)]))
    assert found.kind is Kind.WEAK_IDENTITY
    assert found.is_alarm
    assert f"from {1 if '{d}' not in label else 4} document" in found.sentence


@pytest.mark.parametrize("label", ["INC-{n}", "train:arg_0_{i}", "ticket {n}", "{i:032x}"])
def test_records_that_are_documents_are_not_weak(make_pool: MakePool, label: str) -> None:
    sources = [label.format(i=i, n=2000 + 7 * i) for i in range(N)]
    fields = {"team": [f"team {i % 4}" for i in range(N)], "page": [str(i % 5) for i in range(N)]}
    assert first(labelled(make_pool, sources, fields=fields)).kind is Kind.HEALTHY


UNIQUE = [f"{i:032x}" for i in range(N)]


@pytest.mark.parametrize(
    "rest",
    [
        {"fields": {"title": [f"Guide {i % 4}" for i in range(N)]}},
        {"fields": {"metadata.doc_id": [f"d{i % 4}" for i in range(N)]}},
        {"ids": [f"guide{i % 4}.md#{i}" for i in range(N)]},
        {"texts": tuple(f"# Guide {i % 4}\n{text}" for i, text in enumerate(TEXTS))},
    ],
)
def test_what_else_shows_the_documents(make_pool: MakePool, rest: dict[str, Any]) -> None:
    assert first(labelled(make_pool, UNIQUE, **rest)).kind is Kind.WEAK_IDENTITY
    found = first(labelled(make_pool, ["kb"] * N, **rest))
    assert found.kind is Kind.WEAK_IDENTITY
    assert found.sentence.startswith("Weak source identity. All 20 passages have the source “kb”")


def test_passages_that_continue_one_another(make_pool: MakePool) -> None:
    row = " ".join(TEXTS).split()
    chunks = tuple(" ".join(row[i * 20 : i * 20 + 32]) for i in range(N))
    found = first(labelled(make_pool, UNIQUE, texts=chunks))
    assert found.kind is Kind.WEAK_IDENTITY
    assert "start with the end of another" in found.sentence


def test_one_source_that_is_one_document_is_a_shortage(make_pool: MakePool) -> None:
    assert first(labelled(make_pool, ["handbook"] * N)).kind is Kind.SHORTAGE


def test_one_file_name_in_two_folders(make_pool: MakePool) -> None:
    names = ["README.md" if i % 3 == 0 else f"guide-{i % 3}.md" for i in range(N)]
    paths = [f"{'ab'[i % 2]}/{name}" if i % 3 == 0 else name for i, name in enumerate(names)]
    found = first(labelled(make_pool, names, fields={"path": paths}))
    assert found.kind is Kind.WEAK_IDENTITY
    assert "a/README.md, b/README.md" in found.sentence
    assert "“path”" in found.remedy
    same = [f"docs/{name}" for name in names]
    assert first(labelled(make_pool, names, fields={"path": same})).kind is Kind.HEALTHY
