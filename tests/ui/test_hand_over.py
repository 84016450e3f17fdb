"""Hand over: what can be downloaded is what the pages show, and the state opens again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from poolscope import formats, samples
from poolscope.model import Policy
from poolscope.report import selections
from poolscope.ui import state

if TYPE_CHECKING:
    from tests.ui.conftest import Screen


def test_everything_is_offered(open_app: Callable[..., Screen]) -> None:
    screen = open_app("hand_over", sample="checkout", cap="3")
    labels = [str(getattr(item, "label", "")) for item in screen.app.get("download_button")]
    assert labels == [
        "Download the HTML file", "Selections as CSV", "Pool and setting as JSON",
    ]  # fmt: skip
    assert "cap 3 per source" in screen.says
    (pictures,) = [
        str(item.proto.json) for item in screen.app.get("bidi_component") if "Rank strip" in
        str(item.proto.json)
    ]  # fmt: skip
    for title in ("Rank strip", "Map", "Trade-off"):
        assert f'"{title}":' in pictures


def test_a_pool_without_vectors_has_no_map(open_app: Callable[..., Screen]) -> None:
    screen = open_app("hand_over", sample="deploy-guide-8", rules="grouped_cap")
    found = "".join(str(item.proto.json) for item in screen.app.get("bidi_component"))
    assert "Rank strip" in found
    assert '"Map"' not in found


def test_the_state_brings_back_setting_and_passage(open_app: Callable[..., Screen]) -> None:
    sample = samples.SAMPLES[1]
    pool = formats.read(samples.data(sample), sample.file).question(0).pool
    policy = Policy(k=7, lambda_=0.3, cap=1, depth=30)
    data = selections.state(pool, policy, ("mmr", "dpp"), {"passage": ["9"]}).encode()
    screen = open_app("data").upload("state.json", data)
    session = screen.app.session_state[state.SLOT]
    assert session.settings[pool.digest] == state.Setting(policy, ("mmr", "dpp"))
    assert session.passages == {pool.digest: 8}
    assert "could be taken over" not in screen.says
