// When the table waits for somebody who looks elsewhere: a sound, a phone that trembles, a screen that stays on.

import {isOwn, model} from "./model.js";
import {isOn} from "./reading.js";
import {chime} from "./sound.js";

let was = false;
let lock = null;
let isAsking = false;

/** Asked at each drawing. */
export function noteTurn() {
  const {turn} = model.view;
  const is = model.table.phase === "play" && ["host", "seat"].includes(model.role) && turn.some(isOwn);
  if (is && !was && isOn("calls")) {
    chime();
    if (model.role === "seat" && navigator.vibrate && (!navigator.userActivation || navigator.userActivation.hasBeenActive)) navigator.vibrate(90);
  }
  was = is;
  keepAwake();
}

/** A phone that waits must not go to sleep: its seat would look lost. */
async function keepAwake() {
  const wanted = model.role !== "join" && ["deal", "play"].includes(model.table.phase) && !document.hidden;
  if (!navigator.wakeLock || isAsking || wanted === !!(lock && !lock.released)) return;
  isAsking = true;
  try {
    if (wanted) lock = await navigator.wakeLock.request("screen");
    else await lock.release();
  } catch {
    lock = null; // a phone that saves its battery says no
  }
  isAsking = false;
}
