"""The index: every question with its verdict and its file, and nothing that runs."""

from poolscope.report.index import Entry, index


def test_every_entry_is_linked_and_escaped() -> None:
    found = index(
        [
            Entry("one.html", "What <b>is</b> it?", "Healthy.", 1, "abc"),
            Entry('a" onclick="x.html', "Two", "Crowded & more.", 2, "def"),
        ]
    )
    assert '<a href="one.html">What &lt;b&gt;is&lt;/b&gt; it?</a>' in found
    assert "Crowded &amp; more." in found
    assert 'onclick="x' not in found
    assert "2 questions" in found
    assert "<script" not in found


def test_one_question_is_said_as_one() -> None:
    assert "<h1>1 question</h1>" in index([Entry("a.html", "A", "Healthy.", 1, "abc")])
