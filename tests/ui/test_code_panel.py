"""The setting as code below the board, as a person reads it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from poolscope.report import DIALECTS

if TYPE_CHECKING:
    from tests.ui.conftest import Screen

SWITCH = "The right column's setting as code"


def switched_on(screen: Screen) -> Screen:
    screen.named("toggle", SWITCH).set_value(True)
    return screen.run()


def codes(screen: Screen) -> dict[str, str]:
    """What stands in each system's tab: its code, empty where there is none."""
    return {tab.label: "".join(item.value for item in tab.code) for tab in screen.app.tabs}


def test_nothing_is_written_before_it_is_asked_for(open_app: Callable[..., Screen]) -> None:
    assert not open_app().app.code


def test_every_system_has_its_code_difference_and_status(open_app: Callable[..., Screen]) -> None:
    screen = switched_on(open_app())
    written = codes(screen)
    assert list(written) == [dialect.system for dialect in DIALECTS]
    assert all(written.values())  # the right column is MMR at first
    assert '"lambda_mult": 0.6' in written["LangChain"]
    assert "Checked with langchain-core" in screen.says
    assert "run on a real PostgreSQL in tests" in screen.says
    assert "not run against a server" in screen.says
    assert "against the last pick only" in screen.says


def test_it_follows_the_sliders_and_the_right_columns_rule(open_app: Callable[..., Screen]) -> None:
    screen = switched_on(open_app())
    screen.slide("Lambda", 0.35).slide("k in context", 7)
    assert "diversity=0.65" in codes(screen)["Qdrant"]
    assert "limit=7" in codes(screen)["Qdrant"]
    screen.choose("Column 3", "two_pass_cap").slide("Cap per value", 3)
    written = codes(screen)
    assert "nth <= 3" in written["pgvector"]
    assert 'KEY = "section"' in written["Plain Python"]
    assert written["LangChain"] == ""
    assert "no cap by source" in screen.says


def test_a_live_board_has_it_too(open_app: Callable[..., Screen]) -> None:
    screen = switched_on(open_app(live=True))
    assert "mmr_threshold" in codes(screen)["LlamaIndex"]


def test_a_pool_without_vectors_or_scores_has_code(
    open_app: Callable[..., Screen], pool_file: Callable[..., bytes]
) -> None:
    screen = open_app("data").upload("bare.json", pool_file(vectors=False, scores=False))
    assert "def select(candidates)" in codes(switched_on(screen.page("inspect")))["Plain Python"]


def test_a_preset_that_a_policy_says_is_written_as_code(open_app: Callable[..., Screen]) -> None:
    screen = switched_on(open_app().choose("Column 3", "preset:langchain_mmr"))
    assert '"lambda_mult": 0.5' in codes(screen)["LangChain"]
    assert '"fetch_k": 20' in codes(screen)["LangChain"]


def test_a_preset_that_no_policy_says_is_refused_in_words(open_app: Callable[..., Screen]) -> None:
    screen = switched_on(open_app().choose("Column 3", "preset:llamaindex_mmr"))
    assert codes(screen) == {}
    assert "“LlamaIndex MMR” is no setting of a rule here" in screen.says
    assert "--preset llamaindex_mmr" in screen.app.code[0].value
