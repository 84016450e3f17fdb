"""Which fields a cap may count by."""

from dataclasses import dataclass

from poolscope.model import Pool

MOST_KEYS = 60


@dataclass(frozen=True, slots=True)
class CapKey:
    """A field that a cap may count by.

    Args:
        name: ``source`` or a metadata field.
        values: How many different values it has in the pool.
    """

    name: str
    values: int


def cap_keys(pool: Pool) -> tuple[CapKey, ...]:
    """List the fields that passages can crowd by, the source first.

    A field qualifies with more than one value and fewer than there are candidates; one that
    merely numbers things (positions, offsets, measurements) does not.
    """
    found = [CapKey("source", len(pool.distinct_sources))]
    for name, column in pool.fields.items():
        values = {value for value in column if value is not None}
        if 1 < len(values) < len(pool) and not _numbers_things(values, len(pool)):
            found.append(CapKey(name, len(values)))
    return tuple(found[:MOST_KEYS])


def _numbers_things(values: set[str], n: int) -> bool:
    try:
        numbers = sorted(float(value) for value in values)
    except ValueError:
        return False
    fractions = any(number != int(number) for number in numbers if abs(number) < 1e15)
    consecutive = numbers[-1] - numbers[0] + 1 == len(numbers)
    return fractions or consecutive or 3 * len(values) > n
