"""``poolscope evaluate``: what it prints, what it writes, its exit status."""

import json
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from tests.cli.commands import run

TOP_K = 'selector = "top_k"\nk = 2\n'
CAPPED = 'selector = "grouped_cap"\nk = 2\ncap = 1\n'


def line(number: int, *, facets: tuple[str, ...] = ("a", "b")) -> str:
    """A question whose first two passages are one source and say the same; the third differs."""
    rows = [
        {"id": "1", "source": "x", "text": "one", "score": 0.9, "facets": list(facets[:1])},
        {"id": "2", "source": "x", "text": "two", "score": 0.8, "facets": list(facets[:1])},
        {"id": "3", "source": "y", "text": "three", "score": 0.6, "facets": list(facets[1:])},
    ]
    head = {"query_id": f"q{number}", "query": "?", "facets": {name: name for name in facets}}
    return json.dumps({**head, "candidates": rows})


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """A folder with ten questions of two components and two of one."""
    folder = tmp_path / "golden"
    folder.mkdir()
    several = [line(number) for number in range(10)]
    (folder / "several.jsonl").write_text("\n".join(several), encoding="utf-8")
    one = [line(number, facets=("a",)) for number in (10, 11)]
    (folder / "one.jsonl").write_text("\n".join(one), encoding="utf-8")
    (folder / "README.md").write_text("What this is.", encoding="utf-8")
    (tmp_path / "policy.toml").write_text(CAPPED, encoding="utf-8")
    (tmp_path / "base.toml").write_text(TOP_K, encoding="utf-8")
    return folder


