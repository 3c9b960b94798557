// All elements are made here. Strings from the data become text nodes, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element: `h("a.row", { href, onclick }, child, "text", [more])`; null and false are left out. */
export function h(name, properties = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) set(element, key, value);
  add(element, children);
  return element;
}

/** An element of a picture. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  }
  add(element, children);
  return element;
}

function set(element, key, value) {
  if (value === null || value === undefined || value === false) return;
  if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
  else if (key === "class") element.className = [element.className, value].filter(Boolean).join(" ");
  else if (key === "data") Object.assign(element.dataset, value);
  else if (value === true) element.setAttribute(key, "");
  else element.setAttribute(key, value);
}

function add(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) add(element, child);
    else element.append(child);
  }
}

/** Replaces all children. */
export function fill(element, ...children) {
  element.replaceChildren();
  add(element, children);
  return element;
}

/** A button. */
export function button(label, onclick, properties = {}) {
  return h("button", { type: "button", onclick, ...properties }, label);
}

/** Announces a text to screen readers. */
export function say(text) {
  const live = document.getElementById("live");
  // Screen readers do not read the same text twice, unless it changes in between.
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

/** Shows a notice for a while; a notice with a button stays until it is closed. */
export function notice(text, action = null) {
  const host = document.getElementById("notices");
  const box = h(
    "div.notice",
    {},
    h("span", { dir: "auto" }, text),
    action,
    button("Close", () => box.remove(), { class: "quiet" }),
  );
  host.replaceChildren(box);
  if (!action) setTimeout(() => box.remove(), 6000);
  return box;
}

let serial = 0;

/** An id that no other element has. */
export function unique(prefix) {
  serial += 1;
  return `${prefix}-${serial}`;
}

/** Calls back after a pause without calls. */
export function debounced(milliseconds, call) {
  let timer = 0;
  const later = (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...given), milliseconds);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}

/** Puts a text into the clipboard. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages from another machine have no clipboard without encryption.
    const area = h("textarea.hidden", { "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  notice(`${what} copied.`);
}

/** Gives the reader a file. */
export function save(name, type, parts) {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
