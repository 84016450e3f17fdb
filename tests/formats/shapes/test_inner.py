import json

import pytest

from poolscope.formats.shapes import inner

DOCUMENTS = [{"page_content": "a", "metadata": {}}]


@pytest.mark.parametrize(
    "value",
    [
        DOCUMENTS,
        json.dumps(DOCUMENTS),
        {"documents": DOCUMENTS, "count": 1},
        {"result": {"data": json.dumps({"output": DOCUMENTS})}},
        [json.dumps(DOCUMENTS[0])],
    ],
)
def test_telling(value: object) -> None:
    (found,) = inner.telling(value)
    assert [passage.text for passage in found.passages] == ["a"]


@pytest.mark.parametrize("value", [["a"], {"tags": ["a"]}, [{"text": "a"}], "a", None, 7])
def test_what_tells_nothing(value: object) -> None:
    assert inner.telling(value) == ()


@pytest.mark.parametrize("value", [["a"], {"contexts": ["a"]}, [{"text": "a"}], '["a"]'])
def test_any_list(value: object) -> None:
    (found,) = inner.any_list(value)
    assert [passage.text for passage in found.passages] == ["a"]


@pytest.mark.parametrize("value", [{"tags": ["a"]}, ["<Node(id=a)>"], [1, 2], {}])
def test_what_is_no_list_of_passages(value: object) -> None:
    assert inner.any_list(value) == ()


@pytest.mark.parametrize(
    "value",
    [
        "q",
        '"q"',
        {"query": "q", "k": 3},
        '{"query_bundle": {"query_str": "q", "embedding": null}}',
        {"inputs": {"question": "q"}, "tags": []},
        {"args": ["q"], "kwargs": {}},
        [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}],
        {"any_name": "q"},
    ],
)
def test_asked(value: object) -> None:
    assert inner.asked(value) == "q"


def test_nothing_asked() -> None:
    assert inner.asked({"k": 3, "tags": ["a"], "name": "n", "other": "x"}) == ""
    assert inner.asked(None) == ""
    assert inner.asked({"inputs": [{"page_content": "a", "kwargs": {"content": "b"}}]}) == ""
