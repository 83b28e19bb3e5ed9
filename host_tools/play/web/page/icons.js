// The small drawings of the bar, as lines on a field of 24 by 24.

const LINES = {
  hand: "M7 12V6a1.5 1.5 0 0 1 3 0V4.5a1.5 1.5 0 0 1 3 0V6a1.5 1.5 0 0 1 3 0v2a1.5 1.5 0 0 1 3 0v7a6 6 0 0 1-6 6h-1c-3 0-4.5-1-6-4l-2.5-4.5c-.8-1.6 1.2-2.6 2.3-1.2L7 13M10 6v5M13 6v5M16 8v3",
  loud: "M4 9v6h4l5 4V5L8 9ZM16 9a4 4 0 0 1 0 6M18.5 6a8 8 0 0 1 0 12",
  silent: "M4 9v6h4l5 4V5L8 9ZM16 9.5l5 5M21 9.5l-5 5",
  list: "M4 6h16M4 12h16M4 18h10",
  switches: "M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5ZM8 14.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5Z",
  first: "M6 5v14M19 5 9 12l10 7Z", back: "M16 5 6 12l10 7Z", play: "M7 4 19 12 7 20Z", pause: "M8 5v14M16 5v14", on: "M8 5l10 7-10 7Z", last: "M18 5v14M5 5l10 7-10 7Z",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  bulb: "M9 18h6M10 21h4M8.5 14.500a5.500 5.500 0 1 1 7 0c-.6.6-.9 1.200-1 2h-5c-.1-.8-.4-1.400-1-2Z",
  question: "M8.5 9a3.5 3.5 0 1 1 5 3.200c-1 .6-1.5 1.2-1.5 2.3M12 18v.2",
};
const SVG = "http://www.w3.org/2000/svg";

/** Draw the named icon into `element`, if it is not there already. */
export function drawIcon(element, name) {
  if (element.dataset.icon === name) return;
  element.dataset.icon = name;
  element.setAttribute("aria-hidden", "true");
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", LINES[name]);
  svg.append(path);
  element.replaceChildren(svg);
}
