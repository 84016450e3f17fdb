"""Python values as a console prints them, pasted as they stand.

``[(Document(id='a', metadata={}, page_content='…'), 0.94)]`` is what people paste.
"""

import re

from poolscope.errors import FormatError
from poolscope.formats import literals
from poolscope.formats.base import Format, Probe, RawPool, Tried
from poolscope.formats.ending import COMPLETE
from poolscope.formats.literals import CutOffError, NotPythonError
from poolscope.formats.records import questions, record

RESULT = re.compile(r"\s*Result\{\d+ total, docs: (?=\[)")
CUT = re.compile(r"\s*(?:\{['\"]documents['\"]: )?\[?Document\(id=[^,\s]+, \w+: ")
"""How Haystack prints a document: colons, and a text that it cuts."""
NAMED = re.compile(rf"({literals.TEXT})|\bDocument (?=\{{)", re.DOTALL)
"""A text, which is left alone, or the name before an object."""
OPENING = re.compile(r"\s*(?:[\[({]|[A-Za-z_][\w.]*(?:\(|=['\"]))")

PYTHON_ONLY = re.compile(r"[\s\[({]*(?:[A-Za-z_][\w.]*(?:\(|=['\"])|')")
"""What a Python value opens with and JSON does not: a call, or a text in single quotes."""


def pasted(probe: Probe) -> object:
    """Return the file as a Python value.

    Raises:
        NotPythonError: It is none, or it is JSON.
    """
    if PASTED not in probe.kept:
        probe.kept[PASTED] = _pasted(probe)
    found = probe.kept[PASTED]
    if isinstance(found, NotPythonError):
        raise found
    return found


PASTED = "python"


def _pasted(probe: Probe) -> object:
    try:
        if not probe.opening or not (OPENING.match(probe.text) or RESULT.match(probe.text)):
            return NotPythonError("does not open like a Python value")
        if _is_json(probe):
            return NotPythonError("is JSON")
        return literals.value(_of_redis(probe.text))
    except NotPythonError as error:
        return error


def _of_redis(written: str) -> str:
    """Write ``Result{2 total, docs: [Document {…}]}``, as redis-py prints it, as a list."""
    result = RESULT.match(written)
    if result is not None:
        written = written[result.end() :].rstrip().removesuffix("}")
    return NAMED.sub(lambda met: met[1] or "", written) if "Document {" in written else written


def _is_json(probe: Probe) -> bool:
    try:
        probe.document  # noqa: B018 - parsed once, and kept
    except FormatError:
        return False
    return True


def _recognises(probe: Probe) -> str | None:
    if probe.opening and CUT.match(probe.text):
        return "it is what Haystack prints of documents"
    try:
        found = pasted(probe)
    except CutOffError:
        is_python = PYTHON_ONLY.match(probe.text) is not None
        return "it opens as what a console prints of Python" if is_python else None
    except NotPythonError:
        return None
    if not isinstance(found, (list, dict)):
        return None
    return "it is a Python value as a console prints it"


def _read(probe: Probe) -> tuple[RawPool, ...]:
    try:
        found = pasted(probe)
    except NotPythonError as error:
        if CUT.match(probe.text):
            raise FormatError(
                "Haystack prints documents with their texts cut off.",
                "Save what to_dict() gives of each document as JSON.",
                probe.place,
            ) from error
        if isinstance(error, CutOffError):
            raise FormatError(f"The text {error}.", COMPLETE, probe.place) from error
        raise FormatError(
            f"The text {error}.", "Paste what Python prints of the list.", probe.place
        ) from error
    entries = found if isinstance(found, list) else [found]
    return questions([record(entry) for entry in entries], probe.name, probe.decoded.notes)


FORMAT = Format("python", "Python values", _recognises, _read, Tried.LIBRARY, guesses=True)
