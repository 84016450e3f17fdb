"""How citations are written: every common style, found and taken out of the prose.

What is found is a mark: a number or a name as it stands. What it refers to is said in
``citations``.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from poolscope.diagnosis.citation_names import Names

MOST_IN_RANGE = 50
"""Longest range of numbers that is read as one; ``[1-9999]`` is no citation."""

LONGEST_NAME = 80
"""Longest text after ``Source:`` that is reported as the name of something unknown."""


class Style(StrEnum):
    """How a citation is written."""

    NUMBER = "[1]"
    NAME = "[id or source]"
    PARENTHESIS = "(1)"
    SUPERSCRIPT = "superscript"
    FOOTNOTE = "[^1]"
    LINK = "[text](target)"
    FILE = "【1†source】"
    TAG = "<cite>1</cite>"
    LINE = "Source: name"


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation before it is resolved: a number, or else a name."""

    text: str
    span: tuple[int, int]
    style: Style
    number: int | None = None
    label: str | None = None


_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_DEFINITION = re.compile(r"^[ \t]*\[(\^?[\w.-]+)\]:[ \t]*(\S.*)$", re.MULTILINE)
_HEADING = re.compile(
    r"^[#*_ \t]*(?:references|sources|citations|footnotes|bibliography)[*_ \t:]*$",
    re.IGNORECASE | re.MULTILINE,
)
_ENTRY = re.compile(
    r"^[ \t]*(?:[-*•][ \t]+)?(?:\[(\^?[\w.-]+)\]:?[ \t]*|(\d{1,3})[.)][ \t]+)?(\S.*)$",
    re.MULTILINE,
)
_FILE = re.compile(r"【([^【】†\n]*)(?:†([^【】\n]*))?】")
_TAG = re.compile(r"<(cite|sup|ref|citation|source)\b[^<>\n]*>([^<>\n]*)</\1>", re.IGNORECASE)
_LINK = re.compile(r"(!?)\[([^\[\]\n]*)\]\(([^()\s]*)[^()\n]*\)")
_FOOTNOTE = re.compile(r"\[\^([^\[\]\s]+)\]")
_BRACKET = re.compile(r"\[([^\[\]\n]{1,200})\]")
_LINE = re.compile(
    r"(?:^[ \t>*_•-]*|[(.;!?][ \t]*)((?:sources?|references?|citations?)[*_]*:[*_]*"
    r"[ \t]*([^\n()\[\]]{1,300}))",
    re.IGNORECASE | re.MULTILINE,
)
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_SUPERSCRIPT = re.compile(rf"[{_RAISED}]+(?:[,⁻][{_RAISED}]+)*")
_PARENTHESIS = re.compile(r"\(((?:\d{1,3})(?:[ \t]*[,;\u2013-][ \t]*\d{1,3})*)\)")
_CLOSES = re.compile(r"(?:[ \t]*\(\d{1,3}\))*[ \t]*(?:[.,;:!?)]|$)", re.MULTILINE)
_PIECE = re.compile(r"[^,;]+")
NUMBER = re.compile(
    r"(?:(?:doc(?:ument)?|source|passage|chunk|context|ref(?:erence)?|citation|slot)s?\.?[ \t]*)?"
    r"[#№]?[ \t]*(\d{1,3})(?:[ \t]*[-\u2013\u2014][ \t]*(\d{1,3}))?",
    re.IGNORECASE,
)
_ID_LIKE = re.compile(r"(?=\S*[^\W\d_])(?=\S*[\d_\-/.#:])\S{3,120}")
_UNITS = re.compile(r"(?:^|[^\w])(?:\w{1,2}|\w*\d)$")


@dataclass(frozen=True, slots=True)
class Found:
    """The marks of an answer.

    Args:
        marks: In no order.
        definitions: What a list of references says of its labels, and where it says so.
        prose: The answer with marks, lists of references and code blanked: as long as it was.
    """

    marks: tuple[Mark, ...]
    definitions: Mapping[str, tuple[str, tuple[int, int]]]
    prose: str


