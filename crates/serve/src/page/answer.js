// The answer to a query while it arrives: lines of tab-separated values, which are parsed into terms only when they are
// shown. Reading a hundred thousand rows costs one split.

import { ask, address } from "./api.js";
import { bindings, ofTurtle, triples, written } from "./terms.js";

/** The most rows that are kept; a download has all of them. */
const MOST = 800_000;
const TSV = "text/tab-separated-values";
/** How often the caller is notified, in milliseconds: drawing takes longer than reading. */
const PAUSE = 100;
const TYPES = {
  select: TSV,
  ask: "application/sparql-results+json",
  construct: "application/n-triples",
  describe: "application/n-triples",
};

/** The request: a named query with its parameters, or the text of a query. */
export function request(asked, accept, signal = undefined) {
  const headers = { Accept: accept };
  if (asked.name) return ask(address(`query/${encodeURIComponent(asked.name)}`, asked.parameters), { headers, signal });
  headers["Content-Type"] = "application/sparql-query";
  return ask(address("query"), { method: "POST", headers, body: asked.text, signal });
}

/** A table that grows: `variables`, `lines`, and `isGraph` if its rows are statements. */
export class Answer {
  constructor(isGraph = false) {
    this.isGraph = isGraph;
    this.variables = isGraph ? ["subject", "predicate", "object"] : [];
    this.lines = [];
    this.boolean = null;
    this.isCut = false;
    this.told = -PAUSE;
    this.last = { line: null, terms: null };
  }

  /** The terms of a line. */
  terms(line) {
    // Each cell of a row asks for the row.
    if (this.last.line !== line) this.last = { line, terms: this.fields(line).map(ofTurtle) };
    return this.last.terms;
  }

  /** The fields of a line as they are written. */
  fields(line) {
    return line.split("\t");
  }

  /** The statements, if the answer is a graph. */
  statements(most) {
    return this.lines.slice(0, most).map((line) => {
      const [subject, predicate, object] = this.fields(line).map(ofTurtle);
      return { subject, predicate, object };
    });
  }
}

/** Sends the request, and reads the answer; `came(answer, isDone)` is called after each part. */
export async function read(asked, form, signal, came) {
  const reply = await request(
    asked,
    `${TYPES[form] ?? TSV}, application/sparql-results+json;q=0.5, application/n-triples;q=0.4`,
    signal,
  );
  const type = (reply.headers.get("Content-Type") ?? "").split(";")[0].trim();
  if (type === "application/n-triples") return graph(reply, came);
  if (type === TSV) return table(reply, came);
  const answer = new Answer();
  const all = await reply.json();
  if (typeof all.boolean === "boolean") answer.boolean = all.boolean;
  const { variables, rows } = bindings(all);
  answer.variables = variables;
  answer.lines = rows.map((row) => row.map((one) => (one ? written(one) : "")).join("\t"));
  came(answer, true);
  return answer;
}

async function table(reply, came) {
  const answer = new Answer();
  let isHead = true;
  await lines(reply, (list) => {
    let from = 0;
    if (isHead) {
      answer.variables = list[0] === "" ? [] : list[0].split("\t").map((name) => name.replace(/^[?$]/, ""));
      isHead = false;
      from = 1;
    }
    for (let at = from; at < list.length; at += 1) answer.lines.push(list[at]);
    return keepsOn(answer, came);
  });
  came(answer, true);
  return answer;
}

async function graph(reply, came) {
  const answer = new Answer(true);
  await lines(reply, (list) => {
    for (const { subject, predicate, object } of triples(list.join("\n")))
      answer.lines.push(`${written(subject)}\t${written(predicate)}\t${written(object)}`);
    return keepsOn(answer, came);
  });
  came(answer, true);
  return answer;
}

function keepsOn(answer, came) {
  answer.isCut = answer.lines.length >= MOST;
  if (answer.isCut) answer.lines.length = MOST;
  const now = performance.now();
  if (answer.isCut || now - answer.told >= PAUSE) {
    answer.told = now;
    came(answer, false);
  }
  return !answer.isCut;
}

/** Complete lines, in the parts in which they arrive, until `took` has enough. */
async function lines(reply, took) {
  const reader = reply.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const text = rest + decoder.decode(value ?? new Uint8Array(), { stream: !done });
    const end = text.lastIndexOf("\n");
    rest = text.slice(end + 1);
    if (end >= 0 && !took(text.slice(0, end).replaceAll("\r", "").split("\n"))) {
      reader.cancel();
      return;
    }
    if (done) break;
  }
  if (rest !== "") took([rest]);
}
