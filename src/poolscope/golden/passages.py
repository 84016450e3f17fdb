"""What passages are known by, and the order in which an annotator meets them."""

import hashlib
import unicodedata
from collections.abc import Iterable

from poolscope.golden.model import Passage, replaced
from poolscope.model import Pool


def passage_key(source: str | None, text: str) -> str:
    """Return what a passage is known by, whatever its id, rank and pool.

    Everything else in this package takes keys as they come, so another way of telling passages
    apart replaces this function alone.

    Args:
        source: What the passage belongs to.
        text: The passage.

    Returns:
        32 hex digits: 16 of the source, 16 of the text without case, spacing and letter forms.
    """
    return _digest(source or "") + _digest(text)


def text_part(key: str) -> str:
    """Return the part of a key that speaks of the text alone."""
    return key[16:]


def _digest(text: str) -> str:
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def passages_of(pool: Pool) -> tuple[Passage, ...]:
    """Return a pool's passages in rank order; of exact copies in one source only the first."""
    found: dict[str, Passage] = {}
    for index in range(len(pool)):
        candidate = pool.candidate(index)
        key = passage_key(candidate.source, candidate.text)
        source = None if candidate.source is None else replaced(candidate.source)
        found.setdefault(
            key,
            Passage(
                key,
                replaced(candidate.text),
                source,
                replaced(candidate.id),
                candidate.rank,
                candidate.raw_score,
            ),
        )
    return tuple(found.values())


def shuffled(keys: Iterable[str], seed: int, question: str, annotator: str) -> tuple[str, ...]:
    """Put passages into the order of one question and one annotator.

    The order follows from the seed alone, and a passage that is added leaves the others in theirs.
    """

    def place(key: str) -> str:
        salt = "\x1f".join((str(seed), question, annotator, key))
        return hashlib.sha256(salt.encode("utf-8", "surrogatepass")).hexdigest()

    return tuple(sorted(keys, key=place))
