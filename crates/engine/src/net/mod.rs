//! The network: documents at URLs, and servers that the user has named.
//!
//! [`NetLoader`] implements the algorithm of `LoadDocumentCallback` (section 9.4) over HTTP. It requests only the URLs
//! it is given, reads `https` from public addresses unless more is allowed, and limits the size, time and redirects of
//! every response. `exchange` does one exchange, `address` checks addresses.
//!
//! [`HttpClient`] contacts any server that the user has named, with [`Credentials`], and retries if it is busy.
//! [`SparqlEndpoint`] sends it SPARQL.

mod address;
mod answer;
mod authorization;
mod endpoint;
mod exchange;
mod form_encoding;
mod http_client;
mod link_header;
mod net_fault;
mod net_options;
pub mod network_services;
mod pauses;
mod proxy;
mod query_results_reader;
mod reach;
mod response_retries;
mod roots;
mod server_credentials;
mod target;

pub use address::NetAllow;
pub use answer::{AnswerReader, ClientResponse, fault_of};
pub use endpoint::{DatasetUris, EndpointAddresses, SparqlEndpoint};
pub use form_encoding::{FORM, form};
pub use server_credentials::{BadCredentials, Credentials, SecretText};

use evalgraph_diagnostics::help::{help, setting};
use evalgraph_jsonld::{
    CONTEXT_PROFILE, DocumentLoader, JSON_LD, JsonLdErrorCode, LoadDocumentOptions, LoadError, LoadFailure,
    MediaType, RemoteDocument,
};
use evalgraph_rdf::iri::{is_iri, resolve, without_userinfo};
use exchange::HttpExchange;
use hashbrown::HashMap;
pub use http_client::{ClientRequest, HttpClient, HttpClientOptions, HttpMethod, RequestPayload};
use link_header::LinkValue;
use net_fault::{ANSWER, NetFault, REDIRECT};
pub use net_fault::{is_passing, may_be_done};
pub use net_options::NetOptions;
pub use query_results_reader::table;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;
pub use target::check_address;
use target::{ADDRESS, RequestTarget};
use ureq::http::StatusCode;

/// The response of a server.
#[derive(Debug, Clone)]
pub struct FetchedDocument {
    /// The final URL, with the requested fragment.
    pub url: String,
    /// The media type. Empty if the server sends none.
    pub media_type: MediaType,
    /// The context that the server names for a document in plain JSON.
    pub context_url: Option<String>,
    /// The bytes.
    pub body: Vec<u8>,
}

/// Reads documents from the network. It caches documents that were requested with a profile (contexts and frames), and
/// errors as well, for its lifetime.
///
/// Certificates are checked against the roots of the Mozilla programme, which are part of the library.
///
/// ```
/// use evalgraph::jsonld::{DocumentLoader, LoadDocumentOptions, LoadError};
/// use evalgraph::net::{NetLoader, NetOptions};
///
/// let net = NetLoader::new(NetOptions::default());
/// // No request is sent: a foreign document cannot make this machine send requests to itself.
/// let answer = net.load("https://127.0.0.1/context.jsonld", &LoadDocumentOptions::for_context());
/// let Err(LoadError::Failed(failure)) = answer else { panic!("a loopback address") };
/// assert_eq!(failure.message, "`127.0.0.1` is at 127.0.0.1, a loopback address, which is not allowed");
/// ```
pub struct NetLoader {
    options: NetOptions,
    agent: ureq::Agent,
    kept: Mutex<HashMap<(String, LoadDocumentOptions), Arc<RemoteDocumentCell>>>,
}

type RemoteDocumentCell = OnceLock<Result<RemoteDocument, LoadError>>;

impl fmt::Debug for NetLoader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Net").field("options", &self.options).finish_non_exhaustive()
    }
}

impl NetLoader {
    /// A loader that has read nothing yet.
    pub fn new(options: NetOptions) -> Self {
        Self { agent: exchange::agent(&options), options, kept: Mutex::default() }
    }

    /// Reads the document at a URL, of any media type: steps 2 to 5 of the algorithm.
    ///
    /// # Errors
    /// [`LoadError::Failed`] with `loading document failed` or `multiple context link headers`.
    pub fn fetch(&self, url: &str, options: &LoadDocumentOptions) -> Result<FetchedDocument, LoadError> {
        self.get(url, &accept(options))
    }

    /// Reads the document at a URL, in one of the media types of a header field `Accept`.
    ///
    /// # Errors
    ///
    /// The errors of [`NetLoader::fetch`].
    pub fn get(&self, url: &str, accept: &str) -> Result<FetchedDocument, LoadError> {
        let deadline = Instant::now() + self.options.timeout;
        let exchange = HttpExchange { options: &self.options, agent: &self.agent, accept, deadline };
        let mut url = url.to_owned();
        for _ in 0..=self.options.max_redirects {
            let target = RequestTarget::parse(&url, self.options.allow).map_err(|fault| {
                let (message, help) = fault.words(&url);
                failed(NetFault { code: ADDRESS, message, help })
            })?;
            let answer = exchange.get(&target).map_err(failed)?;
            match next_url(&url, &answer)? {
                Some(next) => url = next,
                None => return fetched(url, answer, self.options.limits.size),
            }
        }
        let (most, last) = (self.options.max_redirects, without_userinfo(&url));
        Err(failed(NetFault {
            code: REDIRECT,
            message: format!("more than {most} redirects, the last one to `{last}`"),
            help: Some(help!["raise the limit with ", setting("max-redirects")]),
        }))
    }

