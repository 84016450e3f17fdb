"""A setting as the parameters of an address: short, readable, and only what is not the usual.

The names are those of a policy's TOML: the fields of ``Policy``, with ``lambda`` for ``lambda_``.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from poolscope.charts.labels import shortened
from poolscope.errors import PolicyError
from poolscope.model import Policy
from poolscope.selection import offers

Parameters = Mapping[str, Sequence[str]]

LAMBDA = "lambda"
RULES = "rules"
BASELINE = "top_k"
YES, NO = "yes", "no"
PAIRS = ("overrides", "quotas")
"""Fields that pair a value of the key with a number: ``value:number``, one a parameter."""
LISTS = ("near_copies", "pinned", "banned")
"""Fields that list names, one a parameter."""
FRACTIONS = ("lambda_", "copy_cosine", "copy_words", "copy_overlap")
WHOLE = ("k", "depth", "cap", "arm_cap", "best", "neighbours", "budget")
FROM_ONE = ("k", "depth", "cap", "arm_cap", "overrides")
"""Fields whose whole numbers begin at 1, as they do on the controls; those of others at 0."""
UNLIMITED = ("depth", "budget", "arm_cap")
"""Fields that may say no number: then nothing is limited."""
FIELDS = tuple(field.name for field in dataclasses.fields(Policy) if field.name != "selector")
"""Every field but the selector: each column puts its own in."""

MOST_LETTERS = 40
MOST_DIGITS = 12
MOST_VALUES = 200
"""Values of one parameter that are read; an address holds no more of use."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address asks for.

    Args:
        policy: The setting.
        rules: Names of the columns' rules.
        complaints: What could not be taken over, a sentence each.
    """

    policy: Policy
    rules: tuple[str, ...]
    complaints: tuple[str, ...]


def names() -> frozenset[str]:
    """Return the names of every parameter that says something of a setting."""
    return frozenset({RULES, *map(named, FIELDS)})


def named(field: str) -> str:
    """Return what a field of ``Policy`` is called in an address."""
    return LAMBDA if field == "lambda_" else field


def written(
    policy: Policy, rules: Sequence[str], usual: Policy, usual_rules: Sequence[str]
) -> dict[str, list[str]]:
    """Write what of a setting differs from the usual one.

    Args:
        policy: The setting.
        rules: Names of the columns' rules.
        usual: The setting that a person meets without any.
        usual_rules: The rules likewise.
    """
    found = {
        named(field): _values(getattr(policy, field))
        for field in FIELDS
        if getattr(policy, field) != getattr(usual, field)
    }
    if tuple(rules) != tuple(usual_rules):
        found[RULES] = [",".join(rules)]
    return found


def _values(value: object) -> list[str]:
    """Write a field's value; a list that was emptied is one empty value."""
    if value is None:
        return [""]
    if isinstance(value, bool):
        return [YES if value else NO]
    if isinstance(value, tuple):
        return [_item(item) for item in value] or [""]
    return [str(value)]


def _item(item: object) -> str:
    return f"{item[0]}:{item[1]}" if isinstance(item, tuple) else str(item)


def read(parameters: Parameters, usual: Policy, usual_rules: Sequence[str]) -> Asked:
    """Read a setting; what cannot be read keeps its usual value, and is said.

    Args:
        parameters: Every value of every parameter; those of other names are not read.
        usual: The setting that a person meets without any.
        usual_rules: The rules likewise.
    """
    policy, complaints = usual, []
    for field in FIELDS:
        values = list(parameters.get(named(field), ()))[:MOST_VALUES]
        if not values:
            continue
        try:
            policy = policy.changed(**{field: _value(field, values)})
        except (ValueError, PolicyError) as error:
            complaints.append(_complaint(named(field), values, error))
    rules = tuple(usual_rules)
    asked = parameters.get(RULES, ())
    if asked:
        rules, unknown = _rules(asked[-1], rules)
        complaints += [
            f"There is no rule “{shortened(name, MOST_LETTERS)}”; the column is left out."
            for name in unknown
        ]
    return Asked(policy, rules, tuple(complaints))


def _rules(asked: str, usual: tuple[str, ...]) -> tuple[tuple[str, ...], list[str]]:
    """Return the rules that there are, at least one, and the names that mean none."""
    given = [name for name in asked.split(",")[:MOST_VALUES] if name]
    unknown = [name for name in given if not _is_rule(name)]
    found = tuple(name for name in given if name not in unknown)
    return found or usual, unknown[:MOST_COMPLAINTS]


def _is_rule(name: str) -> bool:
    try:
        return offers.named(name).name != BASELINE
    except PolicyError:
        return False


MOST_COMPLAINTS = 3


def _complaint(name: str, values: Sequence[str], error: ValueError | PolicyError) -> str:
    why = error.problem if isinstance(error, PolicyError) else str(error)
    return f"{name} = “{shortened(', '.join(values), MOST_LETTERS)}” is left out: {why}"


def _value(field: str, values: Sequence[str]) -> object:
    """Return a field's value.

    Raises:
        ValueError: The parameter does not say one.
    """
    if field in LISTS:
        return tuple(value for value in values if value)
    if field in PAIRS:
        return tuple(_pair(field, value) for value in values if value)
    return _single(field)(values[-1])


def _single(field: str) -> Callable[[str], object]:
    if field in FRACTIONS:
        return _fraction
    if field in WHOLE:
        return lambda value: None if not value and field in UNLIMITED else _whole(field, value)
    default = getattr(Policy(), field)
    if isinstance(default, bool):
        return _yes_or_no
    if isinstance(default, StrEnum) or default is None:
        return lambda value: value or None  # the policy itself checks what may be chosen
    return str


def _fraction(value: str) -> float:
    try:
        return float(value)
    except ValueError as error:
        raise ValueError("it is no number.") from error


def _whole(field: str, value: str) -> int:
    if not value:
        raise ValueError("it says no number.")
    digits = value.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal()):
        raise ValueError("it is no whole number.")
    least = 1 if field in FROM_ONE else 0
    if digits != value or (len(value) <= MOST_DIGITS and int(value) < least):
        raise ValueError(f"it is below {least}.")
    if len(value) > MOST_DIGITS:
        raise ValueError(f"it has more than {MOST_DIGITS} digits.")
    return int(value)


def _yes_or_no(value: str) -> bool:
    if value not in (YES, NO):
        raise ValueError(f"it is neither {YES} nor {NO}.")
    return value == YES


def _pair(field: str, value: str) -> tuple[str, int]:
    name, colon, number = value.rpartition(":")
    if not (colon and number):
        raise ValueError("it is no value, colon and number.")
    return name, _whole(field, number)
