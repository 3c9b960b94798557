// A list that the server sends in pages. Pages in sight are requested, those seen last first.

import { get } from "./api.js";

const PAGE = 100;
const AT_ONCE = 2;

/** The rows of a list of the server. */
export class Pages {
  /**
   * `name` is the field with the rows; `arrived(from, to)` is called for new rows, `changed` for a new state of the
   * data.
   */
  constructor(path, parameters, name, first, { arrived, changed, failed }) {
    this.path = path;
    this.parameters = parameters;
    this.name = name;
    this.state = first.state;
    this.total = first.total;
    this.pages = new Map([[0, first[name]]]);
    this.asked = new Set();
    this.look = { first: 0, last: 0 };
    this.hears = { arrived, changed, failed };
  }

  /** The row, if it is there already. */
  at(index) {
    return this.pages.get(Math.floor(index / PAGE))?.[index % PAGE] ?? null;
  }

  /** Requests the rows in sight. */
  want(first, last) {
    this.look = { first, last: Math.min(last, this.total) };
    this.next();
  }

  next() {
    const from = Math.floor(this.look.first / PAGE);
    for (let page = from; page * PAGE < this.look.last && this.asked.size < AT_ONCE; page += 1) {
      if (!this.pages.has(page) && !this.asked.has(page)) this.fetch(page);
    }
  }

  async fetch(page) {
    this.asked.add(page);
    try {
      const answer = await get(this.path, {
        ...this.parameters,
        facets: this.name === "questions" ? "false" : null,
        offset: page * PAGE,
        limit: PAGE,
      });
      if (answer.state !== this.state) return this.hears.changed();
      this.pages.set(page, answer[this.name]);
      this.hears.arrived(page * PAGE, (page + 1) * PAGE);
      this.asked.delete(page);
      // Rows that were in sight but not there yet.
      this.next();
    } catch (error) {
      this.asked.delete(page);
      this.hears.failed(error);
    }
  }
}
