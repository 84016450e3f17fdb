"""What a session opens with, and what loads a pool: samples, files, pasted text, the address."""

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from poolscope import formats, projection, samples
from poolscope.charts.labels import shortened
from poolscope.errors import FormatError, Place, PoolscopeError
from poolscope.formats import Beside, File, Loaded
from poolscope.model import Direction
from poolscope.report import selections
from poolscope.report.address import Parameters
from poolscope.ui import address, cache, copy_link, state, travelling
from poolscope.ui.figures import Choices
from poolscope.ui.state import Key

BESIDE: Mapping[Key, str] = {
    Key.CORPUS: "corpus",
    Key.QUERIES: "queries",
    Key.VECTORS: "vectors",
    Key.QUERY_VECTORS: "query_vectors",
    Key.EARLIER: "earlier",
    Key.JUDGEMENTS: "judgements",
}
"""What each uploader of the files beside gives, as ``Beside`` names it, in display order."""


def start() -> None:
    """Open what the address asks for, or the first sample, if the session has no pool yet.

    A link to a pool that this machine has not seen opens nothing: its file is waited for.
    """
    held = address.link()
    if state.session().load is not None:
        _go_back()
        return
    if held is not None and held.awaits:
        return
    found = address.asked()
    here = address.start(found)
    held = address.link()
    if here is not None:
        state.loaded(here.load, here.digest, here.origin)
        _read_as(here.choices, here.question)
    elif held is not None and held.awaits:
        return
    else:
        _sample_of(found)
    with suppress(PoolscopeError):  # a question that cannot be read says so on the page
        loaded = current()
        if loaded is not None:
            address.arrive(loaded.pool)


def _go_back() -> None:
    """Show what an address shows that the browser went back to."""
    found = address.gone_back()
    if found is None:
        return
    here = cache.seen().find(address.one(found, address.POOL))
    if here is not None:
        state.loaded(here.load, here.digest, here.origin)
        _read_as(here.choices, here.question)
    elif address.SAMPLE in found:
        _sample_of(found)
    else:
        return
    with suppress(PoolscopeError):
        loaded = current()
        if loaded is not None:
            address.bring_back(loaded.pool, found)


def _sample_of(found: Parameters) -> None:
    """Open the sample and the question that the address names, read as it says."""
    name = address.one(found, address.SAMPLE)
    known = samples.named(name)
    if name and known is None:
        address.complain(f"There is no sample “{shortened(name, 40)}”; this is the first one.")
    _open_sample((known or samples.SAMPLES[0]).name)
    usual = state.session().source_field
    choices, complaints = address.choices(found, usual)
    number, missed = address.question(found, _count())
    address.complain(*complaints, *missed)
    load, field = state.session().load, choices.source_field
    if load is not None and field and choices.field_of(load, number) is None:
        address.complain(f"by: this question has no field “{shortened(field, 40)}”.")
        choices = replace(choices, source_field=usual)
    _read_as(choices, number)


def _read_as(choices: Choices, number: int) -> None:
    state.change(
        source_field=choices.source_field, direction=choices.direction, merges=choices.merges
    )
    question(number)


def _count() -> int:
    """Return how many questions the load has."""
    load = state.session().load
    return 0 if load is None else len(load)


def keep_address() -> None:
    """Put what is looked at into the address; a question that cannot be read leaves it."""
    with suppress(PoolscopeError):
        loaded = current()
        if loaded is not None:
            address.keep(loaded.pool)


def sidebar(*, has_own_question: bool = False) -> None:
    """Say in the sidebar what is loaded, and let a person move between its questions.

    Args:
        has_own_question: Whether the page has a choice of its own, which this would contradict.
    """
    session = state.session()
    if session.load is None:
        return
    with st.sidebar:
        with st.container(gap="xxsmall"):
            st.caption("Loaded")
            st.text(session.origin)
            if len(session.load) > 1 and not has_own_question:
                st.caption(f"Question {session.question + 1:,} of {len(session.load):,}")
        if len(session.load) > 1 and not has_own_question:
            columns = st.columns([1.5, 1], gap="xsmall")
            columns[0].button(
                "Previous",
                on_click=question,
                args=(session.question - 1,),
                disabled=session.question == 0,
                width="stretch",
            )
            columns[1].button(
                "Next",
                on_click=question,
                args=(session.question + 1,),
                disabled=session.question + 1 == len(session.load),
                width="stretch",
            )
        copy_link.draw()


def current(number: int | None = None) -> Loaded | None:
    """Return the question that is looked at; ``None`` without a pool.

    Args:
        number: Another question of the load, from 0.

    Raises:
        PoolscopeError: This question of the file cannot be assembled.
    """
    session = state.session()
    if session.load is None:
        return None
    choices = reading()
    number = session.question if number is None else number
    return cache.question(
        session.load,
        session.digest,
        number,
        choices.field_of(session.load, number),
        choices.direction,
        choices.merges,
    )


