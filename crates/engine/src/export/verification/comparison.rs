//! The comparison of one graph. It reads the local triples at most twice, and the server's triples once, as a stream.

use std::ops::ControlFlow;

use oxrdf::{LiteralRef, Triple};

use super::blank_node_triples::BlankNodeTriples;
use super::habits::{NormalLiteral, ServerProduct};
use super::tally::{ServerTripleMatch, TripleBalance, TripleHashes};
use crate::export::hashed_triple::{LiteralText, TermText, hash_of};
use evalgraph_diagnostics::RunFailure;
use evalgraph_diagnostics::shortened::cut;
use evalgraph_store::{EncodedQuad, TermDictionary};

/// How many examples a report gives.
pub(super) const EXAMPLES: usize = 3;

/// How many characters of a literal or a triple are shown.
const SHOWN: usize = 120;

/// The namespace of the datatypes of XML Schema.
const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// Passes the quads of a local graph to a function until that breaks. It can be called several times.
pub(crate) type EachQuad<'q> =
    dyn FnMut(&mut dyn FnMut(EncodedQuad, &TermDictionary) -> ControlFlow<()>) -> Result<(), RunFailure> + 'q;

/// The result for a graph.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct GraphVerificationResult {
    pub(super) ours: u64,
    pub(super) theirs: u64,
    pub(super) is_same: bool,
    /// A local triple that is known to be missing on the server.
    pub(super) missing: Option<String>,
    /// How many literals the server has rewritten.
    pub(super) changed: u64,
    /// `true` if `changed` is only a lower bound.
    pub(super) is_at_least: bool,
    /// One example for each datatype.
    pub(super) examples: Vec<ChangedLiteral>,
    /// How many integers the server may lose later, and one of them.
    pub(super) endangered: u64,
    pub(super) endangered_example: Option<String>,
    /// `true` if there are too many blank nodes, or they are too much alike, to check which triple has which node.
    pub(super) nodes_not_compared: bool,
}

/// A literal that the server has rewritten.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ChangedLiteral {
    pub(super) ours: String,
    pub(super) theirs: String,
    pub(super) datatype: String,
    triple: Option<TripleHashes>,
}

/// A comparison in progress.
struct GraphVerification {
    product: ServerProduct,
    tally: TripleBalance,
    ours: BlankNodeTriples,
    theirs: BlankNodeTriples,
    compared: GraphVerificationResult,
    text: Vec<u8>,
}

/// Compares a local graph with a graph of a server.
///
/// # Errors
///
/// The errors of either side.
pub(super) fn compare(
    product: ServerProduct,
    ours: &mut EachQuad<'_>,
    theirs: impl Iterator<Item = Result<Triple, RunFailure>>,
) -> Result<GraphVerificationResult, RunFailure> {
    let (our_nodes, their_nodes) = Default::default();
    let (tally, compared, text) = (TripleBalance::new(), GraphVerificationResult::default(), Vec::new());
    let mut comparison =
        GraphVerification { product, tally, ours: our_nodes, theirs: their_nodes, compared, text };
    ours(&mut |quad, terms| {
        comparison.add(quad, terms);
        ControlFlow::Continue(())
    })?;
    comparison.tally.end();
    for triple in theirs {
        comparison.take(&triple?);
    }
    comparison.decide();
    if !comparison.has_all_examples() {
        ours(&mut |quad, terms| comparison.look_for_examples(quad, terms))?;
    }
    Ok(comparison.compared)
}

impl GraphVerification {
    /// Adds a local triple.
    fn add(&mut self, quad: EncodedQuad, terms: &TermDictionary) {
        let triple = texts_of(quad, terms);
        let normal = self.normal(triple[2]);
        let hashed = hashed(triple, normal.as_ref(), &mut self.text);
        self.compared.ours += 1;
        if let TermText::Literal(literal) = triple[2]
            && self.product.may_lose(literal)
        {
            self.compared.endangered += 1;
            self.compared.endangered_example.get_or_insert_with(|| written(literal));
        }
        self.tally.add(hashed);
        if has_blank_node(triple) {
            // Blank nodes are compared in normal forms, or a rewritten literal would change the nodes around it.
            self.ours.add(with_object(triple, normal.as_ref()));
        }
    }

    /// Adds a triple of the server.
    fn take(&mut self, triple: &Triple) {
        let [subject, predicate] = [triple.subject.as_ref().into(), triple.predicate.as_ref().into()];
        let triple = [subject, predicate, triple.object.as_ref()].map(TermText::of_answer);
        let normal = self.normal(triple[2]);
        let hashed = hashed(triple, normal.as_ref(), &mut self.text);
        self.compared.theirs += 1;
        if self.tally.take(hashed) == ServerTripleMatch::Changed {
            self.changed(triple[2], hashed);
        }
        if has_blank_node(triple) {
            self.theirs.add(with_object(triple, normal.as_ref()));
        }
    }

