//! Deserialize JSON-LD to RDF (section 8.1), straight from the expanded document.
//!
//! The specification builds a node map first and walks that. The quads are the same set: merging
//! equal nodes is what a set of quads does, and blank nodes only get other labels. What the node
//! map would refuse (two indexes of one node) is checked here.

use super::expanded::{Arena, Element, Id, NONE, Property};
use super::names::{Keyword, NameId, Names};
use super::options::{JsonLdOptions, LoadMode};
use super::warning::{Warning, WarningCode};
use super::{JsonLdError, JsonLdErrorCode};
use crate::json::{Document, TokenId};
use crate::rdf::sink::{LostQuad, QuadSink};
use crate::rdf::{iri, vocabulary};
use hashbrown::HashMap;
use std::sync::Arc;

/// What a name is as an RDF term.
#[derive(Debug, Clone, Copy)]
enum Resource<T> {
    Unknown,
    Iri(T),
    Blank(T),
    Faulty(WarningCode),
}

/// The terms that conversion itself needs.
pub(super) struct Terms<T> {
    pub(super) rdf_type: T,
    pub(super) first: T,
    pub(super) rest: T,
    pub(super) nil: T,
    pub(super) boolean: T,
    pub(super) integer: T,
    pub(super) double: T,
    pub(super) json: T,
}

/// One conversion under way.
pub(super) struct ToRdf<'e, S: QuadSink> {
    pub(super) arena: &'e Arena,
    pub(super) names: &'e Names,
    pub(super) document: &'e Arc<Document>,
    pub(super) options: &'e JsonLdOptions,
    pub(super) mode: &'e LoadMode,
    pub(super) warnings: &'e mut Vec<Warning>,
    pub(super) sink: &'e mut S,
    pub(super) terms: Terms<S::Term>,
    pub(super) buffer: String,
    /// How many distinct IRIs were moved to the one schema.org namespace.
    pub(super) moved_to_schema_org: u64,
    /// How many distinct ids were minted.
    pub(super) minted: u64,
    resources: Vec<Resource<S::Term>>,
    minted_ids: HashMap<NameId, S::Term>,
    stand_ins: HashMap<NameId, S::Term>,
    indexes: HashMap<(u64, NameId), TokenId>,
    graphs: u64,
}

/// Where quads go: the graph, and the fault that loses them if there is one.
#[derive(Clone, Copy)]
pub(super) struct Target<T> {
    pub(super) graph: Option<T>,
    /// Tells graphs apart in the table of indexes.
    pub(super) graph_number: u64,
    pub(super) lost: Option<u32>,
}

impl<T> Target<T> {
    fn losing(self, cause: Option<u32>) -> Self {
        Self { lost: self.lost.or(cause), ..self }
    }
}

impl<'e, S: QuadSink> ToRdf<'e, S> {
    pub(super) fn new(
        arena: &'e Arena,
        (names, document): (&'e Names, &'e Arc<Document>),
        (options, mode): (&'e JsonLdOptions, &'e LoadMode),
        warnings: &'e mut Vec<Warning>,
        sink: &'e mut S,
    ) -> Self {
        let terms = Terms {
            rdf_type: sink.iri(vocabulary::rdf::TYPE),
            first: sink.iri(vocabulary::rdf::FIRST),
            rest: sink.iri(vocabulary::rdf::REST),
            nil: sink.iri(vocabulary::rdf::NIL),
            boolean: sink.iri(vocabulary::xsd::BOOLEAN),
            integer: sink.iri(vocabulary::xsd::INTEGER),
            double: sink.iri(vocabulary::xsd::DOUBLE),
            json: sink.iri(vocabulary::rdf::JSON),
        };
        Self {
            arena,
            names,
            document,
            options,
            mode,
            warnings,
            sink,
            terms,
            buffer: String::new(),
            moved_to_schema_org: 0,
            minted: 0,
            resources: vec![Resource::Unknown; names.len()],
            minted_ids: HashMap::new(),
            stand_ins: HashMap::new(),
            indexes: HashMap::new(),
            graphs: 0,
        }
    }

    pub(super) fn run(&mut self) -> Result<(), Box<JsonLdError>> {
        let arena = self.arena;
        let target = Target { graph: None, graph_number: 0, lost: None };
        arena.top.iter().try_for_each(|&element| self.free_element(element, target))
    }

    /// An element that nothing points to.
    fn free_element(&mut self, element: Element, target: Target<S::Term>) -> Result<(), Box<JsonLdError>> {
        if let Element::Node(node) | Element::Phantom(node) = element {
            self.node(node, target)?;
        }
        Ok(())
    }

