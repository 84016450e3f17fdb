"""What is handed on as a table or as a state comes back, and a spreadsheet runs none of it."""

import csv
import io
import json
from collections.abc import Callable

import numpy as np
import pytest

from poolscope import analysis, formats, samples
from poolscope.model import Facet, Policy, Pool, Relevance
from poolscope.report.address import read
from poolscope.report.selections import HEADER, name_of, setting_of, slug, state, table


@pytest.fixture
def pool(make_pool: Callable[..., Pool]) -> Pool:
    """Six passages, two of a source, and texts that a spreadsheet would run."""
    return make_pool(
        6, scores=[0.9, 0.85, 0.8, 0.4, 0.3, -0.2], sources="aabbcc",
        vectors=np.eye(6) + 0.2, query_vector=[1.0, 0.5, 0.2, 0.1, 0.1, 0.1],
        ids=["=1+1", "b", "c", "d", "e", "f"],
        texts=('=HYPERLINK("x")', "+1", "@x", "-2", "plain, with \"quotes\"", "two\nlines"),
        facets=(Facet("f", "a; b"),), judgements=np.array([[1], [0], [1], [0], [0], [0]]),
        query_id="Q 7/b",
    )  # fmt: skip


def rows(pool: Pool, policy: Policy) -> list[dict[str, str]]:
    """Read the table back."""
    written = table(analysis.compare(pool, policy, ("grouped_cap", "mmr")))
    return list(csv.DictReader(io.StringIO(written, newline="")))


def test_the_table_holds_every_pick_and_what_left(pool: Pool) -> None:
    found = rows(pool, Policy(k=3, cap=1))
    assert list(found[0]) == list(HEADER)
    assert [(row["rule"], row["slot"], row["rank"], row["state"]) for row in found[:6]] == [
        ("Top-k", "1", "1", "baseline"),
        ("Top-k", "2", "2", "baseline"),
        ("Top-k", "3", "3", "baseline"),
        ("Capped", "1", "1", "kept"),
        ("Capped", "2", "3", "kept"),
        ("Capped", "3", "5", "entered"),
    ]
    left = [row for row in found if row["state"] == "left" and row["rule"] == "Capped"]
    assert [(row["rank"], row["slot"], row["reason"]) for row in left] == [
        ("2", "", "cap of 1 reached for a")
    ]
    assert found[0]["facets"] == "a; b"
    assert found[0]["score"] == "0.9"
    assert found[3]["setting"] == "cap 1 per source"


def test_a_spreadsheet_finds_no_formula(pool: Pool) -> None:
    found = rows(pool, Policy(k=6))
    for row in found:
        for name in ("id", "text", "source", "reason", "facets"):
            assert not row[name].startswith(("=", "+", "-", "@")), row[name]
    assert {row["text"] for row in found} >= {'\'=HYPERLINK("x")', "'+1", "'@x", "'-2"}
    assert "-0.2" in {row["score"] for row in found}  # a number stays a number
    assert 'plain, with "quotes"' in {row["text"] for row in found}


def test_the_state_opens_to_the_same_pool_and_setting() -> None:
    found = samples.SAMPLES[1]
    pool = formats.read(samples.data(found), found.file).question(0).pool
    policy = Policy(k=3, cap=1, lambda_=0.25, depth=5, pinned=(pool.ids[2],))
    written = state(pool, policy, ("mmr", "dpp"), {"passage": ["4"]}).encode()
    assert formats.read(written, "state.json").question().pool.digest == pool.digest
    held = setting_of(written)
    assert held is not None
    assert held["passage"] == ["4"]
    asked = read(held, Policy(), ("grouped_cap",))
    assert (asked.policy, asked.rules, asked.complaints) == (policy, ("mmr", "dpp"), ())


@pytest.mark.parametrize(
    "data",
    [
        b"", b"[]", b'{"setting": {}}', b'{"setting": {"k": ["3"]}, "candidates": []}',
        b'{"poolscope": 1, "setting": 7}', b'{"setting', b'{"poolscope": 1}', b"\xff\xfe",
    ],
)  # fmt: skip
def test_another_file_has_no_setting(data: bytes) -> None:
    assert setting_of(data) is None


def test_values_of_a_setting_that_are_no_lists_are_not_read() -> None:
    data = json.dumps({"poolscope": 1, "setting": {"k": 3, "cap": [4], "pinned": ["a", "b"]}})
    assert setting_of(data.encode()) == {"cap": ["4"], "pinned": ["a", "b"]}


def test_a_name_is_letters_digits_and_hyphens(make_pool: Callable[..., Pool], pool: Pool) -> None:
    assert name_of(pool) == "q-7-b"
    assert name_of(make_pool(1, scores=[1], query="../../etc/passwd")) == "etc-passwd"
    assert name_of(make_pool(1, scores=[1], query="漢字"), 4) == "question-5"
    assert len(slug("word " * 100)) <= 60


def test_relevance_is_on_one_scale_in_the_rows_of_a_preset_too(pool: Pool) -> None:
    policy = Policy(k=3, relevance=Relevance.RANK)
    written = table(analysis.compare(pool, policy, ("grouped_cap", "preset:langchain_mmr")))
    found = list(csv.DictReader(io.StringIO(written, newline="")))
    assert {row["rule"] for row in found} == {"Top-k", "Capped", "LangChain MMR"}
    for row in found:
        assert float(row["relevance"]) == pytest.approx(1.0 - (int(row["rank"]) - 1) / 6)
