"""Values in, HTML out: every text from a pool is escaped here, once, on its way to the page."""

import html
import math
import re
from collections.abc import Iterable, Sequence

from poolscope import wording
from poolscope.analysis import Column, Comparison, supported
from poolscope.charts.labels import aligned, plain, shortened
from poolscope.charts.theme import Palette
from poolscope.counts import counted
from poolscope.diagnosis import Finding, Step
from poolscope.explanation import Piece
from poolscope.measures import MEASURES

SHOWN = ("facet_coverage", "mean_relevance", "mean_pairwise_cosine", "distinct_sources", "tokens")
MOST_CHARACTERS = 4_000
MOST_GAPS = 400
MOST_TITLES = 2
NOTHING = "–"  # noqa: RUF001 - the board's own sign for what is undefined
RING_MARKS = ("○", "◇", "□", "△", "⬠")
_BY_NAME = {measure.name: measure for measure in MEASURES}


def text(value: str) -> str:
    """Escape a text from a pool for an element or an attribute."""
    return html.escape(plain(value), quote=True)


def literal(value: str) -> str:
    """Return a text for a label that reads Markdown, which shows it as it is."""
    return re.sub(r"([^\w\s])", r"\\\1", plain(value))


def title(query: str, facts: Sequence[str]) -> str:
    """Return the question as the page's title, with facts about its pool."""
    shown = text(shortened(query, 300)) or "A pool without a question"
    line = " · ".join(text(fact) for fact in facts)
    below = f'<p class="ps-facts">{line}</p>' if line else ""
    return f'<h1 class="ps-title">{shown}</h1>{below}'


def part(title: str) -> str:
    """Return the title of a part of a page, one level below the page's own."""
    return f'<h2 class="ps-part">{text(title)}</h2>'


def finding(sentence: str) -> str:
    """Return a measured sentence in its box."""
    return f'<div class="ps-finding" role="note">{text(sentence)}</div>'


def verdict(found: Finding, facets: int, without: str = "") -> str:
    """Return a finding and its remedy in the box above the board.

    Args:
        found: The finding.
        facets: How many facets the question has.
        without: What its step was measured without: whole sentences.
    """
    head = found.kind.value.capitalize()
    rest = found.sentence.removeprefix(f"{head}. ")
    remedy = found.remedy
    if found.step is not None:
        said = effect(found.step, facets)
        if found.step.words.casefold() in remedy.casefold():  # then what it does follows
            said = said.removeprefix(f"{found.step.words}: ")
            said = said[0].upper() + said[1:]
        remedy = " ".join(filter(None, (remedy, said, without)))
    return (
        f'<div class="ps-finding" role="note"><b>{text(head)}.</b> {text(rest)} '
        f"<span>{text(remedy)}</span></div>"
    )


def effect(step: Step, facets: int) -> str:
    """Say what a suggested step buys and what it costs."""
    what = step.effect
    parts = []
    if what.coverage is not None:
        before, after = (round(share * facets) for share in what.coverage)
        parts.append(f"coverage {before} → {after} of {facets}")
    was, becomes = what.relevance
    parts.append(f"mean relevance {was:.3f} → {becomes:.3f}")
    return f"{step.words}: {', '.join(parts)}."


def strip(comparison: Comparison, palette: Palette, key: str) -> str:
    """Return the rank strip: the pool in rank order, coloured, with each rule's picks marked."""
    pool, n = comparison.pool, len(comparison.pool)
    marks = "".join(
        f'<i style="left:{100 * (index + 0.5) / n:.3f}%;top:{2 + 12 * row}px">{RING_MARKS[row]}</i>'
        for row, part in enumerate(comparison.columns)
        for index in part.selection.ordered
    )
    rows = ", ".join(
        f"{RING_MARKS[row]} {part.title}" for row, part in enumerate(comparison.columns)
    )
    said = (
        "beyond the pool depth is faded"
        if comparison.depth < n
        else wording.counted(n, "candidate")
    )
    return (
        '<div class="ps-strip"><div class="ps-strip-head">'
        f"<span>The pool in rank order, coloured by {text(key)}; picks below: {text(rows)}</span>"
        f"<span>{said}</span></div>"
        f'<div class="ps-bars" role="img" aria-label="Rank strip of {counted(n, "candidate")}" '
        f'style="background:{_bars(pool.column(key), palette)}">'
        f'<b style="left:{100 * comparison.depth / max(n, 1):.3f}%"></b></div>'
        f'<div class="ps-marks" aria-hidden="true">{marks}</div>{legend(palette)}</div>'
    )


