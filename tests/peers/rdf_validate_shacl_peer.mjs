// rdf-validate-shacl as a process: a case a line, its results a line, both JSON (see README.md).

import { createInterface } from "node:readline";
import { Parser } from "n3";
import SHACLValidator from "rdf-validate-shacl";

const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const SH = "http://www.w3.org/ns/shacl#";
const STRING = "http://www.w3.org/2001/XMLSchema#string";
const STEPS = {
  inversePath: "inverse",
  zeroOrMorePath: "zeroOrMore",
  oneOrMorePath: "oneOrMore",
  zeroOrOnePath: "zeroOrOne",
};

// A label of the data may be one of the shapes, too, which are other nodes.
const quads = (text, graph) => new Parser({ format: "N-Triples", blankNodePrefix: `_:${graph}-` }).parse(text);

function shown(term) {
  if (!term) return null;
  if (term.termType === "NamedNode") return `<${term.value}>`;
  if (term.termType === "BlankNode") return `_:${term.value.replace(/^(data|shapes)-/, "")}`;
  if (term.language) return `"${term.value}"@${term.language.toLowerCase()}`;
  return term.datatype.value === STRING ? `"${term.value}"` : `"${term.value}"^^<${term.datatype.value}>`;
}

function path(pointer) {
  if (!pointer.term) return null;
  if (pointer.term.termType === "NamedNode") return shown(pointer.term);
  const out = (iri) => pointer.out({ termType: "NamedNode", value: iri, equals: (other) => other.value === iri });
  const items = (list) => [...list.list()].map(path).join(",");
  if (out(`${RDF}first`).term) return `sequence(${items(pointer)})`;
  if (out(`${SH}alternativePath`).term) return `alternative(${items(out(`${SH}alternativePath`))})`;
  for (const [step, name] of Object.entries(STEPS)) {
    const inner = out(SH + step);
    if (inner.term) return `${name}(${path(inner)})`;
  }
  return "unknown";
}

async function answer(question) {
  const validator = new SHACLValidator(quads(question.shapes, "shapes"));
  const data = validator.factory.dataset(quads(question.data, "data"));
  const report = await validator.validate(data);
  const results = report.results.map((result) => [
    shown(result.focusNode),
    path(result.pointer.out(result.ns.sh.resultPath)),
    shown(result.value),
    shown(result.sourceConstraintComponent),
    shown(result.sourceShape),
    shown(result.severity),
  ]);
  return { results };
}

for await (const line of createInterface({ input: process.stdin })) {
  let reply;
  try {
    reply = await answer(JSON.parse(line));
  } catch (error) {
    reply = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
