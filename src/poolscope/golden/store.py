"""The store of a golden set: SQLite in a file, or a PostgreSQL that a team shares.

Every stroke is one transaction: it is kept whole or not at all, and it has been kept when ``send``
returns ``Saved``. What two people change at once is never overwritten in silence: the second one
gets a ``Conflict``. An action that failed can be sent again with the same token.
"""

import dataclasses
import math
import threading
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from poolscope.errors import StoreError
from poolscope.golden import connection, model, reading, schema, steps
from poolscope.golden.actions import (
    Action,
    AddQuestion,
    AddRecord,
    Adjudicate,
    FinishPass,
    MarkPassage,
    SetGuidelines,
    SetProject,
    SpendTime,
    Undo,
    as_json,
    checked,
)
from poolscope.golden.model import (
    Attendance,
    Change,
    Conflict,
    GoldenFacet,
    GoldenSet,
    Guidelines,
    Judgement,
    Passage,
    Project,
    Question,
    Record,
    Saved,
    Stroke,
    Who,
    storable,
)
from poolscope.golden.passages import shuffled
from poolscope.golden.reading import Progress
from poolscope.golden.rows import Rows, changes_as_json

ATTEMPTS = 3
"""How often a stroke is tried where another one made the same row at the same moment."""


def new_token() -> str:
    """Return a token for a stroke: keep it with the action until ``send`` has answered."""
    return uuid.uuid4().hex


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, eq=False)
class Store:
    """A golden set that is open. Threads may share it.

    Args:
        engine: The database.
        clock: Tells the moment, UTC.
        turn: Which of the threads writes; SQLite has one writer at a time.
    """

    engine: sa.Engine
    clock: Callable[[], datetime] = _now
    turn: threading.Lock = field(default_factory=threading.Lock)

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()

    def send(
        self,
        question: str,
        action: Action,
        who: Who,
        *,
        token: str = "",
        seconds: float = 0.0,
    ) -> Saved | Conflict:
        """Keep a stroke.

        Args:
            question: Id of the question; empty for ``SetProject`` and
                ``SetGuidelines``.
            action: What is asked for.
            who: By whom.
            token: From ``new_token``; the same token is never kept twice, so a stroke whose
                answer was lost is sent again as it was.
            seconds: Time spent since the last stroke.

        Raises:
            StoreError: The database could not be reached or written, or the action may not be
                asked for. Nothing was kept.
        """
        checked(action)
        storable(question, "The question's id")
        _belongs(action, question)
        if not (math.isfinite(seconds) and seconds >= 0):
            raise StoreError(f"The time spent is {seconds}.", "Give seconds from 0.")
        token = storable(token, "The token") or new_token()
        for _ in range(ATTEMPTS):
            try:
                with connection.writing(self.engine, self.turn) as found:
                    scene = steps.Scene(Rows(found), question, who, model.written(self.clock()))
                    return self._kept(scene, action, token, seconds)
            except IntegrityError:
                continue  # another transaction made the same row first: look at it
        raise StoreError(
            "Others keep changing the same place of the golden set.",
            f"{connection.SAME} Try again.",
        )

    def _kept(
        self, scene: steps.Scene, action: Action, token: str, seconds: float
    ) -> Saved | Conflict:
        there = scene.rows.stroke(token)
        what = as_json(action)
        if there is not None:
            if (there.question, there.annotator, there.what) != (
                scene.question,
                scene.who.name,
                what,
            ):
                raise StoreError(
                    "The token belongs to another stroke.", "Take a new token for each stroke."
                )
            return Saved(there, was_there=True)
        missing = _not_there(scene, action)
        if missing is not None:
            return missing
        step = steps.step(action, scene)
        if isinstance(step, Conflict):
            return step
        finishes = isinstance(action, FinishPass)
        times = steps.attendance(scene, seconds, finishes=finishes)
        return Saved(_written(scene, action, token, (*step.changes, *times)), clashes=step.clashes)

    def undo(self, question: str, who: Who, *, token: str = "") -> Saved | Conflict:
        """Take back the own last stroke on a question that is not taken back yet.

        Raises:
            StoreError: The database could not be reached or written.
        """
        last = self.undoable(question, who)
        if last is None:
            return Conflict("There is nothing to take back.")
        return self.send(question, Undo(last.token), who, token=token)

    def undoable(self, question: str, who: Who) -> Stroke | None:
        """Return the stroke that ``undo`` would take back."""
        return next(reversed(self.standing(question, who)), None)

    def standing(self, question: str | None, who: Who) -> tuple[Stroke, ...]:
        """Return the own strokes on a question that are not taken back, oldest first.

        Args:
            question: Id of the question; ``None`` for all.
            who: Whose, and in which part.
        """
        with connection.reading(self.engine) as found:
            return reading.standing(reading.log(found, question, who.name, who.role))

    def project(self) -> Project:
        """Return what holds for the whole golden set."""
        with connection.reading(self.engine) as found:
            return reading.project(found)

    def guidelines(self) -> tuple[Guidelines, ...]:
        """Return every version of the team's own guidelines, the first one first."""
        return reading.guidelines(self.log(""))

    def questions(self) -> tuple[Question, ...]:
        """Return all questions in the order in which they were added."""
        with connection.reading(self.engine) as found:
            return reading.questions(found)

    def question(self, id_: str) -> Question | None:
        """Return a question; ``None`` where there is no such one."""
        with connection.reading(self.engine) as found:
            return next(iter(reading.questions(found, id_)), None)

    def facets(self, question: str) -> tuple[GoldenFacet, ...]:
        """Return a question's facets in their order."""
        with connection.reading(self.engine) as found:
            return reading.facets(found, question)

    def passages(self, question: str) -> tuple[Passage, ...]:
        """Return a question's passages by rank: for export, not for a pass."""
        with connection.reading(self.engine) as found:
            return reading.passages(found, question)

    def passages_for(self, question: str, who: Who) -> tuple[Passage, ...]:
        """Return a question's passages in the order in which somebody is to meet them.

        While ranks are hidden it is shuffled by the project's seed, the question and the name.
        """
        with connection.reading(self.engine) as found:
            passages = reading.passages(found, question)
            settings = reading.project(found)
        if not settings.hides_rank:
            return passages
        by_key = {passage.key: passage for passage in passages}
        order = shuffled(by_key, settings.seed, question, who.name)
        return tuple(by_key[key] for key in order)

    def marks(self, question: str, who: Who) -> tuple[Judgement, ...]:
        """Return the marks that somebody may see, see ``reading.visible_marks``."""
        with connection.reading(self.engine) as found:
            return reading.visible_marks(found, question, who)

    def attendance(self, question: str) -> tuple[Attendance, ...]:
        """Return everybody's time on a question."""
        with connection.reading(self.engine) as found:
            return reading.attendance(found, question)

    def progress(self, who: Who) -> tuple[Progress, ...]:
        """Return how far somebody is with every question."""
        with connection.reading(self.engine) as found:
            return reading.progress(found, who.name)

    def next_unfinished(self, who: Who, after: str = "") -> str | None:
        """Return the next question that somebody has not finished; ``None`` if all are."""
        return reading.next_unfinished(self.progress(who), after)

    def log(self, question: str | None = None, annotator: str | None = None) -> tuple[Stroke, ...]:
        """Return the log, oldest first; of one question, of one annotator."""
        with connection.reading(self.engine) as found:
            return reading.log(found, question, annotator)

    def last_stroke(self) -> int:
        """Return the number of the last stroke: where it is the same, nothing has changed."""
        with connection.reading(self.engine) as found:
            return reading.last_stroke(found)

    def record(self, question: str) -> Record | None:
        """Return all of one question, everybody's marks too: for agreement and export."""
        with connection.reading(self.engine) as found:
            present = next(iter(reading.questions(found, question)), None)
            return None if present is None else reading.record(found, present)

    def golden_set(self) -> GoldenSet:
        """Return everything but the log, as of one moment."""
        with connection.reading(self.engine) as found:
            return reading.golden_set(found)

    def visible_record(self, question: str, who: Who) -> Record | None:
        """Return all of one question with the marks that somebody may see, for a screen."""
        with connection.reading(self.engine) as found:
            present = next(iter(reading.questions(found, question)), None)
            return None if present is None else reading.visible_record(found, present, who)

    def visible_set(self, who: Who) -> GoldenSet:
        """Return the same with the marks that somebody may see, for a screen."""
        with connection.reading(self.engine) as found:
            return reading.visible_set(found, who)

    def faults(self) -> tuple[str, ...]:
        """Return where the tables are not what the log leads to; nothing in a sound store."""
        with connection.reading(self.engine) as found:
            return reading.faults(found)


