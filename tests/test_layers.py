"""The house's own rules that no linter checks."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[1]
SOURCE = REPO / "src" / "poolscope"
TESTS = REPO / "tests"
PAGES = sorted((REPO / "pages").glob("*.py"))
MODULES = sorted(path for path in SOURCE.rglob("*.py") if path.name != "__init__.py")

TESTED_ELSEWHERE: dict[str, str] = {
    # module: the test file that covers it, and why it has none of its own name
    "formats/aliases.py": "formats/test_every_format.py: names only, read through every format",
    "formats/decoding.py": "formats/test_every_format.py: good and bad files by glob",
    "formats/json_lines.py": "formats/test_every_format.py: good and bad files by glob",
    "formats/json_records.py": "formats/test_every_format.py: good and bad files by glob",
    "formats/csv_table.py": "formats/test_every_format.py: good and bad files by glob",
    "formats/parquet.py": "formats/test_every_format.py: good and bad files by glob",
    "formats/npy.py": "formats/test_every_format.py: good and bad files by glob",
    **{
        f"formats/{name}.py": "formats/test_assemble.py: what a question is put together from"
        for name in ("rows", "stacking", "places")
    },
    "formats/arrays.py": "formats/test_every_format.py: good and bad files by glob",
    "cli/inputs.py": "cli/test_convert.py: what is asked for is read",
    "cli/writers.py": "cli/test_convert.py: what is written is read back",
    "ui/live_board.py": "browser/test_app.py: the component's script only runs in a browser",
    "ui/plain_board.py": "ui/test_inspect.py: it is what these tests read",
    **{
        f"selection/paths/{name}.py": "selection/test_paths.py: the paths hold them all together"
        for name in ("envelope", "over_depth", "over_lambda", "sampled", "values", "whole")
    },
    **{
        f"selection/presets/{name}.py": "selection/test_presets.py and test_preset_parts.py"
        for name in ("base", "by_hand", "memories", "policies", "request", "stores")
    },
    **{
        f"diagnosis/{name}.py": "diagnosis/test_findings_crowding.py: findings by hand-made pools"
        for name in (
            *(
                "crowding",
                "facts",
                "steps",
                "say",
            ),
            *("coverage", "repeats", "repetition", "shares", "standing"),
        )
    },
    "diagnosis/base.py": "diagnosis/test_verdict.py: values, read through the verdict",
    "diagnosis/identity.py": "diagnosis/test_findings_identity.py: each finding by hand-made pools",
    "diagnosis/setting.py": "diagnosis/test_findings_setting.py: each finding by hand-made pools",
    "diagnosis/supply.py": "diagnosis/test_findings_supply.py: each finding by hand-made pools",
    **{
        f"diagnosis/{name}.py": "diagnosis/test_citations.py: read through every style"
        for name in ("citation_names", "citation_styles")
    },
    **{
        f"diagnosis/{name}.py": "diagnosis/test_what_would_it_take.py: changes by hand and search"
        for name in ("change", "search")
    },
    **{
        f"diagnosis/{name}.py": "diagnosis/test_answer.py: what an answer is said to use and make"
        for name in ("evidence", "uses")
    },
    "ui/explain_panels.py": "ui/test_explain.py: the panels are what the page shows",
    "ui/answer_panel.py": "ui/test_explain.py: the panels are what the page shows",
    "ui/reach_panel.py": "ui/test_explain.py: the panels are what the page shows",
    **{
        f"report/{name}.py": "report/test_searches.py: what the client is sent, read back"
        for name in ("elasticsearch", "opensearch", "weaviate")
    },
    "ui/large_charts.py": "ui/test_inspect.py and browser/test_app.py",
    **{
        f"ui/{name}.py": "ui/test_evaluate.py: the panels are what the page shows"
        for name in (
            "evaluate_answers",
            "evaluate_panels",
            "evaluate_setting",
            "evaluation_cache",
        )
    },
    **{
        f"evaluation/{name}.py": "evaluation/test_background.py: the two ends of one run"
        for name in ("frames", "worker")
    },
    "ui/identity_panel.py": "ui/test_data.py: the panel is what the page shows",
    "ui/questions_panel.py": "ui/test_data.py: the table is what the page shows",
    "cli/agreement_table.py": "cli/test_golden.py: it is what the command prints",
    "board/alone.py": "board/test_lattice.py: the lattice and what stands around it in a file",
    "board/present.py": "ui/test_present.py: what the view is given",
    "ui/presenting.py": "ui/test_present.py: what the page does",
    "ui/copy_link.py": "browser/test_show.py: the clipboard is the browser's",
    "ui/pictures.py": "browser/test_show.py: the browser makes the files",
    "ui/live_sheet.py": "browser/test_annotate.py: the component's script only runs in a browser",
    **{
        f"ui/{name}.py": "ui/test_annotate.py: it is what the page shows and keeps"
        for name in (
            *("annotating", "annotators", "facets_panel", "golden_store", "guidelines"),
            *("progress_panel", "taking_in_panel"),
        )
    },
}

HEAVY = ("umap", "numba", "pynndescent", "sklearn", "scipy")
"""Never imported by the server: seconds and hundreds of megabytes. (Plotly: Streamlit itself.)"""


@pytest.mark.parametrize("path", [REPO / "app.py", *PAGES], ids=lambda path: path.name)
def test_a_page_file_has_no_more_than_three_statements(path: Path) -> None:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    statements = [
        node
        for node in body
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    ]
    assert len(statements) <= 3


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_has_a_view_of_its_name_with_one_public_function_of_note(path: Path) -> None:
    view = SOURCE / "ui" / "views" / path.name
    names = {
        node.name
        for node in ast.parse(view.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
    }
    assert "render" in names


def test_every_view_has_a_page() -> None:
    views = {path.name for path in (SOURCE / "ui" / "views").glob("*.py")} - {"__init__.py"}
    assert views == {path.name for path in PAGES}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_every_module_has_its_tests(path: Path) -> None:
    """``a/b/c.py`` is tested by ``tests/a/test_c.py``, or deeper, where ``a/b`` leads to it."""
    name = path.relative_to(SOURCE)
    if str(name) in TESTED_ELSEWHERE:
        first = TESTED_ELSEWHERE[str(name)].split(":")[0].split(" and ")[0]
        assert (TESTS / first).is_file()
        return
    folder = TESTS / name.parts[0] if len(name.parts) > 1 else TESTS
    found = sorted(
        folder.rglob(f"test_{name.name}") if folder != TESTS else folder.glob(f"test_{name.name}")
    )
    assert found, f"no tests/{'/'.join(name.parts[:-1])}/test_{name.name}"


def test_the_exceptions_exist() -> None:
    assert {str(path.relative_to(SOURCE)) for path in MODULES} >= set(TESTED_ELSEWHERE)


def test_no_module_is_a_home_for_the_homeless() -> None:
    homeless = {"utils", "helpers", "common", "core", "misc"}
    assert not [path for path in MODULES if path.stem in homeless]


def test_session_state_and_caches_have_one_home() -> None:
    """``st.session_state`` stays in a few modules of ``ui``, ``st.cache_*`` in three."""
    users: dict[str, set[str]] = {"session_state": set(), "cache_": set()}
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        for word, found in users.items():
            if re.search(rf"\bst\.{word}", text):
                found.add(str(path.relative_to(SOURCE)))
    assert users["session_state"] <= {
        *("ui/state.py", "ui/opening.py", "ui/live_board.py"),
        *("ui/annotating.py", "ui/address.py", "ui/presenting.py", "ui/travelling.py"),
    }
    assert users["cache_"] <= {"ui/cache.py", "ui/server.py", "ui/evaluation_cache.py"}


def _imported(code: str) -> set[str]:
    """Return the modules that a fresh interpreter has imported after some code."""
    script = f"{code}\nimport sys\nprint('\\n'.join(sys.modules))"
    done = subprocess.run(  # noqa: S603 - code of this file
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True
    )
    return set(done.stdout.split())


def test_the_first_paint_of_inspect_imports_nothing_heavy() -> None:
    code = """
