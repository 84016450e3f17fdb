"""What the server sets up once, whatever sessions come: threads, memory, and the map's worker."""

import gc

import streamlit as st

from poolscope import projection


@st.cache_resource(show_spinner=False)
def one_blas_thread() -> object:
    """Give matrix products one thread: at these sizes a second one costs more than it brings."""
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limits=1, user_api="blas")


@st.cache_resource(show_spinner=False)
def warm_worker() -> None:
    """Let the map's worker import UMAP now, so that the first map does not wait for it."""
    projection.warm()


@st.cache_resource(show_spinner=False)
def settle_memory() -> None:
    """Take what was imported out of garbage collection: it stays for the life of the process.

    Streamlit collects after every run, and a run's last messages wait for it.
    """
    gc.collect()
    gc.freeze()
