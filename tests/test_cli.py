"""The command: what it prints, what it writes, its exit status."""

import json
import stat
import tomllib
from pathlib import Path

import pytest

from poolscope import cli, formats
from poolscope.formats import Tried

REPO = Path(__file__).resolve().parents[1]
GOOD = REPO / "tests" / "formats" / "good"
TWO = b'{"query_id": "q1", "candidates": [{"id": "a", "text": "x", "score": 2}]}\n' + (
    b'{"query_id": "q2", "candidates": [{"id": "b", "text": "y", "score": 1}]}\n'
)
BAD = b'{"query_id": "q3", "candidates": [{"text": "y", "vector": "[1 ... 2]"}]}\n'


def run(*words: object) -> int:
    """Run the command; a wrong one ends with its own status."""
    try:
        return cli.main([str(word) for word in words])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else -1


def test_the_command_is_installed_under_its_name() -> None:
    settings = tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["project"]["scripts"] == {"poolscope": "poolscope.cli:main"}


def test_formats_lists_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("formats") == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["name", "format", "tried", "on"]
    for line, item in zip(lines, formats.FORMATS, strict=True):
        assert line.split()[0] == item.name
        assert item.label in line
        assert line.endswith(item.tried)
    assert {item.tried for item in formats.FORMATS} == set(Tried)


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
    assert "1 of 3 questions could not be read and are left out." in said
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


def test_a_file_is_replaced_only_by_force(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "in.json", tmp_path / "out.json"
    path.write_text('[{"id": "a", "text": "x"}]')
    out.write_text("mine")
    assert run("convert", path, out) == 1
    assert "The file exists already.\nGive another name, or --force" in capsys.readouterr().err
    assert out.read_text() == "mine"
    assert run("convert", path, out, "--force") == 0
    assert json.loads(out.read_text())["poolscope"] == 1
    assert stat.S_IMODE(out.stat().st_mode) & stat.S_IRUSR
    assert run("convert", path, path, "--force") == 0
    assert formats.read_path(path).question().pool.texts == ("x",)


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


def test_where_it_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "in.json"
    path.write_text('[{"text": "x"}]')
    (tmp_path / "folder.json").mkdir()
    assert run("convert", path, tmp_path / "folder.json") == 1
    assert "This is a folder." in capsys.readouterr().err
    assert run("convert", path, tmp_path / "none" / "x.json") == 1
    assert "Its folder does not exist." in capsys.readouterr().err
    assert run("convert", tmp_path / "gone.json", tmp_path / "x.json") == 1
    assert "There is no such file." in capsys.readouterr().err


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
