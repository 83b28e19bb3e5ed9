// Elements: made, changed only where they differ, and put where the layout says.

/** A line that ends parts no percent from its number. */
const together = (text) => typeof text === "string" ? text.replaceAll(/(\d) %/g, "$1\u00a0%") : text;

/** A new element; `attributes` with `text` for its text and `on...` for listeners. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = together(value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else set(element, name, value);
  }
  element.append(...children.map(together));
  return element;
}

/** Set an attribute where it differs; null, undefined and false take it away. */
export function set(element, name, value) {
  if (value === null || value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else {
    const words = value === true ? "" : String(value);
    if (element.getAttribute(name) !== words) element.setAttribute(name, words);
  }
}

export function write(element, text) {
  const words = together(text);
  if (element.textContent !== words) element.textContent = words;
}

// A key that stays down presses once: by the second time another button may have the focus, such as one that ends a game.
addEventListener("keydown", (event) => { if (event.repeat && event.key === "Enter") event.preventDefault(); }, true);

const nameOf = (control) => control.name || control.dataset.act || control.localName;
const alike = (box, name) => [...box.querySelectorAll("input, select, textarea, button, a, summary")].filter((one) => nameOf(one) === name);

/** Other children, that say the same anew: who types, chooses or reads there goes on doing so, and what was opened stays
 * open. Where nothing like what had the focus has come, the first button or field gets it. */
export function renew(box, ...parts) {
  const now = document.activeElement;
  const had = box.contains(now);
  const at = had ? alike(box, nameOf(now)).indexOf(now) : -1;
  const {scrollTop} = box.querySelector(".inside") || {};
  const marked = at >= 0 && typeof now.selectionStart === "number" && [now.selectionStart, now.selectionEnd];
  const open = [...box.querySelectorAll("details")].map((one) => one.open);
  box.replaceChildren(...parts);
  [...box.querySelectorAll("details")].forEach((one, index) => { if (index in open) one.open = open[index]; });
  if (scrollTop) box.querySelector(".inside").scrollTop = scrollTop;
  const next = had && (at >= 0 && alike(box, nameOf(now))[at] || box.querySelector("button, input"));
  if (!next) return;
  next.focus({preventScroll: true});
  if (marked && next.setSelectionRange) next.setSelectionRange(...marked);
}

/** Put an element at a box of the stage, in whole pixels. */
export function place(element, box) {
  element.hidden = !box;
  if (!box) return;
  const style = element.style;
  const moved = `translate(${Math.round(box.x)}px, ${Math.round(box.y)}px)`;
  if (style.transform !== moved) style.transform = moved;
  if (box.w) style.width = `${Math.round(box.w)}px`;
  if (box.h) style.height = `${Math.round(box.h)}px`;
}

/** Children of `parent` by key, in order: kept where they are, made by `create`, the rest removed: first, for what stays
 * would lose the focus if it were moved. */
export function keyed(parent, items, keyOf, create) {
  const known = new Map(Array.from(parent.children, (child) => [child.dataset.key, child]));
  const keys = items.map((item) => String(keyOf(item)));
  for (const [key, child] of known) if (!keys.includes(key)) child.remove();
  let last = null;
  return items.map((item, index) => {
    let child = known.get(keys[index]);
    known.delete(keys[index]);
    if (!child) {
      child = create(item);
      child.dataset.key = keys[index];
    }
    const next = last ? last.nextSibling : parent.firstChild;
    if (child !== next) parent.insertBefore(child, next);
    return last = child;
  });
}
