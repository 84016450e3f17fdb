"""Write the planted pools: ``pools.json.gz`` with texts and expectations, ``vectors.npz``.

Run by hand from the repository's root, in the environment that made the samples:
``HF_HUB_OFFLINE=1 <embed>/bin/python -m tests.diagnosis.planted.generate``. The same texts and
seeds give the same pools. Nothing is imported from ``poolscope``: the pools judge its findings.
"""

import gzip
import importlib.util
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tests.diagnosis.planted import crowded, healthy, material, settings, supply
from tests.diagnosis.planted.build import Book
from tests.diagnosis.planted.material import Floats, Planted, Row, Topic

SAMPLES_EMBEDDING = material.FOLDER.parents[2] / "sample_data" / "make" / "embedding.py"
NEAR_COPY = 0.95
FEWEST_COPIES = 2
"""Picks that repeat a better ranked one, where copies are planted."""
SHARED_WORDS = 8
"""Words in a row that two passages may not have in common, unless that is what was planted."""


def texts_of(topics: Mapping[str, Topic]) -> list[str]:
    """List every text that a pool embeds."""
    found: dict[str, None] = {}
    for name, topic in topics.items():
        found[topic.query] = None
        for passage in topic.passages:
            if name == "nitrate":
                found.update((window.text, None) for window in material.windows(passage))
            elif name != "letters":
                found[passage.text] = None
    for passage in topics["letters"].passages:
        found.update((crowded.filled(passage.text, who), None) for who in range(6))
    return list(found)


def plant(book: Book) -> list[Planted]:
    """Plant every pool."""
    makers = (
        crowded.copies,
        crowded.overlaps,
        crowded.one_source,
        crowded.meaning,
        supply.shallow,
        supply.shortage,
        supply.weak_identity,
        settings.over_diversified,
        settings.single_source,
        settings.another_scale,
        settings.without_vectors,
        healthy.healthy,
    )
    return [pool for maker in makers for pool in maker(book)]


def check(pool: Planted) -> None:
    """Check that a pool holds no second fault by accident.

    Raises:
        ValueError: Two passages are near copies, or share a run of words, and should not, or
            copies were to be planted and are not there.
    """
    texts = [row.text for row in pool.rows]
    if pool.expect not in (crowded.COPIES, crowded.OVERLAP) and "windows" not in pool.name:
        for first, second in itertools.combinations(range(len(texts)), 2):
            if _runs(texts[first]) & _runs(texts[second]):
                raise ValueError(f"{pool.name}: {first + 1} and {second + 1} share words")
    vectors = [material.units(row.vector) for row in pool.rows if row.vector is not None]
    if len(vectors) > 1:
        product = np.array(vectors) @ np.array(vectors).T
        np.fill_diagonal(product, 0.0)
        k = int(pool.policy.get("k", 5))
        repeated = int((np.triu(product[:k, :k]) >= NEAR_COPY).any(axis=0).sum())
        if pool.expect == crowded.COPIES and repeated < FEWEST_COPIES:
            raise ValueError(f"{pool.name}: only {repeated} of the first {k} repeat another")
        if pool.expect != crowded.COPIES and product.max() >= NEAR_COPY:
            raise ValueError(f"{pool.name}: two passages have the cosine {product.max():.3f}")


def _runs(text: str) -> set[tuple[str, ...]]:
    words = text.lower().split()
    return {tuple(words[at : at + SHARED_WORDS]) for at in range(len(words) - SHARED_WORDS + 1)}


def write(pools: Sequence[Planted]) -> None:
    """Write both files, byte for byte the same for the same pools."""
    texts = list(dict.fromkeys(row.text for pool in pools for row in pool.rows))
    place = {text: number for number, text in enumerate(texts)}
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    listed = []
    for pool in pools:
        if pool.query_vector is not None:
            blank = np.full_like(pool.query_vector, np.nan)
            vectors = [blank if row.vector is None else row.vector for row in pool.rows]
            arrays[pool.name] = np.array([pool.query_vector, *vectors], dtype=np.float16)
        listed.append(_described(pool, place))
    document = json.dumps({"texts": texts, "pools": listed}, ensure_ascii=False)
    packed = gzip.compress(document.encode(), mtime=0)
    (material.FOLDER / "pools.json.gz").write_bytes(packed)
    np.savez_compressed(material.FOLDER / "vectors.npz", allow_pickle=False, **arrays)


def _described(pool: Planted, place: Mapping[str, int]) -> dict[str, Any]:
    return {
        "name": pool.name,
        "expect": pool.expect,
        "accept": list(pool.accept),
        "alarm": pool.alarm,
        "why": pool.why,
        "policy": dict(pool.policy),
        "query": pool.query,
        "facets": dict(pool.facets),
        "source_field": pool.source_field,
        "real": pool.real,
        "embedder": pool.embedder,
        "scores": pool.scores,
        "rows": [_candidate(row, place, pool.source_field) for row in pool.rows],
    }


def _candidate(row: Row, place: Mapping[str, int], source_field: str) -> dict[str, Any]:
    fields = dict(row.fields)
    if row.source is not None:
        fields[source_field] = row.source
    entry: dict[str, Any] = {"id": row.id, "text": place[row.text], "fields": fields}
    if row.score is not None:
        entry["score"] = row.score
    if row.facets is not None:
        entry["facets"] = list(row.facets)
    return entry


def embedded(texts: Iterable[str]) -> dict[str, Floats]:
    """Embed texts with MiniLM, by the tool that made the samples."""
    spec = importlib.util.spec_from_file_location("embedding", SAMPLES_EMBEDDING)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    listed = list(texts)
    return dict(zip(listed, module.embed(listed), strict=True))


def main() -> None:
    """Embed, plant, check and write."""
    topics = material.topics()
    pools = plant(Book(topics, embedded(texts_of(topics))))
    for pool in pools:
        check(pool)
    write(pools)


if __name__ == "__main__":
    main()
