//! Walks along the tokens of an accepted text in Turtle or TriG and tells where the terms of each triple stand.
//!
//! Triples come in the order of the parser (`oxttl`), which yields those that one token completes from the last to
//! the first.

use std::ops::Range;

use super::triple_span::TripleSpan;
use super::turtle_tokens::{Token, TokenKind, Tokens};

type Span = Range<usize>;

/// The part of the grammar that comes next.
#[derive(Debug)]
enum Expected {
    /// A directive, a statement or a graph.
    Statement,
    /// The rest of a directive, in tokens.
    Directive(u8),
    /// A graph, or the properties of the subject that stands there.
    GraphOrProperties(Span),
    GraphName,
    /// The end of `[]` as the name of a graph.
    GraphNameEnd,
    Graph,
    /// A dot or the end of the graph.
    StatementInGraphEnd,
    SubjectInGraph,
    /// The properties in the brackets of a subject at the top, or their end.
    SubjectBracket(Span),
    /// As before, within a graph.
    SubjectBracketInGraph,
    SubjectBracketEnd,
    /// The properties of a subject that has some in its brackets, or none.
    MaybeProperties,
    /// The first item of a collection that is a subject, or its end.
    SubjectCollection(Span),
    Properties,
    /// A semicolon, or what comes behind the last property.
    PropertiesEnd,
    /// A property behind a semicolon, another semicolon, or what comes behind the last property.
    MoreProperties,
    Predicate,
    /// A comma, or what comes behind the last object.
    MoreObjects,
    Object,
    /// The properties in the brackets of an object, or their end.
    ObjectBracket(Span),
    ObjectBracketEnd,
    /// The first item of a collection, or its end.
    ObjectCollection(Span),
    /// The next item of a collection, or its end.
    NextItem,
    /// A language or datatype of the string that stands there, or what comes behind it.
    LiteralSuffix(Span),
    /// The datatype of the string that stands there.
    LiteralDatatype(Span),
    /// The dot behind a statement.
    Dot,
}

/// Tells whether the walk is done with a token.
enum Step {
    Taken,
    /// The token belongs to the part that is expected next.
    Again,
}

/// The walk between two tokens.
#[derive(Debug)]
struct Walk {
    has_graphs: bool,
    expected: Vec<Expected>,
    subjects: Vec<Span>,
    predicates: Vec<Span>,
    /// The triples that the current token completes.
    completed: Vec<TripleSpan>,
}

/// Calls `take` with the spans of each triple. Returns false where the text is not what the parser accepts.
pub(super) fn walk(text: &[u8], has_graphs: bool, mut take: impl FnMut(TripleSpan)) -> bool {
    let mut walk = Walk {
        has_graphs,
        expected: vec![Expected::Statement],
        subjects: Vec::new(),
        predicates: Vec::new(),
        completed: Vec::new(),
    };
    let mut tokens = Tokens::of(text);
    while let Some(token) = tokens.next() {
        if walk.token(&token, tokens.bytes(&token)).is_none() {
            return false;
        }
        while let Some(triple) = walk.completed.pop() {
            take(triple);
        }
    }
    matches!(walk.expected[..], [Expected::Statement])
}

impl Walk {
    /// Takes a token; none where it cannot stand there.
    fn token(&mut self, token: &Token, bytes: &[u8]) -> Option<()> {
        // Each part takes the token, or is left for good.
        while let Step::Again = self.step(token, bytes)? {}
        Some(())
    }

    fn expect<const N: usize>(&mut self, parts: [Expected; N]) {
        self.expected.extend(parts.into_iter().rev());
    }

