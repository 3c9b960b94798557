//! The Digest scheme (RFC 7616): the client proves that it knows the password without sending it.

use md5::{Digest as _, Md5};
use sha2::Sha256;

use super::challenge::Challenge;
use evalgraph_rdf::iri::percent_encode_into;

/// The hash function of a challenge, from weakest to strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DigestAlgorithm {
    Md5,
    Sha256,
}

/// A name and its password.
#[derive(Clone, Copy)]
pub(super) struct UserPassword<'l> {
    pub(super) user: &'l str,
    pub(super) password: &'l str,
}

/// The parts of a request that the response to a challenge covers.
#[derive(Clone, Copy)]
pub(super) struct DigestRequest<'r> {
    pub(super) method: &'r str,
    /// Path and query, as they appear in the request line.
    pub(super) target: &'r str,
}

/// A challenge that each request answers until the server sends another one.
#[derive(Debug)]
pub(super) struct DigestSession {
    challenge: Challenge,
    pub(super) algorithm: DigestAlgorithm,
    is_session: bool,
    has_quality: bool,
    client_nonce: String,
    count: u32,
}

impl DigestSession {
    /// Accepts a challenge of the scheme. `None` if its algorithm is unknown, or if it asks for the protection of
    /// bodies (`auth-int`), for which bodies would have to be read twice.
    pub(super) fn new(challenge: Challenge, client_nonce: String) -> Option<Self> {
        let name = challenge.parameter("algorithm").unwrap_or("MD5").to_ascii_lowercase();
        let algorithm = match name.trim_end_matches("-sess") {
            "md5" => DigestAlgorithm::Md5,
            "sha-256" => DigestAlgorithm::Sha256,
            _ => return None,
        };
        challenge.parameter("nonce")?;
        // A challenge without `qop` is one of RFC 2069.
        let has_quality = challenge.parameter("qop").is_some_and(|qualities| !qualities.trim().is_empty());
        let qualities = challenge.parameter("qop").unwrap_or_default();
        let is_known = qualities.split(',').any(|quality| quality.trim().eq_ignore_ascii_case("auth"));
        if has_quality && !is_known {
            return None;
        }
        let is_session = name.ends_with("-sess");
        Some(Self { challenge, algorithm, is_session, has_quality, client_nonce, count: 0 })
    }

    /// The value of `Authorization` for the next request.
    pub(super) fn response(&mut self, login: UserPassword<'_>, request: DigestRequest<'_>) -> String {
        self.count = self.count.saturating_add(1);
        let given = |name: &str| self.challenge.parameter(name).unwrap_or_default();
        let (realm, nonce, client_nonce) = (given("realm"), given("nonce"), &self.client_nonce);
        let count = format!("{:08x}", self.count);
        let mut secret = self.hash(&format!("{}:{realm}:{}", login.user, login.password));
        if self.is_session {
            secret = self.hash(&format!("{secret}:{nonce}:{client_nonce}"));
        }
        let covered = self.hash(&format!("{}:{}", request.method, request.target));
        let response = self.hash(&match self.has_quality {
            true => format!("{secret}:{nonce}:{count}:{client_nonce}:auth:{covered}"),
            false => format!("{secret}:{nonce}:{covered}"),
        });
        let mut value = format!(
            "Digest {}, realm={}, nonce={}, uri={}, response=\"{response}\"",
            self.user(login.user, realm),
            quoted(realm),
            quoted(nonce),
            quoted(request.target)
        );
        if let Some(algorithm) = self.challenge.parameter("algorithm") {
            value.push_str(&format!(", algorithm={algorithm}"));
        }
        if let Some(opaque) = self.challenge.parameter("opaque") {
            value.push_str(&format!(", opaque={}", quoted(opaque)));
        }
        if self.has_quality {
            value.push_str(&format!(", qop=auth, nc={count}"));
        }
        if self.has_quality || self.is_session {
            value.push_str(&format!(", cnonce={}", quoted(client_nonce)));
        }
        value
    }

    /// The parameter with the user name: hashed if the server asks for it (section 3.4.4), percent-encoded if a quoted
    /// string cannot contain its characters (RFC 8187).
    fn user(&self, user: &str, realm: &str) -> String {
        if self.challenge.says("userhash") {
            return format!("username=\"{}\", userhash=true", self.hash(&format!("{user}:{realm}")));
        }
        if user.is_ascii() {
            return format!("username={}", quoted(user));
        }
        let mut encoded = String::new();
        percent_encode_into(user, &mut encoded);
        format!("username*=UTF-8''{encoded}")
    }

