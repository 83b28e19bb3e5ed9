// A phone as a reader of cards: Web NFC, which Chrome on Android offers to pages that came by HTTPS; and readers that type.

const EMPTY = "empty";
const OTHER = "?"; // stands for content that is no text record: the table leaves such a tag alone
const WRITE_MS = 4000;
const TYPED_MS = 400; // between two characters of a reader that types

/** Why this browser cannot read cards: "", "iphone", "plain" (no HTTPS) or "none". */
export function whyNot() {
  const isApple = /iPhone|iPad|iPod/.test(navigator.userAgent) || navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1;
  if (isApple) return "iphone";
  if (!window.isSecureContext) return "plain";
  return "NDEFReader" in window ? "" : "none";
}

/** The text that a message holds; what is neither nothing nor one text record is OTHER. */
function textOf(message) {
  const records = message ? Array.from(message.records).filter((record) => record.recordType !== EMPTY) : [];
  if (!records.length) return "";
  if (records.length > 1 || records[0].recordType !== "text") return OTHER;
  return new TextDecoder(records[0].encoding || "utf-8").decode(records[0].data);
}

let nfc = null;
let ending = null;
let last = "";

/** Begin to read. `tell` has read(uid, text) and trouble(name); throws what the phone says: NotAllowedError and others. */
export async function startNfc(tell) {
  stopNfc(); // whoever presses twice before the phone has allowed it reads each card once
  nfc = new window.NDEFReader();
  ending = new AbortController();
  nfc.onreading = (event) => {
    last = event.serialNumber.replaceAll(":", "").toUpperCase();
    tell.read(last, textOf(event.message).slice(0, 60));
  };
  nfc.onreadingerror = () => tell.trouble("unreadable");
  await nfc.scan({signal: ending.signal});
  document.onvisibilitychange = () => tell.trouble(document.hidden ? "hidden" : "");
}

/** Write what the table has written on the tag's model; false where that failed. */
export async function writeNfc(uid, text) {
  if (!nfc || uid !== last) return false;
  try {
    await nfc.write({records: [{recordType: "text", lang: "en", data: text}]}, {overwrite: true, signal: AbortSignal.timeout(WRITE_MS)});
    return true;
  } catch {
    return false;
  }
}

export function stopNfc() {
  if (ending) ending.abort();
  document.onvisibilitychange = null;
  nfc = ending = null;
}

let typed = "";
let typedAt = 0;

/** A number as readers type it: hexadecimal digits, or ten decimal ones for four bytes; "" if it is none. */
export function uidOf(text) {
  if (/^\d{10}$/.test(text) && Number(text) < 2 ** 32) return Number(text).toString(16).padStart(8, "0");
  return /^([0-9a-f]{8}|[0-9a-f]{14}|[0-9a-f]{20})$/i.test(text) ? text : "";
}

/** Hear a reader that types like a keyboard, its last key Enter; the keys do nothing else meanwhile. */
export function startTyped(tell) {
  document.onkeydown = (event) => {
    if (event.target.closest && event.target.closest("input, select, textarea") || event.ctrlKey || event.altKey || event.metaKey) return;
    const isLate = event.timeStamp - typedAt > TYPED_MS;
    if (isLate) typed = "";
    if (event.key === "Enter") {
      if (isLate) return; // a person's, for the button that has the focus; readers may send two
      const uid = uidOf(typed);
      typed = "";
      if (uid) tell.read(uid.toUpperCase(), "");
    } else if (/^[0-9a-f]$/i.test(event.key)) {
      typed += event.key;
    } else {
      return;
    }
    typedAt = event.timeStamp;
    event.preventDefault();
    event.stopPropagation();
  };
}

export function stopTyped() {
  document.onkeydown = null;
}
