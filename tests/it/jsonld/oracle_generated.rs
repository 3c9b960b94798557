//! Other processors as oracles on generated documents.

use crate::generated::choices::Choices;
use crate::generated::documents::document;
use crate::jsonld::collecting_sink::CollectingSink;
use crate::jsonld::oracle::unlike;
use crate::jsonld::oracle_differences::excused;
use crate::jsonld::oracle_peers::{Peer, Question};
use crate::rdf::isomorphism::{Quad, show};
use evalgraph::json::{self, Limits};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, NoLoader};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

proptest! {
    // The seed is fixed: a difference between peers that nobody has met before is not a fault of a
    // change. `PROPTEST_RNG_SEED=N` looks elsewhere.
    #![proptest_config(crate::generated::cases(800))]

    #[test]
    fn peers_agree_on_generated_documents(drawn in proptest::collection::vec(any::<u16>(), 0..120)) {
        let text = document(&mut Choices::new(&drawn));
        let (_, body) = text.split_once("/base/\"}").expect("the context ends with the base");
        let ours = quads(&text);
        for peer in Peer::ALL {
            if excused(peer, body) {
                continue;
            }
            let theirs = peer.quads(&Question { text: text.clone(), ..Question::default() });
            let difference = match (&ours, &theirs) {
                (Ok(ours), Ok(theirs)) => unlike(ours, theirs),
                (Ok(ours), Err(error)) => Some(format!("ours:\n{} theirs: {error}", show(ours))),
                // The peers look at no indexes on the way to RDF. Node Map Generation, step 6.8: "a
                // conflicting indexes error has been detected and processing is aborted".
                (Err(error), Ok(_)) if error.starts_with("conflicting indexes") => None,
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
