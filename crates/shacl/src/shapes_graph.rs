//! A shapes graph as the compiler reads it: statements of nodes, lists, and faults with their statements.

use std::collections::HashSet;

use oxrdf::{NamedNodeRef, Term};

use super::shacl_vocabulary::{DCTERMS, SH};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::vocabulary::rdf;
use evalgraph_store::{Dataset, DatasetView, DefaultGraph, RdfTermKind, TermDictionary, TermId};

/// The graph of shapes: the union of the graphs of a dataset.
pub(super) struct ShapesGraph<'d> {
    view: DatasetView<'d>,
    dictionary: &'d TermDictionary,
}

/// A fault in a shapes graph, with the faulty statement. Blank nodes have the names from the dataset.
#[derive(Debug, Clone)]
pub struct ShapesFault {
    /// The fault, without a place.
    pub diagnostic: Diagnostic,
    /// The subject of the statement.
    pub subject: Term,
    /// The predicate of the statement; none if the node as a whole is faulty.
    pub predicate: Option<Term>,
    /// The object of the statement; none if a statement is missing.
    pub object: Option<Term>,
}

/// A fault on its way to the list of faults.
pub(super) type BoxedShapesFault = Box<ShapesFault>;

/// A node of a shapes graph that may be faulty, with one of its statements.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShapesStatement {
    pub(super) subject: TermId,
    pub(super) predicate: Option<TermId>,
    pub(super) object: Option<TermId>,
}

impl ShapesStatement {
    pub(super) fn node(subject: TermId) -> Self {
        Self { subject, predicate: None, object: None }
    }

    pub(super) fn new(subject: TermId, predicate: TermId, object: TermId) -> Self {
        Self { subject, predicate: Some(predicate), object: Some(object) }
    }
}

impl<'d> ShapesGraph<'d> {
    pub(super) fn new(dataset: &'d Dataset) -> Self {
        Self { view: dataset.view(DefaultGraph::Union), dictionary: dataset.dictionary() }
    }

    pub(super) fn fault(&self, code: &'static str, message: String, at: ShapesStatement) -> BoxedShapesFault {
        Box::new(ShapesFault {
            diagnostic: Diagnostic::error(code, message),
            subject: self.term(at.subject),
            predicate: at.predicate.map(|id| self.term(id)),
            object: at.object.map(|id| self.term(id)),
        })
    }

    pub(super) fn term(&self, id: TermId) -> Term {
        self.dictionary.term(id)
    }

    pub(super) fn kind(&self, id: TermId) -> RdfTermKind {
        self.dictionary.kind(id)
    }

    pub(super) fn is_literal(&self, id: TermId) -> bool {
        !matches!(self.kind(id), RdfTermKind::Iri | RdfTermKind::BlankNode)
    }

