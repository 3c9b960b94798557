// The list of questions: search while typing, filters, order, a row for each question.

import { failure, forget, get, latest, summary } from "./api.js";
import { button, debounced, fill, h, notice, save, say } from "./dom.js";
import { STATES, LISTS, facets, label } from "./facets.js";
import { Pages } from "./pages.js";
import { Rows } from "./rows.js";
import { go, replace, to, toQuestion } from "./route.js";
import { brief, counted, fileName, marked, number, system, words } from "./text.js";
import { questionsAsCsv } from "./csv.js";

const SORTS = [
  ["", "As in the files"],
  ["rating", "Lowest rating first"],
  ["-rating", "Highest rating first"],
  ["-disagreement", "Most disagreement first"],
  ["-findings", "Most findings first"],
  ["-ratings", "Most ratings first"],
  ["-modified", "Latest change first"],
  ["modified", "Oldest change first"],
  ["text", "By their texts"],
];
const FILTERS = [...LISTS, ...Object.keys(STATES)];
/** The list that was shown last, so that it is there at once when the reader comes back. */
let kept = { key: null, pages: null, facets: {} };
const opened = new Set();

/** The neighbours of a question in the list that was shown last. */
export function neighbours(question) {
  const pages = kept.pages;
  if (pages === null) return null;
  for (const [page, rows] of pages.pages) {
    const at = rows.findIndex((one) => one.graph === question.graph && one.id === question.id);
    if (at < 0) continue;
    const index = page * 100 + at;
    return { index, total: pages.total, before: pages.at(index - 1), after: pages.at(index + 1), list: kept.hash };
  }
  return null;
}

