// Proposals for the text at the caret: words of the language, variables, prefixes, and the classes and properties that
// the data have. Properties of the subject's class come first.

import { read } from "./place.js";
import { shortener, written as asTerm } from "./terms.js";
import { number } from "./text.js";
import { FUNCTIONS, WORDS, declared, tokens } from "./tokens.js";

const MOST = 60;
const TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
const STARTS = ["PREFIX", "SELECT", "ASK", "CONSTRUCT", "DESCRIBE", "BASE"];
const IN_GROUP = [
  "OPTIONAL",
  "FILTER",
  "BIND",
  "UNION",
  "MINUS",
  "VALUES",
  "GRAPH",
  "FILTER EXISTS",
  "FILTER NOT EXISTS",
  "SELECT",
];
const AFTER = ["ORDER BY", "GROUP BY", "HAVING", "LIMIT", "OFFSET", "VALUES"];
const IN_SELECT = ["DISTINCT", "REDUCED", "AS", "WHERE", "FROM", "FROM NAMED"];
const IN_EXPRESSION = ["IN", "NOT IN", "EXISTS", "NOT EXISTS", "AS", "DISTINCT", "ASC", "DESC", "true", "false"];
const OWN = { "urn:evalgraph:fn:": [["file", "the file of a graph"]] };

