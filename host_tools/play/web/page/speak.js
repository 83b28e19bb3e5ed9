// What has changed, said in one live region: at most a dozen words at a time.

const MOST_WORDS = 12;
const PAUSE_MS = 250;
let queue = [];
let timer = 0;

/** Say a sentence; what is said within a quarter of a second is said together, the newest last. */
export function speak(sentence) {
  if (!sentence) return;
  queue.push(sentence);
  clearTimeout(timer);
  timer = setTimeout(flush, PAUSE_MS);
}

function flush() {
  let said = [];
  // The newest sentences that fit: what is dropped stands in the list of events.
  while (queue.length) {
    const words = queue.pop().split(/\s+/);
    if (said.length && said.length + words.length > MOST_WORDS) break;
    said = words.concat(said);
  }
  queue = [];
  const live = document.getElementById("live");
  const text = said.slice(0, MOST_WORDS).join(" ");
  live.textContent = text === live.textContent ? `${text}\u00a0` : text; // of the same text again no reader says anything
}
