//! Changes in the text of a document that have one correct answer: names in a different letter case, names replaced by
//! a single term, and the namespace of schema.org.
//!
//! Everything else stays byte for byte, and the changed document means the same as before, except for the intended
//! changes. A change that would do more is left out.

mod agreement;
mod contexts;
mod datatypes;
mod edits;
mod namespaces;
mod renamings;
mod sites;
mod trace;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use namespaces::SchemaNamespace;

use super::check::check;
use super::check_options::CheckOptions;
use super::code::CheckRule;
use super::losses::LossCollector;
use super::schema_org_finding::SchemaOrgFinding;
use super::vocabulary_terms::SchemaOrgVocabulary;
use agreement::TraceAgreement;
use contexts::DocumentContexts;
use edits::{StringReplacement, edited, edits};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonDocument, TokenId};
use evalgraph_jsonld::{DocumentLoader, JsonLdOptions, JsonLdProcessor};
use evalgraph_rdf::QuadSink;
use evalgraph_rdf::minted::document_graph;
use evalgraph_store::{Dataset, NamedDocument};
use namespaces::NamespaceRelocation;
use renamings::NameCorrections;
use sites::{FixSites, TokenContents};
use trace::DocumentTrace;

/// How often a document is checked again: fixing a name may reveal further problems.
const MOST_ROUNDS: usize = 8;

/// How many changes are tried one by one if they cannot be made together.
const MOST_TRIED: usize = 64;

/// Finds the changes of JSON-LD documents.
///
/// ```
/// use std::sync::Arc;
/// use evalgraph_contexts::BuiltIn;
/// use evalgraph_json::{self as json, Limits};
/// use evalgraph_jsonld::JsonLdOptions;
/// use evalgraph_schema_org::{CheckOptions, DocumentFixer};
///
/// let text = r#"{"@context": "https://schema.org", "@type": "question", "Text": "Why?"}"#;
/// let parse = |text| json::parse("question", text, Limits::default()).map(Arc::new);
/// let fixer = DocumentFixer {
///     loader: &BuiltIn,
///     options: JsonLdOptions::default(),
///     check: &CheckOptions::default(),
///     namespace: None,
///     parse: &parse,
/// };
/// let fixed = fixer.fix(&parse(text.to_owned())?)?.applied(text);
/// assert_eq!(fixed, r#"{"@context": "https://schema.org", "@type": "Question", "text": "Why?"}"#);
/// # Ok::<(), Box<evalgraph_diagnostics::Diagnostic>>(())
/// ```
pub struct DocumentFixer<'f> {
    /// The loader for contexts.
    pub loader: &'f dyn DocumentLoader,
    /// How the document is processed.
    pub options: JsonLdOptions,
    /// The rules. Findings of a rule at the level `Off` are not fixed.
    pub check: &'f CheckOptions,
    /// The namespace that the document should have; none means the one that most of its terms have, if it has two.
    pub namespace: Option<SchemaNamespace>,
    /// Parses the document again after its text was changed.
    pub parse: &'f dyn Fn(String) -> Result<Arc<JsonDocument>, Box<Diagnostic>>,
}

/// The changes of a document.
#[derive(Debug, Default)]
pub struct DocumentFixes {
    /// The changes of each round, relative to the text after the previous round.
    rounds: Vec<Vec<StringReplacement>>,
    /// The namespace of a context from elsewhere, if it differs from the requested one.
    pub namespace_kept: Option<SchemaNamespace>,
    /// How many findings with one correct answer remain, since a change would have other effects.
    pub left: usize,
}

impl DocumentFixes {
    /// Returns whether there is nothing to change.
    pub fn is_empty(&self) -> bool {
        self.rounds.is_empty()
    }

    /// How many strings are changed.
    pub fn count(&self) -> usize {
        self.rounds.iter().map(Vec::len).sum()
    }

    /// The text with the changes.
    pub fn applied(&self, text: &str) -> String {
        self.rounds.iter().fold(text.to_owned(), |text, edits| edited(&text, edits))
    }
}

/// Returns whether a finding may have one correct answer.
pub fn is_fixable(finding: &SchemaOrgFinding, vocabulary: &SchemaOrgVocabulary) -> bool {
    matches!(finding.code, CheckRule::NamespaceMixed | CheckRule::NamespaceAlias)
        || !NameCorrections::from_findings(std::slice::from_ref(finding), vocabulary).is_empty()
}

