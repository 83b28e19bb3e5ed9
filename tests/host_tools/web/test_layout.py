"""Where everything lies on the stage, in windows of many sizes, reckoned in node: nothing covers another."""

import json
import subprocess

import pytest

from host_tools.base.project import PAGE

pytestmark = pytest.mark.npm
LEGIBLE = 34  # pixels, of a card in the middle
# What is left to the stage of a window, below the bar: from the smallest with a broad stage to a television.
SIZES = [(390, 800), (699, 856), (700, 856), (768, 980), (820, 1136), (900, 656), (1024, 724), (1024, 1322),
         (1100, 756), (1180, 776), (1280, 676), (1366, 724), (1440, 856), (1920, 1036)]
SCRIPT = """
import {flow, lay} from "./layout.js";
const meet = (one, other) => Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x) > 2
  && Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y) > 2;
const pile = (w, h) => ({w, h, label: "x"});
/** The rows of Malice as table.js arranges them: all below each other, or the others' by twos. */
function ways(others) {
  const row = (first, h) => [pile(first, 1), ...[1, 2, 3, 4].map(() => pile(1, h))];
  const first = others > 1 ? 1.9 : 1;
  const [all, centre, own] = [Array.from({length: others}, () => row(first, 1.2)), row(first, 1), row(1, 1.2)];
  const beside = (rows) => rows.flatMap((one, at) => (at ? [pile(0.3, 1), ...one] : one));
  const byTwos = [beside(all.slice(0, 2)), centre, beside([...all.slice(2), own])];
  return [[...all, centre, own], [beside(all), centre, own], byTwos];
}
function look(at) {
  const around = Array.from({length: at.seats}, (_, index) => ({seat: index + 1}));
  const {role, malice} = at;
  const boxes = lay({...at, around, own: role === "host", handCount: 6});
  const {own, glass, middle} = boxes;
  const lie = [...boxes.seats].map(([seat, {plate}]) => [`seat ${seat}`, plate]);
  if (glass) lie.push(["the screen", glass]);
  lie.push(["the middle", middle]);
  if (own) lie.push(["the own plate", own.plate], ["the prompt", own.prompt], ["the hand", own.hand]);
  const found = [];
  lie.forEach(([name, box], index) => {
    for (const [other, its] of lie.slice(index + 1)) if (meet(box, its)) found.push(`${name} on ${other}`);
    if (box.x < 0 || box.y < 0 || box.x + box.w > at.width || box.y + box.h > at.height) found.push(`${name} outside`);
  });
  if (middle.w < 150 || middle.h < 60) found.push("no middle");
  const card = Math.max(...ways(at.seats - 1).map((rows) => flow(rows, middle, 104).room));
  if (malice && !at.free && card < LEAST) found.push(`cards of ${Math.round(card)} pixels`);
  if (found.length) console.log(JSON.stringify([at, found]));
}
for (const seats of [2, 3, 4, 5, 6, 7]) for (const [width, height] of SIZES) {
  for (const role of ["host", "public"]) for (const malice of seats < 5 ? [false, true] : [false]) {
    for (const free of role === "host" ? [false, true] : [false]) look({seats, width, height, role, malice, free});
  }
}
"""


def test_nothing_lies_on_anything_else_in_any_window(tmp_path):
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "layout.js").write_bytes((PAGE / "layout.js").read_bytes())
    (tmp_path / "script.js").write_text(SCRIPT.replace("LEAST", str(LEGIBLE)).replace("SIZES", json.dumps(SIZES)))
    done = subprocess.run(["node", tmp_path / "script.js"], capture_output=True, text=True, encoding="utf-8")
    assert not done.returncode, done.stderr
    assert done.stdout.splitlines() == []
