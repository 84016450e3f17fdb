"""A golden set's question and a pool together: a pool with facets and judgements."""

import dataclasses
from dataclasses import dataclass

import numpy as np

from poolscope.golden.adjudication import settled
from poolscope.golden.model import Cell, GoldenSet, Record
from poolscope.golden.passages import keys_of
from poolscope.golden.taking_in import belongs
from poolscope.model import DOES_NOT, SUPPORTS, UNJUDGED, Facet, Pool, Stratum


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A pool as a golden set judges it.

    Args:
        pool: With the facets of the golden set in place of its own.
        met: How many candidates the golden set knows.
        absent: Keys of the golden set's passages that the pool does not hold.
        out_of_reach: Facets whose every supporting passage is absent.
    """

    pool: Pool
    met: int
    absent: tuple[str, ...]
    out_of_reach: tuple[Facet, ...]


def in_set(pool: Pool, golden_set: GoldenSet) -> Judged | None:
    """Find a pool's question in a golden set; ``None`` where there is none, or without a facet.

    Args:
        pool: Candidates of a question.
        golden_set: Where it may have been judged.
    """
    for record in golden_set.records:
        if record.facets and belongs(pool, record.question):
            return judged(pool, record)
    return None


def judged(pool: Pool, record: Record) -> Judged:
    """Put a golden set's facets and settled marks on a pool's candidates.

    A candidate is known by its source and text; a passage of which only an id was ever known, by
    that id. What everybody's marks come to is told by ``settled``; open cells stay unjudged.

    Args:
        pool: Candidates of the question, ranked by whatever is to be measured.
        record: The question in the golden set.
    """
    by_id = {
        passage.id: passage.key for passage in record.passages if passage.id and not passage.text
    }
    known = {passage.key for passage in record.passages}
    keys = tuple(
        key if key in known else by_id.get(id_, key)
        for key, id_ in zip(keys_of(pool), pool.ids, strict=True)
    )
    said = settled(record.judgements)
    value = {None: UNJUDGED, True: SUPPORTS, False: DOES_NOT}
    marks = [[value[said.get(Cell(facet.id, key))] for facet in record.facets] for key in keys]
    judgements = np.array(marks, dtype=np.int8).reshape(len(pool), len(record.facets))
    facets = tuple(Facet(facet.id, facet.label) for facet in record.facets)
    present = set(keys)
    supported = {cell.facet for cell, supports in said.items() if supports}
    within = {cell.facet for cell, yes in said.items() if yes and cell.passage in present}
    return Judged(
        dataclasses.replace(
            pool,
            facets=facets,
            judgements=judgements,
            query_id=record.question.id,
            # Several components is what a question has before anybody says anything.
            stratum=Stratum.ONE if record.question.stratum is Stratum.ONE else None,
        ),
        met=sum(key in known for key in keys),
        absent=tuple(each.key for each in record.passages if each.key not in present),
        out_of_reach=tuple(each for each in facets if each.id in supported - within),
    )
