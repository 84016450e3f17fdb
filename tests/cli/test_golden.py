"""``poolscope golden``: round trips, what is refused, and what is said."""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from poolscope import formats
from poolscope.golden.actions import (
    AddFacet,
    AddQuestion,
    Adjudicate,
    FinishPass,
    MarkPassage,
    SetGuidelines,
    SetProject,
)
from poolscope.golden.model import Mark, Passage, Question, Role, Saved, Who
from poolscope.golden.own_json import as_json
from poolscope.golden.passages import passages_of
from poolscope.golden.store import Store, open_store
from poolscope.model import DOES_NOT, SUPPORTS, UNJUDGED, Pool
from tests.cli.commands import run

ANN, BEN, EVE = Who("Ann"), Who("Ben"), Who("Eve", Role.ADJUDICATOR)
YES, NO = Mark.SUPPORTS, Mark.DOES_NOT

Printed = pytest.CaptureFixture[str]

TEXTS = (
    "Refunds are issued within 14 days of purchase to the original card.",
    "To ask for a refund, open the order and choose Refund from the menu.",
    "A refund for a gift goes back to the person who paid for the order.",
)


def _pool_file(folder: Path, texts: tuple[str, ...], *, source: str = "a.md") -> Path:
    path = folder / "pool.json"
    rows = [
        {"id": f"d{n}", "source": source, "text": text, "score": 1 / n}
        for n, text in enumerate(texts, start=1)
    ]
    path.write_text(json.dumps({"query_id": "q1", "query": "What?", "candidates": rows}))
    return path


def _send(store: Store, action: object, who: Who = ANN) -> None:
    assert isinstance(store.send("q1", action, who), Saved)  # type: ignore[arg-type]


@pytest.fixture
def golden(tmp_path: Path, make_pool: Callable[..., Pool]) -> Path:
    """A golden set of one question, marked by two, adjudicated by a third."""
    path = tmp_path / "golden.sqlite"
    pool = make_pool(3, scores=[3, 2, 1], texts=TEXTS, sources=("a.md",) * 3, query_id="q1")
    passages = passages_of(pool)
    with open_store(path) as store:
        _send(store, AddQuestion(Question("q1", "What?"), passages))
        _send(store, AddFacet("a", "deadline"))
        for passage, said in zip(passages, (YES, YES, NO), strict=True):
            _send(store, MarkPassage("a", passage.key, said, 0, 1))
        _send(store, FinishPass())
        for passage, said in zip(passages, (YES, NO, NO), strict=True):
            _send(store, MarkPassage("a", passage.key, said, 0, 1), BEN)
        _send(store, Adjudicate("a", passages[1].key, NO, 0, 1), EVE)
    return path


def test_a_golden_set_goes_out_and_comes_back_the_same(
    golden: Path, tmp_path: Path, capsys: Printed
) -> None:
    out, other = tmp_path / "out.json", tmp_path / "other.sqlite"
    assert run("golden", "export", out, "--store", golden) == 0
    assert "1 question written." in capsys.readouterr().err
    assert run("golden", "import", out, "--store", other, "--by", "Cid") == 0
    said = capsys.readouterr().err
    assert "Read as a golden set of this app." in said
    assert "1 added, 0 filled, 0 there already, 0 not added." in said
    with open_store(golden) as before, open_store(other) as after:
        assert as_json(after.golden_set()) == as_json(before.golden_set())
        assert after.log()[-1].annotator == "Cid"
    assert "guidelines" not in said
    again = tmp_path / "again.json"
    assert run("golden", "export", again, "--store", other) == 0
    assert again.read_bytes() == out.read_bytes()
    assert run("golden", "import", again, "--store", other, "--by", "Cid") == 0
    assert "1 there already" in capsys.readouterr().err


def test_what_becomes_of_a_files_guidelines_is_said(
    golden: Path, tmp_path: Path, capsys: Printed
) -> None:
    out, other = tmp_path / "out.json", tmp_path / "other.sqlite"
    with open_store(golden) as store:
        assert isinstance(store.send("", SetGuidelines("Read it all.", 0), EVE), Saved)
    assert run("golden", "export", out, "--store", golden) == 0
    asked = ("golden", "import", out, "--store", other, "--by", "Cid")
    assert run(*asked) == 0
    assert "The file's guidelines are left out: an adjudicator alone" in capsys.readouterr().err
    assert run(*asked, "--adjudicator") == 0
    assert "The file's guidelines are the golden set's now." in capsys.readouterr().err
    with open_store(other) as after:
        assert after.project().guidelines == "Read it all."


