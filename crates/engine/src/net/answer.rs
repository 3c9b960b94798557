//! The response of a server: its header fields, its status in words, and a body that is read as a stream.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use ureq::http::{HeaderMap, Response};
use ureq::{Body, BodyReader};

use super::net_fault::{ANSWER, FAILED, NetFault, REDIRECT, ResponseBounds, UNAUTHORIZED};
use super::server_credentials::Credentials;
use super::target::RequestTarget;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::help::{help, setting};

/// How many bytes of an error response are read to find its reason.
const MOST_REASON: u64 = 16 << 10;

/// How many characters of a reason are shown.
const SHOWN: usize = 200;

/// The response of a server.
#[derive(Debug)]
pub struct ClientResponse {
    /// The status code.
    pub status: u16,
    fields: HeaderMap,
    body: Body,
    target: RequestTarget,
    bounds: ResponseBounds,
}

/// The body of a response. Its errors carry the fault; [`fault_of`] extracts it.
pub struct AnswerReader {
    body: DecodedBody,
    target: RequestTarget,
    bounds: ResponseBounds,
}

/// The body as a stream, by its coding.
enum DecodedBody {
    Identity(BodyReader<'static>),
    Gzip(Box<MultiGzDecoder<BodyReader<'static>>>),
    /// An unknown coding, in words.
    Other(String),
}

impl DecodedBody {
    fn new(body: Body, content: &str, transfer: &str) -> Self {
        let body = body.into_with_config().limit(u64::MAX).reader();
        // Some servers compress although the request does not allow it.
        match (transfer, content) {
            ("" | "identity" | "chunked", "" | "identity") => Self::Identity(body),
            ("" | "identity" | "chunked", "gzip" | "x-gzip") => {
                Self::Gzip(Box::new(MultiGzDecoder::new(body)))
            }
            ("" | "identity" | "chunked", _) => {
                Self::Other(format!("compresses with `{content}`, which was not asked for"))
            }
            _ => Self::Other(format!("sends in the coding `{transfer}`, which is not known")),
        }
    }
}

impl ClientResponse {
    pub(super) fn from_response(
        response: Response<Body>,
        target: &RequestTarget,
        bounds: ResponseBounds,
    ) -> Self {
        let (head, body) = response.into_parts();
        let status = head.status.as_u16();
        Self { status, fields: head.headers, body, target: target.clone(), bounds }
    }

    /// The value of the first header field with a name.
    pub fn field(&self, name: &str) -> Option<String> {
        self.all(name).into_iter().next()
    }

    /// The values of all header fields with a name.
    pub(super) fn all(&self, name: &str) -> Vec<String> {
        let values = self.fields.get_all(name).iter();
        values.map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_owned()).collect()
    }

    /// The media type, in lower case and without parameters. Empty if the server sends none.
    pub fn media_type(&self) -> String {
        let named = self.field("content-type").unwrap_or_default();
        named.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// The body as a stream, decompressed.
    pub fn reader(self) -> AnswerReader {
        let coding = |name| self.field(name).unwrap_or_default().to_ascii_lowercase();
        let (content, transfer) = (coding("content-encoding"), coding("transfer-encoding"));
        let Self { body, target, bounds, .. } = self;
        AnswerReader { body: DecodedBody::new(body, &content, &transfer), target, bounds }
    }

    /// The whole body, of at most `most` bytes.
    ///
    /// # Errors
    ///
    /// Fails if it is longer, or is cut off.
    pub fn bytes(self, most: u64) -> Result<Vec<u8>, Box<Diagnostic>> {
        Ok(self.whole(most)?)
    }

    /// Like [`ClientResponse::bytes`], but with the original fault.
    pub(super) fn whole(self, most: u64) -> Result<Vec<u8>, NetFault> {
        let too_large = NetFault::too_large(&self.target, ResponseBounds { size: most, ..self.bounds });
        if self.body.content_length().is_some_and(|length| length > most) {
            return Err(too_large);
        }
        let mut bytes = Vec::new();
        let read = self.reader().take(most.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(fault_in)?;
        if bytes.len() as u64 > most { Err(too_large) } else { Ok(bytes) }
    }

    /// The fault that a status means. It quotes the first words of the server's reason, unless they contain a part of
    /// the credentials.
    pub(super) fn fault(self, credentials: Option<&Credentials>) -> NetFault {
        let (status, host) = (self.status, self.target.to_string());
        let shown = host.split('?').next().unwrap_or_default().to_owned();
        let reason = self.reason(credentials).map(|reason| format!(": {reason}")).unwrap_or_default();
        let (code, what) = match status {
            401 if credentials.is_some() => (UNAUTHORIZED, "does not accept the credentials (401)"),
            401 => (UNAUTHORIZED, "asks for credentials (401)"),
            403 => ("server::forbidden", "does not allow it (403)"),
            404 => ("server::not-found", "does not exist"),
            410 => ("server::not-found", "no longer exists"),
            413 => ("server::too-large", "does not accept a request of this size (413)"),
            429 => ("server::busy", "wants fewer requests (429)"),
            507 => (FAILED, "has no room (507)"),
            500.. => (FAILED, "failed"),
            300..=399 => (REDIRECT, "redirects"),
            _ => ("server::refused", "refuses the request"),
        };
        let what = if what.ends_with(')') { what.to_owned() } else { format!("{what} ({status})") };
        let fault = NetFault::new(code, format!("`{shown}` {what}{reason}"));
        match status {
            401 if credentials.is_some() => {
                fault.with_help("does the user exist there, and is the password or token right?")
            }
            401 | 403 if credentials.is_none() => fault.with_help(help![
                "name a user with ",
                setting("user"),
                " and a password with ",
                setting("password-file"),
                ", or a token with ",
                setting("token-file")
            ]),
            404 | 405 | 410 => fault.with_help("is this the address of the dataset or repository?"),
            413 => fault.with_help("the server, or a proxy before it, limits the size of requests"),
            _ => fault,
        }
    }

    /// The first words of a plain text, or the title of a page, unless it contains a part of the credentials.
    pub(super) fn reason(self, credentials: Option<&Credentials>) -> Option<String> {
        let media_type = self.media_type();
        let is_page = matches!(media_type.as_str(), "text/html" | "application/xhtml+xml");
        let is_plain = ["text/plain", "application/json", "application/problem+json"];
        if !is_page && !is_plain.contains(&media_type.as_str()) {
            return None;
        }
        let mut bytes = Vec::new();
        // The part that was read before an error still gives a reason.
        let _ = self.reader().take(MOST_REASON).read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes);
        if credentials.is_some_and(|credentials| credentials.are_in(&text)) {
            return None;
        }
        let text = if is_page { title(&text)? } else { &text };
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown: String = words.chars().take(SHOWN).collect();
        let dots = if shown.len() < words.len() { "…" } else { "" };
        (!shown.is_empty()).then(|| format!("{shown}{dots}"))
    }
}

/// The title of a page.
fn title(page: &str) -> Option<&str> {
    let lower = page.to_ascii_lowercase();
    let start = lower.find("<title")?;
    let start = start + lower[start..].find('>')? + 1;
    let end = start + lower[start..].find("</title")?;
    page.get(start..end)
}

impl Read for AnswerReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.body {
            DecodedBody::Identity(body) => body.read(buffer),
            DecodedBody::Gzip(body) => body.read(buffer),
            DecodedBody::Other(does) => {
                let message = format!("`{}` {does}", self.target.authority);
                return Err(io::Error::other(NetFault::new(ANSWER, message)));
            }
        };
        read.map_err(|error| io::Error::other(NetFault::of_body(error, &self.target, self.bounds)))
    }
}

/// The fault inside an error of [`AnswerReader`].
pub fn fault_of(error: io::Error) -> Box<Diagnostic> {
    fault_in(error).into()
}

fn fault_in(error: io::Error) -> NetFault {
    error.downcast::<NetFault>().unwrap_or_else(|error| {
        NetFault::new(ANSWER, format!("the answer of the server cannot be read: {error}"))
    })
}
