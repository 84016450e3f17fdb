"""Explain's tables and cards as HTML; every text is escaped by ``markup.text``."""

from collections.abc import Sequence
from dataclasses import dataclass

from poolscope.ui.markup import text

BLANK = "—"
_WHOLE = ' class="ps-whole"'


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table.

    Args:
        shown: What it says; empty for a blank, which is shown as a dash.
        beneath: A quiet second line, or several.
        why: Why it is blank; said under the table.
        is_number: Whether it stands at the right, with even digits.
        is_whole: Whether it stays on one line.
    """

    shown: str
    beneath: str = ""
    why: str = ""
    is_number: bool = False
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured change.

    Args:
        label: What is measured.
        value: Before and after.
        change: The difference; empty where there is none to tell.
    """

    label: str
    value: str
    change: str = ""


def blank(why: str) -> Cell:
    """Return a blank cell with its reason."""
    return Cell("", why=why)


def number(shown: str, beneath: str = "") -> Cell:
    """Return a number's cell."""
    return Cell(shown, beneath=beneath, is_number=True)


def rows(headings: Sequence[str], cells: Sequence[Sequence[Cell]], label: str) -> str:
    """Return a table whose cells wrap, with the reasons of its blanks beneath.

    Args:
        headings: One a column.
        cells: Row by row, as many as headings.
        label: What the table shows, for a screen reader.
    """
    # A heading stands over its column as the cells do.
    numeric = [any(cell.is_number for cell in column) for column in zip(*cells, strict=True)]
    whole = [any(cell.is_whole for cell in column) for column in zip(*cells, strict=True)]
    unknown = [False] * len(headings)
    head = "".join(
        f'<th scope="col"{_WHOLE if is_whole else _at_right(is_number)}>{text(name)}</th>'
        for name, is_number, is_whole in zip(
            headings, numeric or unknown, whole or unknown, strict=True
        )
    )
    body = "".join(
        "<tr>"
        + "".join(_cell(cell, at_right=right) for cell, right in zip(row, numeric, strict=True))
        + "</tr>"
        for row in cells
    )
    reasons = dict.fromkeys(cell.why for row in cells for cell in row if not cell.shown)
    said = "; ".join(reason for reason in reasons if reason)
    note = f'<p class="ps-note">{BLANK} {text(said)}.</p>' if said else ""
    return (
        f'<div class="ps-scroll"><table class="ps-rows" aria-label="{text(label)}">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{note}"
    )


def _at_right(is_number: bool) -> str:  # noqa: FBT001 - one use, in a comprehension
    return ' class="ps-number"' if is_number else ""


def _cell(cell: Cell, *, at_right: bool) -> str:
    if not cell.shown:
        return f'<td{_at_right(at_right)}><span title="{text(cell.why)}">{BLANK}</span></td>'
    beneath = "".join(f"<small>{text(line)}</small>" for line in cell.beneath.splitlines())
    kind = _WHOLE if cell.is_whole else _at_right(at_right)
    return f"<td{kind}>{text(cell.shown)}{beneath}</td>"


def change(
    head: str, beside: str, figures: Sequence[Figure], lines: Sequence[tuple[str, str]]
) -> str:
    """Return a suggested change: what is moved, its figures in one row, who comes and goes."""
    aside = f" <span>{text(beside)}</span>" if beside else ""
    row = "".join(
        f"<div><dt>{text(figure.label)}</dt><dd>{text(figure.value)}"
        f"<small>{text(figure.change)}</small></dd></div>"
        for figure in figures
    )
    said = "".join(f"<p><b>{text(name)}</b> {text(value)}</p>" for name, value in lines)
    return (
        f'<div class="ps-change-card"><h4>{text(head)}{aside}</h4>'
        f'<dl class="ps-figures">{row}</dl>{said}</div>'
    )


def applied(words: str) -> str:
    """Return the line that says what was applied."""
    return f'<p class="ps-applied" role="status"><b>Applied:</b> {text(words)}</p>'
