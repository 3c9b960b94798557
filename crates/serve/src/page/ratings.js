// The rubric of a question with its ratings: a row for each trait, single ratings below.

import { button, h } from "./dom.js";
import { histogram } from "./chart.js";
import { counted, date, long, number, value } from "./text.js";

const STEP = 25;

/** The traits with their ratings; nothing if there are none. */
export function rubric(question) {
  const traits = question.traits ?? [];
  const ratings = question.ratings ?? [];
  const total = question.ratingsTotal ?? ratings.length;
  if (traits.length === 0 && ratings.length === 0) return null;
  const byTrait = new Map(traits.map((trait) => [trait.name, { trait, given: [] }]));
  for (const rating of ratings) {
    const name = rating.trait ?? "";
    if (!byTrait.has(name)) byTrait.set(name, { trait: { name }, given: [] });
    byTrait.get(name).given.push(rating);
  }
  return h(
    "section.part",
    { id: "ratings", "aria-labelledby": "ratings-title" },
    h("h2", { id: "ratings-title" }, ratings.length > 0 ? "Rubric and ratings" : "Rubric"),
    total > ratings.length &&
      h("p.hint", {}, `The first ${number(ratings.length)} of ${counted(total, "rating")} are shown.`),
    h(
      "div.traits",
      {},
      [...byTrait.values()].map(({ trait, given }) => row(trait, given)),
    ),
    ratings.length > 0 && single(ratings),
  );
}

function row(trait, given) {
  const numbers = given.map((rating) => asNumber(rating.value)).filter((one) => one !== null);
  const mean = numbers.length > 0 ? numbers.reduce((sum, one) => sum + one, 0) / numbers.length : null;
  const range =
    trait.least !== null && trait.least !== undefined && trait.most !== null && trait.most !== undefined
      ? `${value(trait.least)} to ${value(trait.most)}`
      : null;
  const facts = [
    trait.scope === "global" ? "for all questions" : trait.scope === "question" ? "for this question" : null,
    trait.kind,
    range,
  ];
  return h(
    "div.trait",
    {},
    h(
      "div",
      {},
      h("h3.trait-name", { dir: "auto" }, trait.name || "Without a name"),
      trait.description && long(trait.description, "p.text", 400),
      h(
        "p.facts",
        {},
        facts.filter(Boolean).map((fact) => h("span", { dir: "auto" }, fact)),
      ),
    ),
    given.length === 0
      ? h("p.hint", {}, "No ratings yet")
      : h(
          "div.given",
          {},
          tells(numbers, trait) &&
            histogram(numbers, {
              least: trait.least,
              most: trait.most,
              name: `Ratings of ${trait.name}`,
              width: 170,
              height: 54,
            }),
          h(
            "p.mean",
            {},
            h("b", {}, mean === null ? "–" : shown(mean, numbers.length, trait)),
            h("small", {}, counted(given.length, "rating")),
          ),
        ),
  );
}

/** Returns whether a picture says more than the mean. */
function tells(numbers, trait) {
  return (
    numbers.length > 1 &&
    (new Set(numbers).size > 1 || (trait.least !== null && trait.least !== undefined && trait.least !== trait.most))
  );
}

/** The mean as people say it; for yes and no, the share of yes. */
function shown(mean, count, trait) {
  if (trait.kind !== "boolean") return number(mean);
  return count === 1 ? value(mean === 1 ? true : mean === 0 ? false : mean) : `${number(Math.round(mean * 100))} % yes`;
}

/** A rating as a number: yes is 1, and no is 0. */
function asNumber(given) {
  if (typeof given === "boolean") return given ? 1 : 0;
  return typeof given === "number" && Number.isFinite(given) ? given : null;
}

function single(ratings) {
  const body = h("tbody");
  const more = button("", () => add(), { class: "more" });
  let shown = 0;
  const add = () => {
    const end = Math.min(ratings.length, shown + (shown === 0 ? STEP : STEP * 8));
    body.append(
      ...ratings
        .slice(shown, end)
        .map((rating) =>
          h(
            "tr",
            {},
            h("td", { dir: "auto" }, rating.trait ?? ""),
            h("td.number", {}, value(rating.value)),
            h("td", { dir: "auto" }, rating.by ?? ""),
            h("td", {}, rating.explanation ? long(rating.explanation, "span", 500) : ""),
            h("td.when", {}, date(rating.at)),
          ),
        ),
    );
    shown = end;
    more.hidden = shown === ratings.length;
    more.textContent = `Show more of ${number(ratings.length)}`;
  };
  const details = h(
    "details",
    { ontoggle: () => details.open && shown === 0 && add() },
    h("summary", {}, "Each rating"),
    h(
      "div.scroll",
      { tabindex: "0", role: "region", "aria-label": "Each rating" },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["Trait", "Value", "By", "Why", "When"].map((title) => h("th", { scope: "col" }, title)),
          ),
        ),
        body,
      ),
    ),
    more,
  );
  return details;
}