def _belongs(action: Action, question: str) -> None:
    """Refuse to add a question under the id of another one.

    Raises:
        ValueError: It is another one.
    """
    if isinstance(action, AddQuestion | AddRecord):
        added = action.question if isinstance(action, AddQuestion) else action.record.question
        if added.id != question:
            raise ValueError(f"sent to question {question!r}, adds question {added.id!r}")


def _not_there(scene: steps.Scene, action: Action) -> Conflict | None:
    """Hold the question, and say so where there is none to work on."""
    is_of_all = isinstance(action, Undo) and not scene.question
    if is_of_all or isinstance(action, SetProject | SetGuidelines | AddQuestion | AddRecord):
        return None
    is_shared = isinstance(action, MarkPassage | Adjudicate | SpendTime)
    row = scene.rows.lock(scene.question, is_shared=is_shared)
    if row is None:
        return Conflict(f"The golden set has no question “{scene.question}”.")
    if row.is_gone and not isinstance(action, Undo):
        return scene.rows.conflict("The question was taken away meanwhile.", row)
    return None


def _written(scene: steps.Scene, action: Action, token: str, changes: tuple[Change, ...]) -> Stroke:
    """Write a stroke into the log and its changes into the tables."""
    changes = tuple(
        dataclasses.replace(change, stands=token) if change.stands is None else change
        for change in changes
    )
    kept = Stroke(
        0,
        token,
        scene.question,
        scene.who.name,
        scene.who.role,
        model.moment(scene.at),
        type(action).__name__,
        as_json(action),
        changes,
        action.stroke if isinstance(action, Undo) else "",
    )
    inserted = scene.rows.connection.execute(
        schema.STROKE.insert().values(
            token=token,
            question=kept.question,
            annotator=kept.annotator,
            role=kept.role.value,
            at=scene.at,
            kind=kept.kind,
            what=kept.what,
            changes=changes_as_json(changes),
            undoes=kept.undoes,
        )
    )
    number = inserted.inserted_primary_key
    scene.rows.write(changes, token)
    return dataclasses.replace(kept, number=int(number[0]) if number is not None else 0)


def open_store(
    address: str | Path,
    *,
    clock: Callable[[], datetime] = _now,
    migrations: Sequence[schema.Migration] = schema.MIGRATIONS,
    must_exist: bool = False,
) -> Store:
    """Open a golden set, make it where there is none, and bring its tables up to date.

    Args:
        address: Path of a file, or ``postgresql://name:password@host:port/database``.
        clock: Tells the moment, UTC.
        migrations: The steps that lead to today's tables.
        must_exist: Whether a file that is not there is refused instead of made.

    Raises:
        StoreError: It cannot be opened, or was made by a newer program.
    """
    path = connection.file_of(address)
    if must_exist and path is not None and not path.is_file():
        raise StoreError(
            f"There is no golden set at {path}.", "Check the path, or import a golden set first."
        )
    made = connection.engine(address)
    turn = threading.Lock()
    left: Sequence[int] = (0,)
    try:
        while left:
            with connection.writing(made, turn) as found:
                left = schema.migrate(found, model.written(clock()), migrations)
    except BaseException:
        made.dispose()
        raise
    return Store(made, clock, turn)
