// One question with everything that belongs to it.

import { failure, get, summary } from "./api.js";
import { copy, button, fill, h } from "./dom.js";
import { edit, undoBar } from "./edit.js";
import { finding } from "./finding.js";
import { python } from "./python.js";
import { neighbours } from "./questions.js";
import { rubric } from "./ratings.js";
import { to, toQuestion } from "./route.js";
import { brief, counted, date, fileName, link, long, number, system, value } from "./text.js";

/** Shows a question. */
export function show(root, given, { scroll, isFirst }) {
  let key = read(given);
  let back = scroll;
  // If this is the first view, the focus stays where browsers put it.
  let isDrawn = !isFirst;
  const keys = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(event.target.tagName)) return;
    const way = { j: "after", k: "before" }[event.key];
    const next = way && neighbours(key)?.[way];
    if (next) location.hash = toQuestion(next);
  };
  addEventListener("keydown", keys);
  load();

  async function load() {
    const mine = key;
    if (!root.firstChild) fill(root, waiting());
    try {
      const [question, all] = await Promise.all([get("api/question", key), summary().catch(() => ({ write: false }))]);
      if (mine !== key || !root.isConnected) return;
      draw(question, all.write === true);
      if (back > 0) scrollTo(0, back);
      back = 0;
    } catch (error) {
      if (mine !== key) return;
      const isUnknown = error.status === 404;
      fill(
        root,
        way(key),
        h("h1", { tabindex: "-1" }, isUnknown ? "This question is not here" : "The question cannot be shown"),
        isUnknown
          ? h(
              "div.empty",
              {},
              h(
                "p",
                {},
                "The data may have changed since the address was made. The question may have another id now, or its file is gone.",
              ),
              h("div.actions", {}, h("a.button", { href: "#/questions" }, "All questions")),
            )
          : failure(error, load),
      );
    }
  }

  function draw(question, canWrite) {
    document.title = `${brief(question.text || "Question", 60)} · evalgraph`;
    const answers = unequal([question.answer, ...(question.answers ?? [])]);
    const host = h("div.edit-host");
    const start =
      canWrite &&
      button(
        "Edit",
        () => {
          start.hidden = true;
          edit(host, question, {
            done: load,
            closed: () => {
              start.hidden = false;
              start.focus();
            },
          });
        },
        { "aria-label": "Edit the answer, the keywords or the mark" },
      );
    fill(
      root,
      way(question),
      h(
        "div.sheet",
        {},
        h(
          "div.main",
          {},
          h(
            "header.question",
            {},
            h(
              "p.kicker",
              {},
              h("b", {}, system(question.system)),
              question.dataset?.name && h("span", { dir: "auto" }, question.dataset.name),
            ),
            question.text?.trim()
              ? long(question.text, "h1", 900)
              : h("h1", {}, h("i", {}, "A question without a text")),
            marks(question),
            h("div.actions", {}, start),
          ),
          undoBar(question, load),
          host,
          section(
            "answer",
            answers.length > 1 ? "Answers" : "Answer",
            answers.length === 0
              ? h(
                  "p.hint",
                  {},
                  question.answerable === false ? "This question is meant to have no answer." : "No answer is given.",
                )
              : answers.map((answer) => h("blockquote.answer", {}, long(answer))),
          ),
          sources(question),
          feedback(question),
          rubric(question),
          template(question),
          excerpt(question),
        ),
        h("aside", { "aria-label": "About the question" }, findings(question), facts(question), same(question)),
      ),
    );
    const heading = root.querySelector("h1");
    heading.tabIndex = -1;
    // If another question was shown before, the focused element is gone.
    if (isDrawn && document.activeElement === document.body) heading.focus({ preventScroll: true });
    isDrawn = true;
    const named = given.get("part");
    if (named && back === 0) document.getElementById(named)?.scrollIntoView();
  }

  return {
    top: true,
    update(next) {
      key = read(next);
      load();
    },
    leave: () => removeEventListener("keydown", keys),
  };
}

function read(given) {
  return { graph: given.get("graph") ?? "", id: given.get("id") ?? "" };
}

function waiting() {
  return h("div.waiting", { "aria-hidden": "true" }, h("span.bone.short"), h("span.bone"), h("span.bone"));
}

