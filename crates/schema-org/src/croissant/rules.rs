//! The rules over the nodes of a document: its terms, and the requirements of each class.

use std::cell::Cell;

use super::checksum_rules;
use super::conformance;
use super::containment;
use super::croissant_document::CroissantDocument;
use super::croissant_graph::CroissantGraph;
use super::croissant_iri::CroissantIri;
use super::croissant_terms::{
    CroissantClass, CroissantProperty, ExpectedPropertyValues, class_names, is_of_tasks, term, terms,
};
use super::data_source_rules;
use super::data_types;
use super::joins;
use super::record_rules;
use super::record_set_fields;
use super::references::{self, ExpectedNodes, OWNERS, wrong_type};
use super::reporter::CroissantReporter;
use super::requirements::{self, cardinality};
use super::version::KnownCroissantVersion;
use crate::code::CheckRule;
use crate::literals::JsonLiteralKind;
use crate::losses::DocumentLosses;
use crate::namespace::SchemaIri;
use crate::teller::{CheckTeller, FaultDescription, StatementPart, shortened};
use crate::vocabulary_terms::SchemaOrgVocabulary;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_store::{DatasetView, TermDictionary, TermId};

/// Properties that version 1.0 describes, but that its context maps to schema.org.
const MOVED_IN_1_0: [&str; 3] = ["containedIn", "excludes", "equivalentProperty"];

/// Checks the nodes of a document that uses Croissant.
pub(crate) struct CroissantRules<'c> {
    document: &'c CroissantDocument,
    graph: CroissantGraph<'c>,
    vocabulary: &'c SchemaOrgVocabulary,
    /// The datasets that the document describes.
    datasets: Vec<TermId>,
    has_told_namespace: Cell<bool>,
}

/// Returns whether a property in schema.org's namespace is a property of Croissant that a context has moved there.
pub(crate) fn is_moved(vocabulary: &SchemaOrgVocabulary, iri: &str) -> bool {
    let local = SchemaIri::from_iri(iri).map(|iri| iri.local);
    let local = local.filter(|local| *local == "conformsTo" || term(local).is_some());
    local.is_some_and(|local| local == "containedIn" || vocabulary.property(local).is_none())
}

impl<'c> CroissantRules<'c> {
    pub(crate) fn new(
        document: &'c CroissantDocument,
        vocabulary: &'c SchemaOrgVocabulary,
        view: &'c DatasetView<'c>,
        dictionary: &'c TermDictionary,
        losses: Option<&DocumentLosses>,
    ) -> Self {
        let graph = CroissantGraph::new(view, dictionary, losses);
        let mut datasets: Vec<TermId> = document.stated.iter().map(|at| at.node).collect();
        if datasets.is_empty() {
            let owners = ["recordSet", "distribution"].into_iter().flat_map(|name| graph.statements(name));
            datasets.extend(
                owners
                    .map(|at| at.node)
                    .filter(|node| graph.classes(*node).contains(&CroissantClass::Dataset)),
            );
        }
        datasets.sort_unstable();
        datasets.dedup();
        Self { document, graph, vocabulary, datasets, has_told_namespace: Cell::new(false) }
    }

    /// Reports the version of the document, if it is faulty.
    pub(crate) fn version(&self, teller: &mut CheckTeller<'_>) {
        let mut reporter = CroissantReporter { document: self.document, teller };
        conformance::check(self.graph.dictionary, &mut reporter);
    }

    /// Checks a node with its statements, which are sorted by predicate.
    pub(crate) fn node(
        &self,
        node: TermId,
        statements: &[(TermId, TermId)],
        teller: &mut CheckTeller<'_>,
    ) -> Result<(), Box<Diagnostic>> {
        if self.document.is_old {
            return Ok(());
        }
        let mut reporter = CroissantReporter { document: self.document, teller };
        for group in statements.chunk_by(|left, right| left.0 == right.0) {
            self.property(node, group, &mut reporter)?;
        }
        let classes = self.graph.classes(node);
        self.types(node, &classes, &mut reporter);
        if self.datasets.binary_search(&node).is_ok() {
            self.dataset(node, &classes, &mut reporter);
        }
        for class in &classes {
            match class {
                CroissantClass::Dataset => {}
                CroissantClass::FileObject => checksum_rules::checksums(&self.graph, &mut reporter, node),
                CroissantClass::FileSet => {}
                CroissantClass::RecordSet => self.record_set(node, &mut reporter)?,
                CroissantClass::Field => data_types::known(&self.graph, self.vocabulary, &mut reporter, node),
            }
            if *class != CroissantClass::Dataset {
                requirements::check(&self.graph, &mut reporter, node, *class);
            }
        }
        Ok(())
    }

    /// Checks what can only be checked after all nodes.
    pub(crate) fn end(&self, teller: &mut CheckTeller<'_>) -> Result<(), Box<Diagnostic>> {
        match self.document.is_old {
            true => Ok(()),
            false => {
                containment::check(&self.graph, &mut CroissantReporter { document: self.document, teller })
            }
        }
    }

