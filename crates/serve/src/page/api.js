// Requests to the server: JSON with the token if there is one, and errors that say what to do.

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
    // It stays in memory until the page is left.
  }
}

/** A refusal of the server, with its code and help. */
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

/** The address of a resource. It is relative, because a proxy may serve the page under any path. */
export function address(path, parameters = {}) {
  const search = query(parameters);
  return new URL(search ? `${path}?${search}` : path, document.baseURI.replace(/[?#].*$/, "")).href;
}

/** Parameters as the text after `?`; an array is a parameter that occurs several times. */
export function query(parameters) {
  const search = new URLSearchParams();
  for (const [key, given] of Object.entries(parameters)) {
    for (const value of [given].flat()) {
      // An empty string is a value for the parameter of a query, but means "no filter" for a filter.
      if (value !== null && value !== undefined && (value !== "" || key.startsWith("p."))) search.append(key, value);
    }
  }
  return search.toString();
}

/** An answer of the server in any form. If it requires a token, the page sends it, or asks the reader for it. */
export async function ask(url, options = {}) {
  for (let tries = 0; ; tries += 1) {
    const shown = token();
    const headers = new Headers(options.headers);
    if (shown !== null) headers.set("Authorization", `Bearer ${shown}`);
    let reply;
    try {
      // Without credentials of the browser, which would ask for a name and a password in its own window.
      reply = await fetch(url, { ...options, headers, credentials: "omit" });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Refusal(0, {
        code: "page::no-server",
        detail: "The server does not answer.",
        help: ["Is it still running? The page continues when the server is back."],
      });
    }
    if (reply.status === 401) {
      const wanted = await problem(reply);
      // The reader may have entered the token while this answer was on its way.
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

/** A few numbers about the data of the server; requested once. */
export function summary() {
  known ??= get("api/summary").catch((error) => {
    known = null;
    throw error;
  });
  return known;
}

/** Forgets these numbers, because the data have changed. */
export function forget() {
  known = null;
}

/** Sends one request at a time. Requests made meanwhile wait, and only the last of them is sent. */
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

/** Asks the reader for the token; returns whether one was entered. */
function askForToken(wanted, wasWrong) {
  // One dialog, however many answers ask for the token.
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
      h("h2", { id: `${id}-title` }, "This server requires a token"),
      h("p", {}, wasWrong ? "That token was wrong. " : "", told),
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

/** An error with its help, and a button to try again. */
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
