// The buzzer: a square wave of the frequency that the chip's pin has. Silent until the first gesture, as browsers want it.

const KEY = "cardtable.mute";
const LOUDNESS = 0.04;
let context = null;
let wave = null;
let gain = null;

export function isMuted() {
  return localStorage.getItem(KEY) === "yes";
}

export function setMuted(muted) {
  localStorage.setItem(KEY, muted ? "yes" : "no");
  if (muted && gain) gain.gain.value = 0;
}

/** Browsers let a page sound once a person has touched it. */
export function wake() {
  if (context || !("AudioContext" in window)) return;
  context = new AudioContext();
  wave = context.createOscillator();
  wave.type = "square";
  gain = context.createGain();
  gain.gain.value = 0;
  wave.connect(gain).connect(context.destination);
  wave.start();
}

/** Sound at `hz`, or fall silent at 0. */
export function buzz(hz) {
  if (!context) return;
  const now = context.currentTime;
  if (hz) wave.frequency.setValueAtTime(hz, now);
  gain.gain.setTargetAtTime(hz && !isMuted() ? LOUDNESS : 0, now, 0.004);
}
