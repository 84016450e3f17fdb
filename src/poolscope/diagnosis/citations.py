"""The citations of a generated answer: every common style, and what each refers to.

A number is a slot of the context in the order handed out, from 1, or from 0 where a 0 is cited; a
name is an id or a source label of the pool. Nothing is guessed: what cannot be resolved is kept
and reported.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from poolscope.diagnosis.overlap import Context
from poolscope.model import Selection

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
class Citation:
    """One reference of an answer to one passage.

    Args:
        text: As written; of a list ``[1, 3]`` the part of this passage.
        span: Where it stands in the answer, from and to.
        index: The candidate's index in the pool; ``None`` where it refers to nothing there.
        kind: How it is written.
        in_context: Whether that candidate is selected.
        among: How many passages of the context it may mean: a source label can name several.
    """

    text: str
    span: tuple[int, int]
    index: int | None
    kind: Style
    in_context: bool
    among: int = 1


@dataclass(frozen=True, slots=True)
class Cited:
    """An answer taken apart.

    Args:
        citations: In the order of the answer.
        prose: The answer with citations, lists of references and code blanked: as long as it was.
        from_zero: Whether its numbers count from 0.
    """

    citations: tuple[Citation, ...]
    prose: str
    from_zero: bool


def cited(selection: Selection, text: str) -> Cited:
    """Find every citation of an answer and what it refers to."""
    return _Reader(selection, text).read()


@dataclass(frozen=True, slots=True)
class _Mark:
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
_NUMBER = re.compile(
    r"(?:(?:doc(?:ument)?|source|passage|chunk|context|ref(?:erence)?|citation|slot)s?\.?[ \t]*)?"
    r"[#№]?[ \t]*(\d{1,3})(?:[ \t]*[-\u2013\u2014][ \t]*(\d{1,3}))?",
    re.IGNORECASE,
)
_ID_LIKE = re.compile(r"(?=\S*[^\W\d_])(?=\S*[\d_\-/.#:])\S{3,120}")
_QUOTES = "\"'`*_ \u201c\u201d\u2018\u2019"
_UNITS = re.compile(r"(?:^|[^\w])(?:\w{1,2}|\w*\d)$")


class _Names:
    """The ids and source labels of a pool, and the candidates that they name."""

    def __init__(self, selection: Selection) -> None:
        pool = selection.pool
        self._ids = {_plain(name): [index] for index, name in enumerate(pool.ids)}
        self._sources: dict[str, list[int]] = {}
        for index, source in enumerate(pool.sources):
            if source is not None:
                self._sources.setdefault(_plain(source), []).append(index)
        short: dict[str, list[int]] = {}
        for name, indices in chain(self._sources.items(), self._ids.items()):
            last = re.split(r"[/\\]", name)[-1]
            for part in {last, re.sub(r"\.[a-z]\w{0,4}$", "", last)} - {name, ""}:
                short.setdefault(part, []).extend(indices)
        self._short = short
        every = sorted({*self._ids, *self._sources, *short}, key=len, reverse=True)
        parts = [re.escape(name) for name in every if len(name) > 1 and not name.isdigit()]
        # A name that nothing matches, where there is none.
        self._pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(parts) or '(?!)'})(?![\w-])")

    def exact(self, text: str) -> list[int]:
        """Return the candidates of a name; an id before a source, a whole before a part."""
        name = _plain(text)
        for names in (self._ids, self._sources, self._short):
            if name in names:
                return names[name]
        return []

    def within(self, text: str) -> list[int]:
        """Return the candidates named anywhere in a text, longest names first; ids before all."""
        whole = self.exact(text)
        if whole:
            return whole
        names = list(dict.fromkeys(self._pattern.findall(_plain(text))))
        ids = [name for name in names if name in self._ids]
        return list(dict.fromkeys(index for name in ids or names for index in self.exact(name)))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(_QUOTES)


class _Reader:
    """One reading of an answer; private to one call of ``cited``."""

    def __init__(self, selection: Selection, text: str) -> None:
        self._selection = selection
        self._text = text
        self._prose = text
        self._names = _Names(selection)
        self._definitions: dict[str, tuple[str, tuple[int, int]]] = {}
        self._slots = selection.ordered
        self._context = Context(
            tuple(selection.pool.texts[index] for index in self._slots), selection.pool.query
        )

    def read(self) -> Cited:
        for match in _CODE.finditer(self._prose):
            self._blank(match.span())
        marks = [*self._listed()]
        for find in (self._files, self._tags, self._links, self._footnotes, self._brackets):
            marks += find()
        marks += [*self._lines(), *self._superscripts()]
        if not any(mark.style is Style.NUMBER for mark in marks):
            marks += self._parentheses()
        marks += self._uncited_definitions(marks)
        numbers = {mark.number for mark in marks if mark.number is not None}
        from_zero = 0 in numbers
        as_ids = self._are_ids(numbers, from_zero=from_zero)
        citations = chain.from_iterable(
            self._resolved(mark, first=0 if from_zero else 1, as_ids=as_ids) for mark in marks
        )
        ordered = sorted(dict.fromkeys(citations), key=lambda citation: citation.span)
        return Cited(tuple(ordered), self._prose, from_zero)

    def _blank(self, span: tuple[int, int]) -> None:
        """Take a stretch out of the prose, line ends kept, so that nothing reads it again."""
        start, stop = span
        blank = re.sub(r"[^\n]", " ", self._prose[start:stop])
        self._prose = self._prose[:start] + blank + self._prose[stop:]

    def _found(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        yield from list(pattern.finditer(self._prose))

    def _listed(self) -> Iterator[_Mark]:
        """Take out definitions, and the list of references at the end."""
        for match in self._found(_DEFINITION):
            self._define(match[1], match[2], match.span(2))
            self._blank(match.span())
        headings = list(self._found(_HEADING))
        if not headings:
            return
        for match in list(_ENTRY.finditer(self._prose, headings[-1].end())):
            label, text = match[1] or match[2], match[3].strip()
            if label is not None:
                self._define(label, text, match.span(3))
            elif self._names.within(text) or _ID_LIKE.fullmatch(text):
                yield _Mark(text, match.span(3), Style.LINE)
            else:
                break  # the list is over, prose goes on
            self._blank(match.span())
        self._blank(headings[-1].span())

    def _define(self, label: str, text: str, span: tuple[int, int]) -> None:
        self._definitions.setdefault(label.removeprefix("^"), (text.strip(), span))

    def _files(self) -> Iterator[_Mark]:
        for match in self._found(_FILE):
            place, name = match[1].strip(), (match[2] or "").strip()
            number = place.split(":")[-1].strip()
            self._blank(match.span())
            if name and self._names.within(name):
                yield _Mark(name, match.span(), Style.FILE)
            elif number.isdigit() and (name in ("", "source") or ":" not in place):
                yield _Mark(match[0], match.span(), Style.FILE, number=int(number))
            else:
                yield _Mark(name or place, match.span(), Style.FILE)

    def _tags(self) -> Iterator[_Mark]:
        for match in self._found(_TAG):
            content = match[2].strip().strip("[]")
            is_raised = match[1].lower() == "sup"
            if is_raised and self._is_exponent(match.start()):
                continue
            marks = list(self._items(content, match.start(2), Style.TAG, match.span()))
            if marks or not is_raised:
                self._blank(match.span())
                yield from marks or [_Mark(content, match.span(), Style.TAG)]

    def _links(self) -> Iterator[_Mark]:
        for match in self._found(_LINK):
            if match[1]:
                self._blank(match.span())
                continue
            text, target = match[2].strip(), match[3]
            number = _NUMBER.fullmatch(text.removeprefix("^"))
            if number is not None and not self._names.within(target):
                yield _Mark(match[0], match.span(), Style.LINK, number=int(number[1]))
            elif self._names.within(target) or not self._names.within(text):
                yield _Mark(target, match.span(), Style.LINK)
            else:
                yield _Mark(text, match.span(), Style.LINK)
            # A link's text is prose unless it is the citation.
            self._blank(match.span() if number else (match.end(2), match.end()))

    def _footnotes(self) -> Iterator[_Mark]:
        for match in self._found(_FOOTNOTE):
            label = match[1]
            self._blank(match.span())
            number = int(label) if label.isdigit() and label not in self._definitions else None
            yield _Mark(match[0], match.span(), Style.FOOTNOTE, number=number, label=label)

    def _brackets(self) -> Iterator[_Mark]:
        for match in self._found(_BRACKET):
            marks = list(self._items(match[1], match.start(1), Style.NUMBER, match.span()))
            if not marks and _ID_LIKE.fullmatch(match[1].strip()):
                marks = [_Mark(match[1].strip(), match.span(), Style.NAME)]
            if marks:
                self._blank(match.span())
            yield from marks

    def _lines(self) -> Iterator[_Mark]:
        for match in self._found(_LINE):
            content = match[2].strip(" .*_")
            marks = list(self._items(content, match.start(2), Style.LINE, match.span(2)))
            if not marks and re.search(r"\w", content) and len(content) <= LONGEST_NAME:
                marks = [_Mark(content, match.span(2), Style.LINE)]
            self._blank(match.span(1))
            yield from marks

    def _superscripts(self) -> Iterator[_Mark]:
        for match in self._found(_SUPERSCRIPT):
            if self._is_exponent(match.start()):
                continue
            plain = "".join(
                str(_RAISED.index(sign)) if sign in _RAISED else "-" if sign == "⁻" else sign
                for sign in match[0]
            )
            self._blank(match.span())
            yield from self._items(plain, match.start(), Style.SUPERSCRIPT, match.span())

    def _parentheses(self) -> list[_Mark]:
        """Read ``(1)`` as a citation where some close a clause; else they number a list."""
        found = [
            match
            for match in self._found(_PARENTHESIS)
            if self._prose[: match.start()].rpartition("\n")[2].strip()
        ]
        if not any(_CLOSES.match(self._prose, match.end()) for match in found):
            return []
        marks: list[_Mark] = []
        for match in found:
            items = list(self._items(match[1], match.start(1), Style.PARENTHESIS, match.span()))
            if all(item.number in range(len(self._slots) + 1) for item in items):
                self._blank(match.span())
                marks += items
        return marks

    def _uncited_definitions(self, marks: list[_Mark]) -> Iterator[_Mark]:
        """An entry of the list of references that nothing refers to is a citation itself."""
        used = {mark.label for mark in marks} | {str(mark.number) for mark in marks}
        for label, (text, span) in self._definitions.items():
            if label not in used and self._names.within(text):
                yield _Mark(text, span, Style.LINE)

    def _is_exponent(self, place: int) -> bool:
        return _UNITS.search(self._prose[max(place - 20, 0) : place]) is not None

    def _items(
        self, content: str, start: int, style: Style, outer: tuple[int, int]
    ) -> Iterator[_Mark]:
        """Take the content of a citation apart; a name leaves no number (a page) beside it."""
        named = Style.NAME if style is Style.NUMBER else style
        if self._names.exact(content) and not content.strip().isdigit():
            yield _Mark(content.strip(), outer, named)
            return
        numbers: list[_Mark] = []
        names: list[_Mark] = []
        for piece in _PIECE.finditer(content):
            text = piece[0].strip()
            span = (start + piece.start(), start + piece.end())
            number = _NUMBER.fullmatch(text)
            if self._names.within(text) and not text.isdigit():
                names.append(_Mark(text, span, named))
            elif number is not None:
                numbers += _numbers(text, number, span, style)
        yield from names or numbers

    def _are_ids(self, numbers: set[int], *, from_zero: bool) -> bool:
        """Say whether cited numbers are ids: every one is, and not every one is a slot."""
        slots = range(len(self._slots)) if from_zero else range(1, len(self._slots) + 1)
        ids = {self._selection.pool.ids[index] for index in self._slots}
        return not numbers <= set(slots) and {str(number) for number in numbers} <= ids

    def _resolved(self, mark: _Mark, *, first: int, as_ids: bool) -> Iterator[Citation]:
        label = mark.label if mark.number is None else str(mark.number)
        if label is not None and label in self._definitions:
            indices = self._defined(self._definitions[label][0], first)
            if indices or mark.number is None:
                return self._citations(mark, indices)
        if mark.number is None:
            return self._citations(mark, self._names.within(mark.text))
        if as_ids:
            return self._citations(mark, self._names.exact(str(mark.number)))
        return self._citations(mark, self._slot(mark.number - first))

    def _slot(self, place: int) -> list[int]:
        return [self._slots[place]] if 0 <= place < len(self._slots) else []

    def _defined(self, text: str, first: int) -> list[int]:
        """Return what a definition refers to: a name, a number, or the passage it quotes."""
        named = self._names.within(text)
        if named:
            return named
        number = _NUMBER.fullmatch(text.strip("[]. "))
        if number is not None:
            return self._slot(int(number[1]) - first)
        return [self._slots[match.place] for match in self._context.matches(text)]

    def _citations(self, mark: _Mark, indices: list[int]) -> Iterator[Citation]:
        inside = [index for index in indices if index in self._selection.members]
        for index in inside:
            yield Citation(
                mark.text, mark.span, index, mark.style, in_context=True, among=len(inside)
            )
        if not inside:
            best = min(indices) if indices else None
            yield Citation(mark.text, mark.span, best, mark.style, in_context=False)


def _numbers(
    text: str, found: re.Match[str], span: tuple[int, int], style: Style
) -> Iterator[_Mark]:
    low = int(found[1])
    high = low if found[2] is None else int(found[2])
    if low <= high < low + MOST_IN_RANGE:
        for number in range(low, high + 1):
            yield _Mark(text, span, style, number=number)
