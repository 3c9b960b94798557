// Starts the page: views by address, keys that work everywhere, colours.

import { failure } from "./api.js";
import { fill, h, say } from "./dom.js";
import { parse } from "./route.js";

const VIEWS = {
  questions: () => import("./questions.js"),
  question: () => import("./question.js"),
  findings: () => import("./findings.js"),
  figures: () => import("./figures.js"),
  sparql: () => import("./sparql.js"),
};

const main = document.getElementById("main");
/** The reader's position, by entry of the history. */
const places = new Map();
let shown = { view: null, handle: null, entry: null };
let turn = 0;

history.scrollRestoration = "manual";

async function show() {
  const entry = history.state?.entry ?? null;
  const isBack = entry !== null && places.has(entry);
  if (entry === null) history.replaceState({ entry: `${Date.now()}-${Math.random()}` }, "");
  const isFirst = shown.view === null;
  const { view, parameters } = parse(location.hash);
  turn += 1;
  const mine = turn;
  if (shown.view === view && shown.handle?.update) {
    shown.entry = history.state.entry;
    shown.handle.update(parameters);
    if (!isBack && shown.handle.top) scrollTo(0, 0);
    return;
  }
  const load = Object.hasOwn(VIEWS, view) ? VIEWS[view] : null;
  if (load === null) return showNothing(view);
  try {
    const module = await load();
    // The reader may have left the view meanwhile.
    if (mine !== turn) return;
    shown.handle?.leave?.();
    const root = h("div.view", { data: { view } });
    fill(main, root);
    const back = isBack ? places.get(history.state.entry) : 0;
    const handle = module.show(root, parameters, { scroll: back, isFirst });
    shown = { view, handle, entry: history.state.entry };
    mark(view);
    if (!handle?.scrolls) scrollTo(0, back);
    // A screen reader starts at the heading, except in the first view, where browsers start at the top.
    if (!isFirst) main.querySelector("h1")?.focus({ preventScroll: true });
  } catch (error) {
    if (mine === turn)
      fill(
        main,
        h(
          "div.view",
          {},
          failure(error, () => show()),
        ),
      );
  }
}

function showNothing(view) {
  shown.handle?.leave?.();
  shown = { view, handle: null, entry: history.state.entry };
  mark(view);
  fill(
    main,
    h(
      "div.view",
      {},
      h("h1", { tabindex: "-1" }, "Nothing here"),
      h("p", {}, "The page has no view of this name. ", h("a", { href: "#/questions" }, "All questions")),
    ),
  );
}

function mark(view) {
  for (const link of document.querySelectorAll("#views a")) {
    const isThis = link.dataset.view === (view === "question" ? "questions" : view);
    if (isThis) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const titles = {
    questions: "Questions",
    question: "Question",
    findings: "Findings",
    figures: "Figures",
    sparql: "SPARQL",
  };
  document.title = `${titles[view] ?? "Nothing here"} · evalgraph`;
}

addEventListener("popstate", show);
addEventListener(
  "scroll",
  () => {
    if (shown.entry !== null && history.state?.entry === shown.entry) places.set(shown.entry, scrollY);
  },
  { passive: true },
);

document.getElementById("skip").addEventListener("click", (event) => {
  // The address stays that of the view.
  event.preventDefault();
  main.focus();
});

addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = event.target;
  if (at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement || at instanceof HTMLSelectElement) return;
  const search = document.querySelector("[data-search]");
  if (search === null) return;
  event.preventDefault();
  search.focus();
  search.select();
});

const THEMES = [null, "light", "dark"];
const THEME_NAMES = { null: "Colours of the system", light: "Light colours", dark: "Dark colours" };
const SIGNS = { null: "◐", light: "○", dark: "●" };

function theme() {
  return document.documentElement.dataset.theme ?? null;
}

function showTheme() {
  const sign = document.getElementById("theme");
  sign.textContent = SIGNS[theme()];
  sign.setAttribute("aria-label", THEME_NAMES[theme()]);
  sign.title = `${THEME_NAMES[theme()]}. Press to change.`;
}

document.getElementById("theme").addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length];
  if (next === null) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    if (next === null) localStorage.removeItem("evalgraph.theme");
    else localStorage.setItem("evalgraph.theme", next);
  } catch {
    // Without storage, it is kept until the page is left.
  }
  showTheme();
  say(THEME_NAMES[next]);
});

showTheme();
show();