    fn step(&mut self, token: &Token, bytes: &[u8]) -> Option<Step> {
        use Expected as E;
        use TokenKind::{At, Datatype, Mark, String, Term, Word};
        let span = token.span.clone();
        let is_last = matches!(token.kind, Mark(b'.' | b'}'));
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
                return Some(Step::Again);
            }
            (E::GraphOrProperties(subject), _) => {
                self.subjects.push(subject);
                self.expect([E::Properties, E::Dot]);
                return Some(Step::Again);
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
            (E::SubjectInGraph, Mark(b'}')) => return Some(Step::Again),
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
                return Some(Step::Again);
            }
            (E::SubjectBracketInGraph, Mark(b']')) => self.expected.push(E::Properties),
            (E::SubjectBracketInGraph, _) => {
                self.expect([E::Properties, E::SubjectBracketEnd]);
                return Some(Step::Again);
            }
            (E::SubjectBracketEnd, Mark(b']')) => self.expected.push(E::MaybeProperties),
            (E::MaybeProperties, _) if is_last => return Some(Step::Again),
            (E::MaybeProperties, _) => {
                self.expected.push(E::Properties);
                return Some(Step::Again);
            }
            (E::SubjectCollection(open), Mark(b')')) => self.subjects.push(open),
            (E::SubjectCollection(open), _) => {
                self.subjects.push(open.clone());
                return Some(self.first_item(open));
            }
            (E::Properties, _) => {
                self.expect([E::Predicate, E::Object, E::MoreObjects, E::PropertiesEnd]);
                return Some(Step::Again);
            }
            (E::PropertiesEnd, kind) => {
                self.predicates.pop();
                if kind != Mark(b';') {
                    return Some(Step::Again);
                }
                self.expected.push(E::MoreProperties);
            }
            (E::MoreProperties, Mark(b';')) => self.expected.push(E::MoreProperties),
            (E::MoreProperties, Mark(b']')) => return Some(Step::Again),
            (E::MoreProperties, _) => {
                if !is_last {
                    self.expected.push(E::Properties);
                }
                return Some(Step::Again);
            }
            (E::Predicate, Term | Word) => self.predicates.push(span),
            (E::MoreObjects, Mark(b',')) => self.expect([E::Object, E::MoreObjects]),
            (E::MoreObjects, _) => return Some(Step::Again),
            (E::Object, Term | Word) => self.complete(span)?,
            (E::Object, String) => self.expected.push(E::LiteralSuffix(span)),
            (E::Object, Mark(b'[')) => self.expected.push(E::ObjectBracket(span)),
            (E::Object, Mark(b'(')) => self.expected.push(E::ObjectCollection(span)),
            (E::ObjectBracket(open), Mark(b']')) => self.complete(open)?,
            (E::ObjectBracket(open), _) => {
                self.subjects.push(open);
                self.expect([E::Properties, E::ObjectBracketEnd]);
                return Some(Step::Again);
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
                return Some(Step::Again);
            }
            (E::LiteralDatatype(string), Term) => self.complete(string.start..span.end)?,
            (E::Dot, Mark(b'.')) => drop(self.subjects.pop()),
            _ => return None,
        }
        Some(Step::Taken)
    }

    fn statement(&mut self, token: &Token, bytes: &[u8]) -> Option<Step> {
        use Expected as E;
        let is = |word: &str| bytes.eq_ignore_ascii_case(word.as_bytes());
        let span = token.span.clone();
        match token.kind {
            TokenKind::Word if is("prefix") => self.expected.push(E::Directive(2)),
            TokenKind::Word if is("base") => self.expected.push(E::Directive(1)),
            // With the dot.
            TokenKind::At if is("@prefix") => self.expected.push(E::Directive(3)),
            TokenKind::At if is("@base") => self.expected.push(E::Directive(2)),
            TokenKind::Word if is("graph") && self.has_graphs => self.expect([E::GraphName, E::Graph]),
            TokenKind::Mark(b'{') if self.has_graphs => {
                self.expected.push(E::Graph);
                return Some(Step::Again);
            }
            TokenKind::Term => self.expected.push(E::GraphOrProperties(span)),
            TokenKind::Mark(b'[') => self.expected.push(E::SubjectBracket(span)),
            TokenKind::Mark(b'(') => self.expect([E::SubjectCollection(span), E::Properties, E::Dot]),
            _ => return None,
        }
        Some(Step::Taken)
    }

    /// Begins a collection with its first item.
    fn first_item(&mut self, open: Span) -> Step {
        self.predicates.push(open.clone());
        self.subjects.push(open);
        self.expect([Expected::Object, Expected::NextItem]);
        Step::Again
    }

    /// Ends a node of a collection: the rest is a further node, which stands where its item does, or nothing.
    fn next_item(&mut self, kind: TokenKind, span: Span) -> Option<Step> {
        let node = self.subjects.pop()?;
        self.predicates.pop()?;
        let rest = TripleSpan { subject: node.clone(), predicate: node, object: span.clone() };
        self.completed.push(rest);
        if kind == TokenKind::Mark(b')') {
            return Some(Step::Taken);
        }
        // A string or bracket is an item as a whole, and its first token is enough.
        Some(self.first_item(span))
    }

    /// Completes the triple with that object; none where there is no subject or predicate.
    fn complete(&mut self, object: Span) -> Option<()> {
        let subject = self.subjects.last()?.clone();
        let predicate = self.predicates.last()?.clone();
        self.completed.push(TripleSpan { subject, predicate, object });
        Some(())
    }
}
