"""A policy as TOML: what a repository keeps beside its golden set, and a build checks.

The fields are those of ``Policy``; ``lambda`` may stand for ``lambda_``. What is left out keeps its
default. Caps and quotas for single values are tables::

    selector = "mmr_cap"
    k = 5
    lambda = 0.7
    cap = 2
    key = "source"

    [overrides]
    handbook = 4
"""

import dataclasses
import json
import tomllib
from collections.abc import Mapping, Sequence
from enum import StrEnum

from poolscope.errors import FormatError, Place, PolicyError
from poolscope.model.policy import Policy

LAMBDA = "lambda"
TABLES = ("overrides", "quotas")
"""Fields that pair a value of the key with a number."""
LISTS = ("near_copies", "pinned", "banned")
"""Fields that list names."""
FIELDS = tuple(field.name for field in dataclasses.fields(Policy))
_KINDS: Mapping[type, str] = {bool: "true or false", int: "a whole number", str: "a text in quotes"}
_DEFAULTS = Policy()
_EXAMPLE = 'Write a line a setting, such as selector = "mmr" and k = 5.'


def read(text: str, name: str = "policy", *, needs: Sequence[str] = ()) -> Policy:
    """Read a policy.

    Args:
        text: TOML.
        name: The file's name, for what is said of it.
        needs: Fields that must be in it, whatever their default.

    Raises:
        FormatError: It is no TOML, there is no setting in it or one that is needed is missing, or
            a field is unknown or of another kind.
        PolicyError: A value is out of range.
    """
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(
            f"This is not TOML: {error}.",
            _EXAMPLE,
            Place(name),
        ) from error
    if not found:
        raise FormatError("There is no setting in it.", _EXAMPLE, Place(name))
    changes = {_field(key, name): value for key, value in found.items()}
    if len(changes) < len(found):
        raise FormatError(
            "Both “lambda” and “lambda_” are given.", "Keep one of them.", Place(name)
        )
    missing = next((field for field in needs if field not in changes), None)
    if missing is not None:
        raise FormatError(f"It does not say “{missing}”.", _EXAMPLE, Place(name))
    read_ = {key: _value(key, value, name) for key, value in changes.items()}
    try:
        return Policy().changed(**read_)
    except PolicyError as error:
        raise PolicyError(error.problem, error.remedy, Place(name)) from error


def write(policy: Policy) -> str:
    """Write a policy: the rule, k, and every setting that is not the default."""
    lines, tables = [], []
    for field in FIELDS:
        value = getattr(policy, field)
        if value == getattr(_DEFAULTS, field) and field not in ("selector", "k"):
            continue
        if field in TABLES:
            rows = [f"{_quoted(key)} = {number}" for key, number in value]
            tables.append("\n".join(["", f"[{field}]", *rows]))
        else:
            key = LAMBDA if field == "lambda_" else field
            lines.append(f"{key} = {_written(value)}")
    return "\n".join([*lines, *tables]) + "\n"


def _field(key: str, name: str) -> str:
    """Return the field that a key means."""
    if key == LAMBDA:
        return "lambda_"
    if key not in FIELDS:
        listed = ", ".join(LAMBDA if field == "lambda_" else field for field in FIELDS)
        raise FormatError(
            f"There is no setting “{key}”.", f"Use some of: {listed}.", Place(name, column=key)
        )
    return key


def _value(field: str, value: object, name: str) -> object:
    """Return a value as the field holds it."""
    place = Place(name, column=LAMBDA if field == "lambda_" else field)
    if field in TABLES:
        if not isinstance(value, Mapping):
            remedy = f"Write [{field}] on a line of its own, and below it lines such as name = 2."
            raise FormatError("It is no table of numbers.", remedy, place)
        return tuple((str(key), number) for key, number in value.items())
    if field in LISTS:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise FormatError("It is no list of names.", 'Write it as ["first", "second"].', place)
        return tuple(value)
    wanted = _kind(field)
    if wanted is float:
        return value  # the policy itself says what is no number
    if type(value) is not wanted:
        raise FormatError(f"It is {value!r}.", f"Give {_KINDS[wanted]}.", place)
    return value


def _kind(field: str) -> type:
    """Return the type that a single value of a field has; ``float`` for any number."""
    default = getattr(_DEFAULTS, field)
    if field in ("depth", "budget", "arm_cap"):
        return int
    if default is None or isinstance(default, StrEnum):
        return str
    return type(default)


def _written(value: object) -> str:
    """Write one value; numbers and lists are written as in JSON."""
    if isinstance(value, tuple):
        return f"[{', '.join(_quoted(str(item)) for item in value)}]"
    return _quoted(str(value)) if isinstance(value, str) else json.dumps(value)


def _quoted(text: str) -> str:
    """Write a text as both JSON and TOML read it; TOML wants one more character escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
