// The pages of the site that are texts: the search of the rulebook, and a newer version of the whole site.

import {watchVersion} from "./version.js";

const find = document.getElementById("find");
if (find) {
  const rows = [...document.querySelectorAll("#all li")].map((node) => [node, node.textContent.toLowerCase()]);
  const count = document.getElementById("count");
  const look = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let number = 0;
    for (const [node, text] of rows) {
      node.hidden = !words.every((word) => text.includes(word));
      number += !node.hidden;
    }
    count.textContent = count.dataset.found.replace("#", number);
  };
  find.addEventListener("input", look);
  look();
}

// The language that somebody reads here is the table's, too; where nothing is kept each page follows the browser.
const LANGUAGE = "cardtable.language"; // as the table's page calls it
document.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  try {
    if (link.hreflang) localStorage.setItem(LANGUAGE, link.hreflang);
    else if (link.pathname.includes("/play/") && !localStorage.getItem(LANGUAGE)) localStorage.setItem(LANGUAGE, document.documentElement.lang);
  } catch { /* nothing is kept */ }
});

const {update, reload} = document.body.dataset;
watchVersion(new URL("sw.js", import.meta.url), update, reload);
