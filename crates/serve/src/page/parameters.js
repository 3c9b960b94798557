// The parameters of named queries: a form, and the values when the text of the query is edited.
//
// The server takes values only for a query that it knows by name. An edited text is another query, so the values are
// written into it: each parameter is replaced by its value before it is sent. This is not possible if the query itself
// gives the variable values. Then the page says so, instead of leaving the value out.

import { h, unique } from "./dom.js";
import { capital, prose } from "./text.js";
import { term, written } from "./terms.js";
import { tokens } from "./tokens.js";

const XSD = "http://www.w3.org/2001/XMLSchema#";
const HINTS = {
  string: "text",
  integer: "whole number",
  decimal: "number",
  boolean: "true or false",
  iri: "IRI",
  date: "2026-01-31",
  dateTime: "2026-01-31T12:00:00",
};

/** The default value of a parameter, as people write it. */
export function initial(parameter) {
  const given = parameter.default ?? "";
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(given);
  return parameter.type === "string" && quoted ? quoted[1].replace(/\\(.)/g, "$1") : given;
}

/** The value that counts: an empty field is the empty string; for other types, it is left to the query. */
function given(parameter, values) {
  const text = values[parameter.name];
  return text === undefined || (text.trim() === "" && parameter.type !== "string") ? initial(parameter) : text;
}

/** A form; `values` has the texts by name, and `changed` is called after each change. */
export function form(parameters, values, changed, run) {
  return h(
    "form.parameters",
    {
      "aria-label": "Parameters",
      onsubmit: (event) => {
        event.preventDefault();
        run();
      },
    },
    parameters.map((parameter) => field(parameter, values, changed)),
    h("button.hidden", { tabindex: "-1", "aria-hidden": "true" }, "Run"),
  );
}

function field(parameter, values, changed) {
  const id = unique("parameter");
  const text = values[parameter.name] ?? initial(parameter);
  const input =
    parameter.type === "boolean"
      ? h(
          "select",
          { id },
          ["true", "false"].map((value) => h("option", { value, selected: value === text }, value)),
        )
      : h("input", {
          id,
          autocomplete: "off",
          dir: "auto",
          placeholder: HINTS[parameter.type] ?? "",
          inputmode: parameter.type === "integer" ? "numeric" : parameter.type === "decimal" ? "decimal" : null,
        });
  if (parameter.type !== "boolean") input.value = text;
  input.addEventListener("input", () => {
    values[parameter.name] = input.value;
    changed();
  });
  return h(
    "div",
    {},
    h("label", { for: id }, capital(parameter.name.replaceAll("_", " "))),
    input,
    parameter.description && h("small", {}, prose(capital(parameter.description))),
  );
}

/** The values as in a URL of the named query; a string is quoted, so that it is not read as another term. */
export function asQuery(parameters, values) {
  const query = {};
  for (const parameter of parameters) {
    const text = given(parameter, values);
    if (text === "" && parameter.type !== "string") continue;
    query[parameter.name] = parameter.type === "string" ? written(term("literal", text)) : text.trim();
  }
  return query;
}

/** The value of a parameter as SPARQL. */
function asTerm({ name, type }, text) {
  const bare = text.trim();
  const refuse = (wanted) => {
    throw new Error(`The parameter “${name}” must be ${wanted}, but “${bare.slice(0, 60)}” is not.`);
  };
  switch (type) {
    case "integer":
      return /^[+-]?\d+$/.test(bare) ? bare : refuse("a whole number");
    case "decimal":
      return /^[+-]?\d+$/.test(bare)
        ? `"${bare}"^^<${XSD}decimal>`
        : /^[+-]?\d*\.\d+$/.test(bare)
          ? bare
          : refuse("a number");
    case "boolean":
      return bare === "true" || bare === "false" ? bare : refuse("true or false");
    case "iri": {
      const inner = bare.replace(/^<(.*)>$/, "$1");
      if (/^[^<>"{}|^`\\\s]+$/.test(inner) && inner !== "")
        return /^[\p{L}\p{N}_-]*:[\p{L}\p{N}_-]+$/u.test(bare) && !/^urn:/.test(bare) ? bare : `<${inner}>`;
      return refuse("an IRI");
    }
    case "date":
      return /^\d{4}-\d\d-\d\d$/.test(bare) ? `"${bare}"^^<${XSD}date>` : refuse("a date");
    case "dateTime":
      return /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)?$/.test(bare)
        ? `"${bare}"^^<${XSD}dateTime>`
        : refuse("a date with a time");
    default:
      return written(term("literal", text));
  }
}

/** The text with parameters replaced by their values. Throws if that would change the meaning of the query. */
export function filled(text, parameters, values) {
  const terms = new Map(
    parameters
      .map((parameter) => [parameter.name, { parameter, text: given(parameter, values) }])
      .filter(([, one]) => one.text !== "" || one.parameter.type === "string"),
  );
  const list = tokens(text).filter((token) => token.kind !== "comment");
  const parts = [];
  let done = 0;
  let depth = 0;
  // The word that opened a list of variables in which terms are not allowed.
  let head = null;
  list.forEach((token, at) => {
    const before = list[at - 1];
    const after = list[at + 1];
    const word = token.kind === "keyword" ? token.text.toUpperCase() : null;
    if (token.text === "(") depth += 1;
    if (token.text === ")") depth -= 1;
    if (word === "SELECT") head = { word, depth };
    else if (word === "DESCRIBE") head = { word, depth };
    else if (word === "VALUES") head = { word, depth };
    else if (word === "BY") head = { word, depth };
    else if (
      (word !== null && !["DISTINCT", "REDUCED", "AS", "ASC", "DESC", "NOT", "IN", "EXISTS"].includes(word)) ||
      token.text === "{" ||
      token.text === "}"
    )
      head = null;
    if (token.kind !== "variable") return;
    const name = token.text.slice(1);
    const found = terms.get(name);
    if (found === undefined) return;
    const refuse = (why) => {
      throw new Error(
        `The value of “${name}” cannot be put into the edited query: ${why} Give the variable another name there, or open the query again.`,
      );
    };
    if (before?.text.toUpperCase() === "AS") refuse("the query gives ?" + name + " a value with AS.");
    if (head?.word === "VALUES") refuse("the query gives ?" + name + " values with VALUES.");
    const value = asTerm(found.parameter, found.text);
    const isBare = head !== null && depth === head.depth;
    let put = value;
    if (head?.word === "SELECT" && isBare) put = `(${value} AS ?${name})`;
    else if (head?.word === "BY" && isBare) put = `(${value})`;
    else if (before?.text === "(" && list[at - 2]?.text.toUpperCase() === "BOUND" && after?.text === ")") {
      // BOUND takes only variables; a parameter with a value is bound.
      parts.push(text.slice(done, list[at - 2].from), "true");
      done = after.to;
      return;
    }
    parts.push(text.slice(done, token.from), put);
    done = token.to;
  });
  parts.push(text.slice(done));
  return parts.join("");
}
