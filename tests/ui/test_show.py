"""Showing: our errors become one box of text, a bug passes through."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from poolscope.charts.theme import LIGHT
from poolscope.ui import show
from tests.ui.conftest import SECONDS


def _refusal() -> None:
    from poolscope.errors import Place, PolicyError
    from poolscope.ui import show

    with show.errors():
        raise PolicyError("<b>k</b> is **7** ![x](y).", "Give *less*.", Place(file="a.csv", line=3))


def _locked() -> None:
    from poolscope.errors import StoreError
    from poolscope.ui import show

    with show.errors(again="Try again"):
        raise StoreError("The golden set is locked.", "Wait.")


def _bug() -> None:
    from poolscope.ui import show

    with show.errors():
        raise KeyError("a bug")


def _nothing() -> None:
    from poolscope.ui import show

    show.no_pool()


def _styles() -> None:
    from poolscope.ui import show

    show.styles()


@pytest.fixture
def run() -> Callable[[Callable[[], None]], AppTest]:
    def ran(script: Callable[[], None]) -> AppTest:
        return AppTest.from_function(script, default_timeout=SECONDS).run()

    return ran


def test_our_errors_become_a_box_with_problem_and_remedy_as_text(
    run: Callable[[Callable[[], None]], AppTest],
) -> None:
    page = run(_refusal)
    assert not page.exception
    assert [item.value for item in page.text] == [
        "a.csv, line 3: <b>k</b> is **7** ![x](y).",
        "Give *less*.",
    ]
    assert not page.get("html")


def test_what_passes_by_itself_can_be_tried_again(
    run: Callable[[Callable[[], None]], AppTest],
) -> None:
    page = run(_locked)
    assert "The golden set could not take this" in page.markdown[0].value
    assert [button.label for button in page.button] == ["Try again"]
    assert not run(_refusal).button


def test_a_bug_passes_through(run: Callable[[Callable[[], None]], AppTest]) -> None:
    assert len(run(_bug).exception) == 1


def test_no_pool_says_where_to_get_one(run: Callable[[Callable[[], None]], AppTest]) -> None:
    assert "sample on the Data page" in run(_nothing).text[0].value


def test_styles_carry_every_role(run: Callable[[Callable[[], None]], AppTest]) -> None:
    page = run(_styles)
    assert not page.exception
    style = show.STYLE.read_text(encoding="utf-8")
    for role in ("ink", "quiet", "line", "card", "page", "accent"):
        assert getattr(LIGHT, role).startswith("#")
        assert f"var(--ps-{role})" in style


def test_every_class_of_the_markup_has_a_style_and_none_is_left_over() -> None:
    import re

    sources = [path.read_text(encoding="utf-8") for path in show.STYLE.parent.rglob("*.py")]
    made = {name for source in sources for name in re.findall(r"(?<![\w-])ps-[a-z-]+", source)}
    style = show.STYLE.read_text(encoding="utf-8")
    styled = set(re.findall(r"\.(ps-[a-z-]+)", style))
    assert made == styled
