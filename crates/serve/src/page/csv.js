// The list of questions as a file for spreadsheets.

import { get } from "./api.js";

const PAGE = 1000;
const COLUMNS = [
  "system",
  "dataset",
  "file",
  "localId",
  "id",
  "text",
  "finished",
  "answerable",
  "template",
  "keywords",
  "ratings",
  "rating",
  "disagreement",
  "findings",
  "modified",
];

/**
 * All questions of a list, page by page; `progress` is called with the number so far. Pages of two states of the data
 * are never combined into one file.
 */
export async function questionsAsCsv(parameters, progress) {
  for (let tries = 0; tries < 3; tries += 1) {
    const parts = [`\ufeff${COLUMNS.join(",")}\r\n`];
    let state = null;
    let offset = 0;
    for (;;) {
      const answer = await get("api/questions", { ...parameters, offset, limit: PAGE, facets: "false" });
      state ??= answer.state;
      if (state !== answer.state) break;
      parts.push(answer.questions.map(line).join(""));
      offset += answer.questions.length;
      progress(offset, answer.total);
      if (offset >= answer.total || answer.questions.length === 0) return parts;
    }
  }
  throw new Error("The data change faster than they can be read. Try again in a moment.");
}

function line(question) {
  return `${COLUMNS.map((name) => field(question[name])).join(",")}\r\n`;
}

/** One field in the syntax of RFC 4180. */
export function field(given) {
  if (given === null || given === undefined) return "";
  const text = Array.isArray(given) ? given.join("; ") : String(given);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
