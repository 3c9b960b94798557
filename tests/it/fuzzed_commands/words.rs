//! The words and signs of each syntax, and names and values that mean something to a command.

/// Signs and words of JSON.
#[rustfmt::skip]
pub(super) const JSON: &[&str] = &[
    "{", "}", "[", "]", ",", ":", "\n", "\"a\"", "\"@id\"", "\"@type\"", "\"@context\"", "\"@graph\"",
    "\"@list\"", "\"@value\"", "\"question\"", "\"answer\"", "\"id\"", "\"tasks\"", "\"samples\"",
    "\"hasPart\"", "\"Question\"", "\"http://schema.org/\"", "1", "-1.5e3", "true", "null", "\"\"", "\"Who?\"",
    "\"nv_accuracy\"", "\"is_impossible\"", "\"contexts\"", "\"input_data\"",
];

/// Records of the systems, and what is none.
#[rustfmt::skip]
pub(super) const OBJECTS: &[&str] = &[
    "{\"question\": \"Who?\", \"answer\": \"me\"}",
    "{\"id\": 1, \"question\": \"Who?\", \"is_impossible\": true}", "{\"@id\": \"urn:a\", \"@type\": \"x\"}",
    "{\"task_type\": \"QA\", \"input_data\": {\"question\": \"Who?\"}}",
    "{\"messages\": [{\"role\": \"user\", \"content\": \"Who?\"}]}", "null", "1", "\"a\"", "[]", "{}", "\n",
    ",", "[", "]", "{\"username\": \"u\", \"authority_score\": 0.5}",
    "{\"user_query\": \"Who?\", \"persona\": \"educator\"}",
    "{\"@context\": \"https://schema.org/\", \"@type\": \"Question\", \"text\": \"Who?\"}",
];

/// Signs and words of contexts, frames and thresholds.
#[rustfmt::skip]
pub(super) const CONTEXT: &[&str] = &[
    "{", "}", "[", "]", ",", ":", "\"@context\"", "\"@id\"", "\"@type\"", "\"@container\"", "\"@vocab\"",
    "\"@base\"", "\"@reverse\"", "\"@nest\"", "\"@import\"", "\"@protected\"", "\"@propagate\"", "\"@index\"",
    "\"@json\"", "\"@none\"", "\"@set\"", "\"@embed\"", "\"@always\"", "\"@default\"", "\"t\"", "\"name\"",
    "\"http://e/\"", "\"s:x\"", "null", "true", "1", "\"\"", "\"kwanzaa\"", "\"rlcf\"", "\"weights\"", "0.5",
];

/// Signs and words of YAML.
#[rustfmt::skip]
pub(super) const YAML: &[&str] = &[
    "tasks:", "- ", "  ", "\n", "\n", "\n  ", "\n- ", "task_type: QA", "input_data:", "question: Who?", "&a ",
    "*a", "<<: ", "| ", "> ", "? ", "!!str ", "!x ", "{", "}", "[", "]", ",", ": ", "#", "---\n", "...\n", "'",
    "\"", "key", "1", "~", "%YAML 1.1\n", "\t", "2024-01-01", "yes",
];

/// Cells and what stands between them.
#[rustfmt::skip]
pub(super) const CSV: &[&str] = &[
    "question", "answer", "id", "is_impossible", "contexts", "a", ",", ",", ",", ";", "\t", "\n", "\n", "\r\n",
    "\"", "\"\"", "\"a,b\"", "\"x\ny\"", "1", "true", "Who?", " ", "\\", "\"C:\\\"", "=1+1", "api_key", "@id",
    "\u{feff}", "\u{0}",
];

/// Signs and words of Turtle, TriG and N3.
#[rustfmt::skip]
pub(super) const TURTLE: &[&str] = &[
    "@prefix : <http://e/> .", "@base <http://e/> .", "PREFIX : <#>", ":s", ":p", ":o", "a", "<http://e/x>",
    "<x>", "_:b", "\"a\"", "\"a\"@en", "\"1\"^^:o", "'''x'''", "1", "1.0", "1e0", "true", "[", "]", "(", ")",
    "{", "}", ".", ";", ",", "\n", " ", " ", "GRAPH", "=>", "=", "<=", "@forAll", "?x", "<<", ">>", "{|", "|}",
    "<<(", ")>>", "~", "!", "^", "#", "\"", "<",
];

/// Terms and signs of N-Triples and N-Quads.
#[rustfmt::skip]
pub(super) const LINES: &[&str] = &[
    "<http://e/s>", "<http://e/p>", "_:b", "\"a\"", "\"a\"@en",
    "\"1\"^^<http://www.w3.org/2001/XMLSchema#integer>", "\"\\u00e9\"", "\"\\x\"", "<a>", ".", "\n", " ", " ",
    " ", "#", "<<(", ")>>", "<http://e/a b>", "\"", "\u{0}",
];