    /// Counts a literal that was rewritten.
    fn changed(&mut self, literal: TermText<'_>, triple: TripleHashes) {
        let compared = &mut self.compared;
        compared.changed += 1;
        let TermText::Literal(literal) = literal else { return };
        let is_new = compared.examples.iter().all(|example| example.datatype != literal.datatype);
        if compared.examples.len() < EXAMPLES && is_new {
            // Only the hash of the local literal is known here. `look_for_examples` finds its text.
            compared.examples.push(ChangedLiteral {
                ours: String::new(),
                theirs: written(literal),
                datatype: literal.datatype.to_owned(),
                triple: Some(triple),
            });
        }
    }

    /// Computes the result when both sides have ended.
    fn decide(&mut self) {
        let are_nodes_same = self.ours.say_the_same(&self.theirs);
        let compared = &mut self.compared;
        compared.is_same = self.tally.is_even() && are_nodes_same != Some(false);
        compared.nodes_not_compared = are_nodes_same.is_none();
        // If the sides differ, a triple may be missing without having been merged with another one.
        compared.changed += if compared.is_same { self.tally.merged() } else { 0 };
        compared.is_at_least = self.tally.is_share();
    }

    fn has_all_examples(&self) -> bool {
        let compared = &self.compared;
        (compared.is_same || compared.missing.is_some())
            && compared.examples.iter().all(|example| !example.ours.is_empty())
    }

    /// Checks whether a local triple is missing, or is an example of a rewritten literal.
    fn look_for_examples(&mut self, quad: EncodedQuad, terms: &TermDictionary) -> ControlFlow<()> {
        let triple = texts_of(quad, terms);
        let hashed = hashed(triple, self.normal(triple[2]).as_ref(), &mut self.text);
        let compared = &mut self.compared;
        if !compared.is_same && compared.missing.is_none() && self.tally.is_missing(hashed) {
            let mut line = Vec::new();
            terms.write_n_quad(EncodedQuad { graph: None, ..quad }, &mut line);
            compared.missing = Some(cut(String::from_utf8_lossy(&line).trim_end(), SHOWN).into_owned());
        }
        if let TermText::Literal(literal) = triple[2] {
            for example in compared.examples.iter_mut().filter(|example| example.ours.is_empty()) {
                if example.triple.is_some_and(|theirs| is_changed(hashed, theirs)) {
                    example.ours = written(literal);
                }
            }
        }
        if self.has_all_examples() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn normal<'t>(&self, object: TermText<'t>) -> Option<NormalLiteral<'t>> {
        match object {
            TermText::Literal(literal) => self.product.normal(literal),
            _ => None,
        }
    }
}

fn texts_of(quad: EncodedQuad, terms: &TermDictionary) -> [TermText<'_>; 3] {
    [quad.subject, quad.predicate, quad.object].map(|term| TermText::from_id(term, terms))
}

fn has_blank_node(triple: [TermText<'_>; 3]) -> bool {
    triple.iter().any(|term| matches!(term, TermText::BlankNode(_)))
}

/// The triple with the normal form of its literal, if that has one.
fn with_object<'t>(triple: [TermText<'t>; 3], normal: Option<&'t NormalLiteral<'t>>) -> [TermText<'t>; 3] {
    let [subject, predicate, object] = triple;
    [subject, predicate, normal.map_or(object, |normal| TermText::Literal(normal.text()))]
}

fn hashed<'t>(
    triple: [TermText<'t>; 3],
    normal: Option<&'t NormalLiteral<'t>>,
    text: &mut Vec<u8>,
) -> TripleHashes {
    let exact = hash_of(triple, text);
    match normal {
        None => TripleHashes::Plain(exact),
        Some(_) => {
            let normal = hash_of(with_object(triple, normal), text);
            TripleHashes::Changeable { normal: half(normal), exact: half(exact) }
        }
    }
}

/// Half of a hash.
#[expect(clippy::cast_possible_truncation, reason = "each half of a hash is one")]
fn half(hash: u128) -> u64 {
    hash as u64
}

/// Returns whether two triples have the same normal form, but are written differently.
fn is_changed(ours: TripleHashes, theirs: TripleHashes) -> bool {
    match (ours, theirs) {
        (
            TripleHashes::Changeable { normal, exact },
            TripleHashes::Changeable { normal: their_normal, exact: their_exact },
        ) => normal == their_normal && exact != their_exact,
        _ => false,
    }
}

/// The literal as people write it.
fn written(literal: LiteralText<'_>) -> String {
    let LiteralText { lexical, datatype, language } = literal;
    let lexical = LiteralRef::new_simple_literal(cut(lexical, SHOWN).as_ref()).to_string();
    match datatype.strip_prefix(XSD) {
        _ if !language.is_empty() => format!("{lexical}@{language}"),
        Some(name) => format!("{lexical}^^xsd:{name}"),
        None => format!("{lexical}^^<{datatype}>"),
    }
}
