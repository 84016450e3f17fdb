"""Results that outlive a rerun, keyed by digests and settings, never by data.

Values are frozen and shared between sessions, so they are kept as resources: no copy on a hit.
"""

import streamlit as st

from poolscope import analysis, formats, samples
from poolscope.analysis import Comparison
from poolscope.formats import Load, Loaded
from poolscope.model import Pool
from poolscope.ui.state import Setting

MOST_COMPARISONS = 500
MOST_QUESTIONS = 64


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
    return analysis.compare(_pool, _setting.policy, _setting.rules)


def question(load: Load, digest: str, number: int, source_field: str | None) -> Loaded:
    """Assemble one question of a load; the digest is the load's."""
    return _question(digest, number, source_field, load)


@st.cache_resource(show_spinner=False, max_entries=MOST_QUESTIONS)
def _question(digest: str, number: int, source_field: str | None, _load: Load) -> Loaded:  # noqa: ARG001
    return _load.question(number, source_field=source_field)