    /// The lexical form of a literal, or the IRI.
    pub(super) fn text(&self, id: TermId) -> &'d str {
        self.dictionary.lexical(id)
    }

    /// A term in the form that messages use.
    pub(super) fn shown(&self, id: TermId) -> String {
        shown(&self.term(id))
    }

    pub(super) fn find(&self, iri: &str) -> Option<TermId> {
        self.dictionary.find(NamedNodeRef::new_unchecked(iri).into())
    }

    /// The number of a term of SHACL, if the graph has it.
    pub(super) fn sh(&self, name: &str) -> Option<TermId> {
        self.find(&format!("{SH}{name}"))
    }

    /// The name of a term in the namespace of SHACL.
    pub(super) fn sh_name(&self, id: TermId) -> Option<&'d str> {
        if self.kind(id) == RdfTermKind::Iri { self.text(id).strip_prefix(SH) } else { None }
    }

    /// The predicates and objects of a node, sorted by predicate.
    pub(super) fn statements(&self, subject: TermId) -> Vec<(TermId, TermId)> {
        let triples = self.view.default_triples(Some(subject), None, None);
        triples.map(|[_, predicate, object]| (predicate, object)).collect()
    }

    pub(super) fn objects(&self, subject: TermId, predicate: Option<TermId>) -> Vec<TermId> {
        let Some(predicate) = predicate else { return Vec::new() };
        let triples = self.view.default_triples(Some(subject), Some(predicate), None);
        triples.map(|[_, _, object]| object).collect()
    }

    /// The objects of a property of SHACL.
    pub(super) fn values(&self, subject: TermId, name: &str) -> Vec<TermId> {
        self.objects(subject, self.sh(name))
    }

    pub(super) fn subjects(&self, predicate: Option<TermId>, object: Option<TermId>) -> Vec<TermId> {
        let Some(predicate) = predicate else { return Vec::new() };
        let triples = self.view.default_triples(None, Some(predicate), object);
        let mut seen = HashSet::new();
        triples.map(|[subject, ..]| subject).filter(|subject| seen.insert(*subject)).collect()
    }

    /// A node that has a node as a value.
    pub(super) fn mentioned_by(&self, node: TermId) -> Option<TermId> {
        self.view.default_triples(None, None, Some(node)).next().map(|[subject, ..]| subject)
    }

    /// The instances of a class and of its subclasses, according to the graph.
    pub(super) fn instances(&self, class: &str) -> Vec<TermId> {
        let Some(class) = self.find(class) else { return Vec::new() };
        let sub_class_of = self.find(&format!("{}subClassOf", super::shacl_vocabulary::RDFS));
        let rdf_type = self.find(rdf::TYPE);
        let (mut classes, mut seen, mut found) = (vec![class], HashSet::from([class]), Vec::new());
        let mut known = HashSet::new();
        // Subclasses may form a cycle, so each class is visited once.
        while let Some(class) = classes.pop() {
            found.extend(self.subjects(rdf_type, Some(class)).into_iter().filter(|node| known.insert(*node)));
            classes
                .extend(self.subjects(sub_class_of, Some(class)).into_iter().filter(|sub| seen.insert(*sub)));
        }
        found.sort_unstable();
        found
    }

    /// The prefixes that the graph declares (`sh:declare`), with their namespaces. Any query may use them.
    pub(super) fn prefixes(&self) -> Vec<(String, String)> {
        let is_prefix = |text: &str| {
            text.starts_with(|first: char| first.is_ascii_alphabetic())
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let is_namespace = |text: &str| {
            text.contains(':') && !text.contains(|c: char| c <= ' ' || "<>\"{}|^`\\".contains(c))
        };
        let mut prefixes = Vec::new();
        let declare = self.sh("declare");
        for ontology in self.subjects(declare, None) {
            for declaration in self.objects(ontology, declare) {
                let text = |name: &str| self.values(declaration, name).first().map(|value| self.text(*value));
                if let (Some(prefix), Some(namespace)) = (text("prefix"), text("namespace"))
                    && is_prefix(prefix)
                    && is_namespace(namespace)
                {
                    prefixes.push((prefix.to_owned(), namespace.to_owned()));
                }
            }
        }
        prefixes.sort_unstable();
        prefixes.dedup_by(|later, first| later.0 == first.0);
        prefixes
    }

    /// Returns whether anything in the graph requires an IRI (`dcterms:requires`).
    pub(super) fn requires(&self, iri: &str) -> bool {
        let required = self.find(iri);
        required.is_some() && !self.subjects(self.find(&format!("{DCTERMS}requires")), required).is_empty()
    }

    /// Returns whether a node is the empty list or has an item.
    pub(super) fn is_list(&self, node: TermId) -> bool {
        self.find(rdf::NIL) == Some(node) || !self.objects(node, self.find(rdf::FIRST)).is_empty()
    }

    /// The items of a list.
    pub(super) fn list(&self, head: TermId, at: ShapesStatement) -> Result<Vec<TermId>, BoxedShapesFault> {
        let (nil, first, rest) = (self.find(rdf::NIL), self.find(rdf::FIRST), self.find(rdf::REST));
        let (mut items, mut seen, mut node) = (Vec::new(), HashSet::new(), head);
        while Some(node) != nil {
            if !seen.insert(node) {
                let message = "the list comes back to one of its own nodes".to_owned();
                return Err(self.fault("shacl::list", message, at));
            }
            let firsts = self.objects(node, first);
            let rests = self.objects(node, rest);
            let objection = match (firsts.as_slice(), rests.as_slice()) {
                ([item], [next]) => {
                    items.push(*item);
                    node = *next;
                    continue;
                }
                ([], []) if node == head => {
                    format!("{} is not a list: write it as `( … )`", self.shown(head))
                }
                ([], _) => "a node of the list has no `rdf:first`".to_owned(),
                (_, []) => "the list has no end: a node has no `rdf:rest`".to_owned(),
                _ => "a node of the list has two values of `rdf:first` or `rdf:rest`".to_owned(),
            };
            return Err(self.fault("shacl::list", objection, at));
        }
        Ok(items)
    }
}

/// A term in the form that messages use: an IRI as its last part, a literal in quotes.
pub(super) fn shown(term: &Term) -> String {
    match term {
        Term::NamedNode(node) => match node.as_str().strip_prefix(SH) {
            Some(name) => format!("`sh:{name}`"),
            None => format!("`{}`", node.as_str()),
        },
        Term::BlankNode(_) => "a blank node".to_owned(),
        Term::Literal(_) => format!("`{term}`"),
    }
}
