"""Python values as a console prints them, pasted as they stand.

``[(Document(id='a', metadata={}, page_content='…'), 0.94)]`` is what people paste.
"""

import re

from poolscope.errors import FormatError
from poolscope.formats import literals
from poolscope.formats.base import Format, Probe, RawPool, Tried
from poolscope.formats.literals import NotPythonError
from poolscope.formats.records import questions, record

OPENING = re.compile(r"\s*(?:[\[({]|[A-Za-z_][\w.]*(?:\(|=['\"]))")


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
        if not probe.opening or not OPENING.match(probe.text):
            return NotPythonError("does not open like a Python value")
        if _is_json(probe):
            return NotPythonError("is JSON")
        return literals.value(probe.text)
    except NotPythonError as error:
        return error


def _is_json(probe: Probe) -> bool:
    try:
        probe.document  # noqa: B018 - parsed once, and kept
    except FormatError:
        return False
    return True


def _recognises(probe: Probe) -> str | None:
    try:
        found = pasted(probe)
    except NotPythonError:
        return None
    if not isinstance(found, (list, dict)):
        return None
    return "it is a Python value as a console prints it"


def _read(probe: Probe) -> tuple[RawPool, ...]:
    try:
        found = pasted(probe)
    except NotPythonError as error:
        raise FormatError(
            f"The text {error}.", "Paste what Python prints of the list.", probe.place
        ) from error
    entries = found if isinstance(found, list) else [found]
    return questions([record(entry) for entry in entries], probe.name, probe.decoded.notes)


FORMAT = Format("python", "Python values", _recognises, _read, Tried.LIBRARY, guesses=True)
