"""The numbered steps: taken once each, whole or not at all, and refused by an older program."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa

from poolscope.errors import StoreError
from poolscope.golden import schema
from poolscope.golden.actions import AddQuestion, SetGuidelines
from poolscope.golden.model import Question, Role, Saved, Who
from poolscope.golden.schema import MIGRATIONS, Migration
from poolscope.golden.store import Store, open_store

ANN, EVE = Who("Ann"), Who("Eve", Role.ADJUDICATOR)
FIRST_SETTINGS = "INSERT INTO golden_project VALUES ('golden set', 1, 1, 1, 7, 1, 't', 't')"

NEXT = len(MIGRATIONS) + 1
SECOND = Migration(
    NEXT, "a colour", lambda _: ("ALTER TABLE golden_facet ADD COLUMN colour TEXT DEFAULT 'grey'",)
)
BROKEN = Migration(
    NEXT,
    "half a step",
    lambda _: ("ALTER TABLE golden_facet ADD COLUMN colour TEXT", "ALTER TABLE nowhere ADD x TEXT"),
)


def _columns(store: Store, table: str) -> dict[str, bool]:
    found = sa.inspect(store.engine).get_columns(table)
    return {column["name"]: bool(column["nullable"]) for column in found}


def test_numbers_have_no_gaps() -> None:
    assert [step.number for step in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))


def test_the_steps_lead_to_the_tables_of_the_program(store: Store) -> None:
    inspected = sa.inspect(store.engine)
    assert set(inspected.get_table_names()) == set(schema.METADATA.tables)
    for name, table in schema.METADATA.tables.items():
        keys = {column.name for column in table.primary_key}
        wanted = {column.name: bool(column.nullable) for column in table.columns}
        found = _columns(store, name)
        assert found.keys() == wanted.keys()
        assert {key: null for key, null in found.items() if key not in keys} == {
            key: null for key, null in wanted.items() if key not in keys
        }
        assert set(inspected.get_pk_constraint(name)["constrained_columns"]) == keys


def test_a_later_step_keeps_what_is_there(address: Path | str) -> None:
    with open_store(address) as store:
        store.send("q1", AddQuestion(Question("q1", "?")), ANN)
    with open_store(address, migrations=(*MIGRATIONS, SECOND)) as store:
        assert [question.id for question in store.questions()] == ["q1"]
        assert "colour" in _columns(store, "golden_facet")
    with open_store(address, migrations=(*MIGRATIONS, SECOND)) as store, store.engine.begin() as c:
        assert list(c.scalars(sa.select(schema.STEP.c.number).order_by("number"))) == list(
            range(1, NEXT + 1)
        )


def test_a_golden_set_of_the_first_schema_takes_guidelines(address: Path | str) -> None:
    with open_store(address, migrations=MIGRATIONS[:1]) as store:
        with store.engine.begin() as found:
            found.exec_driver_sql(FIRST_SETTINGS)
        assert "golden_guidelines" not in sa.inspect(store.engine).get_table_names()
    with open_store(address) as store:
        assert (store.project().seed, store.project().guidelines_version) == (7, 0)
        kept = store.send("", SetGuidelines("Read all of it.", 0), EVE)
        assert isinstance(kept, Saved)
        assert (store.project().guidelines, store.project().seed) == ("Read all of it.", 7)


def test_a_newer_golden_set_is_refused(address: Path | str) -> None:
    open_store(address, migrations=(*MIGRATIONS, SECOND)).close()
    with pytest.raises(StoreError) as caught:
        open_store(address)
    assert caught.value.problem == (
        f"The golden set has schema {NEXT}, this program knows schema {NEXT - 1}."
    )
    assert "update Poolscope" in caught.value.remedy


def test_a_step_that_fails_leaves_nothing(address: Path | str) -> None:
    with pytest.raises(StoreError):
        open_store(address, migrations=(*MIGRATIONS, BROKEN))
    with open_store(address) as store:
        assert "colour" not in _columns(store, "golden_facet")
    with open_store(address, migrations=(*MIGRATIONS, SECOND)) as store:
        assert "colour" in _columns(store, "golden_facet")


def test_many_may_open_an_empty_database_at_once(address: Path | str) -> None:
    start = threading.Barrier(8, timeout=120)

    def opened(_: int) -> tuple[str, ...]:
        start.wait()
        with open_store(address) as store:
            return store.faults()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(opened, range(8))) == [()] * 8
