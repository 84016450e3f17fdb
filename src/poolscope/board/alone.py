"""The data of a board that stands alone in a file, where no server answers a release."""

from collections.abc import Iterable, Mapping, Sequence

from poolscope.analysis import Comparison
from poolscope.board.lattice import lattice
from poolscope.board.payload import NAMES, Find, payload
from poolscope.board.scene import WHOLE_CHARACTERS, Json, Scene
from poolscope.charts.labels import plain
from poolscope.selection.offers import path

TEXT_BYTES = 600_000
"""Bytes of whole passages that a file carries at most; longer ones are cut to fit."""

LEAST_CHARACTERS = 300
WITHHELD = "(text withheld)"
OF_A_THEME = ("scene", "theme", "palette")
NOT_KEPT = ("offers", "selections", "columns", "candidates", "ranges", *OF_A_THEME)


def alone(
    comparison: Comparison, scenes: Sequence[Scene], find: Find = path, *, withheld: bool = False
) -> dict[str, Json]:
    """Collect everything that the board shows at every setting of its lattice.

    Args:
        comparison: The columns at the setting that the file opens with, the baseline first.
        scenes: Their pool as the board draws it, one scene a theme, the first the usual one.
        find: Computes a path.
        withheld: Whether passages are left out; labels, ranks, scores and marks stay.
    """
    answers = lattice(comparison, find)
    board = payload(comparison, scenes[0], find)
    columns = board["columns"] if isinstance(board["columns"], list) else []
    return {
        "board": {
            **{name: part for name, part in board.items() if name not in NOT_KEPT},
            "candidates": {
                **scenes[0].candidates,
                **_texts(scenes[0], answers.seen, withheld=withheld),
            },
        },
        "themes": [{name: scene.parts[name] for name in OF_A_THEME} for scene in scenes],
        "columns": [
            {**_said(column), "settled": number}
            for column, number in zip(columns, answers.settled, strict=True)
        ],
        "lattice": answers.parts,
        "axes": [NAMES[axis] for axis in answers.stops],
    }


def _said(column: Json) -> Mapping[str, Json]:
    """Return what a column says beside its paths."""
    parts = column if isinstance(column, Mapping) else {}
    return {name: part for name, part in parts.items() if name != "paths"}


def _texts(scene: Scene, seen: frozenset[int], *, withheld: bool) -> dict[str, Json]:
    if withheld:
        return {"text": [WITHHELD] * len(scene.pool), "whole": {}}
    texts = scene.pool.texts
    most = WHOLE_CHARACTERS
    while most > LEAST_CHARACTERS and _bytes(texts[i][:most] for i in seen) > TEXT_BYTES:
        most = most * 3 // 4
    whole: dict[str, Json] = {str(i): _cut(texts[i], most) for i in sorted(seen)}
    return {"text": scene.texts(set(seen)), "whole": whole}


def _bytes(texts: Iterable[str]) -> int:
    return sum(len(text.encode("utf-8", "replace")) for text in texts)


def _cut(text: str, most: int) -> str:
    return plain(text[:most]) + (" …" if len(text) > most else "")
