// What the page asks the server: JSON with the token where there is one, and errors that say what to do.

import { button, fill, h, unique } from "./dom.js";
import { capital, prose } from "./text.js";

const TOKEN = "evalgraph.token";
let memory = null;
let asking = null;

function token() {
  try {
    return sessionStorage.getItem(TOKEN) ?? memory;
  } catch {
    return memory;
  }
}

function keepToken(value) {
  memory = value;
  try {
    sessionStorage.setItem(TOKEN, value);
  } catch {
    // It stays in memory, until the page is left.
  }
}

/** What the server refused, with its code and help. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `The server answered ${status}.`);
    this.status = status;
    this.code = problem.code ?? "";
    this.line = problem.line ?? null;
    this.column = problem.column ?? null;
    this.help = [problem.help ?? []].flat();
    this.others = problem.others ?? [];
  }
}

/** The address of a resource, whatever path the page has behind a proxy. */
export function address(path, parameters = {}) {
  const search = query(parameters);
  return new URL(search ? `${path}?${search}` : path, document.baseURI.replace(/[?#].*$/, "")).href;
}

/** Parameters as the text after `?`; an array is a parameter that occurs several times. */
export function query(parameters) {
  const search = new URLSearchParams();
  for (const [key, given] of Object.entries(parameters)) {
    for (const value of [given].flat()) {
      // Nothing is a value of a parameter of a query, and of a filter it is none.
      if (value !== null && value !== undefined && (value !== "" || key.startsWith("p."))) search.append(key, value);
    }
  }
  return search.toString();
}

/** An answer of the server, whatever its form. Where it wants a token, it gets one, or the reader is asked for it. */
export async function ask(url, options = {}) {
  for (let tries = 0; ; tries += 1) {
    const shown = token();
    const headers = new Headers(options.headers);
    if (shown !== null) headers.set("Authorization", `Bearer ${shown}`);
    let reply;
    try {
      // Without credentials of the browser, which would ask for a name and a password in a window of its own.
      reply = await fetch(url, { ...options, headers, credentials: "omit" });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Refusal(0, {
        code: "page::no-server",
        detail: "The server does not answer.",
        help: ["Is it still running? The page goes on as soon as it is there again."],
      });
    }
    if (reply.status === 401) {
      const wanted = await problem(reply);
      // Somebody may have given the token while this answer was on its way.
      if (token() === shown && !(await askForToken(wanted, tries > 0))) throw new Refusal(reply.status, wanted);
      continue;
    }
    if (!reply.ok) throw new Refusal(reply.status, await problem(reply));
    return reply;
  }
}

async function problem(reply) {
  const text = await reply.text();
  try {
    return JSON.parse(text);
  } catch {
    return { detail: text.slice(0, 500) || `The server answered ${reply.status}.` };
  }
}

/** JSON of a resource of the page. */
export async function get(path, parameters = {}, signal = undefined) {
  const reply = await ask(address(path, parameters), { headers: { Accept: "application/json" }, signal });
  return reply.json();
}

/** Sends JSON and gets JSON. `state` is the one that the change is meant for. */
export async function post(path, body, state = null) {
  const headers = { Accept: "application/json", "Content-Type": "application/json" };
  if (state !== null) headers["If-Match"] = `W/"${state}"`;
  const reply = await ask(address(path), { method: "POST", headers, body: JSON.stringify(body) });
  return reply.json();
}

let known = null;

/** What the server has in a few numbers; asked once. */
export function summary() {
  known ??= get("api/summary").catch((error) => {
    known = null;
    throw error;
  });
  return known;
}

/** Forgets what was asked once, since the data have changed. */
export function forget() {
  known = null;
}

/** Asks one thing at a time: what comes while an answer is awaited waits, and only the last of it is asked. */
export function latest(call) {
  let running = false;
  let next = null;
  const run = async (given) => {
    running = true;
    try {
      await call(...given);
    } finally {
      running = false;
      if (next !== null) {
        const waiting = next;
        next = null;
        run(waiting);
      }
    }
  };
  return (...given) => {
    if (running) next = given;
    else run(given);
  };
}

/** Asks the reader for the token; tells whether one was given. */
function askForToken(wanted, wasWrong) {
  // However many answers say so: one question.
  asking ??= new Promise((resolve) => {
    const id = unique("token");
    let isGiven = false;
    const input = h("input", { id, type: "password", autocomplete: "current-password", required: true });
    const told = wanted.detail ? `${capital(wanted.detail)}.` : "";
    const form = h(
      "form",
      {
        method: "dialog",
        onsubmit: () => {
          keepToken(input.value.trim());
          isGiven = true;
        },
      },
      h("h2", { id: `${id}-title` }, "This server wants a token"),
      h("p", {}, wasWrong ? "That was not the right one. " : "", told),
      h("label", { for: id }, "Token"),
      input,
      h(
        "p.hint",
        {},
        "It is in a file that the server was started with. It stays in this tab until the tab is closed.",
      ),
      h(
        "div.actions",
        {},
        h("button.primary", {}, "Go on"),
        button("Cancel", () => dialog.close(), { class: "quiet" }),
      ),
    );
    const dialog = h("dialog.token", { "aria-labelledby": `${id}-title` }, form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      asking = null;
      resolve(isGiven);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
  return asking;
}

/** An error with what helps, and a way to try again. */
export function failure(error, again = null) {
  const box = h("div.failure", { role: "alert" });
  const code = error instanceof Refusal && error.code ? h("code", {}, error.code) : null;
  return fill(
    box,
    h("p", { dir: "auto" }, h("strong", {}, prose(error.message)), " ", code),
    (error.help ?? []).map((help) => h("p", { dir: "auto" }, prose(help))),
    again && button("Try again", again),
  );
}
