"""Results that outlive a rerun, keyed by digests and settings, never by data.

Values are frozen and shared between sessions, so they are kept as resources: no copy on a hit.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

import streamlit as st
from streamlit.components.v2 import component

from poolscope import analysis, annotator, board, explanation, formats, samples
from poolscope.analysis import Comparison, Standing, TradeOff
from poolscope.board import present
from poolscope.board.payload import Find
from poolscope.board.scene import Json, Scene
from poolscope.charts.theme import Theme, palette
from poolscope.diagnosis import Verdict, diagnose
from poolscope.diagnosis.what_would_it_take import Answer, Goal, what_would_it_take
from poolscope.errors import StoreError
from poolscope.explanation import PoolRow, TraceRow
from poolscope.formats import Load, Loaded, facets
from poolscope.golden.store import Store, open_store
from poolscope.golden.taking_in import question_id
from poolscope.measures import Measured
from poolscope.model import Direction, Policy, Pool, Selection
from poolscope.projection import Layout, pca
from poolscope.selection import offers
from poolscope.selection.offers import Offer, path
from poolscope.selection.paths import Axis, Path, shortened
from poolscope.ui import show
from poolscope.ui.figures import Choices, Figures
from poolscope.ui.longest_paths import LongestPaths
from poolscope.ui.seen import Shelf
from poolscope.ui.state import Setting

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

Collect: TypeAlias = Callable[[Comparison, Scene, Find], dict[str, Json]]

MOST_PAYLOADS = 100
MOST_COMPARISONS = 500
MOST_PATHS = 4_000
MOST_QUESTIONS = 64
MOST_LOADS = 4


@st.cache_resource(show_spinner=False)
def sample(name: str) -> Load:
    """Read a sample that comes with the project."""
    found = samples.named(name) or samples.SAMPLES[0]
    return formats.read(samples.data(found), found.file)


def comparison(pool: Pool, setting: Setting) -> Comparison:
    """Compare the rules of a setting on a pool."""
    return _comparison(pool.digest, repr(setting), pool, setting)


@st.cache_resource(show_spinner=False, max_entries=MOST_COMPARISONS)
def _comparison(digest: str, key: str, _pool: Pool, _setting: Setting) -> Comparison:  # noqa: ARG001
    return analysis.compare(_pool, _setting.policy, _setting.rules, measured)


def measured(pool: Pool, policy: Policy) -> Measured:
    """Select and take every measure of the selection."""
    return _measured(pool.digest, repr(policy), pool, policy)


@st.cache_resource(show_spinner=False, max_entries=MOST_COMPARISONS)
def _measured(digest: str, key: str, _pool: Pool, _policy: Policy) -> Measured:  # noqa: ARG001
    return analysis.select_and_measure(_pool, _policy)


def every_rule(pool: Pool, policy: Policy, offered: tuple[Offer, ...]) -> tuple[Standing, ...]:
    """Run every selector and every preset on a pool at one setting."""
    names = tuple(offer.name for offer in offered)
    return _every_rule(pool.digest, repr((policy, names)), pool, policy, offered)


@st.cache_resource(show_spinner=False, max_entries=MOST_COMPARISONS)
def _every_rule(
    digest: str,  # noqa: ARG001 - what the result is keyed by
    key: str,  # noqa: ARG001 - the same
    _pool: Pool,
    _policy: Policy,
    _offered: tuple[Offer, ...],
) -> tuple[Standing, ...]:
    return analysis.every_rule(_pool, _policy, offered=_offered)


def trade_off(pool: Pool, policy: Policy, axis: Axis) -> TradeOff:
    """Follow one parameter of a rule over its whole range."""
    return _trade_off(pool.digest, repr(policy), axis.value, pool, policy)


@st.cache_resource(show_spinner=False, max_entries=MOST_COMPARISONS)
def _trade_off(digest: str, key: str, axis: str, _pool: Pool, _policy: Policy) -> TradeOff:  # noqa: ARG001
    return analysis.trade_off(_pool, _policy, Axis(axis))


def _made(selection: Selection) -> str:
    """Return what made a selection of a pool, as a key."""
    return repr((selection.policy, selection.preset))


def trace(selection: Selection) -> tuple[TraceRow, ...]:
    """Return the picks of a selection with what decided each."""
    return _trace(selection.pool.digest, _made(selection), selection)


@st.cache_resource(show_spinner=False, max_entries=MOST_COMPARISONS)
def _trace(digest: str, made: str, _selection: Selection) -> tuple[TraceRow, ...]:  # noqa: ARG001
    return explanation.trace(_selection)


def pool_rows(selection: Selection) -> tuple[PoolRow, ...]:
    """Return every candidate of a selection's pool with its slot or its reason."""
    return _pool_rows(selection.pool.digest, _made(selection), selection)


