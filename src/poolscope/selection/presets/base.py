"""What a preset is made of: its declaration, and what it needs of a pool or of the request."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from poolscope.errors import PolicyError
from poolscope.model import Pool, Relevance, Selection
from poolscope.selection.base import Prefix
from poolscope.selection.paths.values import Axis
from poolscope.selection.presets.request import Request, field_of
from poolscope.selection.relevance import available


class Need(StrEnum):
    """What a preset needs of a pool or of the request, as it is said beside a greyed preset."""

    VECTORS = "vectors"
    QUESTION = "a query vector"
    SCORES = "scores"
    FACETS = "facets"
    SESSION = "a field “session”"
    CATEGORY = "a field “category”"
    SECTION = "a field “section”"
    ARM = "a field “arm”"
    PRIORITY = "a field “priority”"
    TITLE = "a field “title”"
    PARENT = "a field “parent”"
    STORED = "the number of stored sources"
    LAMBDA = "a value of lambda"


OF_FIELDS = {
    Need.SESSION: "session",
    Need.CATEGORY: "category",
    Need.SECTION: "section",
    Need.ARM: "arm",
    Need.PRIORITY: "priority",
    Need.TITLE: "title",
    Need.PARENT: "parent",
}
"""Which part of ``FIELDS`` each need of a field means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A named way to select.

    Args:
        name: How it is named in files and addresses.
        label: Its name on screen.
        summary: What it does: one sentence.
        differs: Where it differs from plain MMR: one sentence.
        trap: Its known trap in words; empty without one.
        needs: What a pool and a request must have.
        part: The part of ``FIELDS`` that a field of the pool plays, one that may be named; empty
            where it reads none.
        prefix: Whether a larger k only adds picks, as they are handed out.
        reads: The parameters that it leaves to who asks.
        is_policy: Whether a policy of ours says all of it.
        cut_is_free: Whether cutting the depth changes nothing while no pick is cut off.
        function: What runs; asked only where nothing is missing.
    """

    name: str
    label: str
    summary: str
    differs: str
    trap: str = ""
    needs: tuple[Need, ...] = ()
    part: str = ""
    prefix: Prefix
    reads: tuple[Axis, ...] = (Axis.DEPTH, Axis.K)
    is_policy: bool = False
    cut_is_free: bool = True
    function: Callable[[Pool, Request], Selection]

    def missing(self, pool: Pool, request: Request | None = None) -> tuple[Need, ...]:
        """Return what the pool or the request lacks.

        A field that the request names is needed, also where the system does without one.
        """
        asked = request or Request()
        named = () if asked.field is None else _needs_of(self.part)
        needs = dict.fromkeys((*self.needs, *named))
        return tuple(need for need in needs if not _has(pool, asked, need))

    def select(self, pool: Pool, request: Request | None = None) -> Selection:
        """Select as the system does.

        Raises:
            PolicyError: Something that the preset needs is missing.
        """
        asked = request or Request()
        lacks = self.missing(pool, asked)
        if lacks:
            raise PolicyError(
                f"The preset “{self.label}” needs {', '.join(lacks)}.",
                "Give it, or choose another preset.",
            )
        return replace(self.function(pool, asked), preset=self.name)


def _needs_of(part: str) -> tuple[Need, ...]:
    return tuple(need for need, name in OF_FIELDS.items() if name == part)


def _has(pool: Pool, request: Request, need: Need) -> bool:
    parts = {
        Need.VECTORS: pool.vectors is not None,
        Need.QUESTION: pool.query_vector is not None,
        Need.SCORES: Relevance.SCORE in available(pool),
        Need.STORED: request.stored is not None,
        Need.LAMBDA: request.lambda_ is not None,
    }
    if need in parts:
        return parts[need]
    return field_of(pool, OF_FIELDS[need], request) is not None
