//! `evalgraph diff` by triple: the quads that only one side has, and the patch that turns the graph of the first side
//! into that of the second.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::canonical_work::refused;
use super::diff_files::{FileComparisonKind, FilePair};
use super::diff_found::{ComparedNames, DifferenceReport, array, object, string};
use super::stop::unless_failed;
use super::visible::visible;
use evalgraph_canonicalization::CanonicalizationOptions;
use evalgraph_canonicalization::difference::{DatasetDifference, difference};
use evalgraph_diagnostics::markdown::{code, fence};
use evalgraph_diagnostics::visible::escaped;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::load::dataset_document::DatasetDocument;
use evalgraph_engine::load::document::DocumentContent;
use evalgraph_engine::load::document_loading::DocumentLoading;
use evalgraph_engine::load::document_quads::{QuadChanges, QuadRules};
use evalgraph_engine::load::read_session::ReadSession;
use evalgraph_engine::load::record_recognition::base;
use evalgraph_formats::checkpoint::comparison::FieldChange;
use evalgraph_formats::checkpoint::model::TokenOrigin;
use evalgraph_formats::records::comparison::{ComparedRecord, ComparedRecordFile, RecordComparison, compare};
use evalgraph_formats::records::decompose;
use evalgraph_formats::rewriting::IndexedGraph;
use evalgraph_json::{JsonDocument, Limits, parse};
use evalgraph_rdf::quad_buffer::BufferQuad;
use evalgraph_rdf::{InGraph, QuadBuffer};

/// Compares the quads of files.
pub(super) struct TripleComparer<'t> {
    pub(super) session: &'t ReadSession,
    pub(super) input: &'t RunInputs,
    pub(super) options: CanonicalizationOptions,
}

impl TripleComparer<'_> {
    /// Returns the differences between the quads that the specification yields.
    pub(super) fn difference(
        &self,
        pairs: &[FilePair],
        names: ComparedNames<'_>,
        report: &mut RunReport,
    ) -> Result<DatasetDifference, RunFailure> {
        let mut read = |side: fn(&FilePair) -> Option<&DatasetDocument>| {
            let mut quads = QuadBuffer::new();
            for named in pairs.iter().filter_map(side) {
                let dataset = Some((&*named.dataset, named.part.as_deref()));
                let rules = QuadRules { dataset, changes: QuadChanges::Nothing };
                // Faults are in the report, without which nothing is compared.
                let _ = named.opened.quads_into(rules, self.session, &mut quads, report);
            }
            quads
        };
        let (a, b) = (read(|pair| pair.before.as_ref()), read(|pair| pair.after.as_ref()));
        self.compare(&a, &b, names, report)
    }

    fn compare(
        &self,
        a: &QuadBuffer,
        b: &QuadBuffer,
        names: ComparedNames<'_>,
        report: &RunReport,
    ) -> Result<DatasetDifference, RunFailure> {
        unless_failed(report)?;
        let refused = |error| refused(&format!("{}, {}", names.a, names.b), &error).into();
        difference(a, b, self.options).map_err(refused)
    }

    /// Returns the differences between the graphs as loaded. Also returns whether files of records differ in more than
    /// their graphs, which is reported.
    pub(super) fn patch(
        &self,
        pairs: &[FilePair],
        names: ComparedNames<'_>,
        report: &mut RunReport,
    ) -> Result<(DatasetDifference, bool), RunFailure> {
        let loader = DocumentLoading::new(self.input, self.session, false, false);
        let (mut a, mut b) = (QuadBuffer::new(), QuadBuffer::new());
        let mut has_more = false;
        for pair in pairs {
            let before = pair.before.as_ref().and_then(|named| load(&loader, named, &mut a, report));
            let after = pair.after.as_ref().and_then(|named| load(&loader, named, &mut b, report));
            if !report.has_failed() && pair.sort() == FileComparisonKind::Records {
                has_more |= report_beyond_graph(pair, before.as_ref(), after.as_ref(), report);
            }
        }
        Ok((self.compare(&a, &b, names, report)?, has_more))
    }
}

