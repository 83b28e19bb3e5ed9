"""A stand-in for Web NFC in Chromium: as much of the API as the page uses, and tags that a test holds to it."""

from tests.host_tools.play.real_evening import uid_of

STRANGER = 250  # as uid_of makes a tag of it: no card of any deck
STAND_IN = """
window.written = [];
window.NDEFReader = class {
  constructor() { window.nfc = this; }
  async scan() { if (window.refuses) throw new DOMException("no", window.refuses); }
  async write(message) { window.written.push(message.records[0].data); }
};
window.holdTag = (serialNumber, text) => window.nfc.onreading({serialNumber, message: {records: text === null ? [] :
  [{recordType: "text", encoding: "utf-8", data: new TextEncoder().encode(text)}]}});
"""


def serial(card):
    """A tag's number as a phone tells it."""
    return ":".join(f"{byte:02x}" for byte in uid_of(card))


def hold(page, card):
    """That card's tag, which holds nothing, is held to the phone."""
    page.evaluate("([uid]) => window.holdTag(uid, null)", [serial(card)])
