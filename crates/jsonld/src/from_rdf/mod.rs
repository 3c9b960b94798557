//! Serialize RDF as JSON-LD (section 8.4). The expanded document is written while it is made.
//!
//! The specification's node map is here a list of positions, sorted by graph, subject and predicate.
//! [`CollectionTable`] and [`BlankNodeUsages`] find the blank nodes that become lists and compound literals before the
//! first byte is written; `rdf_to_object.rs` converts terms.

pub(super) mod blank_node_usages;
mod literal;
pub(super) mod rdf_collections;
pub(super) mod rdf_to_object;
pub(super) mod stream;

use std::collections::HashSet;
use std::fmt;
use std::io::{self, Write};
use std::ops::Range;

use crate::error::{JsonLdError, JsonLdErrorCode, JsonLdOutcome};
use crate::expanded_writer::JsonLdLayout;
use crate::from_rdf::blank_node_usages::{BlankNodeUsages, KnownTerms};
use crate::from_rdf::literal::{CompoundLiteral, is_direction, parse_json_literal};
use crate::from_rdf::rdf_collections::CollectionTable;
use crate::from_rdf::stream::{JsonStream, KeywordKey};
use crate::json_ld_options::{JsonLdOptions, ProcessingMode};
use crate::to_rdf::object_to_rdf::is_language_tag;
use evalgraph_rdf::grouping::{QuadGrouping, SubjectGroup};
use evalgraph_rdf::quad_buffer::{BufferLiteralKind, BufferQuad, BufferTermId, TermRef};
use evalgraph_rdf::{BlankNodeLabels, QuadBuffer};

/// The reason why RDF was not written as JSON-LD.
#[derive(Debug)]
pub enum FromRdfError {
    /// The algorithm rejects a term.
    JsonLd(Box<JsonLdError>),
    /// The output cannot be written to.
    Io(io::Error),
}

impl fmt::Display for FromRdfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::JsonLd(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FromRdfError {}

impl From<Box<JsonLdError>> for FromRdfError {
    fn from(error: Box<JsonLdError>) -> Self {
        Self::JsonLd(error)
    }
}

impl From<io::Error> for FromRdfError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A node of the default graph, which may also be a graph name.
#[derive(Debug, Clone)]
struct DefaultGraphNode {
    node: BufferTermId,
    group: Option<SubjectGroup>,
    graph: Option<Range<usize>>,
}

/// The algorithm, applied to the quads of one dataset.
///
/// Other methods are in `rdf_to_object.rs`.
pub(crate) struct FromRdf<'q, W> {
    pub(crate) quads: &'q QuadBuffer,
    pub(crate) options: &'q JsonLdOptions,
    pub(crate) terms: KnownTerms,
    pub(crate) json: JsonStream<W>,
    grouping: &'q QuadGrouping,
    nodes: BlankNodeUsages<'q>,
    lists: CollectionTable,
    labels: BlankNodeLabels<'q>,
    /// The keys of the predicates seen so far.
    keys: Vec<Box<str>>,
    /// The number of each term's key, from 1.
    key_numbers: Vec<u32>,
}

/// Counts the `rdf:type rdf:List` statements about list nodes. The algorithm leaves them out (step 6.4.3), because a
/// list object has no place for them.
pub(crate) fn list_types_left_out(quads: &QuadBuffer, options: &JsonLdOptions) -> u64 {
    let terms = KnownTerms::new(quads, options);
    let (Some(rdf_type), Some(list)) = (terms.rdf_type, terms.list) else { return 0 };
    let says_so = |quad: &&BufferQuad| quad.predicate == rdf_type && quad.object == list;
    if !quads.quads().iter().any(|quad| says_so(&quad)) {
        return 0;
    }
    let grouping = QuadGrouping::from_quads(quads, terms.rdf_type);
    let nodes = BlankNodeUsages::new(quads, &grouping, &terms);
    let lists = CollectionTable::find(quads, &nodes, &terms, options.processing_mode);
    let is_folded =
        |quad: &&BufferQuad| quads.blank_node_number(quad.subject).is_some_and(|node| lists.holds(node));
    quads.quads().iter().filter(says_so).filter(is_folded).count() as u64
}

