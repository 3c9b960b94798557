// What a page owes to those who do not see it well or use no mouse, told by the page itself: a list of faults.
// The function gets nothing and returns { faults, order }: `order` is how many stops the Tab key has.

const faults = [];
const sight = (element) => element.getClientRects().length > 0 && element.checkVisibility({ visibilityProperty: true });
const told = (element) => {
  const name = [element.tagName.toLowerCase(), element.id && `#${element.id}`, ...[...element.classList].map((one) => `.${one}`)];
  return `${name.filter(Boolean).join("")} “${(element.textContent ?? "").trim().slice(0, 40)}”`;
};

// Colours in any notation, as bytes.
const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
const bytes = new Map();
const colour = (text) => {
  if (!bytes.has(text)) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    bytes.set(text, { r, g, b, a: a / 255 });
  }
  return bytes.get(text);
};
const over = (top, below) => {
  const mix = (one, other) => one * top.a + other * (1 - top.a);
  return { r: mix(top.r, below.r), g: mix(top.g, below.g), b: mix(top.b, below.b), a: 1 };
};
const behind = (element) => {
  const layers = [];
  for (let at = element; at !== null; at = at.parentElement) {
    const own = colour(getComputedStyle(at).backgroundColor);
    if (own.a > 0) layers.push(own);
    if (own.a === 1) break;
  }
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
  const canvas = dark ? { r: 18, g: 18, b: 18, a: 1 } : { r: 255, g: 255, b: 255, a: 1 };
  return layers.reduceRight((below, layer) => over(layer, below), canvas);
};
const light = ({ r, g, b }) => {
  const [red, green, blue] = [r, g, b].map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one, other) => {
  const [low, high] = [light(one), light(other)].sort((left, right) => left - right);
  return (high + 0.05) / (low + 0.05);
};
const opacity = (element) => {
  let product = 1;
  for (let at = element; at !== null; at = at.parentElement) product *= Number(getComputedStyle(at).opacity);
  return product;
};
const reads = (element, ink, what) => {
  const ground = behind(element);
  const written = colour(ink);
  const ratio = contrast(over({ ...written, a: written.a * opacity(element) }, ground), ground);
  if (ratio < 4.5) faults.push(`contrast ${ratio.toFixed(2)}: ${what} ${told(element)}`);
};

let texts = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
  const element = node.parentElement;
  if (node.data.trim() === "" || !sight(element) || element.closest("textarea, option, script, noscript, :disabled")) continue;
  const box = element.getBoundingClientRect();
  // What is only heard has no size that is seen.
  if (box.width <= 1 || box.height <= 1) continue;
  const style = getComputedStyle(element);
  texts += 1;
  reads(element, element instanceof SVGElement ? style.fill : style.color, "text");
}
if (texts < 10) faults.push(`only ${texts} texts are seen`);
for (const field of document.querySelectorAll("input, select, textarea")) {
  if (!sight(field) || field.disabled) continue;
  // The text of an editor is that of the layer beneath, which has been looked at.
  const ink = getComputedStyle(field).color;
  if (colour(ink).a > 0) reads(field, ink, "field");
  if (field.placeholder) reads(field, getComputedStyle(field, "::placeholder").color, "placeholder");
}

// References lead somewhere, and ids are of one.
const ids = new Set();
for (const element of document.querySelectorAll("[id]")) {
  if (ids.has(element.id)) faults.push(`two of one id: ${told(element)}`);
  ids.add(element.id);
}
for (const name of ["aria-labelledby", "aria-describedby", "aria-controls", "aria-activedescendant", "for", "list"]) {
  for (const element of document.querySelectorAll(`[${name}]`)) {
    for (const id of element.getAttribute(name).split(/\s+/)) {
      if (!ids.has(id)) faults.push(`${name} leads nowhere: ${told(element)}`);
    }
  }
}

// One heading of the first level, and none left out on the way down.
const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter(sight);
if (headings.filter((one) => one.tagName === "H1").length !== 1) faults.push("there is not one heading of the first level");
headings.forEach((one, at) => {
  // What stands beside may come before the heading of the view.
  const before = at === 0 ? 1 : Number(headings[at - 1].tagName[1]);
  if (Number(one.tagName[1]) > before + 1) faults.push(`a level is left out before ${told(one)}`);
});
if (!document.documentElement.lang) faults.push("the page has no language");

// The Tab key goes as one reads: down, or on in a column beside. What sticks to the window is where the page begins.
scrollTo(0, 0);
const stops = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter(
  (element) => sight(element) && !element.disabled && element.tabIndex >= 0 && !element.closest("[inert]"),
);
for (const element of stops) if (element.tabIndex > 0) faults.push(`goes before others: ${told(element)}`);
const places = stops.map((element) => ({ element, box: element.getBoundingClientRect() })).filter(({ box }) => box.width > 1);
places.forEach(({ element, box }, at) => {
  if (at === 0) return;
  const last = places[at - 1].box;
  const isAbove = box.bottom <= last.top && box.left < last.right;
  const isBefore = box.right <= last.left && box.top < last.bottom && box.bottom > last.top && box.top <= last.top;
  if (isAbove || isBefore) faults.push(`the focus goes back from ${told(places[at - 1].element)} to ${told(element)}`);
});
window.stops = stops;
return { faults, order: stops.length };
