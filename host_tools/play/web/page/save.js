// A file that the browser saves, made on the page itself.

const READ_MS = 60_000; // Safari reads it after the click, and a phone asks first where it shall lie

/** Save `content`, text or bytes, as a file of that name. */
export function saveFile(name, content, type = "application/octet-stream") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_MS);
}
