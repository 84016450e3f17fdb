import pytest

from poolscope.errors import Place
from poolscope.formats import sources
from poolscope.formats.base import RawPool, RawRow


def _pool(**columns: list[str]) -> RawPool:
    n = len(next(iter(columns.values())))
    return RawPool(
        [
            RawRow(
                Place(row=row + 1),
                fields={name: column[row] for name, column in columns.items() if column[row]},
            )
            for row in range(n)
        ]
    )


@pytest.mark.parametrize(
    ("columns", "chosen"),
    [
        ({"title": ["t", "t"], "source": ["a", "a"]}, "source"),
        ({"doc_id": ["None", "None"], "title": ["t", "t"]}, "title"),
        ({"File Name": ["a", "a"], "file_path": ["x/a", "x/a"]}, "file_path"),
        ({"source": ["1", "2", "3"], "title": ["t", "t", "u"]}, "title"),
        ({"source": ["1", "2", "3"], "title": ["t", "t", "t"]}, "source"),
        ({"source": ["1"], "title": ["t"]}, "source"),
        ({"team": ["x", "x"]}, ""),
    ],
)
def test_precedence(columns: dict[str, list[str]], chosen: str) -> None:
    assert sources.choose([_pool(**columns)]) == chosen


def test_one_field_serves_a_whole_file() -> None:
    alone = _pool(source=["a", "b"], title=["t", "t"])
    crowded = _pool(source=["a", "a"], title=["t", "u"])
    assert sources.choose([alone, crowded]) == "source"


def test_report_describes_field_and_alternatives() -> None:
    pool = _pool(source=["a", "a", ""], team=["x", "y", "z"], title=["t", "t", "t"])
    report = sources.report(pool.rows, "source")
    assert (report.chosen.distinct, report.chosen.missing) == (1, 1)
    assert [other.field for other in report.alternatives] == ["title", "team"]
    assert report.warnings == (
        "All rows share one source by “source”.",
        "1 of 3 rows has no “source”.",
    )


def test_weak_identity_is_said() -> None:
    pool = _pool(source=["a", "b"])
    assert "Every row is its own source" in sources.report(pool.rows, "source").warnings[0]
    assert "No field says" in sources.report(pool.rows, "").warnings[0]


def test_one_file_name_in_two_folders() -> None:
    pool = _pool(file_name=["a.md", "a.md"], file_path=["x/a.md", "y/a.md"])
    warnings = sources.report(pool.rows, "file_name").warnings
    assert warnings[1] == (
        "“a.md” stands for 2 files in different folders: “file_path” tells them apart."
    )


def test_warnings_are_about_the_merged_labels() -> None:
    pool = _pool(source=["a.md#chunk-1", "a.md#chunk-2"])
    assert "Every row is its own source" in sources.report(pool.rows, "source").warnings[0]
    merged = sources.report(pool.rows, "source", ["parts"])
    assert merged.warnings == ("All rows share one source by “source”.",)
    assert (merged.chosen.distinct, merged.distinct, merged.merges) == (2, 1, ("parts",))


def test_one_file_name_in_two_folders_is_met_after_merging_too() -> None:
    pool = _pool(file_name=["a.md#1", "a.md#2"], file_path=["x/a.md#1", "y/a.md#2"])
    warnings = sources.report(pool.rows, "file_name", ["parts"]).warnings
    assert "“a.md” stands for 2 files in different folders" in warnings[1]
    assert sources.report(pool.rows, "file_path", ["parts"]).distinct == 2
