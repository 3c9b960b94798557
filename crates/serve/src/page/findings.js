// The findings of validation and of the check: groups by rule, filters, each finding with its place, downloads.

import { address, ask, failure, forget, get, query } from "./api.js";
import { button, debounced, fill, h, notice, save, say, unique } from "./dom.js";
import { SEVERITIES, finding } from "./finding.js";
import { go, replace, to } from "./route.js";
import { capital, counted, fileName, number, prose } from "./text.js";

const PAGE = 100;
const NAMES = ["severity", "code", "file", "by", "search"];
const DOWNLOADS = [
  ["html", "HTML", "text/html"],
  ["csv", "CSV", "text/csv"],
  ["sarif", "SARIF", "application/sarif+json"],
  ["json", "JSON", "application/json"],
];
const BY = { "": "All rules", validate: "Validation of files", check: "Check of what is loaded" };

/** Shows the findings. */
export function show(root, given) {
  let parameters = read(given);
  let turn = 0;
  let timer = 0;
  let shown = 0;
  let total = 0;
  let isLoading = false;
  let state = null;

  const search = h("input", {
    type: "search",
    id: "search",
    data: { search: "" },
    autocomplete: "off",
    placeholder: "Words of the message, the file or the rule",
  });
  search.value = parameters.search ?? "";
  const by = h(
    "select",
    { id: "by" },
    Object.entries(BY).map(([value, text]) => h("option", { value }, text)),
  );
  const file = h(
    "select",
    { id: "file", onchange: () => change({ file: file.value }) },
    h("option", { value: "" }, "All files"),
  );
  const lead = h("p.lead", { "aria-live": "polite" }, "\u00a0");
  const tabs = h("div.severities", { role: "group", "aria-label": "Severity" });
  const groups = h("div.groups");
  const rules = h(
    "details.side",
    { open: matchMedia("(min-width: 62.01rem)").matches },
    h("summary", {}, "Rules"),
    groups,
  );
  const chips = h("div.chips");
  const count = h("p.count");
  const list = h("div.findings");
  const end = h("div.more-below");
  const downloads = h(
    "div.downloads",
    { role: "group", "aria-label": "Download" },
    h("span", {}, "Download"),
    DOWNLOADS.map(([ending, name, type]) =>
      button(name, () => download(ending, type), {
        class: "quiet",
        "aria-label": `Download these findings as ${name}`,
      }),
    ),
  );
  const body = h(
    "div.columns",
    {},
    h("aside", { "aria-label": "Rules" }, rules),
    h("section.list", { "aria-label": "List" }, h("div.above", {}, count, chips, downloads), list, end),
  );
  fill(
    root,
    h("div.title", {}, h("h1", { tabindex: "-1" }, "Findings"), lead),
    h(
      "div.bar",
      {},
      h(
        "div.search",
        {},
        h("label.hidden", { for: "search" }, "Search the findings"),
        search,
        h("kbd", { "aria-hidden": "true" }, "/"),
      ),
      h("div.sort", {}, h("label.hidden", { for: "file" }, "File"), file),
      h("div.sort", {}, h("label.hidden", { for: "by" }, "Found by"), by),
    ),
    tabs,
    body,
  );

  const keepAddress = debounced(250, () => replace(to("findings", parameters)));
  const loadSoon = debounced(60, load);
  search.addEventListener("input", () => {
    parameters = { ...parameters, search: search.value.trim() };
    loadSoon();
    keepAddress();
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && search.value !== "") {
      search.value = "";
      search.dispatchEvent(new Event("input"));
    }
  });
  by.addEventListener("change", () => change({ by: by.value }));
  const watcher = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && more(), {
    rootMargin: "600px",
  });
  watcher.observe(end);
  showControls();
  load();

  return {
    // Another list starts at its top, where the downloads are.
    top: true,
    update(next) {
      keepAddress.cancel();
      parameters = read(next);
      if (search.value.trim() !== (parameters.search ?? "")) search.value = parameters.search ?? "";
      showControls();
      load();
    },
    leave() {
      clearTimeout(timer);
      keepAddress.cancel();
      loadSoon.cancel();
      watcher.disconnect();
    },
  };

  function change(changes) {
    go(to("findings", { ...parameters, ...changes }));
  }

  function showControls() {
    by.value = parameters.by ?? "";
    fill(
      chips,
      ["code", "file"]
        .filter((name) => parameters[name])
        .map((name) =>
          h(
            "button.chip",
            {
              type: "button",
              "aria-label": `Remove the filter ${parameters[name]}`,
              onclick: () => change({ [name]: "" }),
            },
            h(
              "span",
              { dir: "auto", title: parameters[name] },
              name === "file" ? fileName(parameters[name]) : parameters[name],
            ),
            h("span", { "aria-hidden": "true" }, "×"),
          ),
        ),
    );
  }

  async function load() {
    turn += 1;
    const mine = turn;
    clearTimeout(timer);
    isLoading = true;
    try {
      const answer = await get("api/findings", { ...parameters, limit: PAGE });
      if (mine !== turn || !root.isConnected) return;
      isLoading = false;
      if (answer.running) {
        lead.textContent = "The files are being checked. This takes a moment; the findings will appear here.";
        body.hidden = true;
        tabs.hidden = true;
        timer = setTimeout(load, 1000);
        return;
      }
      draw(answer);
    } catch (error) {
      if (mine !== turn) return;
      isLoading = false;
      body.hidden = false;
      fill(list, failure(error, load));
    }
  }

  function draw(answer) {
    body.hidden = false;
    tabs.hidden = false;
    state = answer.state;
    total = answer.total;
    const { counts } = answer;
    const all = counts.error + counts.warning + counts.information;
    const isFiltered = NAMES.some((name) => parameters[name]);
    lead.textContent =
      all === 0 && !isFiltered
        ? "Nothing is wrong, as far as the rules can tell."
        : `The findings of validation and of the check, by rule. Each finding gives its line if it has one.`;
    fill(
      tabs,
      tab("", "All", all),
      Object.entries(SEVERITIES).map(([name, text]) => tab(name, `${text}s`, counts[name])),
    );
    drawGroups(answer.groups ?? []);
    drawFiles(answer);
    count.textContent = counted(total, "finding");
    say(counted(total, "finding"));
    downloads.hidden = total === 0;
    shown = 0;
    list.replaceChildren();
    if (total === 0) {
      fill(
        list,
        h(
          "div.empty",
          {},
          h("h2", {}, isFiltered ? "No matching findings" : "No findings"),
          h("p", {}, isFiltered ? "No finding matches all filters." : "The files follow all rules."),
          isFiltered &&
            h(
              "div.actions",
              {},
              button("Clear the filters", () => go("#/findings")),
            ),
        ),
      );
    } else append(answer.findings);
  }

  function tab(value, text, many) {
    const isOn = (parameters.severity ?? "") === value;
    return h(
      "button.severity-tab",
      { type: "button", "aria-pressed": String(isOn), class: value, onclick: () => change({ severity: value }) },
      many !== null && h("b", {}, number(many)),
      h("span", {}, text),
    );
  }

  function drawGroups(given) {
    const id = unique("rules");
    // The pressed button keeps the focus when all are made again.
    const at = groups.contains(document.activeElement) ? document.activeElement.dataset.code : null;
    fill(
      groups,
      h(
        "section.facet",
        { "aria-labelledby": id },
        h("h2.small", { id }, "Rules"),
        given.length === 0
          ? h("p.hint", {}, "None")
          : h(
              "ul",
              {},
              given.map((group) =>
                h(
                  "li",
                  {},
                  h(
                    "button.choice.rule",
                    {
                      type: "button",
                      data: { code: group.code },
                      "aria-pressed": String(parameters.code === group.code),
                      onclick: () => change({ code: parameters.code === group.code ? "" : group.code }),
                    },
                    h(
                      "span",
                      {},
                      h("span.severity", { class: group.severity, title: SEVERITIES[group.severity] ?? "" }),
                      h("span", {}, prose(capital(group.title || group.code))),
                      h("small", {}, `${group.code} · ${counted(group.files, "file")}`),
                    ),
                    h("span.count", {}, number(group.count)),
                  ),
                ),
              ),
            ),
      ),
    );
    if (at) [...groups.querySelectorAll("[data-code]")].find((one) => one.dataset.code === at)?.focus();
  }

  function drawFiles(answer) {
    const files = answer.files ?? [];
    const wanted = parameters.file ?? "";
    // The chosen value stays a choice, even if it has no findings.
    const missing = wanted !== "" && !files.some((one) => one.file === wanted) ? [{ file: wanted, count: 0 }] : [];
    fill(
      file,
      h("option", { value: "" }, "All files"),
      [...missing, ...files].map((one) =>
        h("option", { value: one.file }, `${fileName(one.file)} (${number(one.count)})`),
      ),
    );
    file.value = wanted;
  }

  function append(findings) {
    list.append(
      ...findings.map((one) =>
        finding(one, {
          only:
            !parameters.file && one.file
              ? button("Only this file", () => change({ file: one.file }), {
                  class: "more",
                  "aria-label": `Only findings of ${one.file}`,
                })
              : null,
        }),
      ),
    );
    shown += findings.length;
    end.textContent = shown < total ? "…" : "";
  }

  async function more() {
    if (isLoading || shown === 0 || shown >= total) return;
    isLoading = true;
    const mine = turn;
    try {
      const answer = await get("api/findings", { ...parameters, offset: shown, limit: PAGE });
      if (mine !== turn) return;
      isLoading = false;
      if (answer.state !== state) {
        forget();
        return load();
      }
      append(answer.findings);
      // If the rows are short, the end may still be in sight.
      if (end.getBoundingClientRect().top < innerHeight + 600) more();
    } catch (error) {
      isLoading = false;
      notice(error.message);
    }
  }

  async function download(ending, type) {
    try {
      const reply = await ask(`${address(`api/findings.${ending}`)}?${query(parameters)}`.replace(/\?$/, ""));
      if (reply.status === 202) return notice("The files are still being checked. Try again in a moment.");
      save(`findings.${ending}`, type, [await reply.blob()]);
    } catch (error) {
      notice(error.message);
    }
  }
}

function read(given) {
  return Object.fromEntries(NAMES.map((name) => [name, given.get(name) ?? ""]).filter(([, value]) => value));
}
