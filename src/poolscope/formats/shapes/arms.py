"""Several lists for one question, from the arms of a retrieval: which of them is the pool.

The same passage in two arms is one candidate: by its id, or by its source and text where the
arms number their results themselves. Each candidate keeps its rank and its score in every arm.
"""

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence

from poolscope.formats import aliases, values
from poolscope.formats.shapes.base import Json, Passage, Question


def questions(arms: Mapping[str, Question]) -> Sequence[Question]:
    """Return the pool of all arms first, then each arm's own list.

    Where one arm holds every passage of the others it joined them, and is the pool. Where none
    does, the arms' lists are merged in turns, and a note says so.

    Args:
        arms: What each arm gave, by its name, in the order of the file.
    """
    if len(arms) < 2:
        return [dataclasses.replace(arm, query_id=name) for name, arm in arms.items()]
    places = _places(arms)
    every = {key for found in places.values() for key in found}
    joined = [name for name, found in places.items() if found.keys() == every]
    listed = ", ".join(f"“{values.shown(name)}”" for name in arms)
    if joined:
        name = joined[-1]
        note = (
            f"The lists of {listed} are of one question; “{values.shown(name)}” holds every "
            "passage of the others and is the pool. The others follow as questions of their own."
        )
        others = {arm: places[arm] for arm in arms if arm != name}
        first = _marked(arms[name], places[name], others, arms)
        order = [name, *(arm for arm in arms if arm != name)]
    else:
        note = (
            f"The lists of {listed} are of one question and none holds all passages; they were "
            "merged in turns, the first of each list first, without a score. "
            "Each list follows as a question of its own."
        )
        pool, own = _merged(arms, places)
        first = _marked(pool, own, places, arms)
        order = ["all arms", *arms]
    rest = [arms[name] for name in order[1:]]
    return [
        dataclasses.replace(arm, query_id=name, notes=(*arm.notes, note))
        for name, arm in zip(order, (first, *rest), strict=True)
    ]


def _places(arms: Mapping[str, Question]) -> dict[str, dict[str, int]]:
    """Return, for each arm, every passage's place from 0 by what it is called in all arms.

    The id counts where the arms share ids and mean the same text by them; else source and text
    count, and the number of the copy.
    """
    by_id = _share_ids(arms)
    found: dict[str, dict[str, int]] = {}
    for name, arm in arms.items():
        copies: Counter[str] = Counter()
        found[name] = {}
        for index, passage in enumerate(arm.passages):
            key = str(passage.id) if by_id else _content(passage)
            copies[key] += 1
            found[name][f"{key}\x1f{copies[key]}"] = index
    return found


def _share_ids(arms: Mapping[str, Question]) -> bool:
    texts: dict[str, Json] = {}
    shared = False
    for arm in arms.values():
        of_arm = {str(passage.id): passage.text for passage in arm.passages}
        if "None" in of_arm or any(texts.get(key, text) != text for key, text in of_arm.items()):
            return False
        shared = shared or not texts.keys().isdisjoint(of_arm)
        texts.update(of_arm)
    return shared


def _content(passage: Passage) -> str:
    name = aliases.first(tuple(passage.metadata), aliases.SOURCE)
    return f"{passage.metadata.get(name or '')}\x1f{passage.text}"


def _merged(
    arms: Mapping[str, Question], places: Mapping[str, Mapping[str, int]]
) -> tuple[Question, dict[str, int]]:
    """Take the arms' passages in turns; what another arm brought before is not repeated."""
    turns = sorted(
        (index, number, key, name)
        for number, (name, found) in enumerate(places.items())
        for key, index in found.items()
    )
    met: dict[str, Passage] = {}
    for index, _, key, name in turns:
        met.setdefault(key, arms[name].passages[index])
    first = next(iter(arms.values()))
    columns = {role: name for role, name in first.columns.items() if role != "score"}
    unscored = [dataclasses.replace(passage, score=None) for passage in met.values()]
    pool = dataclasses.replace(first, passages=unscored, columns=columns)
    return pool, {key: index for index, key in enumerate(met)}


def _marked(
    pool: Question,
    own: Mapping[str, int],
    places: Mapping[str, Mapping[str, int]],
    arms: Mapping[str, Question],
) -> Question:
    """Write each candidate's rank and score in the other arms into its metadata."""
    keys = {index: key for key, index in own.items()}
    passages = []
    for place, passage in enumerate(pool.passages):
        met = {name: found[keys[place]] for name, found in places.items() if keys[place] in found}
        extra: dict[str, Json] = {"arms": ", ".join(met)} if met else {}
        for name, index in met.items():
            extra[f"rank in {name}"] = index + 1
            extra[f"score in {name}"] = arms[name].passages[index].score
        passages.append(dataclasses.replace(passage, metadata={**passage.metadata, **extra}))
    return dataclasses.replace(pool, passages=passages)
