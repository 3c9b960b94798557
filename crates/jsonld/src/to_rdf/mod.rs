//! Deserialize JSON-LD to RDF (section 8.1), directly from the expanded document.
//!
//! The specification builds a node map first and walks it. The set of quads is the same: a set merges equal nodes
//! anyway, and only the labels of blank nodes differ. The error that the node map would find (two indexes of one node)
//! is checked here.

pub(super) mod object_to_rdf;
pub(crate) mod scene;

use crate::expanded_arena::{ExpandedElement, IdEntry, NONE, NodeEntries, PropertyEntry};
use crate::expansion::NodeTaker;
use crate::json_ld_options::{JsonLdOptions, LoadMode, RdfDirection};
use crate::name_interner::{InternedName, Keyword};
use crate::to_rdf::scene::{CompoundNodes, ExpansionView, LossCause, QuadDestination};
use crate::warning::{JsonLdWarning, WarningCode};
use crate::{JsonLdError, JsonLdErrorCode, JsonLdOutcome};
use evalgraph_json::{JsonDocument, TokenId};
use evalgraph_rdf::sink::{HandleQuad, QuadSink};
use evalgraph_rdf::{iri, vocabulary};
use hashbrown::HashMap;
use std::sync::Arc;

/// The RDF term of a name.
#[derive(Debug, Clone, Copy)]
enum ResourceTerm<T> {
    Unknown,
    Iri(T),
    Blank(T),
    Faulty(WarningCode),
}

/// The terms that the conversion itself needs.
pub(crate) struct ConversionTerms<T> {
    pub(crate) rdf_type: T,
    pub(crate) first: T,
    pub(crate) rest: T,
    pub(crate) nil: T,
    pub(crate) boolean: T,
    pub(crate) integer: T,
    pub(crate) double: T,
    pub(crate) json: T,
}

/// A running conversion.
///
/// Other methods are in `object_to_rdf.rs`.
pub(crate) struct ToRdf<'e, S: QuadSink> {
    pub(crate) document: &'e Arc<JsonDocument>,
    pub(crate) options: &'e JsonLdOptions,
    pub(crate) mode: &'e LoadMode,
    pub(crate) sink: &'e mut S,
    pub(crate) terms: ConversionTerms<S::Term>,
    pub(crate) buffer: String,
    /// The distinct IRIs that were moved to the one schema.org namespace.
    pub(crate) moved_to_schema_org: Vec<InternedName>,
    /// How many distinct ids got minted IRIs.
    pub(crate) minted: u64,
    resources: Vec<ResourceTerm<S::Term>>,
    /// The terms of nodes that were converted right after their expansion.
    taken: Vec<S::Term>,
    /// The faults of such nodes.
    taken_faults: HashMap<u32, LossCause>,
    minted_ids: HashMap<InternedName, S::Term>,
    stand_ins: HashMap<InternedName, S::Term>,
    indexes: HashMap<(u32, InternedName), TokenId>,
    pub(crate) compounds: CompoundNodes<S::Term>,
    graphs: u32,
}

impl<'e, S: QuadSink> ToRdf<'e, S> {
    pub(crate) fn new(
        document: &'e Arc<JsonDocument>,
        options: &'e JsonLdOptions,
        mode: &'e LoadMode,
        sink: &'e mut S,
    ) -> Self {
        sink.expect(document.text().len(), document.token_count());
        let terms = ConversionTerms {
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
            document,
            options,
            mode,
            sink,
            terms,
            buffer: String::new(),
            moved_to_schema_org: Vec::new(),
            minted: 0,
            resources: Vec::new(),
            taken: Vec::new(),
            taken_faults: HashMap::new(),
            minted_ids: HashMap::new(),
            stand_ins: HashMap::new(),
            indexes: HashMap::new(),
            compounds: HashMap::new(),
            graphs: 0,
        }
    }

