//! The door of a server: who may come in, and what the others are told.

use md5::{Digest, Md5};

use crate::http_server::{Answer, Request};

/// Who may come in.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Guard {
    /// Everybody.
    None,
    /// Those whose field `Authorization` has this value; the challenge is the second one.
    Field(&'static str, &'static str),
    /// Those who know this password of a user, by RFC 7616 with MD5.
    Digest(&'static str, &'static str),
}

const NONCE: &str = "dcd98b7102dd2f0e8b11d0f600bfb0c093";

impl Guard {
    /// The answer to a request that may not come in.
    pub(super) fn challenge(self, request: &Request) -> Option<Answer> {
        let said = request.field("authorization").unwrap_or_default();
        let (is_in, challenge) = match self {
            Self::None => return None,
            Self::Field(value, challenge) => (said == value, challenge.to_owned()),
            Self::Digest(user, password) => {
                let challenge =
                    format!("Digest realm=\"tests\", qop=\"auth\", algorithm=MD5, nonce=\"{NONCE}\"");
                (is_digest(said, request, user, password), challenge)
            }
        };
        (!is_in).then(|| Answer::status(401, "who are you?").with("WWW-Authenticate", challenge))
    }
}

fn is_digest(said: &str, request: &Request, user: &str, password: &str) -> bool {
    let part = |name: &str| {
        let words = said.strip_prefix("Digest ").unwrap_or_default().split(", ");
        let found = words.filter_map(|word| word.split_once('=')).find(|(own, _)| *own == name);
        found.map(|(_, value)| value.trim_matches('"').to_owned()).unwrap_or_default()
    };
    let who = hash(&format!("{user}:tests:{password}"));
    let asked = hash(&format!("{}:{}", request.method, request.path));
    let words = [who, part("nonce"), part("nc"), part("cnonce"), part("qop"), asked];
    part("nonce") == NONCE && part("uri") == request.path && part("response") == hash(&words.join(":"))
}

fn hash(text: &str) -> String {
    Md5::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
