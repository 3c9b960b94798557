//! A completely read request: its method, parameters, headers and body.

use std::cell::RefCell;
use std::io::{ErrorKind, Read};
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use hyper::body::{Body as _, Incoming};
use hyper::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, VIA};
use hyper::{HeaderMap, Method, StatusCode};
use tokio::time::{Instant, timeout_at};

use super::bodies::{BodyMemory, HeldBytes};
use super::negotiation::{compression, takes_identity};
use super::problem::ProblemDetails;
use super::request_parameters::{RequestParameters, utf_8};
use super::route::ServerRoute;
use evalgraph_diagnostics::{Diagnostic, thousands};
use evalgraph_engine::input::compression::FileCompression;

/// The slowest speed of a body, in bytes per second, over each period in which a client may pause.
const SLOWEST: f64 = 8192.0;
/// How many bytes are decompressed at once.
const PIECE: u64 = 64 << 10;

/// The header with the protocol that clients use to reach a proxy.
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The media type of forms.
pub(super) const FORM: &str = "application/x-www-form-urlencoded";

/// The headers with which a proxy says that it passes a request on.
const OF_PROXIES: [HeaderName; 3] =
    [HeaderName::from_static("x-forwarded-for"), HeaderName::from_static("forwarded"), VIA];

/// Returns whether a client runs on this machine and is not a proxy for another one.
pub(super) fn is_near(client: IpAddr, headers: &HeaderMap) -> bool {
    client.to_canonical().is_loopback() && !OF_PROXIES.iter().any(|name| headers.contains_key(name))
}

/// The largest body that is copied when it is taken.
const SMALL: usize = 1 << 10;

/// A body as it was sent, with the memory that it takes.
#[derive(Debug)]
pub(super) struct RequestBody {
    bytes: Vec<u8>,
    held: HeldBytes,
}

/// A request.
#[derive(Debug)]
pub(super) struct ReceivedRequest {
    pub(super) method: Method,
    pub(super) route: ServerRoute,
    /// The path of the URL, as it was sent.
    pub(super) path: String,
    /// The name and the port by which the client calls the server.
    pub(super) authority: String,
    pub(super) parameters: RequestParameters,
    pub(super) headers: HeaderMap,
    /// `true` if the client runs on this machine.
    pub(super) client_is_near: bool,
    pub(super) body: RefCell<RequestBody>,
    /// The most bytes of the body after decompression.
    pub(super) max_body: u64,
}

impl ReceivedRequest {
    /// Returns the text of a header.
    pub(super) fn header(&self, name: &HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns the compression of an answer: the one that the client prefers. On the same machine, an answer is faster
    /// without compression, and is compressed only if the client accepts nothing else.
    pub(super) fn compression(&self) -> Option<FileCompression> {
        let is_left_out = self.client_is_near && takes_identity(&self.headers);
        if is_left_out { None } else { compression(&self.headers) }
    }

    /// Returns the URL of the server, without a slash at its end. A proxy says whether clients use TLS. If another
    /// client says so, that only changes its own answer.
    pub(super) fn server(&self) -> String {
        let is_secure =
            self.header(&FORWARDED_PROTO).is_some_and(|proto| proto.eq_ignore_ascii_case("https"));
        format!("{}://{}", if is_secure { "https" } else { "http" }, self.authority)
    }

    /// Returns the URL without its parameters.
    pub(super) fn url(&self) -> String {
        self.server() + &self.path
    }

    /// Returns the media type of the body in lower case, without parameters.
    pub(super) fn media_type(&self) -> Option<String> {
        let value = self.header(&CONTENT_TYPE)?;
        Some(value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
    }

    /// Returns whether the body, as it was sent, is so small that it is copied when it is taken.
    pub(super) fn is_small(&self) -> bool {
        self.body.borrow().bytes.len() <= SMALL && !self.headers.contains_key(CONTENT_ENCODING)
    }

    /// Takes the body, decompressed. Only a small body can be taken more than once, so a large one is in memory only
    /// once.
    ///
    /// # Errors
    ///
    /// `serve::coding`, `serve::body`, `limit::bodies`.
    pub(super) fn content(&self) -> Result<Vec<u8>, ProblemDetails> {
        let coding = self.header(&CONTENT_ENCODING).unwrap_or("identity").trim().to_ascii_lowercase();
        let is_small = self.is_small();
        let mut body = self.body.borrow_mut();
        let bytes = if is_small { body.bytes.clone() } else { std::mem::take(&mut body.bytes) };
        match coding.as_str() {
            "identity" | "" => Ok(bytes),
            "gzip" | "x-gzip" => {
                self.decompressed(flate2::read::MultiGzDecoder::new(&*bytes), &coding, &mut body.held)
            }
            "zstd" => {
                let decoder = zstd::stream::read::Decoder::new(&*bytes);
                let decoder = decoder.map_err(|error| damaged(&coding, &error))?;
                self.decompressed(decoder, &coding, &mut body.held)
            }
            _ => {
                let message = format!("the coding `{coding}` is not known; use gzip or zstd");
                Err(ProblemDetails::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "serve::coding", message))
            }
        }
    }

    /// Decompresses a body piece by piece, and counts its bytes.
    fn decompressed(
        &self,
        decoder: impl Read,
        coding: &str,
        held: &mut HeldBytes,
    ) -> Result<Vec<u8>, ProblemDetails> {
        let (mut decoder, mut content) = (decoder, Vec::new());
        loop {
            let read = match decoder.by_ref().take(PIECE).read_to_end(&mut content) {
                Ok(0) => return Ok(content),
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(damaged(coding, &error)),
            };
            // The limit is checked after each piece, so a small body that expands to a huge one is stopped early.
            if content.len() as u64 > self.max_body {
                return Err(too_large(self.max_body));
            }
            held.grow(read)?;
        }
    }

    /// Returns the body as UTF-8 text.
    ///
    /// # Errors
    ///
    /// The errors of [`ReceivedRequest::content`], `serve::utf-8`, and `serve::media-type` for another encoding.
    pub(super) fn text(&self) -> Result<String, ProblemDetails> {
        let parameters = self.header(&CONTENT_TYPE).unwrap_or_default().split(';').skip(1);
        let mut charset = parameters.filter_map(|parameter| parameter.split_once('='));
        let charset = charset.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
        let charset = charset.map_or("utf-8", |(_, value)| value.trim().trim_matches('"'));
        if !["utf-8", "utf8", "us-ascii"].iter().any(|known| known.eq_ignore_ascii_case(charset)) {
            let message = format!("the body is in `{charset}`, but must be in UTF-8");
            return Err(ProblemDetails::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "serve::media-type",
                message,
            ));
        }
        utf_8(self.content()?)
    }

