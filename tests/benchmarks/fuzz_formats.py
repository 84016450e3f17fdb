"""What damaged files do to the formats: ``python tests/benchmarks/fuzz_formats.py [count] [seed]``.

Every sample is a good file of a family (of the shared cases, where they lie beside the repository,
and of ``tests/formats/good``), damaged by a number of its own, so that each can be made again with
``--only NUMBER``. One worker process reads it as detected, every tenth as another format, and
assembles every question. A sample must read or be refused: a traceback, a text that cannot be
printed, more than five seconds, or an end of the worker at its limit of memory is a fault, counted
by family and printed with its number. The exit status is 1 where there was one.
"""

import argparse
import contextlib
import csv
import io
import json
import os
import random
import resource
import select
import subprocess
import sys
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from poolscope import formats
from poolscope.errors import PoolscopeError

REPO = Path(__file__).resolve().parents[2]
GOOD = REPO / "tests" / "formats" / "good"
CASES = REPO.parent / "shared" / "cases" / "formats"
COUNT = 100_000
LIMIT_SECONDS = 5.0
START_SECONDS = 60.0
LIMIT_BYTES = 1_000_000_000
QUIET = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
}
"""Arrow's own allocator reserves a gigabyte of addresses at a time, whatever it uses of it."""
FORCED = 10
"""Every so many samples are read as another format than their own."""
FAULTS = ("traceback", "unprintable", "hang", "death")
OUTCOMES = ("pool", "refusal", *FAULTS)
SHOWN = 12
"""Most faults of one kind that are printed in full."""
DEEPEST = 30
"""Levels at which a document is edited; what is put there may go deeper."""
DEEPEST_TABLE = 100
"""Levels up to which a Parquet file is made."""
ENCODINGS = ("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "cp1252", "latin-1", "utf-32", "gbk")
DELIMITERS = ",;\t|"

Json = object


@dataclass(frozen=True, slots=True)
class Sample:
    """A good file.

    Args:
        family: The software that wrote it.
        name: The file's name.
        data: The whole file.
    """

    family: str
    name: str
    data: bytes


def samples() -> list[Sample]:
    """Return the good files, in a fixed order."""
    own = sorted(
        path
        for path in GOOD.glob("*/*")
        if path.suffix not in (".lacks", ".corpus", ".earlier") and path.stat().st_size < 100_000
    )
    shared = sorted(path for path in CASES.rglob("*") if path.is_file()) if CASES.is_dir() else []
    return [
        *(Sample(path.parent.name, path.name, path.read_bytes()) for path in own),
        *(Sample(path.name.partition("_")[0], path.name, path.read_bytes()) for path in shared),
    ]


ODD: tuple[Callable[[], Json], ...] = (
    lambda: None,
    lambda: True,
    lambda: 0,
    lambda: -1,
    lambda: 10**400,
    lambda: 2**70,
    lambda: 1e308,
    lambda: 0.5,
    lambda: float("nan"),
    lambda: float("inf"),
    lambda: float("-inf"),
    lambda: "",
    lambda: " ",
    lambda: "x",
    lambda: "NaN",
    lambda: "Infinity",
    lambda: "[1",
    lambda: "{'a': [1, (2",
    lambda: "[0.1, 0.2]",
    lambda: '{"documents": [{"page_content": "x"}]}',
    lambda: "\ud800",
    lambda: "\x00",
    lambda: "1" * 5_000,
    lambda: "[" * 3_000,
    lambda: "a" * 20_000,
    list,
    dict,
    lambda: [None],
    lambda: [[1]],
    lambda: [{}],
    lambda: [[], {}],
    lambda: {"": None},
    lambda: {"id": 1},
    lambda: {"text": ["t"]},
    lambda: [1, "x"],
    lambda: [[0.1, 0.2], [0.3, 0.4]],
    lambda: _nested(40),
    lambda: _nested(900),
)


def _nested(depth: int) -> Json:
    found: Json = "deep"
    for level in range(depth):
        found = [found] if level % 2 else {"metadata": found}
    return found


Steps = tuple[str | int, ...]


def _paths(value: Json, at: Steps = ()) -> list[Steps]:
    """Return the place of every value in a document."""
    found = [at]
    if len(at) >= DEEPEST:
        return found
    if isinstance(value, dict):
        for name, inner in value.items():
            found.extend(_paths(inner, (*at, name)))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            found.extend(_paths(inner, (*at, number)))
    return found


def _is_deeper(value: Json, levels: int) -> bool:
    if not isinstance(value, (dict, list)):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_is_deeper(item, levels - 1) for item in inner)


