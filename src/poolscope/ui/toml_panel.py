"""A setting as TOML, which ``poolscope evaluate`` and ``poolscope report`` read by ``--policy``."""

import streamlit as st

from poolscope.model import Policy, policy_toml
from poolscope.selection.presets import Preset

FILE = "policy.toml"


def draw(policy: Policy, what: str, *, key: str) -> None:
    """Draw a setting as TOML, folded, to be copied or kept as a file.

    Args:
        policy: The setting.
        what: What it is, as the first words of a sentence.
        key: Tells it from others of the page.
    """
    marks = len(policy.pinned) + len(policy.banned)
    text = policy_toml.write(policy.changed(pinned=(), banned=()))
    with st.expander("Setting as TOML"):
        aside = " Pins and bans belong to this question and are left out." if marks else ""
        st.text(f"{what}, as poolscope evaluate and poolscope report read it by --policy.{aside}")
        st.code(text, language="toml")
        st.download_button(f"Download {FILE}", text, FILE, "application/toml", key=f"toml:{key}")


def preset(found: Preset) -> None:
    """Say how a preset is evaluated, of which no policy says all."""
    with st.expander("Setting as TOML"):
        st.text(
            f"“{found.label}” is no policy: its own system runs it. poolscope evaluate takes it by "
            "its name instead of a policy:"
        )
        st.code(f"poolscope evaluate GOLDEN --preset {found.name}", language="sh")
