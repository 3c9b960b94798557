// Loads checkpoints with the converters of Karenina's user interface, whose bundle the environment names: a line in,
// the name of a file; a line out, JSON with the error or with all that the interface has read.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const bundle = process.env.EVALGRAPH_JUDGE_KARENINA_GUI;
console.log = () => {};
const gui = await import(pathToFileURL(bundle));

// The interface asks this of each item of version 2.0 when it opens a file.
const texts = ["question", "raw_answer", "original_answer_template", "answer_template", "last_modified"];
const isItem = (item) =>
  item && texts.every((key) => typeof item[key] === "string") && typeof item.finished === "boolean";

function load(name) {
  const data = JSON.parse(readFileSync(name, "utf8"));
  if (gui.isJsonLdCheckpoint(data)) {
    gui.validateJsonLdCheckpoint(data);
    return gui.jsonLdToV2(data);
  }
  if (!gui.isV2Checkpoint(data)) throw new Error("unrecognized checkpoint format");
  if (!Object.values(data.checkpoint).every(isItem)) throw new Error("invalid v2.0 checkpoint data structure");
  gui.v2ToJsonLd(data);
  return data;
}

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = { content: load(line) };
  } catch (error) {
    answer = { error: String(error.message ?? error).slice(0, 600) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
