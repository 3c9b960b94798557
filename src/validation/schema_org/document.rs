//! A document that was held against schema.org, with the place of each finding.

use crate::diagnostic::{Failure, Place, Report, SourceText};
use crate::input::source::InputSource;
use crate::jsonld::WarningCode;
use crate::load::loader::Loader;
use crate::load::named::Named;
use crate::schema_org::{CheckOptions, Finding, LossCollector, Statement, Summary, check};
use crate::store::{Dataset, NamedDocument};
use crate::validation::blank_nodes::InOrder;
use crate::validation::places::{WantedTerm, first_places};

/// The losses of loading that the check tells, too.
const TOLD_AS_FINDINGS: [&str; 3] =
    [WarningCode::InvalidIri.as_str(), WarningCode::RelativeIri.as_str(), WarningCode::UnmappedKey.as_str()];

/// A document that was checked.
pub(crate) struct CheckedDocument {
    /// Its name in messages.
    pub(crate) name: String,
    /// Its format, or the kind of its records.
    pub(crate) kind: String,
    /// The findings, each with its place: in the order of the rules, and for each rule in that of the document.
    pub(crate) findings: Vec<(Finding, Place)>,
    pub(crate) summary: Summary,
}

impl CheckedDocument {
    /// Loads an input and checks it; none where it cannot be read, which is reported.
    pub(super) fn of(
        source: &InputSource,
        loader: &Loader<'_>,
        options: &CheckOptions,
        report: &mut Report,
    ) -> Result<Option<Self>, Failure> {
        let mut collector = LossCollector::new();
        let mut part = report.part();
        let named = loader.fill_from(source, &mut collector, &mut part);
        part.drop_codes(&TOLD_AS_FINDINGS);
        report.absorb(part);
        let Some(named) = named else { return Ok(None) };
        let (builder, losses) = collector.into_parts();
        let dataset = Dataset::from_documents(vec![NamedDocument { graph: named.graph(), builder }]);
        let mut findings = Vec::new();
        let summary = check(&dataset, Some(&losses), options, |finding| findings.push(finding))?;
        let places = places(&findings, &dataset, &named, loader, report);
        let mut findings: Vec<(Finding, Place)> = findings.into_iter().zip(places).collect();
        findings.sort_by_key(|(finding, place)| (finding.code, place.bytes.start));
        let content = &named.opened.content;
        let kind =
            content.recognised().map_or_else(|| named.opened.format.to_string(), |found| found.dialect());
        Ok(Some(Self { name: named.opened.origin.name, kind, findings, summary }))
    }
}

/// The places of findings; what has none is of the whole document.
fn places(
    findings: &[Finding],
    dataset: &Dataset,
    named: &Named,
    loader: &Loader<'_>,
    report: &Report,
) -> Vec<Place> {
    let whole = SourceText::new(named.opened.origin.name.as_str(), b"").place(0..0);
    let wanted: Vec<Vec<WantedTerm>> =
        findings.iter().map(|finding| wanted(finding.statement.as_ref())).collect();
    if wanted.iter().all(Vec::is_empty) {
        return vec![whole; findings.len()];
    }
    let in_order = InOrder::of_document(dataset);
    // All that reading says was said before.
    let mut unheard = report.part();
    let found = first_places(&wanted, &in_order.of(0), |asked| loader.places_of(named, asked, &mut unheard));
    let found = found.unwrap_or_default();
    let found = found.into_iter().map(|place| place.unwrap_or_else(|| whole.clone()));
    found.chain(std::iter::repeat(whole.clone())).take(findings.len()).collect()
}

/// The places of a statement to look for, the best first.
fn wanted(statement: Option<&Statement>) -> Vec<WantedTerm> {
    let Some(Statement { node, predicate, value }) = statement.cloned() else { return Vec::new() };
    let by_itself = WantedTerm::node(node.clone());
    vec![WantedTerm { node, predicate, value }, by_itself]
}
