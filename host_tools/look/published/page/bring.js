// Brings a recorded game: it is shown, or kept among the finished games of this browser.

import {packGame} from "./play/link.js";
import {Kept} from "./play/kept.js";

const MOST_BYTES = 1024 * 1024;
const FIRST_LINE = /^cardtable 1\r?\n/;
const MOST_LETTERS = 70; // of a record's name
const drop = document.getElementById("drop");
const said = document.getElementById("said");
const acts = document.getElementById("acts");
let name = "";
let bytes = null;

async function take(file) {
  said.textContent = "";
  acts.hidden = true;
  if (!file) return;
  const found = new Uint8Array(await file.slice(0, MOST_BYTES).arrayBuffer());
  if (file.size > MOST_BYTES || !FIRST_LINE.test(new TextDecoder().decode(found.subarray(0, 20)))) {
    said.textContent = drop.dataset.wrong;
    return;
  }
  const letters = file.name.replace(/\.rec$/, "").normalize("NFC").replace(/[^\p{L}\p{N}_-]/gu, "-");
  name = Array.from(letters).slice(0, MOST_LETTERS).join("") || "game";
  bytes = found;
  document.getElementById("watch").href = `play/view.html?language=${document.documentElement.lang}#game=${await packGame(bytes)}`;
  said.textContent = file.name;
  acts.hidden = false;
}

document.getElementById("file").addEventListener("change", (event) => take(event.target.files[0]));
document.getElementById("keep").addEventListener("click", async () => {
  const kept = await (await Kept.open()).put("/kept/games", name, bytes);
  said.textContent = kept ? drop.dataset.kept : drop.dataset.refused;
});
for (const type of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(type, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", type === "dragover");
    if (type === "drop") take(event.dataTransfer.files[0]);
  });
}
