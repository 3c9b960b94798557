//! The rules about the records and the key of a record set.

use std::collections::{HashMap, HashSet};

use super::graph::Graph;
use super::reporter::Reporter;
use crate::code::Code;
use crate::namespace::SchemaIri;
use crate::teller::{At, Fault, shortened};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{Document, Limits, TokenId, parse};
use evalgraph_store::{Kind, TermId};

/// Checks the key and the records of a record set.
pub(super) fn check(
    graph: &Graph<'_>,
    reporter: &mut Reporter<'_, '_>,
    record_set: TermId,
) -> Result<(), Box<Diagnostic>> {
    let fields = Fields::of(graph, record_set);
    key(graph, reporter, record_set, &fields);
    for at in graph.values(record_set, "data") {
        data(graph, reporter, at, &fields)?;
    }
    Ok(())
}

/// A key may be what stands behind one of so many separators: an id that is all separators costs no more.
const MOST_SEPARATORS: usize = 16;

/// The fields of a record set by the names that records may give them.
struct Fields<'c> {
    ids: Vec<&'c str>,
    /// Their numbers, by their ids and by what stands in these behind a separator.
    by_name: HashMap<&'c str, usize>,
}

impl<'c> Fields<'c> {
    fn of(graph: &Graph<'c>, record_set: TermId) -> Self {
        let fields = graph.values(record_set, "field");
        let ids: Vec<&str> = fields.iter().filter_map(|at| graph.iri(at.value?)).collect();
        let mut by_name = HashMap::new();
        for (number, id) in ids.iter().copied().enumerate() {
            by_name.insert(id, number);
            for (at, _) in id.rmatch_indices(['/', '#', ':']).take(MOST_SEPARATORS) {
                by_name.insert(&id[at + 1..], number);
            }
        }
        Self { ids, by_name }
    }
}

/// Checks that the key is made of fields of the record set, and that an enumeration has one.
fn key(graph: &Graph<'_>, reporter: &mut Reporter<'_, '_>, record_set: TermId, fields: &Fields<'_>) {
    let keys = graph.values(record_set, "key");
    for at in &keys {
        // Version 1.0 has texts, too.
        let Some(id) = at.value.and_then(|value| graph.iri(value)) else { continue };
        if at.value.is_some_and(|value| is_of(graph, value, record_set)) {
            continue;
        }
        reporter.tell(Code::CroissantKey, *at, "recordset", || {
            let short = graph.short_id(id);
            let suggest =
                fields.by_name.get(short).map(|number| graph.short_id(fields.ids[*number]).to_owned());
            let message = format!("the key `{}` is not a field of the record set", shortened(short));
            Fault {
                term: Some(short.to_owned()),
                suggest: suggest.or_else(|| graph.nearest_id(short)),
                ..Fault::new(message)
            }
        });
    }
    let is_enumeration = |at: &At| {
        let iri = at.value.and_then(|value| graph.iri(value)).and_then(SchemaIri::of);
        iri.is_some_and(|iri| iri.local == "Enumeration")
    };
    if keys.is_empty() && graph.values(record_set, "dataType").iter().any(is_enumeration) {
        let at = At { node: record_set, predicate: None, value: None };
        reporter.tell(Code::CroissantKey, at, "categorical-data", || Fault {
            property: Some("key"),
            ..Fault::new("the enumeration has no `key`")
        });
    }
}

/// Tells whether a node is a field of the record set, or within one of its fields.
fn is_of(graph: &Graph<'_>, node: TermId, record_set: TermId) -> bool {
    let (mut open, mut seen) = (vec![node], HashSet::new());
    while let Some(field) = open.pop() {
        for owner in graph.owners(field, &["field", "subField"]) {
            if owner == record_set {
                return true;
            }
            if seen.insert(owner) {
                open.push(owner);
            }
        }
    }
    false
}

fn data(
    graph: &Graph<'_>,
    reporter: &mut Reporter<'_, '_>,
    at: At,
    fields: &Fields<'_>,
) -> Result<(), Box<Diagnostic>> {
    let mut fault = |message: &str| reporter.tell(Code::CroissantData, at, "data", || Fault::new(message));
    let Some(value) = at.value else { return Ok(()) };
    if graph.dictionary.kind(value) != Kind::Json {
        fault("the data are not JSON: the context has to map `data` with `\"@type\": \"@json\"`");
        return Ok(());
    }
    let text = graph.dictionary.lexical(value).to_owned();
    let Ok(document) = parse("data", text, Limits::default()) else { return Ok(()) };
    let root = document.root();
    // A program that has one record only writes it without the list.
    let records: Vec<TokenId> = match document.is_array(root) {
        true => document.items(root).collect(),
        false => vec![root],
    };
    if records.is_empty() {
        fault("the data have no record");
    }
    if !records.iter().all(|record| document.is_object(*record)) {
        fault("a record is not an object with the ids of fields as keys");
        return Ok(());
    }
    for record in records {
        reporter.go_on()?;
        self::record(reporter, at, fields, Record { document: &document, record });
    }
    Ok(())
}

#[derive(Clone, Copy)]
struct Record<'d> {
    document: &'d Document,
    record: TokenId,
}

/// Checks that a record has the fields, and no others.
fn record(reporter: &mut Reporter<'_, '_>, at: At, fields: &Fields<'_>, record: Record<'_>) {
    let Record { document, record } = record;
    let mut has = vec![false; fields.ids.len()];
    for member in document.members(record) {
        let key = document.symbol_text(document.symbol(member.key));
        match fields.by_name.get(key) {
            Some(number) => has[*number] = true,
            None => reporter.tell(Code::CroissantData, at, "data", || {
                let message = format!(
                    "a record has the key `{}`, which is not a field of its record set",
                    shortened(key)
                );
                Fault { term: Some(key.to_owned()), ..Fault::new(message) }
            }),
        }
    }
    for (id, _) in fields.ids.iter().zip(has).filter(|(_, has)| !has) {
        reporter.tell(Code::CroissantData, at, "data", || {
            let name = id.rsplit('/').next().unwrap_or(id);
            let message = format!("a record has no value of the field `{}`", shortened(name));
            Fault { term: Some(name.to_owned()), ..Fault::new(message) }
        });
    }
}
