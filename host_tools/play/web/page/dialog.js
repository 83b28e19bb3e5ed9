// The page's one dialog: a title, what stands in it, a button that closes it.

import {say} from "./words.js";
import {make, renew} from "./make.js";

let owner = "";

/** Show `nodes` under `title`; `name` tells who has it open. */
export function openDialog(name, title, ...nodes) {
  const dialog = document.getElementById("dialog");
  const parts = [
    make("header", {}, make("h2", {id: "dialog-title", text: title}),
      make("button", {type: "button", class: "plain", "data-act": "close", "aria-label": say("close"), text: "✕", onclick: () => dialog.close()})),
    make("div", {class: "inside"}, ...nodes)];
  if (isOpen(name)) renew(dialog, ...parts);
  else {
    dialog.replaceChildren(...parts);
    if (dialog.open) dialog.querySelector("button").focus(); // as showModal does
  }
  owner = name;
  dialog.dataset.dialog = name;
  if (!dialog.open) {
    dialog.showModal();
    // A handler that returns false would forbid the click, and with it every check box inside.
    // A press that began inside, as of who selects a text, ends nothing.
    let isOutside = false;
    dialog.onpointerdown = (event) => { isOutside = event.target === dialog; };
    dialog.onclick = (event) => { if (isOutside && event.target === dialog) dialog.close(); };
  }
}

export function closeDialog() {
  const dialog = document.getElementById("dialog");
  if (dialog.open) dialog.close();
}

/** Whether the dialog of that name is open. */
export function isOpen(name) {
  return document.getElementById("dialog").open && owner === name;
}
