//! Recognises records files, which are not JSON-LD, and turns them into JSON-LD.
//!
//! `ReadSession` is defined in `read_session.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::read_session::ReadSession;
use super::server_format::format_of_server;
use crate::input::guard::has_keywords;
use crate::input::origin::DocumentOrigin;
use crate::input::syntax::RecordSyntax;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::validation::RuleResult;
use evalgraph_diagnostics::{
    AlreadyReported, Diagnostic, FindingSeverity, ReportedResult, RunReport, SourcePlace, codes, thousands,
};
use evalgraph_formats::checkpoint::CheckpointSurvey;
use evalgraph_formats::records::{
    ComposedDocument, CompositionFindings, MisplacedValue, RecognisedRecords, RecordComposer, ReplyPath,
};
use evalgraph_formats::registry::{self, system_of_rows};
use evalgraph_formats::rows::{RowOptions, keys_of_rows, replaced_column, suggested_preset};
use evalgraph_formats::system_name::SystemName;
use evalgraph_formats::unknown::unknown;
use evalgraph_json::{JsonDocument, TokenId};
use evalgraph_jsonld::{LoadMode, is_keyword};
use evalgraph_rdf::RdfFormat;
use evalgraph_rdf::minted::node_base;

/// How many meaningless keys are reported individually.
const KEYS_REPORTED: usize = 20;

impl ReadSession {
    /// Returns whether a document is JSON-LD, and so not a records file: because of an option, or because it has
    /// keywords.
    fn is_json_ld(&self, document: &JsonDocument) -> bool {
        self.reading.named_format() == Some(RdfFormat::JsonLd) || self.has_context() || has_keywords(document)
    }

    /// Recognises the system of a document that is not JSON-LD. Doubts are reported. For documents of the store, the
    /// system is known.
    ///
    /// # Errors
    ///
    /// If the document does not belong to the named system, could belong to several systems, is an error reply of a
    /// service, or is a table of an unknown system.
    pub fn recognise(
        &self,
        document: &JsonDocument,
        origin: &DocumentOrigin,
        report: &mut RunReport,
    ) -> ReportedResult<Option<RecognisedRecords>> {
        let known = origin.stored.as_ref().and_then(|stored| stored.system);
        let found = report.ok_or_report(self.recognised(document, known))?;
        if found.is_some() || self.is_json_ld(document) || self.is_api() {
            return Ok(found);
        }
        let survey = CheckpointSurvey::from_document(document);
        let detection = survey.detect();
        let told = match survey.refusal(document, &detection, false) {
            Some(refusal) => Some(refusal),
            None if detection.dialect.has_questions() => None,
            // Nothing in it can be in a graph: an empty graph would hide that.
            None if !self.takes_unknown && !may_be_json_ld(document, origin) => {
                let is_found = origin.path().is_some_and(|path| self.reading.found.leaves_out(path));
                let severity = if is_found { FindingSeverity::Warning } else { FindingSeverity::Error };
                return Err(report.reported([&unknown(document, severity)]));
            }
            None if document.members(document.root()).next().is_some() => {
                Some(unknown(document, FindingSeverity::Warning))
            }
            None => None,
        };
        let is_fault = told.as_ref().is_some_and(|told| told.severity == FindingSeverity::Error);
        report.add_all(&told);
        if is_fault { Err(AlreadyReported) } else { Ok(None) }
    }

    /// Returns the system of rows, if the user named columns as theirs and there are a question and an answer.
    fn named_by_columns(&self, document: &JsonDocument) -> Option<SystemName> {
        let rows = &self.reading.rows;
        if !rows.has_mapping() {
            return None;
        }
        let keys = keys_of_rows(document);
        // A form of rows may have no answers.
        let has_answer = rows.preset.is_some() || keys.contains(&"answer");
        system_of_rows().filter(|_| keys.contains(&"question") && has_answer)
    }

    /// Like [`Self::recognise`], but returns the fault instead of reporting it.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::recognise`].
    pub fn recognised(
        &self,
        document: &JsonDocument,
        known: Option<SystemName>,
    ) -> Result<Option<RecognisedRecords>, Box<Diagnostic>> {
        let named = self.reading.named_system().or(known).or_else(|| self.named_by_columns(document));
        if named.is_none() && self.is_json_ld(document) {
            return Ok(None);
        }
        registry::recognise(document, named, self.reading.record)
    }
}

