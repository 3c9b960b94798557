//! Answers some queries on the thread that read them, because passing them to an evaluation thread and the answer back
//! would take longer than evaluating them.
//!
//! These are `ASK {}`, with which clients check that the server is there, and ASK of one triple pattern, which is a
//! lookup.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use spargebra::algebra::GraphPattern;
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

use super::channel::ReplySender;
use super::query_operation::{evaluate_over, parsed, text_of};
use super::received_request::ReceivedRequest;
use super::route::ServerRoute;
use super::server_context::ServerContext;
use evalgraph_sparql::{CancellationToken, Query};

/// Longer queries are not considered.
const MOST: usize = 1 << 10;

/// Answers a request if it is such a query; otherwise returns the reply.
pub(super) fn answer(
    context: &ServerContext,
    asked: &ReceivedRequest,
    reply: ReplySender,
) -> Option<ReplySender> {
    let Some(query) = question(context, asked) else { return Some(reply) };
    let Some(seen) = context.data.at_hand() else { return Some(reply) };
    let reply = Rc::new(reply);
    let work = || evaluate_over(seen, asked, query, CancellationToken::new(), &reply);
    // After a panic, the reply is dropped, which ends the answer with an error.
    if let Ok(done) = catch_unwind(AssertUnwindSafe(work)) {
        reply.finish(done);
    }
    None
}

fn question(context: &ServerContext, asked: &ReceivedRequest) -> Option<Query> {
    if !matches!(asked.route, ServerRoute::Query) || !asked.is_small() {
        return None;
    }
    // Faults are reported by the ordinary evaluation.
    let (text, parameters) = text_of(asked).ok()?;
    let query = looks_brief(&text).then(|| parsed(context, asked, &text, &parameters).ok()).flatten()?;
    is_brief(query.algebra()).then_some(query)
}

/// Returns whether a text may be such a query, before it is parsed.
fn looks_brief(text: &str) -> bool {
    let opens = |byte: &&u8| matches!(byte, b'{' | b'(' | b'[');
    let has_ask = || text.as_bytes().windows(3).any(|word| word.eq_ignore_ascii_case(b"ASK"));
    text.len() <= MOST && text.as_bytes().iter().filter(opens).count() == 1 && has_ask()
}

fn is_brief(query: &spargebra::Query) -> bool {
    match query {
        spargebra::Query::Ask { dataset: None, pattern: GraphPattern::Project { inner, .. }, .. } => {
            match inner.as_ref() {
                GraphPattern::Bgp { patterns } => match patterns.as_slice() {
                    [] => true,
                    [pattern] => is_looked_up(pattern),
                    _ => false,
                },
                _ => false,
            }
        }
        _ => false,
    }
}

/// Returns whether the first match of a pattern is found by a lookup in the store.
fn is_looked_up(pattern: &TriplePattern) -> bool {
    let TriplePattern { subject, predicate, object } = pattern;
    let is_known = |term: &TermPattern| matches!(term, TermPattern::NamedNode(_) | TermPattern::Literal(_));
    matches!(predicate, NamedNodePattern::NamedNode(_)) && (is_known(subject) || is_known(object))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_brief_if_its_answer_is_looked_up() {
        let brief = |text: &str| {
            let query = Query::parse(text, "test").expect("it is a query");
            looks_brief(text) && is_brief(query.algebra())
        };
        for text in [
            "ASK {}",
            "ask { <http://a.example/s> a ?type }",
            "PREFIX a: <http://a.example/> ASK WHERE { ?s a:p 'text' }",
        ] {
            assert!(brief(text), "{text}");
        }
        for text in [
            "ASK { ?s ?p ?o }",
            "ASK { ?s <http://a.example/p> ?s }",
            "ASK { <http://a.example/s> <http://a.example/p>* ?o }",
            "ASK { ?s <http://a.example/p> 1 . ?s ?p 2 }",
            "ASK { ?s <http://a.example/p> 1 FILTER(?s = ?s) }",
            "SELECT * { ?s <http://a.example/p> 'ASK' }",
        ] {
            assert!(!brief(text), "{text}");
        }
    }
}
