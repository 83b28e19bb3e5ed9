// Brings the table before the rest of the page has come: this script stands in the page's head itself, before the styles.

const LOCK = "cardtable.table"; // one tab at a time has the table of this browser
const ANSWER_MS = 250; // in which a tab answers another one
const AGAIN_MS = 1000; // until a tab that waits asks again; half as long again at most, so that no two ask together for ever

/** Over plain http a browser has no locks. There the tabs ask each other: one begins where no other has the table, or is
 * about to. */
function askAround(begin) {
  const channel = new BroadcastChannel(LOCK);
  const own = Math.random();
  let isOurs = false;
  let timer = 0; // while this tab asks
  const ask = () => {
    channel.postMessage({asks: own});
    timer = setTimeout(() => {
      timer = 0;
      isOurs = true;
      begin();
    }, ANSWER_MS);
  };
  channel.onmessage = ({data}) => {
    if (data.asks) {
      if (isOurs || timer) channel.postMessage({taken: data.asks});
    } else if (data.taken === own && timer) {
      clearTimeout(timer);
      timer = 0;
      setTimeout(ask, AGAIN_MS * (1 + Math.random() / 2));
    }
  };
  ask();
}

/** The worker in which the table will live, once no other tab has the table. */
globalThis.comingTable = new Promise((found) => {
  const begin = () => found(new Worker("worker.js", {type: "module"}));
  if (!navigator.locks) return globalThis.BroadcastChannel ? askAround(begin) : begin();
  return navigator.locks.request(LOCK, () => {
    begin();
    return new Promise(() => {}); // until this page goes
  }).catch(begin); // a browser that refuses storage may refuse locks
});
