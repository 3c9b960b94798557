//! The header field `Authorization` for the requests to one server. Bearer (RFC 6750) is sent at once; Basic (RFC 7617)
//! and Digest (RFC 7616) are sent after the server has asked for them, and in every request after that.
//!
//! The client gets the field from here before each request, and passes on the challenges of each 401 response. It sends
//! the field only to the server that the credentials are for.

mod challenge;
mod digest_scheme;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::server_credentials::Credentials;
use challenge::Challenge;
use digest_scheme::{DigestRequest, DigestSession, UserPassword};

/// How the client identifies itself to one server.
#[derive(Debug)]
pub(super) struct ServerAuthorization {
    credentials: Option<Credentials>,
    scheme: Option<AuthenticationScheme>,
}

/// The scheme that a server has asked for.
#[derive(Debug)]
enum AuthenticationScheme {
    Basic,
    Digest(Box<DigestSession>),
}

impl ServerAuthorization {
    pub(super) fn new(credentials: Option<Credentials>) -> Self {
        Self { credentials, scheme: None }
    }

    /// The value of `Authorization` for a request. `None` if the server has not asked for a name and a password.
    /// `target` is the path and query as they appear in the request line.
    pub(super) fn value(&mut self, method: &str, target: &str) -> Option<String> {
        let (user, password) = match self.credentials.as_ref()? {
            Credentials::Token(token) => return Some(format!("Bearer {}", token.exposed())),
            Credentials::Login { user, password } => (user, password.exposed()),
        };
        Some(match self.scheme.as_mut()? {
            AuthenticationScheme::Basic => format!("Basic {}", STANDARD.encode(format!("{user}:{password}"))),
            AuthenticationScheme::Digest(session) => {
                session.response(UserPassword { user, password }, DigestRequest { method, target })
            }
        })
    }

    /// Processes the challenges of a server that has answered 401 to a request with this value of `Authorization`.
    /// Returns whether another request can succeed. Each 401 justifies one further request, not more.
    ///
    /// # Errors
    ///
    /// Returns in words why the server's challenges cannot be answered.
    pub(super) fn challenged(&mut self, fields: &[String], sent: Option<&str>) -> Result<bool, String> {
        let challenges: Vec<Challenge> = fields.iter().flat_map(|field| Challenge::parse(field)).collect();
        let schemes = schemes(&challenges);
        match (&self.credentials, sent) {
            (None, _) => return Err(format!("it asks for credentials{schemes}, and there are none")),
            (Some(Credentials::Token(_)), _) => return Ok(false),
            (Some(Credentials::Login { .. }), _) => {}
        }
        let is_stale = challenges.iter().any(|challenge| challenge.says("stale"));
        let has_basic = challenges.iter().any(|challenge| challenge.scheme == "basic");
        let digests = challenges.into_iter().filter(|challenge| challenge.scheme == "digest");
        let sessions = digests.filter_map(|challenge| DigestSession::new(challenge, client_nonce()));
        self.scheme = match sessions.max_by_key(|session| session.algorithm) {
            Some(session) => Some(AuthenticationScheme::Digest(Box::new(session))),
            None if has_basic => Some(AuthenticationScheme::Basic),
            None => {
                return Err(format!(
                    "it asks for credentials{schemes}, and a name and a password are sent by Digest (MD5, SHA-256) or Basic"
                ));
            }
        };
        // Some servers do not mark an expired nonce as stale. If it worked for an earlier request, it must have
        // expired.
        let was_good = |value: &str| value.contains(", nc=") && !value.contains(", nc=00000001,");
        Ok(is_stale || sent.is_none_or(was_good))
    }
}

/// The schemes of challenges in words: ` by Digest or Basic`. Empty if the server names none.
fn schemes(challenges: &[Challenge]) -> String {
    let mut names: Vec<String> =
        challenges.iter().map(|challenge| format!("`{}`", challenge.scheme)).collect();
    names.dedup();
    if names.is_empty() { String::new() } else { format!(" by {}", names.join(" or ")) }
}

/// An unpredictable nonce of the client: the keys of the standard library's hash function are random.
fn client_nonce() -> String {
    let random = || RandomState::new().hash_one(std::time::SystemTime::now());
    format!("{:016x}{:016x}", random(), random())
}

