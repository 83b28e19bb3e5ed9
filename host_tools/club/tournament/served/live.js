// Keeps a page of the evening up to date: asks for the log's length, and takes the new text of <main> when it has grown.
// On the television it turns the pages: as many players, tables and ranks as fit, then the next ones.
const STEP_MS = 2000;
const TURN_MS = 10000;
// How far the clock here is ahead of the director's, by which a round begins.
const AHEAD_MS = Date.now() - Date.parse(document.body.dataset.now);
let turn = 0;

// A language that was chosen is in a cookie by now, and leaves the address: anyone who is sent that reads their own.
const address = new URL(location.href);
if (address.searchParams.has("language") && document.cookie.includes("cardtable_language=")) {
  address.searchParams.delete("language");
  history.replaceState(history.state, "", address);
}

function tick() {
  for (const clock of document.querySelectorAll("[data-since]")) {
    const seconds = Math.max(0, Math.floor((Date.now() - AHEAD_MS - Date.parse(clock.dataset.since)) / 1000));
    const left = 60 * Number(clock.dataset.minutes ?? 0) - seconds;
    const text = !clock.dataset.minutes ? say("clockGone", seconds) : left > 0 ? say("clockLeft", left) : say("clockLate", -left);
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("late", "minutes" in clock.dataset && left <= 0);
  }
}

// The page's own words, in its language, with the time in the place of @.
function say(key, seconds) {
  return document.body.dataset[key].replace("@", write(seconds));
}

function write(seconds) {
  const minutes = Math.floor(seconds / 60) % 60;
  return `${Math.floor(seconds / 3600)}:${String(minutes).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}

async function look() {
  try {
    const answer = await fetch("/version", { cache: "no-store" });
    const version = (await answer.json()).version;
    if (String(version) === document.body.dataset.version || isBusy()) return;
    const text = await (await fetch(location.href, { cache: "no-store" })).text();
    const fresh = new DOMParser().parseFromString(text, "text/html");
    const main = fresh.querySelector("main"); // a proxy's word, or that somebody looks too often, has none
    if (!main || isBusy()) return;
    document.querySelector("main").replaceWith(main);
    document.body.dataset.version = fresh.body.dataset.version;
    tick();
    show();
  } catch { /* the director is away: the next look may find it again */ }
}

// Nobody's typing is taken away.
function isBusy() {
  return document.activeElement !== null && document.activeElement.matches("input, select");
}

// The pages of a television: [section, its items from, to].
function paginate() {
  const sections = [...document.querySelectorAll("[data-turn]")];
  for (const section of sections) section.hidden = true;
  const found = [];
  for (const section of sections) {
    section.hidden = false;
    const items = [...section.querySelectorAll(section.dataset.turn)];
    for (const item of items) item.hidden = false;
    const boxes = items.map((item) => item.getBoundingClientRect());
    const room = innerHeight - (boxes[0]?.top ?? 0) - scrollY - parseFloat(getComputedStyle(document.body).fontSize);
    let from = 0;
    boxes.forEach((box, at) => {
      if (box.bottom - boxes[from].top > room && at > from && box.top > boxes[at - 1].top) {
        found.push([section, from, at]);
        from = at;
      }
    });
    if (items.length) found.push([section, from, items.length]);
    section.hidden = true;
  }
  return found;
}

function show() {
  if (!document.body.classList.contains("screen")) return;
  const found = paginate();
  if (!found.length) return;
  const [section, from, to] = found[turn % found.length];
  section.hidden = false;
  section.querySelectorAll(section.dataset.turn).forEach((item, at) => { item.hidden = at < from || at >= to; });
  for (const label of document.querySelectorAll(".turned")) label.textContent = `${turn % found.length + 1} / ${found.length}`;
}

tick();
show();
setInterval(tick, 1000);
setInterval(() => { turn += 1; show(); }, TURN_MS);
addEventListener("resize", show);
if ("live" in document.body.dataset) setInterval(look, STEP_MS);
