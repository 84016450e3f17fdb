"""Python values in a text: literals, and calls that are read as objects.

Nothing is evaluated and no class is looked up: the text is parsed, and the tree is read as plain
values. A call with keywords is an object of its keywords; a call of one value is that value.
"""

import ast
import math
import re
import warnings
from collections.abc import Callable, Sequence

LONGEST = 2_000_000
"""Most characters that are parsed."""
DEEPEST = 60
LARGEST_BITS = 4_000
"""Whole numbers beyond this are no data, and cannot be written out."""

TEXT = r"""(?:'(?:[^'\\]|\\.)*+(?:'|\Z)|"(?:[^"\\]|\\.)*+(?:"|\Z))"""
"""A text in quotes; one that is not closed goes on to the end, so that each is met only once."""
BARE = re.compile(r"[A-Za-z_]\w*=['\"]")
ENUM = re.compile(rf"({TEXT})|<[A-Za-z_][\w.]*+: ({TEXT}|-?\d+)>", re.DOTALL)
"""A text, which is left alone, or a member of an enumeration, which stands for its value."""
BETWEEN = re.compile(rf"({TEXT})|(?<![,(]) (?=[A-Za-z_]\w*+=)", re.DOTALL)
"""A text, which is left alone, or the space between two bare keywords."""
GAP = re.compile(
    rf"({TEXT}|[\]}})])\s++(?=['\"\[{{(])|({TEXT})|([\d.])\s++(?=[-\d.])",
    re.DOTALL,
)
"""The gap between two entries of an array, which NumPy prints without commas.

Python would join two texts that stand side by side into one; its own lists never hold such.
"""
WORDS = {
    **dict.fromkeys(("nan", "NaN"), math.nan),
    **dict.fromkeys(("inf", "Infinity"), math.inf),
    **dict.fromkeys(("NaT", "NA", "null", "undefined")),
    "true": True,
    "false": False,
}
DATES = {"datetime", "date", "time"}


class NotPythonError(ValueError):
    """The text is no Python value, or one that is not read."""


class CutOffError(NotPythonError):
    """The text ends before the value is complete."""


UNCLOSED = re.compile(r"was never closed|^unterminated |unexpected EOF")


def value(written: str) -> object:
    """Read one value, or several that stand on lines of their own, as a list.

    Raises:
        NotPythonError: It is none; the reason is a clause for a sentence about the text.
    """
    if len(written) > LONGEST:
        raise NotPythonError(f"is longer than {LONGEST:,} characters")
    tree = _parsed(written.strip())
    found = [_value(node.value, DEEPEST) for node in tree.body if isinstance(node, ast.Expr)]
    if not found or len(found) < len(tree.body):
        raise NotPythonError("holds statements, not values")
    return found[0] if len(found) == 1 else found


def _parsed(written: str) -> ast.Module:
    reason: Exception | None = None
    written = _called_lines(written) if BARE.match(written) else GAP.sub(_comma, written)
    for attempt in (written, ENUM.sub(lambda met: met[1] or met[2], written)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # odd escapes in a pasted text are not ours
                return ast.parse(attempt)
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            reason = error
    if isinstance(reason, SyntaxError) and UNCLOSED.search(reason.msg):
        raise CutOffError("ends before it is complete") from reason
    raise NotPythonError("is no Python value") from reason


def _comma(met: re.Match[str]) -> str:
    if met[2] is not None:
        return met[2]
    return f"{met[1] or met[3]}, "


def _called_lines(written: str) -> str:
    """Write ``page_content='…' metadata={…}``, as ``print`` gives it, as calls with commas."""
    lines = (BETWEEN.sub(lambda met: met[1] or ", ", line) for line in written.splitlines())
    return "\n".join(f"bare({line})" for line in lines if line.strip())


def _value(node: ast.expr, depth: int) -> object:
    if depth == 0:
        raise NotPythonError("is nested too deeply")
    read = READERS.get(type(node))
    if read is None:
        raise NotPythonError("holds an expression that is no value")
    return read(node, depth - 1)


def _constant(node: ast.Constant, _depth: int) -> object:
    met = node.value
    if isinstance(met, complex):
        raise NotPythonError("holds a complex number")
    if isinstance(met, int) and met.bit_length() > LARGEST_BITS:
        raise NotPythonError("holds a number too large to be read")
    if isinstance(met, bytes):
        return met.decode("utf-8", "replace")
    if isinstance(met, str) and not met.isascii():
        return _paired(met)
    return "..." if met is Ellipsis else met


def _paired(written: str) -> str:
    """Join the halves of a character that was escaped as two, as JSON writes it."""
    if not any("\ud800" <= letter <= "\udfff" for letter in written):
        return written
    return written.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _listed(node: ast.List | ast.Tuple | ast.Set, depth: int) -> list[object]:
    return [_value(entry, depth) for entry in node.elts]


def _mapping(node: ast.Dict, depth: int) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, entry in zip(node.keys, node.values, strict=True):
        if key is None:
            raise NotPythonError("unpacks a value")
        found[str(_value(key, depth))] = _value(entry, depth)
    return found


def _signed(node: ast.UnaryOp, depth: int) -> object:
    number = _value(node.operand, depth)
    if not isinstance(number, (int, float)) or not isinstance(node.op, (ast.USub, ast.UAdd)):
        raise NotPythonError("holds an expression that is no value")
    return -number if isinstance(node.op, ast.USub) else number


def _word(node: ast.Name | ast.Attribute, _depth: int) -> object:
    word = _dotted(node).rpartition(".")[2]
    if isinstance(node, ast.Name) and word not in WORDS:
        raise NotPythonError(f"holds the bare word “{word}”, which is no value")
    return WORDS.get(word, word)


def _called(node: ast.Call, depth: int) -> object:
    if any(keyword.arg is None for keyword in node.keywords):
        raise NotPythonError("unpacks a value")
    name = _dotted(node.func).rpartition(".")[2]
    given = [_value(entry, depth) for entry in node.args]
    if name in DATES:
        return _moment(given)
    if name == "array" and given:
        return _array(given[0])
    if len(given) == 1:
        return given[0]
    if name == "defaultdict" and given:
        return given[-1]
    if given:
        return given
    return {str(keyword.arg): _value(keyword.value, depth) for keyword in node.keywords}


def _dotted(node: ast.expr) -> str:
    """Return the name that is called, ``np.float64``; a call of anything else is no value."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise NotPythonError("holds an expression that is no value")
    return ".".join((node.id, *reversed(parts)))


def _array(entries: object) -> object:
    """Return an array's numbers; one that was cut keeps its dots, for the reader to refuse."""
    cut = isinstance(entries, list) and "..." in entries
    return f"[{', '.join(map(str, entries))}]" if cut and isinstance(entries, list) else entries


def _moment(parts: Sequence[object]) -> object:
    """Write ``datetime(2026, 11, 29, 21, 39, 58)`` as in ISO 8601."""
    numbers = [part for part in parts if isinstance(part, int)]
    day = "-".join(f"{number:02}" for number in numbers[:3])
    clock = ":".join(f"{number:02}" for number in numbers[3:6])
    return f"{day}T{clock}" if clock else day


READERS: dict[type[ast.expr], Callable[..., object]] = {
    ast.Constant: _constant,
    ast.List: _listed,
    ast.Tuple: _listed,
    ast.Set: _listed,
    ast.Dict: _mapping,
    ast.UnaryOp: _signed,
    ast.Name: _word,
    ast.Attribute: _word,
    ast.Call: _called,
}
