// Queries: named queries with their parameters, and queries that are written here.

import { Refusal, address, ask, failure, get, summary } from "./api.js";
import { read, request } from "./answer.js";
import { valuesOf } from "./values.js";
import { proposals } from "./complete.js";
import { button, debounced, fill, h, notice, save, say } from "./dom.js";
import { Editor } from "./editor.js";
import { remember, remembered, forgetAll } from "./history.js";
import { asQuery, filled, form as parameterForm, initial } from "./parameters.js";
import { Result } from "./result.js";
import { push, replace, to } from "./route.js";
import { shortener } from "./terms.js";
import { brief, capital, number, prose, searchable, words } from "./text.js";
import { form } from "./tokens.js";

const FIRST = `SELECT ?question ?text
WHERE {
  ?question a s:Question ; s:text ?text
}
LIMIT 100
`;
const TABLES = [
  ["text/csv", "CSV", "csv"],
  ["text/tab-separated-values", "TSV", "tsv"],
  ["application/x-ndjson", "JSON lines", "jsonl"],
  ["application/sparql-results+json", "SPARQL JSON", "srj"],
  ["application/sparql-results+xml", "SPARQL XML", "srx"],
  ["text/plain", "Text", "txt"],
];
const GRAPHS = [
  ["text/turtle", "Turtle", "ttl"],
  ["application/n-triples", "N-Triples", "nt"],
  ["application/n-quads", "N-Quads", "nq"],
  ["application/trig", "TriG", "trig"],
  ["application/ld+json", "JSON-LD", "jsonld"],
  ["application/rdf+xml", "RDF/XML", "rdf"],
];

/** The neighbours of a node: one step, and one more through nodes without an address. */
function around(iri) {
  return `# The neighbours of one node
CONSTRUCT { <${iri}> ?p ?o . ?o ?q ?r . ?s ?t <${iri}> }
WHERE {
  { <${iri}> ?p ?o OPTIONAL { ?o ?q ?r FILTER(isBlank(?o)) } }
  UNION
  { ?s ?t <${iri}> }
}
LIMIT 400
`;
}

/** Shown until a query is run. */
function beginning() {
  const key = (text) => h("kbd", {}, text);
  return h(
    "div.empty",
    {},
    h("h2", {}, "Ask the data"),
    h("p", {}, "Run the query above, write your own, or open one that has a name."),
    h(
      "dl",
      {},
      h("dt", {}, key("Ctrl"), " ", key("Enter")),
      h("dd", {}, "runs the query"),
      h("dt", {}, key("Ctrl"), " ", key("Space")),
      h("dd", {}, "proposes what could be written there: for a variable with a class, the properties that the data have"),
      h("dt", {}, key("Tab")),
      h("dd", {}, "leaves the editor"),
    ),
  );
}