def test_settings_of_a_file_that_are_left_out_are_said(
    golden: Path, tmp_path: Path, capsys: Printed
) -> None:
    out, other = tmp_path / "out.json", tmp_path / "other.sqlite"
    for path, seed in ((golden, 11), (other, 5)):
        with open_store(path) as store:
            there = dataclasses.replace(store.project(), seed=seed)
            assert isinstance(store.send("", SetProject(there), EVE), Saved)
    assert run("golden", "export", out, "--store", golden) == 0
    assert run("golden", "import", out, "--store", other, "--by", "Cid") == 0
    assert "The file's settings (what is hidden" in capsys.readouterr().err
    with open_store(other) as after:
        assert after.project().seed == 5


def test_a_question_that_differs_is_not_overwritten(
    golden: Path, tmp_path: Path, capsys: Printed
) -> None:
    out = tmp_path / "out.json"
    run("golden", "export", out, "--store", golden)
    with open_store(golden) as store:
        _send(store, AddFacet("b", "cost"), BEN)
        before = as_json(store.golden_set())
    capsys.readouterr()
    assert run("golden", "import", out, "--store", golden, "--by", "Cid") == 1
    said = capsys.readouterr().err
    assert "1 not added" in said
    assert "q1: The golden set already has a question “q1”." in said
    with open_store(golden) as store:
        assert as_json(store.golden_set()) == before


def test_judgements_go_out_and_come_in_with_their_pool(
    golden: Path, tmp_path: Path, capsys: Printed
) -> None:
    out, other = tmp_path / "out.qrels", tmp_path / "other.sqlite"
    assert run("golden", "export", out, "--documents", "id", "--store", golden) == 0
    assert "facets' numbers" in capsys.readouterr().err
    assert out.read_text() == "q1 1 d1 1\nq1 1 d2 0\nq1 1 d3 0\n"
    pool = _pool_file(tmp_path, TEXTS)
    asked = ("golden", "import", out, "--store", other, "--by", "Cid")
    assert run(*asked, "--pool", pool) == 0
    assert "Read as TREC judgements." in capsys.readouterr().err
    with open_store(other) as store:
        (record,) = store.golden_set().records
        assert record.question.text == "What?"
        assert [passage.text for passage in record.passages] == list(TEXTS)
        assert {one.annotator for one in record.judgements} == {"Cid"}


