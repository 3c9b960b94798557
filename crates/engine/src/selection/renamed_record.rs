//! Gives a record another id, in the text of its file: where the record has it, and wherever else the file refers to
//! it.

use super::opened_records::OpenedRecords;
use super::record_lookup::record_named;
use crate::load::read_session::ReadSession;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_formats::checkpoint::text_edits::with_replaced;
use evalgraph_json::{JsonDocument, JsonKind, TokenId, quoted};
use evalgraph_rdf::iri::is_iri;

/// The text of a file in which a record has another id.
#[derive(Debug)]
pub struct RenamedRecord {
    /// The text.
    pub text: String,
    /// How many places have changed.
    pub places: usize,
}

/// Gives a record another id.
///
/// # Errors
///
/// `rename::unknown-question` and `rename::which-question` for the old id; `rename::exists`, `rename::empty` and `rename::iri` for the new
/// one;
/// `rename::inexact` if the file would then say something else as well.
pub fn renamed(
    opened: &OpenedRecords,
    id: &str,
    new: &str,
    session: &ReadSession,
    report: &mut RunReport,
) -> Result<RenamedRecord, RunFailure> {
    let record = record_named(opened, id, "rename")?;
    let list = opened.list()?;
    if new.trim().is_empty() {
        let fault = Diagnostic::error("rename::empty", "a record needs an id, and the new one is empty");
        return Err(fault.at(opened.place(&list, record)).into());
    }
    if let Some(other) = opened.facts.iter().position(|facts| facts.id.as_deref() == Some(new)) {
        let fault = Diagnostic::error("rename::exists", format!("another record has the id `{new}`"));
        return Err(fault.at(opened.place(&list, other)).into());
    }
    let old = opened.facts[record].id.as_deref().unwrap_or_default();
    let replacement = |place: &TokenId| match opened.file.kind(*place) {
        JsonKind::Number if new.parse::<i64>().is_ok() => new.to_owned(),
        _ if opened.file.is_bare(*place) => new.to_owned(),
        _ => quoted(new),
    };
    let (members, others) = list.references(record);
    let mut places = places_of_id(&opened.file, list.value(record), old, &members);
    places.extend(others);
    places.sort_unstable();
    places.dedup();
    if places.is_empty() {
        let message = format!("the file does not contain the id `{old}`, which was made for the record");
        return Err(Diagnostic::error("rename::no-id", message).at(opened.place(&list, record)).into());
    }
    if is_iri(old) && !is_iri(new) {
        let message = format!("`{new}` is not an IRI, and the ids of the file are");
        let fault = Diagnostic::error("rename::iri", message).at(opened.place(&list, record));
        return Err(fault.with_help("an IRI begins with a scheme, such as `urn:uuid:`").into());
    }
    let edits = places.iter().map(|place| (opened.file.marked(*place), replacement(place)));
    let text = with_replaced(opened.file.written_text(), edits.collect());
    let after = OpenedRecords::from_text(opened, text.clone(), session, report)?;
    let is_exact = after.facts.len() == opened.facts.len()
        && after.quads.len() == opened.quads.len()
        && opened.facts.iter().zip(&after.facts).enumerate().all(|(at, (before, after))| {
            let id = if at == record { Some(new) } else { before.id.as_deref() };
            after.id.as_deref() == id && before.has_same_content(after)
        });
    if !is_exact {
        let message = format!("with the id `{new}` the file would also say something else about its records");
        return Err(Diagnostic::error("rename::inexact", message).at(opened.place(&list, record)).into());
    }
    Ok(RenamedRecord { text, places: places.len() })
}

/// The values and keys in the file that are the id of a record: in the record, numbers and strings of members that end
/// in `id`; elsewhere strings of such members, and a key that names the record.
fn places_of_id(document: &JsonDocument, record: TokenId, id: &str, references: &[&str]) -> Vec<TokenId> {
    let end = document.after(record);
    let names_id = |key: &str| {
        let key = key.to_ascii_lowercase();
        key.ends_with("id") || key.ends_with("ids") || key == "identifier"
    };
    let mut places = Vec::new();
    let mut open = vec![(document.root(), "")];
    while let Some((value, key)) = open.pop() {
        let is_id = names_id(key);
        match document.kind(value) {
            JsonKind::Object => {
                for member in document.members(value) {
                    if member.value == record && document.symbol_text(member.symbol) == id {
                        places.push(member.key);
                    }
                    open.push((member.value, document.symbol_text(member.symbol)));
                }
            }
            JsonKind::Array => open.extend(document.items(value).map(|item| (item, key))),
            JsonKind::Number if is_id && document.raw(value) == id => {
                // Elsewhere a number may be the id of something else.
                let is_inside = record < value && value < end;
                let is_member = || document.pointer_below(record, value).matches('/').count() == 1;
                if is_inside && (references.contains(&key) || is_member()) {
                    places.push(value);
                }
            }
            _ if is_id && document.string(value).is_some_and(|text| text == id) => places.push(value),
            _ => {}
        }
    }
    places
}
