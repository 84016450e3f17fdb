import dataclasses
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from poolscope.errors import PoolError
from poolscope.evaluation.questions import answerable, question
from poolscope.model import Facet, Pool, Stratum

MakePool: TypeAlias = Callable[..., Pool]


def _pool(make_pool: MakePool, marks: list[list[int]]) -> Pool:
    count = len(marks[0])
    facets = tuple(Facet(f"f{i}", "") for i in range(count))
    return make_pool(len(marks), facets=facets, judgements=np.array(marks, dtype=np.int8))


def test_the_number_of_facets_says_which_kind_of_question_it_is(make_pool: MakePool) -> None:
    assert question(_pool(make_pool, [[1], [0]])).stratum is Stratum.ONE
    assert question(_pool(make_pool, [[1, 0], [0, 1]])).stratum is Stratum.SEVERAL
    assert question(_pool(make_pool, [[1, 0]]), Stratum.ONE).stratum is Stratum.ONE
    said = dataclasses.replace(_pool(make_pool, [[1, 0], [0, 1]]), stratum=Stratum.ONE)
    assert question(said).stratum is Stratum.ONE
    assert question(said, Stratum.SEVERAL).stratum is Stratum.SEVERAL


def test_a_question_without_facets_is_refused(make_pool: MakePool) -> None:
    with pytest.raises(PoolError, match="has no facets"):
        question(make_pool(2))


def test_questions_without_any_supporting_passage_are_told_apart(make_pool: MakePool) -> None:
    some = question(_pool(make_pool, [[0, 1]]))
    none = question(_pool(make_pool, [[0, 0]]))
    assert answerable([some, none]) == (some,)
