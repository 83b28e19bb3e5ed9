// Brings the table before the rest of the page has come: this module stands alone in the page's head.

const LOCK = "cardtable.table"; // one tab at a time has the table of this browser

/** The worker in which the table will live, once no other tab has the table. */
export const table = new Promise((found) => {
  const begin = () => found(new Worker(new URL("worker.js", import.meta.url), {type: "module"}));
  if (!navigator.locks) return begin();
  return navigator.locks.request(LOCK, () => {
    begin();
    return new Promise(() => {}); // until this page goes
  }).catch(begin); // a browser that refuses storage may refuse locks
});