def test_judgements_without_a_pool_say_what_is_unknown(
    tmp_path: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, store = tmp_path / "x.qrels", tmp_path / "golden.sqlite"
    file.write_text("q1 1 d1 1\nq1 1 d2 0\n")
    monkeypatch.setenv("POOLSCOPE_GOLDEN", str(store))
    assert run("golden", "import", file, "--by", "Cid") == 0
    assert "2 documents known by an id alone, among them d1, d2" in capsys.readouterr().err
    assert run("golden", "check") == 0
    assert "2 passages known by an id alone" in capsys.readouterr().out


def test_nuggets_fill_a_question_that_is_there(tmp_path: Path, capsys: Printed) -> None:
    path, file = tmp_path / "golden.sqlite", tmp_path / "nuggets.jsonl"
    nuggets = [{"text": "a deadline"}, {"text": "a way", "importance": "okay"}]
    lines = [{"qid": id_, "query": id_, "nuggets": nuggets} for id_ in ("q1", "q2")]
    file.write_text("\n".join(json.dumps(line) for line in lines))
    with open_store(path) as store:
        _send(store, AddQuestion(Question("q1", "What?"), (Passage("k", "text", rank=1),)))
    assert run("golden", "import", file, "--store", path, "--by", "Cid") == 0
    said = capsys.readouterr().err
    assert "Read as lists of nuggets." in said
    assert "1 added, 1 filled, 0 there already, 0 not added." in said
    assert "1 question without passages" in said
    with open_store(path) as store:
        first, second = store.golden_set().records
    assert (first.question.text, len(first.passages), len(first.facets)) == ("What?", 1, 2)
    assert (second.question.text, len(second.passages), len(second.facets)) == ("q2", 0, 2)


def test_other_files_and_standard_output(golden: Path, tmp_path: Path, capsys: Printed) -> None:
    assert run("golden", "export", "-", "--as", "run", "--documents", "id", "--store", golden) == 0
    out = capsys.readouterr().out
    assert out == "q1 Q0 d1 1 3 pool\nq1 Q0 d2 2 2 pool\nq1 Q0 d3 3 1 pool\n"
    table = tmp_path / "marks.csv"
    assert run("golden", "export", table, "--store", golden) == 0
    lines = table.read_text().splitlines()
    assert len(lines) == 8
    assert [line.split(",")[9] for line in lines[1:]].count("Eve") == 1


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".parquet"])
def test_pools_take_the_marks_along_into_a_file_that_is_read_back(
    golden: Path, tmp_path: Path, capsys: Printed, suffix: str
) -> None:
    pool = _pool_file(tmp_path, (*TEXTS[:2], "Nobody has judged this one."), source="./a.md")
    out = tmp_path / f"judged{suffix}"
    asked = ("golden", "export", out, "--as", "pools", "--store", golden)
    assert run(*asked, "--pool", pool) == 0
    assert (
        "q1: 2 of 3 candidates judged, 1 judged passage not among them." in capsys.readouterr().err
    )
    found = formats.read_path(out).question(0).pool
    assert [facet.label for facet in found.facets] == ["deadline"]
    # Ann and Ben agree on the first; on the second they differ and Eve ruled.
    assert found.marks.tolist() == [[SUPPORTS], [DOES_NOT], [UNJUDGED]]
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"query": "Another?", "candidates": [{"text": "x"}]}))
    assert run(*asked, "--pool", other, "--force") == 1
    said = capsys.readouterr().err
    assert "Another?: left out" in said
    assert "None of the pools has a question with facets" in said
    assert run(*asked, "--force") == 1
    assert run(*asked, "--pool", pool) == 1
    assert "The file exists already." in capsys.readouterr().err


def test_agreement_as_a_table_and_as_json(golden: Path, capsys: Printed) -> None:
    assert run("golden", "agreement", "--store", golden) == 0
    shown = capsys.readouterr().out
    # Ann: yes, yes, no; Ben: yes, no, no. Kappa (2/3 - 4/9) / (5/9), alpha 1 - 5 / 9.
    row = next(line for line in shown.splitlines() if line.startswith("q1"))
    assert row.split() == ["q1", "deadline", "3", "3", "0.667", "0.400", "0.333", "0.444"]
    assert "Annotators: Ann, Ben. Labels: supports 3, does not 3; missing: 0." in shown
    assert "count as missing" in shown
    assert run("golden", "agreement", "--json", "--store", golden) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["overall"]["kappa"] == pytest.approx(0.4)
    assert found["facets"][0]["labels"] == {"supports": 3, "does not": 3}
    assert found["overall"]["undefined"] == {}
    assert run("golden", "agreement", "--json", "--cant-tell", "--store", golden) == 0
    assert "can't tell" in json.loads(capsys.readouterr().out)["overall"]["labels"]


def test_agreement_that_is_not_defined_has_no_number(tmp_path: Path, capsys: Printed) -> None:
    path = tmp_path / "empty.sqlite"
    open_store(path).close()
    assert run("golden", "agreement", "--json", "--store", path) == 0
    overall = json.loads(capsys.readouterr().out)["overall"]
    assert overall["alpha"] is None
    assert overall["undefined"]["alpha"] == "no cell has two labels"
    assert run("golden", "agreement", "--store", path) == 0
    assert "Annotators: nobody." in capsys.readouterr().out


def test_a_finished_set_has_nothing_left_to_do(golden: Path, capsys: Printed) -> None:
    assert run("golden", "check", "--store", golden) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1 question, 7 marks.",
        "q1: It is said to have several components, and has one facet.",
    ]


