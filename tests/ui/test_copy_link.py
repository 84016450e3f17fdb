"""A page is one entry of the browser's history, embedded or not; run under Node."""

import json
import shutil
import subprocess

import pytest

from poolscope.ui.copy_link import SCRIPT

NODE = shutil.which("node")
ENTRIES = """
const done = [];
const history = {
  pushState: (state, unused, to) => done.push("push"),
  replaceState: (state, unused, to) => done.push("replace"),
};
const window = { history, location: { href: "" } };
oneEntryAPage();
for (const [from, to] of input) {
  window.location.href = "http://here" + from;
  window.history.pushState({}, "", to);
}
process.stdout.write(JSON.stringify(done));
"""
MOVES = {
    ("/explain", "/explain?sample=a"): "replace",
    ("/explain?embed=true", "/explain?embed=true&sample=a"): "replace",
    ("/explain?embed=true&embed_options=dark_theme", "/explain?sample=a"): "replace",
    ("/explain?sample=a", "/explain?sample=a&k=3"): "push",
    ("/explain?sample=a&embed=true", "/?embed=true"): "push",
    ("/explain", "/explain?embed=true"): "push",
    ("/", "/explain?sample=a"): "push",
}


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_a_page_that_gets_its_parameters_stays_one_entry() -> None:
    assert NODE is not None
    script = SCRIPT.replace("export default function", "function")
    given = f"const input = {json.dumps(list(MOVES))};"
    done = subprocess.run(  # noqa: S603 - our own script under the node that was found
        [NODE, "-e", f"{given}\n{script}\n{ENTRIES}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == list(MOVES.values())
