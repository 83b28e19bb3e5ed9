// The page that puts a table on a chip: which buttons can be pressed, and what is said.

import {Trouble, start, withChip, write} from "./chip.js";
import {look} from "./image.js";
import {Prompt} from "./prompt.js";
import {saveFile} from "./save.js";

const MOST_BYTES = 4 * 1024 * 1024;
const MOST_LINES = 400;
const USE = `import sys
try:
    folder = open('/app.txt').read().split()[0]
except OSError:
    folder = 'a'
sys.path.insert(0, '/' + folder)
`;
// How many tags are cards, and whether one is the arbiter's key.
const COUNT = `def rows(name):
    try:
        return [line.split() for line in open(name) if line.strip() and line[0] != ';']
    except OSError:
        return []
print(sum(len(row) == 2 for row in rows('/deck.txt')), sum(row[1:] == ['arbiter'] for row in rows('/tags.txt')))
`;
const at = (name) => document.getElementById(name);
const root = at("flash");
const words = JSON.parse(root.dataset.words);
const filesAt = Number(root.dataset.filesAt);
const python = root.dataset.micropython;
const sums = JSON.parse(root.dataset.sums); // name of a file: its published SHA-256
let image = null; // the bytes of MicroPython
let takesFiles = false;
let isBusy = false;
let prompt = null;

function say(place, key, facts = {}) {
  place.textContent = key && words[key].replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "");
  place.dataset.key = key;
}

const chosen = () => at("board").selectedOptions[0];

function show() {
  at("write").disabled = isBusy || !image || !navigator.serial;
  for (const name of ["board", "file", "speed"]) at(name).disabled = isBusy;
  at("open").disabled = isBusy || !navigator.serial || Boolean(prompt);
  for (const name of ["doctor", "parts", "cards"]) at(name).disabled = isBusy || !prompt;
  root.dataset.busy = isBusy ? "yes" : "no";
}

/** One thing at a time; what goes wrong is one sentence there. */
async function alone(place, act) {
  isBusy = true;
  show();
  say(place, "");
  try {
    await act();
  } catch (error) {
    tellTrouble(place, error);
  }
  isBusy = false;
  show();
}

function tellTrouble(place, error) {
  const trouble = error instanceof Trouble ? error : error?.name === "NotFoundError" ? new Trouble("noPort") : new Trouble("stopped");
  say(place, trouble.key, trouble.facts);
}

// --- the file and the board ---

function showBoard() {
  const {image: name, psram} = chosen().dataset;
  say(at("wanted"), psram ? "wanted" : "wantedRom", {name, python});
  at("clone").textContent = `make flash BOARD=${chosen().value} PORT=/dev/ttyUSB0${psram ? "" : " IMAGE=firmware.bin"}`;
  at("alone").textContent = `esptool --port /dev/ttyUSB0 write-flash 0x${Number(chosen().dataset.at).toString(16)} ${name}.bin 0x${filesAt.toString(16)} ${chosen().value}-8.littlefs`;
  listImages();
  checkFile();
}

async function checkFile() {
  const file = at("file").files[0];
  image = null;
  say(at("checked"), "");
  show();
  if (!file) return;
  const option = chosen();
  const bytes = new Uint8Array(await file.slice(0, MOST_BYTES).arrayBuffer());
  const found = file.size > MOST_BYTES ? {wrong: "noImage"} : await look(bytes, option.dataset.chip, Number(option.dataset.at), filesAt);
  if (option !== chosen() || file !== at("file").files[0]) return;
  const sum = checkSum(file.name, found.sha256);
  if (found.wrong || sum === "otherSum") return say(at("checked"), found.wrong || sum, {...found, name: file.name});
  image = bytes;
  takesFiles = found.takesFiles;
  const key = !takesFiles ? "goodRom" : found.version !== python ? "goodOther" : option.dataset.psram ? "good" : "goodSmall";
  say(at("checked"), key, {...found, python, board: option.value});
  at("checked").append(` ${words[sum].replace("{sha256}", found.sha256)}`);
  at("checked").dataset.sum = sum;
  show();
}

/** What the list of published sums says of a file. */
function checkSum(name, sha256) {
  if (Object.values(sums).includes(sha256)) return "sumListed";
  if (name in sums) return "otherSum";
  return Object.keys(sums).length ? "sumUnlisted" : "sumNoList";
}

