//! schema.org: the vocabulary, and the rules over documents.

pub(crate) mod complying_context;
pub(crate) mod contexts;
pub(crate) mod croissant;
pub(crate) mod fixes;
pub(crate) mod mutations;
pub(crate) mod places;
pub(crate) mod rules;
pub(crate) mod table;
pub(crate) mod vocabulary;

use evalgraph::json::{Limits, parse};
use evalgraph::jsonld::{BuiltIn, Chain, JsonLdOptions, JsonLdProcessor, KareninaSampleContext};
use evalgraph::schema_org::{CheckOptions, Finding, LossCollector, Losses, Summary, check};
use evalgraph::store::{Dataset, NamedDocument};
use std::sync::Arc;

/// A finding: code, level, node, property.
pub(crate) type Row = [String; 4];

/// A text of JSON-LD that was loaded as the check wants it.
pub(crate) struct CheckedText {
    dataset: Dataset,
    losses: Losses,
}

impl CheckedText {
    pub(crate) fn new(text: &str) -> Self {
        Self::with_base(text, Some("https://example.org/doc"))
    }

    pub(crate) fn with_base(text: &str, base: Option<&str>) -> Self {
        let document =
            parse("checked", text.to_owned(), Limits::default()).map(Arc::new).expect("it is JSON");
        let mut collector = LossCollector::new();
        let context_base = Some("https://example.org/doc".to_owned());
        let options =
            JsonLdOptions { base: base.map(str::to_owned), context_base, ..JsonLdOptions::default() };
        let loader = Chain::default().and(&BuiltIn).and(&KareninaSampleContext);
        JsonLdProcessor::new(options, &loader).to_rdf(&document, &mut collector).expect("it is JSON-LD");
        let (builder, losses) = collector.into_parts();
        let document = NamedDocument { graph: "urn:test:document".to_owned(), builder };
        Self { dataset: Dataset::from_documents(vec![document]), losses }
    }

    pub(crate) fn findings(&self, options: &CheckOptions) -> Vec<Finding> {
        self.check(options).0
    }

    pub(crate) fn check(&self, options: &CheckOptions) -> (Vec<Finding>, Summary) {
        let mut found = Vec::new();
        let taken = check(&self.dataset, Some(&self.losses), options, |finding| found.push(finding));
        (found, taken.expect("nothing cancels the check"))
    }
}

/// The findings of a text, each as `code node property term > suggestion`, sorted.
pub(crate) fn lines(text: &str) -> Vec<String> {
    lines_of(&CheckedText::new(text).findings(&CheckOptions::default()))
}

pub(crate) fn lines_of(findings: &[Finding]) -> Vec<String> {
    let line = |finding: &Finding| {
        let Finding { node, property, term, suggest, .. } = finding;
        let suggest = suggest.as_ref().map(|name| format!("> {name}"));
        let parts = [Some(node.clone()), Some(property.clone()), term.clone(), suggest];
        let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
        std::iter::once(finding.code.name().to_owned()).chain(parts).collect::<Vec<_>>().join(" ")
    };
    let mut lines: Vec<String> = findings.iter().map(line).collect();
    lines.sort();
    lines
}
