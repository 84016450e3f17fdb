"""What a session remembers: the last good load, the question looked at, and the settings.

One frozen value under one slot; nothing here is computed from anything else here.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

import streamlit as st

from poolscope import wording
from poolscope.errors import PoolscopeError
from poolscope.formats import Load
from poolscope.model import Direction, Policy
from poolscope.model.graded import Graded

SLOT = "poolscope"
ANSWERS_SLOT = "poolscope-judged-answers"


class Key(StrEnum):
    """Keys of the widgets."""

    LAMBDA = "lambda"
    CAP = "cap"
    DEPTH = "depth"
    K = "k"
    CAP_KEY = "cap-key"
    RELEVANCE = "relevance"
    RULES = "rules"
    VERDICT = "verdict"
    BOARD = "board"
    PLAIN = "plain"
    LARGE_CHARTS = "large-charts"
    AS_CODE = "as-code"
    SCALING = "scaling"
    MISSING_VECTOR = "missing-vector"
    MISSING_KEY = "missing-key"
    CLIP = "clip"
    BACKFILL = "backfill"
    BUDGET = "budget"
    ON_BUDGET = "on-budget"
    FIRST_ITEM = "first-item"
    ORDER = "order"
    BEST = "best"
    NEIGHBOURS = "neighbours"
    NEAR_COPIES = "near-copies"
    QUOTAS = "quotas"
    REFILL = "refill"
    UPLOAD = "upload"
    VECTORS = "vectors"
    QUERY_VECTORS = "query-vectors"
    CORPUS = "corpus"
    QUERIES = "queries"
    EARLIER = "earlier"
    JUDGEMENTS = "judgements"
    PASTE = "paste"
    FORMAT = "format"
    SOURCE_FIELD = "source-field"
    MERGE = "merge"
    DIRECTION = "direction"
    QUESTION = "question"
    EXPLAINED = "explained"
    CAUSES = "causes"
    GOAL_KIND = "goal-kind"
    GOAL_FACET = "goal-facet"
    GOAL_PASSAGE = "goal-passage"
    COMPARED = "compared"
    PANEL = "panel"
    POOL_ROW = "pool-row"
    ANSWER = "answer"
    NUMBERING = "numbering"
    MADE = "made"
    MISSED = "missed"
    EVERY_RULE = "every-rule"
    EVERY_INTO = "every-into"
    EVERY_STORED = "every-stored"
    ARM_CAP = "arm-cap"
    ARM_KEY = "arm-key"
    EVALUATE_SECTION = "evaluate-section"
    EVALUATE_RULE = "evaluate-rule"
    EVALUATE_AXIS = "evaluate-axis"
    EVALUATE_K = "evaluate-k"
    EVALUATE_LAMBDA = "evaluate-lambda"
    EVALUATE_CAP = "evaluate-cap"
    EVALUATE_DEPTH = "evaluate-depth"
    EVALUATE_KEY = "evaluate-key"
    EVALUATE_MEASURE = "evaluate-measure"
    EVALUATE_STRATUM = "evaluate-stratum"
    EVALUATE_FIRST = "evaluate-first"
    EVALUATE_SECOND = "evaluate-second"
    EVALUATE_SHARE = "evaluate-share"
    EVALUATE_MISSED_ONE = "evaluate-missed-one"
    EVALUATE_MISSED_SEVERAL = "evaluate-missed-several"
    EVALUATE_THRESHOLD = "evaluate-threshold"
    EVALUATE_GRADED = "evaluate-graded"


EVERY_CANDIDATE = "Every candidate"
"""Name of the panel of Explain that shows the whole pool."""

SLIDERS = (Key.LAMBDA, Key.CAP, Key.DEPTH, Key.K)
SETTING_KEYS = (
    *SLIDERS,
    Key.CAP_KEY,
    Key.RELEVANCE,
    Key.RULES,
    Key.SCALING,
    Key.MISSING_VECTOR,
    Key.MISSING_KEY,
    Key.CLIP,
    Key.BACKFILL,
    Key.BUDGET,
    Key.ON_BUDGET,
    Key.FIRST_ITEM,
    Key.ORDER,
    Key.BEST,
    Key.NEIGHBOURS,
    Key.NEAR_COPIES,
    Key.QUOTAS,
    Key.REFILL,
    Key.ARM_CAP,
    Key.ARM_KEY,
)
"""Keys of the widgets that edit a pool's setting."""


