//! The credentials for a server. Formatting a value never shows its secrets.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use memchr::memmem;

use evalgraph_rdf::iri::percent_encode_into;

/// A secret that is never shown: a password or a token.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretText(String);

impl SecretText {
    /// Wraps a secret.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The secret itself, for sending it.
    pub(super) fn exposed(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// The credentials for a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credentials {
    /// A name and a password, for the schemes Basic (RFC 7617) and Digest (RFC 7616).
    Login {
        /// The name.
        user: String,
        /// The password.
        password: SecretText,
    },
    /// A token, for the scheme Bearer (RFC 6750).
    Token(SecretText),
}

/// The reason why credentials cannot be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadCredentials {
    /// The name is empty, or has a colon or a control character.
    User,
    /// The password has a control character.
    Password,
    /// The token is empty, or has a character that is not allowed in tokens.
    Token,
}

impl Credentials {
    /// Returns whether a text contains a part of the secret: literally, as encoded in a URL or in JSON, or as encoded
    /// by Basic. A server's messages may contain any of these.
    pub(super) fn are_in(&self, text: &str) -> bool {
        let (secret, basic) = match self {
            Self::Token(token) => (&token.0, String::new()),
            Self::Login { user, password } => {
                (&password.0, STANDARD.encode(format!("{user}:{}", password.0)))
            }
        };
        let mut encoded = String::new();
        percent_encode_into(secret, &mut encoded);
        let escaped = serde_json::Value::from(secret.as_str()).to_string();
        [secret.as_str(), &basic, &encoded, escaped.trim_matches('"')]
            .into_iter()
            .any(|spelling| has_piece(text, spelling))
    }

    /// Checks that the credentials can be sent: a header field has one line, and a colon ends the name.
    ///
    /// # Errors
    ///
    /// The part that cannot be sent.
    pub fn check(&self) -> Result<(), BadCredentials> {
        match self {
            Self::Login { user, .. } if user.is_empty() || user.contains([':']) => Err(BadCredentials::User),
            Self::Login { user, .. } if user.contains(char::is_control) => Err(BadCredentials::User),
            Self::Login { password, .. } if password.0.contains(char::is_control) => {
                Err(BadCredentials::Password)
            }
            Self::Token(token)
                if token.0.is_empty() || !token.0.bytes().all(|byte| byte.is_ascii_graphic()) =>
            {
                Err(BadCredentials::Token)
            }
            Self::Login { .. } | Self::Token(_) => Ok(()),
        }
    }
}

/// How many consecutive bytes count as a part of a secret: a message may be cut anywhere.
const PIECE: usize = 8;

fn has_piece(text: &str, secret: &str) -> bool {
    let mut pieces = secret.as_bytes().windows(secret.len().clamp(1, PIECE));
    pieces.any(|piece| memmem::find(text.as_bytes(), piece).is_some())
}

#[test]
fn a_secret_is_found_however_it_is_written() {
    let password = SecretText::new("Open \"Sesame\" now");
    let login = Credentials::Login { user: "ada".to_owned(), password };
    let shown = [
        "with Open \"Sesam…",
        "?p=Open%20%22Sesame",
        "{\"p\": \"Open \\\"Sesame\\\" now\"}",
        "YWRhOk9wZW4gIlN",
    ];
    for text in shown {
        assert!(login.are_in(text), "{text}");
    }
    assert!(!login.are_in("Sesame is open now, ada"));
    assert!(!Credentials::Token(SecretText::new("")).are_in("anything"));
}

#[test]
fn a_secret_is_not_shown() {
    let login = Credentials::Login { user: "reader".to_owned(), password: SecretText::new("sesame") };
    assert_eq!(format!("{login:?}"), r#"Login { user: "reader", password: *** }"#);
    assert_eq!(format!("{:?}", Credentials::Token(SecretText::new("sesame"))), "Token(***)");
}

#[test]
fn credentials_fit_into_a_line() {
    let login = |user: &str, password: &str| {
        Credentials::Login { user: user.to_owned(), password: SecretText::new(password) }.check()
    };
    assert_eq!(login("Mufasa", "Circle of Life"), Ok(()));
    assert_eq!(login("Jäsøn Doe", "Sécrét: yes"), Ok(()));
    assert_eq!(login("", "x"), Err(BadCredentials::User));
    assert_eq!(login("a:b", "x"), Err(BadCredentials::User));
    assert_eq!(login("a\r\nX: y", "x"), Err(BadCredentials::User));
    assert_eq!(login("a", "x\ny"), Err(BadCredentials::Password));
    let token = |token: &str| Credentials::Token(SecretText::new(token)).check();
    assert_eq!(token("mF_9.B5f-4.1JqM=="), Ok(()));
    for wrong in ["", "a b", "a\r\nX: y", "tökén"] {
        assert_eq!(token(wrong), Err(BadCredentials::Token), "{wrong}");
    }
}
