"""What a golden set says of a setting, in sentences: measured, never prescribed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poolscope.evaluation.mix import Router, Scores, break_even
from poolscope.evaluation.proxy import Alarm, Correlation
from poolscope.evaluation.statistics import CONFIDENCE, FEWEST, HeldOut, Paired, held_out, paired
from poolscope.evaluation.sweep import COVERAGE, RELEVANCE, SAME, Stretch, Sweep
from poolscope.model import Stratum
from poolscope.selection.paths import Axis
from poolscope.wording import counted

NAMES = {Axis.LAMBDA: "lambda", Axis.CAP: "cap", Axis.DEPTH: "pool depth", Axis.K: "k"}
NEAR = 0.01
"""How near to the best mean a value of a parameter is said to be as good for most purposes."""
REFERENCES = {
    Axis.LAMBDA: "plain top-k (lambda 1)",
    Axis.CAP: "a cap that is never reached",
    Axis.DEPTH: "the whole pool",
    Axis.K: "the k that is set",
}


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """The best of a sweep, held against a reference.

    Args:
        axis: The parameter.
        name: The measure that chose.
        stratum: The questions that chose; ``None`` for all.
        stretches: Every stretch over which the mean is largest, in rising order.
        near: Every stretch over which the mean is within ``NEAR`` of it; empty where that adds
            nothing.
        value: Where on the best stretch nearest to the reference, at its middle.
        reference: The value held against.
        at_reference: The mean there.
        pairs: The best less the reference, question by question.
        relevance: Change of mean relevance, best less reference.
        held: What choosing gains on questions that did not choose; ``None`` for too few.
        is_flat: Whether no question's value changes anywhere over the parameter.
    """

    axis: Axis
    name: str
    stratum: Stratum | None
    stretches: tuple[Stretch, ...]
    near: tuple[Stretch, ...]
    value: float
    reference: float
    at_reference: float
    pairs: Paired
    relevance: float
    held: HeldOut | None
    is_flat: bool = False

    @property
    def is_reference(self) -> bool:
        """Whether nothing beats the reference."""
        return self.pairs.difference.mean <= SAME

    @property
    def short(self) -> float:
        """The value, or one of the same stretch with fewer decimals: what is written down."""
        if self.axis is not Axis.LAMBDA:
            return self.value
        (at,) = [item for item in self.stretches if item.low <= self.value <= item.high]
        rounded = (round(self.value, decimals) for decimals in range(1, 17))
        return next((item for item in rounded if at.low <= item <= at.high), self.value)

    @property
    def is_shown(self) -> bool:
        """Whether the gain is no accident of these questions, nor of having been chosen on them.

        The best was chosen on the questions that it is measured on, which flatters: so nearly
        every half that did not choose has to gain too.
        """
        held, pairs = self.held, self.pairs
        holds = held is not None and held.share_better >= CONFIDENCE
        return holds and pairs.difference.low > 0.0 and pairs.chance <= 1.0 - CONFIDENCE


def unsupported(count: int, which: str) -> str:
    """Say that questions lack what no setting can make up for.

    Args:
        count: How many.
        which: The same with what they are, as the sentence begins.
    """
    one = count == 1
    return (
        f"{which} {'has' if one else 'have'} no supporting passage in the pool: no setting can "
        f"cover {'it' if one else 'them'}, and {'it counts' if one else 'they count'} as not "
        "covered."
    )


def signed(value: float, decimals: int = 3) -> str:
    """Write a difference with its sign, a true minus."""
    return f"{value:+.{decimals}f}".replace("-", "\N{MINUS SIGN}")


def reference(sweep: Sweep) -> float:
    """Return the value of the parameter that the others are held against."""
    highs = {Axis.LAMBDA: 1.0, Axis.K: float(sweep.policy.k)}
    return min(highs.get(sweep.axis, float(sweep.ends[-1])), float(sweep.ends[-1]))


def best(sweep: Sweep, name: str = COVERAGE, stratum: Stratum | None = None) -> Best | None:
    """Find the best of a sweep for some questions; ``None`` where there are none."""
    rows = sweep.of(stratum)
    stretches = sweep.best(name, stratum) if rows.any() else ()
    if not stretches:
        return None
    near = sweep.best(name, stratum, within=NEAR)
    base = reference(sweep)
    nearest = min(stretches, key=lambda item: max(item.low - base, base - item.high, 0.0))
    value = _inside(nearest, base, sweep.axis)
    before, after = sweep.at(base, name)[rows], sweep.at(value, name)[rows]
    return Best(
        axis=sweep.axis,
        name=name,
        stratum=stratum,
        stretches=stretches,
        near=() if near == stretches else near,
        value=value,
        reference=base,
        at_reference=float(before.mean()),
        pairs=paired(before, after),
        relevance=_relevance(sweep, base, sweep, value, stratum),
        held=held_out(sweep, name, base, stratum),
        is_flat=bool((np.ptp(sweep.values[name][rows], axis=1) <= SAME).all()),
    )


@dataclass(frozen=True, slots=True)
class Peak:
    """The best of one of several sweeps over lambda.

    Args:
        stretch: Where the mean is largest, nearest to lambda 1, with the mean.
        gain: That mean less the one at lambda 1 of the first sweep.
        relevance: Change of mean relevance between the two, at the end of the stretch that is
            nearest to lambda 1: the least that the gain costs.
    """

    stretch: Stretch
    gain: float
    relevance: float


def peaks(
    sweeps: Sequence[Sweep], name: str = COVERAGE, stratum: Stratum | None = None
) -> tuple[Peak, ...]:
    """Find the best of several sweeps over lambda, all held against the first one's top-k.

    Args:
        sweeps: The sweeps; the first has no cap, so that it begins, at lambda 1, with top-k.
        name: The measure.
        stratum: The questions, of which there is at least one; ``None`` for all.
    """
    base = float(sweeps[0].mean(name, stratum)[-1])
    best = [sweep.best(name, stratum)[-1] for sweep in sweeps]
    return tuple(
        Peak(item, item.value - base, _relevance(sweeps[0], 1.0, sweep, item.high, stratum))
        for sweep, item in zip(sweeps, best, strict=True)
    )


def _relevance(
    before: Sweep, at: float, after: Sweep, then: float, stratum: Stratum | None
) -> float:
    """Return the change of mean relevance over the questions that have one at both places."""
    rows = before.of(stratum)
    change = (after.at(then, RELEVANCE) - before.at(at, RELEVANCE))[rows]
    met = change[~np.isnan(change)]
    return float(met.mean()) if len(met) else math.nan


def _inside(stretch: Stretch, base: float, axis: Axis) -> float:
    if stretch.low <= base <= stretch.high:
        return base
    middle = (stretch.low + stretch.high) / 2.0
    return middle if axis is Axis.LAMBDA else float(math.floor(middle))


def verdict(found: Best) -> str:
    """Say in one sentence whether anything beats the reference, and whether it is shown."""
    named, base = NAMES[found.axis], REFERENCES[found.axis]
    gain = found.pairs.difference
    if found.is_flat:
        return (
            f"Nothing changes over {named}: the mean is {found.at_reference:.3f} at every value, "
            f"on the {counted(gain.count, 'question')} measured."
        )
    if found.axis is Axis.K:
        low = found.stretches[0].low
        return (
            f"More slots cover more by themselves: {found.stretches[0].value:.3f} from k = "
            f"{low:.0f} on, {found.at_reference:.3f} at k = {found.reference:.0f}; "
            f"{cost(found.relevance)}."
        )
    if found.is_reference:
        return f"No {named} beats {base} on the {counted(gain.count, 'question')} measured."
    at = span(found.stretches[0], found.axis)
    if math.isnan(gain.low):
        return (
            f"{named.capitalize()} {at} is {signed(gain.mean)} against {base}, "
            f"{cost(found.relevance)}; {counted(gain.count, 'question')} are too few to tell."
        )
    measured = f"{signed(gain.mean)} ({_interval(gain.low, gain.high)})"
    if found.is_shown:
        return f"{named.capitalize()} {at} beats {base}: {measured}, {cost(found.relevance)}."
    held = found.held
    others = (
        ""
        if held is None
        else f", and {signed(held.gain)} on halves that did not, {cost(held.relevance)}"
    )
    return (
        f"No {named} is shown to beat {base}: the best, {at}, is {measured} on the questions that "
        f"chose it, {cost(found.relevance)}{others}. This set does not tell it from nothing."
    )


def cost(change: float) -> str:
    """Say by how much mean relevance changes, behind what is gained."""
    if math.isnan(change):
        return "mean relevance is not known"
    if abs(change) <= SAME:
        return "mean relevance the same"
    return f"mean relevance {signed(change)}"


def evidence(found: Best) -> tuple[str, ...]:
    """Say what stands behind the verdict; of what never changes it says everything."""
    if found.is_flat:
        return ()
    named = NAMES[found.axis]
    listed = ", ".join(span(item, found.axis) for item in found.stretches[:3])
    more = f" and {len(found.stretches) - 3} more" if len(found.stretches) > 3 else ""
    said = [f"Best at {named} {listed}{more}: mean {found.stretches[0].value:.3f}."]
    pairs = found.pairs
    if found.near:
        spans = ", ".join(span(item, found.axis) for item in found.near[:3])
        more = f" and {len(found.near) - 3} more" if len(found.near) > 3 else ""
        said.append(f"Within {NEAR:g} of it: {named} {spans}{more}.")
    if not found.is_reference:
        said.append(
            f"Against {REFERENCES[found.axis]}: better on {pairs.better}, worse on {pairs.worse}, "
            f"the same on {counted(pairs.even, 'question')}; {cost(found.relevance)}."
        )
        if not math.isnan(pairs.chance):
            said.append(
                f"If the two were the same, a difference this large would come about in "
                f"{pairs.chance:.0%} of draws."
            )
    if found.axis is not Axis.K:
        said.extend(_held(found))
    return (*said, *small(pairs))


def _held(found: Best) -> list[str]:
    held = found.held
    if held is None:
        return []
    return [
        f"Held out: chosen on half of the questions and tried on the other half, "
        f"{len(held.gains)} times, the gain is {signed(held.gain)} on average, "
        f"{cost(held.relevance)}, where it seemed {signed(held.apparent)} on the half that chose; "
        f"{held.share_better:.0%} of the splits gain."
    ]


def small(pairs: Paired) -> tuple[str, ...]:
    """Say how small a difference this set can tell; nothing where nothing differs."""
    difference = pairs.difference
    if difference.count < FEWEST:
        return (f"Fewer than {FEWEST} questions: no interval is given.",)
    width = (difference.high - difference.low) / 2.0
    if width <= SAME:
        return ()
    return (
        f"With {counted(difference.count, 'question')} the interval reaches {width:.3f} to either "
        "side: a smaller difference than that cannot be told.",
    )


def span(stretch: Stretch, axis: Axis) -> str:
    """Write a stretch of a parameter."""
    if axis is not Axis.LAMBDA:
        low, high = round(stretch.low), round(stretch.high)
        return str(low) if low == high else f"{low} to {high}"
    low_, high_ = f"{stretch.low:.3f}", f"{stretch.high:.3f}"
    return low_ if low_ == high_ else f"{low_} to {high_}"


def _interval(low: float, high: float) -> str:
    return f"95 % interval {signed(low)} to {signed(high)}"


def compared(
    pairs: Paired, relevance: Paired | None, first: str, second: str, measure: str
) -> tuple[str, ...]:
    """Say how two settings compare on the same questions, and what it costs in relevance.

    Args:
        pairs: The measure, question by question.
        relevance: Mean relevance on the questions that have one; ``None`` for none.
        first: The setting that is held against.
        second: The other.
        measure: What the measure is called.
    """
    gain = pairs.difference
    tells = "" if math.isnan(gain.low) else f" ({_interval(gain.low, gain.high)})"
    said = [
        f"{measure}: “{second}” less “{first}” is {signed(gain.mean)}{tells}, over "
        f"{counted(gain.count, 'question')}.",
        _at_the_price(relevance),
        f"“{second}” is better on {pairs.better}, worse on {pairs.worse}, the same on "
        f"{pairs.even}.",
    ]
    if not math.isnan(gain.low) and not gain.tells:
        said.append("The interval holds 0: the set does not tell the two apart.")
    return (*said, *small(pairs))


def _at_the_price(relevance: Paired | None) -> str:
    if relevance is None:
        return "Mean relevance is not known: no question has a selection by both."
    change = relevance.difference
    tells = "" if math.isnan(change.low) else f" ({_interval(change.low, change.high)})"
    said = "is the same" if abs(change.mean) <= SAME else f"changes by {signed(change.mean)}{tells}"
    return f"Mean relevance {said}, over {counted(change.count, 'question')}."


def mixed(named: Sequence[tuple[str, Scores]], share: float) -> tuple[str, ...]:
    """Say which of two settings scores more at a mix, and where they break even."""
    (first, one), (second, two) = named
    at = f"Where {share:.0%} of the questions have one true answer"
    ahead = one.mixed(share) - two.mixed(share)
    if abs(ahead) <= SAME:
        said = [f"{at}, both score {one.mixed(share):.3f}{_both(one, two, share)}."]
    else:
        said = [
            f"{at}, “{first}” scores {one.mixed(share):.3f} and “{second}” "
            f"{two.mixed(share):.3f}{_both(one, two, share)}: "
            f"“{first if ahead > 0.0 else second}” is ahead."
        ]
    even = break_even(one, two)
    total = one.one + one.several - two.one - two.several
    if even is not None and 0.0 < even < 1.0:
        said.append(f"They break even where {even:.2%} of the questions have one true answer.")
    elif abs(total) <= SAME:
        said.append("They score the same at every mix.")
    else:
        said.append(f"“{first if total > 0.0 else second}” is ahead, or even, at every mix.")
    return tuple(said)


def _both(one: Scores, two: Scores, share: float) -> str:
    """Say what mean relevance two settings have at a mix, behind what they score."""
    first, second = one.relevance.mixed(share), two.relevance.mixed(share)
    if math.isnan(first) or math.isnan(second):
        return ""
    if abs(first - second) <= SAME:
        return f", at the same mean relevance of {first:.3f}"
    return f", at a mean relevance of {first:.3f} and {second:.3f}"


def routed(router: Router, share: float) -> tuple[str, ...]:
    """Say what a router scores, what its errors cost, and when it stops paying."""
    perfect = Router(router.one, router.several)
    always = max(router.one.mixed(share), router.several.mixed(share))
    said = [
        f"The router scores {router.score(share):.3f}{_at_relevance(router, share)}; without "
        f"errors it would score {perfect.score(share):.3f}, and the better of the two for "
        f"everybody {always:.3f}.",
        f"A single-answer question sent the wrong way loses {router.cost_one:.3f}, one with "
        f"several components {router.cost_several:.3f}; each percent of error on both kinds costs "
        f"{router.cost_of_error(share) / 100:.4f}.",
    ]
    limit = router.pays_up_to(share)
    if limit is None or perfect.score(share) <= always + SAME:
        said.append("Routing gains nothing here: one of the two is as good for both kinds.")
    elif limit > 1.0:
        said.append("It pays at every error rate.")
    else:
        said.append(f"It stops paying at an error rate of {limit:.1%} on both kinds.")
    return tuple(said)


def _at_relevance(router: Router, share: float) -> str:
    found = router.relevance.score(share)
    return "" if math.isnan(found) else f" at a mean relevance of {found:.3f}"


def correlated(found: Correlation, where: str) -> str:
    """Say what a correlation of the proxy with coverage means, plainly."""
    if math.isnan(found.value):
        return f"{where}: it cannot be measured; one of the two does not vary, or there are few."
    interval = (
        "too few for an interval"
        if math.isnan(found.low)
        else f"95 % interval {signed(found.low, 2)} to {signed(found.high, 2)}"
    )
    head = f"{where}: {signed(found.value, 2)} ({interval}, {counted(found.count, 'question')})"
    if math.isnan(found.low) or found.low <= 0.0 <= found.high:
        return f"{head}. Likeness says nothing about coverage that this set could tell."
    if found.value > 0.0:
        return f"{head}. Selections that are more alike cover more: as a goal it would mislead."
    strength = "loosely" if found.value > -0.5 else "closely"
    return f"{head}. Selections that are more alike cover less, {strength}."


def alarmed(found: Alarm, what: str) -> str:
    """Say how well an alarm tells questions that miss a facet they could have."""
    hits, false = _share(found.hits), _share(found.false_alarms)
    return (
        f"{what}, {found.threshold:.3f}: it sounds on {hits} of the questions that miss a facet "
        f"which some selection has, and on {false} of the others."
    )


def _share(value: float) -> str:
    return "none (there are none)" if math.isnan(value) else f"{value:.0%}"
