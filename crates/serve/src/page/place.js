// Finds the context of the caret in a query, and the classes and properties of its variables. The query is still being
// written, so this reads what is there and never fails.

const TERMS = new Set(["iri", "prefixed", "variable", "blank", "string", "number", "a"]);
const GROUPS = new Set([
  "WHERE",
  "OPTIONAL",
  "UNION",
  "MINUS",
  "EXISTS",
  "NOT",
  "GRAPH",
  "SERVICE",
  "FILTER",
  "BIND",
  "VALUES",
]);

/** Reads tokens; returns what is expected after them, and the statements about each subject. */
export function read(tokens) {
  const said = [];
  const frames = [];
  let top = { type: "top", slot: "start", subject: null, predicate: null };
  let word = null;
  let isData = false;

  const push = (type, slot, more = {}) => {
    frames.push(top);
    top = { type, slot, subject: null, predicate: null, ...more };
  };
  const pop = () => {
    if (frames.length > 0) top = frames.pop();
  };
  const took = (text) => {
    if (top.slot === "graph") top.slot = "group";
    else if (top.slot === "subject") {
      top.subject = text;
      top.slot = "predicate";
    } else if (top.slot === "predicate") {
      top.predicate = text;
      top.slot = "object";
    } else if (top.slot === "object") {
      if (top.subject !== null) said.push({ subject: top.subject, predicate: top.predicate, object: text });
      top.slot = "after";
    } else if (top.slot === "after" && top.type === "group") {
      // The dot before is missing.
      top.subject = text;
      top.slot = "predicate";
    }
  };

  for (const token of tokens) {
    const { kind, text } = token;
    if (kind === "comment") continue;
    if (kind === "keyword") {
      word = text.toUpperCase();
      if (word === "TRUE" || word === "FALSE") {
        took(text);
        continue;
      }
      if (word === "DATA") isData = true;
      if (top.type === "top") {
        top.slot =
          {
            PREFIX: "prefix",
            BASE: "prefix",
            SELECT: "select",
            WHERE: "group",
            DESCRIBE: "terms",
            CONSTRUCT: "group",
            FROM: "terms",
            GROUP: "expression",
            ORDER: "expression",
            HAVING: "expression",
            BY: "expression",
            LIMIT: "number",
            OFFSET: "number",
            VALUES: "terms",
          }[word] ?? top.slot;
        if (["ASK"].includes(word)) top.slot = "group";
      } else if (top.type === "group") {
        if (word === "SELECT") top.slot = "select";
        else if (word === "GRAPH" || word === "SERVICE") top.slot = "graph";
        else if (["FILTER", "BIND", "HAVING", "GROUP", "ORDER", "BY"].includes(word)) top.slot = "expression";
        else if (word === "LIMIT" || word === "OFFSET") top.slot = "number";
        else if (word === "VALUES") top.slot = "terms";
        else if (GROUPS.has(word)) top.slot = "group";
      }
      continue;
    }
    if (kind === "sign") {
      if (text === "{")
        push(
          top.slot === "terms" && word === "VALUES" ? "values" : "group",
          top.slot === "terms" && word === "VALUES" ? "terms" : "subject",
        );
      else if (text === "}") {
        pop();
        if (top.type === "group") top.slot = "subject";
        else if (top.type === "top") top.slot = "modifier";
      } else if (text === "(") {
        if (top.slot === "predicate") push("path", "predicate", { outer: true });
        else if (top.slot === "object" || (top.slot === "subject" && top.type === "group")) push("list", "list");
        else push("expression", top.slot === "select" ? "expression" : top.slot === "terms" ? "terms" : "expression");
      } else if (text === ")") {
        const inner = top.type;
        pop();
        if (inner === "path") took("(path)");
        else if (inner === "list") took("(list)");
        else if (top.slot === "expression" && top.type === "group") top.slot = "subject";
      } else if (text === "[") push("group", "predicate", { subject: `[${token.from}` });
      else if (text === "]") {
        const node = top.subject;
        pop();
        took(node ?? "[]");
      } else if (text === ".") {
        if (top.type === "group") top.slot = "subject";
      } else if (text === ";") {
        if (top.type === "group" && top.subject !== null) top.slot = "predicate";
      } else if (text === ",") {
        if (top.type === "group" && top.slot === "after") top.slot = "object";
      } else if (text === "/" || text === "|" || text === "^") {
        // The path continues, so it was not complete.
        if (top.slot === "object" || top.slot === "predicate") {
          top.slot = "predicate";
          top.isPath = text !== "^" || top.isPath;
        }
      }
      continue;
    }
    if (kind === "function") {
      if (top.slot === "subject" || top.slot === "after") top.slot = "expression";
      continue;
    }
    if (TERMS.has(kind)) {
      if (top.type === "path") continue;
      took(text);
    }
  }
  return {
    slot: top.type === "path" ? "predicate" : top.slot,
    type: top.type,
    subject: top.subject,
    predicate: top.predicate,
    isInPath: top.type === "path" || (top.slot === "predicate" && top.isPath === true),
    said,
    isData,
  };
}