    #[inline]
    pub(super) fn emit(
        &mut self,
        (subject, predicate, object): (S::Term, S::Term, S::Term),
        target: Target<S::Term>,
    ) {
        match target.lost {
            None => self.sink.quad(subject, predicate, object, target.graph),
            Some(cause) => {
                self.sink.lost_quad(LostQuad { subject, predicate, object, graph: target.graph }, cause);
            }
        }
    }

    pub(super) fn warn(&mut self, code: WarningCode, token: TokenId) -> u32 {
        self.warnings.push(Warning { code, document: Arc::clone(self.document), token, cost: 0 });
        (self.warnings.len() - 1) as u32
    }

    #[inline]
    fn resource(&mut self, name: NameId) -> Resource<S::Term> {
        match self.resources[name.index()] {
            Resource::Unknown => {
                let resource = self.look_at(name);
                self.resources[name.index()] = resource;
                resource
            }
            known => known,
        }
    }

    fn look_at(&mut self, name: NameId) -> Resource<S::Term> {
        let text = self.names.text(name);
        if text.starts_with("_:") {
            return Resource::Blank(self.sink.blank_node());
        }
        if self.names.keyword(name).is_some() || !iri::is_iri(text) {
            let relative = iri::scheme_length(text.as_bytes()).is_none() && iri::is_iri_reference(text);
            return Resource::Faulty(if relative {
                WarningCode::RelativeIri
            } else {
                WarningCode::InvalidIri
            });
        }
        match vocabulary::schema_org_alias(text).filter(|_| self.mode.one_schema_org) {
            Some(local) => {
                self.moved_to_schema_org += 1;
                Resource::Iri(self.sink.iri(&format!("{}{local}", vocabulary::SCHEMA_ORG)))
            }
            None => Resource::Iri(self.sink.iri(text)),
        }
    }

    /// The term of an id, and where it has none the number of the warning beside a stand-in.
    fn id_term(&mut self, id: Id) -> (S::Term, Option<u32>) {
        let Some(name) = id.name else {
            let cause = self.warn(WarningCode::InvalidIri, id.token);
            return (self.sink.blank_node(), Some(cause));
        };
        match self.resource(name) {
            Resource::Iri(term) | Resource::Blank(term) => (term, None),
            Resource::Faulty(code) => {
                let cause = self.warn(code, id.token);
                if self.mode.mint_below.is_some() {
                    return (self.minted(name), None);
                }
                (self.stand_in(name), Some(cause))
            }
            Resource::Unknown => unreachable!("`resource` looks at the name first"),
        }
    }

    /// What stands for a faulty IRI in the quads that are lost with it: always the same for the same.
    fn stand_in(&mut self, name: NameId) -> S::Term {
        *self.stand_ins.entry(name).or_insert_with(|| self.sink.blank_node())
    }

    /// The IRI below which a faulty id is kept, with the id percent-encoded.
    fn minted(&mut self, name: NameId) -> S::Term {
        if let Some(&term) = self.minted_ids.get(&name) {
            return term;
        }
        let mut minted = self.mode.mint_below.clone().unwrap_or_default();
        iri::percent_encode_into(self.names.text(name), &mut minted);
        let term = self.sink.iri(&minted);
        self.minted_ids.insert(name, term);
        self.minted += 1;
        term
    }

    /// A node object with all that hangs on it; the term that stands for it, and where its id is
    /// faulty the number of the warning.
    fn node(
        &mut self,
        node: u32,
        target: Target<S::Term>,
    ) -> Result<(S::Term, Option<u32>), Box<JsonLdError>> {
        let arena = self.arena;
        let (subject, fault) = match arena.node(node).id {
            Some(id) => self.id_term(id),
            None => (self.sink.blank_node(), None),
        };
        if let (Some(index), Some(Id { name: Some(name), .. })) =
            (arena.node(node).index, arena.node(node).id)
        {
            self.check_index(target, name, index)?;
        }
        for property in arena.properties(node) {
            self.property((subject, fault), property, target)?;
        }
        Ok((subject, fault))
    }

    /// Node Map Generation 6.5: one node has one index.
    fn check_index(
        &mut self,
        target: Target<S::Term>,
        name: NameId,
        index: TokenId,
    ) -> Result<(), Box<JsonLdError>> {
        let earlier = *self.indexes.entry((target.graph_number, name)).or_insert(index);
        if self.document.string(earlier) == self.document.string(index) {
            return Ok(());
        }
        let message = format!(
            "`{}` has the index `{}` here and another one elsewhere",
            self.names.text(name),
            self.document.string(index).unwrap_or_default()
        );
        Err(JsonLdError::new(JsonLdErrorCode::ConflictingIndexes, message, self.document, index))
    }