/// Writes quads as an expanded document.
pub(crate) fn from_rdf(
    quads: &QuadBuffer,
    options: &JsonLdOptions,
    layout: JsonLdLayout,
    out: impl Write,
) -> Result<(), FromRdfError> {
    let terms = KnownTerms::new(quads, options);
    let grouping = QuadGrouping::from_quads(quads, terms.rdf_type);
    let nodes = BlankNodeUsages::new(quads, &grouping, &terms);
    let lists = CollectionTable::find(quads, &nodes, &terms, options.processing_mode);
    let mut from_rdf = FromRdf {
        quads,
        options,
        terms,
        json: JsonStream::new(layout, out),
        grouping: &grouping,
        nodes,
        lists,
        labels: BlankNodeLabels::from_quads(quads),
        keys: Vec::new(),
        key_numbers: vec![0; quads.term_count()],
    };
    from_rdf.check()?;
    from_rdf.document()?;
    Ok(from_rdf.json.finish()?)
}

impl<'q, W: Write> FromRdf<'q, W> {
    /// Finds terms that are rejected, before anything is written.
    fn check(&self) -> JsonLdOutcome {
        if let Some(json) = self.terms.json {
            for quad in self.quads.quads() {
                if let TermRef::Literal { lexical, kind: BufferLiteralKind::Datatype(datatype, _) } =
                    self.quads.term(quad.object)
                    && datatype == json
                {
                    parse_json_literal(lexical)?;
                }
            }
        }
        if self.terms.direction.is_some() {
            for group in self.grouping.subjects() {
                self.is_folded(group.subject)?;
            }
        }
        Ok(())
    }

    /// Steps 7 to 9: writes the nodes of the default graph, including graph names.
    fn document(&mut self) -> Result<(), FromRdfError> {
        let entries = self.entries();
        self.json.open("[");
        let mut is_first = true;
        for entry in entries {
            // The nodes of lists and compound literals are written where they are used.
            if entry.graph.is_none() && self.is_folded(entry.node)? {
                continue;
            }
            self.json.next(&mut is_first);
            self.node(&entry)?;
        }
        self.json.close("]", is_first);
        Ok(())
    }

    fn entries(&self) -> Vec<DefaultGraphNode> {
        let (mut entries, mut named): (Vec<DefaultGraphNode>, Vec<DefaultGraphNode>) =
            (Vec::new(), Vec::new());
        for graph in self.grouping.graphs() {
            match graph.name {
                None => {
                    entries.extend(self.groups(graph.subjects.clone()).into_iter().map(|group| {
                        DefaultGraphNode { node: group.subject, group: Some(group), graph: None }
                    }));
                }
                Some(node) => {
                    named.push(DefaultGraphNode { node, group: None, graph: Some(graph.subjects.clone()) });
                }
            }
        }
        if named.is_empty() {
            return entries;
        }
        // Both lists are sorted by term; a node in both is written once.
        entries.sort_by_key(|entry| entry.node);
        let nodes = entries.len();
        for entry in named {
            match entries[..nodes].binary_search_by_key(&entry.node, |known| known.node) {
                Ok(at) => entries[at].graph = entry.graph,
                Err(_) => entries.push(entry),
            }
        }
        if self.options.ordered {
            entries.sort_by_cached_key(|entry| self.name(entry.node));
        } else {
            entries.sort_by_key(|entry| entry.node);
        }
        entries
    }

    /// Returns the subjects of a graph in the order in which they are written.
    fn groups(&self, subjects: Range<usize>) -> Vec<SubjectGroup> {
        let mut groups = self.grouping.subjects()[subjects].to_vec();
        if self.options.ordered {
            groups.sort_by_cached_key(|group| self.name(group.subject));
        }
        groups
    }

    fn node(&mut self, entry: &DefaultGraphNode) -> Result<(), FromRdfError> {
        self.json.open_member(KeywordKey::ID);
        self.name_of(entry.node);
        if let Some(group) = entry.group {
            self.properties(group)?;
        }
        if let Some(subjects) = &entry.graph {
            self.json.member(KeywordKey::GRAPH);
            self.json.open("[");
            let mut is_first = true;
            for group in self.groups(subjects.clone()) {
                if !self.is_folded(group.subject)? {
                    self.json.next(&mut is_first);
                    self.node(&DefaultGraphNode { node: group.subject, group: Some(group), graph: None })?;
                }
            }
            self.json.close("]", is_first);
        }
        self.json.close("}", false);
        Ok(())
    }