/// Loads a file into its graph. For a file of records, also returns the JSON that can be restored from the graph.
fn load(
    loader: &DocumentLoading<'_>,
    named: &DatasetDocument,
    quads: &mut QuadBuffer,
    report: &mut RunReport,
) -> Option<JsonDocument> {
    let (graph, first) = (named.graph(), quads.len());
    loader.fill(named, &mut InGraph::new(quads, &graph), report).ok()?;
    let DocumentContent::Records { recognised, .. } = &named.opened.content else { return None };
    let term = quads.find_iri(&graph);
    let own = quads.quads()[first..].iter().filter(|quad: &&BufferQuad| quad.graph == term);
    let base = base(recognised, &named.dataset);
    let root = quads.find_iri(base.trim_end_matches(':'))?;
    let json = decompose(&IndexedGraph::with_quads(quads, own), root, &recognised.shape).json;
    parse("the graph", json, Limits { size: u64::MAX, ..Limits::default() }).ok()
}

/// Reports the differences between two files of records that are not in their graphs. Returns whether there are any. If
/// a file has no meaning as RDF, its graph contains nothing of its records.
fn report_beyond_graph(
    pair: &FilePair,
    before: Option<&JsonDocument>,
    after: Option<&JsonDocument>,
    report: &mut RunReport,
) -> bool {
    let Some((a, b)) = pair.records() else { return false };
    let of_files = compare(a, b, &[]);
    let of_graphs = match (before, after) {
        (Some(before), Some(after)) => compare(
            ComparedRecordFile { document: before, ..a },
            ComparedRecordFile { document: after, ..b },
            &[],
        ),
        // The patch adds or removes everything in the only graph.
        (Some(_), None) | (None, Some(_)) => return !of_files.is_empty(),
        (None, None) => RecordComparison::default(),
    };
    let known: HashSet<String> = keys(&of_graphs).into_iter().map(|(key, _)| key).collect();
    let beyond: Vec<_> = keys(&of_files).into_iter().filter(|(key, _)| !known.contains(key)).collect();
    for (key, origin) in &beyond {
        let message = format!("{key} differs, but the graph has no place for it: the patch leaves it out");
        report.add(&Diagnostic::warning("diff::not-in-graph", message).at(origin.place()));
    }
    !beyond.is_empty()
}

/// Returns the name and place of each difference.
fn keys<'d>(comparison: &RecordComparison<'d>) -> Vec<(String, TokenOrigin<'d>)> {
    let of_change = |name: &str, change: &FieldChange<'d>| {
        let side = if change.after.value.is_some() { &change.after } else { &change.before };
        (format!("{name}`{}`", change.path.join("/")), side.origin)
    };
    let mut keys: Vec<_> = comparison.whole.iter().map(|change| of_change("", change)).collect();
    for record in &comparison.changed {
        let name = format!("{}: ", name_of(&record.before));
        keys.extend(record.changes.iter().map(|change| of_change(&name, change)));
    }
    let lone = comparison.removed.iter().chain(&comparison.added);
    keys.extend(lone.map(|record| (name_of(record), record.origin)));
    keys
}

fn name_of(record: &ComparedRecord<'_>) -> String {
    let known = record.id.as_ref().or(record.text.as_ref());
    let known = known.map_or_else(|| record.index.to_string(), |known| known.shown().into_owned());
    format!("{} `{}`", record.list, visible(&known))
}

impl DifferenceReport for DatasetDifference {
    fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty()
    }

    /// Merges both lists in the order of the quads, so the old and the new form of a quad are next to each other.
    fn to_text(&self) -> String {
        let mut lines: Vec<(&str, char)> = self.removed.iter().map(|line| (line.as_str(), '-')).collect();
        lines.extend(self.added.iter().map(|line| (line.as_str(), '+')));
        lines.sort_unstable_by_key(|&(line, sign)| (line, sign == '+'));
        let mut text = String::new();
        for (line, sign) in lines {
            let _ = writeln!(text, "{sign} {}", escaped(line));
        }
        text
    }

    fn to_json(&self, names: ComparedNames<'_>) -> String {
        let lines = |lines: &[String]| array(lines.iter().map(|line| string(&escaped(line))));
        object(&[
            ("a", string(names.a)),
            ("b", string(names.b)),
            ("equal", self.is_empty().to_string()),
            ("removed", lines(&self.removed)),
            ("added", lines(&self.added)),
        ])
    }

    fn to_markdown(&self, names: ComparedNames<'_>) -> String {
        let (a, b) = (code(names.a), code(names.b));
        if self.is_empty() {
            return format!("# {a} and {b}\n\nNo triple differs.\n");
        }
        let text = self.to_text();
        let fence = fence(&text, 4);
        format!("# {a} → {b}\n\n{fence}diff\n{text}{fence}\n")
    }
}
