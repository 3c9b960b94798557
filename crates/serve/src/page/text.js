// How texts, numbers, dates and addresses of the data are shown.

import { button, fill, h } from "./dom.js";

const LONG = 1_600;
const BLOCK = 10_000;
const whole = new Intl.NumberFormat("en");
const fraction = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** A number as people read it. */
export function number(value) {
  return Number.isInteger(value) ? whole.format(value) : fraction.format(value);
}

/** `1 question`, `2 questions`. */
export function counted(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** A date with its time if it has one; anything else stays as it is written. */
export function date(text) {
  const parts = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?/.exec(text ?? "");
  if (!parts) return text ?? "";
  return parts[2] && parts[2] !== "00:00" ? `${parts[1]}, ${parts[2]}` : parts[1];
}

/** The text in one line, cut. */
export function brief(text, most) {
  const line = text
    .slice(0, most * 2)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > most || text.length > most * 2 ? `${cut(line, most)}…` : line;
}

/** The beginning of a text, without splitting a character. */
export function cut(text, most) {
  const end = most > 0 && /[\ud800-\udbff]/.test(text[most - 1] ?? "") ? most - 1 : most;
  return text.slice(0, end);
}

/** A text of any length; a long one is cut until the reader opens it. */
export function long(text, name = "p.text", most = LONG) {
  const host = h(name, { dir: "auto" });
  if (text.length <= most + 200) {
    host.append(text);
    return host;
  }
  const whole = `Show all ${number(text.length)} characters`;
  const shown = h("span", {}, `${cut(text, most)}…`);
  const more = button(
    whole,
    () => {
      const opens = host.dataset.open === undefined;
      if (opens) host.dataset.open = "";
      else delete host.dataset.open;
      fill(shown, opens ? blocks(text) : `${cut(text, most)}…`);
      more.textContent = opens ? "Show less" : whole;
    },
    { class: "more" },
  );
  host.append(shown, " ", more);
  return host;
}

/** A long text in blocks that end between words, so that the browser lays out only those in sight. */
function blocks(text) {
  if (text.length <= 4 * BLOCK) return text;
  const list = [];
  for (let from = 0; from < text.length;) {
    const space = text.lastIndexOf(" ", from + BLOCK);
    const to =
      from + BLOCK >= text.length ? text.length : space > from ? space + 1 : from + cut(text.slice(from), BLOCK).length;
    list.push(h("span.block", {}, text.slice(from, to)));
    from = to;
  }
  return list;
}

/** A link if the address is a web address; otherwise the address as text. */
export function link(address, text = address) {
  let url = null;
  try {
    url = new URL(address);
  } catch {
    // Not an address.
  }
  if (url === null || !["http:", "https:"].includes(url.protocol)) return h("span", { dir: "auto" }, text);
  return h("a", { href: url.href, rel: "noopener noreferrer", target: "_blank", dir: "auto" }, text);
}

/** A text with the searched words marked. */
export function marked(text, words) {
  const wanted = words.filter((word) => word.length > 0);
  if (wanted.length === 0) return [text];
  // The searched text has other lengths: for each of its positions, the position in the text.
  let low = "";
  const positions = [];
  let position = 0;
  for (const character of text) {
    const searched = searchable(character);
    for (let at = 0; at < searched.length; at += 1) positions.push(position);
    low += searched;
    position += character.length;
  }
  positions.push(text.length);
  const runs = [];
  for (const word of wanted) {
    for (let at = low.indexOf(word); at >= 0 && runs.length < 200; at = low.indexOf(word, at + word.length)) {
      runs.push({ from: positions[at], to: positions[at + word.length] });
    }
  }
  runs.sort((one, other) => one.from - other.from);
  const parts = [];
  let done = 0;
  for (const { from, to } of runs) {
    if (to <= done) continue;
    const begin = Math.max(from, done);
    parts.push(text.slice(done, begin), h("mark", {}, text.slice(begin, to)));
    done = to;
  }
  parts.push(text.slice(done));
  return parts;
}

/** The end of a path: the name of a file with the folder that it is in. */
export function fileName(path) {
  return (path ?? "").split("/").slice(-2).join("/");
}

/** A text as it is searched: without case and accents. */
export function searchable(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The words of a search. */
export function words(search) {
  return searchable(search).split(/\s+/).filter(Boolean);
}

/** A value of the data in a few characters: yes and no as words. */
export function value(given) {
  if (given === null || given === undefined) return "–";
  if (typeof given === "boolean") return given ? "yes" : "no";
  return typeof given === "number" ? number(given) : String(given);
}

const SYSTEMS = { karenina: "Karenina", train: "Training", kwanzaa: "Kwanzaa", rlcf: "RLCF" };

/** The name of a system as a title. */
export function system(name) {
  return Object.hasOwn(SYSTEMS, name ?? "") ? SYSTEMS[name] : (name ?? "");
}

/** A message of the program, in which text between backticks is code. */
export function prose(text) {
  const parts = String(text ?? "").split("`");
  // A backtick without a partner is an ordinary character.
  if (parts.length % 2 === 0) return [String(text)];
  return parts.map((part, at) => (at % 2 === 1 ? h("code", {}, part) : part)).filter((part) => part !== "");
}

/** A text with a capital at its beginning, unless it begins with a name of the data or of code. */
export function capital(text) {
  return /^\p{Ll}[\p{L}'’-]*(?:[\s,;:]|$)/u.test(text) ? text[0].toUpperCase() + text.slice(1) : text;
}