def find(text: str, names: Names, slots: int) -> Found:
    """Find every mark of an answer.

    Args:
        text: The answer.
        names: What may be cited by name.
        slots: How many passages the context has; ``(1)`` is a citation only of one of them.
    """
    return _Finder(text, names, slots).found()


class _Finder:
    """One reading of an answer; private to one call of ``find``."""

    def __init__(self, text: str, names: Names, slots: int) -> None:
        self._prose = text
        self._names = names
        self._slots = slots
        self._definitions: dict[str, tuple[str, tuple[int, int]]] = {}

    def found(self) -> Found:
        for match in _CODE.finditer(self._prose):
            self._blank(match.span())
        marks = [*self._listed()]
        for read in (self._files, self._tags, self._links, self._footnotes, self._brackets):
            marks += read()
        marks += [*self._lines(), *self._superscripts()]
        if not any(mark.style is Style.NUMBER for mark in marks):
            marks += self._parentheses()
        marks += self._uncited_definitions(marks)
        return Found(tuple(marks), self._definitions, self._prose)

    def _blank(self, span: tuple[int, int]) -> None:
        """Take a stretch out of the prose, line ends kept, so that nothing reads it again."""
        start, stop = span
        blank = re.sub(r"[^\n]", " ", self._prose[start:stop])
        self._prose = self._prose[:start] + blank + self._prose[stop:]

    def _matches(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        yield from list(pattern.finditer(self._prose))

    def _listed(self) -> Iterator[Mark]:
        """Take out definitions, and the list of references at the end."""
        for match in self._matches(_DEFINITION):
            self._define(match[1], match[2], match.span(2))
            self._blank(match.span())
        headings = list(self._matches(_HEADING))
        if not headings:
            return
        for match in list(_ENTRY.finditer(self._prose, headings[-1].end())):
            label, text = match[1] or match[2], match[3].strip()
            if label is not None:
                self._define(label, text, match.span(3))
            elif self._names.within(text) or _ID_LIKE.fullmatch(text):
                yield Mark(text, match.span(3), Style.LINE)
            else:
                break  # the list is over, prose goes on
            self._blank(match.span())
        self._blank(headings[-1].span())

    def _define(self, label: str, text: str, span: tuple[int, int]) -> None:
        self._definitions.setdefault(label.removeprefix("^"), (text.strip(), span))

    def _files(self) -> Iterator[Mark]:
        for match in self._matches(_FILE):
            place, name = match[1].strip(), (match[2] or "").strip()
            number = place.split(":")[-1].strip()
            self._blank(match.span())
            if name and self._names.within(name):
                yield Mark(name, match.span(), Style.FILE)
            elif number.isdigit() and (name in ("", "source") or ":" not in place):
                yield Mark(match[0], match.span(), Style.FILE, number=int(number))
            else:
                yield Mark(name or place, match.span(), Style.FILE)

    def _tags(self) -> Iterator[Mark]:
        for match in self._matches(_TAG):
            content = match[2].strip().strip("[]")
            is_raised = match[1].lower() == "sup"
            if is_raised and self._is_exponent(match.start()):
                continue
            marks = list(self._items(content, match.start(2), Style.TAG, match.span()))
            if marks or not is_raised:
                self._blank(match.span())
                yield from marks or [Mark(content, match.span(), Style.TAG)]

    def _links(self) -> Iterator[Mark]:
        for match in self._matches(_LINK):
            if match[1]:
                self._blank(match.span())
                continue
            text, target = match[2].strip(), match[3]
            number = NUMBER.fullmatch(text.removeprefix("^"))
            if number is not None and not self._names.within(target):
                yield Mark(match[0], match.span(), Style.LINK, number=int(number[1]))
            elif self._names.within(target) or not self._names.within(text):
                yield Mark(target, match.span(), Style.LINK)
            else:
                yield Mark(text, match.span(), Style.LINK)
            # A link's text is prose unless it is the citation.
            self._blank(match.span() if number else (match.end(2), match.end()))

    def _footnotes(self) -> Iterator[Mark]:
        for match in self._matches(_FOOTNOTE):
            label = match[1]
            self._blank(match.span())
            number = int(label) if label.isdigit() and label not in self._definitions else None
            yield Mark(match[0], match.span(), Style.FOOTNOTE, number=number, label=label)

    def _brackets(self) -> Iterator[Mark]:
        for match in self._matches(_BRACKET):
            marks = list(self._items(match[1], match.start(1), Style.NUMBER, match.span()))
            if not marks and _ID_LIKE.fullmatch(match[1].strip()):
                marks = [Mark(match[1].strip(), match.span(), Style.NAME)]
            if marks:
                self._blank(match.span())
            yield from marks

    def _lines(self) -> Iterator[Mark]:
        for match in self._matches(_LINE):
            content = match[2].strip(" .*_")
            marks = list(self._items(content, match.start(2), Style.LINE, match.span(2)))
            if not marks and re.search(r"\w", content) and len(content) <= LONGEST_NAME:
                marks = [Mark(content, match.span(2), Style.LINE)]
            self._blank(match.span(1))
            yield from marks

    def _superscripts(self) -> Iterator[Mark]:
        for match in self._matches(_SUPERSCRIPT):
            if self._is_exponent(match.start()):
                continue
            plain = "".join(
                str(_RAISED.index(sign)) if sign in _RAISED else "-" if sign == "⁻" else sign
                for sign in match[0]
            )
            self._blank(match.span())
            yield from self._items(plain, match.start(), Style.SUPERSCRIPT, match.span())

    def _parentheses(self) -> list[Mark]:
        """Read ``(1)`` as a citation where some close a clause; else they number a list."""
        found = [
            match
            for match in self._matches(_PARENTHESIS)
            if self._prose[: match.start()].rpartition("\n")[2].strip()
        ]
        if not any(_CLOSES.match(self._prose, match.end()) for match in found):
            return []
        marks: list[Mark] = []
        for match in found:
            items = list(self._items(match[1], match.start(1), Style.PARENTHESIS, match.span()))
            if all(item.number in range(self._slots + 1) for item in items):
                self._blank(match.span())
                marks += items
        return marks

    def _uncited_definitions(self, marks: list[Mark]) -> Iterator[Mark]:
        """An entry of the list of references that nothing refers to is a citation itself."""
        used = {mark.label for mark in marks} | {str(mark.number) for mark in marks}
        for label, (text, span) in self._definitions.items():
            if label not in used and self._names.within(text):
                yield Mark(text, span, Style.LINE)

    def _is_exponent(self, place: int) -> bool:
        return _UNITS.search(self._prose[max(place - 20, 0) : place]) is not None

    def _items(
        self, content: str, start: int, style: Style, outer: tuple[int, int]
    ) -> Iterator[Mark]:
        """Take the content of a citation apart; a name leaves no number (a page) beside it."""
        named = Style.NAME if style is Style.NUMBER else style
        if self._names.exact(content) and not content.strip().isdigit():
            yield Mark(content.strip(), outer, named)
            return
        numbers: list[Mark] = []
        names: list[Mark] = []
        for piece in _PIECE.finditer(content):
            text = piece[0].strip()
            span = (start + piece.start(), start + piece.end())
            number = NUMBER.fullmatch(text)
            if self._names.within(text) and not text.isdigit():
                names.append(Mark(text, span, named))
            elif number is not None:
                numbers += _numbers(text, number, span, style)
        yield from names or numbers


def _numbers(
    text: str, found: re.Match[str], span: tuple[int, int], style: Style
) -> Iterator[Mark]:
    low = int(found[1])
    high = low if found[2] is None else int(found[2])
    if low <= high < low + MOST_IN_RANGE:
        for number in range(low, high + 1):
            yield Mark(text, span, style, number=number)
