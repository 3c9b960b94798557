// A result as a table: elements only for rows in sight, order and filter over all rows, each value in full on a press.

import { button, copy, fill, h, say } from "./dom.js";
import { Rows } from "./rows.js";
import { go, to } from "./route.js";
import { brief, link, long, number, searchable } from "./text.js";
import { plain, toNumber } from "./terms.js";

/** The order of texts in the language of the reader, with numbers in texts as numbers. */
const inOrder = new Intl.Collator(undefined, { numeric: true });

const SAMPLE = 200;
const WIDEST = 46;
const COPIED = 50_000;

/** A table in `host`; `shorten` gives IRIs their short forms. */
export class Table {
  constructor(host, answer, { shorten, counted }) {
    this.answer = answer;
    this.shorten = shorten;
    this.counted = counted;
    this.order = { column: -1, isDown: false };
    this.filter = "";
    this.shown = null;
    this.at = { row: 0, column: 0 };
    this.head = h("div.table-head", { role: "row" });
    this.body = h("div.table-body", { role: "rowgroup" });
    this.box = h(
      "div.table-box",
      { role: "grid", "aria-label": "Result", "aria-readonly": "true", onkeydown: (event) => this.key(event) },
      h(
        "div.table-inner",
        { role: "presentation" },
        h("div", { role: "rowgroup", class: "table-top" }, this.head),
        this.body,
      ),
    );
    fill(host, this.box);
    this.rows = new Rows(this.body, { draw: (index) => this.draw(index), scroller: this.box });
    this.columns = 0;
    this.grown();
  }

  close() {
    this.rows.close();
  }

  /** The answer has more rows than before. */
  grown() {
    if (
      this.columns !== this.answer.variables.length ||
      (this.measured < SAMPLE && this.answer.lines.length > this.measured)
    )
      this.measure();
    if (this.filter === "" && this.order.column < 0) this.shown = null;
    this.show(false);
  }

  measure() {
    const { variables, lines } = this.answer;
    this.columns = variables.length;
    this.measured = Math.min(lines.length, SAMPLE);
    const sample = lines
      .slice(0, SAMPLE)
      .map((line) => (this.answer.fields(line).length === variables.length ? this.answer.terms(line) : []));
    this.isNumber = variables.map(
      (_, at) => sample.some((row) => row[at]) && sample.every((row) => !row[at] || toNumber(row[at]) !== null),
    );
    const widths = variables.map((name, at) =>
      sample.reduce((most, row) => Math.max(most, this.text(row[at]).length), name.length + 3),
    );
    const template = widths.map((width) => {
      const wide = Math.min(WIDEST, Math.max(7, width + 1));
      return `minmax(${wide}ch, ${wide}fr)`;
    });
    this.box.style.setProperty("--columns", `3.9rem ${template.join(" ")}`);
    this.box.setAttribute("aria-colcount", variables.length + 1);
    this.drawHead();
  }

  drawHead() {
    fill(
      this.head,
      h("span.index", { role: "columnheader" }, h("span.hidden", {}, "Row")),
      this.answer.variables.map((name, at) => {
        const isOn = this.order.column === at;
        return h(
          "span",
          {
            role: "columnheader",
            class: this.isNumber[at] ? "number" : "",
            "aria-sort": isOn ? (this.order.isDown ? "descending" : "ascending") : "none",
          },
          button(`${name.replaceAll("_", " ")}${isOn ? (this.order.isDown ? " ↓" : " ↑") : ""}`, () => this.sort(at), {
            class: "quiet",
            title: "Sort",
          }),
        );
      }),
    );
  }

  sort(column) {
    const { order } = this;
    if (order.column !== column) this.order = { column, isDown: false };
    else if (!order.isDown) this.order = { column, isDown: true };
    else this.order = { column: -1, isDown: false };
    this.drawHead();
    this.head.children[column + 1]?.querySelector("button").focus();
    this.arrange();
    say(
      this.order.column < 0
        ? "In the order of the answer"
        : `By ${this.answer.variables[column]}, ${this.order.isDown ? "descending" : "ascending"}`,
    );
  }

  /** Shows only rows that contain a text. */
  only(text) {
    this.filter = searchable(text.trim());
    this.arrange();
  }

  arrange() {
    const { lines } = this.answer;
    const { column, isDown } = this.order;
    if (this.filter === "" && column < 0) this.shown = null;
    else {
      let list = [];
      for (let at = 0; at < lines.length; at += 1) {
        if (this.filter === "" || searchable(lines[at]).includes(this.filter)) list.push(at);
      }
      if (column >= 0) list = this.ordered(list, column, isDown);
      this.shown = list;
    }
    this.show(true);
  }

