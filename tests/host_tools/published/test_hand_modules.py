"""The page's hand, which drags cards, in node beside stand-ins for what a browser has."""

import pytest

pytestmark = pytest.mark.npm

HAND = """
globalThis.matchMedia = () => ({matches: false});
globalThis.innerHeight = 800;
Object.assign(document, {querySelectorAll: () => [], querySelector: () => null, elementsFromPoint: () => []});
at("stage").getBoundingClientRect = () => ({top: 44});
document.body.style = {};
class Names extends Set {
  contains(name) { return this.has(name); }
  remove(name) { this.delete(name); }
}
const names = (element) => { element.classList = new Names(); };
names(document.body);
const {startHand} = await import("./hand.js");
const {model} = await import("./model.js");
Object.assign(model, {role: "host", seats: [1], bottom: 1});
const on = at("stage").listeners;
startHand(at("stage"), {tap: ({card}) => tell(`tap ${card}`), play() {}, lay() {}, lift() {}, press() {}});
const make = (card) => {
  const node = {
    dataset: {card, place: "hand1", owner: "1"}, style: {transform: ""}, getAnimations: () => [],
    setPointerCapture() {}, closest: (kinds) => (kinds.includes(".card") ? node : null),
  };
  names(node);
  return node;
};
const [eight, queen] = [make("8H"), make("QH")];
const point = (kind, target, pointerId, clientY, buttons, isPrimary = true) => {
  on[`pointer${kind}`]({target, pointerId, clientX: 400, clientY, button: 0, buttons, isPrimary});
};
const dragged = () => tell([eight, queen].map((one) => one.classList.has("dragged")));
"""


def test_a_card_whose_drag_ended_elsewhere_follows_no_mouse(modules):
    """The button was let go outside the window, before the card had moved."""
    told = modules.run(HAND + """
point("down", eight, 1, 790, 1);
point("move", queen, 1, 300, 0);
dragged();
point("down", queen, 1, 300, 1);
point("move", queen, 1, 200, 1);
dragged();
""")
    assert told == [[False, False], [False, True]]


def test_a_finger_that_was_lifted_unheard_forbids_no_later_drag(modules):
    """The card had left the table under it. A second finger beside it drags nothing."""
    told = modules.run(HAND + """
point("down", eight, 7, 700, 1);
point("move", eight, 7, 600, 1);
point("down", queen, 8, 700, 1, false);
point("move", queen, 8, 600, 1, false);
dragged();
point("down", queen, 9, 700, 1);
point("move", queen, 9, 600, 1);
dragged();
tell(document.body.classList.has("dragging"));
""")
    assert told == [[True, False], [False, True], True]