def _at(value: Json, path: Steps) -> Json:
    for step in path:
        value = value[step]  # type: ignore[index]  # the step came from this value
    return value


def _put(value: Json, path: Steps, new: Json) -> Json:
    if not path:
        return new
    head, *rest = path
    if isinstance(value, dict):
        return {
            name: _put(inner, tuple(rest), new) if name == head else inner
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [
            _put(inner, tuple(rest), new) if number == head else inner
            for number, inner in enumerate(value)
        ]
    return value


def _without(value: Json, path: Steps) -> Json:
    holder = _at(value, path[:-1])
    if isinstance(holder, dict):
        return _put(
            value, path[:-1], {name: inner for name, inner in holder.items() if name != path[-1]}
        )
    if isinstance(holder, list):
        return _put(
            value,
            path[:-1],
            [inner for number, inner in enumerate(holder) if number != path[-1]],
        )
    return value


def _edited(rng: random.Random, document: Json) -> Json:
    """Change, drop, move, wrap or write out one value of a document."""
    paths = _paths(document)
    path = rng.choice(paths)
    met = _at(document, path)
    kind = rng.randrange(9)
    if kind == 0 and path:
        return _without(document, path)
    if kind == 1:
        return _put(document, path, _at(document, rng.choice(paths)))
    if kind == 2:
        return _put(document, path, [met] if rng.random() < 0.5 else {"data": met})
    if kind == 3:
        with contextlib.suppress(ValueError):
            return _put(document, path, rng.choice((json.dumps, repr, str))(met))
    if kind == 4 and isinstance(met, list):
        return _put(document, path, rng.choice((met * 2, met[:1], met[::-1], [*met, None])))
    if kind == 5 and isinstance(met, dict) and met:
        old, new = rng.choice(list(met)), rng.choice([*list(met), "text", "score", "id", "", "0"])
        return _put(
            document, path, {(new if key == old else key): inner for key, inner in met.items()}
        )
    if kind == 6 and isinstance(met, (int, float)) and not isinstance(met, bool):
        return _put(document, path, str(met) if rng.random() < 0.5 else -met * 1e30)
    return _put(document, path, rng.choice(ODD)())


def _document(rng: random.Random, sample: Sample) -> bytes | None:
    """Edit a JSON or JSON Lines file; ``None`` where it is neither."""
    try:
        document = json.loads(sample.data.decode("utf-8-sig"))
        lines = False
    except (ValueError, RecursionError):
        try:
            document = [json.loads(line) for line in sample.data.splitlines() if line.strip()]
            lines = True
        except (ValueError, RecursionError):
            return None
    for _ in range(rng.choice((1, 1, 1, 2, 3, 5))):
        document = _edited(rng, document)
    try:
        if isinstance(document, list) and document:
            if lines or rng.random() < 0.1:
                return "\n".join(json.dumps(entry) for entry in document).encode()
            if rng.random() < 0.05 and all(isinstance(entry, dict) for entry in document):
                return _csv(rng, [entry for entry in document if isinstance(entry, dict)])
            if rng.random() < 0.05 and all(isinstance(entry, dict) for entry in document):
                return _parquet([entry for entry in document if isinstance(entry, dict)])
        if rng.random() < 0.03:
            return repr(document).encode("utf-8", "replace")
        return json.dumps(document, ensure_ascii=rng.random() < 0.5).encode("utf-8", "replace")
    except (ValueError, RecursionError):
        return None


def _csv(rng: random.Random, rows: Sequence[dict[str, Json]]) -> bytes:
    names = list(dict.fromkeys(name for row in rows for name in row))
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=rng.choice(DELIMITERS))
    writer.writerow(names)
    for row in rows:
        cells = [row.get(name) for name in names]
        as_json = rng.random() < 0.5
        writer.writerow(
            [
                (json.dumps(cell) if as_json else repr(cell))
                if isinstance(cell, (dict, list))
                else cell
                for cell in cells
            ]
        )
    return stream.getvalue().encode("utf-8", "replace")