from poolscope import analysis, board, formats, projection, samples
from poolscope.charts.theme import LIGHT, palette
from poolscope.ui import navigation
from poolscope.ui.state import Setting
from poolscope.ui.views import inspect
sample = samples.SAMPLES[0]
load = formats.read(samples.data(sample), sample.file)
pool = load.question(0, source_field=sample.source_field).pool
comparison = analysis.compare(pool, Setting().policy, Setting().rules)
scene = board.scene(pool, "source", projection.pca(pool), palette(pool, "source", LIGHT))
board.payload(comparison, scene)
"""
    found = _imported(code)
    assert "poolscope.board" in found
    assert not found & set(HEAVY)


def test_importing_the_package_starts_nothing() -> None:
    code = """
import threading
from poolscope import analysis, formats, projection, samples
assert threading.active_count() == 1
assert projection._service.pid is None
"""
    assert "poolscope.projection" in _imported(code)


TEXT_SUFFIXES = {".py", ".md", ".toml", ".txt", ".json", ".js", ".css", ".yml", ".yaml", ".sh", ""}
SKIPPED = {".git", ".venv", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache",
           ".hypothesis", ".import_linter_cache", "build", "dist"}  # fmt: skip


def _kept_files() -> list[Path]:
    return sorted(
        path
        for path in REPO.rglob("*")
        if path.is_file()
        and not SKIPPED & set(path.relative_to(REPO).parts)
        and not any(part.endswith(".egg-info") for part in path.parts)
        and path.suffix in TEXT_SUFFIXES
    )


def test_no_file_names_this_machine_or_a_registry() -> None:
    here = re.compile(
        r"/home/\w+/|/Users/\w+/|/root/|"
        r"https?://[\w.-]*(?:py(?:pi|thon-?hosted)|artifactory|nexus|jfrog)[\w.-]*|--(?:extra-)?index-url"
    )
    found = [
        f"{path.relative_to(REPO)}: {match.group()}"
        for path in _kept_files()
        if path != Path(__file__).resolve()
        for match in [here.search(path.read_text(encoding="utf-8", errors="replace"))]
        if match
    ]
    assert not found


def test_nothing_private_is_kept() -> None:
    kept = {path.name for path in _kept_files()}
    assert not kept & {".env", "secrets.toml", ".python-version"}
