// Keeps the whole site in this browser: what is kept is checked against its hash whenever it is given out, and what is
// damaged or missing comes from the server again. FILES is written here when the site is made.

const FILES = {};
const VERSION = "none";
const CACHE = `cardtable-${VERSION}`;
const root = new URL("./", location.href).href;

async function hashOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The answer with its bytes, if they are the right ones. */
async function checked(name, answer) {
  if (!answer || !answer.ok) return null;
  const bytes = await answer.arrayBuffer();
  if (await hashOf(bytes) !== FILES[name]) return null;
  return new Response(bytes, {headers: {"Content-Type": answer.headers.get("Content-Type") || "application/octet-stream", "Content-Length": String(bytes.byteLength)}});
}

/** From what an older version has kept, else from the server. */
async function bring(cache, name) {
  const here = await checked(name, await caches.match(root + name));
  const answer = here || await checked(name, await fetch(root + name, {cache: "no-cache"}));
  if (!answer) throw new Error(`${name} is not the file of this version`);
  await cache.put(root + name, answer);
}

async function install() {
  const cache = await caches.open(CACHE);
  // What goes onto a chip is kept once somebody has asked for it: few do.
  const names = Object.keys(FILES).filter((name) => !name.startsWith("flash/"));
  while (names.length) await Promise.all(names.splice(0, 8).map((name) => bring(cache, name)));
}

async function activate() {
  for (const name of await caches.keys()) if (name.startsWith("cardtable-") && name !== CACHE) await caches.delete(name);
  await clients.claim();
}

async function give(request, name) {
  const cache = await caches.open(CACHE);
  const kept = await checked(name, await cache.match(root + name));
  if (kept) return kept;
  const answer = await fetch(request);
  const right = await checked(name, answer.clone());
  if (right) await cache.put(root + name, right).catch(() => {}); // there is no room: the next visit brings it again
  return answer;
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("message", (event) => event.data === "take over" && skipWaiting());
addEventListener("fetch", (event) => {
  const address = event.request.url.split(/[?#]/)[0];
  if (event.request.method !== "GET" || !address.startsWith(root)) return;
  let name = decodeURIComponent(address.slice(root.length));
  if (!name || name.endsWith("/")) name += "index.html";
  if (name in FILES) event.respondWith(give(event.request, name));
});
