//! schema.org: the vocabulary, and the rules over documents.

pub(crate) mod complying_context;
pub(crate) mod contexts;
pub(crate) mod croissant;
pub(crate) mod examples;
pub(crate) mod fixes;
pub(crate) mod good_data;
pub(crate) mod lines;
pub(crate) mod mutations;
pub(crate) mod page;
pub(crate) mod places;
pub(crate) mod rules;
pub(crate) mod table;
pub(crate) mod traps;
pub(crate) mod vocabulary;

use evalgraph::diagnostic::Diagnostic;
use evalgraph::json::{Limits, parse};
use evalgraph::jsonld::{BuiltIn, CheckpointSampleContext, JsonLdOptions, JsonLdProcessor, LoaderChain};
use evalgraph::rdf::{RdfFormat, ReadOptions, read};
use evalgraph::schema_org::{
    CheckOptions, CheckSummary, DocumentLosses, LossCollector, SchemaOrgFinding, check,
};
use evalgraph::store::{Dataset, DefaultGraph, NamedDocument};
use oxrdf::Term;
use oxrdf::vocab::rdf;
use std::sync::Arc;

/// No findings.
pub(crate) const NOTHING: [&str; 0] = [];

/// A finding: code, level, node, property.
pub(crate) type Row = [String; 4];

/// A text of JSON-LD that was loaded as the check wants it.
pub(crate) struct CheckedText {
    dataset: Dataset,
    losses: DocumentLosses,
}

impl CheckedText {
    pub(crate) fn new(text: &str) -> Self {
        Self::with_base(text, Some("https://example.org/doc"))
    }

    pub(crate) fn with_base(text: &str, base: Option<&str>) -> Self {
        Self::loaded(text, base).expect("it is JSON-LD")
    }

    pub(crate) fn loaded(text: &str, base: Option<&str>) -> Result<Self, String> {
        let document = parse("checked", text.to_owned(), Limits::default()).map(Arc::new);
        let document = document.map_err(|fault| fault.message)?;
        let mut collector = LossCollector::new();
        let context_base = Some("https://example.org/doc".to_owned());
        let options =
            JsonLdOptions { base: base.map(str::to_owned), context_base, ..JsonLdOptions::default() };
        let loader = LoaderChain::default().and(&BuiltIn).and(&CheckpointSampleContext);
        let mut processor = JsonLdProcessor::new(options, &loader);
        processor.to_rdf(&document, &mut collector).map_err(|error| error.message)?;
        Ok(Self::of(collector))
    }

    /// A text of RDF.
    pub(crate) fn of_rdf(text: &str, format: RdfFormat) -> Self {
        let mut collector = LossCollector::new();
        let options = ReadOptions { format, base: None };
        read("checked", text.as_bytes(), options, &mut collector).expect("it is RDF");
        Self::of(collector)
    }

    fn of(collector: LossCollector) -> Self {
        let (builder, losses) = collector.into_parts();
        let document = NamedDocument { graph: "urn:test:document".to_owned(), builder };
        Self { dataset: Dataset::from_documents(vec![document]), losses }
    }

    /// The names of the classes of schema.org that a node has.
    pub(crate) fn classes(&self, node: &Term) -> Vec<String> {
        let dictionary = self.dataset.dictionary();
        let node = match node {
            Term::BlankNode(node) => dictionary.find_blank_node(node.as_str()),
            _ => dictionary.find(node.as_ref()),
        };
        let rdf_type = dictionary.find(rdf::TYPE.into());
        let (Some(node), Some(rdf_type)) = (node, rdf_type) else { return Vec::new() };
        let view = self.dataset.view(DefaultGraph::Union);
        let classes = view.default_triples(Some(node), Some(rdf_type), None);
        let names = classes.filter_map(|[_, _, class]| dictionary.lexical(class).split_once("schema.org/"));
        names.map(|(_, name)| name.to_owned()).collect()
    }

    pub(crate) fn findings(&self, options: &CheckOptions) -> Vec<SchemaOrgFinding> {
        self.check(options).0
    }

    pub(crate) fn check(&self, options: &CheckOptions) -> (Vec<SchemaOrgFinding>, CheckSummary) {
        let mut found = Vec::new();
        let taken = self.ended(options, |finding| found.push(finding));
        (found, taken.expect("nothing cancels the check"))
    }

    pub(crate) fn ended(
        &self,
        options: &CheckOptions,
        take: impl FnMut(SchemaOrgFinding),
    ) -> Result<CheckSummary, Box<Diagnostic>> {
        check(&self.dataset, Some(&self.losses), options, take)
    }
}

/// The findings of a text, each as `code node property term > suggestion`, sorted.
pub(crate) fn lines(text: &str) -> Vec<String> {
    lines_of(&CheckedText::new(text).findings(&CheckOptions::default()))
}

pub(crate) fn lines_of(findings: &[SchemaOrgFinding]) -> Vec<String> {
    let line = |finding: &SchemaOrgFinding| {
        let SchemaOrgFinding { node, property, term, suggest, .. } = finding;
        let suggest = suggest.as_ref().map(|name| format!("> {name}"));
        let parts = [Some(node.clone()), Some(property.clone()), term.clone(), suggest];
        let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
        std::iter::once(finding.code.name().to_owned()).chain(parts).collect::<Vec<_>>().join(" ")
    };
    let mut lines: Vec<String> = findings.iter().map(line).collect();
    lines.sort();
    lines
}

/// A node `urn:n` of a type with more members, under schema.org's namespace.
pub(crate) fn node(kind: &str, members: &str) -> String {
    format!(
        r#"{{"@context": {{"@vocab": "https://schema.org/"}}, "@id": "urn:n", "@type": {kind}, {members}}}"#
    )
}
