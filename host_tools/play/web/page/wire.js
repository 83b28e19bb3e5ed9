// The wire between a page and its table: a socket to the server, and what the server gives under an address.
// The published page has another module of this name, behind which the table lives in the page's own worker.

const KNOCK = 6; // characters of the secret, by which a full table knows that this is no further spectator

/** What carries messages: `send`, `close`, `onopen`, `onmessage`, `onclose`, as a WebSocket has them. */
export function openWire(secret) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const knock = secret ? `?knock=${encodeURIComponent(secret.slice(0, KNOCK))}` : "";
  return new WebSocket(`${scheme}//${location.host}/ws${knock}`);
}

/** Whether a server stands behind this page: then other devices can come to its table, and it makes sheets. */
export const isServed = true;

/** The record that is shown, as the letters of a link: a server shows it to everybody under the address that it has. */
export const packShown = async () => "";

/** A Response. */
export const get = (address) => fetch(address);

/** Where a page of a finished game lies. */
export const linkTo = (address) => address;
