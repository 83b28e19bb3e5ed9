// Brings a recorded game: it is shown, or kept among the finished games of this browser.

import {packGame} from "./play/link.js";
import {Kept} from "./play/kept.js";

const MOST_BYTES = 1024 * 1024;
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
  if (file.size > MOST_BYTES || !new TextDecoder().decode(found.subarray(0, 12)).startsWith("cardtable 1")) {
    said.textContent = drop.dataset.wrong;
    return;
  }
  name = file.name.replace(/\.rec$/, "").replace(/[^\w-]/g, "-").slice(0, 70) || "game";
  bytes = found;
  document.getElementById("watch").href = `play/view.html?language=${document.documentElement.lang}#game=${await packGame(bytes)}`;
  said.textContent = file.name;
  acts.hidden = false;
}

document.getElementById("file").addEventListener("change", (event) => take(event.target.files[0]));
document.getElementById("keep").addEventListener("click", async () => {
  const kept = await (await Kept.open()).put(`/kept/games/${name}.rec`, bytes);
  said.textContent = kept ? drop.dataset.kept : drop.dataset.refused;
});
for (const type of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(type, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", type === "dragover");
    if (type === "drop") take(event.dataTransfer.files[0]);
  });
}
