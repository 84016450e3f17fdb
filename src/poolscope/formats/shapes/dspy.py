"""DSPy: predictions of a retriever, examples with their context, and long texts with ids."""

from collections.abc import Mapping, Sequence

from poolscope.formats import aliases
from poolscope.formats.base import Tried
from poolscope.formats.shapes import roles
from poolscope.formats.shapes.base import Json, Passage, Question, Shape

LOOKED_AT = 20
BESIDE = {"indices": "corpus_index", "pids": "pid", "probs": "prob", "scores": "score"}
"""Lists beside the passages, one entry a passage, and what an entry is called."""
OUTPUTS = frozenset(("passages", *BESIDE))
ASKED = (*aliases.QUERY, "input")


def _entries(value: Json, most: int | None = None) -> list[Mapping[str, Json]]:
    """Return predictions or examples, out of the store that an example keeps."""
    listed = value if isinstance(value, list) else [value]
    found = [entry for entry in listed[:most] if isinstance(entry, dict)]
    stores = [(entry, entry.get("_store")) for entry in found]
    return [store if isinstance(store, dict) else entry for entry, store in stores]


def _texts(value: Json) -> list[Json]:
    """Return a list of texts, or of long texts; empty where it is none."""
    if not isinstance(value, list) or not value:
        return []
    plain = all(isinstance(entry, str) or _is_long(entry) for entry in value[:LOOKED_AT])
    return value if plain else []


def _is_long(value: Json) -> bool:
    return isinstance(value, dict) and isinstance(value.get("long_text"), str)


def _recognises_prediction(value: Json) -> str | None:
    found = _entries(value, LOOKED_AT)
    if not found:
        return None
    for entry in found:
        asked = {aliases.normal(name) for name in entry} - OUTPUTS
        if not _texts(entry.get("passages")) or not asked <= {*ASKED, "completions"}:
            return None
    return "it holds “passages” as texts, as DSPy's retrievers give them"


def _recognises_example(value: Json) -> str | None:
    found = _entries(value, LOOKED_AT)
    if not found:
        return None
    for entry in found:
        asks = aliases.first(tuple(entry), ASKED) is not None
        if not asks or not _texts(entry.get("context")) or "retrieval_context" in entry:
            return None
    return "it holds “context” as texts beside a question, as DSPy's examples do"


def _recognises_long(value: Json) -> str | None:
    if not isinstance(value, list) or not value:
        return None
    if not all(_is_long(entry) for entry in value[:LOOKED_AT]):
        return None
    return "each entry has “long_text”, as DSPy's older retrievers give it"


def _read_prediction(value: Json) -> Sequence[Question]:
    return [_question(entry, "passages") for entry in _entries(value)]


def _read_example(value: Json) -> Sequence[Question]:
    return [_question(entry, "context") for entry in _entries(value)]


def _read_long(value: Json) -> Sequence[Question]:
    entries = value if isinstance(value, list) else [value]
    return [Question([_passage(entry, {}) for entry in entries], columns=LONG)]


LONG = {"text": "long_text", "id": "pid", "score": "score"}


def _question(entry: Mapping[str, Json], key: str) -> Question:
    listed = entry.get(key)
    texts = listed if isinstance(listed, list) else []
    whole: dict[str, list[Json]] = {}
    for name, short in BESIDE.items():
        given = entry.get(name)
        if isinstance(given, list) and len(given) == len(texts):
            whole[short] = given
    asked = aliases.first(tuple(entry), ASKED)
    return Question(
        [
            _passage(text, {name: given[index] for name, given in whole.items()})
            for index, text in enumerate(texts)
        ],
        entry.get(asked or "", ""),
        columns={"text": key, "id": "pid", "score": "score"},
        notes=INDICES if "corpus_index" in whole else (),
        problem="" if texts else f"“{key}” is no list of texts.",
        remedy="" if texts else "Give the retriever's passages as a list.",
    )


INDICES = ("The retriever's “indices” are places in its corpus; they are kept as “corpus_index”.",)


def _passage(value: Json, beside: Mapping[str, Json]) -> Passage:
    if isinstance(value, str):
        rest = {name: given for name, given in beside.items() if name not in ("score", "pid")}
        return Passage(
            value, beside.get("pid"), beside.get("score", beside.get("prob")), metadata=rest
        )
    if not isinstance(value, dict) or not _is_long(value):
        return Passage(problem="This is neither a text nor an object with “long_text”.")
    fields = {**value, **beside}
    score = next((name for name in ("score", "prob") if roles.is_number(fields.get(name))), None)
    rest = roles.without(fields, "long_text", "pid", score, "rank")
    if rest.get("text") == value["long_text"]:
        del rest["text"]
    return Passage(value["long_text"], fields.get("pid"), fields.get(score or ""), metadata=rest)


PREDICTION = Shape(
    "dspy", "DSPy prediction", _recognises_prediction, _read_prediction, Tried.LIBRARY
)
EXAMPLE = Shape("dspy-example", "DSPy example", _recognises_example, _read_example, Tried.LIBRARY)
LONG_TEXTS = Shape("dspy-long-texts", "DSPy long texts", _recognises_long, _read_long, Tried.SCHEMA)
