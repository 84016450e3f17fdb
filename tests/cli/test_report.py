"""``poolscope report``: one file, a folder with an index, what is refused, and what is not said."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from poolscope import formats
from poolscope.model import Policy
from poolscope.selection import select
from tests.cli.commands import run

REPO = Path(__file__).resolve().parents[2]
WITHOUT_VECTORS = REPO / "sample_data" / "deploy-guide-8.json"
HEALTHY = REPO / "sample_data" / "healthy.json"


def questions(path: Path, count: int = 3, bad: int = -1) -> Path:
    """Write a file of several questions; two of them share a name."""
    lines = []
    for number in range(count):
        rows: list[dict[str, object]] = [
            {"id": f"p{rank}", "text": f"the secret sentence {rank} of {number} is long enough",
             "source": f"doc {rank % 2}", "score": 1 - rank / 10}
            for rank in range(4)
        ]  # fmt: skip
        if number == bad:
            rows = [{"text": "y", "vector": "[1 ... 2]"}]
        query = "What <b>now</b>?" if number < 2 else "And then?"
        lines.append(json.dumps({"query": query, "candidates": rows}))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def held(path: Path) -> dict[str, Any]:
    """Return the data of a written file."""
    document = path.read_text(encoding="utf-8")
    found = re.search(r'id="poolscope-data">(.*?)</script>', document, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_one_question_is_one_file_at_the_setting_that_was_given(tmp_path: Path) -> None:
    policy, out = tmp_path / "policy.toml", tmp_path / "out.html"
    policy.write_text('selector = "mmr_cap"\nk = 3\nlambda = 0.5\n', encoding="utf-8")
    assert run("report", HEALTHY, "-o", out, "--policy", policy, "--cap", 1) == 0
    data = held(out)
    whole = data["board"]["n"]
    assert data["board"]["setting"] == {"lambda": 0.5, "cap": 1, "depth": whole, "k": 3}
    assert [column["reads"] for column in data["columns"]] == [
        ["depth", "k"],
        ["lambda", "cap", "depth", "k"],
    ]
    pool = formats.read_path(HEALTHY).question().pool
    chosen = select(pool, Policy(selector="mmr_cap", k=3, lambda_=0.5, cap=1))
    picks, place = data["lattice"]["picks"], data["columns"][1]["settled"]
    at, found = picks["places"][place], []
    while at >= 0:
        found.append(picks["last"][at])
        at = picks["parents"][at]
    assert found[::-1] == list(chosen.ordered)
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".html"] == ["out.html"]


def test_a_policy_with_an_unknown_selector_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = tmp_path / "unknown.toml"
    policy.write_text('selector = "mrr"\n', encoding="utf-8")
    assert run("report", HEALTHY, "-o", tmp_path / "out.html", "--policy", policy) == 1
    assert "unknown.toml: There is no selector “mrr”" in capsys.readouterr().err


def test_two_policies_are_two_columns(tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    for name in ("mmr", "grouped_cap"):
        (tmp_path / f"{name}.toml").write_text(f'selector = "{name}"\n', encoding="utf-8")
    given = [word for name in ("mmr", "grouped_cap")
             for word in ("--policy", tmp_path / f"{name}.toml")]  # fmt: skip
    assert run("report", HEALTHY, "-o", out, *given) == 0
    assert [column["title"] for column in held(out)["columns"]] == ["Top-k", "MMR", "Capped"]


def test_several_questions_are_a_folder_with_an_index(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = questions(tmp_path / "in.jsonl"), tmp_path / "out"
    assert run("report", path, "-o", out) == 0
    names = {"index.html", "what-b-now-b.html", "what-b-now-b-2.html", "and-then.html"}
    assert {item.name for item in out.iterdir()} == names
    index = (out / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'<a href="([^"]+)">', index) == [
        "what-b-now-b.html", "what-b-now-b-2.html", "and-then.html",
    ]  # fmt: skip
    assert "What &lt;b&gt;now&lt;/b&gt;?" in index
    assert "script-src 'none'" in index
    assert '<a href="index.html">' in (out / "and-then.html").read_text(encoding="utf-8")
    assert run("report", path, "-o", out) == 1
    assert "exists already" in capsys.readouterr().err
    assert run("report", path, "-o", out, "--force", "--question", 3, "--question", 1) == 0
    assert re.findall(r'<a href="([^"]+)">', (out / "index.html").read_text(encoding="utf-8")) == [
        "and-then.html", "what-b-now-b.html",
    ]  # fmt: skip


def test_labels_only_says_no_text_in_any_file_or_name(tmp_path: Path) -> None:
    path, out = questions(tmp_path / "in.jsonl"), tmp_path / "out"
    assert run("report", path, "-o", out, "--texts", "labels") == 0
    for file in out.iterdir():
        content = file.read_text(encoding="utf-8")
        assert "secret sentence" not in content
        assert "And then" not in content
        assert "now" not in file.name
    assert "doc 0" in (out / "question-1.html").read_text(encoding="utf-8")


def test_a_question_that_cannot_be_read_is_left_out_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = questions(tmp_path / "in.jsonl", bad=1), tmp_path / "out"
    assert run("report", path, "-o", out) == 1
    assert "Question 2 is left out" in capsys.readouterr().err
    assert {item.name for item in out.iterdir()} == {
        "index.html", "what-b-now-b.html", "and-then.html",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--question", "9"], "There is no question 9: the file holds 3."),
        (["--lambda", "7"], "lambda is 7.0, outside 0 to 1."),
        (["--policy", "nowhere.toml"], "It cannot be read: No such file or directory."),
        ([], "These are 3 questions, and one file was named."),
    ],
)
def test_what_is_refused_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    path, out = questions(tmp_path / "in.jsonl"), tmp_path / "out.html"
    assert run("report", path, "-o", out, *words) == 1
    problem, remedy, *_ = [
        line for line in capsys.readouterr().err.splitlines() if not line.startswith("Read as")
    ]
    assert said in problem
    assert remedy
    assert not out.exists()


@pytest.mark.parametrize("number", ["0", "two", "-1", "9" * 40, "²"])
def test_what_is_no_question_is_wrong_usage(tmp_path: Path, number: str) -> None:
    path = questions(tmp_path / "in.jsonl")
    assert run("report", path, "-o", tmp_path / "out", "--question", number) == 2


def test_a_pool_without_vectors_has_the_columns_that_it_can_have(tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    assert run("report", WITHOUT_VECTORS, "-o", out, "--depth", 999) == 0
    assert [column["title"] for column in held(out)["columns"]] == ["Top-k", "Capped"]


@pytest.mark.parametrize("name", ["r3.txt", "r.PDF", "r.htmx"])
def test_a_name_of_another_kind_of_file_is_no_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert run("report", WITHOUT_VECTORS, "-o", tmp_path / name) == 2
    said = capsys.readouterr().err
    assert "what is written is HTML: name a file that ends in .html, or a folder" in said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["plain", "v1.2", "week.48", "named.txt/"])
def test_a_folder_may_have_a_dot_in_its_name(tmp_path: Path, name: str) -> None:
    assert run("report", WITHOUT_VECTORS, "-o", f"{tmp_path}/{name}") == 0
    assert (tmp_path / name / "index.html").is_file()


def test_a_folder_that_is_there_is_written_into_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "r.txt").mkdir()
    assert run("report", WITHOUT_VECTORS, "-o", tmp_path / "r.txt") == 0
    assert (tmp_path / "r.txt" / "index.html").is_file()


def test_what_lies_beside_a_pool_is_in_the_report(tmp_path: Path) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.html"
    rows = [{"id": str(n), "text": f"text {n}", "source": str(n), "score": -n} for n in range(6)]
    path.write_text(json.dumps({"query_id": "q", "query": "?", "candidates": rows}))
    np.savez(tmp_path / "in.npz", q=np.eye(6) + 0.1)
    assert run("report", path, "-o", out) == 0
    assert [column["title"] for column in held(out)["columns"]] == ["Top-k", "Capped", "MMR"]