    /// Returns whether a property of a node has values that Croissant describes differently from schema.org: those of
    /// files may be paths.
    pub(crate) fn has_own_values(&self, node: TermId, property: &str) -> bool {
        matches!(property, "contentUrl" | "sameAs")
            && (self.graph.has(node, "containedIn")
                || self.graph.classes(node).contains(&CroissantClass::FileObject))
    }

    fn dataset(&self, node: TermId, classes: &[CroissantClass], reporter: &mut CroissantReporter<'_, '_>) {
        requirements::check(&self.graph, reporter, node, CroissantClass::Dataset);
        let target = ExpectedNodes {
            classes: &[CroissantClass::FileObject, CroissantClass::FileSet],
            section: "modified-and-added-properties",
            needs_type: true,
        };
        for at in self.graph.values(node, "distribution") {
            references::part(&self.graph, reporter, at, target);
        }
        if classes.contains(&CroissantClass::Dataset) {
            return;
        }
        let types = self.graph.types(node);
        let at = types.first().copied().unwrap_or(StatementPart { node, predicate: None, value: None });
        reporter.tell(CheckRule::CroissantType, at, "required", || {
            match types.first().and_then(|at| self.graph.iri(at.value?)) {
                Some(wrong) => wrong_type(wrong, &["Dataset"]),
                None => FaultDescription {
                    property: Some("@type"),
                    ..FaultDescription::new("the dataset has no type, and `Dataset` is expected")
                },
            }
        });
    }

    fn record_set(
        &self,
        node: TermId,
        reporter: &mut CroissantReporter<'_, '_>,
    ) -> Result<(), Box<Diagnostic>> {
        data_types::known(&self.graph, self.vocabulary, reporter, node);
        record_set_fields::check(&self.graph, self.vocabulary, reporter, node)?;
        record_rules::check(&self.graph, reporter, node)?;
        joins::check(&self.graph, reporter, node)
    }

    /// Checks that types of Croissant exist, and that an id belongs to only one part.
    fn types(&self, node: TermId, classes: &[CroissantClass], reporter: &mut CroissantReporter<'_, '_>) {
        for at in self.graph.types(node) {
            let iri = at.value.and_then(|class| self.graph.iri(class)).and_then(CroissantIri::from_iri);
            let Some(iri) = iri else { continue };
            self.namespace(iri, at, reporter);
            let is_known = is_of_tasks(iri.local) || class_names().any(|name| name == iri.local);
            // The classes that are expected for a part are checked with its owner.
            if !is_known && self.graph.owners(node, &OWNERS).next().is_none() {
                reporter.tell(CheckRule::CroissantUnknownTerm, at, "namespaces", || {
                    let suggest = nearest(iri.local, class_names()).map(str::to_owned);
                    let message = format!("`{}` is not a class of Croissant", shortened(iri.local));
                    FaultDescription {
                        term: Some(iri.local.to_owned()),
                        suggest,
                        ..FaultDescription::new(message)
                    }
                });
            }
        }
        if classes.is_empty() {
            return;
        }
        let mut owners = self.graph.owners(node, &OWNERS);
        let first = owners.next();
        if classes.len() > 1 || owners.any(|owner| Some(owner) != first) {
            let at = StatementPart { node, predicate: None, value: None };
            reporter.tell(CheckRule::CroissantDuplicateId, at, "id-and-reference-mechanism", || {
                let id = self.graph.iri(node).map_or("_:", |iri| self.graph.short_id(iri));
                let message = format!("more than one part of the dataset has the id `{}`", shortened(id));
                FaultDescription { term: Some(id.to_owned()), ..FaultDescription::new(message) }
            });
        }
    }

    /// Reports the namespace with `https`, once.
    fn namespace(&self, iri: CroissantIri<'_>, at: StatementPart, reporter: &mut CroissantReporter<'_, '_>) {
        if iri.is_alias && !self.has_told_namespace.replace(true) {
            reporter.tell(CheckRule::CroissantNamespace, at, "namespaces", || {
                let (wrong, right) = ("https://mlcommons.org/croissant/", "http://mlcommons.org/croissant/");
                let message = format!("`{wrong}` is not the namespace of Croissant: `{right}`");
                FaultDescription {
                    term: Some(wrong.to_owned()),
                    suggest: Some(right.to_owned()),
                    ..FaultDescription::new(message)
                }
            });
        }
    }

    /// Checks the values of a property.
    fn property(
        &self,
        node: TermId,
        group: &[(TermId, TermId)],
        reporter: &mut CroissantReporter<'_, '_>,
    ) -> Result<(), Box<Diagnostic>> {
        let predicate = group[0].0;
        let at = StatementPart { node, predicate: Some(predicate), value: None };
        let iri = self.graph.dictionary.lexical(predicate);
        let term = match (CroissantIri::from_iri(iri), SchemaIri::from_iri(iri)) {
            (Some(iri), _) => {
                self.namespace(iri, at, reporter);
                self.own_term(iri.local, at, reporter)
            }
            (None, Some(iri)) => self.moved_term(iri.local, at, reporter),
            (None, None) => None,
        };
        let Some(term) = term else { return Ok(()) };
        if let [_, (_, second), ..] = group
            && term.is_once
        {
            cardinality(reporter, StatementPart { value: Some(*second), ..at }, term.name, term.section);
        }
        for (_, value) in group {
            reporter.go_on()?;
            self.value(StatementPart { value: Some(*value), ..at }, term, reporter);
        }
        Ok(())
    }

