"""The marking sheet on the page: what it is given, and what its strokes come to."""

from functools import partial

from poolscope import annotator
from poolscope.annotator import strokes
from poolscope.annotator.payload import Sheet, payload, scope
from poolscope.annotator.strokes import Kind, Outcome
from poolscope.golden.model import Role, Who
from poolscope.golden.store import Store
from poolscope.ui import annotating, annotators, cache, golden_store, show

KEY = "annotate-sheet"


def draw(store: Store, shown: Sheet) -> None:
    """Draw the sheet of a question."""
    held = annotating.held()
    who = Who(shown.who.name, Role.ANNOTATOR)
    known = scope(golden_store.address(), who)
    data = payload(
        shown,
        scope=known,
        theme=show.current_theme(),
        outcomes=held.outcomes.values(),
        heard=held.heard,
        has=held.has,
    )
    annotator.mount(
        cache.annotator_renderer(),
        annotator.encoded(data),
        key=f"{KEY}:{known}",
        on_strokes=partial(_taken, store, who, f"{KEY}:{known}"),
        on_go=partial(_went, f"{KEY}:{known}"),
    )


def remember(who: Who, question: str = "", tab: str = "") -> None:
    """Let the browser remember who works where, for a reload and for a server started anew.

    Args:
        who: The annotator, and in which part; a name from a login is not kept.
        question: Id of the question that is open; empty before there is one.
        tab: The part of the page that is open.
    """
    here = {
        annotators.QUESTION_COOKIE: question,
        annotators.PART_COOKIE: who.role.value,
        annotators.TAB_COOKIE: tab,
    }
    if not annotators.has_login():
        here[annotators.COOKIE] = who.name
    annotator.mount(
        cache.annotator_renderer(),
        annotator.encoded({"here": here}),
        key=f"{KEY}-here",
        on_strokes=_nothing,
        on_go=_nothing,
    )


def _nothing() -> None:
    """Without a question the component sends nothing."""


def _taken(store: Store, who: Who, key: str) -> None:
    """Keep the strokes that the browser sent; one that finishes a pass leads to the next."""
    sent = annotating.message(key, "strokes")
    known = annotating.held().outcomes
    found = strokes.take(store, who, strokes.read(sent.get("strokes")), known)
    beat, has = sent.get("beat"), sent.get("has")
    annotating.change(
        outcomes={outcome.sent.token: outcome for outcome in found},
        heard=int(beat) if isinstance(beat, int | float) else 0,
        has=has if isinstance(has, str) else "",
    )
    fresh = [each for each in found if each.is_saved and not _was_saved(each, known)]
    for outcome in fresh:
        if outcome.sent.kind is Kind.FINISH:
            following = store.next_unfinished(who, outcome.sent.question)
            annotating.change(question=following or outcome.sent.question)


def _was_saved(outcome: Outcome, known: object) -> bool:
    before = known.get(outcome.sent.token) if isinstance(known, dict) else None
    return isinstance(before, Outcome) and before.is_saved


def _went(key: str) -> None:
    """Go to the question that the sheet asked for."""
    to = annotating.message(key, "go").get("to")
    if isinstance(to, str) and to:
        annotating.change(question=to)
