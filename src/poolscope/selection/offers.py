"""What can be asked for by one name: every selector under a policy, and every preset.

A policy's ``selector`` names an offer here: a selector by its name (``mmr``), a preset behind a
mark of its own (``preset:hippo``), with the number of stored sources where it asks for one
(``preset:swafra:stored=40``), and with the field that plays the part of the one that its system
reads, where that is named (``preset:openviking_chat:field=section``, escaped as in an address). A
selector reads the whole policy; a preset reads of it what its system leaves to who asks, and keeps
its own settings for the rest.
"""

from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

from poolscope import selection
from poolscope.errors import PolicyError
from poolscope.model import MissingVector, Policy, Pool, Selection
from poolscope.selection import SELECTORS, Selector, paths, presets
from poolscope.selection.base import Draft, Task
from poolscope.selection.paths import Axis, Interval, Path, whole
from poolscope.selection.presets import FIELDS, PRESETS, Need, Preset, Request, field_of
from poolscope.selection.presets.base import OF_FIELDS
from poolscope.selection.top_k import TOP_K

MARK = "preset:"
STORED, FIELD = "stored", "field"
UNNAMED = Policy().key
"""The key of a policy that names no field."""
MOST_DIGITS = 9
MOST_FIELDS = 60
_LABELS = {item.label for item in SELECTORS}
_USUAL = frozenset(name for names in FIELDS.values() for name in names)


@dataclass(frozen=True, slots=True)
class Offer:
    """A selector or a preset, as a column, a list or a table shows it.

    Args:
        rule: What it is.
        stored: How many sources the whole store holds, for a preset that asks.
        field: The field that plays the part of the one that a preset's system reads; ``None``
            for whichever has one of the usual names.
    """

    rule: Selector | Preset
    stored: int | None = None
    field: str | None = None

    @property
    def name(self) -> str:
        """How policies and addresses name it."""
        if isinstance(self.rule, Selector):
            return self.rule.name
        stored = "" if self.stored is None else f":{STORED}={self.stored}"
        field = "" if self.field is None else f":{FIELD}={quote(self.field, safe='')}"
        return f"{MARK}{self.rule.name}{stored}{field}"

    @property
    def plain(self) -> "Offer":
        """The same rule with nothing given that it asks for."""
        return Offer(self.rule)

    @property
    def is_preset(self) -> bool:
        """Whether it is a preset."""
        return isinstance(self.rule, Preset)

    @property
    def is_policy(self) -> bool:
        """Whether the policy of its selection says all that it does."""
        return not isinstance(self.rule, Preset) or self.rule.is_policy

    @property
    def label(self) -> str:
        """Its name on screen; no two are alike."""
        is_taken = isinstance(self.rule, Preset) and self.rule.label in _LABELS
        return f"{self.rule.label} (preset)" if is_taken else self.rule.label

    @property
    def trap(self) -> str:
        """Its known trap in words; empty without one."""
        return self.rule.trap if isinstance(self.rule, Preset) else ""

    @property
    def reads(self) -> tuple[Axis, ...]:
        """The sliders that it answers to."""
        if isinstance(self.rule, Preset):
            return self.rule.reads
        parameters = {parameter.name for parameter in self.rule.parameters}
        return tuple(axis for axis in Axis if axis in {Axis.DEPTH, Axis.K, *parameters})

    @property
    def asks_stored(self) -> bool:
        """Whether it asks how many sources the whole store holds."""
        return isinstance(self.rule, Preset) and Need.STORED in self.rule.needs

    @property
    def part(self) -> str:
        """The part that a field plays in it, one that may be named; empty for none."""
        return self.rule.part if isinstance(self.rule, Preset) else ""

    @property
    def needs_field(self) -> bool:
        """Whether it cannot do without a field that plays its part."""
        needs = self.rule.needs if isinstance(self.rule, Preset) else ()
        return any(need in OF_FIELDS for need in needs)

    def usual_field(self, pool: Pool) -> str | None:
        """Return the field that plays its part unless another is named; ``None`` for none."""
        return field_of(pool, self.part, Request()) if self.part else None

    def barred(self, pool: Pool) -> tuple[Need, ...]:
        """Return what a pool lacks for it that nobody can give by a number or a field's name."""
        by_name = self.is_preset and bool(fields(pool))
        given = {Need.STORED, *(OF_FIELDS if by_name else ())}
        return tuple(need for need in self.missing(pool) if need not in given)

    def missing(self, pool: Pool, policy: Policy | None = None) -> tuple[Need, ...]:
        """Return what a pool, or what was asked, lacks.

        Args:
            pool: The pool.
            policy: What is asked; ``None`` for the usual.
        """
        asked = policy or Policy()
        if isinstance(self.rule, Preset):
            return self.rule.missing(pool, self.request(asked))
        needs = []
        leaves_out = asked.missing_vector is MissingVector.LEAVE_OUT
        if self.rule.reads_similarity and pool.vectors is None and leaves_out:
            needs.append(Need.VECTORS)
        if self.rule.reads_facets and not pool.facets:
            needs.append(Need.FACETS)
        if (
            self.rule.reads_arms
            and asked.key == UNNAMED
            and field_of(pool, "arm", Request()) is None
        ):
            needs.append(Need.ARM)
        return tuple(needs)

    def request(self, policy: Policy) -> Request:
        """Return what a preset is asked with: what it reads of a policy, and what holds for all."""
        return Request(
            k=policy.k,
            cap=policy.cap if Axis.CAP in self.reads else None,
            lambda_=policy.lambda_ if Axis.LAMBDA in self.reads else None,
            stored=self.stored,
            field=self.field,
            depth=policy.depth,
            budget=policy.budget,
            pinned=policy.pinned,
            banned=policy.banned,
        )


