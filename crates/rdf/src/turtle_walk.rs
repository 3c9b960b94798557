//! Walks along the tokens of an accepted text in Turtle or TriG and reports the places of the terms of each triple.
//!
//! Triples come in the order of the parser (`oxttl`): it yields those that one token completes from the last to the
//! first.

use std::ops::Range;

use super::triple_span::TripleSpan;
use super::turtle_tokens::{TurtleToken, TurtleTokenKind, TurtleTokens};

type TokenSpan = Range<usize>;

/// The part of the grammar that comes next.
#[derive(Debug)]
enum ExpectedProduction {
    /// A directive, a statement or a graph.
    Statement,
    /// The rest of a directive, in tokens.
    Directive(u8),
    /// A graph, or the properties of the subject at that place.
    GraphOrProperties(TokenSpan),
    GraphName,
    /// The end of `[]` as the name of a graph.
    GraphNameEnd,
    Graph,
    /// A dot or the end of the graph.
    StatementInGraphEnd,
    SubjectInGraph,
    /// The properties in the brackets of a subject at the top, or their end.
    SubjectBracket(TokenSpan),
    /// Like the previous one, but within a graph.
    SubjectBracketInGraph,
    SubjectBracketEnd,
    /// The properties, which a subject with properties in brackets need not have.
    MaybeProperties,
    /// The first item of a collection that is a subject, or its end.
    SubjectCollection(TokenSpan),
    Properties,
    /// A semicolon, or whatever follows the last property.
    PropertiesEnd,
    /// A property after a semicolon, another semicolon, or whatever follows the last property.
    MoreProperties,
    Predicate,
    /// A comma, or whatever follows the last object.
    MoreObjects,
    Object,
    /// The properties in the brackets of an object, or their end.
    ObjectBracket(TokenSpan),
    ObjectBracketEnd,
    /// The first item of a collection, or its end.
    ObjectCollection(TokenSpan),
    /// The next item of a collection, or its end.
    NextItem,
    /// A language or datatype of the string at that place, or whatever follows it.
    LiteralSuffix(TokenSpan),
    /// The datatype of the string at that place.
    LiteralDatatype(TokenSpan),
    /// The dot after a statement.
    Dot,
}

/// The next step of the walk after a token.
enum TokenStep {
    Taken,
    /// The token belongs to the part that is expected next.
    Again,
}

/// The state of the walk between two tokens.
#[derive(Debug)]
struct TurtleWalk {
    has_graphs: bool,
    expected: Vec<ExpectedProduction>,
    subjects: Vec<TokenSpan>,
    predicates: Vec<TokenSpan>,
    /// The triples that the current token completes.
    completed: Vec<TripleSpan>,
}

/// Calls `take` with the spans of each triple. Returns false if the parser does not accept the text.
pub(super) fn walk(text: &[u8], has_graphs: bool, mut take: impl FnMut(TripleSpan)) -> bool {
    let mut walk = TurtleWalk {
        has_graphs,
        expected: vec![ExpectedProduction::Statement],
        subjects: Vec::new(),
        predicates: Vec::new(),
        completed: Vec::new(),
    };
    let mut tokens = TurtleTokens::new(text);
    while let Some(token) = tokens.next() {
        if walk.token(&token, tokens.bytes(&token)).is_none() {
            return false;
        }
        while let Some(triple) = walk.completed.pop() {
            take(triple);
        }
    }
    matches!(walk.expected[..], [ExpectedProduction::Statement])
}

impl TurtleWalk {
    /// Takes a token; returns none if it is not allowed there.
    fn token(&mut self, token: &TurtleToken, bytes: &[u8]) -> Option<()> {
        // Each part either consumes the token or is finished.
        while let TokenStep::Again = self.step(token, bytes)? {}
        Some(())
    }

    fn expect<const N: usize>(&mut self, parts: [ExpectedProduction; N]) {
        // The list is a stack, so the part that comes first is pushed last.
        self.expected.extend(parts.into_iter().rev());
    }