    /// The term with a name in Croissant's namespace.
    fn own_term(
        &self,
        local: &str,
        at: StatementPart,
        reporter: &mut CroissantReporter<'_, '_>,
    ) -> Option<&'static CroissantProperty> {
        let Some(term) = term(local) else {
            if is_of_tasks(local) {
                return None;
            }
            reporter.tell(CheckRule::CroissantUnknownTerm, at, "appendix-1-json-ld-context", || {
                let suggest = nearest(local, terms().map(|term| term.name)).map(str::to_owned);
                let message = format!("`{}` is not a property of Croissant", shortened(local));
                FaultDescription { term: Some(local.to_owned()), suggest, ..FaultDescription::new(message) }
            });
            return None;
        };
        let name = term.name;
        match term.until {
            Some((until, by)) if self.document.version.is_some_and(|version| version > until) => {
                reporter.tell(CheckRule::CroissantUnknownTerm, at, term.section, || {
                    let message = format!("`{by}` has replaced `{name}` after version {}", until.number());
                    FaultDescription {
                        term: Some(name.to_owned()),
                        suggest: Some(by.to_owned()),
                        ..FaultDescription::new(message)
                    }
                });
            }
            _ if !self.document.has_version(term.since) => {
                reporter.tell(CheckRule::CroissantUnknownTerm, at, term.section, || {
                    let message = format!("`{name}` exists only since version {}", term.since.number());
                    FaultDescription { term: Some(name.to_owned()), ..FaultDescription::new(message) }
                });
            }
            _ => {}
        }
        Some(term)
    }

    /// The term of Croissant that a context has moved to schema.org's namespace.
    fn moved_term(
        &self,
        local: &str,
        at: StatementPart,
        reporter: &mut CroissantReporter<'_, '_>,
    ) -> Option<&'static CroissantProperty> {
        let term = term(local)?;
        // If schema.org also has the name, it is Croissant's only on nodes of Croissant.
        if self.vocabulary.property(local).is_some()
            && self.graph.classes(at.node).iter().all(|class| *class == CroissantClass::Dataset)
        {
            return None;
        }
        // Programs read the value of a field in both namespaces.
        if local != "value"
            && (self.document.version == Some(KnownCroissantVersion::V1_1) || !MOVED_IN_1_0.contains(&local))
        {
            reporter.tell(CheckRule::CroissantNamespace, at, "appendix-1-json-ld-context", || {
                let right = format!("cr:{local}");
                let message =
                    format!("`{local}` is a term of Croissant: the context has to map it to `{right}`");
                FaultDescription {
                    term: Some(local.to_owned()),
                    suggest: Some(right),
                    ..FaultDescription::new(message)
                }
            });
        }
        Some(term)
    }

    fn value(
        &self,
        at: StatementPart,
        term: &'static CroissantProperty,
        reporter: &mut CroissantReporter<'_, '_>,
    ) {
        let graph = &self.graph;
        let target = |classes| ExpectedNodes { classes, section: term.section, needs_type: false };
        match term.expected {
            ExpectedPropertyValues::Parts(classes) if graph.has_parts(at.node) => {
                let needs_type = matches!(term.name, "recordSet" | "field");
                references::part(graph, reporter, at, ExpectedNodes { needs_type, ..target(classes) });
            }
            // The key of a record set has a separate rule.
            ExpectedPropertyValues::References(_) if term.name == "key" => {}
            ExpectedPropertyValues::Parts(classes) | ExpectedPropertyValues::References(classes) => {
                references::reference(graph, reporter, at, target(classes));
            }
            ExpectedPropertyValues::Sources(classes) => {
                references::source(graph, reporter, at, target(classes));
            }
            ExpectedPropertyValues::Extract => data_source_rules::extract(graph, reporter, at),
            ExpectedPropertyValues::Transform => data_source_rules::transform(graph, reporter, at),
            ExpectedPropertyValues::Text => self.literal(at, term, JsonLiteralKind::Text, reporter),
            ExpectedPropertyValues::Boolean => self.literal(at, term, JsonLiteralKind::Boolean, reporter),
            ExpectedPropertyValues::Json | ExpectedPropertyValues::Anything => {}
        }
    }

    /// Checks that a value is a literal of a kind.
    fn literal(
        &self,
        at: StatementPart,
        term: &'static CroissantProperty,
        expected: JsonLiteralKind,
        reporter: &mut CroissantReporter<'_, '_>,
    ) {
        let Some(value) = at.value else { return };
        let kind =
            (!self.graph.is_node(value)).then(|| JsonLiteralKind::from_literal(self.graph.dictionary, value));
        if kind != Some(expected) {
            reporter.tell(CheckRule::CroissantValue, at, term.section, || {
                let found = kind.map_or("a node", JsonLiteralKind::name);
                FaultDescription::new(format!("{found} is used where {} is expected", expected.name()))
            });
        }
    }
}
