// Free hand: the tags that are no card of the game, and the readers where nobody sits.

import {say} from "./words.js";
import {model, seatList} from "./model.js";
import {keyed, make, place, set, write} from "./make.js";

let chosen = "";

/** Draw the strip of tags; `lay.spare` are the boxes of readers without a seat. */
export function drawTags(parent, lay, readerDown) {
  const shown = model.role === "host" && model.table.free && !!lay.own;
  parent.hidden = !shown;
  if (!shown) {
    chosen = "";
    parent.replaceChildren();
    return;
  }
  const tags = [{tag: "stranger", words: say("stranger")}, {tag: "arbiter", words: say("arbiter")},
    ...seatList().filter((seat) => !seat.nameless).map((seat) => ({tag: `player:${seat.name}`, words: say("token", "", seat.name)}))];
  set(parent, "aria-label", say("tags"));
  const items = [...tags, ...spareReaders(lay).map((reader) => ({reader}))];
  const made = keyed(parent, items, (item) => item.tag || `reader${item.reader}`, (item) => (item.tag
    ? make("button", {type: "button", class: "tag", "data-tag": item.tag})
    : make("button", {type: "button", class: "reader spare", "data-reader": item.reader, onclick: () => readerDown(item.reader)}, make("span"))));
  items.forEach((item, index) => {
    if (item.tag) {
      write(made[index], item.words);
      set(made[index], "aria-pressed", String(chosen === item.tag));
    } else {
      write(made[index].firstChild, say("readerOf", item.reader));
    }
  });
  place(parent, lay.tags);
}

function spareReaders() {
  const taken = new Set(seatList().map((seat) => seat.place));
  return Array.from({length: model.table.places || 0}, (_, index) => index + 1).filter((reader) => !taken.has(reader));
}

/** Choose a tag for the next reader that is clicked; a second time lets it go. */
export function chooseTag(node) {
  chosen = chosen === node.dataset.tag ? "" : node.dataset.tag;
  for (const tag of document.querySelectorAll(".tag")) set(tag, "aria-pressed", String(tag.dataset.tag === chosen));
}

/** The tag that was chosen for the reader now clicked, or "". */
export function takeChosen() {
  const tag = chosen;
  chosen = "";
  for (const one of document.querySelectorAll(".tag")) set(one, "aria-pressed", "false");
  return tag;
}
