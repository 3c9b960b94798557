//! Finds the properties and classes of questions in a dataset, as numbers, and returns the texts of its terms.

use oxrdf::{LiteralRef, NamedNodeRef, Term, vocab};

use evalgraph_rdf::minted::CATALOG_GRAPH;
use evalgraph_rdf::vocabulary::{EVALGRAPH, SCHEMA_ORG, rdf};
use evalgraph_store::{Dataset, DatasetView, DefaultGraph, RdfTermKind, TermId};

/// The namespaces of schema.org in files that were loaded unchanged.
const NAMESPACES: [&str; 4] =
    [SCHEMA_ORG, "https://schema.org/", "http://www.schema.org/", "https://www.schema.org/"];

/// A name in all namespaces that it may have; empty if the data have none of them.
pub(super) type NameVariants = Vec<TermId>;

/// Looks up names in a dataset.
///
/// Other methods are in `node_lookup.rs`.
pub(crate) struct NameLookup<'d> {
    dataset: &'d Dataset,
    pub(super) view: DatasetView<'d>,
    pub(super) rdf_type: Option<TermId>,
    pub(super) catalog: Option<TermId>,
    /// The literals that are true, and those that are false: each value has two spellings, and this has those in the
    /// data.
    truths: [Vec<TermId>; 2],
}

impl<'d> NameLookup<'d> {
    pub(crate) fn new(dataset: &'d Dataset) -> Self {
        let find = |iri: &str| dataset.dictionary().find(NamedNodeRef::new_unchecked(iri).into());
        let view = dataset.view(DefaultGraph::Union);
        let boolean = |text: &&str| {
            let literal = LiteralRef::new_typed_literal(text, vocab::xsd::BOOLEAN);
            dataset.dictionary().find(literal.into())
        };
        let truths = [["true", "1"], ["false", "0"]].map(|texts| texts.iter().filter_map(boolean).collect());
        Self { dataset, view, rdf_type: find(rdf::TYPE), catalog: find(CATALOG_GRAPH), truths }
    }

