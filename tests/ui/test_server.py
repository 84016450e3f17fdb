"""What a server sets up once: one thread for matrix products, and a worker that is warming up."""

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