/** Proposals for the word before the caret: where it begins, and what could be written there. */
export function proposals(text, caret, vocabulary, isAsked) {
  const all = tokens(text);
  const current = all.find((token) => token.from < caret && caret <= token.to);
  if (current && ["comment", "number", "language"].includes(current.kind)) return null;
  if (current?.kind === "iri" && caret === current.to) return null;
  const isText = current?.kind === "string";
  // After the closing quote there is nothing to propose.
  if (isText && caret === current.to && /^(["']).*\1$/s.test(current.text) && current.text.length > 1) return null;
  const lone = current?.kind === "sign" && (current.text === "?" || current.text === "$" || current.text === "<");
  const isWord = current !== undefined && (current.kind !== "sign" || lone);
  if (!isWord && !isAsked) return null;
  const from = isWord ? current.from : caret;
  const typed = text.slice(from, caret);
  const place = read(all.filter((token) => token.to <= from));
  // Text after the caret counts too: a class may be named below.
  const said = [...place.said, ...read(all.filter((token) => token !== current)).said];
  const prefixes = { ...vocabulary.prefixes, ...declared(text) };
  const known = { ...vocabulary, prefixes, short: shortener(prefixes) };
  if (isText && place.slot !== "object") return null;
  const found = isText ? values(place, said, known) : at(place, said, typed, known, all, current);
  const items = best(
    found.filter((item) => item.text !== typed || item.isSame),
    typed,
  ).slice(0, MOST);
  return { from, to: isWord ? Math.max(caret, current.to) : caret, items };
}

function at(place, said, typed, known, all, current) {
  if (typed.startsWith("?") || typed.startsWith("$")) return variables(all, current, typed[0]);
  if (typed.startsWith("<")) return iris(known, place, said);
  const names = () => [...classes(known, 0), ...everyProperty(known)];
  switch (place.slot) {
    case "start":
      return [...words(STARTS), ...words(["WHERE"])];
    case "prefix":
      return prefixes(known);
    case "select":
      return [...variables(all, current), ...words(IN_SELECT), ...functions(known)];
    case "expression":
      return [
        ...variables(all, current),
        ...functions(known),
        ...words(IN_EXPRESSION),
        ...(typed.includes(":") ? names() : []),
      ];
    case "modifier":
      return words(AFTER);
    case "number":
      return [...words(AFTER)];
    case "group":
      return [...words(["WHERE", "FROM", "EXISTS", "NOT EXISTS"]), ...words(AFTER), ...words(IN_GROUP)];
    case "predicate":
      return predicates(place, said, known);
    case "object":
      return objects(place, said, known, all, current);
    case "terms":
    case "graph":
    case "list":
      return [...variables(all, current), ...(typed.includes(":") ? names() : [])];
    case "after":
      return [...words(IN_GROUP), ...variables(all, current)];
    case "subject":
      return [
        ...variables(all, current),
        ...words(IN_GROUP),
        ...(typed.includes(":") ? names() : []),
        ...(place.type === "top" ? words(AFTER) : []),
      ];
    default:
      return words(WORDS);
  }
}

function words(list) {
  return list.map((text) => ({ text, kind: "word", order: 5 }));
}

function functions(known) {
  const own = Object.entries(known.prefixes).flatMap(([prefix, namespace]) =>
    (OWN[namespace] ?? []).map(([name, told]) => ({
      text: `${prefix}:${name}(`,
      label: `${prefix}:${name}`,
      detail: told,
      kind: "function",
      order: 6,
    })),
  );
  return [
    ...FUNCTIONS.map(({ name, given }) => ({
      text: `${name}(`,
      label: name,
      detail: given,
      kind: "function",
      order: 6,
    })),
    ...own,
  ];
}

function variables(all, current, sign = "?") {
  const counts = new Map();
  for (const token of all) {
    if (token.kind !== "variable" || token === current) continue;
    const text = sign + token.text.slice(1);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, count]) => ({ text, kind: "variable", order: 1, weight: count }));
}

function prefixes(known) {
  return Object.entries(known.prefixes).map(([prefix, namespace]) => ({
    text: `${prefix}: <${namespace}>`,
    label: `${prefix}:`,
    detail: namespace,
    kind: "prefix",
    order: 1,
  }));
}

function written(iri, known) {
  return known.short(iri) ?? `<${iri}>`;
}

function classes(known, order) {
  return known.classes.map(({ iri, count }) => ({
    text: written(iri, known),
    iri,
    detail: `class, ${number(count)}`,
    kind: "class",
    order,
    weight: count,
  }));
}

function property(given, known, order, type = null) {
  const { iri, count, types = [], example = null } = given;
  const parts = [
    number(count),
    types
      .slice(0, 2)
      .map((one) => one.replace(/^xsd:/, ""))
      .join(" or "),
    example === null ? null : `“${String(example).slice(0, 40)}”`,
  ];
  return {
    text: written(iri, known),
    iri,
    detail: [type, ...parts].filter(Boolean).join(", "),
    kind: "property",
    order,
    weight: count,
  };
}

function everyProperty(known) {
  const seen = new Map();
  for (const one of known.properties ?? []) seen.set(one.iri, one);
  for (const { properties } of known.classes) {
    for (const one of properties) if (!seen.has(one.iri)) seen.set(one.iri, one);
  }
  // `a` means this property.
  seen.delete(TYPE);
  return [...seen.values()].map((one) => property(one, known, 3));
}

/** The IRI that a name in the query means. */
function expand(text, known) {
  if (text === "a") return TYPE;
  if (text.startsWith("<")) return text.slice(1, -1);
  const at = text.indexOf(":");
  const namespace = at < 0 ? undefined : known.prefixes[text.slice(0, at)];
  return namespace === undefined ? null : namespace + text.slice(at + 1);
}

/**
 * The classes that the query names for a subject; if it names none, those with all properties that the query uses.
 */
export function classesOf(subject, said, known) {
  const own = said.filter((one) => one.subject === subject);
  const named = new Set(
    own.filter((one) => expand(one.predicate, known) === TYPE).map((one) => expand(one.object, known)),
  );
  const found = known.classes.filter((one) => named.has(one.iri));
  if (found.length > 0) return { list: found, isSaid: true };
  const used = own.map((one) => expand(one.predicate, known)).filter((iri) => iri !== null && iri !== TYPE);
  const isKnown = used.filter((iri) => known.classes.some((one) => one.properties.some((other) => other.iri === iri)));
  if (isKnown.length === 0) return { list: [], isSaid: false };
  return {
    list: known.classes.filter((one) => isKnown.every((iri) => one.properties.some((other) => other.iri === iri))),
    isSaid: false,
  };
}

function predicates(place, said, known) {
  const every = everyProperty(known);
  const type = { text: "a", iri: TYPE, detail: "is of the class", kind: "word", order: 1, weight: 0, isSame: true };
  // Inside a path, the subject is not the node that is written.
  if (place.subject === null || place.isInPath) return [type, ...every];
  const { list, isSaid } = classesOf(place.subject, said, known);
  if (list.length === 0) return [{ ...type, order: 0 }, ...every];
  const seen = new Map();
  for (const one of list) {
    for (const given of one.properties) {
      if (given.iri !== TYPE && !seen.has(given.iri)) seen.set(given.iri, property(given, known, 0));
    }
  }
  const near = [...seen.values()];
  // Properties that the class does not have find nothing, and come last.
  const rest = every
    .filter((one) => !seen.has(one.iri))
    .map((one) => ({ ...one, order: isSaid ? 8 : 4, isElse: isSaid }));
  return [...near, isSaid ? { ...type, order: 7 } : type, ...rest];
}

function objects(place, said, known, all, current) {
  if (place.predicate !== null && expand(place.predicate, known) === TYPE) {
    const used = said.filter((one) => one.subject === place.subject).map((one) => expand(one.predicate, known));
    const fits = (one) =>
      used.every((iri) => iri === TYPE || !iri || one.properties.some((other) => other.iri === iri));
    return [
      ...classes(known, 0).map((item, at) => ({ ...item, order: fits(known.classes[at]) ? 0 : 2 })),
      ...variables(all, current),
    ];
  }
  const iri = place.predicate === null ? null : expand(place.predicate, known);
  const { list } = classesOf(place.subject, said, known);
  const given = values(place, said, known);
  const from = (list.length > 0 ? list : known.classes).flatMap((one) =>
    one.properties.filter((other) => other.iri === iri),
  )[0];
  const examples = [];
  if (from?.types?.some((type) => type.endsWith("boolean"))) examples.push(...words(["true", "false"]));
  if (
    given.length === 0 &&
    from?.example !== null &&
    from?.example !== undefined &&
    from.types?.some((type) => type.endsWith("string"))
  ) {
    examples.push({ text: JSON.stringify(String(from.example)), detail: "for example", kind: "value", order: 3 });
  }
  const name = iri === null ? null : /([\p{L}\p{N}_]+)$/u.exec(iri)?.[1];
  const fresh =
    name && !all.some((token) => token.text === `?${name}`)
      ? [{ text: `?${name}`, detail: "new", kind: "variable", order: 0 }]
      : [];
  return [...variables(all, current), ...fresh, ...examples, ...given];
}

/** Values that the data have there, most frequent first; none until the server has sent them. */
function values(place, said, known) {
  const iri = place.predicate === null || place.isInPath ? null : expand(place.predicate, known);
  if (iri === null || iri === TYPE || known.values === undefined) return [];
  const { list, isSaid } = classesOf(place.subject, said, known);
  const found = known.values(iri, isSaid && list.length === 1 ? list[0].iri : null) ?? [];
  return found.map(({ term, count }) => ({
    text: term.kind === "iri" ? written(term.text, known) : asTerm(term),
    label: term.kind === "iri" ? undefined : `"${term.text.slice(0, 60)}"`,
    detail: number(count),
    kind: "value",
    order: 4,
    weight: count,
  }));
}

function iris(known, place, said) {
  const list =
    place.slot === "predicate" ? predicates(place, said, known) : [...classes(known, 0), ...everyProperty(known)];
  return list.filter((item) => item.iri).map((item) => ({ ...item, text: `<${item.iri}>`, label: item.iri }));
}

/** The matches of the typed text: at the beginning, at the beginning of the local name, or anywhere. */
function best(items, typed) {
  const low = typed.toLowerCase().replace(/^</, "").replace(/^'/, '"');
  const seen = new Set();
  const found = [];
  for (const item of items) {
    const name = (item.label ?? item.text).toLowerCase();
    const local = name.slice(Math.max(name.lastIndexOf(":"), name.lastIndexOf("/"), name.lastIndexOf("#")) + 1);
    const bare = low.slice(low.lastIndexOf(":") + 1);
    const hasPrefix = low.includes(":") && !low.includes("/");
    let rank = 3;
    if (low === "" || name.startsWith(low)) rank = 0;
    else if (!hasPrefix && local.startsWith(low)) rank = 1;
    else if (hasPrefix && bare !== "" && name.startsWith(low.slice(0, low.indexOf(":") + 1)) && local.includes(bare))
      rank = 2;
    else if (!hasPrefix && low.length >= 2 && name.includes(low)) rank = 2;
    if (rank === 3 || seen.has(item.text)) continue;
    seen.add(item.text);
    found.push({ ...item, rank });
  }
  return found.sort(
    (one, other) =>
      one.rank - other.rank ||
      one.order - other.order ||
      (other.weight ?? 0) - (one.weight ?? 0) ||
      (one.text < other.text ? -1 : 1),
  );
}