MOST_RULES = 4
"""Columns beside plain top-k."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What the controls of a pool say.

    Args:
        policy: The setting; each column puts its own selector in.
        rules: Selectors and presets of the columns beside plain top-k, as
            ``poolscope.selection.offers`` names them; one at least, ``MOST_RULES`` at most.
    """

    policy: Policy = field(default_factory=Policy)
    rules: tuple[str, ...] = ("grouped_cap", "mmr")


@dataclass(frozen=True, slots=True)
class Applied:
    """A suggested change that was applied, to be said and undone.

    Args:
        words: What was moved, from where to where.
        digest: Fingerprint of the pool.
        before: The setting before; ``None`` where it was the first.
        after: The setting that it made.
    """

    words: str
    digest: str
    before: Setting | None
    after: Setting


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """What one browser tab works on.

    Args:
        load: The last good load; ``None`` before the first.
        digest: Fingerprint of the bytes that it came from, and of how they were read.
        origin: Where it came from, for the screen: a sample's title or a file's name.
        sample: Name of the sample, for the address; empty for a file.
        question: Which question of the load is looked at, from 0.
        source_field: The source field chosen by hand or by the sample; ``None`` for the detected.
        direction: The person's word on which end of the score is better; ``None`` for the file's.
        merges: Rules that merge source labels, by name.
        is_pasted: Whether a pasted text was read last, or tried to be, and not a file.
        is_measuring: Whether the load's questions are being measured, a stretch at a time.
        settings: Setting by a pool's digest.
        last: The setting looked at last, which another question starts from.
        problem: Why the last load failed; ``None`` if it did not.
        applied: Suggested changes that were applied, the last one last.
        panel: Name of the Explain panel that is open; empty for the first.
        passages: The passage that was looked at last, by a pool's digest.
        wants_explain: Whether the board asked for Explain, and it is not open yet.
        is_drawn: Whether the live board stands on the page, under its verdict, and holds the pool.
    """

    load: Load | None = None
    digest: str = ""
    origin: str = ""
    sample: str = ""
    question: int = 0
    source_field: str | None = None
    direction: Direction | None = None
    merges: tuple[str, ...] = ()
    is_pasted: bool = False
    is_measuring: bool = False
    settings: Mapping[str, Setting] = field(default_factory=dict)
    last: Setting | None = None
    problem: PoolscopeError | None = None
    applied: tuple[Applied, ...] = ()
    panel: str = ""
    passages: Mapping[str, int] = field(default_factory=dict)
    wants_explain: bool = False
    is_drawn: bool = False


@dataclass(frozen=True, slots=True)
class JudgedAnswers:
    """A file of judged answers that was given on Evaluate.

    Args:
        name: The file's name.
        graded: The answers; empty where it could not be read.
        problem: Why it could not be; ``None`` if it could.
    """

    name: str = ""
    graded: tuple[Graded, ...] = ()
    problem: PoolscopeError | None = None


def judged_answers() -> JudgedAnswers:
    """Return the judged answers given last."""
    found = st.session_state.get(ANSWERS_SLOT)
    return found if isinstance(found, JudgedAnswers) else JudgedAnswers()


def keep_judged_answers(given: JudgedAnswers) -> None:
    """Keep judged answers: the uploader forgets them with the page."""
    st.session_state[ANSWERS_SLOT] = given


def session() -> Session:
    """Return the session's value; a fresh one at the start, or when its class has changed."""
    found = st.session_state.get(SLOT)
    if not isinstance(found, Session):
        found = Session()
        st.session_state[SLOT] = found
    return found