/** Shows the view. */
export function show(root, given) {
  let query = null;
  let isEdited = false;
  let values = {};
  let known = { queries: [] };
  let vocabulary = { prefixes: {}, classes: [], properties: [] };
  let running = null;
  let parseTurn = 0;

  const hint = h(
    "p.hidden",
    { id: "editor-hint" },
    "Control and Enter runs the query. Control and Space proposes what could be written. Tab leaves the editor.",
  );
  const editor = new Editor({
    label: "SPARQL query",
    describedBy: "editor-hint faults",
    changed,
    run,
    propose: (text, caret, isAsked) => proposals(text, caret, vocabulary, isAsked),
  });
  const title = h("div.title");
  const parameterHost = h("div.form-host");
  const edited = h("div.edited", { role: "status" });
  const faults = h("ul.faults", { id: "faults", "aria-live": "polite" });
  const runButton = button("Run", run, { class: "primary", title: "Ctrl-Enter" });
  const cancel = button("Cancel", () => running?.abort(), { hidden: true });
  const formats = h("select", { "aria-label": "Form of the download" });
  const download = button("Download", downloadAs);
  const status = h("p.status", { role: "status" });
  const host = h("div.result");
  const search = h("input", {
    type: "search",
    data: { search: "" },
    "aria-label": "Search the named queries",
    placeholder: "Find a query",
    autocomplete: "off",
  });
  const names = h("div.names");
  const past = h("div.past");
  const side = h(
    "details.side",
    { open: matchMedia("(min-width: 62.01rem)").matches },
    h("summary", {}, "Named queries"),
    search,
    names,
    past,
  );
  fill(
    root,
    h(
      "div.columns.sparql",
      {},
      h("aside", { "aria-label": "Queries" }, side),
      h(
        "section.list",
        { "aria-label": "Query" },
        title,
        parameterHost,
        editor.element,
        hint,
        edited,
        faults,
        h("div.tools", {}, runButton, cancel, status, h("span.spread"), formats, download),
        host,
      ),
    ),
  );
  vocabulary.values = valuesOf(() => editor.known());
  const result = new Result(host);
  const keepAddress = debounced(600, () => replace(current()));
  const check = debounced(250, parse);

  search.addEventListener("input", showNames);
  get("api/vocabulary").then(
    (all) => {
      vocabulary = { ...vocabulary, ...all, prefixes: { ...vocabulary.prefixes, ...all.prefixes } };
    },
    () => {
      // Without it, only the words of the language are proposed.
    },
  );
  // With this, the first answer has short names, and the named queries have their forms.
  Promise.all([
    summary().then(
      (all) => {
        vocabulary = { ...vocabulary, prefixes: { ...all.prefixes, ...vocabulary.prefixes } };
        result.shorten = shortener(vocabulary.prefixes);
      },
      () => {
        // Then IRIs are not shortened.
      },
    ),
    get("api/queries").then(
      (all) => {
        known = all;
        showNames();
      },
      (error) => fill(names, failure(error)),
    ),
  ]).then(() => root.isConnected && open(given));
  showPast();

  return {
    update: open,
    leave() {
      running?.abort();
      keepAddress.cancel();
      check.cancel();
      result.close();
    },
  };

  /** Takes a query from an address, and runs it. */
  function open(parameters) {
    running?.abort();
    keepAddress.cancel();
    const name = parameters.get("name");
    const node = parameters.get("node");
    const text = parameters.get("query");
    query = known.queries.find((one) => one.name === name) ?? null;
    values = {};
    for (const [key, value] of parameters) if (key.startsWith("p.")) values[key.slice(2)] = value;
    isEdited = query !== null && text !== null && text !== query.text;
    result.centre = node;
    result.wants(parameters.get("view") ?? (node ? "picture" : null), query?.chart ?? null);
    editor.element.classList.toggle("compact", query !== null && !isEdited);
    editor.text =
      node !== null
        ? around(node.replace(/[<>"{}|^`\\\s]/g, encodeURIComponent))
        : (text ?? query?.text ?? (name === null ? FIRST : ""));
    showQuery();
    showNames();
    check();
    if (name !== null && query === null && text === null) {
      result.clear();
      showFormats(null);
      return fill(faults, h("li", {}, `There is no query named “${brief(name, 60)}”.`));
    }
    if (node !== null || text !== null || query !== null) return execute();
    result.clear();
    showFormats("select");
    status.textContent = "";
    fill(host, beginning());
  }

  function showQuery() {
    document.title = `${query?.title ?? "SPARQL"} · evalgraph`;
    fill(
      title,
      h("h1", { tabindex: "-1", dir: "auto" }, query?.title ?? (result.centre ? "Its neighbours" : "SPARQL")),
      query?.description
        ? h("p.lead", {}, prose(capital(query.description)))
        : result.centre
          ? h("p.lead", { dir: "auto" }, h("code", {}, brief(result.centre, 200)))
          : null,
    );
    fill(
      parameterHost,
      query !== null &&
        query.parameters.length > 0 &&
        parameterForm(
          query.parameters,
          values,
          () => {
            keepAddress();
            showEdited();
          },
          run,
        ),
    );
    showEdited();
  }

  function showEdited() {
    edited.hidden = !isEdited;
    if (!isEdited) return edited.replaceChildren();
    fill(
      edited,
      h(
        "span",
        {},
        query.parameters.length > 0
          ? "Edited: it runs as a separate query, with the values of the form inserted."
          : "Edited: it runs as a separate query.",
      ),
      query.parameters.length > 0 &&
        button(
          "Put them into the text",
          () => {
            try {
              const text = filled(editor.text, query.parameters, values);
              query = null;
              isEdited = false;
              editor.text = text;
              showQuery();
              replace(current());
            } catch (error) {
              notice(error.message);
            }
          },
          { class: "more" },
        ),
      button(
        "As it was",
        () => {
          editor.text = query.text;
          isEdited = false;
          showEdited();
          check();
          keepAddress();
        },
        { class: "more" },
      ),
    );
  }

  function changed(text) {
    const was = isEdited;
    isEdited = query !== null && text !== query.text;
    if (was !== isEdited) showEdited();
    if (result.centre !== null && query === null) {
      result.centre = null;
      showQuery();
    }
    check();
    keepAddress();
  }

  function current() {
    const given =
      query === null
        ? {}
        : Object.fromEntries(
            query.parameters
              .filter(
                ({ name }) =>
                  values[name] !== undefined &&
                  values[name] !== initial(query.parameters.find((one) => one.name === name)),
              )
              .map(({ name }) => [`p.${name}`, values[name]]),
          );
    const view = result.view === "table" || result.view === null ? null : result.view;
    if (result.centre !== null && query === null) return to("sparql", { node: result.centre });
    if (query !== null && !isEdited) return to("sparql", { name: query.name, ...given, view });
    return to("sparql", { name: query?.name, query: editor.text, ...given, view });
  }

  /** The query to send. Throws if the values cannot be put into an edited query. */
  function outgoing() {
    if (query !== null && !isEdited) return { name: query.name, parameters: asQuery(query.parameters, values) };
    const text = query === null ? editor.text : filled(editor.text, query.parameters, values);
    return { text };
  }

  function run() {
    keepAddress.cancel();
    push(current());
    execute();
  }

  async function execute() {
    running?.abort();
    const mine = new AbortController();
    running = mine;
    runButton.disabled = false;
    cancel.hidden = false;
    status.textContent = "Asking …";
    const begin = performance.now();
    try {
      const now = outgoing();
      const kind = query !== null && !isEdited ? query.form : form(editor.text);
      showFormats(kind);
      result.begin();
      const answer = await read(now, kind, mine.signal, (part, isDone) => {
        if (mine !== running) return;
        result.came(part, isDone);
        status.textContent = told(part, isDone, begin);
      });
      if (mine !== running) return;
      remember({
        text: editor.text,
        name: query?.name ?? null,
        hash: current(),
        title: query && !isEdited ? query.title : result.centre ? `Around ${result.centre}` : null,
        rows: answer.lines.length,
      });
      showPast();
    } catch (error) {
      if (mine !== running) return;
      status.textContent = "";
      if (error.name === "AbortError") {
        status.textContent = "Cancelled.";
        return;
      }
      fail(error);
    } finally {
      if (mine === running) {
        cancel.hidden = true;
        running = null;
      }
    }
  }

  function told(answer, isDone, begin) {
    const count = answer.lines.length;
    const what = answer.isGraph ? "statement" : "row";
    const time = ((performance.now() - begin) / 1000).toFixed(2);
    return `${number(count)} ${what}${count === 1 ? "" : "s"} ${isDone ? `in ${time} s` : "so far …"}${answer.isCut ? ", and there are more: the download has all" : ""}`;
  }

  function fail(error) {
    result.clear();
    // If values were put into the text, places in the sent text are not places in the editor.
    const isHere =
      error instanceof Refusal &&
      error.line !== null &&
      (query === null || (isEdited && query.parameters.length === 0));
    if (isHere)
      showFaults([
        {
          code: error.code,
          message: error.message,
          help: error.help.join(" "),
          line: error.line,
          column: error.column,
          length: 1,
        },
      ]);
    fill(
      host,
      failure(
        error instanceof Error && !(error instanceof Refusal) && error.message
          ? new Refusal(0, { detail: error.message })
          : error,
      ),
    );
  }

  async function parse() {
    parseTurn += 1;
    const mine = parseTurn;
    const { text } = editor;
    if (text.trim() === "") return showFaults([]);
    try {
      const reply = await ask(address("api/parse"), {
        method: "POST",
        headers: { "Content-Type": "application/sparql-query", Accept: "application/json" },
        body: text,
      });
      const answer = await reply.json();
      if (mine !== parseTurn || text !== editor.text) return;
      // The form gives parameters their values, so the query need not.
      const own = new Set(query?.parameters.map((one) => one.name) ?? []);
      showFaults(
        answer.faults.filter((fault) => {
          const { from, to: end } = editor.range(fault);
          return !own.has(text.slice(from, end).replace(/^[?$]/, ""));
        }),
      );
    } catch {
      // Running the query reports errors, too.
    }
  }

  function showFaults(list) {
    editor.mark(list);
    fill(
      faults,
      list.slice(0, 20).map((fault) => {
        const help = [fault.help ?? []].flat().join(" ");
        const meant = fault.length > 0 && /(?:did you mean|write) `([^`]+)`/.exec(`${fault.message} ${help}`)?.[1];
        return h(
          "li",
          { class: fault.severity ?? "error" },
          button(`${fault.line}:${fault.column}`, () => editor.select(editor.range(fault)), {
            class: "more",
            "aria-label": `Go to line ${fault.line}, column ${fault.column}`,
          }),
          h("span", { dir: "auto" }, prose(fault.message), help !== "" && h("span.help", {}, " ", prose(help))),
          meant &&
            button(
              `Write ${meant}`,
              () => {
                const { from, to: end } = editor.range(fault);
                editor.write(from, end, meant);
              },
              { class: "more" },
            ),
        );
      }),
    );
  }

  function showNames() {
    const wanted = words(search.value);
    const list = known.queries.filter((one) =>
      wanted.every((word) => searchable(`${one.name} ${one.title} ${one.description ?? ""}`).includes(word)),
    );
    fill(
      names,
      h(
        "ul",
        {},
        list.map((one) =>
          h(
            "li",
            {},
            h(
              "a.named",
              {
                href: to("sparql", { name: one.name }),
                "aria-current": query?.name === one.name ? "page" : null,
                title: one.description ?? "",
              },
              one.title,
            ),
          ),
        ),
      ),
      list.length === 0 && known.queries.length > 0 && h("p.hint", {}, "No query has this name."),
    );
  }

  function showPast() {
    const list = remembered();
    fill(
      past,
      list.length > 0 &&
        h(
          "section.facet",
          {},
          h("h2.small", {}, "Run before"),
          h(
            "ul",
            {},
            list
              .slice(0, 12)
              .map((one) =>
                h(
                  "li",
                  {},
                  h(
                    "a.named",
                    { href: one.hash, title: one.text.slice(0, 400) },
                    brief(one.title ?? one.text.replace(/^\s*(PREFIX[^\n]*|#[^\n]*)\n/gim, ""), 60),
                    h("small", {}, ` ${number(one.rows)}`),
                  ),
                ),
              ),
          ),
          button(
            "Forget them",
            () => {
              forgetAll();
              showPast();
            },
            { class: "more" },
          ),
        ),
    );
  }

  function showFormats(kind) {
    const list = kind === "construct" || kind === "describe" ? GRAPHS : TABLES;
    if (formats.dataset.kind !== String(list === GRAPHS)) {
      fill(
        formats,
        list.map(([type, name]) => h("option", { value: type }, name)),
      );
      formats.dataset.kind = String(list === GRAPHS);
    }
  }

  async function downloadAs() {
    const ending = [...TABLES, ...GRAPHS].find(([type]) => type === formats.value);
    if (!ending) return;
    download.disabled = true;
    try {
      const now = outgoing();
      const reply = await request(now, ending[0]);
      save(`${now.name ?? "result"}.${ending[2]}`, ending[0], [await reply.blob()]);
      say("The file is ready.");
    } catch (error) {
      fail(error);
    }
    download.disabled = false;
  }
}
