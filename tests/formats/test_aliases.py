import pytest

from poolscope.formats import aliases


@pytest.mark.parametrize("name", ["Page Content", "page-content", " PAGE_CONTENT "])
def test_names_are_compared_without_case_and_dashes(name: str) -> None:
    assert aliases.normal(name) == "page_content"


def test_first_follows_the_aliases_not_the_file() -> None:
    assert aliases.first(("body", "Text"), aliases.TEXT) == "Text"
    assert aliases.first(("nothing",), aliases.TEXT) is None


def test_aliases_are_in_the_form_they_are_compared_in() -> None:
    for names in (*aliases.ROLES.values(), aliases.SOURCE, aliases.POSITION, aliases.CONTAINERS):
        assert [aliases.normal(name) for name in names] == list(names)
        assert len(set(names)) == len(names)


def test_no_chunk_id_is_a_source() -> None:
    assert not set(aliases.SOURCE) & set(aliases.ID)
