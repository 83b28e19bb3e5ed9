// The buzzer: a square wave of the frequency that the chip's pin has. Silent until the first gesture, as browsers want it.

import "./storage.js";

const KEY = "cardtable.mute";
const LOUDNESS = 0.04;
const LINGER_MS = 1000; // a sound has faded by then: the computer's sound rests until the next one
let context = null;
let wave = null;
let gain = null;
let pitch = 0; // of the buzzer now; 0: it is silent
let timer = 0;

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
  rest();
}

/** Sound again, and rest once all is silent. */
function stir() {
  if (context.state === "suspended") context.resume();
  rest();
}

function rest() {
  clearTimeout(timer);
  timer = setTimeout(() => (pitch ? rest() : context.suspend()), LINGER_MS);
}

/** Sound at `hz`, or fall silent at 0. */
export function buzz(hz) {
  if (!context || !hz && !pitch) return;
  pitch = hz;
  stir();
  const now = context.currentTime;
  if (hz) wave.frequency.setValueAtTime(hz, now);
  gain.gain.setTargetAtTime(hz && !isMuted() ? LOUDNESS : 0, now, 0.004);
}

/** Two soft tones: somebody is waited for. */
export function chime() {
  if (!context || isMuted()) return;
  stir();
  [660, 880].forEach((hz, index) => {
    const tone = context.createOscillator();
    const loudness = context.createGain();
    const at = context.currentTime + index * 0.14;
    tone.frequency.value = hz;
    loudness.gain.setValueAtTime(0, at);
    loudness.gain.linearRampToValueAtTime(LOUDNESS * 1.5, at + 0.02);
    loudness.gain.linearRampToValueAtTime(0, at + 0.13);
    tone.connect(loudness).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.14);
  });
}
