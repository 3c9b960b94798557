// One finding as the reader sees it: what is wrong, where, and how to fix it.

import { h } from "./dom.js";
import { toQuestion } from "./route.js";
import { capital, cut, fileName, link, long, prose } from "./text.js";

export const SEVERITIES = { error: "Error", warning: "Warning", information: "Note" };

/** A finding. `only` makes the button that shows only the findings of its file. */
export function finding(one, { only = null, isLinked = true } = {}) {
  const place = one.line
    ? `${fileName(one.file)}:${one.line}${one.column ? `:${one.column}` : ""}`
    : fileName(one.file);
  const help = [one.help ?? []].flat().join(" ");
  return h(
    "article.finding",
    {},
    h("span.severity", { class: one.severity }, SEVERITIES[one.severity] ?? one.severity),
    h(
      "div",
      {},
      message(capital(one.message ?? ""), "p.text"),
      detail(one),
      help !== "" && message(capital(help), "p.help", withLinks),
      h(
        "p.facts",
        {},
        place && h("code.place", { dir: "auto", title: one.file }, place),
        h("code", {}, one.code),
        isLinked && one.id && h("a", { href: toQuestion(one) }, "The question"),
        only,
      ),
    ),
  );
}

/** The data at the place, and the place. */
function detail({ value, path }) {
  const says = value !== null && value !== undefined && value !== "";
  if (!says && !path) return null;
  return h(
    "p.detail",
    {},
    says && ["It says ", h("code", { dir: "auto" }, cut(String(value), 300)), path && " "],
    path && [says ? "at " : "At ", h("code", { dir: "auto" }, cut(path, 300))],
  );
}

/** A message with its code spans; a very long one is shortened instead. */
function message(text, name, parts = prose) {
  return text.length > 900 ? long(text, name, 700) : h(name, { dir: "auto" }, parts(text));
}

/** The help, with addresses as links: this text is from the program, not from the data. */
function withLinks(text) {
  return text.split(/(https?:\/\/[^\s`]+[^\s`.,;:)])/).map((part, at) => (at % 2 === 1 ? link(part) : prose(part)));
}