    fn hash(&self, text: &str) -> String {
        match self.algorithm {
            DigestAlgorithm::Md5 => hexadecimal(&Md5::digest(text)),
            DigestAlgorithm::Sha256 => hexadecimal(&Sha256::digest(text)),
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONCE: &str = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v";
    const CLIENT_NONCE: &str = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";
    const REQUEST: DigestRequest<'_> = DigestRequest { method: "GET", target: "/dir/index.html" };

    fn session(challenge: &str) -> Option<DigestSession> {
        DigestSession::new(Challenge::parse(challenge).remove(0), CLIENT_NONCE.to_owned())
    }

    fn parameter(value: &str, name: &str) -> String {
        let challenge = Challenge::parse(value).remove(0);
        challenge.parameter(name).unwrap_or_default().to_owned()
    }

    /// RFC 7616, section 3.9.1.
    #[test]
    fn the_examples_of_the_specification_are_answered_as_there() {
        let login = UserPassword { user: "Mufasa", password: "Circle of Life" };
        let opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS";
        for (algorithm, response) in [
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ] {
            let challenge = format!(
                "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm={algorithm}, \
                 nonce=\"{NONCE}\", opaque=\"{opaque}\""
            );
            let value = session(&challenge).expect("a known algorithm").response(login, REQUEST);
            assert_eq!(
                value,
                format!(
                    "Digest username=\"Mufasa\", realm=\"http-auth@example.org\", nonce=\"{NONCE}\", \
                     uri=\"/dir/index.html\", response=\"{response}\", algorithm={algorithm}, \
                     opaque=\"{opaque}\", qop=auth, nc=00000001, cnonce=\"{CLIENT_NONCE}\""
                )
            );
        }
    }

    /// RFC 2617, section 3.5, and RFC 2069, section 2.4, with the response of its errata.
    #[test]
    fn older_servers_are_answered_too() {
        let login = UserPassword { user: "Mufasa", password: "Circle Of Life" };
        let challenge = "Digest realm=\"testrealm@host.com\", qop=\"auth,auth-int\", \
                         nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\"";
        let challenge = Challenge::parse(challenge).remove(0);
        let mut session = DigestSession::new(challenge, "0a4f113b".to_owned()).expect("MD5 is the default");
        let value = session.response(login, REQUEST);
        assert_eq!(parameter(&value, "response"), "6629fae49393a05397450978507c4ef1");
        let login = UserPassword { user: "Mufasa", password: "CircleOfLife" };
        let challenge = "Digest realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\"";
        let value = self::session(challenge).expect("it needs no `qop`").response(login, REQUEST);
        assert_eq!(parameter(&value, "response"), "1949323746fe6a43ef61f9606e7febea");
        assert!(!value.contains("cnonce") && !value.contains("nc="), "{value}");
    }

    #[test]
    fn requests_are_counted_and_a_session_keeps_its_key() {
        let login = UserPassword { user: "Mufasa", password: "Circle of Life" };
        let challenge = "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=MD5-sess";
        let mut session = session(challenge).expect("a known algorithm");
        let first = session.response(login, REQUEST);
        let second = session.response(login, REQUEST);
        assert_eq!(
            (parameter(&first, "nc"), parameter(&second, "nc")),
            ("00000001".into(), "00000002".into())
        );
        assert_eq!(parameter(&first, "algorithm"), "MD5-sess");
        let md5 = |text: &str| hexadecimal(&Md5::digest(text));
        let key = md5(&format!("{}:n:{CLIENT_NONCE}", md5("Mufasa:r:Circle of Life")));
        let covered = md5("GET:/dir/index.html");
        let response = md5(&format!("{key}:n:00000002:{CLIENT_NONCE}:auth:{covered}"));
        assert_eq!(parameter(&second, "response"), response);
    }

    #[test]
    fn names_go_as_the_server_reads_them() {
        let challenge = "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256";
        let user = |user, challenge: &str| {
            let login = UserPassword { user, password: "x" };
            session(challenge).expect("a known algorithm").response(login, REQUEST)
        };
        assert!(user("a\"b\\", challenge).starts_with("Digest username=\"a\\\"b\\\\\", realm="));
        assert!(
            user("Jäsøn Doe", challenge).starts_with("Digest username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, realm=")
        );
        let hashed = hexadecimal(&Sha256::digest("Jäsøn Doe:r"));
        let value = user("Jäsøn Doe", &format!("{challenge}, userhash=true"));
        assert!(value.starts_with(&format!("Digest username=\"{hashed}\", userhash=true, realm=")));
    }

    #[test]
    fn challenges_that_cannot_be_answered_are_left() {
        assert!(session("Digest realm=\"r\", nonce=\"n\", qop=\"auth-int\"").is_none());
        assert!(session("Digest realm=\"r\", nonce=\"n\", algorithm=SHA-512-256").is_none());
        assert!(session("Digest realm=\"r\"").is_none());
    }
}