/// Tags and text of RDF/XML.
#[rustfmt::skip]
pub(super) const XML: &[&str] = &[
    "<?xml version=\"1.0\"?>", "<!DOCTYPE r [<!ENTITY a \"b\">]>",
    "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:e=\"http://e/\">", "</rdf:RDF>",
    "<rdf:Description rdf:about=\"http://e/x\">", "</rdf:Description>", "<e:p>", "</e:p>",
    "<e:p rdf:resource=\"x\"/>", "<e:p rdf:parseType=\"Literal\">", "<e:p rdf:parseType=\"Collection\">",
    "<e:p rdf:parseType=\"Resource\">", "<rdf:li>", "</rdf:li>", "text", "&a;", "&#0;", "&amp;",
    "<![CDATA[x]]>", "<!-- c -->", "<?p i?>", " xml:lang=\"en\"", "\n", "<", ">", "/>",
];

/// Tags and text of pages.
#[rustfmt::skip]
pub(super) const HTML: &[&str] = &[
    "<html>", "<head>", "<base href=\"http://e/\">", "<script type=\"application/ld+json\">", "</script>",
    "{\"@id\": \"urn:a\", \"http://e/p\": 1}", "{", "}", "[", "]", "<!--", "-->", "&quot;",
    "<script type='application/ld+json;profile=\"x\"' id=x>", "<body>", "<p>", "\n", "\u{0}",
];

/// Words and signs of queries.
#[rustfmt::skip]
pub(super) const SPARQL: &[&str] = &[
    "SELECT", "*", "?x", "?y", "(", ")", "COUNT", "AS", "WHERE", "{", "}", "?s ?p ?o", ".", ";", ",", "FILTER",
    "EXISTS", "NOT", "MINUS", "OPTIONAL", "UNION", "GRAPH", "BIND", "VALUES", "UNDEF", "SERVICE", "SILENT",
    "<http://e/>", "s:text", "a", "|", "/", "^", "+", "!", "1", "\"a\"", "@en", "&&", "||", "=", "<", "IN",
    "REGEX", "STR", "IF", "GROUP BY", "HAVING", "ORDER BY", "DESC", "LIMIT", "OFFSET", "DISTINCT", "CONSTRUCT",
    "ASK", "DESCRIBE", "FROM", "NAMED", "PREFIX", "[", "]", "_:b", "SUM", "GROUP_CONCAT", "SEPARATOR", "<<",
    "LATERAL",
];

/// Words and signs of updates.
#[rustfmt::skip]
pub(super) const UPDATE: &[&str] = &[
    "INSERT", "DELETE", "DATA", "WHERE", "{", "}", "?s ?p ?o", "<http://e/s> <http://e/p> 1", "GRAPH",
    "<http://e/g>", "WITH", "USING", "NAMED", "CLEAR", "DROP", "CREATE", "COPY", "MOVE", "ADD", "TO", "DEFAULT",
    "ALL", "SILENT", "LOAD", "INTO", ";", ".", "_:b", "FILTER", "EXISTS", "VALUES", "?x", "(", ")", "PREFIX",
    "BASE", "?g", "s:text", "\"a\"",
];

/// Names of members that mean something somewhere.
#[rustfmt::skip]
pub(super) const KEYS: &[&str] = &[
    "@context", "@id", "@type", "@graph", "@value", "@list", "@set", "@language", "@direction", "@reverse",
    "@included", "@nest", "@index", "@container", "@vocab", "@base", "@import", "@protected", "@propagate",
    "@json", "@embed", "@default", "@none", "name", "text", "hasPart", "dataFeedElement", "item",
    "acceptedAnswer", "rating", "additionalProperty", "value", "identifier", "url", "version", "creator",
    "question", "answer", "id", "is_impossible", "contexts", "documents", "samples", "user_query", "messages",
    "role", "content", "persona", "retrieved_context", "metadata", "tasks", "task_type", "input_data",
    "output_data", "username", "authority_score", "feedback", "user_id", "task_id", "nv_accuracy",
    "token_usage", "api_key", "questions", "global_rubric", "traits", "results", "kwanzaa", "rlcf", "",
    "http://e/p", "s:x",
];

/// Values that mean something somewhere, in JSON or as they are.
#[rustfmt::skip]
pub(super) const VALUES: &[&str] = &[
    "null", "true", "false", "0", "1", "-1.5", "1e400", "1e-9", "18446744073709551616", "\"\"", "\"Who?\"",
    "\"urn:a\"", "\"_:b\"", "\"@id\"", "\"@json\"", "\"@list\"", "\"@set\"", "\"@vocab\"",
    "\"http://schema.org/\"", "\"https://schema.org\"", "\"Question\"", "\"DataFeed\"", "\"Dataset\"", "\"QA\"",
    "\"RETRIEVAL_QA\"", "\"2026-01-01T00:00:00Z\"", "\"2026-13-01\"", "\"en\"", "\"rtl\"", "\"user\"",
    "\"../x\"", "\"a b\"", "\"\u{1b}[2J\"", "\"\u{202e}x\"", "\"{\\\"a\\\": 1}\"", "\"class Answer: pass\"",
];
