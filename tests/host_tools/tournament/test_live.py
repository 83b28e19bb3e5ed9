"""The script that keeps the pages of an evening up to date, in node: what it does with an answer that is no page."""

import json
import subprocess

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.npm
LIVE = ROOT / "host_tools" / "club" / "tournament" / "served" / "live.js"
SCRIPT = """
let main = {name: "old", replaceWith: (fresh) => { main = fresh; }};
let look = null;
let answer = "";
globalThis.document = {
  querySelectorAll: () => [], querySelector: () => main, activeElement: null,
  body: {dataset: {version: "1", live: ""}, classList: {contains: () => false}},
};
Object.assign(globalThis, {
  location: {href: "http://club/"}, addEventListener() {}, setInterval: (act) => { look = act; },
  fetch: async (address) => ({json: async () => ({version: 2}), text: async () => answer}),
  DOMParser: class {
    parseFromString(text) {
      const isPage = text.includes("<main>");
      const body = {dataset: {version: isPage ? "2" : undefined}};
      return {body, querySelector: () => (isPage ? {name: text} : null)};
    }
  },
});
await import("./live.js");
for (answer of ["429: Too Many Requests", "502 Bad Gateway", "<main>new"]) {
  await look();
  console.log(JSON.stringify([main && main.name, document.body.dataset.version]));
}
"""


def test_an_answer_without_its_part_takes_nothing_away_and_the_next_look_has_the_page(tmp_path):
    """After a result all phones of a room look at once, and the server, or a proxy before it, refuses some."""
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "live.js").write_bytes(LIVE.read_bytes())
    (tmp_path / "script.js").write_text(SCRIPT)
    done = subprocess.run(["node", tmp_path / "script.js"], capture_output=True, text=True, encoding="utf-8")
    assert not done.returncode, done.stderr
    assert [json.loads(line) for line in done.stdout.splitlines()] == [["old", "1"], ["old", "1"], ["<main>new", "2"]]
