//! A document that was checked against schema.org, with the place of each finding.

use super::list_cells::ListCells;
use crate::input::source::InputSource;
use crate::load::dataset_document::DatasetDocument;
use crate::load::document_loading::DocumentLoading;
use crate::load::recognised_document::DocumentContent;
use crate::validation::document_blank_nodes::InOrder;
use crate::validation::document_places::{WantedTerm, first_places};
use evalgraph_diagnostics::{RunFailure, RunReport, SourcePlace, SourceText};
use evalgraph_jsonld::WarningCode;
use evalgraph_schema_org::{
    CheckOptions, CheckSummary, DocumentLosses, FaultyStatement, LossCollector, SchemaOrgFinding, check,
    is_croissant,
};
use evalgraph_store::{Dataset, NamedDocument};

/// The losses of loading that the check tells, too.
const TOLD_AS_FINDINGS: [&str; 3] =
    [WarningCode::InvalidIri.as_str(), WarningCode::RelativeIri.as_str(), WarningCode::UnmappedKey.as_str()];

/// The begin of what Croissant names, whatever the scheme.
const CROISSANT: &str = "mlcommons.org/croissant";

/// A document that was checked.
pub struct CheckedDocument {
    /// Its name in messages.
    pub name: String,
    /// Its format, or the kind of its records.
    pub kind: String,
    /// The findings, each with its place: in the order of the rules, and for each rule in that of the document.
    pub findings: Vec<(SchemaOrgFinding, SourcePlace)>,
    pub summary: CheckSummary,
}

/// The base of Croissant's documents that have no other: their ids are relative, and lost without one. No document is there
/// (RFC 2606), and findings have the ids as the document writes them.
const STAND_IN_BASE: &str = "https://document.invalid/";

/// A document in the graph that is checked.
struct LoadedDocument {
    named: DatasetDocument,
    dataset: Dataset,
    losses: DocumentLosses,
}

impl LoadedDocument {
    fn new(named: DatasetDocument, collector: LossCollector) -> Self {
        let (builder, losses) = collector.into_parts();
        let dataset = Dataset::from_documents(vec![NamedDocument { graph: named.graph(), builder }]);
        Self { named, dataset, losses }
    }

    /// Loads the document with a base, if it is of Croissant and needs one.
    fn with_base(mut self, loader: &DocumentLoading<'_>, report: &RunReport) -> Self {
        let DocumentContent::Json { document, .. } = &self.named.opened.content else { return self };
        if !self.losses.has_relative_iri() || !document.text().contains(CROISSANT) {
            return self;
        }
        self.named.opened.origin.stand_in_base = Some(STAND_IN_BASE.to_owned());
        let mut collector = LossCollector::new();
        // All that reading says was said before.
        let filled = loader.fill(&self.named, &mut collector, &mut report.part());
        let Self { mut named, dataset, losses } = self;
        if filled.is_some() {
            let with_base = Self::new(named, collector);
            if is_croissant(&with_base.dataset) {
                return with_base;
            }
            named = with_base.named;
        }
        named.opened.origin.stand_in_base = None;
        Self { named, dataset, losses }
    }
}

impl CheckedDocument {
    /// Loads an input and checks it; none where it cannot be read, which is reported.
    pub(super) fn from_source(
        source: &InputSource,
        loader: &DocumentLoading<'_>,
        options: &CheckOptions,
        report: &mut RunReport,
    ) -> Result<Option<Self>, RunFailure> {
        let mut collector = LossCollector::new();
        let mut part = report.part();
        let named = loader.fill_from(source, &mut collector, &mut part);
        part.drop_codes(&TOLD_AS_FINDINGS);
        report.absorb(part);
        let Some(named) = named else { return Ok(None) };
        let LoadedDocument { named, dataset, losses } =
            LoadedDocument::new(named, collector).with_base(loader, report);
        let mut findings = Vec::new();
        let summary = check(&dataset, Some(&losses), options, |finding| findings.push(finding))?;
        let places = places(&mut findings, &dataset, &named, loader, report);
        if named.opened.origin.stand_in_base.is_some() {
            findings.iter_mut().for_each(without_base);
        }
        let mut findings: Vec<(SchemaOrgFinding, SourcePlace)> = findings.into_iter().zip(places).collect();
        findings.sort_by_key(|(finding, place)| (finding.code, place.bytes.start));
        let content = &named.opened.content;
        let kind =
            content.recognised().map_or_else(|| named.opened.format.to_string(), |found| found.dialect());
        Ok(Some(Self { name: named.opened.origin.name, kind, findings, summary }))
    }
}

/// Takes the base that the document does not have out of the words of a finding.
fn without_base(finding: &mut SchemaOrgFinding) {
    let SchemaOrgFinding { node, message, term, .. } = finding;
    for text in [node, message].into_iter().chain(term) {
        if text.contains(STAND_IN_BASE) {
            *text = text.replace(STAND_IN_BASE, "");
        }
    }
}

/// The places of findings, which need their statements no more; what has none is of the whole document.
fn places(
    findings: &mut [SchemaOrgFinding],
    dataset: &Dataset,
    named: &DatasetDocument,
    loader: &DocumentLoading<'_>,
    report: &RunReport,
) -> Vec<SourcePlace> {
    let whole = SourceText::new(named.opened.origin.name.as_str(), b"").place(0..0);
    let mut cells = ListCells::new(dataset);
    // One list for all findings: a list for each would leave holes between what stays.
    let (mut terms, mut ends) = (Vec::new(), Vec::with_capacity(findings.len()));
    for finding in findings.iter_mut() {
        if let Some(statement) = finding.statement.take() {
            want(statement, &mut cells, &mut terms);
        }
        ends.push(terms.len());
    }
    if terms.is_empty() {
        return vec![whole; findings.len()];
    }
    let begins = std::iter::once(0).chain(ends.iter().copied());
    let wanted: Vec<&[WantedTerm]> = begins.zip(&ends).map(|(begin, end)| &terms[begin..*end]).collect();
    let in_order = InOrder::of_document(dataset);
    // All that reading says was said before.
    let mut unheard = report.part();
    let found = first_places(&wanted, &in_order.blank_nodes_of(0), |asked| {
        loader.places_of(named, asked, &mut unheard)
    });
    let found = found.map(|found| found.places).unwrap_or_default();
    let found = found.into_iter().map(|place| place.unwrap_or_else(|| whole.clone()));
    found.chain(std::iter::repeat(whole.clone())).take(findings.len()).collect()
}

/// Adds the places of a statement to look for, the best first.
fn want(statement: FaultyStatement, cells: &mut ListCells<'_>, terms: &mut Vec<WantedTerm>) {
    terms.extend(cells.wanted(&statement));
    let FaultyStatement { node, predicate, value, .. } = statement;
    let by_itself = WantedTerm::node(node.clone());
    terms.extend([WantedTerm { node, predicate, value }, by_itself]);
}
