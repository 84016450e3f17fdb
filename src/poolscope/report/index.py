"""The index of several questions: what each asks, its verdict, and its file."""

from collections.abc import Sequence
from dataclasses import dataclass

from poolscope.report.fingerprint import made_by
from poolscope.report.page import TITLE, document, text
from poolscope.wording import counted


@dataclass(frozen=True, slots=True)
class Entry:
    """One question of an index.

    Args:
        address: Its file, relative to the index.
        question: What it asks, as far as it may be said.
        verdict: What is wrong with plain top-k, or that nothing is.
        number: Its number in the file that it came from, from 1.
        digest: Fingerprint of its pool.
    """

    address: str
    question: str
    verdict: str
    number: int
    digest: str


def index(entries: Sequence[Entry]) -> str:
    """Write the index as an HTML file that runs nothing."""
    items = "".join(
        f'<li><a href="{text(entry.address)}">{text(entry.question)}</a>'
        f"<p>{text(entry.verdict)}</p>"
        f"<p>question {entry.number}, pool {text(entry.digest)}</p></li>"
        for entry in entries
    )
    body = (
        f"<header><p>{TITLE}</p><h1>{counted(len(entries), 'question')}</h1></header>"
        f'<main><ol class="questions">{items}</ol></main><footer>{text(made_by())}</footer>'
    )
    return document(counted(len(entries), "question"), body)
