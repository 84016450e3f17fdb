"""The READMEs: what they name exists, what exists they name, and their code runs."""

import itertools
import re
import subprocess
import sys
from pathlib import Path

import pytest

from poolscope import formats, measures, report, samples, selection
from poolscope.model import Cause, Policy, Pool
from poolscope.selection import presets

REPO = Path(__file__).resolve().parents[1]
README = (REPO / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (REPO / "src" / "README.md").read_text(encoding="utf-8")
FIRST_SCREEN = "\n".join(README.splitlines()[:30])


def blocks(language: str, text: str = README) -> list[str]:
    """Return the code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def table(heading: str) -> list[str]:
    """Return the first cells of the rows of the table whose first column is headed so."""
    lines = README.splitlines()
    (start,) = [i for i, line in enumerate(lines) if line.startswith(f"| {heading} |")]
    cells = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        cells.append(line.split("|")[1].strip())
    return cells


def test_the_first_screen_has_a_picture_and_both_commands() -> None:
    pictures = re.findall(r"!\[[^\]]{20,}\]\(([^)]+)\)", FIRST_SCREEN)
    assert pictures, "a picture of the app, with words for those who do not see it"
    commands = [line for block in blocks("sh", FIRST_SCREEN) for line in block.splitlines()]
    assert any("streamlit run app.py" in line for line in commands)
    assert any("pytest" in line for line in commands)


def test_the_pictures_are_there() -> None:
    for name in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README):
        assert (REPO / name).is_file(), name


def test_the_test_command_stands_word_for_word_in_ci() -> None:
    (command,) = [line for block in blocks("sh") for line in block.splitlines() if "pytest" in line]
    assert command in (REPO / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_every_rule_is_named_and_nothing_else() -> None:
    named = [[item.label, f"`{item.name}`"] for item in selection.SELECTORS]
    assert [row[:2] for row in rows("rule")] == named


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the rows of the table whose first column is headed so."""
    lines = README.splitlines()
    (start,) = [i for i, line in enumerate(lines) if line.startswith(f"| {heading} |")]
    found = itertools.takewhile(lambda line: line.startswith("|"), lines[start + 2 :])
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found]


def test_every_preset_is_a_row_that_says_what_it_does() -> None:
    said = [[item.label, item.summary, item.differs] for item in presets.PRESETS]
    assert rows("preset") == said


@pytest.fixture(scope="module")
def opened() -> list[Pool]:
    """Every sample, as the app opens it."""
    return [
        formats.read(samples.data(item), item.file).question(source_field=item.source_field).pool
        for item in samples.SAMPLES
    ]


@pytest.mark.parametrize("label", [row[0] for row in rows("preset")])
def test_every_preset_of_the_table_works_on_a_sample(label: str, opened: list[Pool]) -> None:
    (preset,) = [item for item in presets.PRESETS if item.label == label]
    asked = presets.Request(stored=40, lambda_=0.6)
    served = [pool for pool in opened if not preset.missing(pool, asked)]
    assert served
    for pool in served:
        chosen = preset.select(pool, asked)
        reasons = [chosen.reason(index) for index in range(len(pool))]
        # A gate may let nothing in, a fused score on the scale of a cosine for one, and says so.
        causes = {None if why is None else why.cause for why in reasons}
        gated = Cause.BELOW_GATE in causes <= {Cause.BELOW_GATE, Cause.BEYOND_DEPTH}
        assert chosen.ordered or (gated and "below the gate" in chosen.notes[-1])


@pytest.mark.parametrize("system", [row[0] for row in rows("system")])
def test_every_system_of_the_table_writes_a_sample_as_code(system: str, opened: list[Pool]) -> None:
    (dialect,) = [item for item in report.DIALECTS if item.system == system]
    written = [
        report.snippets(pool, Policy(selector=rule))[report.DIALECTS.index(dialect)]
        for pool in opened
        for rule in ("mmr", "grouped_cap")
    ]
    assert {snippet.system for snippet in written} == {system}
    assert any(snippet.code for snippet in written)
    assert all(snippet.differs for snippet in written)


def test_the_systems_are_those_that_are_written_and_nothing_else() -> None:
    assert [row[0] for row in rows("system")] == [item.system for item in report.DIALECTS]


def test_every_measure_is_named_and_nothing_else() -> None:
    named = [name.strip() for cell in table("measure") for name in cell.split(",")]
    assert named == [item.label for item in measures.MEASURES]


def test_every_format_is_named_and_nothing_else() -> None:
    assert sorted(table("format")) == sorted(item.label for item in formats.FORMATS)
    assert re.findall(r"\b(\d+) formats\b", README) == [str(len(formats.FORMATS))]


def test_the_samples_that_it_names_exist() -> None:
    titles = {sample.title for sample in samples.SAMPLES}
    named = re.findall(r"\bsamples? ((?:\*[^*]+\*(?:, or | and |, )?)+)", README)
    found = [title for group in named for title in re.findall(r"\*([^*]+)\*", group)]
    assert found
    assert set(found) <= titles


@pytest.mark.parametrize("number", range(len(blocks("python"))))
def test_the_python_of_the_readme_runs_and_prints_what_it_says(number: int) -> None:
    code = blocks("python")[number]
    done = subprocess.run(  # noqa: S603 - code of the README
        [sys.executable, "-W", "error", "-c", code],
        cwd=REPO, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    printed = done.stdout.splitlines()
    if "ranks 1, 9, 14, 38, 39" in code:
        assert printed[0] == "[1, 9, 14, 38, 39]"
        assert printed[-1] == "1.0"


def test_the_json_of_the_readme_is_a_pool() -> None:
    for number, block in enumerate(blocks("json")):
        loaded = formats.read(block.encode(), f"block {number}.json").question(0)
        assert loaded.report.set_aside == ()
        assert loaded.pool.vectors is not None
        assert len(loaded.pool.facets) == 2
        assert loaded.report.judged == len(loaded.pool)


def test_the_files_that_the_readmes_name_exist() -> None:
    for text in (README, ARCHITECTURE):
        names = re.findall(r"`((?:[\w.-]+/)+[\w.-]+\.\w+)`", text)
        for name in names:
            places = (REPO, REPO / "src" / "poolscope", REPO / "sample_data")
            assert any((place / name).exists() for place in places), name


def test_the_architecture_page_names_every_layer_of_the_contract() -> None:
    import tomllib

    settings = tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(
        item for item in settings["tool"]["importlinter"]["contracts"] if item["type"] == "layers"
    )
    for row in contract["layers"]:
        for layer in row.split("|"):
            assert f"`{layer.strip()}`" in ARCHITECTURE, layer


def test_the_architecture_page_names_functions_that_exist() -> None:
    import importlib

    for module, name in re.findall(r"`(\w+)\.(\w+)\(", ARCHITECTURE):
        found = importlib.import_module(f"poolscope.{module}") if module.islower() else None
        if found is not None:
            assert hasattr(found, name), f"{module}.{name}"


def test_the_bind_address_and_telemetry_are_as_the_readme_says() -> None:
    import tomllib

    config = tomllib.loads((REPO / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["server"]["address"] == "127.0.0.1"
    assert config["browser"]["gatherUsageStats"] is False
    assert config["client"]["showErrorDetails"] in {"type", "none", False}
    limit = config["server"]["maxUploadSize"]
    assert limit * 1_000_000 <= formats.MAX_BYTES * 1.05
    assert f"{limit} MB" in README
    assert "--server.address 0.0.0.0" in README
    assert "reverse proxy" in README
