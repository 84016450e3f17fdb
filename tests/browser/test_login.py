"""A log-in through a provider of logins: its e-mail stands beside what is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from poolscope.golden.store import open_store
from tests.browser.conftest import idle
from tests.browser.oidc import MAIL, provider

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Server


def test_whoever_logs_in_is_the_annotator(
    new_server: Callable[..., Server], new_page: Callable[..., Page]
) -> None:
    pytest.importorskip("authlib", reason="Streamlit's log-in comes with streamlit[auth]")
    with provider() as logins:
        server = new_server(secrets=logins.secrets)
        page = new_page(profile="login")
        page.goto(f"{server.address}/annotate")
        page.get_by_role("button", name="Log in").wait_for()
        assert page.get_by_text("Page not found").count() == 0
        page.get_by_role("button", name="Log in").click()
        page.wait_for_url(lambda address: "/annotate" not in address)  # the first page
        page.get_by_role("link", name="Annotate").click()
        page.get_by_role("button", name=MAIL).wait_for()
        idle(page)
        page.get_by_role("button", name="Take this question in").click()
        page.locator(".sheet .text").wait_for()
        with open_store(server.golden) as store:
            assert {stroke.annotator for stroke in store.log()} == {MAIL}
