"""Numbers of things as a sentence says them."""


def counted(number: int, noun: str) -> str:
    """Say a number of things: ``1 candidate``, ``2 candidates``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def agreed(number: int, one: str, several: str) -> str:
    """Return the word that agrees with a number: ``is`` with 1, ``are`` with others."""
    return one if number == 1 else several
