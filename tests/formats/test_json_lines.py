from poolscope import formats


def test_a_broken_line_is_set_aside_with_its_number() -> None:
    text = '{"id": "a", "text": "x"}\n\n{"id": "b", "te\n7\n{"id": "c", "text": "y"}\n'
    loaded = formats.read(text.encode(), "x.jsonl").question()
    assert loaded.pool.ids == ("a", "c")
    assert [(entry.row, entry.line) for entry in loaded.report.set_aside] == [(2, 3), (3, 4)]
    assert loaded.report.set_aside[0].reason.startswith("The JSON ends before it is complete")
    assert loaded.report.set_aside[1].reason == "The line is a number, not a JSON object."


def test_a_line_separator_inside_a_text_does_not_end_a_line() -> None:
    text = '{"id": "a", "text": "x\u2028y"}\n{"id": "b", "text": "z\x85"}\n'
    assert formats.read(text.encode(), "x.jsonl").question().pool.texts == ("x\u2028y", "z\x85")


def test_pretty_json_is_not_taken_for_lines() -> None:
    text = '{\n"query": "q",\n"candidates": [{"text": "a"}]\n}'
    assert formats.detect(text.encode()).format.name == "json"


def test_pasted_lines_are_recognised() -> None:
    found = formats.detect(b'{"text": "a"}\n{"text": "b"}')
    assert found.format.name == "jsonl"
    assert found.reason == "the first of its lines is a JSON object of its own"
