// The screen of the table, dot by dot, as the chip shows it.

const LIT = "#bfefff";
const DARK = "#04070a";
let shown = "";

/** Draw the last `screen` message into the canvas at a whole number of pixels a dot. */
export function drawGlass(canvas, screen, scale) {
  const {width, height, dots, text} = screen;
  const words = (Array.isArray(text) ? text : String(text || "").split("\n")).map((row) => row.trim()).filter(Boolean).join(" / ");
  if (canvas.getAttribute("aria-label") !== words) canvas.setAttribute("aria-label", words || "-");
  const key = `${width}x${height}x${scale}:${dots}`;
  if (key === shown) return;
  shown = key;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const bits = atob(dots);
  const pen = canvas.getContext("2d");
  pen.fillStyle = DARK;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = LIT;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      if (bits.charCodeAt(at >> 3) & (0x80 >> (at & 7))) pen.fillRect(x * scale, y * scale, scale, scale);
    }
  }
}
