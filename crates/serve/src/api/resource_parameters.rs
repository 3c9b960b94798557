//! The parameters of a resource of the page: which exist, and what their values mean. Unknown parameters are refused,
//! so no filter is ignored silently.

use crate::problem::ProblemDetails;
use crate::request_parameters::RequestParameters;

/// Refuses parameters that the resource does not have.
///
/// # Errors
///
/// `serve::parameter`.
pub(super) fn check_known(parameters: &RequestParameters, known: &[&str]) -> Result<(), ProblemDetails> {
    match parameters.iter().find(|(name, _)| !known.contains(name)) {
        None => Ok(()),
        Some((name, _)) => {
            let known = match known.is_empty() {
                true => "none".to_owned(),
                false => format!("`{}`", known.join("`, `")),
            };
            let message = format!("there is no parameter `{name}` here; there are {known}");
            Err(ProblemDetails::bad("serve::parameter", message))
        }
    }
}

/// Returns a required parameter.
///
/// # Errors
///
/// `serve::parameter`.
pub(super) fn needed<'p>(parameters: &'p RequestParameters, name: &str) -> Result<&'p str, ProblemDetails> {
    parameters
        .one(name)?
        .ok_or_else(|| ProblemDetails::bad("serve::parameter", format!("the parameter `{name}` is missing")))
}

/// Returns a number up to a maximum.
///
/// # Errors
///
/// `serve::parameter`.
pub(super) fn number(
    parameters: &RequestParameters,
    name: &str,
    default: usize,
    most: usize,
) -> Result<usize, ProblemDetails> {
    let Some(text) = parameters.one(name)? else { return Ok(default) };
    let number = text.parse().ok().filter(|number| *number <= most);
    number.ok_or_else(|| {
        let message = format!("`{name}` must be a number from 0 to {most}, not `{}`", shown(text));
        ProblemDetails::bad("serve::parameter", message)
    })
}

/// Returns yes or no.
///
/// # Errors
///
/// `serve::parameter`.
pub(super) fn truth(parameters: &RequestParameters, name: &str) -> Result<Option<bool>, ProblemDetails> {
    match parameters.one(name)? {
        None => Ok(None),
        Some("true") => Ok(Some(true)),
        Some("false") => Ok(Some(false)),
        Some(text) => {
            let message = format!("`{name}` is `true` or `false`, and not `{}`", shown(text));
            Err(ProblemDetails::bad("serve::parameter", message))
        }
    }
}

/// Returns yes, no, or neither if the value is empty.
///
/// # Errors
///
/// `serve::parameter`.
pub(super) fn choice(
    parameters: &RequestParameters,
    name: &str,
) -> Result<Option<Option<bool>>, ProblemDetails> {
    match parameters.one(name)? {
        Some("") => Ok(Some(None)),
        _ => Ok(truth(parameters, name)?.map(Some)),
    }
}

/// Returns the beginning of a value, for a message.
fn shown(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