def test_limits_that_are_kept_end_well(golden: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy, base = golden.parent / "policy.toml", golden.parent / "base.toml"
    limits = ("--min-coverage", "0.9", "--max-relevance-drop", "0.2", "--min-hit", 1)
    assert (
        run("evaluate", "--workers", 1, golden, "--policy", policy, "--baseline", base, *limits)
        == 0
    )
    out = capsys.readouterr().out
    rows = [row.split() for row in out.splitlines()]
    assert ["all", "questions:", "12"] in rows
    assert ["several", "components:", "10"] in rows
    assert ["one", "true", "answer:", "2"] in rows
    coverage = next(row for row in rows if row[:2] == ["Facet", "coverage"])
    assert coverage[2:5] == ["1.000", "0.583", "+0.417"]
    assert coverage[-3:] == ["10", "0", "2"]
    assert "Coverage differs on 10 questions" in out
    assert "0.50 to 1.00  relevance -0.100  q0" in out


def test_a_broken_limit_has_a_status_of_its_own_and_a_failed_test_case(
    golden: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy, xml = golden.parent / "policy.toml", golden.parent / "out.xml"
    status = run(
        "evaluate", "--workers", 1, golden, "--policy", policy, "--max-relevance-drop", "0.05",
        "--min-coverage", "0.9", "--junit", xml,
    )  # fmt: skip
    assert status == 3
    assert "Broken: most that mean relevance" in capsys.readouterr().err
    suite = ET.parse(xml).getroot()  # noqa: S314 - just written
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    failed = {
        case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None
    }
    assert failed == {"max-relevance-drop"}
    failure = next(suite.iter("failure"))
    assert "set to 0.05, and it is 0.1" in str(failure.get("message"))


def test_json_holds_every_question(golden: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy = golden.parent / "policy.toml"
    assert run("evaluate", golden, "--policy", policy, "--format", "json") == 0
    document = json.loads(capsys.readouterr().out)
    assert len(document["questions"]) == 12
    assert document["limits"] == []
    assert document["baseline"] == "plain top-k"
    several = document["strata"][1]
    assert several["questions"] == 10
    assert several["measures"]["facet_coverage"]["difference"] == 0.5
    assert document["strata"][2]["measures"]["hit"]["low"] is None  # two questions say little


def test_a_preset_takes_the_place_of_a_policy(
    golden: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = golden.parent / "base.toml"
    assert run("evaluate", "--workers", 1, golden, "--preset", "grouped", "--baseline", base) == 0
    out = capsys.readouterr().out
    assert "Grouped" in out.splitlines()[0]
    for name in ("Grouped", "grouped", " GROUPED "):
        assert run("evaluate", "--workers", 1, golden, "--preset", name, "--baseline", base) == 0
        assert capsys.readouterr().out == out


def test_a_preset_is_measured_on_the_scale_of_the_baseline_and_can_break_a_limit(
    golden: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ranks are no scores: the preset reads scores, what it is held against reads ranks."""
    base = golden.parent / "rank.toml"
    base.write_text('selector = "top_k"\nk = 2\nrelevance = "rank"\n', encoding="utf-8")
    asked = ("evaluate", "--workers", 1, golden, "--preset", "two_pass", "--baseline", base)
    assert run(*asked, "--max-relevance-drop", 0.1) == 3
    out, err = capsys.readouterr()
    row = next(line.split() for line in out.splitlines() if "Mean relevance" in line)
    # Ranks 1 and 3 of three are 1 and 1/3, ranks 1 and 2 are 1 and 2/3.
    assert row[2:5] == ["0.667", "0.833", "-0.167"]
    assert "set to 0.1, and it is 0.1667" in err


def test_a_preset_that_takes_the_same_passages_has_the_same_numbers(
    cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It weighs the rank itself: 0.980 beside the baseline's 0.562 would be two scales."""
    file = cases / "pools" / "quotesum_dev.jsonl"
    asked = ("evaluate", "--workers", 1, file, "--preset", "total_agent_memory", "--format", "json")
    assert run(*asked) == 0
    printed = capsys.readouterr()
    assert "quotesum_dev.npz" in printed.err
    measures = json.loads(printed.out)["strata"][0]["measures"]
    relevance = measures["mean_relevance"]
    assert relevance["policy"] == relevance["baseline"] == pytest.approx(0.562, abs=5e-4)
    assert measures["facet_coverage"]["difference"] == 0.0


@pytest.mark.parametrize("is_folder", [True, False])
def test_what_lies_beside_a_pool_is_read_of_a_file_as_of_a_folder(
    golden: Path, capsys: pytest.CaptureFixture[str], *, is_folder: bool
) -> None:
    (golden / "one.jsonl").unlink()
    vectors = np.array([[1.0, 0.0], [1.0, 0.01], [0.0, 1.0]])
    with zipfile.ZipFile(golden / "several.npz", "w") as archive:
        for number in range(10):
            with archive.open(f"q{number}.npy", "w") as stream:
                np.save(stream, vectors)
    policy = golden.parent / "mmr.toml"
    policy.write_text('selector = "mmr"\nk = 2\nlambda = 0.5\n', encoding="utf-8")
    given = golden if is_folder else golden / "several.jsonl"
    assert run("evaluate", "--workers", 1, given, "--policy", policy, "--min-coverage", 1) == 0
    assert "Facet coverage" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--policy", "none.toml"], 1, "no such file"),
        (["--policy", "bad.toml"], 1, "no setting “fetch_k”"),
        (["--policy", "unknown.toml"], 1, "unknown.toml: There is no selector “mrr”"),
        (["--policy", "mmr.toml"], 1, "cannot select on 12 of 12 questions: “MMR” needs vectors"),
        (["--policy", "empty.toml"], 1, "empty.toml: There is no setting in it."),
        (["--policy", "lambda.toml"], 1, "lambda.toml: It does not say “selector”."),
        (["--policy", "policy.toml", "--baseline", "empty.toml"], 1, "There is no setting in it."),
        (["--policy", "k0.toml"], 1, "“k0” selects no passage (k = 0) on any of 12 questions"),
        (["--policy", "budget.toml"], 1, "“budget” selects no passage (budget = 0) on any"),
        (["--preset", "grouped", "--baseline", "k0.toml"], 1, "selects no passage (k = 0)"),
        (
            ["--preset", "Twopass"],
            2,
            "there is no preset “Twopass”; there are two_pass (“Two-pass”)",
        ),
        (
            ["--policy", "policy.toml", "--min-coverage", "8"],
            2,
            "is 8, outside 0 to 1. Give a share",
        ),
        (["--policy", "policy.toml", "--max-hit-drop", "2"], 2, "is 2, outside -1 to 1. Give a"),
        (["--policy", "policy.toml", "--workers", "0"], 2, "no number of processes"),
        (["--policy", "team.toml"], 1, "cannot select on 12 of 12 questions"),
        (["--policy", "rank.toml", "--baseline", "score.toml"], 1, "two scales"),
        (["--policy", "policy.toml", "--min-coverage", "high"], 2, "is no number"),
        (["--policy", "policy.toml", "--min-coverage", "nan"], 2, "is no number"),
        (["--policy", "policy.toml", "--preset", "grouped"], 2, "not allowed with"),
        ([], 2, "required"),
    ],
)
def test_what_is_wrong_is_said(
    golden: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    status: int,
    said: str,
) -> None:
    monkeypatch.chdir(golden.parent)
    Path("unknown.toml").write_text('selector = "mrr"', encoding="utf-8")
    Path("mmr.toml").write_text('selector = "mmr"', encoding="utf-8")
    Path("bad.toml").write_text("fetch_k = 20", encoding="utf-8")
    Path("team.toml").write_text('selector = "two_pass_cap"\nkey = "team"', encoding="utf-8")
    for kind in ("rank", "score"):
        text = f'selector = "top_k"\nrelevance = "{kind}"'
        Path(f"{kind}.toml").write_text(text, encoding="utf-8")
    Path("empty.toml").write_text("# nothing yet\n", encoding="utf-8")
    Path("lambda.toml").write_text("lambda = 0.8", encoding="utf-8")
    Path("k0.toml").write_text('selector = "grouped_cap"\nk = 0', encoding="utf-8")
    Path("budget.toml").write_text('selector = "top_k"\nbudget = 0', encoding="utf-8")
    assert run("evaluate", "--workers", 1, golden, *words) == status
    assert said in capsys.readouterr().err


def test_questions_without_facets_are_left_out_and_counted(
    golden: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = golden.parent / "policy.toml"
    bare = golden / "bare.json"
    bare.write_text('{"query": "?", "candidates": [{"id": "a", "text": "t"}]}', encoding="utf-8")
    assert run("evaluate", "--workers", 1, golden, "--policy", policy) == 0
    assert "1 question without facets left out" in capsys.readouterr().err
    assert run("evaluate", bare, "--policy", policy) == 1
    assert "no question with facets" in capsys.readouterr().err
