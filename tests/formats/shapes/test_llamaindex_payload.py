import json

from poolscope.formats.shapes.llamaindex_payload import holds_node, node

CONTENT = {
    "id_": "n1",
    "text": "",
    "metadata": {"file_path": "f", "page": 2},
    "relationships": {"1": {"node_id": "doc-1"}},
    "start_char_idx": 10,
    "end_char_idx": 20,
}


def test_a_node_in_the_payload() -> None:
    found = node({"_node_content": json.dumps(CONTENT), "_node_type": "TextNode", "doc_id": "None"})
    assert found is not None
    assert (found.id, found.text, found.vector) == ("n1", None, None)
    assert found.metadata == {
        "file_path": "f",
        "page": 2,
        "_node_type": "TextNode",
        "doc_id": "None",
        "ref_doc_id": "doc-1",
        "start_char_idx": 10,
        "end_char_idx": 20,
    }


def test_a_node_inside_metadata_keeps_what_is_beside_it() -> None:
    payload = {"content": "t", "metadata": {"_node_content": json.dumps(CONTENT)}}
    found = node(payload)
    assert found is not None
    assert found.metadata["content"] == "t"
    assert "_node_content" not in found.metadata
    assert holds_node(payload)


def test_older_and_newer_nodes() -> None:
    old = {"id_": "a", "text": "t", "relationships": {"1": "doc-1"}}
    new = {"id_": "b", "text_resource": {"text": "u"}}
    first, second = node({"_node_content": old}), node({"_node_content": new})
    assert first is not None
    assert second is not None
    assert (first.text, first.metadata) == ("t", {"ref_doc_id": "doc-1"})
    assert second.text == "u"


def test_broken_content_keeps_the_payload() -> None:
    found = node({"_node_content": "{cut", "text": "t"})
    assert found is not None
    assert (found.id, found.text, found.metadata) == (None, None, {"text": "t"})


def test_other_payloads_hold_no_node() -> None:
    assert node({"text": "t", "metadata": {"a": 1}}) is None
    assert not holds_node("text")
