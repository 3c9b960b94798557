//! A new question, and its id.

use chrono::{DateTime, Utc};
use oxrdf::vocab::xsd;
use oxrdf::{Literal, Term};
use serde_json::{Value, json};

use super::scope::QuestionScope;
use evalgraph_diagnostics::RunFailure;

/// A question to add.
#[derive(Debug, Clone, Copy)]
pub struct NewQuestion<'n> {
    pub(crate) text: &'n str,
    pub(crate) answer: &'n str,
    pub(crate) finished: Option<bool>,
    pub(crate) keywords: &'n [String],
    /// The time for dates.
    pub now: DateTime<Utc>,
}

/// Returns the id that follows the last one: the next number, or the text of the last id with the next number at its
/// end.
///
/// # Errors
///
/// `next-id`, with the command's prefix, if no id ends with a number.
pub fn next_id(scope: QuestionScope<'_>, ids: impl Iterator<Item = Term>) -> Result<Value, RunFailure> {
    let mut last: Option<(u64, Literal, usize)> = None;
    for id in ids {
        let Term::Literal(id) = id else { continue };
        let digits = id.value().bytes().rev().take_while(u8::is_ascii_digit).count();
        let number = id.value()[id.value().len() - digits..].parse().ok().filter(|number| *number < u64::MAX);
        if let Some(number) = number
            && last.as_ref().is_none_or(|(known, ..)| *known < number)
        {
            last = Some((number, id, digits));
        }
    }
    let Some((number, id, digits)) = last else {
        let message = "the ids of the other questions do not end with a number, so the next id is unknown";
        let help = "write the question into its file, with an id";
        return Err(scope.fault("next-id", message).with_help(help).into());
    };
    let next = number + 1;
    if id.datatype() == xsd::INTEGER {
        return Ok(json!(next));
    }
    let text = id.value();
    Ok(json!(format!("{}{next:0digits$}", &text[..text.len() - digits])))
}