/// Returns whether a document without a context and without keywords at its beginning may still be JSON-LD: because of
/// its name, or because of keys that need no context.
fn may_be_json_ld(document: &JsonDocument, origin: &DocumentOrigin) -> bool {
    if origin.syntax != RecordSyntax::Json {
        return false;
    }
    let is_called_so = [".jsonld", ".json-ld"].iter().any(|end| plain_name(&origin.name).ends_with(end))
        || format_of_server(origin) == Some(RdfFormat::JsonLd)
        || origin.stored.is_some();
    let needs_no_context = |key: &str| {
        is_keyword(key) || ["http://", "https://", "urn:"].iter().any(|start| key.starts_with(start))
    };
    is_called_so || document.symbols().any(|symbol| needs_no_context(document.symbol_text(symbol)))
}

/// Returns a file name in lower case, without the extension of a compression.
fn plain_name(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end));
    plain.map_or(name.clone(), str::to_owned)
}

/// Checks that each record of a file keeps within a limit: each item of the outermost array, or of an array of the
/// outermost object.
///
/// # Errors
///
/// `json::size` for the first record that is larger.
pub fn check_sizes(file: &JsonDocument, most: u64) -> Result<(), Box<Diagnostic>> {
    let root = file.root();
    let values: Vec<TokenId> = match file.is_array(root) {
        true => vec![root],
        false => file.members(root).map(|member| member.value).collect(),
    };
    let alone = values.iter().copied().filter(|&value| !file.is_array(value));
    let mut records = alone.chain(values.iter().flat_map(|&list| file.items(list)));
    match records.find(|&record| file.bytes(record).len() as u64 > most) {
        None => Ok(()),
        Some(record) => {
            let message = format!("the record has more bytes than the limit of {most}");
            let fault = Diagnostic::error(codes::JSON_SIZE, message).at(file.place(record));
            Err(Box::new(fault.with_help(help!["raise the limit with ", setting("max-size")])))
        }
    }
}

/// Returns the place of a file among the parts of one dataset, if its records are of a kind that is divided into parts.
/// An object with arrays under their names is a complete dataset.
pub fn part_of<'o>(recognised: &RecognisedRecords, origin: &'o DocumentOrigin) -> Option<&'o ReplyPath> {
    origin.part.as_ref().filter(|_| recognised.system.entry().is_part(recognised))
}

/// How the records of a file are named, and which of its columns were assigned to keys.
#[derive(Debug, Clone, Copy)]
pub struct RecordReading<'r> {
    /// The system and the kind of the records.
    pub recognised: &'r RecognisedRecords,
    /// The name of the dataset.
    pub dataset: &'r str,
    /// The name of the part of the dataset that the file is.
    pub part: Option<&'r str>,
    /// The columns.
    pub rows: &'r RowOptions,
}

/// Passes on the records of a file as JSON-LD, document by document, each with its load mode. Meaningless keys and values
/// are reported.
///
/// # Errors
///
/// If the file is at fault, which is reported, and the errors of `take`.
pub fn each_document(
    file: &JsonDocument,
    reading: RecordReading<'_>,
    report: &mut RunReport,
    mut take: impl FnMut(&Arc<JsonDocument>, LoadMode, &mut RunReport) -> ReportedResult<()>,
) -> ReportedResult<()> {
    let RecordReading { recognised, dataset, part, rows } = reading;
    let base = base(recognised, dataset);
    let mut composer = RecordComposer::new(file, &recognised.shape, &base);
    if let Some(part) = part {
        composer = composer.of_part(part);
    }
    while let Some(composed) = composer.next_document() {
        let ComposedDocument { document, json_values } = report.ok_or_report(composed)?;
        take(&document, LoadMode { json_values, ..LoadMode::default() }, report)?;
    }
    let (account, _) = composer.finish();
    report_misplaced(file, &account, report);
    let mut unknown = UnknownKeys::default();
    unknown.add(file, account);
    unknown.report(recognised.system, rows, report);
    Ok(())
}

/// Reports the misplaced values of a file or of a part of it.
pub fn report_misplaced(file: &JsonDocument, account: &CompositionFindings, report: &mut RunReport) {
    if account.misplaced.is_empty() {
        return;
    }
    let source = file.source_text();
    for misplaced in &account.misplaced {
        report.add_with(FindingSeverity::Warning, MisplacedValue::CODE, None, || {
            misplaced.diagnostic(file).at(file.place_in(&source, misplaced.value))
        });
    }
}

