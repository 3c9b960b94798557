//! Questions that are answered where they were read: to hand them to a thread of evaluations, and the answer back, takes more time than
//! they do.
//!
//! These are ASK of nothing, as a client asks to see whether the server is there, and of one triple pattern, which is looked up.

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

/// The longest text that is looked at.
const MOST: usize = 1 << 10;

/// Answers a request if it is such a question; else returns the reply.
pub(super) fn answer(
    context: &ServerContext,
    asked: &ReceivedRequest,
    reply: ReplySender,
) -> Option<ReplySender> {
    let Some(query) = question(context, asked) else { return Some(reply) };
    let Some(seen) = context.data.at_hand() else { return Some(reply) };
    let reply = Rc::new(reply);
    let work = || evaluate_over(seen, asked, query, CancellationToken::new(), &reply);
    // A panic ends the answer with an error as the reply is dropped.
    if let Ok(done) = catch_unwind(AssertUnwindSafe(work)) {
        reply.finish(done);
    }
    None
}

fn question(context: &ServerContext, asked: &ReceivedRequest) -> Option<Query> {
    if !matches!(asked.route, ServerRoute::Query) || !asked.is_small() {
        return None;
    }
    // What is at fault is explained elsewhere.
    let (text, parameters) = text_of(asked).ok()?;
    let query = looks_brief(&text).then(|| parsed(context, asked, &text, &parameters).ok()).flatten()?;
    is_brief(query.algebra()).then_some(query)
}

/// Returns whether a text may be such a question, before it is parsed.
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

/// Returns whether the first triple of a pattern is the first of a run of the store.
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
