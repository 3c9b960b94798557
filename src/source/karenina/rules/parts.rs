//! Asks the rules of a reader about one part of a checkpoint that is about to be written.

use super::checker::{Checker, Profile};
use super::library_table::LIBRARY;
use super::{interface_traits, library};
use crate::json::{Document, Limits, parse};
use crate::source::karenina::keys::Keyed;

/// Tells why a reader refuses a rating; none where it takes it.
pub(in crate::source::karenina) fn refusal_of_rating(
    profile: Profile,
    rating: String,
    is_global: bool,
) -> Option<String> {
    match profile {
        Profile::Spec => None,
        Profile::Library => library::refusal_of_rating(&part(rating)?, is_global),
        Profile::Interface => {
            let document = part(format!("{{\"rating\":[{rating}]}}"))?;
            let keyed = Keyed::new(&document);
            let mut checker = Checker::new(&keyed, profile);
            let start = if is_global { "Global" } else { "QuestionSpecific" };
            interface_traits::check_rubric(&mut checker, document.root(), start);
            checker.findings.finish().results.into_iter().next().map(|result| result.message)
        }
    }
}

/// Tells why the library refuses a scenario.
pub(in crate::source::karenina) fn refusal_of_scenario(scenario: &str) -> Option<String> {
    library::refusal_of_scenario(&part(scenario.to_owned())?)
}

/// Tells whether the library refuses a value where it reads a boolean.
pub(in crate::source::karenina) fn refusal_of_boolean(value: &str) -> bool {
    part(value.to_owned()).is_some_and(|value| LIBRARY.boolean(&value, value.root()).is_none())
}

/// A part of a file that was read.
fn part(text: String) -> Option<Document> {
    parse("part", text, Limits { depth: usize::MAX, ..Limits::default() }).ok()
}
