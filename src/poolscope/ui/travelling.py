"""What a page's own controls say, as parameters of the address.

A control is begun here, from the address or as usual; where a person moves it, the address of its
page says so. Nothing is known here of what the controls are for.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import streamlit as st

from poolscope.charts.labels import shortened
from poolscope.report.address import Parameters

SLOT = "poolscope-travelling"
MOST_LETTERS = 40
MOST_NAMED = 8
MOST_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Drawn:
    """A control that a run has drawn.

    Args:
        key: Its widget's key.
        usual: What it holds where nobody moved it.
        said: Writes what it holds.
    """

    key: str
    usual: object
    said: Callable[[object], str]


@dataclass(frozen=True, slots=True)
class Held:
    """What a session knows of the controls of its page.

    Args:
        asked: Parameters of an address that no control has taken up yet.
        is_anew: Whether controls that were drawn before start from them too: a person went back.
        drawn: The controls that the last run has drawn, by the names of their parameters.
        noted: What the run has noted beside its controls, by the names of the parameters.
        complaints: What could not be taken over in this run, a sentence each.
    """

    asked: Parameters = field(default_factory=dict)
    is_anew: bool = False
    drawn: Mapping[str, Drawn] = field(default_factory=dict)
    noted: Mapping[str, str] = field(default_factory=dict)
    complaints: tuple[str, ...] = ()


def _held() -> Held:
    found = st.session_state.get(SLOT)
    return found if isinstance(found, Held) else Held()


def _keep(held: Held) -> None:
    st.session_state[SLOT] = held


def begin() -> None:
    """Begin a run: no control is drawn yet."""
    _keep(Held(_held().asked))


def ask(found: Parameters, *, is_anew: bool = False) -> None:
    """Let controls start from an address.

    Args:
        found: Its parameters.
        is_anew: Whether controls that were drawn before start from it too.
    """
    _keep(replace(_held(), asked=found, is_anew=is_anew))


def choice(
    name: str, key: str, options: Mapping[str, object], usual: object, scope: str = ""
) -> str:
    """Begin a control that chooses one of several values, and return its key.

    Args:
        name: The parameter's name.
        key: The widget's key.
        options: The values, by the words that a person reads.
        usual: The value where nobody chose.
        scope: What the options are of, for the sentence about one that is not there.
    """
    words = dict(zip(_words(list(options)), options.values(), strict=True))
    said = {value: word for word, value in words.items()}

    def read(text: str) -> object:
        if text not in words:
            some = ", ".join(list(words)[:MOST_NAMED])
            raise ValueError(f"{scope or 'there is'} {some}{'…' * (len(words) > MOST_NAMED)}.")
        return words[text]

    return _begun(name, Drawn(key, usual, lambda value: said.get(value, "")), read)


def number(
    name: str,
    key: str,
    ends: tuple[float, float],
    usual: float | None,
) -> str:
    """Begin a control that holds a number, and return its key.

    Args:
        name: The parameter's name.
        key: The widget's key.
        ends: The smallest and the largest; whole numbers where the control holds such.
        usual: The number where nobody set one; ``None`` where that means none.
    """
    low, high = ends
    is_whole = isinstance(low, int)

    def read(text: str) -> object:
        if is_whole and text.isdecimal() and len(text) > MOST_DIGITS:
            raise ValueError(f"it has more than {MOST_DIGITS} digits.")
        try:
            value = int(text) if is_whole else float(text)
        except ValueError as error:
            raise ValueError(f"it is no {'whole ' * is_whole}number.") from error
        if not low <= value <= high:
            raise ValueError(f"it is not within {low:,} and {high:,}.")
        return value

    return _begun(name, Drawn(key, usual, lambda value: "" if value is None else str(value)), read)


def _begun(name: str, drawn: Drawn, read: Callable[[str], object]) -> str:
    """Begin a control where it is new, note it, and return its key."""
    held = _held()
    if held.is_anew or drawn.key not in st.session_state:
        st.session_state[drawn.key] = _start(name, drawn, read)
    held = _held()
    _keep(replace(held, drawn=MappingProxyType({**held.drawn, name: drawn})))
    return drawn.key


def _start(name: str, drawn: Drawn, read: Callable[[str], object]) -> object:
    """Return what a control starts from."""
    text = taken(name)
    if not text:
        return drawn.usual
    try:
        return read(text)
    except ValueError as error:
        complain(f"{name} = “{shortened(text, MOST_LETTERS)}” is left out: {error}")
        return drawn.usual


def taken(name: str) -> str:
    """Return what the address asks for under a name, once; empty where it does not."""
    held = _held()
    values = held.asked.get(name)
    if not values:
        return ""
    rest = {other: said for other, said in held.asked.items() if other != name}
    _keep(replace(held, asked=MappingProxyType(rest)))
    return values[-1]


def note(name: str, text: str) -> None:
    """Let the address say what no control of its own holds; nothing where the text is empty."""
    held = _held()
    _keep(replace(held, noted=MappingProxyType({**held.noted, name: text})))


def is_anew() -> bool:
    """Say whether what was there before makes way for the address: a person went back."""
    return _held().is_anew


def settle() -> None:
    """Have done with an address that a person went back to: every control has started from it."""
    if _held().is_anew:
        _keep(replace(_held(), is_anew=False))


def complain(sentence: str) -> None:
    """Say what of the address could not be taken over."""
    held = _held()
    _keep(replace(held, complaints=(*held.complaints, sentence)))


def complaints() -> Sequence[str]:
    """Return what could not be taken over in this run."""
    return _held().complaints


def written() -> dict[str, list[str]]:
    """Return what of the controls of this run is not as usual, as parameters; none is empty."""
    held = _held()
    found = {name: [text] for name, text in held.noted.items() if text}
    for name, drawn in held.drawn.items():
        value = st.session_state.get(drawn.key, drawn.usual)
        text = "" if value == drawn.usual else drawn.said(value)
        if text:
            found[name] = [text]
    return found


def _words(options: Sequence[str]) -> list[str]:
    """Return a word of an address for every option; those that would be alike stay as they are."""
    slugs = [_slug(option) for option in options]
    times = Counter(slugs)
    return [
        slug if times[slug] == 1 else option for option, slug in zip(options, slugs, strict=True)
    ]


def _slug(words: str) -> str:
    """Write words as one short word of an address."""
    return "-".join(words.lower().split())
