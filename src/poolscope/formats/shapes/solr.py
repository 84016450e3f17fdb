"""Apache Solr: documents of a response, in groups, collapsed and expanded, with child documents.

Solr writes a text field as a list where the schema allows several values: such are joined. The
documents of a group, and those that a collapse hid and ``expand`` shows, are candidates too.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from poolscope.counts import agreed, counted
from poolscope.formats import aliases
from poolscope.formats.base import Known, Tried
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.entries import SEVERAL, Entry, Names, question
from poolscope.formats.shapes.roles import is_passage, listing, mapping, mappings
from poolscope.formats.shapes.wrapped import wrapped
from poolscope.model import Direction

LOOKED_AT = 20
KNOWN = Known("score", Direction.HIGHER, "Solr's score is higher for what fits better.")
DYNAMIC = re.compile(r"_(?:s|ss|t|txt|text|txt_[a-z]{2}(?:_[a-z]+)?|t_[a-z]{2})$")
"""Endings by which Solr's default schema tells a field's type."""
OWN = frozenset(("score", "_version_", "_root_", "_nest_path_", "_nest_parent_"))
CHILDREN = "_childDocuments_"
GROUP, PARENT = "group", "parent_id"
Doc = Mapping[str, Json]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The documents of one search, and sentences about where they stood."""

    docs: Sequence[Json]
    beside: Sequence[Mapping[str, Json]]
    notes: tuple[str, ...] = ()


def _recognises(value: Json) -> str | None:
    if isinstance(value, list):
        first = mappings(value[:LOOKED_AT])
        is_solr = bool(first) and all("_version_" in doc and "id" in doc for doc in first)
        return "each entry has “id” and “_version_”, as Solr's documents do" if is_solr else None
    if not isinstance(value, dict):
        return None
    response = mapping(value.get("response"))
    if isinstance(response.get("docs"), list) and ("numFound" in response or HEADER in value):
        return "“response” holds “docs” with “numFound”, as Solr's does"
    groups = [mapping(group) for group in mapping(value.get("grouped")).values()]
    if groups and all("matches" in group and _is_group(group) for group in groups):
        return "“grouped” holds groups with “matches”, as Solr's does"
    return None


HEADER = "responseHeader"


def _is_group(group: Mapping[str, Json]) -> bool:
    return isinstance(group.get("groups"), list) or isinstance(group.get("doclist"), dict)


def _read(value: Json) -> Sequence[Question]:
    if isinstance(value, list):
        return [_question(Found(value, [{}] * len(value)), {})]
    whole = mapping(value)
    grouped = mapping(whole.get("grouped"))
    if not grouped:
        return [_question(_expanded(whole), whole)]
    return [
        _question(_grouped(mapping(group)), whole, str(name) if len(grouped) > 1 else "")
        for name, group in grouped.items()
    ]


def _docs(holder: Json) -> Sequence[Json]:
    return listing(mapping(holder).get("docs"))


def _grouped(group: Mapping[str, Json]) -> Found:
    """Return the documents of all groups, one group after the other."""
    if "groups" not in group:
        docs = _docs(group.get("doclist"))
        return Found(docs, [{}] * len(docs), ("The documents stand in one list for all groups.",))
    docs, beside, total = [], [], 0
    groups = listing(group.get("groups"))
    for entry in groups:
        inner = mapping(mapping(entry).get("doclist"))
        met = _docs(inner) if isinstance(entry, dict) else [entry]
        docs.extend(met)
        beside.extend([{GROUP: mapping(entry).get("groupValue")}] * len(met))
        total += max(_count(inner), len(met))
    note = f"The rows are {counted(len(groups), 'group')} of Solr, one after the other, as listed."
    return Found(docs, beside, (note, *_cut("groups", total, len(docs))))


def _count(holder: Mapping[str, Json]) -> int:
    count = holder.get("numFound")
    return count if isinstance(count, int) else 0


def _cut(what: str, total: int, met: int) -> tuple[str, ...]:
    missing = total - met
    if missing <= 0:
        return ()
    verb = agreed(missing, "is", "are")
    return (f"The {what} count {counted(total, 'document')}; {missing:,} {verb} not in it.",)


