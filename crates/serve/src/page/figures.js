// The named queries with a chart: pictures, with their numbers below and a link to the query.

import { Refusal, address, ask, failure, get } from "./api.js";
import { bars, columns, histogram } from "./chart.js";
import { fill, h, unique } from "./dom.js";
import { to } from "./route.js";
import { bindings, plain, toNumber } from "./terms.js";
import { brief, capital, counted, number, prose } from "./text.js";

const BARS = 24;
const MULTIPLES = 12;
const COLUMNS = 120;
const BINS = 30;

/** Shows the figures. */
export function show(root, given) {
  let wanted = given.get("name");
  const body = h("div.figures");
  fill(
    root,
    h("div.title", {}, h("h1", { tabindex: "-1" }, "Figures"), h("p.lead", {}, "All files together, in charts.")),
    body,
  );
  load();
  return {
    top: true,
    update(next) {
      wanted = next.get("name");
      load();
    },
  };

  async function load() {
    try {
      const { queries } = await get("api/queries");
      const charts = queries.filter((query) => query.chart !== null && query.chart !== undefined);
      const shown = wanted === null ? charts : charts.filter((query) => query.name === wanted);
      if (shown.length === 0) {
        return fill(
          body,
          h(
            "div.empty",
            {},
            h("h2", {}, wanted === null ? "No figures" : "No figure of this name"),
            h(
              "p",
              {},
              wanted === null
                ? "A line at the top turns a named query into a figure:"
                : h("a", { href: "#/figures" }, "All figures"),
            ),
            wanted === null && h("pre", {}, "# chart: bars label value"),
          ),
        );
      }
      fill(
        body,
        wanted === null &&
          shown.length > 3 &&
          h(
            "nav.contents",
            { "aria-label": "Figures" },
            shown.map((query) => h("a", { href: to("figures", { name: query.name }) }, query.title)),
          ),
        wanted !== null && h("p", {}, h("a", { href: "#/figures" }, "← All figures")),
        shown.map((query) => figure(query, shown.length === 1)),
      );
    } catch (error) {
      fill(body, failure(error, load));
    }
  }
}

/** One figure; if it is the only one, it shows all of its bars. */
function figure(query, isAlone) {
  const id = unique("figure");
  const host = h("div.picture", { "aria-busy": "true" }, h("span.bone"), h("span.bone.short"));
  const box = h(
    "figure.figure",
    { "aria-labelledby": id },
    h(
      "figcaption",
      {},
      h("h2", { id }, h("a", { href: to("figures", { name: query.name }) }, query.title)),
      query.description && h("p.hint", {}, prose(capital(query.description))),
    ),
    host,
    h("p.facts", {}, h("a", { href: to("sparql", { name: query.name }) }, "The query behind it")),
  );
  run();
  return box;

  async function run() {
    try {
      const reply = await ask(address(`query/${encodeURIComponent(query.name)}`), {
        headers: { Accept: "application/sparql-results+json" },
      });
      const table = bindings(await reply.json());
      host.removeAttribute("aria-busy");
      fill(host, draw(query, table, isAlone));
    } catch (error) {
      host.removeAttribute("aria-busy");
      fill(
        host,
        failure(error instanceof Refusal ? error : new Refusal(0, { detail: "The figure cannot be drawn." }), run),
      );
    }
  }
}

function draw(query, table, isAlone) {
  const { kind, label, value } = query.chart;
  if (table.rows.length === 0) return h("p.hint", {}, "There is nothing to show yet.");
  return [picture(kind, table, label, value, query.title, isAlone), details(table, isAlone)];
}

/** The picture of a table; nothing if no value is a number. */
export function picture(kind, table, label, value, name, isAlone = true) {
  const labelAt = table.variables.indexOf(label);
  const valueAt = table.variables.indexOf(value);
  if (valueAt < 0) return h("p.hint", {}, `The answer has no column ?${value}.`);
  const points = table.rows
    .map((row) => ({
      label: labelAt < 0 ? "" : plain(row[labelAt]),
      at: toNumber(row[labelAt]),
      value: toNumber(row[valueAt]),
      row,
    }))
    .filter((point) => point.value !== null);
  if (points.length === 0) return h("p.hint", {}, `?${value} is not a number in any row.`);
  withoutFolders(points);
  const by = grouping(table, [labelAt, valueAt], points);
  if (by === null) return one(kind, points, name, { isAlone, value });
  const groups = new Map();
  for (const point of points) {
    const key = plain(point.row[by]);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(point);
  }
  const shown = [...groups].slice(0, isAlone ? 60 : MULTIPLES);
  return h(
    "div.multiples",
    {},
    shown.map(([key, list]) =>
      h(
        "div",
        {},
        h("h3", { dir: "auto", title: key }, brief(key, 60) || "–"),
        one(kind, list, `${name}: ${key}`, { value, width: 260 }),
      ),
    ),
    groups.size > shown.length && h("p.hint", {}, `and ${number(groups.size - shown.length)} more`),
  );
}

