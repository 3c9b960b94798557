// Values that a property has in the data, for completion. They are requested once for each property and class, over its
// first statements, so a property of every question costs no more than another.

import { request } from "./answer.js";
import { bindings, plain } from "./terms.js";

const LOOKED_AT = 5_000;
const MOST = 25;
const LONGEST = 120;

/**
 * Returns a function for the values of a property of a class, which returns nothing while they are not known; `arrived`
 * is called when they are.
 */
export function valuesOf(arrived) {
  const known = new Map();
  return (property, type) => {
    const key = JSON.stringify([property, type]);
    if (known.has(key)) return known.get(key);
    known.set(key, null);
    ask(property, type).then(
      (list) => {
        known.set(key, list);
        if (list.length > 0) arrived();
      },
      () => {
        // Without values, there are still the other proposals.
      },
    );
    return null;
  };
}

async function ask(property, type) {
  const pattern = type === null ? `?s <${property}> ?v` : `?s a <${type}> ; <${property}> ?v`;
  const text = `SELECT ?v (COUNT(*) AS ?n) WHERE { { SELECT ?v WHERE { ${pattern} FILTER(!isBlank(?v)) } LIMIT ${LOOKED_AT} } } GROUP BY ?v ORDER BY DESC(?n) LIMIT ${MOST}`;
  const reply = await request({ text }, "application/sparql-results+json");
  const { rows } = bindings(await reply.json());
  return rows
    .filter(([term]) => term && plain(term).length <= LONGEST)
    .map(([term, count]) => ({ term, count: Number(plain(count)) }));
}
