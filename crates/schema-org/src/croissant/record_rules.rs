//! The rules about the records and the key of a record set.

use std::collections::{HashMap, HashSet};

use super::croissant_graph::CroissantGraph;
use super::reporter::CroissantReporter;
use crate::code::CheckRule;
use crate::namespace::SchemaIri;
use crate::teller::{FaultDescription, StatementPart, shortened};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonDocument, Limits, TokenId, parse};
use evalgraph_store::{RdfTermKind, TermId};

/// Checks the key and the records of a record set.
pub(super) fn check(
    graph: &CroissantGraph<'_>,
    reporter: &mut CroissantReporter<'_, '_>,
    record_set: TermId,
) -> Result<(), Box<Diagnostic>> {
    let fields = RecordSetFields::from_record_set(graph, record_set);
    key(graph, reporter, record_set, &fields);
    for at in graph.values(record_set, "data") {
        data(graph, reporter, at, &fields)?;
    }
    Ok(())
}

/// A key may be whatever follows one of the last few separators of an id: the limit bounds the cost of an id that
/// consists of separators.
const MOST_SEPARATORS: usize = 16;

/// The fields of a record set by the names that records may give them.
struct RecordSetFields<'c> {
    ids: Vec<&'c str>,
    /// Their numbers, by their ids and by the parts of these that follow a separator.
    by_name: HashMap<&'c str, usize>,
}

impl<'c> RecordSetFields<'c> {
    fn from_record_set(graph: &CroissantGraph<'c>, record_set: TermId) -> Self {
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
fn key(
    graph: &CroissantGraph<'_>,
    reporter: &mut CroissantReporter<'_, '_>,
    record_set: TermId,
    fields: &RecordSetFields<'_>,
) {
    let keys = graph.values(record_set, "key");
    for at in &keys {
        // Version 1.0 also allows strings.
        let Some(id) = at.value.and_then(|value| graph.iri(value)) else { continue };
        if at.value.is_some_and(|value| is_of(graph, value, record_set)) {
            continue;
        }
        reporter.tell(CheckRule::CroissantKey, *at, "recordset", || {
            let short = graph.short_id(id);
            let suggest =
                fields.by_name.get(short).map(|number| graph.short_id(fields.ids[*number]).to_owned());
            let message = format!("the key `{}` is not a field of the record set", shortened(short));
            FaultDescription {
                term: Some(short.to_owned()),
                suggest: suggest.or_else(|| graph.nearest_id(short)),
                ..FaultDescription::new(message)
            }
        });
    }
    let is_enumeration = |at: &StatementPart| {
        let iri = at.value.and_then(|value| graph.iri(value)).and_then(SchemaIri::from_iri);
        iri.is_some_and(|iri| iri.local == "Enumeration")
    };
    if keys.is_empty() && graph.values(record_set, "dataType").iter().any(is_enumeration) {
        let at = StatementPart { node: record_set, predicate: None, value: None };
        reporter.tell(CheckRule::CroissantKey, at, "categorical-data", || FaultDescription {
            property: Some("key"),
            ..FaultDescription::new("the enumeration has no `key`")
        });
    }
}

/// Returns whether a node is a field of the record set, or within one of its fields.
fn is_of(graph: &CroissantGraph<'_>, node: TermId, record_set: TermId) -> bool {
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
    graph: &CroissantGraph<'_>,
    reporter: &mut CroissantReporter<'_, '_>,
    at: StatementPart,
    fields: &RecordSetFields<'_>,
) -> Result<(), Box<Diagnostic>> {
    let mut fault = |message: &str| {
        reporter.tell(CheckRule::CroissantData, at, "data", || FaultDescription::new(message));
    };
    let Some(value) = at.value else { return Ok(()) };
    if graph.dictionary.kind(value) != RdfTermKind::Json {
        fault("the data are not JSON: the context has to map `data` with `\"@type\": \"@json\"`");
        return Ok(());
    }
    let text = graph.dictionary.lexical(value).to_owned();
    let Ok(document) = parse("data", text, Limits::default()) else { return Ok(()) };
    let root = document.root();
    // A program may write a single record without a list.
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
        self::record(reporter, at, fields, CroissantRecord { document: &document, record });
    }
    Ok(())
}

#[derive(Clone, Copy)]
struct CroissantRecord<'d> {
    document: &'d JsonDocument,
    record: TokenId,
}

/// Checks that a record has the fields, and no others.
fn record(
    reporter: &mut CroissantReporter<'_, '_>,
    at: StatementPart,
    fields: &RecordSetFields<'_>,
    record: CroissantRecord<'_>,
) {
    let CroissantRecord { document, record } = record;
    let mut has = vec![false; fields.ids.len()];
    for member in document.members(record) {
        let key = document.symbol_text(document.symbol(member.key));
        match fields.by_name.get(key) {
            Some(number) => has[*number] = true,
            None => reporter.tell(CheckRule::CroissantData, at, "data", || {
                let message = format!(
                    "a record has the key `{}`, which is not a field of its record set",
                    shortened(key)
                );
                FaultDescription { term: Some(key.to_owned()), ..FaultDescription::new(message) }
            }),
        }
    }
    for (id, _) in fields.ids.iter().zip(has).filter(|(_, has)| !has) {
        reporter.tell(CheckRule::CroissantData, at, "data", || {
            let name = id.rsplit('/').next().unwrap_or(id);
            let message = format!("a record has no value of the field `{}`", shortened(name));
            FaultDescription { term: Some(name.to_owned()), ..FaultDescription::new(message) }
        });
    }
}
