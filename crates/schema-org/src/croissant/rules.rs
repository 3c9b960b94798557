//! The rules over the nodes of a document: its terms, and what each class asks.

use std::cell::Cell;

use super::conformance;
use super::containment;
use super::data_types;
use super::document::CroissantDocument;
use super::fields;
use super::files;
use super::graph::Graph;
use super::joins;
use super::names::CroissantIri;
use super::records;
use super::references::{self, ExpectedNodes, OWNERS, wrong_type};
use super::reporter::Reporter;
use super::requirements::{self, cardinality};
use super::sources;
use super::terms::{Class, Expected, Term, class_names, is_of_tasks, term, terms};
use super::version::Version;
use crate::code::Code;
use crate::literals::LiteralKind;
use crate::losses::Losses;
use crate::namespace::SchemaIri;
use crate::teller::{At, Fault, Teller, shortened};
use crate::vocabulary::Vocabulary;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_store::{DatasetView, Dictionary, TermId};

/// Properties that version 1.0 speaks of and its context leaves to schema.org.
const MOVED_IN_1_0: [&str; 3] = ["containedIn", "excludes", "equivalentProperty"];

/// Checks the nodes of a document of Croissant.
pub(crate) struct Rules<'c> {
    document: &'c CroissantDocument,
    graph: Graph<'c>,
    vocabulary: &'c Vocabulary,
    /// The datasets that the document describes.
    datasets: Vec<TermId>,
    has_told_namespace: Cell<bool>,
}

/// Tells whether a property of schema.org's namespace is one of Croissant, which a context has moved there.
pub(crate) fn is_moved(vocabulary: &Vocabulary, iri: &str) -> bool {
    let local = SchemaIri::of(iri).map(|iri| iri.local);
    let local = local.filter(|local| *local == "conformsTo" || term(local).is_some());
    local.is_some_and(|local| local == "containedIn" || vocabulary.property(local).is_none())
}

impl<'c> Rules<'c> {
    pub(crate) fn new(
        document: &'c CroissantDocument,
        vocabulary: &'c Vocabulary,
        view: &'c DatasetView<'c>,
        dictionary: &'c Dictionary,
        losses: Option<&Losses>,
    ) -> Self {
        let graph = Graph::new(view, dictionary, losses);
        let mut datasets: Vec<TermId> = document.stated.iter().map(|at| at.node).collect();
        if datasets.is_empty() {
            let owners = ["recordSet", "distribution"].into_iter().flat_map(|name| graph.statements(name));
            datasets.extend(
                owners.map(|at| at.node).filter(|node| graph.classes(*node).contains(&Class::Dataset)),
            );
        }
        datasets.sort_unstable();
        datasets.dedup();
        Self { document, graph, vocabulary, datasets, has_told_namespace: Cell::new(false) }
    }

    /// Tells which version the document is of, where that is a fault.
    pub(crate) fn version(&self, teller: &mut Teller<'_>) {
        let mut reporter = Reporter { document: self.document, teller };
        conformance::check(self.graph.dictionary, &mut reporter);
    }