def test_what_is_carried_over_to_a_pool_made_anew(
    golden: Path, tmp_path: Path, capsys: Printed
) -> None:
    renamed = _pool_file(tmp_path, TEXTS[::-1], source="b.md")
    assert run("golden", "check", "--store", golden, "--pool", renamed) == 0
    assert "q1: 3 of 3 passages carried over, 0 changed, 0 lost." in capsys.readouterr().out
    edited = _pool_file(tmp_path, (TEXTS[0].replace("14", "30"), TEXTS[1]))
    assert run("golden", "check", "--store", golden, "--pool", edited) == 1
    shown = capsys.readouterr().out
    assert "q1: 1 of 3 passages carried over, 1 changed, 1 lost." in shown
    assert "q1: changed: d1 (57% alike)" in shown
    assert "q1: lost: d3" in shown


def test_a_store_that_its_log_does_not_lead_to_is_a_fault(golden: Path, capsys: Printed) -> None:
    import sqlite3

    with sqlite3.connect(golden) as tables:
        (name,) = next(
            row
            for row in tables.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if row[0].endswith("mark")
        )
        tables.execute(f"UPDATE {name} SET mark = 'supports'")  # noqa: S608 - a table of our own
    tables.close()
    assert run("golden", "check", "--store", golden) == 1
    assert "Fault: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        ("golden", 2, "PART"),
        ("golden export", 2, "OUT"),
        ("golden import x.qrels --store {store}", 1, "--by NAME"),
        ("golden export x.json", 1, "There is no golden set at"),
        ("golden check --store nowhere.sqlite", 1, "There is no golden set at nowhere.sqlite."),
        ("golden check --store mysql://x/y", 1, "cannot be kept in “mysql”"),
        ("golden export - --store {store}", 1, "does not say what to write"),
        ("golden export x.txt --store {store}", 1, "Give --as json, csv, qrels, run"),
        ("golden export x.txt --as pools --store {store}", 1, "ends in none of"),
        ("golden export x.txt --as xml --store {store}", 2, "--as"),
        ("golden export {store} --as json --store {store}", 1, "The file exists already."),
        ("golden import nowhere.json --by Cid --store {store}", 1, "It cannot be read"),
        ("golden import {store} --by Cid --store {store}", 1, "is not UTF-8"),
        ("golden import x --by  --store {store}", 1, "no annotator's name"),
        ("golden check --pool nowhere.json --store {store}", 1, "nowhere.json"),
    ],
)
def test_what_is_refused(
    golden: Path,
    words: str,
    status: int,
    sentence: str,
    capsys: Printed,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(golden.parent)
    monkeypatch.delenv("POOLSCOPE_GOLDEN", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(golden.parent / "data"))
    Path("x.qrels").write_text("q1 1 d1 1\n")
    given = [word.format(store=golden) for word in words.split(" ")]
    assert run(*given) == status
    assert sentence in capsys.readouterr().err
    assert not (golden.parent / "nowhere.sqlite").exists()


def test_a_file_that_names_its_annotators_needs_no_name(
    golden: Path, tmp_path: Path, capsys: Printed
) -> None:
    out, other = tmp_path / "out.json", tmp_path / "other.sqlite"
    assert run("golden", "export", out, "--store", golden) == 0
    assert run("golden", "import", out, "--store", other) == 0
    said = capsys.readouterr().err
    assert "1 added" in said
    with open_store(other) as store:
        who = store.log()[-1].annotator
        assert who in {one.annotator for one in store.golden_set().records[0].judgements}
    assert f"Added under the name of “{who}”" in said


def test_a_pool_brings_what_lies_beside_it(golden: Path, tmp_path: Path, capsys: Printed) -> None:
    pool, out = _pool_file(tmp_path, TEXTS), tmp_path / "judged.jsonl"
    np.savez(Path(pool).with_suffix(".npz"), q1=np.eye(3))
    asked = ("golden", "export", out, "--as", "pools", "--store", golden, "--pool", pool)
    assert run(*asked) == 0
    assert f"Read with it: {Path(pool).with_suffix('.npz')}." in capsys.readouterr().err
    assert formats.read_path(out).question().pool.vectors is not None