    /// Takes a token in a statement or a graph, up to the subject.
    fn step(&mut self, token: &TurtleToken, bytes: &[u8]) -> Option<TokenStep> {
        use ExpectedProduction as E;
        use TurtleTokenKind::{Mark, Term};
        let span = token.span.clone();
        match (self.expected.pop()?, token.kind) {
            (E::Statement, _) => {
                self.expected.push(E::Statement);
                return self.statement(token, bytes);
            }
            (E::Directive(rest), _) => {
                if rest > 1 {
                    self.expected.push(E::Directive(rest - 1));
                }
            }
            (E::GraphOrProperties(_), Mark(b'{')) if self.has_graphs => {
                self.expected.push(E::Graph);
                return Some(TokenStep::Again);
            }
            (E::GraphOrProperties(subject), _) => {
                self.subjects.push(subject);
                self.expect([E::Properties, E::Dot]);
                return Some(TokenStep::Again);
            }
            (E::GraphName, Mark(b'[')) => self.expected.push(E::GraphNameEnd),
            (E::GraphName, Term) | (E::GraphNameEnd, Mark(b']')) => {}
            (E::Graph, Mark(b'{')) => self.expect([E::SubjectInGraph, E::StatementInGraphEnd]),
            (E::StatementInGraphEnd, Mark(mark)) => {
                self.subjects.pop();
                match mark {
                    b'}' => {}
                    b'.' => self.expect([E::SubjectInGraph, E::StatementInGraphEnd]),
                    _ => return None,
                }
            }
            (E::SubjectInGraph, Mark(b'}')) => return Some(TokenStep::Again),
            (E::SubjectInGraph, Mark(b'[')) => {
                self.subjects.push(span);
                self.expected.push(E::SubjectBracketInGraph);
            }
            (E::SubjectInGraph, Mark(b'(')) => self.expect([E::SubjectCollection(span), E::Properties]),
            (E::SubjectInGraph, Term) => {
                self.subjects.push(span);
                self.expected.push(E::Properties);
            }
            (E::SubjectBracket(subject), Mark(b']')) => self.expected.push(E::GraphOrProperties(subject)),
            (E::SubjectBracket(subject), _) => {
                self.subjects.push(subject);
                self.expect([E::Properties, E::SubjectBracketEnd, E::Dot]);
                return Some(TokenStep::Again);
            }
            (E::SubjectBracketInGraph, Mark(b']')) => self.expected.push(E::Properties),
            (E::SubjectBracketInGraph, _) => {
                self.expect([E::Properties, E::SubjectBracketEnd]);
                return Some(TokenStep::Again);
            }
            (E::SubjectBracketEnd, Mark(b']')) => self.expected.push(E::MaybeProperties),
            (E::SubjectCollection(open), Mark(b')')) => self.subjects.push(open),
            (E::SubjectCollection(open), _) => {
                self.subjects.push(open.clone());
                return Some(self.first_item(open));
            }
            (expected, _) => return self.property_step(expected, token),
        }
        Some(TokenStep::Taken)
    }

    /// Takes a token between a subject and an object.
    fn property_step(&mut self, expected: ExpectedProduction, token: &TurtleToken) -> Option<TokenStep> {
        use ExpectedProduction as E;
        use TurtleTokenKind::{Mark, Term, Word};
        let is_last = matches!(token.kind, Mark(b'.' | b'}'));
        match (expected, token.kind) {
            (E::MaybeProperties, _) if is_last => return Some(TokenStep::Again),
            (E::MaybeProperties, _) => {
                self.expected.push(E::Properties);
                return Some(TokenStep::Again);
            }
            (E::Properties, _) => {
                self.expect([E::Predicate, E::Object, E::MoreObjects, E::PropertiesEnd]);
                return Some(TokenStep::Again);
            }
            (E::PropertiesEnd, kind) => {
                self.predicates.pop();
                if kind != Mark(b';') {
                    return Some(TokenStep::Again);
                }
                self.expected.push(E::MoreProperties);
            }
            (E::MoreProperties, Mark(b';')) => self.expected.push(E::MoreProperties),
            (E::MoreProperties, Mark(b']')) => return Some(TokenStep::Again),
            (E::MoreProperties, _) => {
                if !is_last {
                    self.expected.push(E::Properties);
                }
                return Some(TokenStep::Again);
            }
            (E::Predicate, Term | Word) => self.predicates.push(token.span.clone()),
            (E::MoreObjects, Mark(b',')) => self.expect([E::Object, E::MoreObjects]),
            (E::MoreObjects, _) => return Some(TokenStep::Again),
            (expected, _) => return self.object_step(expected, token),
        }
        Some(TokenStep::Taken)
    }

