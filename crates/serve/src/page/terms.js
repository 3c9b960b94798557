// RDF terms as results write them, and as people see them.

const XSD = "http://www.w3.org/2001/XMLSchema#";
const NUMBERS = new Set(
  [
    "integer",
    "decimal",
    "double",
    "float",
    "int",
    "long",
    "short",
    "byte",
    "nonNegativeInteger",
    "positiveInteger",
    "unsignedInt",
    "unsignedLong",
    "nonPositiveInteger",
    "negativeInteger",
    "unsignedShort",
    "unsignedByte",
  ].map((name) => XSD + name),
);

/** A term: `kind` is iri, blank, literal or triple; `text` its text. */
export function term(kind, text, datatype = null, language = null) {
  return { kind, text, datatype, language };
}

/** The rows of a table in SPARQL's JSON; a term that is not there is null. */
export function bindings(answer) {
  if (typeof answer.boolean === "boolean")
    return { variables: ["answer"], rows: [[term("literal", String(answer.boolean), `${XSD}boolean`)]] };
  const variables = answer.head.vars ?? [];
  return {
    variables,
    rows: answer.results.bindings.map((row) =>
      variables.map((name) => (Object.hasOwn(row, name) ? ofJson(row[name]) : null)),
    ),
  };
}

function ofJson(given) {
  if (given.type === "uri") return term("iri", given.value);
  if (given.type === "bnode") return term("blank", given.value);
  if (given.type === "triple") return term("triple", JSON.stringify(given.value));
  return term("literal", given.value, given.datatype ?? null, given["xml:lang"] ?? null);
}

/** The number of a term; nothing for other terms. */
export function toNumber(given) {
  if (!given || given.kind !== "literal") return null;
  if (given.datatype !== null && !NUMBERS.has(given.datatype)) return null;
  // Text formats of results write strings without a datatype: a quoted value is a string.
  if (given.datatype === null) return null;
  const value = Number(given.text);
  return Number.isFinite(value) ? value : null;
}

/** The text of a term. */
export function plain(given) {
  if (!given) return "";
  return given.kind === "blank" ? `_:${given.text}` : given.text;
}

/** A term of a line of tab-separated values or N-Triples, which write terms as Turtle does. */
export function ofTurtle(text) {
  if (text === "") return null;
  const first = text[0];
  if (first === "<" && text[1] !== "<") return term("iri", unescape(text.slice(1, -1)));
  if (first === "_" && text[1] === ":") return term("blank", text.slice(2));
  if (first === '"') {
    const end = text.lastIndexOf('"');
    const value = unescape(text.slice(1, end));
    const rest = text.slice(end + 1);
    if (rest.startsWith("@")) return term("literal", value, null, rest.slice(1));
    if (rest.startsWith("^^<")) return term("literal", value, rest.slice(3, -1));
    return term("literal", value);
  }
  if (/^[+-]?\d+$/.test(text)) return term("literal", text, `${XSD}integer`);
  if (/^[+-]?\d*\.\d+$/.test(text)) return term("literal", text, `${XSD}decimal`);
  if (/^[+-]?(\d+\.?\d*|\.\d+)[eE][+-]?\d+$/.test(text)) return term("literal", text, `${XSD}double`);
  if (text === "true" || text === "false") return term("literal", text, `${XSD}boolean`);
  return term("triple", text);
}

const ESCAPES = { t: "\t", n: "\n", r: "\r", b: "\b", f: "\f" };

function unescape(text) {
  if (!text.includes("\\")) return text;
  return text.replace(/\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))/gs, (whole, four, eight, one) => {
    const code = four ?? eight;
    if (code === undefined) return ESCAPES[one] ?? one;
    const point = parseInt(code, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
  });
}

/** The triples of N-Triples; other lines are left out. */
export function triples(text, most = Infinity) {
  const list = [];
  for (const line of text.split("\n")) {
    const parts = TRIPLE.exec(line.trim());
    if (parts) list.push({ subject: ofTurtle(parts[1]), predicate: ofTurtle(parts[2]), object: ofTurtle(parts[3]) });
    if (list.length >= most) break;
  }
  return list;
}

const TRIPLE = /^(<[^>]*>|_:\S+)\s+(<[^>]*>)\s+(<[^>]*>|_:\S+?|"(?:[^"\\]|\\.)*"(?:@[\w-]+|\^\^<[^>]*>)?)\s*\.?$/s;

/** Shortens IRIs by prefixes. */
export function shortener(prefixes) {
  const known = Object.entries(prefixes).sort((one, other) => other[1].length - one[1].length);
  return (iri) => {
    for (const [prefix, namespace] of known) {
      if (!iri.startsWith(namespace)) continue;
      const rest = iri.slice(namespace.length);
      if (/^[\p{L}\p{N}_][\p{L}\p{N}_-]*$/u.test(rest)) return `${prefix}:${rest}`;
    }
    return null;
  };
}

/** A term as SPARQL writes it. */
export function written(given) {
  if (given.kind === "iri") return `<${given.text}>`;
  if (given.kind === "blank") return `_:${given.text}`;
  if (given.kind === "triple") return given.text;
  const text = `"${given.text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")}"`;
  if (given.language) return `${text}@${given.language}`;
  return given.datatype && given.datatype !== `${XSD}string` ? `${text}^^<${given.datatype}>` : text;
}
