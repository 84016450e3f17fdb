"""A finding's remedy as it is read: with what its step buys, and what it costs in relevance."""

from poolscope.diagnosis.base import Finding, Step


def remedy(found: Finding, facets: int) -> str:
    """Return a finding's remedy; where it has a step, with what was measured of it.

    Args:
        found: The finding.
        facets: How many facets the question has.
    """
    if found.step is None:
        return found.remedy
    said = effect(found.step, facets)
    if found.step.words.casefold() in found.remedy.casefold():  # then what it does follows
        said = said.removeprefix(f"{found.step.words}: ")
        said = said[0].upper() + said[1:]
    return f"{found.remedy} {said}"


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
