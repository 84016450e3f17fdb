"""Parquet: one candidate a row, or one question a row with its candidates inside."""

import io
from typing import TYPE_CHECKING

import numpy as np

from poolscope.counts import counted
from poolscope.errors import FormatError, Place
from poolscope.formats import values
from poolscope.formats.base import MAX_UNPACKED, MAX_VALUES, Format, Probe, RawPool, Tried
from poolscope.formats.ending import COMPLETE
from poolscope.formats.records import Record, once, questions

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

LONGEST_REASON = 120
MAGIC = b"PAR1"
ENDS = (MAGIC, b"PARE")
"""Marks at the end: of a file with a plain footer, and with an encrypted one."""
BATCH = 4096
"""Rows decoded at a time, so that a small file cannot unpack to more than the limit."""


def _recognises(probe: Probe) -> str | None:
    return "it starts with the mark of Parquet, PAR1" if probe.data.startswith(MAGIC) else None


def _read(probe: Probe) -> tuple[RawPool, ...]:
    return questions(records(probe), probe.name)


def records(probe: Probe) -> list[Record]:
    """Return the rows of the table.

    Raises:
        FormatError: It is damaged, too large, or empty.
    """
    return once(probe, FORMAT.name, _table)


def _table(probe: Probe) -> list[Record]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not probe.data.endswith(ENDS):
        raise FormatError(
            "The Parquet file ends before it is complete: the mark at its end is missing.",
            COMPLETE,
            probe.place,
        )
    try:
        file = pq.ParquetFile(io.BytesIO(probe.data))
        _check_size(file.metadata, probe.place)
        found = _records(file, probe.place)
    except (pa.ArrowException, OSError, ValueError, MemoryError, OverflowError) as error:
        raise FormatError(
            f"The Parquet file cannot be read: {_reason(error)}.",
            "Export it again.",
            probe.place,
        ) from error
    if not found:
        raise FormatError(
            "The Parquet file has no rows.", "Give one row for each candidate.", probe.place
        )
    return found


def _reason(error: BaseException) -> str:
    return values.shown((str(error).splitlines() or ["it is damaged"])[0], LONGEST_REASON)


def _check_size(metadata: "pq.FileMetaData", place: Place) -> None:
    cells = metadata.num_rows * max(metadata.num_columns, 1)
    groups = range(metadata.num_row_groups)
    unpacked = sum(metadata.row_group(group).total_byte_size for group in groups)
    if cells > MAX_VALUES or unpacked > MAX_UNPACKED:
        raise _too_large(f"{counted(metadata.num_rows, 'row')}, {unpacked:,} bytes unpacked", place)


def _too_large(found: str, place: Place) -> FormatError:
    return FormatError(
        f"The table is too large: {found}; the limits are {MAX_VALUES:,} cells and "
        f"{MAX_UNPACKED:,} bytes.",
        "Export the candidates of fewer questions.",
        place,
    )


def _records(file: "pq.ParquetFile", place: Place) -> list[Record]:
    records: list[Record] = []
    unpacked = 0
    # On threads of its own, Arrow ends the process where a damaged file asks for too much memory.
    for batch in file.iter_batches(batch_size=BATCH, use_threads=False):
        unpacked += batch.nbytes
        if unpacked > MAX_UNPACKED:
            raise _too_large(f"more than {unpacked:,} bytes unpacked", place)
        names = [str(name) for name in batch.schema.names]
        columns = [_column(column) for column in batch.columns]
        records.extend(
            Record(dict(zip(names, row, strict=True))) for row in zip(*columns, strict=True)
        )
    return records


def _column(column: "pa.Array") -> list[object]:
    """Return a column's values; rows of a column of vectors as arrays without a copy a number."""
    import pyarrow as pa

    kind = column.type
    is_list = any(
        test(kind)
        for test in (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    )
    if not is_list or not pa.types.is_floating(kind.value_type):
        values: list[object] = column.to_pylist()
        return values
    return [_vector(entry) for entry in column]


def _vector(entry: "pa.Scalar") -> object:
    if not entry.is_valid:
        return None
    numbers = entry.values.to_numpy(zero_copy_only=False)
    return np.asarray(numbers, dtype=np.float64)


FORMAT = Format("parquet", "Parquet", _recognises, _read, Tried.LIBRARY, guesses=True)