/** Shortens paths in one folder to their ends, which are all that differs. */
function withoutFolders(points) {
  const first = points[0].label;
  if (points.length < 2 || !first.includes("/")) return;
  let shared = first.lastIndexOf("/") + 1;
  for (const { label } of points) {
    while (shared > 0 && !label.startsWith(first.slice(0, shared))) shared = first.lastIndexOf("/", shared - 2) + 1;
  }
  for (const point of points) point.label = point.label.slice(shared);
}

/** The column whose values distinguish rows with the same label, such as the trait of a value. */
function grouping(table, used, points) {
  const labels = new Set(points.map((point) => point.label));
  if (labels.size === points.length || labels.size === 1) return null;
  for (let at = 0; at < table.variables.length; at += 1) {
    if (used.includes(at) || points.every((point) => toNumber(point.row[at]) !== null)) continue;
    const pairs = new Set(points.map((point) => JSON.stringify([plain(point.row[at]), point.label])));
    const groups = new Set(points.map((point) => plain(point.row[at])));
    if (pairs.size === points.length && groups.size < points.length) return at;
  }
  return null;
}

function one(kind, points, name, { isAlone = false, value = "", width = 720 }) {
  if (kind !== "histogram") {
    const isShare = points.every((point) => point.value >= 0 && point.value <= 100) && /percent/i.test(value);
    const shown = isAlone ? points.slice(0, 500) : points.slice(0, BARS);
    return [
      bars(shown, { name, most: isShare ? 100 : null, unit: isShare ? " %" : "" }),
      points.length > shown.length && h("p.hint", {}, `and ${number(points.length - shown.length)} more`),
    ];
  }
  // The query has counted the values, or they are counted here.
  const isCounted = points.every((point) => point.at !== null);
  if (!isCounted)
    return histogram(
      points.map((point) => point.value),
      { name, width, height: 190, parts: 20 },
    );
  const sorted = fewer([...points].sort((left, right) => left.at - right.at));
  return columns(sorted, { name, width, height: width < 400 ? 120 : 190 });
}

/** Only as many columns as can be distinguished: neighbours are counted together. */
function fewer(points) {
  if (points.length <= COLUMNS) return points;
  const low = points[0].at;
  const step = (points.at(-1).at - low) / BINS || 1;
  const bins = Array.from({ length: BINS }, (_, at) => ({
    label: `${number(low + at * step)} to ${number(low + (at + 1) * step)}`,
    value: 0,
  }));
  for (const point of points) bins[Math.min(BINS - 1, Math.floor((point.at - low) / step))].value += point.value;
  return bins;
}

function details(table, isAlone) {
  const most = isAlone ? 2000 : 200;
  const isNumber = table.variables.map(
    (_, at) => table.rows.some((row) => row[at]) && table.rows.every((row) => !row[at] || toNumber(row[at]) !== null),
  );
  const box = h(
    "details",
    { open: isAlone || null },
    h("summary", {}, `The numbers (${counted(table.rows.length, "row")})`),
  );
  const make = () => {
    if (box.childElementCount > 1) return;
    box.append(
      h(
        "div.scroll",
        { tabindex: "0", role: "region", "aria-label": "The numbers" },
        h(
          "table",
          {},
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              table.variables.map((name, at) =>
                h("th", { scope: "col", class: isNumber[at] ? "number" : "" }, name.replaceAll("_", " ")),
              ),
            ),
          ),
          h(
            "tbody",
            {},
            table.rows.slice(0, most).map((row) =>
              h(
                "tr",
                {},
                row.map((term, at) =>
                  h(
                    "td",
                    { class: isNumber[at] ? "number" : "", dir: "auto" },
                    isNumber[at] && term ? number(toNumber(term)) : plain(term).slice(0, 500),
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
      table.rows.length > most ? h("p.hint", {}, `The first ${number(most)} rows.`) : "",
    );
  };
  if (isAlone) make();
  else box.addEventListener("toggle", make, { once: true });
  return box;
}