  ordered(list, column, isDown) {
    const keys = new Map();
    for (const at of list) {
      const field = this.answer.fields(this.answer.lines[at])[column] ?? "";
      keys.set(at, field);
    }
    const sign = isDown ? -1 : 1;
    // Empty values come last in both orders; numbers are sorted by size.
    const ranked = list.map((at) => {
      const text = keys.get(at);
      const value =
        text === ""
          ? null
          : /^[+\-.\d]/.test(text)
            ? Number(text)
            : text.startsWith('"') && text.includes('"^^<')
              ? (toNumber(this.answer.terms(this.answer.lines[at])[column]) ?? NaN)
              : NaN;
      return { at, value, text };
    });
    ranked.sort((one, other) => {
      if (one.value === null || other.value === null)
        return (one.value === null) - (other.value === null) || one.at - other.at;
      const isOne = !Number.isNaN(one.value);
      const isOther = !Number.isNaN(other.value);
      if (isOne && isOther) return sign * (one.value - other.value) || one.at - other.at;
      if (isOne !== isOther) return sign * (isOne ? -1 : 1);
      return sign * inOrder.compare(one.text, other.text) || one.at - other.at;
    });
    return ranked.map((one) => one.at);
  }

  show(isAnew) {
    const count = this.shown === null ? this.answer.lines.length : this.shown.length;
    this.box.setAttribute("aria-rowcount", count + 1);
    if (isAnew) this.box.scrollTop = 0;
    this.rows.set(count);
    this.counted(count, this.rows.shown);
  }

  line(index) {
    return this.answer.lines[this.shown === null ? index : this.shown[index]];
  }

  draw(index) {
    const terms = this.answer.terms(this.line(index));
    const row = h(
      "div.table-row",
      { role: "row", "aria-rowindex": index + 2 },
      h("span.index", { role: "rowheader" }, number(index + 1)),
    );
    for (let at = 0; at < this.columns; at += 1) row.append(this.cell(terms[at], index, at));
    return row;
  }

  cell(term, row, column) {
    const isHere = this.at.row === row && this.at.column === column;
    const cell = h("span", {
      role: "gridcell",
      class: this.isNumber[column] ? "number" : term?.kind === "iri" ? "iri" : "",
      tabindex: isHere ? "0" : "-1",
      data: { column },
      dir: "auto",
      onclick: () => term && getSelection().isCollapsed && this.open(term, this.answer.variables[column]),
    });
    cell.append(this.text(term));
    if (term?.language) cell.append(h("small", {}, ` ${term.language}`));
    return cell;
  }

  text(term) {
    if (!term) return "";
    if (term.kind === "iri") return this.shorten(term.text) ?? term.text.slice(0, 300);
    return brief(plain(term), 300);
  }

  key(event) {
    const cell = event.target.closest("[data-column]");
    if (cell === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = Number(cell.closest("[data-index]").dataset.index);
    const column = Number(cell.dataset.column);
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      cell.click();
      return;
    }
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.rows.height) - 2);
    const next = {
      ArrowDown: [row + 1, column],
      ArrowUp: [row - 1, column],
      ArrowRight: [row, column + 1],
      ArrowLeft: [row, column - 1],
      PageDown: [row + page, column],
      PageUp: [row - page, column],
      Home: [row, 0],
      End: [row, this.columns - 1],
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.go(Math.max(0, Math.min(this.rows.shown - 1, next[0])), Math.max(0, Math.min(this.columns - 1, next[1])));
  }

  go(row, column) {
    const old = this.body.querySelector('[tabindex="0"]');
    if (old) old.tabIndex = -1;
    this.at = { row, column };
    this.rows.reveal(row, this.head.offsetHeight);
    const cell = this.rows.drawn.get(row)?.querySelector(`[data-column="${column}"]`);
    if (!cell) return;
    cell.tabIndex = 0;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** A value in full. */
  open(term, name) {
    const kinds = { iri: "IRI", blank: "blank node", literal: "text", triple: "statement" };
    const about =
      term.kind === "literal" &&
      (term.language
        ? `text in ${term.language}`
        : term.datatype
          ? (this.shorten(term.datatype) ?? term.datatype)
          : kinds.literal);
    const dialog = h(
      "dialog.value",
      {
        "aria-label": `Value of ${name}`,
        onclick: (event) => event.target === dialog && dialog.close(),
        onclose: () => dialog.remove(),
      },
      h("h2", {}, name.replaceAll("_", " ")),
      h("p.facts", {}, h("span", { dir: "auto" }, about || kinds[term.kind])),
      term.kind === "iri" ? h("p.text", {}, link(term.text)) : long(plain(term), "p.text", 20_000),
      h(
        "div.actions",
        {},
        term.kind === "iri" &&
          button("Its neighbours", () => {
            dialog.close();
            go(to("sparql", { node: term.text }));
          }),
        button("Copy", () => copy(plain(term), "The value")),
        button("Close", () => dialog.close(), { class: "quiet", autofocus: true }),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  }

  /** Copies the shown rows, in a form that spreadsheets accept. */
  copyRows() {
    const count = Math.min(COPIED, this.shown === null ? this.answer.lines.length : this.shown.length);
    const rows = [this.answer.variables.join("\t")];
    for (let at = 0; at < count; at += 1) {
      rows.push(
        this.answer
          .terms(this.line(at))
          .map((term) => plain(term).replace(/[\t\r\n]+/g, " "))
          .join("\t"),
      );
    }
    copy(rows.join("\n"), `${number(count)} rows`);
  }
}
