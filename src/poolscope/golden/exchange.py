"""A golden set into a store and out of it; its marks as a table for spreadsheets."""

import csv
import dataclasses
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from poolscope.golden import model
from poolscope.golden.actions import AddRecord, SetGuidelines, SetProject
from poolscope.golden.model import (
    Conflict,
    GoldenFacet,
    GoldenSet,
    Judgement,
    Passage,
    Project,
    Question,
    Role,
    Saved,
    Who,
)
from poolscope.golden.store import Store

COLUMNS = (
    "question_id",
    "question",
    "stratum",
    "facet_id",
    "facet",
    "weight",
    "passage_key",
    "passage_id",
    "source",
    "annotator",
    "role",
    "mark",
    "independent_mark",
    "made_at",
)


class Fate(StrEnum):
    """What became of a file's guidelines, or of its settings."""

    TAKEN = "taken"
    LEFT = "left"
    NONE = "none"


SAID_OF_GUIDELINES: Mapping[Fate, str] = {
    Fate.TAKEN: "The file's guidelines are the golden set's now.",
    Fate.LEFT: "The file's guidelines are left out: an adjudicator alone brings guidelines in, and "
    "only where the golden set has none.",
    Fate.NONE: "",
}
"""A sentence about each; empty where the file has none, or the same."""

SAID_OF_SETTINGS: Mapping[Fate, str] = {
    Fate.TAKEN: "",
    Fate.LEFT: "The file's settings (what is hidden until a pass is done, and the seed of the "
    "shuffle) are left out: the golden set has its own.",
    Fate.NONE: "",
}
"""The same about its settings."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of putting a golden set into a store.

    Args:
        added: Ids of the questions that were added.
        filled: Ids of those that were there without a facet, and took everything but their text.
        same: Ids of those that were there, all the same.
        conflicts: Why the others were not added.
        guidelines: What became of the file's guidelines.
        settings: What became of the file's settings.
    """

    added: tuple[str, ...]
    filled: tuple[str, ...]
    same: tuple[str, ...]
    conflicts: Mapping[str, Conflict]
    guidelines: Fate = Fate.NONE
    settings: Fate = Fate.NONE

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences about what became of settings and guidelines, where there is one."""
        said = (SAID_OF_SETTINGS[self.settings], SAID_OF_GUIDELINES[self.guidelines])
        return tuple(sentence for sentence in said if sentence)


def put(golden_set: GoldenSet, store: Store, who: Who) -> Imported:
    """Add a golden set's questions to a store, each in one stroke.

    A question that is there with facets is left as it is. Settings are taken while the store has
    none, and guidelines likewise, where an adjudicator brings them.

    Raises:
        StoreError: The database could not be written; what was added before stays.
    """
    there = store.project()
    settings = _settings(golden_set.project, there, store, who)
    guidelines = _guidelines(golden_set.project.guidelines.strip(), there, store, who)
    added: list[str] = []
    filled: list[str] = []
    same: list[str] = []
    conflicts: dict[str, Conflict] = {}
    for record in golden_set.records:
        id_ = record.question.id
        before = store.record(id_)
        if before is not None and before.without_versions == record.without_versions:
            same.append(id_)
            continue
        result = store.send(id_, AddRecord(record), who)
        if isinstance(result, Conflict):
            conflicts[id_] = result
        else:
            (added if before is None else filled).append(id_)
    return Imported(tuple(added), tuple(filled), tuple(same), conflicts, guidelines, settings)


def _settings(wanted: Project, there: Project, store: Store, who: Who) -> Fate:
    """Take a file's settings where there are none, and say what became of them."""
    if there.version == 0:
        seen = dataclasses.replace(wanted, version=there.version)
        if isinstance(store.send("", SetProject(seen), who), Saved):
            return Fate.TAKEN
        there = store.project()
    return Fate.NONE if _set(wanted) in (_set(there), _set(Project())) else Fate.LEFT


def _set(project: Project) -> tuple[bool, bool, bool, int]:
    """Return what can be set, without guidelines and without counts of changes."""
    return (project.hides_score, project.hides_rank, project.hides_source, project.seed)


def _guidelines(words: str, there: Project, store: Store, who: Who) -> Fate:
    """Take a file's guidelines where they may be, and say what became of them."""
    if words in ("", there.guidelines):
        return Fate.NONE
    if who.role is not Role.ADJUDICATOR or there.guidelines:
        return Fate.LEFT
    sent = store.send("", SetGuidelines(words, there.guidelines_version), who)
    return Fate.TAKEN if isinstance(sent, Saved) else Fate.LEFT


def as_csv(golden_set: GoldenSet) -> str:
    """Write one line a mark, with annotator and time, for a spreadsheet.

    A cell that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for record in golden_set.records:
        facets = {facet.id: facet for facet in record.facets}
        passages = {passage.key: passage for passage in record.passages}
        for one in record.judgements:
            line = _line(record.question, facets[one.cell.facet], passages[one.cell.passage], one)
            writer.writerow([_plain(cell) for cell in line])
    return out.getvalue()


def _line(
    question: Question, facet: GoldenFacet, passage: Passage, one: Judgement
) -> Sequence[str]:
    return (
        question.id,
        question.text,
        question.stratum.value,
        facet.id,
        facet.label,
        facet.weight.value,
        passage.key,
        passage.id,
        passage.source or "",
        one.annotator,
        one.role.value,
        "" if one.mark is None else one.mark.value,
        "" if one.independent is None else one.independent.value,
        model.written(one.made_at),
    )


def _plain(cell: str) -> str:
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r", "'")) else cell
