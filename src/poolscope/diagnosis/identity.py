"""Weak source identity: labels that hide which document a passage belongs to."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

from poolscope.counts import agreed, counted
from poolscope.diagnosis.base import Finding, Kind
from poolscope.diagnosis.facts import Facts
from poolscope.diagnosis.shared_text import chained, words

LEAST = 5
"""Fewest rows of which anything can be said."""

PARTS = "without their part numbers"

READ = 40
"""Most passages read for shared text and headings."""

DOCUMENT_FIELDS = frozenset(
    {
        *("title", "doc", "document", "docid", "docname", "documentid", "documentname"),
        *("documenttitle", "doctitle", "file", "filename", "filepath", "path", "url", "uri"),
        *("pagetitle", "book", "parent", "parentid", "parentdocument", "article"),
        *("articleid", "source", "sourceid", "sourcefile", "sourcename", "sourceasloaded"),
    }
)
"""Names of fields that say which document a passage is from, without case and signs."""

_PART = re.compile(
    r"(?:"
    r"[#?].*"  # a fragment or a query
    r"|[\s_\-./:]*[\(\[]?(?:chunk|part|page|pg|para|paragraph|seg|segment|passage|block|slice|piece)"
    r"s?[\s_\-.:#=]*\d+[\)\]]?"
    r"|[\s_\-.,]+(?:p|c)\.?\s*\d+"
    r"|\s*\((?:v|copy|version)?\s*\d*\)"
    r"|(?<=\.[a-z]{2})[\s_\-:.]+\d+|(?<=\.[a-z]{3})[\s_\-:.]+\d+|(?<=\.[a-z]{4})[\s_\-:.]+\d+"
    r"|::\s*\d+|@\d+|\[\d+\]"
    r")+$"
)
_COPY_MARK = re.compile(r"(?:\s*\((?:v\s*\d+|copy|\d+)\)|[\s_\-](?:v\d+|copy))(?=\.[a-z]{2,4}$)")


def weak_identity(facts: Facts) -> Finding | None:
    """Find source labels that part one document, join several, or name two alike."""
    for look in (_two_folders, _one_for_all, _each_alone):
        found = look(facts)
        if found is not None:
            return found
    return None


def _each_alone(facts: Facts) -> Finding | None:
    """Every row is its own source, though something shows that rows belong together."""
    labels = facts.pool.column(facts.shares.key)
    n = len(labels)
    known = [label for label in labels if label is not None]
    if n < LEAST or len(set(known)) < len(known):
        return None
    for evidence, documents in _documents(facts):
        count = len(set(documents) - {None})
        if _groups(documents, n) and (count > 1 or PARTS in evidence):
            what = (
                f"Every passage is its own source by “{facts.shares.key}”"
                if known
                else ("No passage has a source")
            )
            return Finding(
                Kind.WEAK_IDENTITY,
                f"Weak source identity. {what}, but by {evidence} {n} passages are from "
                f"{_documents_said(count)}.",
                (_slots(facts, documents), "A cap counts nothing while every row stands alone."),
                f"Take the source from {evidence.split(' (')[0]}, then look again.",
                is_alarm=not facts.is_covered_at_best,
            )
    return _chained_rows(facts)


def _chained_rows(facts: Facts) -> Finding | None:
    """Passages that continue one another are chunks of one document, whatever the labels say."""
    rows = facts.standing.reach[:READ].tolist()
    pairs = chained([words(facts.pool.texts[i]) for i in rows])
    if len({row for pair in pairs for row in pair}) < LEAST - 1:
        return None
    return Finding(
        Kind.WEAK_IDENTITY,
        f"Weak source identity. Every passage is its own source by “{facts.shares.key}”, but "
        f"{len(pairs)} of the first {len(rows)} start with the end of another: they are chunks of "
        "the same documents.",
        ("A cap counts nothing while every row stands alone.",),
        "Carry the document's id through the chunking and take the source from it.",
        is_alarm=not facts.is_covered_at_best,
    )


def _one_for_all(facts: Facts) -> Finding | None:
    """All rows share one label, though something shows that they are several documents."""
    labels = facts.pool.column(facts.shares.key)
    n = len(labels)
    if n < LEAST or len(set(labels)) != 1 or labels[0] is None:
        return None
    for evidence, documents in _documents(facts):
        count = len(set(documents) - {None})
        if count > 1 and documents.count(None) * 2 < n:
            return Finding(
                Kind.WEAK_IDENTITY,
                f"Weak source identity. All {n} passages have the source “{labels[0]}”, but "
                f"by {evidence} they are from {_documents_said(count)}.",
                (_slots(facts, documents), "A cap would cut the whole pool at its value."),
                f"Take the source from {evidence.split(' (')[0]}, then look again.",
                is_alarm=not facts.is_covered_at_best,
            )
    return None


def _two_folders(facts: Facts) -> Finding | None:
    """One bare file name stands for files of two folders."""
    labels = facts.pool.column(facts.shares.key)
    for name, values in facts.pool.fields.items():
        folders: dict[str, set[str]] = {}
        for label, value in zip(labels, values, strict=True):
            path = None if value is None else value.split("#")[0].split("?")[0]
            if label and path and "/" not in label and PurePosixPath(path).name == label:
                folders.setdefault(label, set()).add(path)
        for label, paths in folders.items():
            if len(paths) > 1:
                return Finding(
                    Kind.WEAK_IDENTITY,
                    f"Weak source identity. “{label}” stands for {len(paths)} files in different "
                    f"folders: {', '.join(sorted(paths)[:3])}.",
                    (f"Counted as one, {label} holds {counted(labels.count(label), 'passage')}.",),
                    f"Take the source from “{name}”, which tells them apart.",
                    is_alarm=not facts.is_covered_at_best,
                )
    return None


def _documents(facts: Facts) -> list[tuple[str, list[str | None]]]:
    """List what could say which document each row is from, with the words for it."""
    pool = facts.pool
    found: list[tuple[str, list[str | None]]] = [
        (f"the labels {PARTS} (“{facts.shares.key}”)", _merged(pool.column(facts.shares.key)))
    ]
    for name, values in pool.fields.items():
        if name != facts.shares.key and _normal(name) in DOCUMENT_FIELDS:
            found.append((f"the field “{name}”", _merged(values)))
    found.append((f"the ids {PARTS}", _merged_only(pool.ids)))
    found.append(("the headings of the texts", [_heading(text) for text in pool.texts]))
    return found


def _groups(documents: Sequence[str | None], n: int) -> bool:
    """Say whether rows fall into documents: several rows each, most rows known."""
    counts = Counter(document for document in documents if document is not None)
    return bool(counts) and (
        2 * counts.total() > n
        and 10 * len(counts) <= 7 * counts.total()
        and max(counts.values()) >= 3
    )


def _documents_said(count: int) -> str:
    return counted(count, "document")


def _merged(labels: Sequence[str | None]) -> list[str | None]:
    return [None if label is None else _without_part(label) or label for label in labels]


def _merged_only(ids: Sequence[str]) -> list[str | None]:
    """Return ids without their part numbers, none for an id that carries none."""
    return [
        merged if (merged := _without_part(label)) and merged != label else None for label in ids
    ]


def _without_part(label: str) -> str:
    plain = _COPY_MARK.sub("", label.strip())
    return _PART.sub("", plain if _PART.search(plain.lower()) is None else _cut(plain))


def _cut(label: str) -> str:
    met = _PART.search(label.lower())
    return label if met is None else label[: met.start()]


def _normal(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.rsplit(".", 1)[-1].lower())


def _heading(text: str) -> str | None:
    """Return a text's first line where it looks like a title: short, with more below."""
    first, _, rest = text.strip().partition("\n")
    title = first.strip(" #*=[]")
    return title if rest.strip() and 0 < len(title) <= 80 and title[-1] not in ".!?;," else None


def _slots(facts: Facts, documents: Sequence[str | None]) -> str:
    counts = Counter(documents[i] for i in facts.picks if documents[i] is not None)
    if not counts:
        return "None of the picks says which document it is from."
    name, most = counts.most_common(1)[0]
    return (
        f"Counted so, {most} of {counted(len(facts.picks), 'slot')} "
        f"{agreed(most, 'comes', 'come')} from {name}."
    )