    /// Step 5.7 for the quads of one subject.
    fn properties(&mut self, group: SubjectGroup) -> Result<(), FromRdfError> {
        let (quads, grouping) = (self.quads, self.grouping);
        let predicate = |at: u32| quads.quads()[at as usize].predicate;
        let by_predicate =
            grouping.statements(group).chunk_by(|&left, &right| predicate(left) == predicate(right));
        if self.options.ordered {
            let mut groups: Vec<&[u32]> = by_predicate.collect();
            groups.sort_by_cached_key(|statements| self.name(predicate(statements[0])));
            // `rdf:type` becomes the key `@type`, which sorts before all IRIs.
            for is_type in [true, false] {
                for statements in &groups {
                    if (Some(predicate(statements[0])) == self.terms.rdf_type) == is_type {
                        self.property(predicate(statements[0]), statements)?;
                    }
                }
            }
            return Ok(());
        }
        for statements in by_predicate {
            self.property(predicate(statements[0]), statements)?;
        }
        Ok(())
    }

    fn property(&mut self, predicate: BufferTermId, statements: &[u32]) -> Result<(), FromRdfError> {
        self.json.pass_on()?;
        if Some(predicate) != self.terms.rdf_type {
            return self.values(predicate, statements, false);
        }
        // Step 5.7.5: types are strings. A literal stays a value of `rdf:type`.
        let is_literal = |at: &&u32| {
            matches!(self.quads.term(self.quads.quads()[**at as usize].object), TermRef::Literal { .. })
        };
        if !statements.iter().any(|at| is_literal(&at)) {
            return self.values(predicate, statements, true);
        }
        let (literals, types): (Vec<u32>, Vec<u32>) = statements.iter().partition(|at| is_literal(at));
        if !types.is_empty() {
            self.values(predicate, &types, true)?;
        }
        self.values(predicate, &literals, false)
    }

    fn values(
        &mut self,
        predicate: BufferTermId,
        statements: &[u32],
        are_types: bool,
    ) -> Result<(), FromRdfError> {
        if are_types {
            self.json.member(KeywordKey::TYPE);
        } else {
            self.key(predicate);
        }
        self.json.open("[");
        let mut is_first = true;
        let mut seen = HashSet::new();
        for &at in statements {
            let object = self.quads.quads()[at as usize].object;
            // Step 5.7.8: different literals may give equal values.
            if statements.len() > 1
                && let Some(key) = self.equality_key(object)
                && !seen.insert(key)
            {
                continue;
            }
            self.json.next(&mut is_first);
            if are_types {
                self.name_of(object);
            } else {
                self.object(object, predicate)?;
            }
            self.json.pass_on()?;
        }
        self.json.close("]", is_first);
        Ok(())
    }

    /// Begins a property. Keys repeat, so each is escaped once.
    fn key(&mut self, predicate: BufferTermId) {
        if self.key_numbers[predicate.index()] == 0 {
            let key = self.json.escaped_key(&self.name(predicate));
            self.keys.push(key.into());
            self.key_numbers[predicate.index()] = self.keys.len() as u32;
        }
        self.json.key(&self.keys[self.key_numbers[predicate.index()] as usize - 1]);
    }

    /// Writes the value of a property. Recurses by level of lists, which [`CollectionTable`] bounds.
    fn object(&mut self, object: BufferTermId, predicate: BufferTermId) -> Result<(), FromRdfError> {
        match self.quads.term(object) {
            TermRef::Literal { lexical, kind } => Ok(self.literal(lexical, kind)?),
            TermRef::Iri(_) => {
                let is_1_1 = self.options.processing_mode == ProcessingMode::JsonLd1_1;
                // In 1.0 a list cannot contain a list, and the empty list stays a node.
                if Some(object) == self.terms.nil && (is_1_1 || Some(predicate) != self.terms.first) {
                    return self.list(0..0, predicate);
                }
                self.reference(object);
                Ok(())
            }
            TermRef::BlankNode => {
                let number = self.quads.blank_node_number(object).unwrap_or_default();
                if let Some(items) = self.lists.items(number) {
                    return self.list(items, self.terms.first.unwrap_or(predicate));
                }
                match self.compound_literal(number)? {
                    Some(literal) => self.compound(literal),
                    None => self.reference(object),
                }
                Ok(())
            }
        }
    }

