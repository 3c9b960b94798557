//! A request, read whole: its method, parameters, headers and body.

use std::io::Read;
use std::net::IpAddr;
use std::time::Duration;

use hyper::body::{Body as _, Incoming};
use hyper::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, VIA};
use hyper::{HeaderMap, Method, StatusCode};
use tokio::time::{Instant, timeout_at};

use super::negotiation::{compression, takes_identity};
use super::parameters::{Parameters, utf_8};
use super::problem::Problem;
use super::route::Route;
use crate::diagnostic::thousands;
use crate::input::compression::Compression;

/// A body that comes slower than this in bytes a second has no end.
const SLOWEST: u64 = 1 << 10;

/// The protocol by which clients speak to a proxy.
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The media type of forms.
pub(super) const FORM: &str = "application/x-www-form-urlencoded";

/// The headers by which a proxy says that it passes a request on.
const OF_PROXIES: [HeaderName; 3] =
    [HeaderName::from_static("x-forwarded-for"), HeaderName::from_static("forwarded"), VIA];

/// Tells whether a client runs on this machine, and is no proxy for one that may not.
pub(super) fn is_near(client: IpAddr, headers: &HeaderMap) -> bool {
    client.to_canonical().is_loopback() && !OF_PROXIES.iter().any(|name| headers.contains_key(name))
}

/// A request.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) method: Method,
    pub(super) route: Route,
    /// The path of the URL, as it was sent.
    pub(super) path: String,
    /// The name and the port by which the client calls the server.
    pub(super) authority: String,
    pub(super) parameters: Parameters,
    pub(super) headers: HeaderMap,
    /// Whether the client runs on this machine.
    pub(super) client_is_near: bool,
    /// The body as it was sent.
    pub(super) body: Vec<u8>,
    /// The most bytes of the body after decompression.
    pub(super) max_body: u64,
}

impl Asked {
    /// The text of a header.
    pub(super) fn header(&self, name: &HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The compression of an answer: the one that the client likes best. What stays on this machine comes sooner without,
    /// and has one only for a client that takes nothing else.
    pub(super) fn compression(&self) -> Option<Compression> {
        let is_left_out = self.client_is_near && takes_identity(&self.headers);
        if is_left_out { None } else { compression(&self.headers) }
    }

    /// The URL of the server, without a slash at its end. A proxy tells that clients speak to it by TLS; whoever else says so
    /// changes only the answer to itself.
    pub(super) fn server(&self) -> String {
        let is_secure =
            self.header(&FORWARDED_PROTO).is_some_and(|proto| proto.eq_ignore_ascii_case("https"));
        format!("{}://{}", if is_secure { "https" } else { "http" }, self.authority)
    }

    /// The URL, without its parameters.
    pub(super) fn url(&self) -> String {
        self.server() + &self.path
    }

    /// The media type of the body in lower case, without its parameters.
    pub(super) fn media_type(&self) -> Option<String> {
        let value = self.header(&CONTENT_TYPE)?;
        Some(value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
    }

    /// The body, decompressed.
    ///
    /// # Errors
    ///
    /// `serve::coding`, `serve::body`.
    pub(super) fn content(&self) -> Result<Vec<u8>, Problem> {
        let coding = self.header(&CONTENT_ENCODING).unwrap_or("identity").trim().to_ascii_lowercase();
        let damaged = |error: std::io::Error| {
            Problem::bad("serve::coding", format!("the body is no whole {coding}: {error}"))
        };
        let mut content = Vec::new();
        // One byte more tells that there are too many.
        let most = self.max_body + 1;
        match coding.as_str() {
            "identity" | "" => return Ok(self.body.clone()),
            "gzip" | "x-gzip" => {
                flate2::read::MultiGzDecoder::new(&*self.body).take(most).read_to_end(&mut content)
            }
            "zstd" => zstd::stream::read::Decoder::new(&*self.body)
                .and_then(|decoder| decoder.take(most).read_to_end(&mut content)),
            _ => {
                let message = format!("the coding `{coding}` is not known; gzip and zstd are");
                return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "serve::coding", message));
            }
        }
        .map_err(damaged)?;
        if content.len() as u64 > self.max_body {
            return Err(too_large(self.max_body));
        }
        Ok(content)
    }

    /// The body as a text in UTF-8.
    ///
    /// # Errors
    ///
    /// As [`Asked::content`], `serve::utf-8`, and `serve::media-type` for another encoding.
    pub(super) fn text(&self) -> Result<String, Problem> {
        let parameters = self.header(&CONTENT_TYPE).unwrap_or_default().split(';').skip(1);
        let mut charset = parameters.filter_map(|parameter| parameter.split_once('='));
        let charset = charset.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
        let charset = charset.map_or("utf-8", |(_, value)| value.trim().trim_matches('"'));
        if !["utf-8", "utf8", "us-ascii"].iter().any(|known| known.eq_ignore_ascii_case(charset)) {
            let message = format!("the body is in `{charset}`, and has to be in UTF-8");
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "serve::media-type", message));
        }
        utf_8(self.content()?)
    }

    /// The parameters of the URL and of the body, where that is a form.
    ///
    /// # Errors
    ///
    /// As [`Asked::text`].
    pub(super) fn with_form(&self) -> Result<Parameters, Problem> {
        let mut parameters = self.parameters.clone();
        if self.media_type().as_deref() == Some(FORM) {
            parameters.extend(Parameters::read(self.text()?.trim())?);
        }
        Ok(parameters)
    }
}

/// Reads a body that has at most so many bytes, and no longer pauses.
///
/// # Errors
///
/// `serve::body` where it has more, comes too slowly or not to its end.
pub(super) async fn read_body(
    headers: &HeaderMap,
    mut body: Incoming,
    most: u64,
    pause: Duration,
) -> Result<Vec<u8>, Problem> {
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > most) {
        return Err(too_large(most));
    }
    let begin = Instant::now();
    let mut bytes = Vec::new();
    loop {
        let patience = pause + Duration::from_secs(bytes.len() as u64 / SLOWEST);
        let end = (Instant::now() + pause).min(begin + patience);
        let frame = std::future::poll_fn(|context| std::pin::Pin::new(&mut body).poll_frame(context));
        let frame = timeout_at(end, frame).await.map_err(|_| {
            Problem::new(StatusCode::REQUEST_TIMEOUT, "serve::body", "the body comes too slowly")
        })?;
        let Some(frame) = frame else { return Ok(bytes) };
        let frame =
            frame.map_err(|error| Problem::bad("serve::body", format!("the body has no end: {error}")))?;
        let Ok(data) = frame.into_data() else { continue };
        bytes.extend_from_slice(&data);
        if bytes.len() as u64 > most {
            return Err(too_large(most));
        }
    }
}

fn too_large(most: u64) -> Problem {
    let message = format!("the body has more than {} bytes", thousands(most));
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "serve::body", message)
}