def reading() -> Choices:
    """Return how the session's load is read."""
    session = state.session()
    return Choices(session.source_field, session.direction, session.merges)


def merges(names: Sequence[str]) -> None:
    """Merge source labels by rules, by their names."""
    state.change(merges=tuple(names))


def measuring(go_on: str) -> None:
    """Go on measuring the load's questions, or stop.

    Args:
        go_on: Any word to go on; empty to stop.
    """
    state.change(is_measuring=bool(go_on))


def source_field(scope: str) -> None:
    """Read the sources from the field chosen on the Data page."""
    chosen = state.widget(Key.SOURCE_FIELD, scope)
    state.change(source_field=None if chosen is None else str(chosen))


def direction(scope: str) -> None:
    """Read the score as the Data page says."""
    chosen = state.widget(Key.DIRECTION, scope)
    state.change(direction=None if chosen is None else Direction(str(chosen)))


def sample(name: str) -> None:
    """Load a sample; what the address asked of the pages of another pool is done with."""
    travelling.ask({})
    _open_sample(name)


def _open_sample(name: str) -> None:
    found = samples.named(name) or samples.SAMPLES[0]
    try:
        load = cache.sample(found.name)
    except PoolscopeError as error:
        state.change(problem=error)
        return
    state.loaded(
        load,
        f"sample {found.name}",
        found.title,
        sample=found.name,
        source_field=found.source_field,
    )


def question(number: int) -> None:
    """Look at another question of the load; the number is kept within the file."""
    session = state.session()
    if session.load is not None:
        state.change(question=min(max(number, 0), len(session.load) - 1))


def chosen(table: str, order: Sequence[int]) -> None:
    """Look at the question whose row was chosen in a table of them.

    Args:
        table: The table's key.
        order: The question of every row.
    """
    rows = st.session_state[table]["selection"]["rows"]
    if rows and rows[0] < len(order):
        question(order[rows[0]])


def upload() -> None:
    """Load what was dropped on the uploader, with the files beside it."""
    file = _file(Key.UPLOAD)
    state.change(is_pasted=False)
    if file is not None:
        _read(file)
        return
    names = [found.name for name in BESIDE if (found := _file(name)) is not None]
    problem = None
    if names:
        problem = FormatError(
            "This came without the pool that it belongs to.",
            "Add the file with the candidates too; both are read together.",
            Place(file=names[0]),
        )
    state.change(problem=problem)


def beside() -> None:
    """Read the pool anew with what lies beside it now, a pasted one where that was read last."""
    (paste if state.session().is_pasted and state.widget(Key.PASTE) else upload)()


def paste() -> None:
    """Load what was pasted."""
    pasted = str(state.widget(Key.PASTE) or "")
    state.change(is_pasted=True)
    if not pasted.strip():
        problem = FormatError(
            "Nothing was pasted.",
            "Paste JSON or a table, then load it.",
            Place(file=formats.PASTED),
        )
        state.change(problem=problem)
        return
    _read(File(pasted.encode(), formats.PASTED))


def _file(name: Key) -> File | None:
    found = st.session_state.get(state.key(name))
    return None if found is None else File(found.getvalue(), found.name)


def _read(file: File) -> None:
    format_name = str(state.widget(Key.FORMAT) or "") or None
    given = {name: _file(name) for name in BESIDE}
    parts = [file.data, file.name.encode(), str(format_name).encode()]
    for other in given.values():  # a file's name tells its format too
        parts += [b"", b""] if other is None else [other.name.encode(), other.data]
    digest = hashlib.sha256(b"\0".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()
    try:
        load = formats.read(
            file.data,
            file.name,
            format_name=format_name,
            beside=Beside(**{BESIDE[name]: other for name, other in given.items()}),
        )
        number = load.first_readable(lambda index: cache.question(load, digest, index))
    except PoolscopeError as error:
        state.change(problem=error)
        return
    state.loaded(load, digest, file.name)
    question(number)
    travelling.ask({})
    brought = selections.setting_of(file.data)
    if brought is not None:
        address.take(cache.question(load, digest, number).pool, brought)
    _arrive()
    # The map is computed while the person reads the report.
    projection.request(cache.question(load, digest, number).pool)


def _arrive() -> None:
    """Take over the link that was waited for, where the file just opened is the one it asks for."""
    held = address.link()
    if held is None or not held.awaits:
        return
    before = state.session()
    choices, complaints = address.choices(held.asked)
    number, missed = address.question(held.asked, _count())
    _read_as(choices, number)
    with suppress(PoolscopeError):
        loaded = current()
        if loaded is not None and loaded.pool.digest == held.awaits:
            address.complain(*complaints, *missed)
            address.arrive(loaded.pool)
            return
    _read_as(Choices(before.source_field, before.direction, before.merges), before.question)
    address.complain("The file that was opened holds another pool than the link asks for.")