    fn list(&mut self, items: Range<usize>, predicate: BufferTermId) -> Result<(), FromRdfError> {
        self.json.open_member(KeywordKey::LIST);
        self.json.open("[");
        let mut is_first = true;
        for at in items {
            self.json.next(&mut is_first);
            self.object(self.lists.item(at), predicate)?;
            self.json.pass_on()?;
        }
        self.json.close("]", is_first);
        self.json.close("}", false);
        Ok(())
    }

    fn reference(&mut self, node: BufferTermId) {
        self.json.open_member(KeywordKey::ID);
        self.name_of(node);
        self.json.close("}", false);
    }

    /// Writes an IRI or a blank node identifier as a string.
    fn name_of(&mut self, node: BufferTermId) {
        match self.quads.term(node) {
            TermRef::Iri(iri) => self.json.string(iri),
            _ => {
                let number = self.quads.blank_node_number(node).unwrap_or_default();
                // A label needs no escapes.
                let text = self.json.text();
                text.push_str("\"_:");
                self.labels.write(number, text);
                text.push('"');
            }
        }
    }

    /// Returns an IRI or a blank node identifier, as a sort key.
    fn name(&self, node: BufferTermId) -> String {
        match self.quads.term(node) {
            TermRef::Iri(iri) => iri.to_owned(),
            _ => format!("_:{}", self.labels.label(self.quads.blank_node_number(node).unwrap_or_default())),
        }
    }

    /// Returns whether a subject is written at its place of use, not as a node.
    fn is_folded(&self, subject: BufferTermId) -> JsonLdOutcome<bool> {
        let Some(number) = self.quads.blank_node_number(subject) else {
            return Ok(false);
        };
        Ok(self.lists.holds(number) || self.compound_literal(number)?.is_some())
    }

    /// Step 6.1: returns the literal of a blank node that has one `rdf:value`, one `rdf:direction`, at most one
    /// `rdf:language`, all of them strings, and nothing else.
    fn compound_literal(&self, number: u32) -> JsonLdOutcome<Option<CompoundLiteral<'q>>> {
        if self.terms.direction.is_none() {
            return Ok(None);
        }
        let Some((_, statements)) = self.nodes.referenced_once(number).filter(|(_, all)| all.len() <= 3)
        else {
            return Ok(None);
        };
        let (mut value, mut language, mut direction) = (None, None, None);
        for &at in statements {
            let quad = &self.quads.quads()[at as usize];
            let predicate = Some(quad.predicate);
            let slot = match predicate {
                _ if predicate == self.terms.value => &mut value,
                _ if predicate == self.terms.language => &mut language,
                _ if predicate == self.terms.direction => &mut direction,
                _ => return Ok(None),
            };
            match self.quads.term(quad.object) {
                TermRef::Literal { lexical, kind: BufferLiteralKind::String } if slot.is_none() => {
                    *slot = Some(lexical);
                }
                _ => return Ok(None),
            }
        }
        let (Some(value), Some(direction)) = (value, direction) else {
            return Ok(None);
        };
        if let Some(language) = language.filter(|language| !is_language_tag(language)) {
            let message = format!("`{language}`, the language of a compound literal, is not a language tag");
            return Err(JsonLdError::without_place(JsonLdErrorCode::InvalidLanguageTaggedString, message));
        }
        if !is_direction(direction) {
            let message =
                format!("`{direction}` is not a direction of a compound literal: it is `ltr` or `rtl`");
            return Err(JsonLdError::without_place(JsonLdErrorCode::InvalidBaseDirection, message));
        }
        Ok(Some(CompoundLiteral { value, language, direction }))
    }
}