/// Reports the misplaced values of a file that the results of the rules do not mention.
pub fn report_misplaced_beyond(
    results: &[RuleResult],
    file: &JsonDocument,
    recognised: &RecognisedRecords,
    report: &mut RunReport,
) -> Result<(), Box<Diagnostic>> {
    let base = node_base(recognised.system.name(), "");
    let mut composer = RecordComposer::new(file, &recognised.shape, &base);
    while let Some(composed) = composer.next_document() {
        composed?;
    }
    let (mut account, _) = composer.finish();
    let told = |pointer: &str| {
        let mut places = results.iter().filter_map(|result| result.place.as_ref()?.pointer.as_deref());
        places.any(|place| place == pointer)
    };
    account.misplaced.retain(|misplaced| !told(&file.pointer(misplaced.value)));
    report_misplaced(file, &account, report);
    Ok(())
}

/// Returns the beginning of the IRIs of a dataset's nodes.
pub fn base(recognised: &RecognisedRecords, dataset: &str) -> String {
    node_base(recognised.system.name(), dataset)
}

/// Returns the place of a key. Its pointer uses the name of the column in the file.
fn place_of_key(key: &str, mut place: SourcePlace) -> SourcePlace {
    if let Some(name) = replaced_column(key)
        && let Some(above) = place.pointer.as_deref().and_then(|pointer| pointer.strip_suffix(key))
    {
        place.pointer = Some(format!("{above}{name}"));
    }
    place
}

/// Meaningless keys: how often each occurs in a file, and where first.
#[derive(Debug, Default)]
pub struct UnknownKeys(BTreeMap<String, UnknownKey>);

#[derive(Debug)]
struct UnknownKey {
    count: u64,
    /// The first place, and its token in the part of the file. `None` if many such keys come before it.
    first: Option<(SourcePlace, TokenId)>,
}

impl UnknownKeys {
    /// Adds the unknown keys of a file, or of a part of it.
    pub fn add(&mut self, file: &JsonDocument, account: CompositionFindings) {
        let source = file.source_text();
        let mut unknown: Vec<_> = account.unknown.into_iter().collect();
        unknown.sort_by_key(|(_, (_, first))| *first);
        let mut placed = 0;
        for (key, (count, first)) in unknown {
            if let Some(known) = self.0.get_mut(&key) {
                known.count += count;
                continue;
            }
            // Finding a place takes a walk, which is skipped for keys that are not reported.
            let first =
                (placed < KEYS_REPORTED).then(|| (place_of_key(&key, file.place_in(&source, first)), first));
            placed += 1;
            self.0.insert(key, UnknownKey { count, first });
        }
    }

    /// Returns the form of rows that the keys clearly show, if the user assigned no columns.
    fn suggested_form(&self, system: SystemName, rows: &RowOptions) -> Option<&'static str> {
        if rows.has_mapping() || system_of_rows() != Some(system) {
            return None;
        }
        let of_rows = ["question", "answer"];
        let keys: Vec<&str> = self.0.keys().map(String::as_str).chain(of_rows).collect();
        Some(suggested_preset(&keys)?.name)
    }

    /// Reports the keys in file order. The first one has the help that names the form of the rows.
    pub fn report(self, system: SystemName, rows: &RowOptions, report: &mut RunReport) {
        let mut form = self.suggested_form(system, rows);
        let mut more = self.0.len();
        let placed = self.0.into_iter().filter_map(|(key, known)| Some((key, known.count, known.first?)));
        let mut placed: Vec<_> = placed.collect();
        placed.sort_by_key(|(_, _, (place, token))| (place.bytes.start, *token));
        for (key, count, (place, _)) in placed.into_iter().take(KEYS_REPORTED) {
            let times = if count == 1 { String::new() } else { format!(" ({} times)", thousands(count)) };
            let name = replaced_column(&key);
            let message = match name {
                _ if rows.reads_part_of(name.unwrap_or(&key)) => {
                    format!("only a part of `{}` is in the graph{times}", name.unwrap_or(&key))
                }
                Some(name) => {
                    format!("another column replaces `{name}`, so `{name}` is not in the graph{times}")
                }
                None => format!("`{key}` is not a key of {system}: it is not in the graph{times}"),
            };
            let fault = Diagnostic::warning("records::unknown-key", message).at(place);
            report.add(&match form.take() {
                Some(form) => fault.with_help(help!["did you mean ", setting("columns").to(form), "?"]),
                None => fault,
            });
            more -= 1;
        }
        if more > 0 {
            let message = format!("{more} more keys mean nothing and are not in the graph");
            report.add(&Diagnostic::warning("records::unknown-key", message));
        }
    }
}
