"""promptfoo: the results of an evaluation, as JSON, as JSON Lines and as a table.

The passages stand where the tested application put them: in the metadata of its response, in its
output, or in a variable of the test. The rendered prompt is never taken apart.
"""

import dataclasses
from collections.abc import Mapping, Sequence

from poolscope.formats import values
from poolscope.formats.base import Tried
from poolscope.formats.shapes import inner, roles
from poolscope.formats.shapes.base import Json, Passage, Question, Shape

LOOKED_AT = 20
ASKED = ("query", "question", "input", "prompt", "message", "topic", "user_input", "text")
CONTEXT = ("context", "contexts", "documents", "passages", "chunks", "retrieved_contexts")
TABLE = frozenset(("Status", "Score", "Named Scores", "Grader Reason", "Comment"))
FILE = "file://"


def _results(value: Json) -> list[Mapping[str, Json]]:
    """Return the results out of an evaluation, a list, or one alone."""
    found = value
    for _ in range(2):
        if isinstance(found, dict) and isinstance(found.get("results"), (Mapping, list)):
            found = found["results"]
    listed = found if isinstance(found, list) else [found]
    return [entry for entry in listed if isinstance(entry, dict)]


def _recognises(value: Json) -> str | None:
    results = _results(value)[:LOOKED_AT]
    if not results:
        return None
    if all(_is_result(entry) for entry in results):
        return "each result has “vars”, “response” and “prompt”, as promptfoo's do"
    if all(len(TABLE & entry.keys()) >= 3 for entry in results):
        return "its columns are “Status”, “Score” and “Grader Reason”, as in promptfoo's table"
    return None


def _is_result(entry: Mapping[str, Json]) -> bool:
    marks = ("response", "promptIdx", "testCase", "gradingResult", "promptId")
    return isinstance(entry.get("vars"), dict) and any(name in entry for name in marks)


def _read(value: Json) -> Sequence[Question]:
    results = _results(value)
    providers = {values.text(_provider(entry)) for entry in results}
    read: list[Question] = []
    for number, entry in enumerate(results, start=1):
        name = values.text(entry.get("testIdx", number - 1))
        if len(providers) > 1:
            name = f"{name} {_provider(entry)}"
        if TABLE & entry.keys() and not _is_result(entry):
            entry = {"vars": {key: cell for key, cell in entry.items() if _is_variable(key)}}
        read.append(dataclasses.replace(_question(entry), query_id=name))
    return read


def _is_variable(name: str) -> bool:
    return name not in TABLE and not name.startswith("[")


def _provider(entry: Mapping[str, Json]) -> str:
    provider = entry.get("provider")
    if isinstance(provider, dict):
        provider = provider.get("label") or provider.get("id")
    prompt = roles.mapping(entry.get("prompt")).get("label") if provider is None else None
    return provider if isinstance(provider, str) else prompt if isinstance(prompt, str) else ""


def _question(entry: Mapping[str, Json]) -> Question:
    variables = roles.mapping(entry.get("vars"))
    query = _asked(variables)
    found = _lists(entry, variables)
    if found:
        place, read = found[0]
        others = ", ".join(f"“{name}”" for name, _ in found[1:])
        notes = [*read.notes, f"The passages were read from “{place}”."]
        if others:
            notes.append(f"There are passages in {others} as well; those were left.")
        columns = read.columns or {"text": place}
        return dataclasses.replace(read, query=query, columns=columns, notes=tuple(notes))
    return _without_list(entry, variables, query)


def _asked(variables: Mapping[str, Json]) -> str:
    named = [variables[name] for name in ASKED if isinstance(variables.get(name), str)]
    rest = [
        value
        for name, value in variables.items()
        if isinstance(value, str) and name not in CONTEXT and not value.startswith(FILE)
    ]
    return str(next(iter((*named, *rest)), ""))


def _lists(entry: Mapping[str, Json], variables: Mapping[str, Json]) -> list[tuple[str, Question]]:
    """Return every list of passages with its place, those that say more of each passage first."""
    response = roles.mapping(entry.get("response"))
    places: list[tuple[str, Json]] = []
    for place, holder in (
        ("response.metadata", response.get("metadata")),
        ("metadata", entry.get("metadata")),
        ("vars", variables),
    ):
        fields = roles.mapping(holder)
        named = sorted(fields, key=lambda name: name not in CONTEXT)
        places.extend((f"{place}.{name}", fields[name]) for name in named)
    places.append(("response.output", response.get("output")))
    found: list[tuple[str, Question]] = []
    for place, value in places:
        if isinstance(roles.parsed(value), (Mapping, list)):
            found.extend((place, read) for read in inner.any_list(value)[:1])
    return sorted(_distinct(found), key=lambda met: -_told(met[1]))


def _distinct(found: list[tuple[str, Question]]) -> list[tuple[str, Question]]:
    """Leave out a list that repeats an earlier one, or says less of the same passages."""
    kept: dict[tuple[str, ...], tuple[str, Question]] = {}
    for place, read in found:
        key = tuple(values.text(passage.text) for passage in read.passages)
        if key not in kept or _told(read) > _told(kept[key][1]):
            kept[key] = (place, read)
    return list(kept.values())


def _told(read: Question) -> int:
    """Return how much a list says of its passages: ids, scores, anything else."""
    return sum(
        any(part is not None and part != {} for part in parts)
        for parts in (
            [passage.id for passage in read.passages],
            [passage.score for passage in read.passages],
            [passage.metadata for passage in read.passages],
        )
    )


def _without_list(entry: Mapping[str, Json], variables: Mapping[str, Json], query: str) -> Question:
    """Read a context that is one text, or say why there is none."""
    for name in CONTEXT:
        value = variables.get(name)
        if not isinstance(value, str) or not value.strip():
            continue
        if value.startswith(FILE):
            problem = (
                f"The variable “{name}” only names a file, “{values.shown(value)}”, "
                "and the result holds no passages."
            )
            return Question([], query, problem=problem, remedy=f"Load that file. {RETURN}")
        note = f"The variable “{name}” is one text: it was read as one passage."
        return Question([Passage(value)], query, columns={"text": f"vars.{name}"}, notes=(note,))
    raw = roles.mapping(entry.get("prompt")).get("raw")
    only = " The passages stand at most inside the prompt, which is not taken apart." if raw else ""
    return Question([], query, problem=f"The result holds no passages.{only}", remedy=RETURN)


RETURN = "Let the application return them in the metadata of its response, and export JSON."

RESULTS = Shape("promptfoo", "promptfoo results", _recognises, _read, Tried.LIBRARY, holds=True)