@st.cache_resource(show_spinner=False, max_entries=MOST_COMPARISONS)
def _pool_rows(digest: str, made: str, _selection: Selection) -> tuple[PoolRow, ...]:  # noqa: ARG001
    return explanation.rows(_selection)


def verdict(selection: Selection) -> Verdict:
    """Find what is wrong with a selection, or that nothing is, whatever its rule does not read."""
    policy = analysis.bare(selection.policy)
    return _verdict(selection.pool.digest, repr(policy), selection.pool, policy)


@st.cache_resource(show_spinner=False, max_entries=MOST_COMPARISONS)
def _verdict(digest: str, key: str, _pool: Pool, _policy: Policy) -> Verdict:  # noqa: ARG001
    return diagnose(_pool, _policy)


def reach(selection: Selection, goal: Goal) -> Answer:
    """Find what it would take to let a goal in."""
    return _reach(selection.pool.digest, repr((selection.policy, goal)), selection, goal)


@st.cache_resource(show_spinner=False, max_entries=MOST_COMPARISONS)
def _reach(digest: str, key: str, _selection: Selection, _goal: Goal) -> Answer:  # noqa: ARG001
    return what_would_it_take(_selection.pool, _selection.policy, _goal)


def question(
    load: Load,
    digest: str,
    number: int,
    source_field: str | None = None,
    direction: Direction | None = None,
    merges: tuple[str, ...] = (),
) -> Loaded:
    """Assemble one question of a load; the digest is the load's."""
    return _question(digest, number, source_field, direction, merges, load)


@st.cache_resource(show_spinner=False, max_entries=MOST_QUESTIONS)
def _question(
    digest: str,  # noqa: ARG001 - what the load is known by
    number: int,
    source_field: str | None,
    direction: Direction | None,
    merges: tuple[str, ...],
    _load: Load,
) -> Loaded:
    return _load.question(number, source_field=source_field, direction=direction, merges=merges)


def figures(load: Load, digest: str, choices: Choices) -> Figures:
    """Return the figures of a load's questions, as far as they were measured by anyone.

    Args:
        load: The load.
        digest: The load's.
        choices: How its questions are read.
    """
    return _figures(digest, repr(choices), load, choices)


@st.cache_resource(show_spinner=False, max_entries=MOST_LOADS)
def _figures(digest: str, key: str, _load: Load, _choices: Choices) -> Figures:  # noqa: ARG001
    return Figures(_load, _choices)


@st.cache_resource(show_spinner=False)
def board_renderer() -> "ComponentRenderer":
    """Register the live board, once in a process."""
    return board.register()


def board_payload(
    comparison: Comparison, setting: Setting, layout: Layout, *, is_drawn: bool
) -> bytes:
    """Collect what the live board looks up, at a setting, as it is sent.

    Args:
        comparison: The columns.
        setting: The setting.
        layout: The map.
        is_drawn: Whether the board stands on the page, and is told only what has changed.
    """
    pool, theme = comparison.pool, show.current_theme()
    scene = _scene(
        (pool.digest, setting.policy.key, theme.name, f"{layout.method}{layout.note}"),
        pool,
        setting.policy.key,
        layout,
        theme,
    )
    told = "moving" if is_drawn else "whole"
    scope = (pool.digest, repr(setting), theme.name, f"{layout.method}{layout.note}", told)
    return _board_payload(scope, comparison, scene, board.moving if is_drawn else board.whole)


@st.cache_resource(show_spinner=False, max_entries=MOST_QUESTIONS)
def _scene(
    scope: tuple[str, ...],  # noqa: ARG001 - what the result is keyed by
    _pool: Pool,
    _key: str,
    _layout: Layout,
    _theme: Theme,
) -> Scene:
    return board.scene(_pool, _key, _layout, palette(_pool, _key, _theme))


