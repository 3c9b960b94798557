// Python in colours: enough of the syntax to read a template well.

import { h } from "./dom.js";

const MOST = 200_000;
const KEYWORDS = new Set(
  (
    "False None True and as assert async await break case class continue def del elif else except finally for from " +
    "global if import in is lambda match nonlocal not or pass raise return try while with yield"
  ).split(" "),
);
const TOKEN = new RegExp(
  [
    String.raw`(?<comment>#[^\n]*)`,
    String.raw`(?<string>\b[rbfuRBFU]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)|"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)`,
    String.raw`(?<number>\b(?:0[xXoObB][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?j?)\b)`,
    String.raw`(?<decorator>@[\w.]+)`,
    String.raw`(?<word>[\p{L}_][\p{L}\p{N}_]*)`,
  ].join("|"),
  "gu",
);

/** The parts of a source text: strings, and elements with a class for coloured parts. */
export function python(source) {
  if (source.length > MOST) return [source];
  const parts = [];
  let done = 0;
  let defines = false;
  for (const match of source.matchAll(TOKEN)) {
    const { groups } = match;
    const text = match[0];
    if (text === "") continue;
    let kind = groups.comment
      ? "comment"
      : groups.string
        ? "string"
        : groups.number
          ? "number"
          : groups.decorator
            ? "name"
            : null;
    if (groups.word) {
      if (KEYWORDS.has(text)) kind = "keyword";
      else if (defines) kind = "defined";
      else if (text === "self" || text === "cls") kind = "variable";
      defines = text === "def" || text === "class";
    }
    if (kind === null) continue;
    parts.push(source.slice(done, match.index), h(`span.${kind}`, {}, text));
    done = match.index + text.length;
  }
  parts.push(source.slice(done));
  return parts;
}
