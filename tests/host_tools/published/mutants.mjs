// Reads links from standard input, one a line, and says how many bytes of a record each holds: by the page's own reader.

import {readFileSync} from "node:fs";

const {packGame, unpackGame} = await import(process.argv[2]);
const told = [];
for (const link of readFileSync(0, "utf8").split("\n")) told.push((await unpackGame(link)).length);
const whole = new TextEncoder().encode("cardtable 1\n".repeat(50));
const again = await unpackGame(await packGame(whole));
console.log(JSON.stringify([told, Buffer.compare(again, whole)]));
