//! Rule K-S13: the identifiers of a checkpoint have the patterns of the specification, section "URI Schemes".
//!
//! The part after the prefix names something in the file: the question of the item, the text of the question, or the
//! trait. Normalised texts are compared by their letters and digits, since the specification does not say how a trait's
//! name is normalised, and its programs differ.

use super::checkpoint_checker::CheckpointChecker;
use super::spec_table::ID;
use crate::checking::IsoTimestamp;
use crate::checkpoint::identifiers::{interface_question_id, python_question_id};
use evalgraph_json::TokenId;

const URN: &str = "urn:uuid:";

/// Checks the id of the checkpoint: it contains the time of creation, as a date or in milliseconds.
pub(super) fn check_checkpoint(checker: &mut CheckpointChecker<'_>, root: TokenId) {
    let Some(rest) = after(checker, root, "urn:uuid:karenina-checkpoint-") else { return };
    let is_number = rest.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number && IsoTimestamp::parse(&rest).is_none() {
        checker.found_other(&ID, root, "@id", "which does not end in a timestamp");
    }
}

/// Checks the id of a question: its text as a slug, then a hash. Any hash is accepted, because the specification's
/// formula gives the hash 0 for every text and its programs write others.
pub(super) fn check_question(checker: &mut CheckpointChecker<'_>, question: TokenId) {
    let Some(rest) = after(checker, question, "urn:uuid:question-") else { return };
    let Some(text) = checker.text(question, "text") else { return };
    let slug = rest.rsplit_once('-').map_or(rest.as_str(), |(slug, _)| slug);
    let ids = [interface_question_id(&text), python_question_id(&text)];
    let is_of_text = ids.iter().any(|id| {
        let id = id.trim_start_matches("urn:uuid:question-");
        id.rsplit_once('-').is_some_and(|(own, _)| letters(own) == letters(slug))
    });
    if !is_of_text {
        checker.found_other(&ID, question, "@id", "which is not made of the question's text");
    }
}

/// Checks the id of an answer or a template, which ends in the id of the item around it.
pub(super) fn check_part(checker: &mut CheckpointChecker<'_>, item: TokenId, part: TokenId, start: &str) {
    let Some(rest) = after(checker, part, start) else { return };
    let id = checker.text(item, "@id");
    let Some(question) = id.as_deref().and_then(|id| id.strip_prefix(URN)) else { return };
    if rest != question {
        checker.found_other(&ID, part, "@id", &format!("not `{start}{question}`"));
    }
}

/// Checks the id of a rating, which begins with the name of its trait; a suffix may distinguish ratings of the same
/// name.
pub(super) fn check_rating(checker: &mut CheckpointChecker<'_>, rating: TokenId) {
    let Some(rest) = after(checker, rating, "urn:uuid:rating-") else { return };
    let Some(name) = checker.text(rating, "name") else { return };
    if !letters(&rest).starts_with(&letters(&name)) {
        checker.found_other(&ID, rating, "@id", &format!("which does not name the trait `{name}`"));
    }
}

/// Checks the beginning of an id, if there is one.
pub(super) fn check_start(checker: &mut CheckpointChecker<'_>, object: TokenId, start: &str) {
    after(checker, object, start);
}

/// Returns the part of an id after its prefix. Reports an id without the prefix or with nothing after it.
fn after(checker: &mut CheckpointChecker<'_>, object: TokenId, start: &str) -> Option<String> {
    checker.document.get(object, "@id")?;
    checker.look(&ID);
    let id = checker.text(object, "@id").unwrap_or_default();
    let rest = id.strip_prefix(start).filter(|rest| !rest.is_empty()).map(str::to_owned);
    if rest.is_none() {
        checker.found_other(&ID, object, "@id", &format!("not `{start}…`"));
    }
    rest
}

/// Returns the letters and digits of a text, in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
