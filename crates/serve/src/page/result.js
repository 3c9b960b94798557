// The answer of a query as a table, a chart or a picture.

import { button, debounced, fill, h, unique } from "./dom.js";
import { picture } from "./figures.js";
import { graph } from "./graph.js";
import { Table } from "./table.js";
import { replaceParameter } from "./route.js";
import { counted, number } from "./text.js";
import { toNumber } from "./terms.js";

const CHARTED = 5_000;
const NAMES = { table: "Table", chart: "Chart", picture: "Picture" };

/** The place where an answer is shown. */
export class Result {
  constructor(host) {
    this.host = host;
    this.shorten = () => null;
    this.centre = null;
    this.view = null;
    this.wanted = null;
    this.chart = null;
    this.answer = null;
    this.table = null;
  }

  /** The form in which the next answer is shown first, and the chart that its query declares. */
  wants(view, chart) {
    this.wanted = view;
    this.chart = chart;
    this.view = view;
  }

  clear() {
    this.close();
    this.answer = null;
    this.host.replaceChildren();
  }

  close() {
    this.table?.close();
    this.table = null;
  }

  /** Another answer was requested: the previous one stays in sight until a part of the new one arrives. */
  begin() {
    this.answer = null;
  }

  /** A part of the answer has arrived. */
  came(answer, isDone) {
    const isFirst = this.answer !== answer;
    this.answer = answer;
    if (isFirst) this.start();
    else if (this.table) this.table.grown();
    if (isDone) this.finish();
  }

  start() {
    this.close();
    const { answer } = this;
    this.body = h("div.result-body");
    this.tabs = h("div.tabs", { role: "group", "aria-label": "Show as" });
    const id = unique("filter");
    const filter = h("input", {
      id,
      type: "search",
      placeholder: "Only rows with …",
      "aria-label": "Only rows with this text",
      autocomplete: "off",
    });
    filter.addEventListener(
      "input",
      debounced(80, () => this.table?.only(filter.value)),
    );
    this.note = h("p.hint");
    this.forTable = h(
      "div.for-table",
      {},
      filter,
      button("Copy", () => this.table?.copyRows(), { "aria-label": "Copy the rows" }),
    );
    fill(this.host, h("div.result-top", {}, this.tabs, this.forTable), this.note, this.body);
    if (answer.isGraph && this.wanted !== "picture") this.view = this.wanted ?? "picture";
    else if (!answer.isGraph && this.wanted === "picture") this.view = "table";
    else this.view = this.wanted ?? "table";
    // A picture needs the whole answer; rows are shown as they arrive.
    if (this.view === "table") this.show("table");
  }

  finish() {
    const { answer } = this;
    const views = answer.isGraph ? ["picture", "table"] : this.canChart() ? ["table", "chart"] : ["table"];
    if (!views.includes(this.view)) this.view = views[0];
    fill(
      this.tabs,
      views.length > 1 &&
        views.map((view) =>
          button(
            NAMES[view],
            () => {
              this.wanted = view;
              this.show(view);
              replaceParameter("view", view === views[0] && !answer.isGraph ? null : view);
            },
            { data: { view } },
          ),
        ),
    );
    if (answer.boolean !== null) {
      this.forTable.hidden = true;
      fill(this.body, h("p.yes-or-no", {}, answer.boolean ? "Yes" : "No"));
      return;
    }
    if (answer.lines.length === 0) {
      this.close();
      this.forTable.hidden = true;
      this.note.textContent = "";
      fill(
        this.body,
        h(
          "div.empty",
          {},
          h("h2", {}, "No results"),
          h(
            "p",
            {},
            "The query ran, but nothing in the data matches. Remove patterns to find the one that does not match.",
          ),
        ),
      );
      return;
    }
    if (this.view === "table" && this.table) this.press();
    else this.show(this.view);
  }

  press() {
    for (const tab of this.tabs.children) tab.setAttribute("aria-pressed", String(tab.dataset.view === this.view));
    this.forTable.hidden = this.view !== "table";
  }

  show(view) {
    this.view = view;
    this.close();
    this.note.textContent = "";
    this.press();
    if (view === "table") {
      this.table = new Table(this.body, this.answer, {
        shorten: (iri) => this.shorten(iri),
        counted: (count, shown) => {
          const isCut = shown < count;
          const isFiltered = this.table?.filter;
          this.note.textContent = isCut
            ? `The first ${number(shown)} rows can be scrolled to.`
            : isFiltered
              ? `${counted(count, "row")} with this text`
              : "";
        },
      });
    } else if (view === "picture") {
      fill(
        this.body,
        graph(this.answer.statements(2_000), this.centre, (iri) => this.shorten(iri)),
      );
    } else this.showChart();
  }

  canChart() {
    return this.answer.lines.length > 1 && this.numbers().length > 0;
  }

  /** The columns that have numbers. */
  numbers() {
    const sample = this.answer.lines.slice(0, 100).map((line) => this.answer.terms(line));
    return this.answer.variables.filter(
      (_, at) =>
        sample.some((row) => toNumber(row[at]) !== null) &&
        sample.every((row) => !row[at] || toNumber(row[at]) !== null),
    );
  }

  showChart() {
    const { variables, lines } = this.answer;
    const numbers = this.numbers();
    const chosen = {
      kind: this.chart?.kind ?? "bars",
      label: this.chart?.label ?? variables.find((name) => !numbers.includes(name)) ?? variables[0],
      value: this.chart?.value ?? numbers[0],
    };
    const table = { variables, rows: lines.slice(0, CHARTED).map((line) => this.answer.terms(line)) };
    const host = h("div.picture");
    const draw = () => fill(host, picture(chosen.kind, table, chosen.label, chosen.value, chosen.value));
    const select = (name, title, options) =>
      h(
        "label",
        {},
        h("span", {}, title),
        h(
          "select",
          {
            onchange: (event) => {
              chosen[name] = event.target.value;
              draw();
            },
          },
          options.map(([value, text]) => h("option", { value, selected: value === chosen[name] }, text)),
        ),
      );
    fill(
      this.body,
      h(
        "div.chart-form",
        {},
        select("kind", "As", [
          ["bars", "Bars"],
          ["histogram", "Histogram"],
        ]),
        select(
          "label",
          "By",
          variables.map((name) => [name, name.replaceAll("_", " ")]),
        ),
        select(
          "value",
          "Show",
          numbers.map((name) => [name, name.replaceAll("_", " ")]),
        ),
      ),
      host,
      lines.length > CHARTED && h("p.hint", {}, `The first ${number(CHARTED)} rows are drawn.`),
    );
    draw();
  }
}