    /// Returns the parameters of the URL, and those of the body if it is a form.
    ///
    /// # Errors
    ///
    /// The errors of [`ReceivedRequest::text`].
    pub(super) fn with_form(&self) -> Result<RequestParameters, ProblemDetails> {
        let mut parameters = self.parameters.clone();
        if self.media_type().as_deref() == Some(FORM) {
            parameters.extend(RequestParameters::read(self.text()?.trim())?);
        }
        Ok(parameters)
    }
}

/// The limits for reading a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyLimits {
    /// The most bytes that are read.
    pub(super) most: u64,
    /// The most bytes that are kept.
    pub(super) most_kept: u64,
    /// The longest pause.
    pub(super) pause: Duration,
}

/// Reads a body. A body that is refused because of others is read to its end and dropped, because a client that is
/// still sending would not see the reason.
///
/// # Errors
///
/// `serve::body` if it has too many bytes, comes too slowly or is incomplete; `limit::bodies` if there are too many
/// others.
pub(super) async fn read_body(
    headers: &HeaderMap,
    mut body: Incoming,
    limits: BodyLimits,
    bodies: &Arc<BodyMemory>,
) -> Result<RequestBody, ProblemDetails> {
    let BodyLimits { most, most_kept, pause } = limits;
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > most) {
        return Err(too_large(most));
    }
    let mut pace = BodyPace { since: Instant::now(), before: 0, pause };
    let mut read = 0;
    let mut kept: Result<RequestBody, ProblemDetails> =
        Ok(RequestBody { bytes: Vec::new(), held: bodies.begin() });
    loop {
        let frame = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context));
        let frame = timeout_at(Instant::now() + pause, frame);
        let frame = match &kept {
            Ok(RequestBody { held, .. }) => unless_ended(held, frame).await,
            Err(_) => Ok(frame.await),
        };
        let frame = match frame {
            Ok(frame) => frame,
            Err(why) => {
                kept = Err(why.into());
                continue;
            }
        };
        let Some(frame) = frame.ok().filter(|_| pace.is_kept(read)) else {
            return Err(kept.err().unwrap_or_else(too_slow));
        };
        let Some(frame) = frame else {
            let body = kept?;
            body.held.is_whole()?;
            return Ok(body);
        };
        let frame = frame.map_err(|error| {
            ProblemDetails::bad("serve::body", format!("the body is incomplete: {error}"))
        })?;
        let Ok(data) = frame.into_data() else { continue };
        read += data.len() as u64;
        if read > most {
            return Err(too_large(most));
        }
        kept = kept.and_then(|mut body| {
            if read > most_kept {
                return Err(too_large(most_kept));
            }
            body.held.grow(data.len())?;
            body.bytes.extend_from_slice(&data);
            Ok(body)
        });
    }
}

/// The speed of a body that is arriving.
struct BodyPace {
    /// The beginning of the period in which it has to be fast enough, and its bytes at that time.
    since: Instant,
    before: u64,
    pause: Duration,
}

impl BodyPace {
    /// Returns whether a body that has this many bytes now is fast enough.
    fn is_kept(&mut self, read: u64) -> bool {
        if self.since.elapsed() < self.pause {
            return true;
        }
        let is_kept = (read - self.before) as f64 >= SLOWEST * self.pause.as_secs_f64();
        (self.since, self.before) = (Instant::now(), read);
        is_kept
    }
}

/// Waits for a part of a body, unless the body has to be dropped for another one.
async fn unless_ended<F: Future>(held: &HeldBytes, part: F) -> Result<F::Output, Box<Diagnostic>> {
    let (mut part, mut ended) = (pin!(part), pin!(held.ended()));
    std::future::poll_fn(|context| {
        if let Poll::Ready(why) = ended.as_mut().poll(context) {
            return Poll::Ready(Err(why));
        }
        part.as_mut().poll(context).map(Ok)
    })
    .await
}

fn too_slow() -> ProblemDetails {
    ProblemDetails::new(StatusCode::REQUEST_TIMEOUT, "serve::body", "the body comes too slowly")
}

fn damaged(coding: &str, error: &std::io::Error) -> ProblemDetails {
    ProblemDetails::bad("serve::coding", format!("the body is not a complete {coding} stream: {error}"))
}

fn too_large(most: u64) -> ProblemDetails {
    let message = format!("the body has more than {} bytes", thousands(most));
    ProblemDetails::new(StatusCode::PAYLOAD_TOO_LARGE, "serve::body", message)
}
