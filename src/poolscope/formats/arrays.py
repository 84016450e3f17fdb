"""NPZ: one array a field, one row a candidate. A lone NPY holds vectors, not a pool."""

import numpy as np

from poolscope.counts import counted
from poolscope.errors import FormatError, Place
from poolscope.formats import aliases
from poolscope.formats.base import Format, Probe, RawPool, Tried
from poolscope.formats.npy import Archive, Array, is_npy, is_npz, read_npy
from poolscope.formats.records import Record, questions

TEXTS = ("texts", "contents", "passages", "chunks", *aliases.TEXT)
AS_VECTORS = "Load the file of the passages, and give this one as its vectors."


def _recognises_npz(probe: Probe) -> str | None:
    return "it is a zip file of NumPy arrays" if is_npz(probe.data) else None


def _recognises_npy(probe: Probe) -> str | None:
    return "it starts with the mark of a NumPy array" if is_npy(probe.data) else None


def _read_npy(probe: Probe) -> tuple[RawPool, ...]:
    shape = " x ".join(str(length) for length in read_npy(probe.data, probe.name).shape)
    raise FormatError(
        f"This is one array ({shape or 'a single number'}): vectors, not a pool.",
        AS_VECTORS,
        probe.place,
    )


def _read_npz(probe: Probe) -> tuple[RawPool, ...]:
    archive = Archive(probe.data, probe.name)
    text = aliases.first(archive.names, TEXTS)
    if text is None:
        raise FormatError(
            f"This is a file of vectors: {counted(len(archive.names), 'array')}, none "
            "named “texts”.",
            AS_VECTORS,
            probe.place,
        )
    arrays = {name: archive.read(name) for name in archive.names}
    texts = arrays[text]
    if texts.ndim != 1 or texts.dtype.kind not in "US":
        raise FormatError(
            f"The array “{text}” is of type {texts.dtype} and has {texts.ndim} axes.",
            "Save texts as a unicode array with one entry a candidate.",
            Place(probe.name, column=text),
        )
    return _pools(arrays, len(texts), probe.name)


def _pools(arrays: dict[str, Array], n: int, file: str) -> tuple[RawPool, ...]:
    vectors = [array for array in arrays.values() if array.ndim == 2 and array.dtype.kind == "f"]
    d = vectors[0].shape[1] if vectors else 0
    columns: dict[str, list[object]] = {}
    head: dict[str, object] = {}
    ignored: list[str] = []
    for name, array in arrays.items():
        if _is_query(name, array, n, d):
            head["query_vector" if array.dtype.kind == "f" else _singular(name)] = _entry(array)
        elif array.ndim in (1, 2) and len(array) == n:
            columns[_singular(name)] = _rows(array)
        else:
            ignored.append(f"The array “{name}” was ignored: it has not {counted(n, 'row')}.")
    records = [
        Record({**head, **{name: column[row] for name, column in columns.items()}})
        for row in range(n)
    ]
    if not records:
        raise FormatError("The arrays have no rows.", "Save one row a candidate.", Place(file))
    return questions(records, file, tuple(ignored))


def _is_query(name: str, array: Array, n: int, d: int) -> bool:
    """Whether an array speaks of the question: one text, or one vector, not one a candidate."""
    if array.ndim == 0:
        return True
    if array.ndim != 1 or array.dtype.kind != "f" or array.size != d:
        return False
    return d != n or aliases.normal(name).startswith(("query", "question"))


def _entry(array: Array) -> object:
    return array if array.ndim == 1 else array.item()


def _rows(array: Array) -> list[object]:
    if array.ndim == 2:
        return list(array)
    if array.dtype.kind == "S":
        return [entry.decode("utf-8", "replace") for entry in array.tolist()]
    plain: list[object] = np.asarray(array).tolist()
    return plain


def _singular(name: str) -> str:
    """Return the field name behind a plural array name, where there is one: ``ids`` is ``id``."""
    stem = aliases.normal(name).removesuffix("s")
    known = {*aliases.TEXT, *aliases.ID, *aliases.SCORE, *aliases.VECTOR, *aliases.RANK}
    return stem if stem in known.union(aliases.SOURCE, aliases.POSITION) else name


NPZ = Format("npz", "NPZ", _recognises_npz, _read_npz, Tried.LIBRARY)
NPY = Format("npy", "NPY", _recognises_npy, _read_npy, Tried.LIBRARY)