    /// Converts the elements that were not converted during expansion.
    pub(crate) fn run(&mut self, scene: &mut ExpansionView<'_>) -> JsonLdOutcome {
        let arena = scene.arena;
        arena.top.iter().try_for_each(|&element| self.free_element(scene, element, QuadDestination::DEFAULT))
    }

    /// Converts an element that nothing points to: the nodes of a list stay (Node Map Generation 4.2), values do not.
    fn free_element(
        &mut self,
        scene: &mut ExpansionView<'_>,
        element: ExpandedElement,
        target: QuadDestination<S::Term>,
    ) -> JsonLdOutcome {
        let arena = scene.arena;
        match element {
            ExpandedElement::Node(node) | ExpandedElement::Phantom(node) => {
                self.node(scene, arena.entries(node), target)?;
            }
            ExpandedElement::List(list) => {
                for &item in arena.items(arena.list(list)) {
                    self.free_element(scene, item, target)?;
                }
            }
            ExpandedElement::Value(value) => {
                self.warn(scene, WarningCode::FreeFloatingValue, value.token);
            }
            ExpandedElement::Type { .. }
            | ExpandedElement::Null
            | ExpandedElement::Missing { .. }
            | ExpandedElement::Taken { .. } => {}
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn emit(
        &mut self,
        subject: S::Term,
        predicate: S::Term,
        object: S::Term,
        target: QuadDestination<S::Term>,
    ) {
        match target.lost {
            None => self.sink.quad(subject, predicate, object, target.graph),
            Some(cause) => {
                let quad = HandleQuad { subject, predicate, object, graph: target.graph };
                self.sink.lost_quad(quad, cause.number());
            }
        }
    }

    /// Passes the place of the next quad to a sink that asks for places.
    #[inline]
    fn at(&mut self, scene: &ExpansionView<'_>, key: TokenId, value: ExpandedElement) {
        if S::HEARS_PLACES {
            self.sink.quad_at(key, scene.arena.token(value).unwrap_or(key));
        }
    }

    pub(crate) fn warn(
        &mut self,
        scene: &mut ExpansionView<'_>,
        code: WarningCode,
        token: TokenId,
    ) -> LossCause {
        scene.warnings.push(JsonLdWarning { code, document: Arc::clone(self.document), token, cost: 0 });
        LossCause::new((scene.warnings.len() - 1) as u32)
    }

    #[inline]
    fn resource(&mut self, scene: &mut ExpansionView<'_>, name: InternedName) -> ResourceTerm<S::Term> {
        if self.resources.len() <= name.index() {
            self.resources.resize(name.index() + 1, ResourceTerm::Unknown);
        }
        match self.resources[name.index()] {
            ResourceTerm::Unknown => {
                let resource = self.look_at(scene, name);
                self.resources[name.index()] = resource;
                resource
            }
            known => known,
        }
    }

    fn look_at(&mut self, scene: &mut ExpansionView<'_>, name: InternedName) -> ResourceTerm<S::Term> {
        let text = scene.names.text(name);
        if text.starts_with("_:") {
            return ResourceTerm::Blank(self.sink.blank_node());
        }
        if scene.names.keyword(name).is_some() || !iri::is_iri(text) {
            let relative = iri::scheme_length(text.as_bytes()).is_none() && iri::is_iri_reference(text);
            return ResourceTerm::Faulty(if relative {
                WarningCode::RelativeIri
            } else {
                WarningCode::InvalidIri
            });
        }
        match vocabulary::schema_org_alias(text).filter(|_| self.mode.one_schema_org) {
            Some(local) => {
                // Each name is looked at only once, so these are the distinct IRIs.
                self.moved_to_schema_org.push(name);
                ResourceTerm::Iri(self.sink.iri(&format!("{}{local}", vocabulary::SCHEMA_ORG)))
            }
            None => ResourceTerm::Iri(self.sink.iri(text)),
        }
    }

    /// Returns the term of an id. For a faulty id, returns a placeholder and the number of the warning.
    fn id_term(&mut self, scene: &mut ExpansionView<'_>, id: IdEntry) -> (S::Term, Option<LossCause>) {
        let Some(name) = id.name else {
            let cause = self.warn(scene, WarningCode::InvalidIri, id.token);
            let text = self.document.string(id.token).unwrap_or_default();
            return (self.sink.stand_in(&text), Some(cause));
        };
        match self.resource(scene, name) {
            ResourceTerm::Iri(term) | ResourceTerm::Blank(term) => (term, None),
            ResourceTerm::Faulty(code) => {
                let cause = self.warn(scene, code, id.token);
                // The warning comes first: an id that is kept under a minted IRI is reported, too.
                if self.mode.mint_below.is_some() {
                    return (self.minted(scene, name), None);
                }
                (self.stand_in(scene, name), Some(cause))
            }
            ResourceTerm::Unknown => unreachable!("`resource` looks at the name first"),
        }
    }

    /// Returns the placeholder for a faulty IRI in quads that are lost because of it. Equal IRIs have the same
    /// placeholder.
    fn stand_in(&mut self, scene: &ExpansionView<'_>, name: InternedName) -> S::Term {
        *self.stand_ins.entry(name).or_insert_with(|| self.sink.stand_in(scene.names.text(name)))
    }

    /// Returns the IRI for a faulty id: a prefix and the percent-encoded id.
    fn minted(&mut self, scene: &mut ExpansionView<'_>, name: InternedName) -> S::Term {
        if let Some(&term) = self.minted_ids.get(&name) {
            return term;
        }
        let mut minted = self.mode.mint_below.clone().unwrap_or_default();
        iri::percent_encode_into(scene.names.text(name), &mut minted);
        let term = self.sink.iri(&minted);
        self.minted_ids.insert(name, term);
        self.minted += 1;
        term
    }

    /// Converts a node object with all nodes below it. Returns its term, and the number of the warning if its id is
    /// faulty.
    fn node(
        &mut self,
        scene: &mut ExpansionView<'_>,
        node: NodeEntries<'_>,
        target: QuadDestination<S::Term>,
    ) -> JsonLdOutcome<(S::Term, Option<LossCause>)> {
        let (subject, fault) = match node.id {
            Some(id) => self.id_term(scene, id),
            None => (self.sink.blank_node(), None),
        };
        self.sink.node_at(node.token, subject);
        if S::HEARS_PLACES
            && (node.properties.is_empty() || fault.is_some())
            && let Some(id) = node.id
        {
            self.sink.id_at(node.token, id.token);
        }
        if let (Some(index), Some(IdEntry { name: Some(name), .. })) = (node.index, node.id) {
            self.check_index(scene, target, name, index)?;
        }
        for property in node.properties {
            self.property(scene, subject, fault, property, target)?;
        }
        Ok((subject, fault))
    }

    #[inline]
    fn taken_node(&self, number: u32) -> (S::Term, Option<LossCause>) {
        let fault = if self.taken_faults.is_empty() { None } else { self.taken_faults.get(&number).copied() };
        (self.taken[number as usize], fault)
    }

    /// Node Map Generation 6.8: a node has only one index.
    fn check_index(
        &mut self,
        scene: &mut ExpansionView<'_>,
        target: QuadDestination<S::Term>,
        name: InternedName,
        index: TokenId,
    ) -> JsonLdOutcome {
        let earlier = *self.indexes.entry((target.graph_number, name)).or_insert(index);
        if self.document.string(earlier) == self.document.string(index) {
            return Ok(());
        }
        let message = format!(
            "`{}` has the index `{}` here and another one elsewhere",
            scene.names.text(name),
            self.document.string(index).unwrap_or_default()
        );
        Err(JsonLdError::new(JsonLdErrorCode::ConflictingIndexes, message, self.document, index))
    }

    fn property(
        &mut self,
        scene: &mut ExpansionView<'_>,
        subject: S::Term,
        fault: Option<LossCause>,
        property: &PropertyEntry,
        target: QuadDestination<S::Term>,
    ) -> JsonLdOutcome {
        let arena = scene.arena;
        let values = arena.values(property);
        let inner = target.losing((property.lost != NONE).then(|| LossCause::new(property.lost)));
        match scene.names.keyword(property.name).filter(|_| property.lost == NONE) {
            Some(Keyword::Type) => {
                self.types(scene, subject, property.key, values, target.losing(fault));
                Ok(())
            }
            Some(Keyword::Graph) => {
                self.graphs += 1;
                let graph = QuadDestination {
                    graph: Some(subject),
                    graph_number: self.graphs,
                    lost: target.lost.or(fault),
                };
                values.iter().try_for_each(|&value| self.free_element(scene, value, graph))
            }
            Some(Keyword::Included) => {
                values.iter().try_for_each(|&value| self.free_element(scene, value, target))
            }
            Some(Keyword::Language | Keyword::Direction) => {
                for value in values {
                    if let ExpandedElement::Value(tag) = value {
                        self.warn(scene, WarningCode::TagWithoutValue, tag.token);
                    }
                }
                Ok(())
            }
            Some(_) => Ok(()),
            None => {
                let (predicate, predicate_fault) = self.predicate(scene, property);
                let target = inner.losing(predicate_fault).losing(fault);
                for &value in values {
                    scene.key = property.key;
                    let object = self.object(scene, subject, predicate, value, inner)?;
                    let Some((object, fault)) = object else { continue };
                    self.at(scene, property.key, value);
                    let (from, to) = if property.reverse { (object, subject) } else { (subject, object) };
                    self.emit(from, predicate, to, target.losing(fault));
                }
                Ok(())
            }
        }
    }

    fn predicate(
        &mut self,
        scene: &mut ExpansionView<'_>,
        property: &PropertyEntry,
    ) -> (S::Term, Option<LossCause>) {
        if property.lost != NONE {
            return (self.stand_in(scene, property.name), Some(LossCause::new(property.lost)));
        }
        match self.resource(scene, property.name) {
            ResourceTerm::Iri(term) => (term, None),
            ResourceTerm::Blank(term) if self.options.produce_generalized_rdf => (term, None),
            ResourceTerm::Blank(term) => {
                (term, Some(self.warn(scene, WarningCode::BlankNodePredicate, property.key)))
            }
            ResourceTerm::Faulty(code) => {
                let cause = self.warn(scene, code, property.key);
                (self.stand_in(scene, property.name), Some(cause))
            }
            ResourceTerm::Unknown => unreachable!("`resource` looks at the name first"),
        }
    }

    fn types(
        &mut self,
        scene: &mut ExpansionView<'_>,
        subject: S::Term,
        key: TokenId,
        types: &[ExpandedElement],
        target: QuadDestination<S::Term>,
    ) {
        for &element in types {
            let ExpandedElement::Type { name, token } = element else { continue };
            let (object, fault) = self.id_term(scene, IdEntry { name: Some(name), token });
            self.at(scene, key, element);
            self.emit(subject, self.terms.rdf_type, object, target.losing(fault));
        }
    }

    /// Converts one value of a property. Returns its term, and the number of the warning if the value is faulty; `None`
    /// if it is not a value.
    #[inline]
    fn object(
        &mut self,
        scene: &mut ExpansionView<'_>,
        subject: S::Term,
        predicate: S::Term,
        value: ExpandedElement,
        target: QuadDestination<S::Term>,
    ) -> JsonLdOutcome<Option<(S::Term, Option<LossCause>)>> {
        Ok(Some(match value {
            ExpandedElement::Node(node) | ExpandedElement::Phantom(node) => {
                let arena = scene.arena;
                self.node(scene, arena.entries(node), target)?
            }
            ExpandedElement::Value(value)
                if self.options.rdf_direction == Some(RdfDirection::CompoundLiteral) =>
            {
                self.merged_literal(scene, subject, predicate, &value, target)
            }
            ExpandedElement::Value(value) => self.literal(scene, &value, target),
            ExpandedElement::List(list) => (self.list(scene, list, target)?, None),
            ExpandedElement::Taken { number, .. } => self.taken_node(number),
            ExpandedElement::Missing { cause } => (self.sink.blank_node(), Some(LossCause::new(cause))),
            ExpandedElement::Type { .. } | ExpandedElement::Null => return Ok(None),
        }))
    }

    /// List to RDF Conversion (section 8.3).
    fn list(
        &mut self,
        scene: &mut ExpansionView<'_>,
        list: u32,
        target: QuadDestination<S::Term>,
    ) -> JsonLdOutcome<S::Term> {
        let (arena, key) = (scene.arena, scene.key);
        let mut head = None;
        let mut last: Option<(S::Term, ExpandedElement)> = None;
        for &item in arena.items(arena.list(list)) {
            if let ExpandedElement::Missing { cause } = item {
                // A null in a list loses the list cell that it would have.
                let (cell, value) = (self.sink.blank_node(), self.sink.blank_node());
                let lost = target.losing(Some(LossCause::new(cause)));
                self.emit(cell, self.terms.first, value, lost);
                self.emit(cell, self.terms.rest, value, lost);
                continue;
            }
            let cell = self.sink.blank_node();
            match last {
                Some((last, _)) => {
                    self.at(scene, key, item);
                    self.emit(last, self.terms.rest, cell, target);
                }
                None => head = Some(cell),
            }
            last = Some((cell, item));
            let (object, fault) = match item {
                ExpandedElement::Node(node) | ExpandedElement::Phantom(node) => {
                    self.node(scene, arena.entries(node), target)?
                }
                ExpandedElement::Value(value) => self.literal(scene, &value, target),
                ExpandedElement::List(list) => {
                    scene.key = key;
                    (self.list(scene, list, target)?, None)
                }
                ExpandedElement::Taken { number, .. } => self.taken_node(number),
                ExpandedElement::Missing { .. } | ExpandedElement::Type { .. } | ExpandedElement::Null => {
                    continue;
                }
            };
            self.at(scene, key, item);
            self.emit(cell, self.terms.first, object, target.losing(fault));
        }
        if let Some((last, item)) = last {
            self.at(scene, key, item);
            self.emit(last, self.terms.rest, self.terms.nil, target);
        }
        Ok(head.unwrap_or(self.terms.nil))
    }

    /// Returns the term of a datatype, or the number of the warning if it is not an IRI.
    pub(crate) fn datatype(
        &mut self,
        scene: &mut ExpansionView<'_>,
        name: InternedName,
        token: TokenId,
    ) -> Result<S::Term, LossCause> {
        match self.resource(scene, name) {
            ResourceTerm::Iri(term) => Ok(term),
            ResourceTerm::Faulty(code) => Err(self.warn(scene, code, token)),
            ResourceTerm::Blank(_) | ResourceTerm::Unknown => {
                Err(self.warn(scene, WarningCode::InvalidIri, token))
            }
        }
    }
}

impl<S: QuadSink> NodeTaker for ToRdf<'_, S> {
    fn takes(&self) -> bool {
        true
    }

    fn take(&mut self, scene: &mut ExpansionView<'_>, node: NodeEntries<'_>) -> JsonLdOutcome<u32> {
        let (term, fault) = self.node(scene, node, QuadDestination::DEFAULT)?;
        // A node has at least one token of a document below 4 GiB.
        let number = self.taken.len() as u32;
        self.taken.push(term);
        if let Some(cause) = fault {
            self.taken_faults.insert(number, cause);
        }
        Ok(number)
    }
}