#[cfg(test)]
mod tests {
    use super::super::server_credentials::SecretText;
    use super::*;

    const DIGEST: &str = "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"";

    fn login() -> ServerAuthorization {
        let password = SecretText::new("open sesame");
        ServerAuthorization::new(Some(Credentials::Login { user: "Aladdin".to_owned(), password }))
    }

    fn challenged(
        authorization: &mut ServerAuthorization,
        field: &str,
        sent: Option<&str>,
    ) -> Result<bool, String> {
        authorization.challenged(&[field.to_owned()], sent)
    }

    /// RFC 7617, section 2.
    #[test]
    fn basic_waits_for_its_challenge() {
        let mut authorization = login();
        assert_eq!(authorization.value("GET", "/"), None);
        assert_eq!(challenged(&mut authorization, "Basic realm=\"WallyWorld\"", None), Ok(true));
        let value = authorization.value("GET", "/");
        assert_eq!(value.as_deref(), Some("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="));
        assert_eq!(challenged(&mut authorization, "Basic realm=\"WallyWorld\"", value.as_deref()), Ok(false));
    }

    #[test]
    fn the_strongest_scheme_is_taken() {
        let mut authorization = login();
        let fields =
            ["Basic realm=\"r\"", DIGEST, "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256"];
        assert_eq!(authorization.challenged(&fields.map(str::to_owned), None), Ok(true));
        let value = authorization.value("GET", "/").expect("the scheme is known");
        assert!(value.starts_with("Digest ") && value.contains("algorithm=SHA-256"), "{value}");
        // Digest does not protect bodies here, so Basic remains.
        let fields = ["Digest realm=\"r\", nonce=\"n\", qop=\"auth-int\", Basic realm=\"r\"".to_owned()];
        assert_eq!(authorization.challenged(&fields, None), Ok(true));
        assert!(authorization.value("GET", "/").is_some_and(|value| value.starts_with("Basic ")));
    }

    #[test]
    fn a_refused_password_is_not_sent_again_and_a_stale_nonce_is_replaced() {
        let mut authorization = login();
        assert_eq!(challenged(&mut authorization, DIGEST, None), Ok(true));
        let first = authorization.value("GET", "/");
        assert_eq!(challenged(&mut authorization, DIGEST, first.as_deref()), Ok(false));
        let stale = format!("{DIGEST}, stale=true");
        assert_eq!(challenged(&mut authorization, &stale, first.as_deref()), Ok(true));
        let values = [(); 2].map(|()| authorization.value("GET", "/"));
        // The nonce was good for the first of the two requests.
        assert_eq!(challenged(&mut authorization, DIGEST, values[1].as_deref()), Ok(true));
        let again = authorization.value("GET", "/").expect("the scheme is known");
        assert!(again.contains(", nc=00000001,"), "{again}");
    }

    #[test]
    fn a_token_goes_at_once() {
        let mut authorization =
            ServerAuthorization::new(Some(Credentials::Token(SecretText::new("mF_9.B5f-4.1JqM"))));
        let value = authorization.value("GET", "/");
        assert_eq!(value.as_deref(), Some("Bearer mF_9.B5f-4.1JqM"));
        let field = "Bearer realm=\"example\", error=\"invalid_token\"";
        assert_eq!(challenged(&mut authorization, field, value.as_deref()), Ok(false));
    }

    #[test]
    fn challenges_that_cannot_be_answered_are_told() {
        let mut anonymous = ServerAuthorization::new(None);
        assert_eq!(anonymous.value("GET", "/"), None);
        let told = challenged(&mut anonymous, "Basic realm=\"r\", Bearer", None);
        assert_eq!(
            told,
            Err("it asks for credentials by `basic` or `bearer`, and there are none".to_owned())
        );
        let told = challenged(&mut login(), "Negotiate", None);
        let words = "it asks for credentials by `negotiate`, and a name and a password are sent by Digest (MD5, SHA-256) or Basic";
        assert_eq!(told, Err(words.to_owned()));
        assert!(anonymous.challenged(&[], None).is_err_and(|words| !words.contains(" by ")));
    }
}