    /// Takes a token in an object, and the dot behind the last one.
    fn object_step(&mut self, expected: ExpectedProduction, token: &TurtleToken) -> Option<TokenStep> {
        use ExpectedProduction as E;
        use TurtleTokenKind::{At, Datatype, Mark, String, Term, Word};
        let span = token.span.clone();
        match (expected, token.kind) {
            (E::Object, Term | Word) => self.complete(span)?,
            (E::Object, String) => self.expected.push(E::LiteralSuffix(span)),
            (E::Object, Mark(b'[')) => self.expected.push(E::ObjectBracket(span)),
            (E::Object, Mark(b'(')) => self.expected.push(E::ObjectCollection(span)),
            (E::ObjectBracket(open), Mark(b']')) => self.complete(open)?,
            (E::ObjectBracket(open), _) => {
                self.subjects.push(open);
                self.expect([E::Properties, E::ObjectBracketEnd]);
                return Some(TokenStep::Again);
            }
            (E::ObjectBracketEnd, Mark(b']')) => {
                let open = self.subjects.pop()?;
                self.complete(open)?;
            }
            (E::ObjectCollection(open), Mark(b')')) => self.complete(open)?,
            (E::ObjectCollection(open), _) => {
                self.complete(open.clone())?;
                return Some(self.first_item(open));
            }
            (E::NextItem, kind) => return self.next_item(kind, span),
            (E::LiteralSuffix(string), At) => self.complete(string.start..span.end)?,
            (E::LiteralSuffix(string), Datatype) => self.expected.push(E::LiteralDatatype(string)),
            (E::LiteralSuffix(string), _) => {
                self.complete(string)?;
                return Some(TokenStep::Again);
            }
            (E::LiteralDatatype(string), Term) => self.complete(string.start..span.end)?,
            (E::Dot, Mark(b'.')) => drop(self.subjects.pop()),
            _ => return None,
        }
        Some(TokenStep::Taken)
    }

    fn statement(&mut self, token: &TurtleToken, bytes: &[u8]) -> Option<TokenStep> {
        use ExpectedProduction as E;
        let is = |word: &str| bytes.eq_ignore_ascii_case(word.as_bytes());
        let span = token.span.clone();
        match token.kind {
            TurtleTokenKind::Word if is("prefix") => self.expected.push(E::Directive(2)),
            TurtleTokenKind::Word if is("base") => self.expected.push(E::Directive(1)),
            // With the dot.
            TurtleTokenKind::At if is("@prefix") => self.expected.push(E::Directive(3)),
            TurtleTokenKind::At if is("@base") => self.expected.push(E::Directive(2)),
            TurtleTokenKind::Word if is("graph") && self.has_graphs => self.expect([E::GraphName, E::Graph]),
            TurtleTokenKind::Mark(b'{') if self.has_graphs => {
                self.expected.push(E::Graph);
                return Some(TokenStep::Again);
            }
            TurtleTokenKind::Term => self.expected.push(E::GraphOrProperties(span)),
            TurtleTokenKind::Mark(b'[') => self.expected.push(E::SubjectBracket(span)),
            TurtleTokenKind::Mark(b'(') => self.expect([E::SubjectCollection(span), E::Properties, E::Dot]),
            _ => return None,
        }
        Some(TokenStep::Taken)
    }

    /// Begins a collection with its first item.
    fn first_item(&mut self, open: TokenSpan) -> TokenStep {
        self.predicates.push(open.clone());
        self.subjects.push(open);
        self.expect([ExpectedProduction::Object, ExpectedProduction::NextItem]);
        TokenStep::Again
    }

    /// Ends a node of a collection: the rest is either another node, which is placed at its item, or nothing.
    fn next_item(&mut self, kind: TurtleTokenKind, span: TokenSpan) -> Option<TokenStep> {
        let node = self.subjects.pop()?;
        self.predicates.pop()?;
        let rest = TripleSpan { subject: node.clone(), predicate: node, object: span.clone() };
        self.completed.push(rest);
        if kind == TurtleTokenKind::Mark(b')') {
            return Some(TokenStep::Taken);
        }
        // A whole string or bracket is one item, and its first token is enough.
        Some(self.first_item(span))
    }

    /// Completes the triple with that object; returns none if there is no subject or predicate.
    fn complete(&mut self, object: TokenSpan) -> Option<()> {
        let subject = self.subjects.last()?.clone();
        let predicate = self.predicates.last()?.clone();
        self.completed.push(TripleSpan { subject, predicate, object });
        Some(())
    }
}
