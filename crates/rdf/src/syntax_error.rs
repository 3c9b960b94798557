//! Rewords the error messages of the RDF parsers.

use std::ops::Range;

use super::vocabulary;
use evalgraph_diagnostics::FindingHelp;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, SourceText};

/// The code of every syntax error of the RDF formats other than JSON-LD.
pub(crate) const CODE: &str = "rdf::syntax";

/// The code of every feature of RDF 1.2, in every format.
pub const RDF_1_2: &str = "rdf::version";

/// Prefixes that are often used without a declaration.
const COMMON_PREFIXES: [(&str, &str); 7] = [
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("schema", vocabulary::SCHEMA_ORG),
    ("s", vocabulary::SCHEMA_ORG),
    (vocabulary::CHECKPOINT_PREFIX, vocabulary::CHECKPOINT),
];

/// How many characters of the offending text a message quotes.
const SHOWN: usize = 60;

/// The finding for an error of the parser at a span of the text.
pub(crate) fn syntax_error(
    source: &SourceText<'_>,
    bytes: &[u8],
    span: Range<usize>,
    objection: &str,
) -> Diagnostic {
    let span = trim(bytes, span);
    let found = found(bytes, &span);
    // The mark of a merge conflict is not a reified triple.
    let is_conflict = bytes[span.end..].starts_with(b"<<");
    let later = rdf_1_2(objection, found.as_deref().unwrap_or_default());
    if let Some(what) = later.filter(|_| !is_conflict) {
        let message = format!("RDF 1.2 is not read: {what}");
        return Diagnostic::error(RDF_1_2, message).at(source.place(span));
    }
    let (message, help) = plain_words(objection, found.as_deref());
    let error = Diagnostic::error(CODE, message).at(source.place(span));
    match help {
        Some(help) => error.with_help(help),
        None => error,
    }
}

/// Trims white space off the start of a span, since the offending text follows it. A span of only white space moves to
/// the end of the text before it, where something is missing.
fn trim(bytes: &[u8], span: Range<usize>) -> Range<usize> {
    let end = span.end.min(bytes.len());
    let start = span.start.min(end);
    let skipped = bytes[start..end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    if start + skipped < end {
        return start + skipped..end;
    }
    let before = bytes[..start].trim_ascii_end().len();
    before..before
}

fn found(bytes: &[u8], span: &Range<usize>) -> Option<String> {
    let text = String::from_utf8_lossy(&bytes[span.clone()]);
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    Some(shown)
}

/// Returns the feature of RDF 1.2 that the parser rejects.
fn rdf_1_2(objection: &str, found: &str) -> Option<&'static str> {
    if objection.contains("base direction") {
        return Some("`@en--ltr` and `@en--rtl` give a string a direction");
    }
    let announces = |word: &str| found.eq_ignore_ascii_case(word);
    match found {
        _ if found.starts_with("<<(") => Some("`<<(` begins a triple term"),
        _ if found.starts_with("<<") => Some("`<<` begins a reified triple"),
        _ if found.starts_with("{|") => Some("`{|` begins an annotation"),
        _ if found.starts_with('~') => Some("`~` names a reifier"),
        _ if announces("VERSION") || announces("@version") => Some("`VERSION` announces a version"),
        _ => None,
    }
}

fn plain_words(objection: &str, found: Option<&str>) -> (String, Option<FindingHelp>) {
    let here = found.map_or("nothing follows".to_owned(), |found| format!("found `{found}`"));
    if let Some(prefix) = between(objection, "The prefix ", ": has not been declared") {
        let known = COMMON_PREFIXES.iter().find(|(name, _)| *name == prefix);
        let namespace = known.map_or("…", |(_, namespace)| namespace);
        let help = format!("declare it above: `@prefix {prefix}: <{namespace}> .`");
        return (format!("the prefix `{prefix}:` is not declared"), Some(help.into()));
    }
    if objection.contains("No scheme found") {
        let message = found.map_or("a relative IRI without a base".to_owned(), |iri| {
            format!("`{iri}` is a relative IRI and there is no base to resolve it against")
        });
        return (
            message,
            Some(help!["give the base with ", setting("base").to("IRI"), ", or write the IRI in full"]),
        );
    }
    if objection.contains("dot is expected") || objection.contains("followed by a dot") {
        return (format!("expected `.` at the end of the statement, {here}"), None);
    }
    for (mark, what) in [
        ("not a valid predicate", "a predicate"),
        ("not a valid RDF predicate", "a predicate"),
        ("not a valid subject or graph name", "a subject or a graph name"),
        ("not a valid RDF subject", "a subject"),
        ("not a valid graph name", "a graph name"),
        ("not a valid RDF object", "an object"),
        ("not a valid RDF value", "a term"),
        ("should end with a ']'", "`]` at the end of the blank node"),
        ("datatype IRI after", "an IRI for the datatype after `^^`"),
        ("BASE keyword should be followed", "an IRI after `@base`"),
        ("PREFIX", "a prefix such as `ex:` and an IRI after `@prefix`"),
        ("GRAPH keyword should be", "a graph name and `{` after `GRAPH`"),
    ] {
        if objection.contains(mark) {
            return (format!("expected {what}, {here}"), None);
        }
    }
    if objection == "Unexpected end of file" && found.is_some_and(|found| found.starts_with(['"', '\''])) {
        return ("the string that starts here is not closed".to_owned(), None);
    }
    if objection.starts_with("Unexpected end") {
        return ("unexpected end of file inside a statement".to_owned(), None);
    }
    (in_house_style(objection), None)
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    text.strip_prefix(before)?.strip_suffix(after)
}

/// Changes the start to lower case and quotes to backticks, and removes the full stop.
pub(super) fn in_house_style(objection: &str) -> String {
    let mut plain: String = objection.trim_end_matches('.').replace('\'', "`");
    let is_word = plain.chars().nth(1).is_some_and(char::is_lowercase);
    if is_word && let Some(first) = plain.get_mut(0..1) {
        first.make_ascii_lowercase();
    }
    plain
}
