//! The token that clients have to send.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::HeaderMap;
use hyper::header::AUTHORIZATION;
use sha2::{Digest, Sha256};

use evalgraph_diagnostics::Diagnostic;

/// A shorter token could be guessed.
const SHORTEST: usize = 16;

/// A token. Only its digest is stored.
#[derive(Clone)]
pub struct AccessToken([u8; 32]);

impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(***)")
    }
}

impl AccessToken {
    /// Makes a token from at least sixteen visible ASCII characters.
    ///
    /// # Errors
    ///
    /// `serve::weak-token`.
    pub fn new(text: &str) -> Result<Self, Box<Diagnostic>> {
        let is_visible = text.bytes().all(|byte| byte.is_ascii_graphic());
        if text.len() < SHORTEST || !is_visible {
            let message = format!("a token needs at least {SHORTEST} characters, all of them visible ASCII");
            return Err(Box::new(Diagnostic::error("serve::weak-token", message)));
        }
        Ok(Self(digest(text.as_bytes())))
    }

    /// Returns whether a request has the token: as a bearer token, or as a password with any user name.
    pub(super) fn is_in(&self, headers: &HeaderMap) -> bool {
        let Some((scheme, given)) = shown(headers) else { return false };
        match scheme.to_ascii_lowercase().as_str() {
            "bearer" => self.is(given.as_bytes()),
            "basic" => STANDARD.decode(given).is_ok_and(|login| {
                let colon = login.iter().position(|byte| *byte == b':');
                colon.is_some_and(|colon| self.is(&login[colon + 1..]))
            }),
            _ => false,
        }
    }

    /// Returns whether a request has the token as a bearer token, which a browser never adds on its own.
    pub(super) fn is_borne(&self, headers: &HeaderMap) -> bool {
        shown(headers)
            .is_some_and(|(scheme, given)| scheme.eq_ignore_ascii_case("bearer") && self.is(given.as_bytes()))
    }

    /// Compares digests completely, so the time reveals nothing.
    fn is(&self, given: &[u8]) -> bool {
        let given = digest(given);
        self.0.iter().zip(given).fold(0, |differs, (one, other)| differs | (one ^ other)) == 0
    }
}

/// Returns the scheme and the credentials of the `Authorization` header, if there is exactly one.
fn shown(headers: &HeaderMap) -> Option<(&str, &str)> {
    let mut all = headers.get_all(AUTHORIZATION).into_iter();
    let (Some(value), None) = (all.next(), all.next()) else { return None };
    let (scheme, given) = value.to_str().ok()?.trim().split_once(' ')?;
    Some((scheme, given.trim()))
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    #[test]
    fn a_token_is_shown_as_a_bearers_or_as_a_password() {
        let token = AccessToken::new("correct-horse-battery").expect("it is long enough");
        let is_in = |value: &str| {
            let value = HeaderValue::from_str(value).expect("it is a value");
            token.is_in(&HeaderMap::from_iter([(AUTHORIZATION, value)]))
        };
        assert!(is_in("Bearer correct-horse-battery"));
        assert!(is_in("bearer  correct-horse-battery"));
        assert!(is_in(&format!("Basic {}", STANDARD.encode("anyone:correct-horse-battery"))));
        for wrong in ["Bearer", "Bearer ", "Bearer correct-horse-batter", "Basic ???", "Digest x", ""] {
            assert!(!is_in(wrong), "{wrong}");
        }
        assert!(!is_in(&format!("Basic {}", STANDARD.encode("correct-horse-battery"))));
        assert!(!token.is_in(&HeaderMap::new()));
        assert_eq!(format!("{token:?}"), "Token(***)");
        assert!(AccessToken::new("short").is_err() && AccessToken::new("a token with its spaces").is_err());
    }
}