@st.cache_resource(show_spinner=False, max_entries=MOST_PAYLOADS)
def _board_payload(
    scope: tuple[str, ...],  # noqa: ARG001 - what the result is keyed by
    _comparison: Comparison,
    _scene: Scene,
    _collect: Collect,
) -> bytes:
    return board.encoded(_collect(_comparison, _scene, board_path))


@st.cache_resource(show_spinner=False)
def renderer(name: str, _html: str, _css: str, _js: str) -> "ComponentRenderer":
    """Register a small component of a page's own, once in a process."""
    return component(name, html=_html, css=_css, js=_js)


@st.cache_resource(show_spinner=False)
def seen() -> Shelf:
    """Return the pools that this machine has seen: one shelf for all sessions."""
    return Shelf()


@st.cache_resource(show_spinner=False)
def present_renderer() -> "ComponentRenderer":
    """Register the view for a room, once in a process."""
    return present.register()


def present_payload(pool: Pool, setting: Setting, told: present.Told) -> bytes:
    """Collect what the view for a room shows, as it is sent."""
    theme = show.current_theme()
    scope = (pool.digest, repr(setting), theme.name, repr(told))
    return _present_payload(scope, pool, setting, theme, told)


@st.cache_resource(show_spinner=False, max_entries=MOST_PAYLOADS)
def _present_payload(
    scope: tuple[str, ...],  # noqa: ARG001 - what the result is keyed by
    _pool: Pool,
    _setting: Setting,
    _theme: Theme,
    _told: present.Told,
) -> bytes:
    key = _setting.policy.key
    scene = board.scene(_pool, key, pca(_pool), palette(_pool, key, _theme))
    return board.encoded(present.talk(comparison(_pool, _setting), scene, _told, find=board_path))


def board_path(pool: Pool, policy: Policy, axis: Axis) -> Path:
    """Follow a selection over one parameter; asked again after every release, mostly the same.

    Of a rule whose larger k only adds picks, the path at a larger k that was followed before holds
    the one that is asked for.
    """
    offer = offers.named(policy.selector)
    only_adds = not offer.is_preset and offer.rule.prefix.holds and Axis.K in offer.reads
    if axis is Axis.K or not only_adds:
        return _board_path(pool.digest, repr(policy), axis.value, pool, policy)
    longest = _longest_paths()
    scope = (pool.digest, repr(policy.changed(k=0)), axis)
    held = longest.find(scope, policy.k)
    if held is not None:
        k, known = held
        return known if k == policy.k else shortened(known, policy)
    found = _board_path(pool.digest, repr(policy), axis.value, pool, policy)
    if found.exact:
        longest.keep(scope, policy.k, found)
    return found


@st.cache_resource(show_spinner=False)
def _longest_paths() -> LongestPaths:
    """Return the longest paths that were followed: those of all sessions."""
    return LongestPaths()


@st.cache_resource(show_spinner=False, max_entries=MOST_PATHS)
def _board_path(digest: str, key: str, axis: str, _pool: Pool, _policy: Policy) -> Path:  # noqa: ARG001
    return path(_pool, _policy, Axis(axis))


@st.cache_resource(show_spinner=False)
def annotator_renderer() -> "ComponentRenderer":
    """Register the marking sheet, once in a process."""
    return annotator.register()


def golden_ids(load: Load, digest: str) -> Mapping[str, int]:
    """Return where the questions of a load are, by what a golden set calls them.

    Those without a name are left out.
    """
    return _golden_ids(digest, load)


@st.cache_resource(show_spinner=False, max_entries=MOST_LOADS)
def _golden_ids(digest: str, _load: Load) -> Mapping[str, int]:  # noqa: ARG001
    found: dict[str, int] = {}
    for number, outline in enumerate(_load.outlines):
        with suppress(StoreError):
            found.setdefault(question_id(outline.query_id, outline.query), number)
    return found


def has_facets(load: Load, digest: str) -> bool:
    """Say whether a load, or the judgements beside it, names a facet of any question."""
    return _has_facets(digest, load)


@st.cache_resource(show_spinner=False, max_entries=MOST_LOADS)
def _has_facets(digest: str, _load: Load) -> bool:  # noqa: ARG001
    return _load.beside.judgements is not None or any(
        facets.judge(raw.facets, raw.rows).facets for raw in _load.raws
    )


@st.cache_resource(show_spinner=False)
def golden_store(address: str) -> Store:
    """Open a golden set, once in a process; sessions share it.

    Raises:
        StoreError: It cannot be opened.
    """
    return open_store(address)
