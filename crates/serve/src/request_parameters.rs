//! The parameters of a request: in its URL, or in a form (`application/x-www-form-urlencoded`).

use super::problem::ProblemDetails;
use evalgraph_rdf::iri::percent_decode_bytes;

/// Names with values, in order. Names can be repeated.
#[derive(Debug, Clone, Default)]
pub(super) struct RequestParameters(Vec<(String, String)>);

impl RequestParameters {
    /// Reads parameters from a form or from a URL, where they follow the `?`.
    ///
    /// # Errors
    ///
    /// `serve::utf-8`.
    pub(super) fn read(text: &str) -> Result<Self, ProblemDetails> {
        let pairs = text.split('&').filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Ok((decoded(name)?, decoded(value)?))
        });
        pairs.collect::<Result<_, _>>().map(Self)
    }

    /// Adds the parameters of a form to those of the URL.
    pub(super) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Returns all values of a name.
    pub(super) fn all<'p>(&'p self, name: &'p str) -> impl Iterator<Item = &'p str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns whether there are no parameters.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a name occurs.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// Returns the only value of a name.
    ///
    /// # Errors
    ///
    /// `serve::parameter` if it occurs twice.
    pub(super) fn one(&self, name: &str) -> Result<Option<&str>, ProblemDetails> {
        let mut values = self.0.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let first = values.next();
        match values.next() {
            None => Ok(first),
            Some(_) => {
                Err(ProblemDetails::bad("serve::parameter", format!("`{name}` is there more than once")))
            }
        }
    }

    /// Returns all names with their values.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// Decodes a string of a form: `+` is a space.
fn decoded(text: &str) -> Result<String, ProblemDetails> {
    utf_8(percent_decode_bytes(&text.replace('+', " ")))
}

/// Returns the text of bytes that a client has sent.
///
/// # Errors
///
/// `serve::utf-8`.
pub(super) fn utf_8(bytes: Vec<u8>) -> Result<String, ProblemDetails> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        ProblemDetails::bad("serve::utf-8", format!("the request is not UTF-8 from byte {at} on"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded_and_counted() {
        let parameters =
            RequestParameters::read("query=ASK%20%7B%7D&a=1+2&b&a=%2B&&c=x=y").expect("it is UTF-8");
        assert_eq!(parameters.one("query").expect("it is there once"), Some("ASK {}"));
        assert_eq!(parameters.all("a").collect::<Vec<_>>(), ["1 2", "+"]);
        assert_eq!(parameters.one("a").expect_err("it is there twice").code(), "serve::parameter");
        assert_eq!(parameters.one("b").expect("it is there once"), Some(""));
        assert_eq!(parameters.one("c").expect("it is there once"), Some("x=y"));
        assert!(!parameters.has("d"));
        assert_eq!(RequestParameters::read("a=%FF").expect_err("it is not UTF-8").code(), "serve::utf-8");
    }
}