def _parquet(rows: Sequence[dict[str, Json]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {}
    for name in names:
        cells = [row.get(name) for row in rows]
        if not _is_deeper(cells, DEEPEST_TABLE):  # Arrow takes seconds and gigabytes to write one
            with contextlib.suppress(
                pa.ArrowException, OverflowError, ValueError, TypeError, RecursionError
            ):
                columns[name] = pa.array(cells)
                continue
        columns[name] = pa.array([repr(cell).encode("utf-8", "replace") for cell in cells])
    stream = io.BytesIO()
    try:
        pq.write_table(pa.table(columns), stream)
    except (pa.ArrowException, ValueError):
        columns = {name: pa.array([str(row.get(name)) for row in rows]) for name in names}
        pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


def _rows(rng: random.Random, sample: Sample) -> bytes | None:
    """Edit the table of a CSV or a Parquet file; ``None`` where it is neither."""
    if sample.data.startswith(b"PAR1"):
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pq.read_table(io.BytesIO(sample.data)).to_pylist()
        for _ in range(rng.randint(1, 3)):
            table = _edited(rng, table)
        rows = [row for row in table if isinstance(row, dict)] if isinstance(table, list) else []
        try:
            return _parquet(rows)
        except (pa.ArrowException, ValueError, TypeError, OverflowError, RecursionError):
            return None
    if not sample.name.endswith((".csv", ".tsv", ".txt")):
        return None
    with contextlib.suppress(UnicodeDecodeError, csv.Error):
        text = sample.data.decode("utf-8")
        cells = list(csv.reader(io.StringIO(text)))
        for _ in range(rng.randint(1, 3)):
            _edit_cells(rng, cells)
        stream = io.StringIO()
        writer = csv.writer(stream, delimiter=rng.choice(DELIMITERS), quoting=rng.choice((0, 0, 1)))
        writer.writerows(cells)
        return stream.getvalue().encode("utf-8", "replace")
    return None


def _edit_cells(rng: random.Random, cells: list[list[str]]) -> None:
    """Change a cell, a row or a column of a table in place."""
    filled = [row for row in cells if row]
    if not filled:
        return
    row = rng.choice(filled)
    kind = rng.randrange(6)
    if kind == 0:
        cells.remove(row)
    elif kind == 1:
        row.append("more")
    elif kind == 2:
        row.pop(rng.randrange(len(row)))
    elif kind == 3:
        column = rng.randrange(len(row))
        for other in filled:
            if column < len(other):
                other.pop(column)
    else:
        odd = rng.choice(ODD)()
        row[rng.randrange(len(row))] = odd if isinstance(odd, str) else repr(odd)


def _arrays(rng: random.Random, sample: Sample) -> bytes | None:
    """Edit the arrays of an NPZ or NPY file; ``None`` where it is neither."""
    if sample.data.startswith(b"\x93NUMPY"):
        arrays = {"alone": np.load(io.BytesIO(sample.data))}
    elif sample.data.startswith(b"PK"):
        with np.load(io.BytesIO(sample.data)) as archive:
            arrays = {name: archive[name] for name in archive.files}
    else:
        return None
    name = rng.choice(sorted(arrays))
    arrays[name] = _edited_array(rng, arrays[name])
    if rng.random() < 0.2:
        arrays[rng.choice(("texts", "ids", "scores", "vectors", "query"))] = arrays.pop(name)
    stream = io.BytesIO()
    if list(arrays) == ["alone"]:
        np.save(stream, arrays["alone"])
    else:
        rng.choice((np.savez, np.savez_compressed))(stream, **arrays)
    return stream.getvalue()


def _edited_array(
    rng: random.Random, array: "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"
) -> "np.ndarray[tuple[int, ...], np.dtype[np.generic]]":
    kind = rng.randrange(7)
    if kind == 0:
        return array[:-1] if array.ndim else array.reshape(1)
    if kind == 1:
        return array[None]
    if kind == 2:
        return array.astype(rng.choice(("O", "U8", "S8")))
    if kind == 3:
        return array.reshape(-1)
    if kind == 4 and array.dtype.kind == "f":
        odd = array.copy()
        odd.flat[rng.randrange(odd.size)] = rng.choice((np.nan, np.inf, -np.inf, 3e38))
        return odd
    if kind == 5 and array.dtype.kind == "f":
        return array.astype(rng.choice(("f2", "f4", "f8", ">f4", "i4", "c8", "?")))
    return np.zeros((0, *array.shape[1:]), dtype=array.dtype)


def _bytes(rng: random.Random, sample: Sample, others: Sequence[Sample]) -> bytes:
    """Flip, cut, repeat or join bytes, or write the text in another encoding."""
    data = bytearray(sample.data)
    kind = rng.randrange(7)
    if kind == 0:
        for _ in range(rng.choice((1, 2, 8, 64))):
            data[rng.randrange(len(data))] = rng.randrange(256)
    elif kind == 1:
        del data[rng.randrange(len(data)) :]
    elif kind == 2:
        start = rng.randrange(len(data))
        del data[start : start + rng.choice((1, 4, 64, 1024))]
    elif kind == 3:
        start = rng.randrange(len(data))
        data[start:start] = data[start : start + rng.choice((4, 64, 1024))] * rng.choice((1, 9))
    elif kind == 4:
        other = rng.choice(others).data
        data = data + rng.choice((b"", b"\n", b",")) + other
    elif kind == 5:
        other = rng.choice(others).data
        data = data[: rng.randrange(len(data))] + other[rng.randrange(len(other)) :]
    else:
        text = sample.data.decode("utf-8", "replace")
        return text.encode(rng.choice(ENCODINGS), "replace")
    return bytes(data)


def _attempt(edit: Callable[[], bytes | None]) -> bytes | None:
    """Edit a sample; ``None`` where what it has become cannot be written."""
    try:
        return edit()
    except (
        RecursionError,
        ValueError,
        OverflowError,
        TypeError,
    ):  # too deep to be changed; texts of an NPZ as objects; a time within a table
        return None


def damaged(number: int, seed: int, good: Sequence[Sample]) -> tuple[Sample, str | None]:
    """Return the sample of a number, and the format it is read as; ``None`` for the detected."""
    rng = random.Random(f"{seed}-{number}")  # noqa: S311 - to make a sample again, not a secret
    sample = rng.choice(good)
    data = None
    if rng.random() < 0.75:
        for edit in rng.sample((_document, _rows, _arrays), 3):
            data = data or _attempt(partial(edit, rng, sample))
    if data is None or rng.random() < 0.05:
        changed = Sample(sample.family, sample.name, data or sample.data)
        data = _bytes(rng, changed, good) or b" "
    forced = rng.choice(formats.FORMATS).name if number % FORCED == 0 else None
    name = sample.name if rng.random() < 0.8 else "no-ending"
    return Sample(sample.family, name, data), forced


def outcome(sample: Sample, forced: str | None) -> tuple[str, str]:
    """Read a sample whole; return what came of it, and a fault's own words."""
    try:
        load = formats.read(sample.data, sample.name, format_name=forced)
    except PoolscopeError as error:
        return _refused(error)
    except Exception:  # noqa: BLE001 - every other error is what is looked for
        return "traceback", traceback.format_exc(limit=-6)
    read = False
    for outline in load.outlines:
        try:
            loaded = load.question(outline.index)
            written = (*loaded.pool.ids, *loaded.pool.texts, repr(loaded.report))
            "\n".join((loaded.pool.query, *written)).encode("utf-8")
            read = bool(loaded.pool.digest)
        except PoolscopeError as error:
            if _refused(error)[0] != "refusal":
                return _refused(error)
        except UnicodeEncodeError as error:
            return "unprintable", str(error)
        except Exception:  # noqa: BLE001 - the same
            return "traceback", traceback.format_exc(limit=-6)
    return ("pool" if read else "refusal"), ""


def _refused(error: PoolscopeError) -> tuple[str, str]:
    said = str(error)
    if not error.problem.endswith(".") or not error.remedy.endswith(".") or len(said) > 3_000:
        return "unprintable", f"no plain sentences: {said[:500]}"
    try:
        said.encode("utf-8")
    except UnicodeEncodeError as failure:
        return "unprintable", f"{failure}: {said!a}"
    return "refusal", ""


def _work(start: int, stop: int, seed: int) -> None:
    """Read the samples from one number to another, one line of JSON for each."""
    import pyarrow.parquet  # noqa: F401 - before the limit

    good = samples()
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    np.ones((64, 64)) @ np.ones((64, 64))  # its buffers are reserved at the first product
    # What libraries reserve at their start, threads' stacks above all, is not what reading takes.
    page = resource.getpagesize()
    reserved = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * page
    for number in range(start, stop):
        sample, forced = damaged(number, seed, good)
        print(json.dumps([number, sample.family, forced]), flush=True)
        resource.setrlimit(resource.RLIMIT_AS, (reserved + LIMIT_BYTES, most))
        kind, said = outcome(sample, forced)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))  # Arrow's writer ends where it is low
        print(json.dumps([number, kind, said]), flush=True)