/** Shows the list. */
export function show(root, given, { scroll }) {
  let parameters = read(given);
  let asked = words(parameters.search ?? "");
  let back = scroll;

  const search = h("input", {
    type: "search",
    id: "search",
    data: { search: "" },
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "Words of the question, its answer or its file",
    "aria-keyshortcuts": "/",
    "aria-controls": "list",
  });
  search.value = parameters.search ?? "";
  const sort = h(
    "select",
    { id: "sort" },
    SORTS.map(([value, text]) => h("option", { value }, text)),
  );
  const subtitle = h("p.lead", {}, "\u00a0");
  const count = h("p.count", {});
  const chips = h("div.chips");
  const side = h("div.facets", { id: "facets" });
  const filters = button(
    "Filters",
    () => {
      const isOpen = side.classList.toggle("open");
      filters.setAttribute("aria-expanded", String(isOpen));
    },
    { class: "filters", "aria-expanded": "false", "aria-controls": "facets" },
  );
  const download = button("Download CSV", () => downloadAll(), { class: "quiet" });
  const host = h("div.rows", { id: "list", role: "list", "aria-label": "Questions" });
  const message = h("div.message");
  const bar = h(
    "div.bar",
    {},
    h(
      "div.search",
      {},
      h("label.hidden", { for: "search" }, "Search the questions"),
      search,
      h("kbd", { "aria-hidden": "true" }, "/"),
    ),
    h("label.sort", { for: "sort" }, h("span", {}, "Order"), sort),
    filters,
  );
  const heading = h(
    "div.heading",
    { "aria-hidden": "true" },
    h("span", {}),
    h("span", {}, "Question"),
    h("span.end", {}, "Rating"),
    h("span.end", {}, "Findings"),
  );
  fill(
    root,
    h("div.title", {}, h("h1", { tabindex: "-1" }, "Questions"), subtitle),
    bar,
    h(
      "div.columns",
      {},
      h("aside", { "aria-label": "Filters" }, side),
      h("section.list", { "aria-label": "List" }, h("div.above", {}, count, chips, download), heading, message, host),
    ),
  );

  const rows = new Rows(host, { draw, wanted: (first, last) => kept.pages?.want(first, last) });
  const load = latest(fetchFirst);
  const keepAddress = debounced(250, () => replace(address()));

  search.addEventListener("input", () => {
    parameters = { ...parameters, search: search.value.trim() };
    load();
    keepAddress();
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" && rows.shown > 0) {
      event.preventDefault();
      rows.focus(rows.first(), hidden());
    } else if (event.key === "Escape" && search.value !== "") {
      event.preventDefault();
      search.value = "";
      search.dispatchEvent(new Event("input"));
    }
  });
  sort.addEventListener("change", () => change({ sort: sort.value }));
  host.addEventListener("keydown", (event) => {
    if (event.key === "ArrowUp" && rows.focused() === 0) {
      event.preventDefault();
      search.focus();
    } else if (!rows.key(event, hidden()) && event.key === "Escape") search.focus();
  });

  showControls();
  load();
  summary().then(
    (all) => {
      subtitle.textContent =
        all.questions === 0
          ? "There is no question here yet."
          : `${counted(all.questions, "question")} in ${counted(all.files, "file")}` +
            (all.systems.length > 1 ? `, of ${all.systems.map((one) => system(one.value)).join(", ")}` : "");
    },
    () => {
      // The list shows the error.
    },
  );

  return {
    scrolls: true,
    update(next) {
      keepAddress.cancel();
      parameters = read(next);
      if (search.value.trim() !== (parameters.search ?? "")) search.value = parameters.search ?? "";
      showControls();
      load();
    },
    leave() {
      keepAddress.cancel();
      rows.close();
    },
  };

  function hidden() {
    return bar.getBoundingClientRect().bottom;
  }

  function address() {
    return to("questions", written(parameters));
  }

  function change(changes) {
    go(to("questions", written({ ...parameters, ...changes })));
  }

  function toggle(name, value) {
    // Without a name, only the opened parts have changed.
    if (name === null) return showFacets();
    const on = parameters[name] ?? [];
    const isMany = name === "keyword";
    const next = on.includes(value) ? on.filter((one) => one !== value) : isMany ? [...on, value] : [value];
    change({ [name]: next });
  }

  function showControls() {
    sort.value = parameters.sort ?? "";
    const on = FILTERS.flatMap((name) => (parameters[name] ?? []).map((value) => ({ name, value })));
    fill(
      chips,
      on.map(({ name, value }) => {
        const text = label(name, value);
        return h(
          "button.chip",
          { type: "button", "aria-label": `Remove the filter ${text}`, onclick: () => toggle(name, value) },
          h("span", { dir: "auto" }, text),
          h("span", { "aria-hidden": "true" }, "×"),
        );
      }),
      on.length > 1 &&
        button("Clear all", () => change(Object.fromEntries(FILTERS.map((name) => [name, []]))), { class: "more" }),
    );
    filters.textContent = on.length > 0 ? `Filters (${on.length})` : "Filters";
    showFacets();
  }

  function showFacets() {
    const at = document.activeElement?.dataset?.key;
    const chosen = Object.fromEntries(FILTERS.map((name) => [name, parameters[name] ?? []]));
    fill(side, facets(kept.facets, chosen, opened, toggle));
    // The filters are made again; the pressed one keeps the focus.
    if (at) [...side.querySelectorAll("[data-key]")].find((one) => one.dataset.key === at)?.focus();
  }

  async function fetchFirst() {
    const wanted = asQuery(parameters);
    const key = JSON.stringify(wanted);
    const isSame = kept.key === key;
    asked = words(parameters.search ?? "");
    kept.hash = address();
    if (isSame && rows.count === 0 && kept.pages) showList(kept.pages);
    try {
      const answer = await get("api/questions", { ...wanted, limit: 100 });
      // Another view may be shown by now.
      if (!root.isConnected) return;
      if (isSame && kept.pages?.state === answer.state) return;
      const pages = new Pages("api/questions", wanted, "questions", answer, {
        arrived: (from, end) => pages === kept.pages && rows.redraw(from, end),
        changed: () => {
          forget();
          kept.key = null;
          load();
        },
        failed: (error) => notice(error.message),
      });
      const isOther = kept.key !== key;
      kept = { key, pages, facets: answer.facets ?? {}, hash: address() };
      showFacets();
      showList(pages, isOther && rows.count > 0);
    } catch (error) {
      if (error.name !== "AbortError") fill(message, failure(error, load));
    }
  }

  function showList(pages, isOther = false) {
    const { total } = pages;
    fill(message, total === 0 && empty());
    heading.hidden = total === 0;
    download.hidden = total === 0;
    count.textContent = counted(total, "question");
    say(counted(total, "question"));
    rows.set(total);
    // Another list is shown from its beginning; the bar keeps its position.
    if (isOther && rows.offset() > 0) scrollTo(0, Math.min(scrollY, top()));
    if (back > 0) {
      scrollTo(0, back);
      back = 0;
    }
    if (rows.shown < total) say(`The first ${number(rows.shown)} are shown.`);
  }

  function top() {
    return bar.parentElement.getBoundingClientRect().top + scrollY + bar.offsetTop - 8;
  }

  function empty() {
    const isFiltered = FILTERS.some((name) => (parameters[name] ?? []).length > 0);
    if (!isFiltered && !parameters.search) {
      return h(
        "div.empty",
        {},
        h("h2", {}, "No questions yet"),
        h("p", {}, "Load a file into the store, and the page shows what is in it:"),
        h("pre", {}, "evalgraph load questions.jsonld"),
      );
    }
    return h(
      "div.empty",
      {},
      h("h2", {}, "No matching questions"),
      h(
        "p",
        {},
        parameters.search
          ? "Each word has to occur in the question, its answer, its id or its file. Fewer words find more."
          : "No question matches all filters.",
      ),
      h(
        "div.actions",
        {},
        parameters.search && button("Clear the search", () => change({ search: "" })),
        isFiltered && button("Clear the filters", () => change(Object.fromEntries(FILTERS.map((name) => [name, []])))),
      ),
    );
  }

  function draw(index) {
    const pages = kept.pages;
    const question = pages?.at(index);
    const place = { role: "listitem", "aria-setsize": pages?.total ?? 0, "aria-posinset": index + 1 };
    if (!question)
      return h("div.row.waiting", place, h("span"), h("span.what", {}, h("span.bone"), h("span.bone.short")));
    const text = question.text?.trim() ? brief(question.text, 280) : null;
    const title = h(
      "a.name",
      { href: toQuestion(question), dir: "auto", tabindex: index === 0 ? null : "-1" },
      text === null ? h("i", {}, "A question without a text") : marked(text, asked),
    );
    const keywords = question.keywords.slice(0, 4).map((word) => h("span.word", { dir: "auto" }, brief(word, 40)));
    return h(
      "div.row",
      place,
      state(question),
      h(
        "div.what",
        {},
        title,
        h(
          "div.meta",
          {},
          h("b", {}, system(question.system)),
          dataset(question),
          localId(question),
          h(
            "span.file",
            { dir: "auto", title: question.file ?? "" },
            marked(brief(fileName(question.file), 60), asked),
          ),
          keywords,
        ),
      ),
      h(
        "div.end.rating",
        {},
        question.rating === null || question.rating === undefined
          ? h("span.none", {}, "–", h("span.hidden", {}, "not rated"))
          : [h("b", {}, number(question.rating)), h("small", {}, counted(question.ratings, "rating"))],
        question.disagreement > 0 && h("small.apart", {}, `experts differ, ${number(question.disagreement)}`),
      ),
      h(
        "div.end.found",
        {},
        question.findings > 0 ? h("span.badge", {}, number(question.findings), h("span.hidden", {}, " findings")) : "",
      ),
    );
  }

  async function downloadAll() {
    download.disabled = true;
    try {
      const all = await questionsAsCsv(asQuery(parameters), (done, total) => {
        download.textContent = `${number(done)} of ${number(total)} …`;
      });
      save("questions.csv", "text/csv;charset=utf-8", all);
      say("The file is ready.");
    } catch (error) {
      notice(error.message);
    }
    download.textContent = "Download CSV";
    download.disabled = false;
  }
}