    fn load_anew(&self, url: &str, options: &LoadDocumentOptions) -> Result<RemoteDocument, LoadError> {
        let FetchedDocument { url, media_type, context_url, body } = self.fetch(url, options)?;
        let name = url.split('#').next().unwrap_or(&url);
        let limits = self.options.limits;
        let remote = RemoteDocument::from_bytes(name, &url, body, Some(&media_type), options, limits);
        match remote {
            Ok(remote) => Ok(RemoteDocument { context_url, ..remote }),
            Err(fault) => {
                let codes = [JsonLdErrorCode::InvalidScriptElement, JsonLdErrorCode::LoadingDocumentFailed];
                let code = codes.into_iter().find(|code| fault.code == code.as_str());
                let message = match (&fault.place, code) {
                    (Some(place), Some(_)) => format!("{place}: {}", fault.message),
                    (None, Some(_)) => fault.message.clone(),
                    (_, None) => fault.to_string(),
                };
                let code = code.unwrap_or(JsonLdErrorCode::LoadingDocumentFailed);
                let help = fault.help.first().cloned();
                Err(LoadError::Failed(Box::new(LoadFailure { code, message, help })))
            }
        }
    }
}

impl DocumentLoader for NetLoader {
    fn load(&self, url: &str, options: &LoadDocumentOptions) -> Result<RemoteDocument, LoadError> {
        let is_web = ["http:", "https:"]
            .iter()
            .any(|scheme| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
        if !is_web {
            return Err(LoadError::Unknown);
        }
        if options.request_profile.is_empty() {
            return self.load_anew(url, options);
        }
        let kept = {
            let mut all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry((url.to_owned(), options.clone())).or_default())
        };
        // A second caller waits for the first, and both get the same result.
        kept.get_or_init(|| self.load_anew(url, options)).clone()
    }
}

/// The header field `Accept` (step 2, and the addition of Process HTML).
fn accept(options: &LoadDocumentOptions) -> String {
    // A profile is an IRI, so it contains no character that ends the quotes or the line.
    let profiles = options.request_profile.iter().filter(|profile| is_iri(profile) && profile.is_ascii());
    let profiles = profiles.map(String::as_str).collect::<Vec<_>>().join(" ");
    let mut accept = match profiles.as_str() {
        "" => format!("{JSON_LD}, application/json;q=0.9"),
        _ => format!("{JSON_LD};profile=\"{profiles}\", {JSON_LD};q=0.9, application/json;q=0.8"),
    };
    if !options.request_profile.iter().any(|profile| profile == CONTEXT_PROFILE) {
        accept.push_str(", text/html;q=0.5, application/xhtml+xml;q=0.5");
    }
    // Without `*/*`, some servers refuse documents that they could send.
    accept.push_str(", */*;q=0.1");
    accept
}

/// Returns the URL to read instead, if there is one: that of a redirect, or of the alternate of a document that is not
/// JSON (step 4).
fn next_url(url: &str, answer: &ClientResponse) -> Result<Option<String>, LoadError> {
    let shown = without_userinfo(url);
    match answer.status {
        301 | 302 | 303 | 307 | 308 => {
            let location = answer
                .field("location")
                .ok_or_else(|| failed(NetFault::new(REDIRECT, format!("`{shown}` redirects to nowhere"))))?;
            let mut next = resolve(&location, url).unwrap_or_default();
            if let (false, Some(fragment)) = (next.contains('#'), url.split_once('#')) {
                next = format!("{next}#{}", fragment.1);
            }
            Ok(Some(next))
        }
        200..=299 => {
            let media_type = MediaType::parse(&answer.field("content-type").unwrap_or_default());
            if media_type.is_json() {
                return Ok(None);
            }
            let alternate = links(answer).find(LinkValue::is_json_ld_alternate);
            Ok(alternate.and_then(|link| resolve(&link.href, url)))
        }
        code => {
            let known = StatusCode::from_u16(code).ok();
            let reason = known.and_then(|status| status.canonical_reason()).unwrap_or_default();
            let message = format!("`{shown}`: the server answers {code} {reason}");
            Err(failed(NetFault::new(ANSWER, message.trim_end())))
        }
    }
}

/// Step 5: the context of plain JSON, and the document.
fn fetched(url: String, answer: ClientResponse, most: u64) -> Result<FetchedDocument, LoadError> {
    let media_type = MediaType::parse(&answer.field("content-type").unwrap_or_default());
    let mut context_url = None;
    if media_type.is_json() && !media_type.is_json_ld() {
        let contexts: Vec<LinkValue> = links(&answer).filter(LinkValue::is_context).collect();
        if let [first, second, ..] = contexts.as_slice() {
            let code = JsonLdErrorCode::MultipleContextLinkHeaders;
            let message = format!("`{url}` comes with the contexts `{}` and `{}`", first.href, second.href);
            return Err(LoadError::Failed(Box::new(LoadFailure { code, message, help: None })));
        }
        context_url = contexts.first().and_then(|link| resolve(&link.href, &url));
    }
    Ok(FetchedDocument { url, media_type, context_url, body: answer.whole(most).map_err(failed)? })
}

fn links(answer: &ClientResponse) -> impl Iterator<Item = LinkValue> {
    answer.all("link").into_iter().flat_map(|link| LinkValue::parse(&link))
}

fn failed(fault: NetFault) -> LoadError {
    let NetFault { message, help, .. } = fault;
    let code = JsonLdErrorCode::LoadingDocumentFailed;
    LoadError::Failed(Box::new(LoadFailure { code, message, help }))
}
