"""OpenAI: pages of ``vector_stores.search``, and file searches of Responses and of Assistants.

A result names its file, not its passage: there is no id of its own and no vector. A file search
holds its results only where they were asked for.
"""

from collections.abc import Iterator, Mapping, Sequence

from poolscope.formats.base import Known, Tried
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.entries import Entry, Names, question
from poolscope.formats.shapes.roles import listing, mapping, mappings
from poolscope.formats.shapes.wrapped import wrapped
from poolscope.model import Direction

LOOKED_AT = 20
DEEPEST = 6
PAGE = "vector_store.search_results.page"
CALL = "file_search_call"
KNOWN = Known("score", Direction.HIGHER, "OpenAI's score is higher for what is more relevant.")
NAMES = Names("", "text", "score")
Fields = Mapping[str, Json]


def _are_results(value: Json) -> bool:
    entries = mappings(value, most=LOOKED_AT)
    return bool(entries) and all(
        "file_id" in entry
        and any(name in entry for name in ("content", "text"))
        and any(name in entry for name in ("filename", "file_name", "attributes"))
        for entry in entries
    )


def _recognises(value: Json) -> str | None:
    if _are_results(value):
        return "each result has “file_id” and “content” or “text”, as OpenAI's file search gives"
    if not isinstance(value, dict):
        return None
    if value.get("object") == PAGE or _are_results(value.get("data")):
        return "“data” holds results with “file_id” and “content”, as OpenAI's vector stores give"
    if any(True for _ in _calls(value, DEEPEST)):
        return "it holds a “file_search_call”, as OpenAI's responses do"
    return None


def _calls(value: Json, depth: int) -> Iterator[Fields]:
    """Yield the file searches in a response or in the steps of a run."""
    if depth == 0:
        return
    if isinstance(value, list):
        for entry in value:
            yield from _calls(entry, depth - 1)
    elif isinstance(value, dict):
        search = value.get("file_search")
        if value.get("type") == CALL or _are_results(value.get("results")):
            yield value
        elif isinstance(search, dict) and "results" in search:
            yield search
        else:
            for name in ("output", "data", "step_details", "tool_calls", "response"):
                yield from _calls(value.get(name), depth - 1)


def _read(value: Json) -> Sequence[Question]:
    if not isinstance(value, dict):
        return [_question(listing(value))]
    if value.get("object") == PAGE or _are_results(value.get("data")):
        return [_question(listing(value.get("data")), listing_or_one(value.get("search_query")))]
    calls = list(_calls(value, DEEPEST))
    return [
        _of_call(call, str(number) if len(calls) > 1 else "")
        for number, call in enumerate(calls, start=1)
    ]


def listing_or_one(value: Json) -> Sequence[Json]:
    """Return a list as it is, a text as a list of one."""
    return [value] if isinstance(value, str) else listing(value)


def _of_call(call: Fields, query_id: str) -> Question:
    queries = listing_or_one(call.get("queries"))
    if call.get("results") is None:
        return Question(
            [],
            query=" | ".join(map(str, queries)),
            query_id=query_id,
            problem="The file search holds no results: they were not asked for.",
            remedy='Ask for them with include=["file_search_call.results"], and export again.',
        )
    return _question(listing(call["results"]), queries, query_id)


def _question(
    results: Sequence[Json], queries: Sequence[Json] = (), query_id: str = ""
) -> Question:
    notes: tuple[str, ...] = ()
    if len(queries) > 1:
        notes = (f"The search was made with {len(queries)} questions at once.",)
    return question(
        [_entry(result) for result in results],
        NAMES,
        known=KNOWN,
        query=" | ".join(map(str, queries)),
        query_id=query_id,
        notes=notes,
    )


def _entry(result: Json) -> Entry:
    if not isinstance(result, dict):
        return Entry(problem="This is not a result of OpenAI's file search.")
    text = result.get("text")
    if not isinstance(text, str):
        parts = [part.get("text") for part in mappings(result.get("content"))]
        text = "\n".join(part for part in parts if isinstance(part, str))
    return Entry(
        payload=mapping(result.get("attributes")),
        text=text,
        score=result.get("score"),
        beside={
            "file_id": result.get("file_id"),
            "filename": result.get("filename", result.get("file_name")),
        },
        problem="" if text else "The result has no text.",
    )


OPENAI = wrapped(Shape("openai-search", "OpenAI file search", _recognises, _read, Tried.CLASSES))