function way(question) {
  const list = neighbours(question);
  const step = (other, text, sign, key) =>
    other &&
    h(
      "a.button",
      { href: toQuestion(other), title: `${text} (${key})`, "aria-label": text, "aria-keyshortcuts": key },
      sign,
    );
  return h(
    "nav.way",
    { "aria-label": "Back and forth" },
    h("a", { href: list?.list ?? "#/questions" }, "← Questions"),
    list &&
      h(
        "span.steps",
        {},
        h("small", {}, `${number(list.index + 1)} of ${number(list.total)}`),
        step(list.before, "The question before", "↑", "k"),
        step(list.after, "The next question", "↓", "j"),
      ),
  );
}

function section(id, title, ...children) {
  return h("section.part", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), children);
}

function unequal(texts) {
  return [...new Set(texts.filter((text) => typeof text === "string" && text.trim() !== ""))];
}

function marks(question) {
  const list = [
    question.finished === true && h("span.state.done", {}, "✓ Finished"),
    question.finished === false && h("span.state", {}, "○ Unfinished"),
    question.answerable === false && h("span.state", {}, "Not answerable"),
    ...(question.keywords ?? [])
      .slice(0, 60)
      .map((word) => h("a.word", { href: to("questions", { keyword: word }), dir: "auto" }, brief(word, 80))),
  ].filter(Boolean);
  return list.length > 0 && h("p.marks", {}, list);
}

function sources(question) {
  const list = question.sources ?? [];
  if (list.length === 0) return null;
  return section(
    "sources",
    "Sources",
    h(
      "p.hint",
      {},
      list.some((source) => source.cited === false)
        ? "The passages found for the answer, and the sources that it cites."
        : "The sources of the answer.",
    ),
    h(
      "ol.sources",
      {},
      list.map((source) =>
        h(
          "li",
          {},
          h(
            "h3.source-name",
            {},
            source.url
              ? link(source.url, source.title || source.url)
              : h("span", { dir: "auto" }, source.title || "A source without a title"),
          ),
          source.text && long(source.text, "p.text", 700),
          h(
            "p.facts",
            {},
            source.score !== null && source.score !== undefined && h("span", {}, `score ${value(source.score)}`),
            source.chunk && h("code", { dir: "auto" }, source.chunk),
            source.cited === false && h("span", {}, "found but not cited"),
          ),
        ),
      ),
    ),
  );
}

/** The opinions of experts; those that differ from most are marked. */
function feedback(question) {
  const list = question.feedback ?? [];
  if (list.length === 0) return null;
  const counts = new Map();
  for (const { value: said } of list) {
    if (said !== null && said !== undefined && said !== "")
      counts.set(String(said), (counts.get(String(said)) ?? 0) + 1);
  }
  const order = [...counts].sort((one, other) => other[1] - one[1]);
  const isSplit = order.length > 1;
  const most = isSplit && order[0][1] > order[1][1] ? order[0][0] : null;
  const differs = (one) => most !== null && one.value !== null && one.value !== undefined && String(one.value) !== most;
  const line = isSplit
    ? `They disagree: ${order.map(([said, count]) => `${counted(count, "person", "people")} ${count === 1 ? "says" : "say"} “${brief(said, 60)}”`).join(", ")}.`
    : order.length === 1 && list.length > 1
      ? `All agree: “${brief(order[0][0], 60)}”.`
      : null;
  return section(
    "experts",
    "Experts",
    line && h("p", { class: isSplit ? "split" : "hint", dir: "auto" }, line),
    h(
      "ul.feedback",
      {},
      list
        .slice(0, 500)
        .map((one) =>
          h(
            "li",
            { class: differs(one) ? "differs" : "" },
            h(
              "p",
              {},
              h("b", { dir: "auto" }, one.by ?? "Somebody"),
              one.level && h("small", {}, ` ${one.level}`),
              one.value !== null && one.value !== undefined && h("span.said", { dir: "auto" }, value(one.value)),
              differs(one) && h("small.apart", {}, "differs from most"),
            ),
            one.text && long(one.text, "p.text", 700),
            one.at && h("p.facts", {}, h("span", {}, date(one.at))),
          ),
        ),
    ),
    list.length > 500 && h("p.hint", {}, `The first 500 of ${number(list.length)}.`),
  );
}

