"""A file with a golden set, judgements or nuggets in it: told apart, and read.

What is known of questions and passages from elsewhere, a pool or the golden set that is open, is
given along: TREC judgements and lists of nuggets hold no passages.
"""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from poolscope.errors import FormatError, Place
from poolscope.formats import native
from poolscope.golden import exchange, own_json, trec
from poolscope.golden.model import GoldenSet, Passage, Record, Who, replaced
from poolscope.golden.passages import passages_of
from poolscope.golden.store import Store
from poolscope.golden.taking_in import question_id
from poolscope.model import Pool

RUN_FIELDS = 6
"""Columns of a TREC run, the second of which is Q0."""
PEEK = 40


class Kind(StrEnum):
    """What can be read."""

    JSON = "json"
    QRELS = "qrels"
    NUGGETS = "nuggets"


LABELS = {
    Kind.JSON: "a golden set of this app",
    Kind.QRELS: "TREC judgements",
    Kind.NUGGETS: "lists of nuggets",
}


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of questions from elsewhere, by their id.

    Args:
        texts: The questions.
        passages: Their passages.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    passages: Mapping[str, tuple[Passage, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Incoming:
    """What a file holds.

    Args:
        golden_set: Ready to be put into a store.
        kind: What it was read as.
        unknown: Documents of which only an id is known: they are kept without a text.
        bare: Ids of questions without a passage: nothing can be marked before a pool is added.
    """

    golden_set: GoldenSet
    kind: Kind
    unknown: tuple[str, ...]
    bare: tuple[str, ...]


def known(pools: Iterable[Pool], store: Store | None = None) -> Known:
    """Gather what pools and a golden set know; a passage that both have is taken once.

    Args:
        pools: Those with a question.
        store: The golden set that is open.
    """
    texts: dict[str, str] = {}
    passages: dict[str, dict[str, Passage]] = {}
    for question in () if store is None else store.questions():
        texts[question.id] = question.text
        own = () if store is None else store.passages(question.id)
        passages[question.id] = {passage.key: passage for passage in own}
    for pool in pools:
        if pool.query_id.strip() or pool.query.strip():
            id_ = question_id(pool.query_id, pool.query)
            texts.setdefault(id_, replaced(pool.query))
            found = passages.setdefault(id_, {})
            for passage in passages_of(pool):
                found.setdefault(passage.key, passage)
    return Known(texts, {id_: tuple(found.values()) for id_, found in passages.items()})


def recognised(text: str) -> Kind:
    """Tell what a file holds by its beginning."""
    start = text.lstrip()[:400]
    if not start.startswith(("{", "[")):
        return Kind.QRELS
    return Kind.JSON if f'"{own_json.FORMAT}"' in start else Kind.NUGGETS


def read(
    data: bytes,
    name: str,
    who: Who | None,
    at: datetime,
    *,
    beside: Known,
    kind: Kind | None = None,
) -> Incoming:
    """Read a file.

    Args:
        data: Its bytes, UTF-8.
        name: Its name.
        who: Under whose name judgements stand that name nobody; ``None`` where that is not said.
        at: When they were made, UTC.
        beside: What is known from elsewhere.
        kind: What it is; ``None`` to tell by its beginning.

    Raises:
        FormatError: It is not what it is taken for, or it names nobody and nobody was named.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"Byte {error.start + 1} is not UTF-8.", "Save the file as UTF-8 text.", Place(name)
        ) from error
    if kind is None:
        _refuse_others(text, name)
    taken = recognised(text) if kind is None else kind
    unknown: tuple[str, ...] = ()
    if taken is Kind.JSON:
        found = own_json.from_json(text, name)
    elif taken is Kind.NUGGETS:
        found = _beside(trec.from_nuggets(text, name), beside)
    elif who is None:
        raise names_nobody(name)
    else:
        foreign = trec.from_qrels(
            text, who, at, texts=beside.texts, passages=beside.passages, name=name
        )
        found, unknown = foreign.golden_set, foreign.unknown
    return Incoming(found, taken, unknown, _without_passages(found.records))


def names_nobody(name: str) -> FormatError:
    """Return the refusal of a file that does not say who judged."""
    return FormatError(
        "The file names no annotator.", "Say under whose name: --by NAME.", Place(name)
    )


def _refuse_others(text: str, name: str) -> None:
    """Refuse what is written here and cannot be read back, and say which file can.

    Raises:
        FormatError: It is a table of marks, a run, or pools.
    """
    first = text.lstrip().partition("\n")[0]
    words = first.split()
    if first.startswith(",".join(exchange.COLUMNS[:3])):
        raise FormatError(
            "This is the table of marks that is exported for spreadsheets: the passages' texts "
            "are not in it.",
            "Import the JSON export: poolscope golden export golden.json.",
            Place(name),
        )
    if len(words) == RUN_FIELDS and words[1].upper() == "Q0":
        raise FormatError(
            "This is a TREC run: it ranks passages and judges none.",
            "Import the judgements (.qrels), or the JSON export, which holds everything.",
            Place(name),
        )
    if first[:PEEK].replace(" ", "").startswith(f'{{"{native.MARK}":'):
        raise FormatError(
            "These are pools of this app, and no golden set.",
            "Load them in the app and take their questions in, or name them with --pool beside "
            "the JSON export or judgements.",
            Place(name),
        )


def _beside(golden_set: GoldenSet, beside: Known) -> GoldenSet:
    """Give each question the text and the passages that are known of it."""
    return dataclasses.replace(
        golden_set,
        records=tuple(
            dataclasses.replace(
                record,
                question=dataclasses.replace(
                    record.question,
                    text=record.question.text or beside.texts.get(record.question.id, ""),
                ),
                passages=beside.passages.get(record.question.id, ()),
            )
            for record in golden_set.records
        ),
    )


def _without_passages(records: Sequence[Record]) -> tuple[str, ...]:
    return tuple(record.question.id for record in records if not record.passages)
