"""``poolscope convert``: what it says, what it writes, its exit status."""

import json
from pathlib import Path

import numpy as np
import pytest

from poolscope import formats
from tests.cli.commands import run

REPO = Path(__file__).resolve().parents[2]
GOOD = REPO / "tests" / "formats" / "good"
TWO = b'{"query_id": "q1", "candidates": [{"id": "a", "text": "x", "score": 2}]}\n' + (
    b'{"query_id": "q2", "candidates": [{"id": "b", "text": "y", "score": 1}]}\n'
)
BAD = b'{"query_id": "q3", "candidates": [{"text": "y", "vector": "[1 ... 2]"}]}\n'


@pytest.mark.parametrize("ending", [".json", ".jsonl", ".ndjson", ".parquet"])
@pytest.mark.parametrize(
    "sample", ["sample_data/checkout.json", "tests/formats/good/csv/plain.csv"]
)
def test_what_is_written_is_read_back_to_the_same_pool(
    tmp_path: Path, sample: str, ending: str
) -> None:
    out = tmp_path / f"out{ending}"
    assert run("convert", REPO / sample, out) == 0
    load = formats.read_path(out)
    assert load.format.name == "poolscope"
    assert load.question().pool.digest == formats.read_path(REPO / sample).question().pool.digest
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


@pytest.mark.parametrize("ending", [".json", ".jsonl", ".parquet"])
def test_all_questions_are_written(tmp_path: Path, ending: str) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / f"out{ending}"
    path.write_bytes(TWO)
    assert run("convert", path, out, "--question", "all") == 0
    before, after = formats.read_path(path), formats.read_path(out)
    assert [loaded.pool.digest for loaded in before.questions()] == [
        loaded.pool.digest for loaded in after.questions()
    ]


def test_of_several_questions_one_has_to_be_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.json"
    path.write_bytes(TWO)
    assert run("convert", path, out) == 1
    assert "The file holds 2 questions.\nGive --question 1 to 2, or" in capsys.readouterr().err
    assert run("convert", path, out, "--question", 3) == 1
    assert "There is no question 3" in capsys.readouterr().err
    assert run("convert", path, out, "--question", 2) == 0
    assert formats.read_path(out).question().pool.ids == ("b",)


def test_a_question_that_cannot_be_read_is_left_out_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(TWO + BAD)
    assert run("convert", path, out, "--question", "all") == 1
    said = capsys.readouterr().err
    assert "Question 3 is left out." in said
    assert "1 of 3 questions could not be read: left out." in said
    assert len(formats.read_path(out)) == 2
    path.write_bytes(BAD)
    assert run("convert", path, tmp_path / "none.json") == 1
    assert "vectors were lost on export" in capsys.readouterr().err
    assert not (tmp_path / "none.json").exists()


def test_the_report_stands_on_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.json"
    path.write_text('[{"id": "a\\u001b[2J", "text": "x", "score": 1}, {"text": "y", "score": "z"}]')
    assert run("convert", path, tmp_path / "out.json") == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Read as JSON: it starts with a JSON list." in printed.err
    assert "1 of 2 candidates." in printed.err
    assert "Set aside: row 2. The score is “z”, not a number." in printed.err
    assert "\x1b" not in printed.err


@pytest.mark.parametrize("broken", ["[1", "[]", "[{}]"])
def test_a_refused_input_leaves_what_was_there(
    tmp_path: Path, broken: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "in.json", tmp_path / "out.json"
    path.write_text(broken)
    out.write_text("mine")
    assert run("convert", path, out, "--force") == 1
    assert out.read_text() == "mine"
    assert len(capsys.readouterr().err.splitlines()) >= 2
    assert sorted(item.name for item in tmp_path.iterdir()) == ["in.json", "out.json"]


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["turn"],
        ["convert", "in.json"],
        ["convert", "in.json", "out.csv"],
        ["convert", "in.json", "out.json", "--question", "0"],
        ["convert", "in.json", "out.json", "--question", "first"],
        ["convert", "in.json", "out.json", "--format", "xlsx"],
        ["convert", "in.json", "out.json", "--direction", "up"],
    ],
    ids=" ".join,
)
def test_a_wrong_command_ends_with_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*words) == 2
    assert "usage: poolscope" in capsys.readouterr().err


def test_choices_reach_the_reading(tmp_path: Path) -> None:
    path, corpus, out = (tmp_path / name for name in ("run.json", "corpus.jsonl", "out.json"))
    path.write_text(
        '[{"id": "a", "text": "x", "team": "t", "score": 1},'
        ' {"id": "b", "text": "y", "team": "u", "score": 2}]'
    )
    assert run("convert", path, out, "--source-field", "team", "--direction", "higher") == 0
    pool = formats.read_path(out).question().pool
    assert pool.sources == ("t", "u")
    assert pool.score_kind is not None
    assert pool.score_kind.evidence == "Chosen by hand."
    corpus.write_text('{"id": "d1", "text": "one"}\n{"id": "d2", "text": "two"}\n')
    trec = tmp_path / "run.trec"
    trec.write_text("q1 Q0 d1 1 2.0 x\nq1 Q0 d2 2 1.0 x\n")
    words = ("--format", "trec-run", "--corpus", corpus, "--force")
    assert run("convert", trec, out, *words) == 0
    assert formats.read_path(out).question().pool.texts == ("one", "two")


def test_vectors_whose_lengths_are_not_kept_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "in.json", tmp_path / "out.json"
    path.write_text('[{"id": "a", "text": "x", "vector": [3, 4]}]', encoding="utf-8")
    assert run("convert", path, out) == 0
    said = "written at unit length: their own lengths, up to 4 away from 1, are not kept."
    assert said in capsys.readouterr().err
    assert json.loads(out.read_bytes())["candidates"][0]["vector"] == pytest.approx([0.6, 0.8])
    assert run("convert", out, tmp_path / "again.json") == 0
    assert "Vectors: 2 dimensions." in capsys.readouterr().err


def test_what_lies_beside_is_read_unless_it_is_to_be_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"query_id": "q", "candidates": [{"id": "a", "text": "x"}]}\n')
    np.savez(tmp_path / "in.npz", q=np.array([[3.0, 4.0]]))
    np.savez(tmp_path / "named.npz", q=np.array([[0.0, 2.0]]))
    asked = {"beside": (), "named": ("--vectors", tmp_path / "named.npz"), "alone": ("--alone",)}
    found = {}
    for name, words in asked.items():
        out = tmp_path / f"{name}.json"
        assert run("convert", path, out, *words) == 0
        said = capsys.readouterr().err
        assert ("Read with it:" in said) is (name == "beside")
        vectors = formats.read_path(out).question().pool.vectors
        found[name] = None if vectors is None else vectors[0].tolist()
    assert found == {"beside": pytest.approx([0.6, 0.8]), "named": [0.0, 1.0], "alone": None}