function template(question) {
  if (question.template === null || question.template === undefined || question.template === "") {
    return question.system === "karenina"
      ? section("template", "Template", h("p.hint", {}, "No template says how answers are checked."))
      : null;
  }
  return section(
    "template",
    "Template",
    question.stub === true &&
      h("p.hint", {}, "This is the library's default template. It has not been edited yet."),
    h(
      "div.code",
      {},
      button("Copy", () => copy(question.template, "The template"), { class: "quiet" }),
      h(
        "pre",
        { tabindex: "0", role: "region", "aria-label": "Template in Python" },
        h("code", {}, python(question.template)),
      ),
    ),
  );
}

function excerpt(question) {
  if (!question.file) return null;
  const place = question.line ? `${question.file}:${question.line}` : question.file;
  const lines = question.excerpt?.lines;
  return section(
    "file",
    "In the file",
    h(
      "p.place-line",
      {},
      h("code", { dir: "auto" }, place),
      button("Copy", () => copy(place, "The place"), { class: "quiet", "aria-label": "Copy the place" }),
    ),
    lines
      ? h(
          "div.code",
          {},
          h(
            "pre.lines",
            { tabindex: "0", role: "region", "aria-label": `Text of ${question.file}` },
            lines.map((text, at) => {
              const line = question.excerpt.first + at;
              return h("code", { class: line === question.line ? "here" : "", data: { line } }, text || " ", "\n");
            }),
          ),
        )
      : h("p.hint", {}, "The file is missing or has changed since it was read, so its text is not shown."),
  );
}

function findings(question) {
  const list = question.findings ?? [];
  if (question.findings === null) return null;
  return h(
    "section",
    { id: "findings", "aria-labelledby": "findings-title" },
    h("h2", { id: "findings-title" }, "Findings"),
    list.length === 0
      ? h("p.hint", {}, "Nothing is wrong with it, as far as the rules can tell.")
      : list.slice(0, 100).map((one) => finding(one, { isLinked: false })),
  );
}

function facts(question) {
  const rows = [
    [
      "Dataset",
      question.dataset?.name &&
        h(
          "a",
          { href: to("questions", { dataset: question.dataset.value ?? question.dataset.name }), dir: "auto" },
          question.dataset.name,
        ),
    ],
    ["Licence", [...new Set([question.dataset?.licence, ...(question.licences ?? [])])].filter(Boolean).join(", ")],
    ["Created", question.created && date(question.created)],
    ["Changed", question.modified && date(question.modified)],
    [
      "Id",
      (question.localId || question.id) && h("code", { dir: "auto" }, brief(question.localId || question.id, 200)),
    ],
    [
      "Address",
      question.id &&
        !question.id.startsWith("_:") &&
        h("a", { href: to("sparql", { node: question.id }), dir: "auto" }, "Its neighbours"),
    ],
  ];
  return h(
    "section",
    { "aria-labelledby": "facts-title" },
    h("h2", { id: "facts-title" }, "About it"),
    h(
      "dl",
      {},
      rows.filter(([, text]) => text).map(([name, text]) => [h("dt", {}, name), h("dd", { dir: "auto" }, text)]),
    ),
  );
}

function same(question) {
  const list = question.sameQuestion ?? [];
  return h(
    "section",
    { id: "same", "aria-labelledby": "same-title" },
    h("h2", { id: "same-title" }, "Other files with this question"),
    list.length === 0
      ? h("p.hint", {}, "No other file has this question.")
      : h(
          "ul.same",
          {},
          list
            .slice(0, 50)
            .map((other) =>
              h(
                "li",
                {},
                h("a", { href: toQuestion(other), dir: "auto" }, brief(other.text || "A question without a text", 140)),
                h(
                  "p.facts",
                  {},
                  h("span", {}, system(other.system)),
                  other.file && h("code", { dir: "auto", title: other.file }, fileName(other.file)),
                ),
              ),
            ),
        ),
    list.length > 50 && h("p.hint", {}, `and ${number(list.length - 50)} more`),
  );
}