def change(**changes: object) -> Session:
    """Replace parts of the session's value and return it."""
    fresh = dataclasses.replace(session(), **changes)  # type: ignore[arg-type]  # fields by name
    st.session_state[SLOT] = fresh
    return fresh


def loaded(
    load: Load, digest: str, origin: str, *, sample: str = "", source_field: str | None = None
) -> Session:
    """Make a fresh load the one that is looked at."""
    return change(
        load=load,
        digest=digest,
        origin=origin,
        sample=sample,
        question=0,
        source_field=source_field,
        direction=None,
        merges=(),
        is_measuring=False,
        problem=None,
        last=None,
    )


def remember(digest: str, setting: Setting) -> None:
    """Keep the setting of a pool, so that other pages and a later visit find it."""
    held = session()
    if held.settings.get(digest) != setting or held.last != setting:
        change(settings=MappingProxyType({**held.settings, digest: setting}), last=setting)


def apply(digest: str, policy: Policy, words: str = "") -> None:
    """Make a policy the setting of a pool; a rule that no column shows takes the last column.

    Pins and bans stay as they are: a suggestion is about the other settings. What it switches off
    before the rule chooses is said too, and may be undone.

    Args:
        digest: The pool's.
        policy: The policy.
        words: What it moves, where that is to be said and may be undone.
    """
    before = setting(digest)
    held = before or Setting()
    policy = policy.changed(pinned=held.policy.pinned, banned=held.policy.banned)
    rules = held.rules
    if policy.selector not in {"top_k", *rules}:
        rules = (*rules[:-1], policy.selector)
    after = Setting(policy, rules)
    off = wording.switched_off(held.policy, policy)
    words = "; ".join(filter(None, (words, off and f"switched off: {off}")))
    if words:
        change(applied=(*session().applied, Applied(words, digest, before, after)))
    remember(digest, after)
    forget_widgets(digest)


def put_rules(digest: str, rules: tuple[str, ...]) -> None:
    """Show rules in the columns beside plain top-k.

    Args:
        digest: The pool's.
        rules: Selectors and presets; without any, and beyond the most, nothing changes.
    """
    if not 1 <= len(rules) <= MOST_RULES:
        return
    remember(digest, dataclasses.replace(kept(digest), rules=rules))
    _forget(key(Key.RULES, digest))


def put_rule(digest: str, place: int, rule: str) -> None:
    """Show a rule in one column beside plain top-k; the place behind the last adds one."""
    rules = kept(digest).rules
    put_rules(digest, (*rules[:place], rule, *rules[place + 1 :]))


def rule_key(digest: str, place: int, rule: str) -> str:
    """Return the key of the list of rules of a column, set to its rule where it is new."""
    name = f"{key(Key.RULES, digest)}:{place}"
    st.session_state.setdefault(name, rule)
    return name


def applied(digest: str) -> Applied | None:
    """Return the change that made a pool's setting what it is; ``None`` once it was moved on."""
    made = (item for item in reversed(session().applied) if item.digest == digest)
    last = next(made, None)
    now = setting(digest)
    if last is None or now is None:
        return None
    # Every column puts its own rule in, so the rule in the policy says nothing.
    is_now = now.policy.changed(selector=last.after.policy.selector) == last.after.policy
    return last if is_now and now.rules == last.after.rules else None


def undo(digest: str) -> None:
    """Put the setting of a pool back to what it was before the last applied change."""
    last = applied(digest)
    if last is None:
        return
    change(applied=tuple(item for item in session().applied if item is not last))
    if last.before is not None:
        remember(digest, last.before)
    forget_widgets(digest)


def panel(names: Sequence[str]) -> str:
    """Return the key of Explain's tabs, set to the panel that was open last."""
    held = session().panel
    name = key(Key.PANEL)
    if name not in st.session_state and held in names:
        st.session_state[name] = held
    return name


def keep_panel() -> None:
    """Remember which panel of Explain is open."""
    change(panel=str(widget(Key.PANEL) or ""))


