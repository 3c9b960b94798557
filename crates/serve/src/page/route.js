// Each state of the page has an address, `#/view?parameters`, that can be sent and opened again.

import { query } from "./api.js";

/** The view and the parameters that an address names. */
export function parse(hash) {
  const [path, search = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  return { view: path || "questions", parameters: new URLSearchParams(search) };
}

/** The address of a view. */
export function to(view, parameters = {}) {
  const search = query(parameters);
  return search ? `#/${view}?${search}` : `#/${view}`;
}

/** The address of a question. */
export function toQuestion(question) {
  return to("question", { graph: question.graph, id: question.id });
}

/** Replaces the current address, so that a text typed letter by letter is one step of the history. */
export function replace(hash) {
  if (location.hash === hash) return;
  history.replaceState(history.state, "", hash);
}

/** Goes to an address, as a link does. */
export function go(hash) {
  location.hash = hash;
}

/** Adds a step to the history, without drawing anything again. */
export function push(hash) {
  if (location.hash === hash) return;
  history.pushState({ entry: `${Date.now()}-${Math.random()}` }, "", hash);
}

/** Replaces one parameter of the address. */
export function replaceParameter(name, value) {
  const { view, parameters } = parse(location.hash);
  if (value === null) parameters.delete(name);
  else parameters.set(name, value);
  const search = parameters.toString();
  replace(search ? `#/${view}?${search}` : `#/${view}`);
}
