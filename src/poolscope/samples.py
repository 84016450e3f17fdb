"""The pools that come with the project: their names, what each shows, and where the files lie."""

from dataclasses import dataclass
from pathlib import Path

from poolscope.errors import FormatError, Place

FILES = "sample_data"


@dataclass(frozen=True, slots=True)
class Sample:
    """One pool of ``sample_data``.

    Args:
        name: Short name, as the address bar carries it.
        title: What it is called in the gallery.
        story: What one sees in it, one sentence.
        file: File name in ``sample_data``.
        source_field: The field that says what a candidate belongs to; ``None`` for the file's own.
    """

    name: str
    title: str
    story: str
    file: str
    source_field: str | None = None


SAMPLES: tuple[Sample, ...] = (
    Sample(
        "monograph",
        "Product monograph",
        "Half-overlapping chunks of one section take all five slots; interactions never appear.",
        "monograph.json",
        source_field="section",
    ),
    Sample(
        "checkout",
        "Checkout incidents",
        "Fifty reports by fifty teams tell three causes; the top five all tell the same one.",
        "checkout.json",
    ),
    Sample(
        "deploy-guide-8",
        "Deploy guide",
        "Five of five slots are one document. No vectors: a cap can be tried, MMR cannot.",
        "deploy-guide-8.json",
    ),
    Sample(
        "deploy-guide-6",
        "Deploy guide, six passages",
        "So few candidates that a cap of 2 leaves a slot empty unless it is backfilled.",
        "deploy-guide-6.json",
    ),
    Sample(
        "agent-memory",
        "Agent memory",
        "One talkative session crowds the rest; memories carry categories and retrieval arms.",
        "agent-memory.json",
    ),
    Sample(
        "healthy",
        "Healthy pool",
        "Plain top-k covers everything from four documents: nothing should be changed.",
        "healthy.json",
    ),
    Sample(
        "single-source",
        "Single-source answer",
        "Five steps of one runbook are the answer; a cap or MMR takes steps away.",
        "single-source.json",
    ),
    Sample(
        "help-centre",
        "Help centre, 34 questions",
        "A golden set: 15 questions with several components, 19 with one true answer.",
        "help-centre.json",
    ),
)
"""Every sample, in gallery order; the first is shown at the start."""


def named(name: str) -> Sample | None:
    """Return the sample of a name, ``None`` where there is none."""
    return next((sample for sample in SAMPLES if sample.name == name), None)


def data(sample: Sample) -> bytes:
    """Read a sample's file.

    Raises:
        FormatError: The file is not where the installation keeps it.
    """
    here = Path(__file__).resolve()
    for folder in (here.parent / FILES, here.parents[2] / FILES):
        if (folder / sample.file).is_file():
            return (folder / sample.file).read_bytes()
    raise FormatError(
        f"The sample “{sample.title}” is missing from this installation.",
        "Install Poolscope again, or run it from a clone of its repository.",
        Place(file=sample.file),
    )
