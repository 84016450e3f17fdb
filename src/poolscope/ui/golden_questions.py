"""The questions that Evaluate works on: those of the current load that carry facets.

A golden set kept in a store comes in here too, as pools with its facets on them.
"""

from collections.abc import Iterator, Sequence

from poolscope.errors import PoolscopeError
from poolscope.evaluation.run import Refused
from poolscope.formats import Load
from poolscope.model import Pool
from poolscope.ui.figures import Choices


def pools(
    load: Load, choices: Choices, numbers: Sequence[int]
) -> Iterator[tuple[int, Pool | Refused]]:
    """Assemble questions of a load one by one, or say why one cannot be read.

    Args:
        load: The load.
        choices: How its questions are read.
        numbers: Which, from 0.
    """
    for number in numbers:
        try:
            loaded = load.question(
                number,
                source_field=choices.field_of(load, number),
                direction=choices.direction,
                merges=choices.merges,
            )
        except PoolscopeError as error:
            yield number, Refused(error.problem, error.remedy)
        else:
            yield number, loaded.pool
