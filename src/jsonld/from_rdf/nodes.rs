//! Serialize RDF as JSON-LD (section 8.4): what the algorithm has to know of each blank node before
//! the first byte is written: `referenced once`, and `compound map`.
//!
//! A blank node is only ever folded into its place of use where nothing else mentions it, in any
//! graph. The specification looks at references alone, and would lose what another graph says of
//! the node.

use crate::jsonld::options::{JsonLdOptions, ProcessingMode, RdfDirection};
use crate::rdf::QuadBuffer;
use crate::rdf::grouping::Grouping;
use crate::rdf::quad_buffer::{Quad, TermId};
use crate::rdf::vocabulary::{rdf, xsd};

/// No quad, or no group.
const NONE: u32 = u32::MAX;
/// More than one quad.
const MANY: u32 = u32::MAX - 1;

/// The terms that mean something to the algorithm, where they came.
#[derive(Debug)]
pub(in crate::jsonld) struct KnownTerms {
    /// `rdf:type`, where it becomes `@type`.
    pub(in crate::jsonld) rdf_type: Option<TermId>,
    pub(in crate::jsonld) first: Option<TermId>,
    pub(in crate::jsonld) rest: Option<TermId>,
    pub(in crate::jsonld) nil: Option<TermId>,
    pub(in crate::jsonld) list: Option<TermId>,
    pub(in crate::jsonld) json: Option<TermId>,
    pub(in crate::jsonld) boolean: Option<TermId>,
    pub(in crate::jsonld) integer: Option<TermId>,
    pub(in crate::jsonld) double: Option<TermId>,
    pub(in crate::jsonld) value: Option<TermId>,
    pub(in crate::jsonld) language: Option<TermId>,
    pub(in crate::jsonld) direction: Option<TermId>,
}

impl KnownTerms {
    /// Finds the terms; those that the options give no meaning are left out.
    pub(in crate::jsonld) fn of(quads: &QuadBuffer, options: &JsonLdOptions) -> Self {
        let when = |is_wanted: bool, iri: &str| is_wanted.then(|| quads.find_iri(iri)).flatten();
        let native = options.use_native_types;
        let compound = options.rdf_direction == Some(RdfDirection::CompoundLiteral);
        Self {
            rdf_type: when(!options.use_rdf_type, rdf::TYPE),
            first: quads.find_iri(rdf::FIRST),
            rest: quads.find_iri(rdf::REST),
            nil: quads.find_iri(rdf::NIL),
            list: quads.find_iri(rdf::LIST),
            json: when(options.processing_mode == ProcessingMode::JsonLd1_1, rdf::JSON),
            boolean: when(native, xsd::BOOLEAN),
            integer: when(native, xsd::INTEGER),
            double: when(native, xsd::DOUBLE),
            value: when(compound, rdf::VALUE),
            language: when(compound, rdf::LANGUAGE),
            direction: when(compound, rdf::DIRECTION),
        }
    }
}

/// Tells where each blank node stands, by its number.
#[derive(Debug)]
pub(in crate::jsonld) struct BlankNodes<'q> {
    quads: &'q QuadBuffer,
    grouping: &'q Grouping,
    /// `referenced once`: the position of the only quad whose object the node is.
    usages: Vec<u32>,
    /// The group of its statements.
    groups: Vec<u32>,
    /// Whether something mentions the node that is neither.
    is_fixed: Vec<bool>,
}

impl<'q> BlankNodes<'q> {
    pub(in crate::jsonld) fn of(quads: &'q QuadBuffer, grouping: &'q Grouping, terms: &KnownTerms) -> Self {
        let count = quads.blank_node_count();
        let mut nodes = Self {
            quads,
            grouping,
            usages: vec![NONE; count],
            groups: vec![NONE; count],
            is_fixed: vec![false; count],
        };
        if count > 0 {
            nodes.take_subjects();
            nodes.take_objects(terms);
        }
        nodes
    }

    fn take_subjects(&mut self) {
        for (at, group) in self.grouping.subjects().iter().enumerate() {
            if let Some(number) = self.quads.blank_node_number(group.subject) {
                let number = number as usize;
                self.is_fixed[number] |= self.groups[number] != NONE;
                self.groups[number] = at as u32;
            }
        }
    }

    fn take_objects(&mut self, terms: &KnownTerms) {
        for (at, quad) in self.quads.quads().iter().enumerate() {
            for mention in [Some(quad.predicate), quad.graph].into_iter().flatten() {
                if let Some(number) = self.quads.blank_node_number(mention) {
                    self.is_fixed[number as usize] = true;
                }
            }
            if let Some(number) = self.quads.blank_node_number(quad.object) {
                let number = number as usize;
                // A value of `@type` is a string, in whose place nothing can be folded.
                self.is_fixed[number] |= Some(quad.predicate) == terms.rdf_type;
                self.usages[number] = if self.usages[number] == NONE { at as u32 } else { MANY };
            }
        }
    }

    /// The only quad that a blank node is the object of, and the positions of the node's own
    /// statements, where both stand in one graph and nothing else mentions the node.
    pub(in crate::jsonld) fn referenced_once(&self, number: u32) -> Option<(Quad, &'q [u32])> {
        let number = number as usize;
        let (usage, group) = (self.usages[number], self.groups[number]);
        if self.is_fixed[number] || usage >= MANY || group == NONE {
            return None;
        }
        let usage = self.quads.quads()[usage as usize];
        let statements = self.grouping.statements(self.grouping.subjects()[group as usize]);
        let graph = self.quads.quads()[statements[0] as usize].graph;
        (usage.graph == graph).then_some((usage, statements))
    }
}
