"""Rules that merge labels: what each joins, and what none may."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolscope.errors import PoolError
from poolscope.formats import identity

ALL = tuple(rule.name for rule in identity.RULES)


def alone(label: str, *names: str) -> str | None:
    (found,) = identity.merged((label,), names)
    return found


@pytest.mark.parametrize("rule", [rule for rule in identity.RULES if rule.name != "case"])
def test_a_rule_does_what_its_example_says(rule: identity.MergeRule) -> None:
    before, after = rule.example
    assert alone(before, rule.name) == after
    assert alone(before) == before


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("parts", "guide.md#chunk-12", "guide.md"),
        ("parts", "guide.md#4", "guide.md"),
        ("parts", "guide.md::chunk_3", "guide.md"),
        ("parts", "guide.md/chunk/3", "guide.md"),
        ("parts", "guide.md (part 2)", "guide.md"),
        ("parts", "guide_segment_07", "guide"),
        ("parts", "https://a.example/guide?chunk=3", "https://a.example/guide"),
        ("parts", "guide.md#chunk-3#2", "guide.md"),
        ("pages", "guide.pdf#page=2", "guide.pdf"),
        ("pages", "guide.pdf, page 2", "guide.pdf"),
        ("pages", "https://a.example/g?lang=de&page=2#top", "https://a.example/g?lang=de#top"),
        ("copies", "docs/guide (v2).md", "docs/guide.md"),
        ("copies", "guide (2).md", "guide.md"),
        ("copies", "guide (copy).md", "guide.md"),
        ("copies", "guide - Copy (3).pdf", "guide.pdf"),
        ("copies", "The guide (version 2)", "The guide"),
        ("paths", "docs\\guide.md", "docs/guide.md"),
        ("paths", "docs//x/../guide.md", "docs/guide.md"),
        ("anchors", "docs/guide.md#set-up", "docs/guide.md"),
        ("tracking", "https://a.example/?id=7&gclid=x", "https://a.example/?id=7"),
    ],
)
def test_what_a_rule_leaves_out(name: str, before: str, after: str) -> None:
    assert alone(before, name) == after


@pytest.mark.parametrize(
    "labels",
    [
        ("handbook/guide.md", "legal/guide.md"),
        ("table.csv#row-3", "table.csv#row-4"),
        ("table.csv?row=3", "table.csv?row=4"),
        ("report (2023).md", "report (2024).md"),
        ("report-2023.md", "report-2024.md"),
        ("https://a.example/#/orders", "https://a.example/#/refunds"),
        ("https://a.example/#!orders", "https://a.example/#!refunds"),
        ("https://a.example/doc?id=1", "https://a.example/doc?id=2"),
        ("https://a.example/?p=1", "https://a.example/?p=2"),
        ("https://a.example/doc?ref=main", "https://a.example/doc?ref=old"),
        ("issue #12", "issue #13"),
        ("C", "C#"),
        ("docs/part-1", "docs/part-2"),
        ("docs/part-1.md", "docs/part-2.md"),
        ("chunk-1", "chunk-2"),
        ("#3", "#4"),
        ("counterpart 3", "counterpart 4"),
        ("homepage 1", "homepage 2"),
        ("api_v1.md", "api_v2.md"),
        ("session-42", "session-43"),
        ("/docs/guide.md", "docs/guide.md"),
        ("guide.md", "guide.pdf"),
        ("km/h", "km"),
        ("straße 1", "straße 2"),
    ],
)
def test_all_rules_together_keep_apart_what_differs(labels: tuple[str, str]) -> None:
    assert len(set(identity.merged(labels, ALL))) == 2


def test_case_takes_the_commonest_spelling_and_nothing_else() -> None:
    labels = ("Guide.md", "guide.md", "guide.md", "Other.md", None)
    assert identity.merged(labels, ["case"]) == (
        "guide.md", "guide.md", "guide.md", "Other.md", None,
    )  # fmt: skip
    assert identity.merged(("a.md", "A.MD"), ["case"]) == ("A.MD", "A.MD")
    assert identity.merged(("docs/A.md", "src/a.md"), ["case"]) == ("docs/A.md", "src/a.md")


def test_rules_act_together() -> None:
    labels = ("./docs/Guide (v2).md?page=2#chunk-3", "docs/guide.md")
    assert len(set(identity.merged(labels, ALL))) == 1
    for name in ALL:
        if name in ("anchors", "tracking"):  # both speak of nothing that no other speaks of here
            continue
        others = [other for other in ALL if other not in (name, "anchors")]
        assert len(set(identity.merged(labels, others))) == 2, name


def test_a_preview_says_what_becomes_what_before_it_is_done() -> None:
    labels = ("a.md#1", "a.md#2", "a.md#1", "b.md#1", "c.md", None)
    found = identity.preview(labels, ["parts"])
    assert (found.before, found.after, found.rewritten) == (4, 3, 1)
    assert found.merged == (identity.Merged("a.md", ("a.md#1", "a.md#2"), 3),)
    nothing = identity.preview(labels, [])
    assert (nothing.before, nothing.after, nothing.merged, nothing.rewritten) == (4, 4, (), 0)


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(PoolError, match="no rule “colour”"):
        identity.merged(("a",), ["colour"])


STEM = st.text("abcXYZ/ä", min_size=1, max_size=12).filter(lambda stem: stem[-1] not in "/")
MARKS = {
    "parts": st.sampled_from(["#chunk-{}", "::chunk_{}", "#{}", " (part {})"]),
    "pages": st.sampled_from(["?page={}", "#page={}", " page {}"]),
    "copies": st.sampled_from([" (v{})", " (copy {})", " (version {})"]),
    "anchors": st.sampled_from([".md#setup-{}", ".md#x{}"]),
}


@pytest.mark.parametrize("name", list(MARKS))
@given(data=st.data())
def test_a_rule_joins_by_its_own_part_and_parts_by_all_else(name: str, data: st.DataObject) -> None:
    one, other = data.draw(STEM), data.draw(STEM)
    marks = [data.draw(MARKS[name]).format(data.draw(st.integers(0, 99))) for _ in range(2)]
    end = ".md" if name == "anchors" else ""
    assert alone(one + marks[0], name) == one + end
    met = identity.merged((one + marks[0], one + marks[1], other + marks[1]), [name])
    assert met[0] == met[1]
    assert (met[1] == met[2]) == (one == other)
    for rest in ALL:
        if rest not in (name, "case", "paths", "anchors"):
            assert alone(one + marks[0], rest) == one + marks[0]


LABEL = st.one_of(
    st.text(max_size=30),
    st.lists(
        st.sampled_from(
            [
                "a",
                "B.md",
                "/",
                "./",
                "../",
                "\\",
                "#chunk-1",
                "?page=2",
                "&x=1",
                " (v2)",
                "#3",
                "::7",
                "https://",
                "#/",
                "?utm_a=1",
                " ",
                "(",
                "chunk",
                "1",
                ".csv",
                "#row-1",
                "page",
                "-",
            ]
        ),
        max_size=8,
    ).map("".join),
)


@given(st.lists(st.none() | LABEL, max_size=8), st.sets(st.sampled_from(ALL)))
def test_applying_rules_twice_changes_nothing(labels: list[str | None], names: set[str]) -> None:
    once = identity.merged(tuple(labels), sorted(names))
    assert identity.merged(once, sorted(names)) == once
    assert [label is None for label in once] == [label is None for label in labels]


@given(st.lists(LABEL, max_size=8), st.sets(st.sampled_from(ALL)))
def test_more_rules_never_part_what_fewer_join(labels: list[str], names: set[str]) -> None:
    fewer = identity.merged(tuple(labels), [])
    more = identity.merged(tuple(labels), sorted(names))
    for first, second in combinations(range(len(labels)), 2):
        if fewer[first] == fewer[second]:
            assert more[first] == more[second]


@given(LABEL.filter(lambda label: any(map(str.isalnum, label))), st.sets(st.sampled_from(ALL)))
def test_something_is_left_of_a_label(label: str, names: set[str]) -> None:
    assert alone(label, *names)


@pytest.mark.parametrize("sign", ["-", " ", "#3", "a", "/", "(", "?", "\\", ".", "#chunk-1"])
def test_a_label_as_long_as_a_text_is_no_name_and_stays(sign: str) -> None:
    long = sign * identity.LONGEST + "end#3"
    assert alone(long, *ALL) == long
    assert alone("a" + "-" * 300 + "#3", "parts") == "a" + "-" * 300