// --- the files of the table ---

async function brought(address) {
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) throw new Trouble("noFiles");
  return answer;
}

async function makeFiles(board, size) {
  const sizes = (await (await brought("boards.json")).json())[board];
  if (!sizes[size]) throw new Trouble("noSize", {size: size || "?", sizes: Object.keys(sizes).join(", ")});
  const packed = await brought(`${board}.bin`);
  const bytes = new Uint8Array(await new Response(packed.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  for (const [where, byte] of sizes[size]) bytes[where] = byte;
  return bytes;
}

async function listImages() {
  const board = chosen().value;
  const sizes = await brought("boards.json").then((answer) => answer.json()).catch(() => ({}));
  if (board !== chosen().value) return;
  at("images").replaceChildren(...Object.keys(sizes[board] || {}).map((size) => {
    const link = document.createElement("button");
    link.type = "button";
    link.textContent = `${board}-${size}.littlefs`;
    link.addEventListener("click", () => {
      say(at("saved"), "");
      saveFiles(board, size).catch((error) => tellTrouble(at("saved"), error));
    });
    return link;
  }));
}

async function saveFiles(board, size) {
  saveFile(`${board}-${size}.littlefs`, await makeFiles(board, size));
}

// --- writing ---

at("write").addEventListener("click", () => alone(at("said"), async () => {
  const port = await navigator.serial.requestPort();
  await prompt?.close();
  prompt = null;
  const option = chosen();
  const bar = at("bar");
  say(at("said"), "connects");
  try {
    await withChip(port, Number(at("speed").value), async (loader, about) => {
      if (about.chip !== option.dataset.chip) throw new Trouble("notThisChip", {found: about.chip, chip: option.dataset.chip});
      const parts = [{at: Number(option.dataset.at), bytes: image}];
      if (takesFiles) parts.push({at: filesAt, bytes: await makeFiles(option.value, about.flash)});
      bar.hidden = false;
      say(at("said"), "writes", about);
      await write(loader, parts, (percent) => { bar.value = percent; });
    }, !takesFiles);
    say(at("said"), takesFiles ? "written" : "writtenRom", {board: option.value});
  } finally {
    bar.hidden = true;
  }
  if (takesFiles) {
    await talk(port);
    await start(port).catch(() => {}); // now that its first lines are heard; a cable that is lost says so by itself
  }
}));

// --- the table ---

function print(line) {
  const log = at("log");
  log.hidden = false;
  log.append(`${line.replace(/[^\x20-\x7e\u0400-\u04ff]/g, "")}\n`);
  while (log.childNodes.length > MOST_LINES) log.firstChild.remove();
  log.scrollTop = log.scrollHeight;
}

async function talk(port) {
  const made = new Prompt(port, print, () => {
    if (prompt !== made) return;
    prompt = null;
    say(at("told"), "lost");
    show();
  });
  await made.open();
  prompt = made;
  say(at("told"), "listens");
}

function byLines(take) {
  let rest = "";
  return (text) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop();
    lines.forEach(take);
  };
}

async function examine(asks) {
  let wrong = 0;
  say(at("told"), asks ? "asks" : "examines");
  await prompt.stopped(() => prompt.run(`${USE}import main\nmain.doctor(${asks}, '')`, byLines((line) => {
    wrong += line.startsWith("! ");
    print(line);
  })));
  say(at("told"), wrong ? "sick" : "healthy", {count: wrong});
}

at("open").addEventListener("click", () => alone(at("told"), async () => talk(await navigator.serial.requestPort())));
at("doctor").addEventListener("click", () => alone(at("told"), () => examine("False")));
at("parts").addEventListener("click", () => alone(at("told"), () => examine("True")));
at("cards").addEventListener("click", () => alone(at("told"), async () => {
  const [cards, keys] = (await prompt.stopped(() => prompt.run(COUNT))).trim().split(" ").map(Number);
  say(at("told"), !keys ? "noKey" : cards < 36 ? "fewCards" : "ready", {cards});
}));

at("board").addEventListener("change", showBoard);
at("file").addEventListener("change", checkFile);
at("none").hidden = Boolean(navigator.serial);
at("typed").open = !navigator.serial;
showBoard();
show();
