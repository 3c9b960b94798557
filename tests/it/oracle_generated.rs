//! Other processors as oracles on generated documents.

use crate::collecting_sink::CollectingSink;
use crate::isomorphism::{Quad, show};
use crate::oracle::unlike;
use crate::oracle_differences::excused;
use crate::oracle_documents::{Choices, document};
use crate::oracle_peers::{Peer, Question};
use evalgraph::json::{self, Limits};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, NoLoader};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn peers_agree_on_generated_documents(drawn in proptest::collection::vec(any::<u16>(), 0..120)) {
        let text = document(&mut Choices::new(&drawn));
        let ours = quads(&text);
        for peer in Peer::ALL {
            if excused(peer, &text) {
                continue;
            }
            let theirs = peer.quads(&Question { text: text.clone(), ..Question::default() });
            let difference = match (&ours, &theirs) {
                (Ok(ours), Ok(theirs)) => unlike(ours, theirs),
                (Ok(ours), Err(error)) => Some(format!("ours:\n{} theirs: {error}", show(ours))),
                (Err(error), Ok(theirs)) => Some(format!("ours: {error}\n theirs:\n{}", show(theirs))),
                (Err(_), Err(_)) => None,
            };
            if let Some(difference) = difference {
                prop_assert!(false, "{} differs on\n{text}\n{difference}", peer.name());
            }
        }
    }
}

/// Our quads of a text without base, or our error.
pub(crate) fn quads(text: &str) -> Result<BTreeSet<Quad>, String> {
    let document =
        json::parse("generated", text.to_owned(), Limits::default()).expect("generated text is JSON");
    let mut sink = CollectingSink::default();
    JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader)
        .to_rdf(&Arc::new(document), &mut sink)
        .map_err(|error| error.to_string())?;
    Ok(sink.quads())
}
