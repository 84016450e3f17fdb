"""Pools as files of this app's own, one question at a time."""

import json
from collections.abc import Callable, Iterator
from typing import IO

from poolscope.formats import native
from poolscope.model import Pool


def _write_json(stream: IO[bytes], pools: Iterator[Pool]) -> None:
    """Write one question as it is, several as a list; one at a time is held."""
    opening = f'{{"{native.MARK}": {native.VERSION}, "questions": [\n'
    first = next(pools)
    second = next(pools, None)
    if second is None:
        stream.write(_json(native.question(first)) + b"\n")
        return
    stream.write(opening.encode() + _json(native.question(first)))
    stream.write(b",\n" + _json(native.question(second)))
    for pool in pools:
        stream.write(b",\n" + _json(native.question(pool)))
    stream.write(b"\n]}\n")


def _write_lines(stream: IO[bytes], pools: Iterator[Pool]) -> None:
    for pool in pools:
        stream.write(_json(native.question(pool)) + b"\n")


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


def _write_parquet(stream: IO[bytes], pools: Iterator[Pool]) -> None:
    """Write a table of one row a candidate, one group of rows a question."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = (native.MARK, "query_id", "id", "source", "text", "facets", "fields")
    schema = pa.schema(
        [
            *((name, pa.string()) for name in texts),
            ("score", pa.float64()),
            ("vector", pa.list_(pa.float64())),
        ]
    )
    with pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        for pool in pools:
            writer.write_table(pa.Table.from_pylist(native.rows(pool), schema=schema))


WRITERS: dict[str, Callable[[IO[bytes], Iterator[Pool]], None]] = {
    ".json": _write_json,
    ".jsonl": _write_lines,
    ".ndjson": _write_lines,
    ".parquet": _write_parquet,
}
