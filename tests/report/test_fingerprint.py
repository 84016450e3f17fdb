"""The version and the fingerprint of the code."""

import re

from poolscope.report.fingerprint import code, made_by


def test_the_code_has_a_fingerprint_that_is_named() -> None:
    assert re.fullmatch(r"[0-9a-f]{12}", code())
    assert re.fullmatch(rf"Poolscope [\w.]+, code {code()}", made_by())
