// The wire between a page and its table: a socket to the server, and what the server gives under an address.
// The published page has another module of this name, behind which the table lives in the page's own worker.

/** What carries messages: `send`, `close`, `onopen`, `onmessage`, `onclose`, as a WebSocket has them. */
export function openWire() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(`${scheme}//${location.host}/ws`);
}

/** Whether a server stands behind this page: then other devices can come to its table, and it makes sheets. */
export const isServed = true;

/** A Response. */
export const get = (address) => fetch(address);

/** Where a page of a finished game lies. */
export const linkTo = (address) => address;
