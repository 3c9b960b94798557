//! A document that was checked against schema.org, with a place for each finding.

use super::list_cells::ListCells;
use crate::input::source::InputSource;
use crate::load::dataset_document::DatasetDocument;
use crate::load::document::DocumentContent;
use crate::load::document_loading::DocumentLoading;
use crate::validation::document_blank_nodes::InOrder;
use crate::validation::document_places::{WantedTerm, first_places};
use evalgraph_diagnostics::{ReportedResult, RunFailure, RunReport, SourcePlace, SourceText};
use evalgraph_jsonld::WarningCode;
use evalgraph_schema_org::{
    CheckOptions, CheckSummary, DocumentLosses, FaultyStatement, LossCollector, SchemaOrgFinding, check,
    is_croissant,
};
use evalgraph_store::{Dataset, NamedDocument};

/// The losses during loading that the check also reports.
const TOLD_AS_FINDINGS: [&str; 3] =
    [WarningCode::InvalidIri.as_str(), WarningCode::RelativeIri.as_str(), WarningCode::UnmappedKey.as_str()];

/// The beginning of Croissant's namespaces, after the scheme.
const CROISSANT: &str = "mlcommons.org/croissant";

/// A document that was checked.
///
/// Other methods are in `schema_org_report.rs`.
pub struct CheckedDocument {
    /// Its name in messages.
    pub name: String,
    /// Its format, or the kind of its records.
    pub kind: String,
    /// The findings with their places, in the order of the rules, and for each rule in the order of the document.
    pub findings: Vec<(SchemaOrgFinding, SourcePlace)>,
    pub summary: CheckSummary,
}

/// The base for Croissant documents that have no other. Their ids are relative, and would be lost without a base. There
/// is no document at this address (RFC 2606), and findings show the ids as written in the document.
const STAND_IN_BASE: &str = "https://document.invalid/";

/// A document, loaded into the graph that is checked.
pub(super) struct LoadedDocument {
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

    /// Loads the document again with a base, if it is a Croissant document and needs one.
    fn with_base(mut self, loader: &DocumentLoading<'_>, report: &RunReport) -> Self {
        let DocumentContent::Json { document, .. } = &self.named.opened.content else { return self };
        if !self.losses.has_relative_iri() || !document.text().contains(CROISSANT) {
            return self;
        }
        self.named.opened.origin.stand_in_base = Some(STAND_IN_BASE.to_owned());
        let mut collector = LossCollector::new();
        // Findings about reading were reported the first time.
        let filled = loader.fill(&self.named, &mut collector, &mut report.part());
        let Self { mut named, dataset, losses } = self;
        if filled.is_ok() {
            let with_base = Self::new(named, collector);
            if is_croissant(&with_base.dataset) {
                return with_base;
            }
            named = with_base.named;
        }
        named.opened.origin.stand_in_base = None;
        Self { named, dataset, losses }
    }

    /// Loads an input. A fault is reported.
    pub(super) fn read(
        source: &InputSource,
        loader: &DocumentLoading<'_>,
        report: &mut RunReport,
    ) -> ReportedResult<Self> {
        let mut collector = LossCollector::new();
        let mut part = report.part();
        let named = loader.fill_from(source, &mut collector, &mut part);
        part.drop_codes(&TOLD_AS_FINDINGS);
        report.absorb(part);
        Ok(Self::new(named?, collector).with_base(loader, report))
    }
}

impl CheckedDocument {
    /// Checks a document.
    pub(super) fn from_loaded(
        loaded: LoadedDocument,
        loader: &DocumentLoading<'_>,
        options: &CheckOptions,
        report: &mut RunReport,
    ) -> Result<Self, RunFailure> {
        let LoadedDocument { named, dataset, losses } = loaded;
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
        Ok(Self { name: named.opened.origin.name, kind, findings, summary })
    }
}

/// Removes the stand-in base from the texts of a finding.
fn without_base(finding: &mut SchemaOrgFinding) {
    let SchemaOrgFinding { node, message, term, .. } = finding;
    for text in [node, message].into_iter().chain(term) {
        if text.contains(STAND_IN_BASE) {
            *text = text.replace(STAND_IN_BASE, "");
        }
    }
}

/// The places of findings; this takes the statements out of the findings. A finding that cannot be located gets the
/// whole document as its place.
fn places(
    findings: &mut [SchemaOrgFinding],
    dataset: &Dataset,
    named: &DatasetDocument,
    loader: &DocumentLoading<'_>,
    report: &RunReport,
) -> Vec<SourcePlace> {
    let whole = SourceText::new(named.opened.origin.name.as_str(), b"").place(0..0);
    let mut cells = ListCells::new(dataset);
    // One list for all findings: separate lists would fragment the memory between values that are kept.
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
    // Findings about reading were reported the first time.
    let mut unheard = report.part();
    let found = first_places(&wanted, &in_order.blank_nodes_of(0), |asked| {
        loader.places_of(named, asked, &mut unheard).ok()
    });
    let found = found.map(|found| found.places).unwrap_or_default();
    let found = found.into_iter().map(|place| place.unwrap_or_else(|| whole.clone()));
    found.chain(std::iter::repeat(whole.clone())).take(findings.len()).collect()
}

/// Adds the places of a statement to look for, in order of preference.
fn want(statement: FaultyStatement, cells: &mut ListCells<'_>, terms: &mut Vec<WantedTerm>) {
    terms.extend(cells.wanted(&statement));
    let FaultyStatement { node, predicate, value, .. } = statement;
    let by_itself = WantedTerm::node(node.clone());
    terms.extend([WantedTerm { node, predicate, value }, by_itself]);
}