OFFERS: tuple[Offer, ...] = (*map(Offer, SELECTORS), *map(Offer, PRESETS))
"""Every selector, then every preset, in display order."""

_BY_NAME = {offer.name: offer for offer in OFFERS}


def named(name: str) -> Offer:
    """Return the offer of a name.

    Raises:
        PolicyError: There is none.
    """
    found = _BY_NAME.get(name)
    if found is not None:
        return found
    if not name.startswith(MARK):
        return Offer(selection.named(name))
    bare, _, own = name.removeprefix(MARK).partition(":")
    preset = presets.named(bare)
    offer = Offer(preset)
    given = dict(part.split("=", 1) for part in own.split(":") if "=" in part)
    stored, field = given.pop(STORED, None), given.pop(FIELD, None)
    if stored is not None and offer.asks_stored and _is_number(stored):
        offer = replace(offer, stored=int(stored))
    if field and preset.part:
        offer = replace(offer, field=unquote(field))
    said = (stored is not None) + (field is not None)
    if own.count(":") + 1 != said or said != (offer.stored is not None) + (offer.field is not None):
        ways = {
            f":{STORED}= and a whole number": offer.asks_stored,
            f":{FIELD}= and a field's name": bool(preset.part),
        }
        listed = " or ".join(f"{MARK}{bare}{way}" for way, is_one in ways.items() if is_one)
        raise PolicyError(
            f"“{own}” is no setting of the preset “{preset.label}”.",
            f"Write {listed or f'{MARK}{bare} alone'}.",
        )
    return offer


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS


def fields(pool: Pool) -> tuple[str, ...]:
    """List the fields that may be named: the source, where there is one, and the others.

    Of very many those that have a usual name come first, so that none of them is cut off.
    """
    source = ("source",) if pool.distinct_sources else ()
    if len(source) + len(pool.fields) <= MOST_FIELDS:
        return (*source, *pool.fields)
    others = sorted(pool.fields, key=lambda name: name.lower() not in _USUAL)
    return (*source, *others)[:MOST_FIELDS]


def select(pool: Pool, policy: Policy) -> Selection:
    """Select what a policy asks for, by a selector or a preset.

    A preset that lacks something selects nothing and says what it lacks.

    Raises:
        PolicyError: There is no such offer, or a selector cannot do what the policy asks.
    """
    offer = named(policy.selector)
    if isinstance(offer.rule, Selector):
        return selection.select(pool, policy)
    lacks = offer.missing(pool, policy)
    if lacks:
        draft = Draft(Task.of(pool, policy.plain.changed(k=0), TOP_K))
        nothing = draft.finish((f"Nothing is selected: it needs {', '.join(lacks)}.",))
        return replace(nothing, preset=offer.rule.name)
    return offer.rule.select(pool, offer.request(policy))


def path(pool: Pool, policy: Policy, axis: Axis) -> Path:
    """Compute how a selector or a preset answers to one parameter, the others kept.

    Raises:
        PolicyError: As ``select`` does.
    """
    offer = named(policy.selector)
    if isinstance(offer.rule, Selector):
        return paths.path(pool, policy, axis)

    def ask(value: float) -> Selection:
        return select(pool, policy.changed(**{axis.value: value}))

    if axis not in offer.reads or offer.missing(pool, policy):
        stands = whole.picks_of(select(pool, policy))
        return Path(axis, (Interval(*paths.ends(pool, policy, axis), stands),))
    if axis is Axis.DEPTH and offer.rule.cut_is_free:
        return whole.from_the_deepest(len(pool), ask)
    return paths.by_asking(pool, policy, axis, lambda value: whole.picks_of(ask(value)))