def _bars(column: Sequence[str | None], palette: Palette) -> str:
    """Return one gradient with hard stops: a bar a candidate without an element a candidate."""
    n = max(len(column), 1)
    gap = 0.0 if n > MOST_GAPS else 12.0 / n
    stops = []
    for index, value in enumerate(column):
        low, high = 100.0 * index / n, 100.0 * (index + 1) / n
        stops.append(f"{palette.colour(value)} {low:.3f}% {high - gap:.3f}%")
        if gap:
            stops.append(f"transparent {high - gap:.3f}% {high:.3f}%")
    return f"linear-gradient(to right,{','.join(stops) or 'transparent 0 100%'})"


def legend(palette: Palette) -> str:
    """Return the colours by name, the commonest first."""
    items = [
        f'<span><i style="--source:{palette.colour(value)}"></i>{text(shortened(value, 40))}</span>'
        for value in palette.order
    ]
    if palette.others:
        items.append(
            f'<span><i style="--source:{palette.theme.other}"></i>other ({palette.others})</span>'
        )
    return f'<div class="ps-legend">{"".join(items)}</div>'


def column(comparison: Comparison, number: int, palette: Palette, key: str) -> str:
    """Return one rule's column: title, numbers, cards, and what left."""
    part, raw = comparison.columns[number], comparison.pool.raw_scores
    scores = () if raw is None else aligned(raw.tolist())
    cards = "".join(
        _card(comparison, number, slot, index, palette, key, scores)
        for slot, index in enumerate(part.selection.ordered, start=1)
    )
    notes = "".join(f'<p class="ps-note">{text(note)}</p>' for note in part.selection.notes)
    empty = (
        "" if len(part.selection) or part.lacks else '<p class="ps-note">Nothing is selected.</p>'
    )
    return (
        f'<section class="ps-column" aria-label="{text(part.title)}">'
        f"<h3>{RING_MARKS[number]} {text(part.title)}<small>{text(part.setting)}</small></h3>"
        f"{_about(part)}{_numbers(part, is_baseline=number == 0)}{cards}{empty}{notes}"
        f"{_left(part, palette, key)}</section>"
    )


def _about(part: Column) -> str:
    """Return what a rule is, opened on demand, and whether a larger k keeps its picks."""
    rule = part.offer.rule
    lines = [f"Beside plain MMR: {rule.differs}"]
    if part.offer.trap:
        lines.append(f"Trap: {part.offer.trap}")
    sliders = ", ".join(wording.slider(axis) for axis in part.offer.reads)
    lines.append(f"Sliders that it follows: {sliders}.")
    lines.append(rule.prefix.why)
    more = "".join(f"<p>{text(line)}</p>" for line in lines)
    return (
        f'<p class="ps-note">{text(wording.grows(rule.prefix).capitalize())}.</p>'
        f'<details class="ps-about"><summary>{text(rule.summary)}</summary>{more}</details>'
    )


def _numbers(part: Column, *, is_baseline: bool) -> str:
    rows = "".join(_number(part, name, is_baseline=is_baseline) for name in SHOWN)
    caption = _judged(part) + ("&#160;" if is_baseline else "vs top-k")
    return f'<table class="ps-numbers"><caption>{caption}</caption><tbody>{rows}</tbody></table>'


def _judged(part: Column) -> str:
    """Say over the coverage how many of the picks were judged, where it is not all of them."""
    share = math.nan if part.lacks else part.measured["judged_share"]
    if not part.selection.pool.facets or not share < 1:
        return ""
    return f'<span class="ps-judged">{round(100 * share)}% judged</span>'


def _number(part: Column, name: str, *, is_baseline: bool) -> str:
    measure = _BY_NAME[name]
    value = math.nan if part.lacks else part.measured[name]
    label = (
        f'<th scope="row"><span title="{text(measure.summary)}">{text(measure.label)}</span></th>'
    )
    if math.isnan(value):
        needs = ", ".join(need.value for need in measure.unmet(part.selection))
        said = NOTHING if part.lacks else f"needs {text(needs)}"
        return f'<tr>{label}<td class="ps-undefined" colspan="2">{said}</td></tr>'
    change = "" if is_baseline else _change(part, name, measure.decimals)
    return (
        f'<tr>{label}<td class="ps-value">{_shown(part, name, value, measure.decimals)}</td>'
        f'<td class="ps-change">{change}</td></tr>'
    )


