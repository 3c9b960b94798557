// A change of a question: it is shown before it is made, made only if the data have not changed since, and undone with
// one press.

import { Refusal, failure, forget, post } from "./api.js";
import { button, fill, h, say, unique } from "./dom.js";
import { cut, number, prose } from "./text.js";

/** The last change, with how to undo it; it is kept when the question is drawn again. */
let last = null;
const NAMES = { answer: "Answer", finished: "Finished", keywords: "Keywords" };

/** A form for a question. `done` is called after a change, `closed` if nothing was changed. */
export function edit(host, question, { done, closed }) {
  const id = unique("edit");
  const answer = h("textarea", { id: `${id}-answer`, rows: "4", dir: "auto" });
  answer.value = question.answer ?? "";
  // The value of the text area, because its line ends may differ from those of the data.
  const before = answer.value;
  answer.rows = Math.min(12, Math.max(4, Math.ceil(before.length / 80)));
  const keywords = h("textarea", { id: `${id}-keywords`, rows: "2", dir: "auto", "aria-describedby": `${id}-hint` });
  const joined = (question.keywords ?? []).join("\n");
  keywords.value = joined;
  const finished = h("input", { id: `${id}-finished`, type: "checkbox" });
  finished.checked = question.finished === true;
  // Files of the other systems have no place for these, unless the question has them already.
  const hasKeywords = question.system === "karenina" || joined !== "";
  const hasMark = question.system === "karenina" || (question.finished ?? null) !== null;
  const review = h("div.review", { "aria-live": "polite" });
  const form = h(
    "form.edit",
    {
      onsubmit: (event) => {
        event.preventDefault();
        look();
      },
      onkeydown: (event) => {
        // A key must not lose the reader's input.
        if (event.key === "Escape" && Object.keys(body()).length === 2) close();
      },
      "aria-label": "Change of the question",
    },
    h("label", { for: `${id}-answer` }, "Answer"),
    answer,
    hasKeywords && [
      h("label", { for: `${id}-keywords` }, "Keywords"),
      keywords,
      h("small", { id: `${id}-hint` }, "One per line."),
    ],
    hasMark && h("label.check", { for: `${id}-finished` }, finished, "Finished"),
    h(
      "div.actions",
      {},
      h("button.primary", {}, "Show the change"),
      button("Cancel", () => close(), { class: "quiet" }),
    ),
    review,
  );
  form.addEventListener("input", () => review.replaceChildren());
  fill(host, form);
  answer.focus();

  function close() {
    host.replaceChildren();
    closed();
  }

  function body() {
    const wanted = { graph: question.graph, id: question.id };
    if (answer.value !== before) wanted.answer = answer.value;
    if (finished.checked !== (question.finished === true)) wanted.finished = finished.checked;
    if (keywords.value !== joined)
      wanted.keywords = [
        ...new Set(
          keywords.value
            .split("\n")
            .map((word) => word.trim())
            .filter(Boolean),
        ),
      ];
    return wanted;
  }

  async function look() {
    const wanted = body();
    if (Object.keys(wanted).length === 2) return fill(review, h("p.hint", {}, "Nothing has changed yet."));
    try {
      const would = await post("api/change", { ...wanted, dry: true }, question.state);
      if (would.changes.length === 0) return fill(review, h("p.hint", {}, "The data say this already."));
      const make = button("Make the change", () => change(wanted), { class: "primary" });
      fill(
        review,
        h("h3", {}, `This would change in ${would.file ?? "the store"}`),
        would.changes.map(difference),
        (would.notes ?? []).map((note) => h("p.hint", { dir: "auto" }, prose(note.detail ?? ""))),
        would.update && h("details", {}, h("summary", {}, "As SPARQL"), h("pre", { tabindex: "0" }, would.update)),
        h("div.actions", {}, make),
      );
      make.focus();
    } catch (error) {
      fill(review, refused(error));
    }
  }

  async function change(wanted) {
    try {
      const made = await post("api/change", { ...wanted, dry: false }, question.state);
      last = { graph: question.graph, id: question.id, state: made.state, undo: made.undo };
      forget();
      host.replaceChildren();
      closed();
      say("The change is made.");
      done();
    } catch (error) {
      fill(review, refused(error));
    }
  }

  function refused(error) {
    if (error instanceof Refusal && error.status === 412) {
      return h(
        "div.failure",
        { role: "alert" },
        h("p", {}, h("strong", {}, "Someone else has changed the data in the meantime.")),
        h(
          "p",
          {},
          "Your change was not written. Look at the question as it is now; until then, your text stays here so that you can copy it.",
        ),
        button("Show it as it is now", done),
      );
    }
    return failure(error);
  }
}

function difference(change) {
  return h(
    "div.difference",
    {},
    h("h4", {}, NAMES[change.property] ?? change.property),
    h("del", { dir: "auto" }, shown(change.before)),
    h("ins", { dir: "auto" }, shown(change.after)),
  );
}

function shown(given) {
  if (given === null || given === undefined || given === "" || given.length === 0) return "nothing";
  if (typeof given === "boolean") return given ? "yes" : "no";
  const text = Array.isArray(given) ? given.join(", ") : String(given);
  return text.length > 3000 ? `${cut(text, 3000)}… (${number(text.length)} characters)` : text;
}

/** The button to undo the last change, on the page of its question. */
export function undoBar(question, done) {
  if (last === null || last.graph !== question.graph || last.id !== question.id) return null;
  const mine = last;
  const bar = h("div.undo", { role: "status" });
  const undo = button("Undo", async () => {
    undo.disabled = true;
    try {
      await post("api/change", mine.undo, mine.state);
      last = null;
      forget();
      say("The change is undone.");
      done();
    } catch (error) {
      last = null;
      fill(
        bar,
        error.status === 412
          ? h(
              "p",
              {},
              "Someone else has changed the data since, so this cannot be undone here. Change it by hand if necessary.",
            )
          : failure(error),
      );
    }
  });
  return fill(
    bar,
    h("p", {}, "The change is made."),
    mine.undo && undo,
    button(
      "Close",
      () => {
        last = null;
        bar.remove();
      },
      { class: "quiet" },
    ),
  );
}