def _expanded(whole: Mapping[str, Json]) -> Found:
    """Return the documents, each with those that a collapse hid behind it."""
    heads = _docs(whole.get("response"))
    hidden = {str(name): mapping(group) for name, group in mapping(whole.get("expanded")).items()}
    if not hidden:
        return Found(heads, [{}] * len(heads))
    docs: list[Json] = []
    beside: list[Mapping[str, Json]] = []
    left = dict(hidden)
    for head in heads:
        values = [str(_single(value)) for value in mapping(head).values()]
        name = next((value for value in values if value in left), None)
        inner = [] if name is None else list(_docs(left.pop(name)))
        docs.extend([head, *inner])
        beside.extend([{} if name is None else {GROUP: name}] * (1 + len(inner)))
    for name, group in left.items():
        docs.extend(_docs(group))
        beside.extend([{GROUP: name}] * len(_docs(group)))
    met = len(docs) - len(heads)
    note = f"{counted(met, 'document')} that a collapse hid {agreed(met, 'was', 'were')} read "
    total = sum(max(_count(group), len(_docs(group))) for group in hidden.values())
    return Found(docs, beside, (f"{note}after the head of the group.", *_cut("groups", total, met)))


def _question(found: Found, whole: Mapping[str, Json], query_id: str = "") -> Question:
    opened = [
        each
        for doc, beside in zip(found.docs, found.beside, strict=True)
        for each in _opened(doc, beside)
    ]
    docs = [_plain(doc) for doc, _ in opened]
    notes = list(found.notes)
    if len(opened) > len(found.docs) or any(PARENT in beside for _, beside in opened):
        notes.append(
            f"Opened: {counted(len(found.docs), 'document')} into {counted(len(opened), 'row')}, "
            "child documents among them."
        )
    field = _text_field(docs)
    lit = {} if field else mapping(whole.get("highlighting"))
    if lit:
        notes.append("No field holds the passages: the highlighted pieces were read as the text.")
    joined = sum(len(_texts(doc.get(field))) > 1 for doc in docs) if field else 0
    if joined:
        notes.append(f"“{field}” holds {SEVERAL.format(counted(joined, 'row'))}")
    entries = [
        _entry(doc, beside, field, lit, is_doc=isinstance(met, dict))
        for doc, (met, beside) in zip(docs, opened, strict=True)
    ]
    if entries and not any(entry.score is not None for entry in entries):
        notes.append("The score was not asked for; the list order is the rank.")
    asked = mapping(mapping(whole.get(HEADER)).get("params")).get("q")
    query = asked if isinstance(asked, str) and not asked.lstrip().startswith("{!") else ""
    names = Names("id", field or "highlighting", "score")
    return question(entries, names, known=KNOWN, query=query, query_id=query_id, notes=notes)


def _opened(doc: Json, beside: Mapping[str, Json]) -> Iterator[tuple[Json, Mapping[str, Json]]]:
    """Yield a document, or its child documents where these hold the passages."""
    children = mappings(mapping(doc).get(CHILDREN))
    if not any(_text_field([_plain(child)]) for child in children):
        yield doc, beside
        return
    own = {
        name: value
        for name, value in mapping(doc).items()
        if name not in OWN and name not in (CHILDREN, "id")
    }
    if _text_field([_plain(doc)]):
        yield doc, beside
        own = {}
    for child in children:
        yield child, {**own, **beside, PARENT: mapping(doc).get("id")}


def _plain(doc: Json) -> dict[str, Json]:
    """Return a document's fields, each value out of its list where it is alone there."""
    return {str(name): _single(value) for name, value in mapping(doc).items() if name != CHILDREN}


def _single(value: Json) -> Json:
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _text_field(docs: Sequence[Mapping[str, Json]]) -> str:
    """Return the field that holds the passages: by its name, with Solr's ending or without."""
    names = list(dict.fromkeys(name for doc in docs for name in doc))
    for bare in (aliases.normal, lambda name: DYNAMIC.sub("", aliases.normal(name))):
        by_name = {bare(name): name for name in reversed(names)}
        for alias in aliases.TEXT:
            name = by_name.get(alias)
            if name is not None and any(_texts(doc.get(name)) for doc in docs):
                return name
    return ""


def _texts(value: Json) -> list[str]:
    met = value if isinstance(value, list) else [value]
    texts = [text for text in met if isinstance(text, str) and is_passage(text)]
    return texts if len(texts) == len(met) else []


def _entry(
    doc: Mapping[str, Json],
    beside: Mapping[str, Json],
    field: str,
    lit: Mapping[str, Json],
    *,
    is_doc: bool,
) -> Entry:
    texts = _texts(doc.get(field))
    if lit:
        pieces = mapping(lit.get(str(doc.get("id")))).values()
        texts = [text for piece in pieces for text in _texts(piece)]
    return Entry(
        payload={n: value for n, value in doc.items() if n not in OWN and n not in (field, "id")},
        id=doc.get("id"),
        text="\n".join(texts) or None,
        score=doc.get("score"),
        beside=beside,
        problem="" if is_doc else "This is not a document of Solr.",
    )


SOLR = wrapped(Shape("solr", "Solr documents", _recognises, _read, Tried.SCHEMA))