    pub(super) fn dataset(&self) -> &'d Dataset {
        self.dataset
    }

    /// Returns the number of an IRI.
    pub(super) fn iri(&self, iri: &str) -> Option<TermId> {
        self.dataset.dictionary().find(NamedNodeRef::new_unchecked(iri).into())
    }

    /// Returns the number of a string.
    pub(super) fn string(&self, text: &str) -> Option<TermId> {
        self.dataset.dictionary().find(LiteralRef::new_simple_literal(text).into())
    }

    /// Returns a name of schema.org, or of our own vocabulary if it begins with `eg:`.
    pub(super) fn name(&self, name: &str) -> NameVariants {
        match name.strip_prefix("eg:") {
            Some(own) => self.iri(&format!("{EVALGRAPH}{own}")).into_iter().collect(),
            None => {
                let iris = NAMESPACES.iter().map(|namespace| format!("{namespace}{name}"));
                iris.filter_map(|iri| self.iri(&iri)).collect()
            }
        }
    }

    /// Returns all quads of the data with a property, graph by graph.
    pub(super) fn quads(&self, property: &str) -> impl Iterator<Item = PropertyStatement> + use<'d> {
        let view = self.view.clone();
        self.name(property).into_iter().flat_map(move |property| {
            let quads = view.named_quads([None, Some(property), None]);
            quads.map(|([subject, _, object], graph)| PropertyStatement { graph, subject, object })
        })
    }

    /// Returns all nodes of a class in the data, graph by graph.
    pub(super) fn nodes(&self, class: &str) -> impl Iterator<Item = (TermId, TermId)> + use<'d> {
        let (view, rdf_type) = (self.view.clone(), self.rdf_type);
        let classes = self.name(class).into_iter().filter(move |_| rdf_type.is_some());
        classes.flat_map(move |class| {
            let quads = view.named_quads([None, rdf_type, Some(class)]);
            quads.map(|([subject, ..], graph)| (graph, subject))
        })
    }

    /// Returns all statements of the catalog with a property, as subjects and objects.
    pub(super) fn of_catalog(&self, property: &str) -> impl Iterator<Item = (TermId, TermId)> + use<'d> {
        let (view, catalog) = (self.view.clone(), self.catalog);
        let properties = self.name(property).into_iter().filter(move |_| catalog.is_some());
        properties.flat_map(move |property| {
            let triples = view.triples_of([None, Some(property), None], catalog);
            triples.map(|[subject, _, object]| (subject, object))
        })
    }

    /// Returns all statements of the data with a property, as subjects and objects. A statement in several graphs is
    /// returned once.
    pub(super) fn union(&self, property: &str) -> impl Iterator<Item = (TermId, TermId)> + use<'d> {
        let view = self.view.clone();
        let properties = self.name(property).into_iter();
        properties.flat_map(move |property| {
            let triples = view.default_triples(None, Some(property), None);
            triples.map(|[subject, _, object]| (subject, object))
        })
    }

    /// Returns all statements with a property, in the data and in the catalog.
    pub(super) fn everywhere(&self, property: &str) -> impl Iterator<Item = (TermId, TermId)> + use<'d> {
        self.union(property).chain(self.of_catalog(property))
    }

    pub(super) fn kind(&self, term: TermId) -> RdfTermKind {
        self.view.kind_of(term)
    }

    pub(super) fn is_iri(&self, term: TermId) -> bool {
        self.kind(term) == RdfTermKind::Iri
    }

    pub(super) fn is_literal(&self, term: TermId) -> bool {
        !matches!(self.kind(term), RdfTermKind::Iri | RdfTermKind::BlankNode)
    }

    /// Returns the text of an IRI or literal; empty for a blank node.
    pub(super) fn text(&self, term: TermId) -> String {
        self.view.with_text(term, str::to_owned).unwrap_or_default()
    }

    /// Returns the text of a literal.
    pub(super) fn lexical(&self, term: TermId) -> Option<String> {
        if self.is_literal(term) { self.view.with_text(term, str::to_owned) } else { None }
    }

    /// Returns the boolean of a literal, without reading its text.
    pub(super) fn truth(&self, term: TermId) -> Option<bool> {
        let [yes, no] = &self.truths;
        if yes.contains(&term) { Some(true) } else { no.contains(&term).then_some(false) }
    }

    /// Returns the number of a literal: `true` is 1, and `false` is 0.
    pub(super) fn number(&self, term: TermId) -> Option<f64> {
        match self.kind(term) {
            RdfTermKind::Boolean => self.truth(term).map(|truth| if truth { 1.0 } else { 0.0 }),
            RdfTermKind::Integer | RdfTermKind::Decimal | RdfTermKind::Double | RdfTermKind::Float => {
                let number: Option<f64> = self.view.with_text(term, |text| text.parse().ok())?;
                number.filter(|number| number.is_finite())
            }
            _ => None,
        }
    }

    /// Returns a node as requests name it: its IRI, or its label after `_:`.
    pub(super) fn id(&self, node: TermId) -> String {
        match self.kind(node) {
            RdfTermKind::BlankNode => match self.view.term(node) {
                Term::BlankNode(node) => format!("_:{}", node.as_str()),
                term => term.to_string(),
            },
            _ => self.text(node),
        }
    }

    /// Returns the node that a request names.
    pub(super) fn node(&self, id: &str) -> Option<TermId> {
        match id.strip_prefix("_:") {
            Some(label) => self.dataset.dictionary().find_blank_node(label),
            None => self.iri(id),
        }
    }
}

/// A statement of a graph.
#[derive(Debug, Clone, Copy)]
pub(super) struct PropertyStatement {
    pub(super) graph: TermId,
    pub(super) subject: TermId,
    pub(super) object: TermId,
}
