//! Serialize RDF as JSON-LD (section 8.4): the facts about each blank node that are needed before the first byte is
//! written: `referenced once`, and `compound map`.
//!
//! A blank node is folded into its place of use only if no other quad of any graph mentions it. The specification looks
//! only at references, and would lose statements of another graph about the node.

use crate::json_ld_options::{JsonLdOptions, ProcessingMode, RdfDirection};
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::grouping::QuadGrouping;
use evalgraph_rdf::quad_buffer::{BufferQuad, BufferTermId};
use evalgraph_rdf::vocabulary::{rdf, xsd};

/// No quad, or no group.
const NONE: u32 = u32::MAX;
/// More than one quad.
const MANY: u32 = u32::MAX - 1;

/// The terms that the algorithm treats specially, if the quads have them.
#[derive(Debug)]
pub(crate) struct KnownTerms {
    /// `rdf:type`, if it becomes `@type`.
    pub(crate) rdf_type: Option<BufferTermId>,
    pub(crate) first: Option<BufferTermId>,
    pub(crate) rest: Option<BufferTermId>,
    pub(crate) nil: Option<BufferTermId>,
    pub(crate) list: Option<BufferTermId>,
    pub(crate) json: Option<BufferTermId>,
    pub(crate) boolean: Option<BufferTermId>,
    pub(crate) integer: Option<BufferTermId>,
    pub(crate) double: Option<BufferTermId>,
    pub(crate) value: Option<BufferTermId>,
    pub(crate) language: Option<BufferTermId>,
    pub(crate) direction: Option<BufferTermId>,
}

impl KnownTerms {
    /// Finds the terms. Terms that are not special under the options are left out.
    pub(crate) fn new(quads: &QuadBuffer, options: &JsonLdOptions) -> Self {
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

/// The uses of each blank node, by its number.
#[derive(Debug)]
pub(crate) struct BlankNodeUsages<'q> {
    quads: &'q QuadBuffer,
    grouping: &'q QuadGrouping,
    /// `referenced once`: the position of the only quad that has the node as object.
    usages: Vec<u32>,
    /// The group of statements about the node.
    groups: Vec<u32>,
    /// `true` if any other quad mentions the node.
    is_fixed: Vec<bool>,
}

impl<'q> BlankNodeUsages<'q> {
    pub(crate) fn new(quads: &'q QuadBuffer, grouping: &'q QuadGrouping, terms: &KnownTerms) -> Self {
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
                // A value of `@type` is a string, so no node can be folded into its place.
                self.is_fixed[number] |= Some(quad.predicate) == terms.rdf_type;
                self.usages[number] = if self.usages[number] == NONE { at as u32 } else { MANY };
            }
        }
    }

    /// Returns the only quad whose object is a blank node, and the positions of the statements about the node. Both
    /// must be in one graph, and no other quad may mention the node.
    pub(crate) fn referenced_once(&self, number: u32) -> Option<(BufferQuad, &'q [u32])> {
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