def run(start: int, stop: int, seed: int) -> tuple[dict[str, Counter[str]], list[str]]:
    """Read samples in a worker that is started again after a hang or an end.

    Returns:
        Counts by family, and a line for each fault.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    faults: list[str] = []
    at = start
    while at < stop:
        command = [sys.executable, __file__, str(stop), str(seed), "--worker", str(at)]
        environment = {**os.environ, **QUIET}
        with subprocess.Popen(  # noqa: S603 - this file
            command, stdout=subprocess.PIPE, env=environment
        ) as worker:
            assert worker.stdout is not None
            at = _listen(worker.stdout.fileno(), at, stop, counts, faults)
            worker.kill()
    return counts, faults


def _listen(
    stream: int, at: int, stop: int, counts: dict[str, Counter[str]], faults: list[str]
) -> int:
    """Count what a worker says until it is done, silent too long, or ended; return the next."""
    family, forced, waiting, limit = "", None, b"", START_SECONDS
    while at < stop:
        ready, _, _ = select.select([stream], [], [], limit)
        more = os.read(stream, 65_536) if ready else b""
        if not more:
            if limit == START_SECONDS:
                raise RuntimeError(f"no worker starts at {at}")
            kind = "death" if ready else "hang"
            counts[family][kind] += 1
            faults.append(f"{at} {family} as {forced}\n{kind}")
            return at + 1
        limit = LIMIT_SECONDS
        *lines, waiting = (waiting + more).split(b"\n")
        for number, first, second in map(json.loads, lines):
            if first not in OUTCOMES:
                family, forced = first, second
                continue
            counts[family][first] += 1
            if first in FAULTS:
                faults.append(f"{number} {family} as {forced}\n{second}")
            at = number + 1
    return at


def _print(counts: dict[str, Counter[str]], faults: Sequence[str]) -> None:
    print(f"{'family':24}" + "".join(f"{kind:>12}" for kind in OUTCOMES))
    for family in sorted(counts):
        print(f"{family:24}" + "".join(f"{counts[family][kind]:12,}" for kind in OUTCOMES))
    total = sum(counts.values(), Counter[str]())
    print(f"{f'all {total.total():,}':24}" + "".join(f"{total[kind]:12,}" for kind in OUTCOMES))
    groups: dict[str, list[str]] = defaultdict(list)
    for fault in faults:
        groups[fault.strip().splitlines()[-1][:90]].append(fault)
    for alike in sorted(groups.values(), key=len, reverse=True)[:SHOWN]:
        print(f"\n{len(alike)} alike, the first:\n{alike[0]}")


def main() -> int:
    """Run as a command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("count", type=int, nargs="?", default=COUNT)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--start", type=int, default=0, help="the first number")
    parser.add_argument("--only", type=int, help="read one number here, and print its bytes")
    parser.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker is not None:
        _work(given.worker, given.count, given.seed)
        return 0
    if given.only is not None:
        sample, forced = damaged(given.only, given.seed, samples())
        print(sample.family, sample.name, "as", forced, sample.data[:4_000])
        print(*outcome(sample, forced))
        return 0
    counts, faults = run(given.start, given.start + given.count, given.seed)
    _print(counts, faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
