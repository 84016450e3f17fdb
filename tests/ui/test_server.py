"""What a server sets up once: threads for matrix products, and what garbage collection skips."""

import gc

import pytest
import streamlit as st
from threadpoolctl import threadpool_info

from poolscope.ui import server

pytestmark = pytest.mark.filterwarnings("ignore:No runtime found:UserWarning")
# Streamlit says so when a cache is used outside a server.


def test_matrix_products_have_one_thread() -> None:
    st.cache_resource.clear()
    server.one_blas_thread()
    assert {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"} == {1}


def test_both_are_set_up_once() -> None:
    assert server.one_blas_thread() is server.one_blas_thread()


def test_what_is_imported_is_not_collected_after_every_run() -> None:
    st.cache_resource.clear()
    gc.unfreeze()
    server.settle_memory()
    frozen = gc.get_freeze_count()
    assert frozen > 10 * len(gc.get_objects())
    server.settle_memory()
    assert gc.get_freeze_count() == frozen, "once"