/** The id in the file, if it is one that people use. */
function localId(question) {
  const { localId: id } = question;
  return id && id.length <= 24 && h("code", { dir: "auto" }, id);
}

function dataset(question) {
  const name = question.title ?? question.dataset;
  return name && h("span", { dir: "auto" }, brief(name, 60));
}

function state(question) {
  if (question.finished === true)
    return h("span.mark.done", { title: "Finished" }, "✓", h("span.hidden", {}, "finished"));
  if (question.finished === false)
    return h("span.mark", { title: "Unfinished" }, "○", h("span.hidden", {}, "unfinished"));
  return h("span.mark", {});
}

/** The parameters of an address; those that it does not have are missing. */
function read(given) {
  const parameters = {};
  for (const name of ["search", "sort"]) {
    if (given.get(name)) parameters[name] = given.get(name);
  }
  for (const name of FILTERS) {
    const values = given.getAll(name).filter(Boolean);
    if (values.length > 0) parameters[name] = values;
  }
  return parameters;
}

function written(parameters) {
  return {
    search: parameters.search,
    ...Object.fromEntries(FILTERS.map((name) => [name, parameters[name] ?? []])),
    sort: parameters.sort,
  };
}

/** The parameters under the names that the server uses. */
function asQuery(parameters) {
  const { sort, ...rest } = parameters;
  if (!sort) return rest;
  return sort.startsWith("-") ? { ...rest, sort: sort.slice(1), descending: "true" } : { ...rest, sort };
}
