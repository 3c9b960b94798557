// The filters of the list of questions, each with the number of questions that would remain.

import { button, h, unique } from "./dom.js";
import { number, system } from "./text.js";

const FEW = 8;

/** Filters with yes and no, and their words. */
export const STATES = {
  finished: { true: "Finished", false: "Unfinished" },
  answerable: { true: "Answerable", false: "Not answerable" },
  template: { true: "With a template", false: "Without a template" },
  findings: { true: "With findings", false: "Without findings" },
  rated: { true: "Rated", false: "Not rated" },
  contested: { true: "Experts disagree" },
};

const GROUPS = [
  ["system", "System"],
  ["dataset", "Dataset"],
  ["keyword", "Keyword"],
  ["licence", "Licence"],
];

/** The filters that are lists of values. */
export const LISTS = GROUPS.map(([name]) => name);

/** The labels of values, as far as counts have included them: for a value that is an address, people want the title. */
const called = new Map();

/** The words for a filter that is on. */
export function label(name, value) {
  if (Object.hasOwn(STATES, name)) return STATES[name][value] ?? value;
  if (called.has(`${name}=${value}`)) return called.get(`${name}=${value}`);
  return name === "system" ? system(value) : value;
}

/** All filters. `chosen` has the values of each; `toggle(name, value)` turns one on or off. */
export function facets(counts, chosen, opened, toggle) {
  const parts = GROUPS.map(([name, title]) => group(name, title, counts[name] ?? [], chosen, opened, toggle));
  parts.splice(1, 0, states(counts, chosen, toggle));
  return parts.filter(Boolean);
}

function group(name, title, given, chosen, opened, toggle) {
  const on = chosen[name] ?? [];
  for (const one of given) if (one.label) called.set(`${name}=${one.value}`, one.label);
  // A chosen value stays in the list, even if no question remains.
  const missing = on.filter((value) => !given.some((one) => String(one.value) === value));
  const values = [...missing.map((value) => ({ value, count: 0 })), ...given];
  if (values.length === 0) return null;
  const isOpen = opened.has(name);
  const shown =
    isOpen || values.length <= FEW + 2
      ? values
      : values.filter((one, at) => at < FEW || on.includes(String(one.value)));
  const id = unique("facet");
  const more =
    values.length > FEW + 2 &&
    button(
      isOpen ? "Fewer" : `All ${number(values.length)}`,
      () => {
        if (isOpen) opened.delete(name);
        else opened.add(name);
        toggle(null, null);
      },
      {
        class: "more",
        data: { key: `more-${name}` },
        "aria-expanded": String(isOpen),
        "aria-label": `${isOpen ? "Fewer" : "All"}: ${title}`,
      },
    );
  return h(
    "section.facet",
    { "aria-labelledby": id },
    h("h2.small", { id }, title),
    h(
      "ul",
      { class: isOpen ? "all" : "" },
      shown.map((one) => {
        const value = String(one.value);
        return h("li", {}, choice(name, value, label(name, value), one.count, on.includes(value), toggle));
      }),
    ),
    more,
  );
}

function choice(name, value, text, count, isOn, toggle) {
  const parts = [h("span.name", { dir: "auto" }, text || "(none)")];
  if (count !== null) parts.push(h("span.count", {}, number(count)));
  return h(
    "button.choice",
    {
      type: "button",
      "aria-pressed": String(isOn),
      data: { key: `${name}=${value}` },
      title: text,
      onclick: () => toggle(name, value),
    },
    parts,
  );
}

function states(counts, chosen, toggle) {
  const id = unique("facet");
  const rows = Object.entries(STATES)
    .flatMap(([name, texts]) =>
      Object.entries(texts).map(([value, text]) => {
        const given = counts[name];
        const isOn = (chosen[name] ?? []).includes(value);
        const count = given?.find((one) => String(one.value) === value)?.count ?? 0;
        // A value without questions is not a choice, nor is one whose number is not known yet.
        if (count === 0 && !isOn) return null;
        return h("li", {}, choice(name, value, text, given ? count : null, isOn, toggle));
      }),
    )
    .filter(Boolean);
  if (rows.length === 0) return null;
  return h("section.facet", { "aria-labelledby": id }, h("h2.small", { id }, "State"), h("ul", {}, rows));
}
