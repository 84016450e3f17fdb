"""The ids and source labels that an answer may cite, and the candidates that they name."""

import re
from itertools import chain

from poolscope.model import Selection

_QUOTES = "\"'`*_ \u201c\u201d\u2018\u2019"


class Names:
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