    /// Checks a node with its statements, which are sorted by predicate.
    pub(crate) fn node(
        &self,
        node: TermId,
        statements: &[(TermId, TermId)],
        teller: &mut Teller<'_>,
    ) -> Result<(), Box<Diagnostic>> {
        if self.document.is_old {
            return Ok(());
        }
        let mut reporter = Reporter { document: self.document, teller };
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
                Class::Dataset => {}
                Class::FileObject => files::checksums(&self.graph, &mut reporter, node),
                Class::FileSet => {}
                Class::RecordSet => self.record_set(node, &mut reporter)?,
                Class::Field => data_types::known(&self.graph, self.vocabulary, &mut reporter, node),
            }
            if *class != Class::Dataset {
                requirements::check(&self.graph, &mut reporter, node, *class);
            }
        }
        Ok(())
    }

    /// Checks what is known when all nodes were seen.
    pub(crate) fn end(&self, teller: &mut Teller<'_>) -> Result<(), Box<Diagnostic>> {
        match self.document.is_old {
            true => Ok(()),
            false => containment::check(&self.graph, &mut Reporter { document: self.document, teller }),
        }
    }

    /// Tells whether a property of a node has values that Croissant describes in another way than schema.org: those of files
    /// may be paths.
    pub(crate) fn has_own_values(&self, node: TermId, property: &str) -> bool {
        matches!(property, "contentUrl" | "sameAs")
            && (self.graph.has(node, "containedIn") || self.graph.classes(node).contains(&Class::FileObject))
    }

    fn dataset(&self, node: TermId, classes: &[Class], reporter: &mut Reporter<'_, '_>) {
        requirements::check(&self.graph, reporter, node, Class::Dataset);
        let target = ExpectedNodes {
            classes: &[Class::FileObject, Class::FileSet],
            section: "modified-and-added-properties",
            needs_type: true,
        };
        for at in self.graph.values(node, "distribution") {
            references::part(&self.graph, reporter, at, target);
        }
        if classes.contains(&Class::Dataset) {
            return;
        }
        let types = self.graph.types(node);
        let at = types.first().copied().unwrap_or(At { node, predicate: None, value: None });
        reporter.tell(Code::CroissantType, at, "required", || {
            match types.first().and_then(|at| self.graph.iri(at.value?)) {
                Some(wrong) => wrong_type(wrong, &["Dataset"]),
                None => Fault {
                    property: Some("@type"),
                    ..Fault::new("the dataset has no type, and `Dataset` is expected")
                },
            }
        });
    }

    fn record_set(&self, node: TermId, reporter: &mut Reporter<'_, '_>) -> Result<(), Box<Diagnostic>> {
        data_types::known(&self.graph, self.vocabulary, reporter, node);
        fields::check(&self.graph, self.vocabulary, reporter, node)?;
        records::check(&self.graph, reporter, node)?;
        joins::check(&self.graph, reporter, node)
    }

    /// Checks that types of Croissant are there, and that an id is of one part.
    fn types(&self, node: TermId, classes: &[Class], reporter: &mut Reporter<'_, '_>) {
        for at in self.graph.types(node) {
            let iri = at.value.and_then(|class| self.graph.iri(class)).and_then(CroissantIri::of);
            let Some(iri) = iri else { continue };
            self.namespace(iri, at, reporter);
            let is_known = is_of_tasks(iri.local) || class_names().any(|name| name == iri.local);
            // The owner of a part tells which classes are expected.
            if !is_known && self.graph.owners(node, &OWNERS).next().is_none() {
                reporter.tell(Code::CroissantUnknownTerm, at, "namespaces", || {
                    let suggest = nearest(iri.local, class_names()).map(str::to_owned);
                    let message = format!("`{}` is not a class of Croissant", shortened(iri.local));
                    Fault { term: Some(iri.local.to_owned()), suggest, ..Fault::new(message) }
                });
            }
        }
        if classes.is_empty() {
            return;
        }
        let mut owners = self.graph.owners(node, &OWNERS);
        let first = owners.next();
        if classes.len() > 1 || owners.any(|owner| Some(owner) != first) {
            let at = At { node, predicate: None, value: None };
            reporter.tell(Code::CroissantDuplicateId, at, "id-and-reference-mechanism", || {
                let id = self.graph.iri(node).map_or("_:", |iri| self.graph.short_id(iri));
                let message = format!("more than one part of the dataset has the id `{}`", shortened(id));
                Fault { term: Some(id.to_owned()), ..Fault::new(message) }
            });
        }
    }

    /// Tells the namespace with `https`, once.
    fn namespace(&self, iri: CroissantIri<'_>, at: At, reporter: &mut Reporter<'_, '_>) {
        if iri.is_alias && !self.has_told_namespace.replace(true) {
            reporter.tell(Code::CroissantNamespace, at, "namespaces", || {
                let (wrong, right) = ("https://mlcommons.org/croissant/", "http://mlcommons.org/croissant/");
                let message = format!("`{wrong}` is not the namespace of Croissant: `{right}`");
                Fault { term: Some(wrong.to_owned()), suggest: Some(right.to_owned()), ..Fault::new(message) }
            });
        }
    }

    /// Checks the values of a property.
    fn property(
        &self,
        node: TermId,
        group: &[(TermId, TermId)],
        reporter: &mut Reporter<'_, '_>,
    ) -> Result<(), Box<Diagnostic>> {
        let predicate = group[0].0;
        let at = At { node, predicate: Some(predicate), value: None };
        let iri = self.graph.dictionary.lexical(predicate);
        let term = match (CroissantIri::of(iri), SchemaIri::of(iri)) {
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
            cardinality(reporter, At { value: Some(*second), ..at }, term.name, term.section);
        }
        for (_, value) in group {
            reporter.go_on()?;
            self.value(At { value: Some(*value), ..at }, term, reporter);
        }
        Ok(())
    }

    /// The term of a name in Croissant's namespace.
    fn own_term(&self, local: &str, at: At, reporter: &mut Reporter<'_, '_>) -> Option<&'static Term> {
        let Some(term) = term(local) else {
            if is_of_tasks(local) {
                return None;
            }
            reporter.tell(Code::CroissantUnknownTerm, at, "appendix-1-json-ld-context", || {
                let suggest = nearest(local, terms().map(|term| term.name)).map(str::to_owned);
                let message = format!("`{}` is not a property of Croissant", shortened(local));
                Fault { term: Some(local.to_owned()), suggest, ..Fault::new(message) }
            });
            return None;
        };
        let name = term.name;
        match term.until {
            Some((until, by)) if self.document.version.is_some_and(|version| version > until) => {
                reporter.tell(Code::CroissantUnknownTerm, at, term.section, || {
                    let message =
                        format!("`{by}` has taken the place of `{name}` after version {}", until.number());
                    Fault { term: Some(name.to_owned()), suggest: Some(by.to_owned()), ..Fault::new(message) }
                });
            }
            _ if !self.document.has_version(term.since) => {
                reporter.tell(Code::CroissantUnknownTerm, at, term.section, || {
                    let message = format!("`{name}` came with version {}", term.since.number());
                    Fault { term: Some(name.to_owned()), ..Fault::new(message) }
                });
            }
            _ => {}
        }
        Some(term)
    }

    /// The term of Croissant that a context has moved to schema.org's namespace.
    fn moved_term(&self, local: &str, at: At, reporter: &mut Reporter<'_, '_>) -> Option<&'static Term> {
        let term = term(local)?;
        // Of the names that schema.org has, too, those of other nodes are its own.
        if self.vocabulary.property(local).is_some()
            && self.graph.classes(at.node).iter().all(|class| *class == Class::Dataset)
        {
            return None;
        }
        // Programs read the value of a field in both namespaces.
        if local != "value"
            && (self.document.version == Some(Version::V1_1) || !MOVED_IN_1_0.contains(&local))
        {
            reporter.tell(Code::CroissantNamespace, at, "appendix-1-json-ld-context", || {
                let right = format!("cr:{local}");
                let message =
                    format!("`{local}` is a term of Croissant: the context has to map it to `{right}`");
                Fault { term: Some(local.to_owned()), suggest: Some(right), ..Fault::new(message) }
            });
        }
        Some(term)
    }

    fn value(&self, at: At, term: &'static Term, reporter: &mut Reporter<'_, '_>) {
        let graph = &self.graph;
        let target = |classes| ExpectedNodes { classes, section: term.section, needs_type: false };
        match term.expected {
            Expected::Parts(classes) if graph.has_parts(at.node) => {
                let needs_type = matches!(term.name, "recordSet" | "field");
                references::part(graph, reporter, at, ExpectedNodes { needs_type, ..target(classes) });
            }
            // The key of a record set has a rule of its own.
            Expected::References(_) if term.name == "key" => {}
            Expected::Parts(classes) | Expected::References(classes) => {
                references::reference(graph, reporter, at, target(classes));
            }
            Expected::Sources(classes) => references::source(graph, reporter, at, target(classes)),
            Expected::Extract => sources::extract(graph, reporter, at),
            Expected::Transform => sources::transform(graph, reporter, at),
            Expected::Text => self.literal(at, term, LiteralKind::Text, reporter),
            Expected::Boolean => self.literal(at, term, LiteralKind::Boolean, reporter),
            Expected::Json | Expected::Anything => {}
        }
    }

    /// Checks that a value is a literal of a kind.
    fn literal(&self, at: At, term: &'static Term, expected: LiteralKind, reporter: &mut Reporter<'_, '_>) {
        let Some(value) = at.value else { return };
        let kind = (!self.graph.is_node(value)).then(|| LiteralKind::of(self.graph.dictionary, value));
        if kind != Some(expected) {
            reporter.tell(Code::CroissantValue, at, term.section, || {
                let found = kind.map_or("a node", LiteralKind::name);
                Fault::new(format!("{found} stands where {} is expected", expected.name()))
            });
        }
    }
}