def _shown(part: Column, name: str, value: float, decimals: int) -> str:
    total = len(part.selection.pool.facets)
    if name == "facet_coverage":
        return f"{round(value * total)} of {total}"
    return f"{value:,.{decimals}f}"


def _change(part: Column, name: str, decimals: int) -> str:
    if name == "facet_coverage":
        return signed(round(part.change(name) * len(part.selection.pool.facets)), 0)
    return signed(part.change(name), decimals)


def signed(change: float, decimals: int) -> str:
    """Return a difference with its sign, a true minus, and nothing where there is none."""
    if math.isnan(change):
        return ""
    shown = f"{abs(change):,.{decimals}f}"
    if float(shown.replace(",", "")) == 0.0:
        return "same"
    return f"{'+' if change > 0 else '−'}{shown}"  # noqa: RUF001 - a true minus sign


def _card(
    comparison: Comparison,
    number: int,
    slot: int,
    index: int,
    palette: Palette,
    key: str,
    scores: Sequence[str],
) -> str:
    pool = comparison.pool
    candidate = pool.candidate(index)
    value = pool.column(key)[index]
    score = f" · {scores[index]}" if scores else ""
    source = text(shortened(wording.source_of(pool, index), 80))
    label = source if key == "source" or value is None else text(shortened(value, 80))
    facets = "".join(
        f'<span class="ps-facet" title="{text(label)}">{text(shortened(label, 40))}</span>'
        for label in supported(pool, index)
    )
    body = text(candidate.text[:MOST_CHARACTERS]) or "<i>no text</i>"
    return (
        f'<article class="ps-card" style="--source:{palette.colour(value)}">'
        f'<header><b title="{label} · {source}">{slot} · {label}</b>'
        f"<span>rank {candidate.rank}{score}</span></header>"
        f"<details><summary>{body}</summary></details>"
        f"<footer>{facets}{_state(comparison, number, index)}</footer></article>"
    )


def _state(comparison: Comparison, number: int, index: int) -> str:
    part = comparison.columns[number]
    if number == 0:
        ran = [column for column in comparison.columns[1:] if not column.lacks]
        lost = [column.title for column in ran if index not in column.selection]
        if len(lost) == len(ran) == MOST_TITLES:
            return "<span>left by both</span>"
        if len(lost) > MOST_TITLES:
            whole = "all" if len(lost) == len(ran) else f"{len(lost)} of {len(ran)}"
            return f"<span>left by {whole}</span>"
        return f"<span>left by {text(' and '.join(lost))}</span>" if lost else "<span>kept</span>"
    if index in part.entered:
        return '<span class="ps-entered">entered</span>'
    return "<span>kept</span>"


def _left(part: Column, palette: Palette, key: str) -> str:
    if not part.left:
        return ""
    pool, shared = part.selection.pool, part.shared_reason
    whys = ("",) * len(part.left) if shared else (f": {text(why)}" for why in part.reasons)
    items = "".join(
        f'<li style="--source:{palette.colour(pool.column(key)[index])}">'
        f"<b>rank {index + 1} left</b>{why}</li>"
        for index, why in zip(part.left, whys, strict=True)
    )
    said = wording.together(len(part.left), shared) if shared else ""
    note = f'<p class="ps-note">{text(said)}</p>' if said else ""
    return f'{note}<ul class="ps-left">{items}</ul>'


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Return names and values as a quiet table."""
    body = "".join(f'<tr><th scope="row">{text(k)}</th><td>{text(v)}</td></tr>' for k, v in rows)
    return f'<table class="ps-table"><tbody>{body}</tbody></table>'


def listing(sentences: Iterable[str]) -> str:
    """Return sentences as a list."""
    return f'<ul class="ps-list">{"".join(f"<li>{text(line)}</li>" for line in sentences)}</ul>'


def marked(pieces: Iterable[Piece]) -> str:
    """Return a passage with the text that it shares with another one marked."""
    body = "".join(
        f"<mark>{text(piece.text)}</mark>" if piece.is_shared else text(piece.text)
        for piece in pieces
    )
    return f'<p class="ps-passage">{body}</p>'


def aside(sentence: str) -> str:
    """Return a quiet remark."""
    return f'<p class="ps-facts">{text(sentence)}</p>'