def ask(digest: str, name: str, kind: str) -> None:
    """Open the panel of Explain that asks for a passage, with the one that is looked at.

    Args:
        digest: The pool's.
        name: The panel's name.
        kind: What it should be asked for, as its choice says.
    """
    change(panel=name)
    st.session_state[key(Key.PANEL)] = name
    st.session_state[key(Key.GOAL_KIND, digest)] = kind


MARKS: Mapping[str, Callable[[Policy, str], Policy]] = MappingProxyType(
    {"pin": Policy.with_pin, "ban": Policy.with_ban, "release": Policy.released}
)
"""What can be decided about a candidate by hand."""


def mark(digest: str, what: str, *names: str) -> None:
    """Pin, ban or release candidates of a pool.

    Args:
        digest: The pool's.
        what: A key of ``MARKS``.
        names: The candidates' ids.
    """
    held = kept(digest)
    policy = held.policy
    for name in names:
        policy = MARKS[what](policy, name)
    remember(digest, dataclasses.replace(held, policy=policy))


def explain(digest: str, index: int) -> None:
    """Ask for Explain on a passage; the page is opened once the callback has run."""
    look(digest, index)
    change(panel=EVERY_CANDIDATE, wants_explain=True)
    st.session_state.pop(key(Key.PANEL), None)


def wants_explain() -> bool:
    """Say whether Explain was asked for, once."""
    asked = session().wants_explain
    if asked:
        change(wants_explain=False)
    return asked


def passage(digest: str) -> int | None:
    """Return the passage of a pool that was looked at last."""
    return session().passages.get(digest)


def look(digest: str, index: int) -> None:
    """Look at a passage: every panel that asks for one starts from it."""
    change(passages=MappingProxyType({**session().passages, digest: index}))
    st.session_state[key(Key.GOAL_PASSAGE, digest)] = index
    st.session_state[f"{key(Key.COMPARED, digest)}:0"] = index


def chosen_row(table: str) -> int | None:
    """Return the place of the row that is chosen in a table."""
    found = st.session_state.get(table)
    rows = found["selection"]["rows"] if found else ()
    return rows[0] if rows else None


def look_at_row(table: str, digest: str, indices: Sequence[int]) -> None:
    """Look at the passage whose row was chosen in a table.

    Args:
        table: The table's key.
        digest: The pool's.
        indices: The candidate of every row.
    """
    rows = st.session_state[table]["selection"]["rows"]
    if rows and rows[0] < len(indices):
        look(digest, indices[rows[0]])
    else:
        rest = {held: index for held, index in session().passages.items() if held != digest}
        change(passages=MappingProxyType(rest))


def look_at_chosen(digest: str) -> None:
    """Look at the passage that was chosen in a list of them."""
    chosen = widget(Key.GOAL_PASSAGE, digest)
    if isinstance(chosen, int):
        look(digest, chosen)


def forget_widgets(digest: str) -> None:
    """Let the widgets of a pool start from its remembered setting when they are next drawn."""
    _forget(*(key(name, digest) for name in SETTING_KEYS))


def _forget(*prefixes: str) -> None:
    for held in [held for held in st.session_state if str(held).startswith(prefixes)]:
        del st.session_state[held]


def setting(digest: str) -> Setting | None:
    """Return the setting of a pool, ``None`` before the first."""
    return session().settings.get(digest)


def kept(digest: str) -> Setting:
    """Return the setting of a pool; one that nobody set is the usual one."""
    return session().settings.get(digest, Setting())


def forget_sliders() -> None:
    """Let what stands for the board start from the remembered settings when it is next drawn."""
    _forget(*(f"{name}:" for name in (*SLIDERS, Key.RULES)))


def key(name: Key, scope: str = "") -> str:
    """Return a widget's key, of its own for each scope (a pool's digest)."""
    return f"{name}:{scope}" if scope else str(name)


def widget(name: Key, scope: str = "") -> object:
    """Return what a widget holds; ``None`` where it was never drawn."""
    return st.session_state.get(key(name, scope))
