"""A pool's passages as they are judged, and the order in which an annotator meets them."""

import hashlib
from collections.abc import Iterable

from poolscope.golden.model import Passage, replaced
from poolscope.model import Pool
from poolscope.model.identity import passage_key


def keys_of(pool: Pool) -> tuple[str, ...]:
    """Return what each candidate is known by; exact copies in one source share a key."""
    return tuple(
        passage_key(source, text) for source, text in zip(pool.sources, pool.texts, strict=True)
    )


def passages_of(pool: Pool) -> tuple[Passage, ...]:
    """Return a pool's passages in rank order; of exact copies in one source only the first."""
    found: dict[str, Passage] = {}
    for index, key in enumerate(keys_of(pool)):
        if key in found:
            continue
        candidate = pool.candidate(index)
        found[key] = Passage(
            key,
            replaced(candidate.text),
            None if candidate.source is None else replaced(candidate.source),
            replaced(candidate.id),
            candidate.rank,
            candidate.raw_score,
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