    fn property(
        &mut self,
        (subject, fault): (S::Term, Option<u32>),
        property: &Property,
        target: Target<S::Term>,
    ) -> Result<(), Box<JsonLdError>> {
        let arena = self.arena;
        let values = arena.values(property);
        let inner = target.losing((property.lost != NONE).then_some(property.lost));
        match self.names.keyword(property.name).filter(|_| property.lost == NONE) {
            Some(Keyword::Type) => {
                self.types(subject, values, target.losing(fault));
                Ok(())
            }
            Some(Keyword::Graph) => {
                self.graphs += 1;
                let graph =
                    Target { graph: Some(subject), graph_number: self.graphs, lost: target.lost.or(fault) };
                values.iter().try_for_each(|&value| self.free_element(value, graph))
            }
            Some(Keyword::Included) => values.iter().try_for_each(|&value| self.free_element(value, target)),
            Some(_) => Ok(()),
            None => {
                let (predicate, predicate_fault) = self.predicate(property);
                let quad_target = inner.losing(predicate_fault).losing(fault);
                for &value in values {
                    self.object((subject, predicate), property, value, (inner, quad_target))?;
                }
                Ok(())
            }
        }
    }

    fn predicate(&mut self, property: &Property) -> (S::Term, Option<u32>) {
        if property.lost != NONE {
            return (self.stand_in(property.name), Some(property.lost));
        }
        match self.resource(property.name) {
            Resource::Iri(term) => (term, None),
            Resource::Blank(term) if self.options.produce_generalized_rdf => (term, None),
            Resource::Blank(term) => (term, Some(self.warn(WarningCode::BlankNodePredicate, property.key))),
            Resource::Faulty(code) => {
                let cause = self.warn(code, property.key);
                (self.stand_in(property.name), Some(cause))
            }
            Resource::Unknown => unreachable!("`resource` looks at the name first"),
        }
    }

    fn types(&mut self, subject: S::Term, types: &[Element], target: Target<S::Term>) {
        for &element in types {
            let Element::Type { name, token } = element else { continue };
            let (object, fault) = self.id_term(Id { name: Some(name), token });
            self.emit((subject, self.terms.rdf_type, object), target.losing(fault));
        }
    }

    /// One value of a property: `inner` is where the value's own quads go, `target` where the quad
    /// that points to it goes.
    #[inline]
    fn object(
        &mut self,
        (subject, predicate): (S::Term, S::Term),
        property: &Property,
        value: Element,
        (inner, target): (Target<S::Term>, Target<S::Term>),
    ) -> Result<(), Box<JsonLdError>> {
        let (object, fault) = match value {
            Element::Node(node) | Element::Phantom(node) => self.node(node, inner)?,
            Element::Value(value) => self.literal(&value, inner),
            Element::List(list) => (self.list(list, inner)?, None),
            Element::Missing { cause } => (self.sink.blank_node(), Some(cause)),
            Element::Type { .. } => return Ok(()),
        };
        let quad = if property.reverse { (object, predicate, subject) } else { (subject, predicate, object) };
        self.emit(quad, target.losing(fault));
        Ok(())
    }

    /// List to RDF Conversion (section 8.3).
    fn list(&mut self, list: u32, target: Target<S::Term>) -> Result<S::Term, Box<JsonLdError>> {
        let arena = self.arena;
        let mut head = None;
        let mut last: Option<S::Term> = None;
        for &item in arena.items(arena.list(list)) {
            if let Element::Missing { cause } = item {
                // A null in a list costs the cell that it would have had.
                let (cell, value) = (self.sink.blank_node(), self.sink.blank_node());
                let lost = target.losing(Some(cause));
                self.emit((cell, self.terms.first, value), lost);
                self.emit((cell, self.terms.rest, value), lost);
                continue;
            }
            let cell = self.sink.blank_node();
            match last {
                Some(last) => self.emit((last, self.terms.rest, cell), target),
                None => head = Some(cell),
            }
            last = Some(cell);
            let (object, fault) = match item {
                Element::Node(node) | Element::Phantom(node) => self.node(node, target)?,
                Element::Value(value) => self.literal(&value, target),
                Element::List(list) => (self.list(list, target)?, None),
                Element::Missing { .. } | Element::Type { .. } => continue,
            };
            self.emit((cell, self.terms.first, object), target.losing(fault));
        }
        if let Some(last) = last {
            self.emit((last, self.terms.rest, self.terms.nil), target);
        }
        Ok(head.unwrap_or(self.terms.nil))
    }

    /// The term of a datatype, or where it is no IRI the number of the warning.
    pub(super) fn datatype(&mut self, name: NameId, token: TokenId) -> Result<S::Term, u32> {
        match self.resource(name) {
            Resource::Iri(term) => Ok(term),
            Resource::Faulty(code) => Err(self.warn(code, token)),
            Resource::Blank(_) | Resource::Unknown => Err(self.warn(WarningCode::InvalidIri, token)),
        }
    }
}
