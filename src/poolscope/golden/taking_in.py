"""What a golden set takes from a pool: question and passages, never the pool's own marks."""

import hashlib
from dataclasses import dataclass

from poolscope.errors import StoreError
from poolscope.golden.actions import AddQuestion
from poolscope.golden.model import GoldenFacet, Passage, Question, replaced
from poolscope.golden.passages import passages_of
from poolscope.model import Pool

DIGITS = 12


def question_id(query_id: str, query: str) -> str:
    """Return what a question is called in a golden set: its own id, else one made of its text.

    Raises:
        StoreError: It has neither.
    """
    if query_id.strip():
        return replaced(query_id)
    plain = _plain(query)
    if not plain:
        raise StoreError(
            "This pool has no question, so there is nothing that a passage could support.",
            "Give the pool a question, in JSON the field “query”.",
        )
    return f"q-{hashlib.sha256(plain.encode('utf-8', 'surrogatepass')).hexdigest()[:DIGITS]}"


def _plain(text: str) -> str:
    """Return a question without case and spacing."""
    return " ".join(text.casefold().split())


def taken_in(pool: Pool) -> AddQuestion:
    """Return what adds a pool's question and passages to a golden set.

    Raises:
        StoreError: The pool has no question.
    """
    id_ = question_id(pool.query_id, pool.query)
    return AddQuestion(Question(id_, replaced(pool.query) or id_), passages_of(pool))


@dataclass(frozen=True, slots=True)
class Beside:
    """A question of the golden set beside the pool that is loaded for it.

    Args:
        is_other: Whether the golden set has another question under this id.
        added: Passages of the pool that the golden set lacks.
        gone: How many passages of the golden set the pool lacks.
        names: Labels of facets that the pool names and the golden set does not.
    """

    is_other: bool
    added: tuple[Passage, ...]
    gone: int
    names: tuple[str, ...]


def beside(
    pool: Pool,
    question: Question,
    passages: tuple[Passage, ...],
    facets: tuple[GoldenFacet, ...],
) -> Beside:
    """Hold a question of the golden set against a pool.

    Args:
        pool: The pool.
        question: The question of the golden set that has the pool's id.
        passages: Its passages.
        facets: Its facets.
    """
    asked = _plain(pool.query)
    is_other = bool(asked) and asked != _plain(question.text)
    known = {passage.key for passage in passages}
    found = passages_of(pool)
    labels = {facet.label.strip().casefold() for facet in facets}
    return Beside(
        is_other,
        tuple(passage for passage in found if passage.key not in known),
        len(known - {passage.key for passage in found}),
        tuple(
            replaced(facet.label.strip())
            for facet in pool.facets
            if facet.label.strip() and facet.label.strip().casefold() not in labels
        ),
    )


def belongs(pool: Pool, question: Question) -> bool:
    """Whether a pool is of a question: the same id, and where the pool has words the same ones."""
    try:
        id_ = question_id(pool.query_id, pool.query)
    except StoreError:
        return False
    asked = _plain(pool.query)
    return id_ == question.id and (not asked or asked == _plain(question.text))
