"""A file of judged answers: for a setting and a question how right the answer is, or its claims.

A table (CSV, JSON, JSON Lines, Parquet), a row an answer with ``setting`` or ``lambda``,
``question`` and ``correct``; or a row a claim with ``facet``, ``made`` (supported, partly
supported, not supported) and, where known, ``importance`` (vital, okay).
"""

from collections.abc import Mapping, Sequence

from poolscope.errors import FormatError, Place
from poolscope.formats import aliases, values
from poolscope.formats.base import Probe
from poolscope.formats.contents import contents
from poolscope.model.graded import Claim, Graded, Made

SETTING = ("setting", "policy", "lambda", "lambda_", "system", "run")
CORRECT = ("correct", "is_correct", "correctness", "accuracy", "score", "grade")
FACET = ("facet", "facet_id", "claim", "nugget", "nugget_id")
MADE = ("made", "assignment", "mark", "support", "supported")
IMPORTANCE = ("importance", "vital", "is_vital")
LIKE = "Give a table with the columns setting, question and correct (0 to 1); or, a row a claim, "
LIKE += "setting, question, facet and made (supported, partly supported, not supported)."
_MADE: Mapping[str, Made] = {
    **dict.fromkeys(("supported", "support", "full", "fully", "yes", "true", "1"), Made.FULLY),
    **dict.fromkeys(
        ("partly supported", "partial_support", "partial", "partly", "0.5"), Made.PARTLY
    ),
    **dict.fromkeys(("not supported", "not_support", "none", "no", "false", "0"), Made.NOT),
}
_VITAL: Mapping[str, bool] = {
    **dict.fromkeys(("vital", "yes", "true", "1"), True),
    **dict.fromkeys(("okay", "ok", "no", "false", "0"), False),
}


def read(data: bytes, name: str) -> tuple[Graded, ...]:
    """Read judged answers.

    Raises:
        FormatError: It is no such table, or a row cannot be read.
    """
    found = contents(Probe(data, name))
    rows = [] if found is None else _rows(found.value)
    if not rows:
        raise FormatError("This is no table of judged answers.", LIKE, Place(name))
    answers: dict[tuple[str, str], Graded] = {}
    for number, row in enumerate(rows, start=1):
        try:
            item = _answer(row)
        except FormatError as error:
            raise FormatError(error.problem, error.remedy, Place(name, row=number)) from error
        before = answers.get((item.setting, item.question))
        answers[item.setting, item.question] = item if before is None else _joined(before, item)
    return tuple(answers.values())


def _rows(value: object) -> list[Mapping[str, object]]:
    listed = value.get("answers") if isinstance(value, Mapping) else value
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        return []
    return [row for row in listed if isinstance(row, Mapping)]


def _joined(before: Graded, after: Graded) -> Graded:
    """Return what two rows say of one answer; the later word on its correctness counts."""
    correct = before.correct if after.correct is None else after.correct
    return Graded(after.setting, after.question, correct, (*before.claims, *after.claims))


def _answer(row: Mapping[str, object]) -> Graded:
    setting = _text(row, SETTING)
    question = _text(row, (*aliases.QUERY_ID, *aliases.QUERY))
    if setting is None or question is None:
        what = "setting" if setting is None else "question"
        raise FormatError(f"There is no {what} in this row.", LIKE)
    facet, correct = _text(row, FACET), _text(row, CORRECT)
    claims = () if facet is None else (_claim(row, facet),)
    if facet is None and correct is None:
        raise FormatError("It says neither how right the answer is nor which claim it makes.", LIKE)
    return Graded(setting, question, None if correct is None else _correct(correct), claims)


def _claim(row: Mapping[str, object], facet: str) -> Claim:
    said = _text(row, MADE) or ""
    if said.lower() not in _MADE:
        raise FormatError(
            f"“{values.shown(said)}” does not say whether the claim is made.",
            f"Write one of: {', '.join(Made)}.",
        )
    importance = (_text(row, IMPORTANCE) or "vital").lower()
    if importance not in _VITAL:
        raise FormatError(f"“{values.shown(importance)}” is no importance.", "Write vital or okay.")
    return Claim(facet, _MADE[said.lower()], _VITAL[importance])


def _correct(said: str) -> float:
    plain = said.lower()
    if plain in ("true", "yes", "correct", "right"):
        return 1.0
    if plain in ("false", "no", "incorrect", "wrong"):
        return 0.0
    try:
        value = float(plain)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise FormatError(
            f"“{values.shown(said)}” does not say how right the answer is.",
            "Write a number from 0 to 1, or true or false.",
        )
    return value


def _text(row: Mapping[str, object], names: tuple[str, ...]) -> str | None:
    """Return the first of some fields that says something, as text."""
    key = aliases.first(tuple(str(name) for name in row), names)
    if key is None or values.missing(row[key]):
        return None
    return values.text(row[key]).strip() or None
