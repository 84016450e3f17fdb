"""What the rules selected as tables and as a state that opens again."""

import csv
import io
import json
import re
from collections.abc import Sequence
from functools import partial

from poolscope.analysis import Column, Comparison, supported
from poolscope.charts.labels import plain
from poolscope.formats import native
from poolscope.geometry import Floats
from poolscope.model import Policy, Pool
from poolscope.report.address import Parameters, written
from poolscope.report.fingerprint import made_by

SETTING = "setting"
"""Name of the setting in a file that opens to the same state."""

HEADER = (
    "column", "rule", "setting", "slot", "rank", "id", "source", "score", "relevance", "state",
    "reason", "facets", "text",
)  # fmt: skip
MOST_LETTERS = 60
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings that a spreadsheet takes for a formula."""


def table(comparison: Comparison) -> str:
    """Write every column's picks, and what left, as CSV: one row a passage of a column.

    The relevance is what the baseline reads, in the rows of a preset too: one scale for all.
    A text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    stream = io.StringIO(newline="")
    write = csv.writer(stream)
    write.writerow(HEADER)
    relevances = comparison.baseline.selection.relevances
    for number, column in enumerate(comparison.columns, start=1):
        row = partial(_row, number, column, relevances)
        for slot, index in enumerate(column.selection.ordered, start=1):
            write.writerow(row(str(slot), index, _state(number, column, index)))
        for index, reason in zip(column.left, column.reasons, strict=True):
            write.writerow(row("", index, "left", reason))
    return stream.getvalue()


def _state(number: int, column: Column, index: int) -> str:
    if number == 1:
        return "baseline"
    return "entered" if index in column.entered else "kept"


def _row(
    number: int,
    column: Column,
    relevances: Floats,
    slot: str,
    index: int,
    state: str,
    reason: str = "",
) -> list[str]:
    pool = column.selection.pool
    score = "" if pool.raw_scores is None else repr(float(pool.raw_scores[index]))
    texts = (
        pool.ids[index],
        pool.sources[index] or "",
        score,
        repr(float(relevances[index])),
        state,
        reason,
        "; ".join(supported(pool, index)),
        pool.texts[index],
    )
    kept = [_inert(text) if place not in (2, 3) else text for place, text in enumerate(texts)]
    return [str(number), column.title, column.setting, slot, str(index + 1), *kept]


def _inert(text: str) -> str:
    shown = plain(text)
    return f"'{shown}" if shown.startswith(FORMULA) else shown


def state(pool: Pool, policy: Policy, rules: Sequence[str], rest: Parameters | None = None) -> str:
    """Write a pool with its setting as JSON, which opens to both.

    Args:
        pool: The pool.
        policy: The setting.
        rules: Names of the columns' rules.
        rest: What else is to be taken over, as the address names it: the passage looked at.
    """
    setting = {**written(policy, rules, Policy(), ()), **(rest or {})}
    return json.dumps(
        {**native.question(pool), SETTING: setting, "made_by": made_by()},
        ensure_ascii=False,
        allow_nan=False,
    )


def setting_of(data: bytes) -> Parameters | None:
    """Return the setting in a file that ``state`` wrote; ``None`` in any other."""
    if data.lstrip()[:1] != b"{" or SETTING.encode() not in data:
        return None
    try:
        found = json.loads(data)
    except ValueError:
        return None
    held = found.get(SETTING) if native.MARK in found else None
    if not isinstance(held, dict):
        return None
    return {
        str(name): [str(value) for value in values]
        for name, values in held.items()
        if isinstance(values, list)
    }


def name_of(pool: Pool, number: int = 0) -> str:
    """Return a file name for a pool: from its question's id or text, letters and digits only."""
    words = slug(pool.query_id or pool.query)
    return words or f"question-{number + 1}"


def slug(text: str) -> str:
    """Return a text as part of a file name: lower case, words joined by hyphens, not long."""
    return "-".join(re.findall(r"[a-z0-9]+", text.casefold()))[:MOST_LETTERS].strip("-")
