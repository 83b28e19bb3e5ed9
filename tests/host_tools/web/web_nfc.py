"""A stand-in for Web NFC in Chromium: as much of the API as the page uses, and tags that a test holds to it."""

from tests.host_tools.play.real_evening import uid_of

# A phone reads no faster, and a reader that tells more than six tags a second has to rest (play/readers/readers.py):
# a fast machine would come to that.
EACH_MS = 200
STRANGER = 250  # as uid_of makes a tag of it: no card of any deck
STAND_IN = """
window.written = [];
window.NDEFReader = class {
  constructor() { window.nfc = this; }
  async scan() { if (window.refuses) throw new DOMException("no", window.refuses); }
  async write(message) { window.written.push(message.records[0].data); }
};
let freeAt = 0;
window.holdTag = async (serialNumber, text) => {
  await new Promise((done) => setTimeout(done, Math.max(0, freeAt - performance.now())));
  freeAt = performance.now() + EACH_MS;
  window.nfc.onreading({serialNumber, message: {records: text === null ? [] :
    [{recordType: "text", encoding: "utf-8", data: new TextEncoder().encode(text)}]}});
};
""".replace("EACH_MS", str(EACH_MS))


def serial(card):
    """A tag's number as a phone tells it."""
    return ":".join(f"{byte:02x}" for byte in uid_of(card))


def hold(page, card):
    """That card's tag, which holds nothing, is held to the phone."""
    page.evaluate("([uid]) => window.holdTag(uid, null)", [serial(card)])
