import json

import pytest

from poolscope import formats

DOCUMENTS = [{"page_content": "a", "metadata": {"source": "a.md"}}]


def _call(name: str, output: object) -> dict[str, object]:
    uri = f"weave:///team/project/op/{name}:v1"
    return {"id": name, "op_name": uri, "trace_id": "t", "inputs": {"q": "why"}, "output": output}


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("retrieve", ["a", "b"]),
        ("vector_search", {"hits": [{"text": "a", "score": 0.5}, {"text": "b", "score": 0.4}]}),
        ("predict", {"context": [*DOCUMENTS, {"page_content": "b", "metadata": {}}]}),
    ],
)
def test_output_of_an_operation(name: str, output: object) -> None:
    load = formats.read(json.dumps([_call("main", "x"), _call(name, output)]).encode(), "x.json")
    pool = load.question().pool
    assert (load.format.name, pool.query, pool.texts) == ("weave", "why", ("a", "b"))


def test_lines_of_calls() -> None:
    lines = "\n".join(json.dumps(_call("retrieve", [f"t{n}"])) for n in range(2))
    load = formats.read(lines.encode(), "x.jsonl")
    assert [load.question(index).pool.texts for index in range(2)] == [("t0",), ("t1",)]