impl DocumentFixer<'_> {
    /// Finds the changes of a document.
    ///
    /// The cost is that of loading the document several times.
    ///
    /// # Errors
    ///
    /// If the document is not JSON-LD, or the check is cancelled.
    pub fn fix(&self, document: &Arc<JsonDocument>) -> Result<DocumentFixes, Box<Diagnostic>> {
        let mut document = Arc::clone(document);
        let mut fixed = DocumentFixes::default();
        while fixed.rounds.len() < MOST_ROUNDS {
            let findings = self.findings(&document)?;
            let trace = self.trace(&document)?;
            let contexts = DocumentContexts::from_document(&document);
            let target =
                NamespaceRelocation::from_trace(&trace, &document, &contexts, &findings, self.namespace);
            fixed.namespace_kept =
                target.map(|it| it.namespace).filter(|it| self.namespace.is_some_and(|wish| wish != *it));
            let vocabulary = self.check.vocabulary();
            let round = FixRound {
                fixer: self,
                before: &trace,
                document: &document,
                renamings: NameCorrections::from_findings(&findings, vocabulary),
                target,
            };
            let mut sites =
                FixSites { document: &document, contexts: &contexts, contents: TokenContents::new() };
            sites.rename(&trace, &round.renamings);
            if let Some(target) = target {
                sites.relocate(&trace, target);
            }
            let Some((changed, edits)) = round.made(&sites.contents) else {
                fixed.left = findings.iter().filter(|finding| is_fixable(finding, vocabulary)).count();
                break;
            };
            fixed.rounds.push(edits);
            document = changed;
        }
        Ok(fixed)
    }

    fn findings(&self, document: &Arc<JsonDocument>) -> Result<Vec<SchemaOrgFinding>, Box<Diagnostic>> {
        let mut collector = LossCollector::new();
        self.process(document, &mut collector)?;
        let (builder, losses) = collector.into_parts();
        let named = NamedDocument { graph: document_graph("document", None), builder };
        let dataset = Dataset::from_documents(vec![named]);
        let mut findings = Vec::new();
        check(&dataset, Some(&losses), self.check, |finding| findings.push(finding))?;
        Ok(findings)
    }

    fn trace(&self, document: &Arc<JsonDocument>) -> Result<DocumentTrace, Box<Diagnostic>> {
        let mut trace = DocumentTrace::default();
        self.process(document, &mut trace)?;
        Ok(trace)
    }

    fn process(&self, document: &Arc<JsonDocument>, sink: &mut impl QuadSink) -> Result<(), Box<Diagnostic>> {
        let mut processor = JsonLdProcessor::new(self.options.clone(), self.loader);
        processor.to_rdf(document, sink).map(drop).map_err(|fault| Box::new(fault.diagnostic()))
    }
}

/// The changes of one round.
struct FixRound<'r> {
    fixer: &'r DocumentFixer<'r>,
    before: &'r DocumentTrace,
    document: &'r JsonDocument,
    renamings: NameCorrections,
    target: Option<NamespaceRelocation>,
}

impl FixRound<'_> {
    /// The document with as many changes as possible; none if no change is possible.
    fn made(&self, contents: &TokenContents) -> Option<(Arc<JsonDocument>, Vec<StringReplacement>)> {
        if contents.is_empty() {
            return None;
        }
        // If the changes cannot be made together, each is tried together with those that worked before.
        self.with(contents).or_else(|| {
            let mut made = (TokenContents::new(), None);
            let alike = self.alike(contents);
            for tokens in alike.values().take(MOST_TRIED) {
                let mut tried = made.0.clone();
                tried.extend(tokens.iter().map(|token| (*token, contents[token].clone())));
                if let Some(changed) = self.with(&tried) {
                    made = (tried, Some(changed));
                }
            }
            made.1
        })
    }

    /// The strings grouped by old and new content.
    fn alike<'c>(&self, contents: &'c TokenContents) -> BTreeMap<(String, &'c str), Vec<TokenId>> {
        let mut alike: BTreeMap<_, Vec<TokenId>> = BTreeMap::new();
        for (token, content) in contents {
            let old = self.document.string(*token).unwrap_or_default().into_owned();
            alike.entry((old, content.as_str())).or_default().push(*token);
        }
        alike
    }

    /// The document with changes, if it then means what it should mean.
    fn with(&self, contents: &TokenContents) -> Option<(Arc<JsonDocument>, Vec<StringReplacement>)> {
        let edits = edits(self.document, contents);
        let changed = (self.fixer.parse)(edited(self.document.text(), &edits)).ok()?;
        let after = self.fixer.trace(&changed).ok()?;
        let agreement = TraceAgreement {
            before: self.before,
            after: &after,
            renamings: &self.renamings,
            target: self.target,
        };
        agreement.holds().then_some((changed, edits))
    }
}
