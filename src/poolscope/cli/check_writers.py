"""A comparison on a golden set, written as a table, as JSON and as JUnit XML."""

import json
import math
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from poolscope.evaluation.check import COMPARED, Check, Held
from poolscope.evaluation.sweep import COVERAGE, RELEVANCE
from poolscope.measures import MEASURES
from poolscope.model import Stratum
from poolscope.wording import counted

LIMITS: Mapping[str, str] = {
    "min-coverage": "least mean facet coverage",
    "max-coverage-drop": "most that mean coverage may lie below the baseline's",
    "min-hit": "least share of the single-answer questions that find their answer",
    "max-hit-drop": "most that this share may lie below the baseline's",
    "max-relevance-drop": "most that mean relevance may lie below the baseline's",
}
LABELS = {measure.name: measure.label for measure in MEASURES} | {"hit": "Any facet covered"}
MOST_NAMED = 10
"""Questions that are named, of those that differ."""
STRATA: Mapping[str, Stratum | None] = {
    "all questions": None,
    **{str(stratum): stratum for stratum in Stratum},
}


def table(made: Check) -> str:
    """Write a comparison as a table."""
    names = [_plain(row.contender.label) for row in (made.policy, made.baseline)]
    head = ("", *names, "difference", "95 % interval", "better", "worse", "even")
    lines: list[tuple[str, ...]] = [head]
    for label, stratum in STRATA.items():
        count = int(made.of(stratum).sum())
        if not count or (stratum is not None and count == len(made.asked)):
            continue
        lines.append((f"{label}: {count}",))
        lines += [line for name in COMPARED if (line := _line(made, name, stratum))]
    widths = [max(len(line[at]) for line in lines if len(line) > 1) for at in range(len(head))]
    written = [
        line[0]
        if len(line) == 1
        else "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    ]
    return "\n".join([*written, *_differing(made)])


def _line(made: Check, name: str, stratum: Stratum | None) -> tuple[str, ...] | None:
    before, after = made.values(name, stratum)
    if not len(after):
        return None
    pair = made.compared(name, stratum)
    found = pair.difference
    interval = "too few" if math.isnan(found.low) else f"{found.low:+.3f} to {found.high:+.3f}"
    means = f"{after.mean():.3f}", f"{before.mean():.3f}", f"{found.mean:+.3f}"
    counts = (str(pair.better), str(pair.worse), str(pair.even))
    return (f"  {LABELS[name]}", *means, interval, *counts)


def _differing(made: Check) -> list[str]:
    changed = made.differing()
    if not changed:
        return ["", "No question differs in coverage."]
    lines = ["", f"Coverage differs on {counted(len(changed), 'question')}, most of all on:"]
    after, before = made.policy.values[COVERAGE], made.baseline.values[COVERAGE]
    costs = made.policy.values[RELEVANCE] - made.baseline.values[RELEVANCE]
    lines += [
        f"  {before[number]:.2f} to {after[number]:.2f}  relevance "
        f"{'unknown' if math.isnan(costs[number]) else format(costs[number], '+.3f')}  "
        f"{_plain(made.asked[number].name)}"
        for number in changed[:MOST_NAMED]
    ]
    return lines


def _plain(text: str) -> str:
    """Return a name of a question on one line, without anything that moves a cursor."""
    return "".join(c if c.isprintable() else " " for c in text)[:100]


def as_json(made: Check) -> str:
    """Write a comparison as JSON, question by question."""
    document = {
        "policy": made.policy.contender.label,
        "baseline": made.baseline.contender.label,
        "limits": [
            {"name": item.name, "limit": item.limit, "value": _or_none(item.value),
             "broken": item.is_broken}
            for item in made.held
        ],
        "strata": [_stratum(made, label, stratum) for label, stratum in STRATA.items()],
        "questions": [
            {
                "id": asked.name,
                "stratum": str(asked.stratum),
                "policy": {name: _or_none(made.policy.values[name][at]) for name in COMPARED},
                "baseline": {name: _or_none(made.baseline.values[name][at]) for name in COMPARED},
            }
            for at, asked in enumerate(made.asked)
        ],
    }  # fmt: skip
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)


def _stratum(made: Check, label: str, stratum: Stratum | None) -> dict[str, object]:
    measures = {}
    for name in COMPARED:
        before, after = made.values(name, stratum)
        if not len(after):
            continue
        pair = made.compared(name, stratum)
        measures[name] = {
            "policy": float(after.mean()),
            "baseline": float(before.mean()),
            "difference": pair.difference.mean,
            "low": _or_none(pair.difference.low),
            "high": _or_none(pair.difference.high),
            "better": pair.better,
            "worse": pair.worse,
            "even": pair.even,
            "chance": _or_none(pair.chance),
        }
    return {"name": label, "questions": int(made.of(stratum).sum()), "measures": measures}


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def junit(made: Check) -> bytes:
    """Write the limits as a JUnit test suite: a test case a limit."""
    suite = ET.Element(
        "testsuite",
        name="poolscope evaluate",
        tests=str(len(made.held)),
        failures=str(len(made.broken)),
    )
    for item in made.held:
        case = ET.SubElement(
            suite, "testcase", classname="poolscope.evaluate", name=item.name.replace("_", "-")
        )
        if item.is_broken:
            failure = ET.SubElement(case, "failure", message=sentence(item))
            failure.text = "\n".join(_differing(made)[1:])
    output = ET.SubElement(suite, "system-out")
    output.text = table(made)
    ET.indent(suite)
    written: bytes = ET.tostring(suite, encoding="utf-8", xml_declaration=True)
    return written


def sentence(item: Held) -> str:
    """Say what a limit is and what was met."""
    name = item.name.replace("_", "-")
    met = "could not be measured" if math.isnan(item.value) else f"is {item.value:.4g}"
    return f"{LIMITS[name]} is set to {item.limit:g}, and it {met}."


FORMATS = {"table": table, "json": as_json}
"""What a comparison is printed as."""
