"""A golden set's questions: a pool with facets, and which kind of question it is."""

from collections.abc import Iterable
from dataclasses import dataclass

from poolscope.errors import PoolError
from poolscope.model import SUPPORTS, Pool, Stratum


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """One question of a golden set.

    Args:
        pool: Its candidates, with facets.
        stratum: What a full answer is made of.
    """

    pool: Pool
    stratum: Stratum

    @property
    def name(self) -> str:
        """Its id, or the question itself."""
        return self.pool.query_id or self.pool.query


def question(pool: Pool, stratum: Stratum | None = None) -> Question:
    """Make a question of a pool; where nobody said its stratum, the number of facets decides.

    Raises:
        PoolError: The pool has no facets.
    """
    if not pool.facets:
        raise PoolError(
            f"The question “{pool.query_id or pool.query}” has no facets.",
            "Annotate which components a full answer has, or leave the question out.",
        )
    counted = Stratum.ONE if len(pool.facets) == 1 else Stratum.SEVERAL
    return Question(pool, stratum or pool.stratum or counted)


def answerable(questions: Iterable[Question]) -> tuple[Question, ...]:
    """Return the questions of which some facet has a passage in the pool."""
    return tuple(item for item in questions if (item.pool.marks == SUPPORTS).any())
