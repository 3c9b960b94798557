// The tokens of SPARQL: for colours, for completion, and for replacing parameters with values.

const KEYWORDS =
  `ADD ALL AS ASC ASK BASE BIND BY CLEAR CONSTRUCT COPY CREATE DATA DEFAULT DELETE DESC DESCRIBE DISTINCT DROP EXISTS
 FILTER FROM GRAPH GROUP HAVING IN INSERT INTO LIMIT LOAD MINUS MOVE NAMED NOT OFFSET OPTIONAL ORDER PREFIX REDUCED SELECT SERVICE
 SILENT TO UNDEF UNION USING VALUES WHERE WITH SEPARATOR true false`.split(/\s+/);
/** Functions with their arguments. */
export const FUNCTIONS =
  `ABS(number) AVG(values) BNODE() BOUND(?variable) CEIL(number) COALESCE(first,…) CONCAT(texts…) CONTAINS(text,part) COUNT(values)
 DATATYPE(literal) DAY(date) ENCODE_FOR_URI(text) FLOOR(number) GROUP_CONCAT(values;SEPARATOR=", ") HOURS(date) IF(condition,then,else) IRI(text) isBLANK(term)
 isIRI(term) isLITERAL(term) isNUMERIC(term) LANG(literal) LANGMATCHES(tag,range) LCASE(text) MAX(values) MD5(text) MIN(values) MINUTES(date) MONTH(date) NOW() RAND()
 REGEX(text,pattern) REPLACE(text,pattern,by) ROUND(number) sameTerm(one,other) SAMPLE(values) SECONDS(date) SHA1(text) SHA256(text) SHA512(text) STR(term)
 STRAFTER(text,part) STRBEFORE(text,part) STRDT(text,datatype) STRENDS(text,end) STRLANG(text,tag) STRLEN(text) STRSTARTS(text,start) STRUUID() SUBSTR(text,from)
 SUM(values) TIMEZONE(date) TZ(date) UCASE(text) UUID() YEAR(date)`
    .split(/\s+(?=[A-Za-z_]+\d*\()/)
    .map((text) => {
      const at = text.indexOf("(");
      return { name: text.slice(0, at).trim(), given: text.slice(at).trim() };
    });

const IS_KEYWORD = new Set(KEYWORDS.map((word) => word.toUpperCase()));
const IS_FUNCTION = new Set(FUNCTIONS.map((one) => one.name.toUpperCase()));

const TOKEN = new RegExp(
  [
    String.raw`(?<comment>#[^\n]*)`,
    String.raw`(?<iri><[^<>"{}|^\x60\\\x00-\x20]*>)`,
    String.raw`(?<string>"""(?:[^\\]|\\[\s\S])*?(?:"""|$)|'''(?:[^\\]|\\[\s\S])*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)`,
    String.raw`(?<variable>[?$][\p{L}\p{N}_]+)`,
    String.raw`(?<blank>_:[\p{L}\p{N}_.-]*[\p{L}\p{N}_-])`,
    String.raw`(?<prefixed>(?:\p{L}(?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_-])?)?:(?:(?:[\p{L}\p{N}_:%-]|\\.)(?:(?:[\p{L}\p{N}_:%.-]|\\.)*(?:[\p{L}\p{N}_:%-]|\\.))?)?)`,
    String.raw`(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)`,
    String.raw`(?<language>@[a-zA-Z]+(?:-[a-zA-Z0-9]+)*)`,
    String.raw`(?<word>[\p{L}_][\p{L}\p{N}_]*)`,
    String.raw`(?<sign>\^\^|&&|\|\||[<>!]=|[^\s])`,
  ].join("|"),
  "gu",
);

/** The tokens of a text: `kind`, `text`, `from` and `to`. */
export function tokens(text) {
  const list = [];
  for (const match of text.matchAll(TOKEN)) {
    const { groups } = match;
    let kind = "sign";
    for (const name in groups) {
      if (groups[name] !== undefined) {
        kind = name;
        break;
      }
    }
    if (kind === "word") {
      const upper = match[0].toUpperCase();
      if (IS_KEYWORD.has(upper)) kind = "keyword";
      else if (IS_FUNCTION.has(upper)) kind = "function";
      else if (match[0] === "a") kind = "a";
    }
    list.push({ kind, text: match[0], from: match.index, to: match.index + match[0].length });
  }
  return list;
}

/** The words of the language. */
export const WORDS = KEYWORDS;

/** The style class of a token; nothing if it has the colour of text. */
export const CLASSES = {
  comment: "comment",
  iri: "name",
  string: "string",
  variable: "variable",
  blank: "variable",
  prefixed: "name",
  number: "number",
  language: "string",
  keyword: "keyword",
  function: "function",
  a: "keyword",
};

/** The form of a query: select, ask, construct or describe; nothing if it is none of these. */
export function form(text) {
  for (const token of tokens(text)) {
    const word = token.text.toLowerCase();
    if (token.kind === "keyword" && ["select", "ask", "construct", "describe"].includes(word)) return word;
    if (token.kind === "keyword" && !["prefix", "base"].includes(word)) return null;
  }
  return null;
}

/** The prefixes that a text declares. */
export function declared(text) {
  const list = tokens(text).filter((token) => token.kind !== "comment");
  const prefixes = {};
  for (let at = 0; at + 2 < list.length; at += 1) {
    if (list[at].text.toUpperCase() === "PREFIX" && list[at + 1].kind === "prefixed" && list[at + 2].kind === "iri") {
      prefixes[list[at + 1].text.slice(0, -1)] = list[at + 2].text.slice(1, -1);
    }
  }
  return prefixes;
}
