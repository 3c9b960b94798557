//! The credentials for a server. Their secrets are shown by nothing that formats values, and they end with the value.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A text that is never shown: a password or a token.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Keeps a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, for those that send it.
    pub(super) fn exposed(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
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
        password: Secret,
    },
    /// A token, for the scheme Bearer (RFC 6750).
    Token(Secret),
}

/// The reason why credentials cannot be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadCredentials {
    /// The name is empty, or has a colon or a control character.
    User,
    /// The password has a control character.
    Password,
    /// The token is empty, or has a character that no token has.
    Token,
}

impl Credentials {
    /// The texts that nobody may see: the secret, and what Basic makes of it.
    pub(super) fn spellings(&self) -> Vec<String> {
        match self {
            Self::Token(token) => vec![token.0.clone()],
            Self::Login { user, password } => {
                vec![password.0.clone(), STANDARD.encode(format!("{user}:{}", password.0))]
            }
        }
    }

    /// Tells whether the credentials can be sent: a header field has one line, and a colon ends the name.
    ///
    /// # Errors
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

#[test]
fn a_secret_is_not_shown() {
    let login = Credentials::Login { user: "reader".to_owned(), password: Secret::new("sesame") };
    assert_eq!(format!("{login:?}"), r#"Login { user: "reader", password: *** }"#);
    assert_eq!(format!("{:?}", Credentials::Token(Secret::new("sesame"))), "Token(***)");
}

#[test]
fn credentials_fit_into_a_line() {
    let login = |user: &str, password: &str| {
        Credentials::Login { user: user.to_owned(), password: Secret::new(password) }.check()
    };
    assert_eq!(login("Mufasa", "Circle of Life"), Ok(()));
    assert_eq!(login("Jäsøn Doe", "Sécrét: yes"), Ok(()));
    assert_eq!(login("", "x"), Err(BadCredentials::User));
    assert_eq!(login("a:b", "x"), Err(BadCredentials::User));
    assert_eq!(login("a\r\nX: y", "x"), Err(BadCredentials::User));
    assert_eq!(login("a", "x\ny"), Err(BadCredentials::Password));
    let token = |token: &str| Credentials::Token(Secret::new(token)).check();
    assert_eq!(token("mF_9.B5f-4.1JqM=="), Ok(()));
    for wrong in ["", "a b", "a\r\nX: y", "tökén"] {
        assert_eq!(token(wrong), Err(BadCredentials::Token), "{wrong}");
    }
}
