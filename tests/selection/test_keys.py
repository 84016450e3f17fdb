from collections.abc import Callable
from typing import TypeAlias

from poolscope.model import Pool
from poolscope.selection.keys import CapKey, cap_keys

MakePool: TypeAlias = Callable[..., Pool]


def keys(pool: Pool) -> list[str]:
    return [key.name for key in cap_keys(pool)]


def test_the_source_comes_first_with_its_number_of_values(make_pool: MakePool) -> None:
    assert cap_keys(make_pool(4, sources="aabc"))[0] == CapKey("source", 3)


def test_a_field_that_groups_some_rows_qualifies(make_pool: MakePool) -> None:
    pool = make_pool(4, fields={"section": ("x", "x", "y", None)})
    assert keys(pool) == ["source", "section"]


def test_a_field_with_one_value_or_a_value_a_row_does_not(make_pool: MakePool) -> None:
    pool = make_pool(3, fields={"same": ("x", "x", "x"), "own": ("a", "b", "c")})
    assert keys(pool) == ["source"]


def test_positions_offsets_and_measurements_do_not(make_pool: MakePool) -> None:
    fields = {
        "position": ("0", "1", "2", "0", "1", "2"),
        "start": ("0", "140", "299", "0", "611", "700"),
        "weight": ("0.5", "0.5", "0.25", "0.25", "1.5", "1.5"),
    }
    assert keys(make_pool(6, fields=fields)) == ["source"]


def test_a_few_numbers_that_name_things_do(make_pool: MakePool) -> None:
    years = ("2021", "2021", "2024", "2024", "2021", "2024", "2021")
    assert keys(make_pool(7, fields={"year": years})) == ["source", "year"]
