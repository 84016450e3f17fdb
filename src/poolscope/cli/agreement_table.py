"""How far annotators agree, as a table for a terminal and as JSON for another program."""

import json
import math

from poolscope.golden.agreement import Agreement, Coefficient, SetAgreement

HEADINGS = ("question", "facet", "cells", "paired", "raw", "kappa", "AC1", "alpha")


def as_text(found: SetAgreement) -> str:
    """Return a row a facet and one for all, with the counts and how missing labels were treated."""
    rows: list[tuple[str, ...]] = [HEADINGS]
    rows += [(one.question, one.facet.label, *_numbers(one.agreement)) for one in found.facets]
    rows.append(("all", "", *_numbers(found.overall)))
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEADINGS))]
    lines = [
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    overall = found.overall
    names = ", ".join(overall.annotators) or "nobody"
    labels = ", ".join(f"{label} {number}" for label, number in overall.labels.items())
    lines.append(f"Annotators: {names}. Labels: {labels}; missing: {overall.left_out}.")
    return "\n".join((*lines, found.treatment))


def _numbers(found: Agreement) -> tuple[str, ...]:
    values = (found.raw, found.kappa, found.ac1, found.alpha)
    return (str(found.units), str(found.paired), *(_number(value) for value in values))


def _number(found: Coefficient) -> str:
    return "-" if math.isnan(found.value) else f"{found.value:.3f}"


def as_json(found: SetAgreement) -> str:
    """Return the same as JSON; a number that is not defined is null, with its reason."""
    value = {
        "overall": _values(found.overall),
        "facets": [
            {
                "question": one.question,
                "facet": one.facet.id,
                "label": one.facet.label,
                **_values(one.agreement),
            }
            for one in found.facets
        ],
        "missing": found.treatment,
    }
    return json.dumps(value, ensure_ascii=False, indent=1)


def _values(found: Agreement) -> dict[str, object]:
    numbers = {"raw": found.raw, "kappa": found.kappa, "ac1": found.ac1, "alpha": found.alpha}
    return {
        "cells": found.units,
        "paired": found.paired,
        "annotators": list(found.annotators),
        "labels": dict(found.labels),
        "left_out": found.left_out,
        **{
            name: None if math.isnan(number.value) else number.value
            for name, number in numbers.items()
        },
        "undefined": {name: number.reason for name, number in numbers.items() if number.reason},
    }
