//! A client for servers that the user has named. It sends credentials, and repeats a request if the server is busy or
//! the connection breaks.
//!
//! URLs that come from documents are handled by `exchange`.

use std::fmt;
use std::io::Read;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use hashbrown::HashMap;
use ureq::http::Request;
use ureq::http::request::Builder;
use ureq::tls::TlsConfig;
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Agent, Proxy, SendBody};

use super::address::NetAllow;
use super::answer::ClientResponse;
use super::authorization::ServerAuthorization;
use super::exchange::settings;
use super::net_fault::{
    BROKE_OFF, CERTIFICATE, NetFault, PROXY, REDIRECT, ResponseBounds, UNAUTHORIZED, UNREACHABLE,
};
use super::pauses::RetryPauses;
use super::proxy::{blamed, is_between, proxy};
use super::reach::{ReachableAddresses, RestrictedResolver};
use super::roots::roots;
use super::server_credentials::Credentials;
use super::target::{ADDRESS, RequestTarget};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_rdf::iri::{resolve, without_userinfo};
use evalgraph_sparql::CancellationToken;

/// The length of bodies that are sent without waiting: a connection buffers that much before the server reads it.
const SHORT: usize = 32 << 10;

/// Replaces a response that contains the credentials.
const UNSAID: &str = "a text that is not shown because it contains the credentials";

/// The maximum number of redirects of one request.
const MOST_REDIRECTS: usize = 10;

/// The user may name a URL with the scheme `http`.
const UNENCRYPTED: NetAllow = NetAllow { http: true, loopback: false, private: false };

/// How a server is contacted.
#[derive(Debug, Clone)]
pub struct HttpClientOptions {
    /// The credentials. They are sent to the servers of the requested URLs, and to no other server after a redirect.
    pub credentials: Option<Credentials>,
    /// A file of PEM certificates to trust instead of those of the Mozilla programme.
    pub ca: Option<PathBuf>,
    /// `true` to use the proxy that `HTTPS_PROXY` names, except for the hosts in `NO_PROXY`.
    pub uses_proxy: bool,
    /// `true` to follow redirects to other servers, for requests that only read.
    pub follows: bool,
    /// Which other servers redirects may lead to. `http` also allows credentials without encryption.
    pub allow: NetAllow,
    /// The time limit for resolving the name of the server and connecting to it.
    pub connect_timeout: Duration,
    /// The longest time without receiving a byte.
    pub timeout: Duration,
    /// How often a request is repeated.
    pub retries: u32,
    /// The length of the first pause before a retry. Each further pause is twice as long.
    pub first_pause: Duration,
    /// Ends the wait.
    pub cancellation: CancellationToken,
}

impl Default for HttpClientOptions {
    /// No credentials; 10 seconds to connect, 10 minutes without a byte, 5 retries after 0.5, 1, 2, 4 and 8 seconds.
    fn default() -> Self {
        Self {
            credentials: None,
            ca: None,
            uses_proxy: true,
            follows: false,
            allow: NetAllow::default(),
            connect_timeout: Duration::from_secs(10),
            timeout: Duration::from_secs(600),
            retries: 5,
            first_pause: Duration::from_millis(500),
            cancellation: CancellationToken::default(),
        }
    }
}

/// The methods of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HttpMethod {
    /// Reads a resource.
    Get,
    /// Checks whether a resource exists.
    Head,
    /// Sends data for the server to process.
    Post,
    /// Replaces a resource.
    Put,
    /// Removes a resource.
    Delete,
}

impl HttpMethod {
    fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
        }
    }

    fn reads(self) -> bool {
        matches!(self, Self::Get | Self::Head)
    }
}

/// A request.
pub struct ClientRequest<'q> {
    /// The method.
    pub method: HttpMethod,
    /// The URL. Its server is trusted with the credentials.
    pub url: &'q str,
    /// Header fields: names in lower case, and values.
    pub fields: &'q [(&'q str, &'q str)],
    /// The body.
    pub body: RequestPayload<'q>,
    /// `true` if the request can be repeated safely.
    pub repeats: bool,
    /// Statuses that are accepted in addition to those of success.
    pub accepts: &'q [u16],
}

/// The body of a request.
#[derive(Clone, Copy)]
pub enum RequestPayload<'q> {
    /// No body.
    Nothing,
    /// Bytes.
    Bytes(&'q [u8]),
    /// A stream of unknown length, created again for each attempt.
    Stream(&'q (dyn Fn() -> Box<dyn Read + 'q> + 'q)),
}

/// A client for servers that the user has named.
///
/// Other methods are in `response_retries.rs`.
pub struct HttpClient {
    options: HttpClientOptions,
    /// The proxy between the program and servers that are contacted over https.
    proxy: Option<Proxy>,
    /// For the named servers, over https.
    secure: Agent,
    plain: Agent,
    /// For redirects to other servers.
    others: Agent,
    /// The known challenges of each server, by scheme and authority.
    authorizations: Mutex<HashMap<String, ServerAuthorization>>,
    /// `true` once any server has responded.
    has_answered: AtomicBool,
    has_taken: AtomicBool,
}

impl fmt::Debug for HttpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("options", &self.options).finish_non_exhaustive()
    }
}

impl HttpClient {
    /// A client that has sent no request yet.
    ///
    /// ```
    /// use evalgraph::net::{HttpMethod, RequestPayload, ClientRequest, HttpClient, HttpClientOptions};
    ///
    /// let server = HttpClient::new(HttpClientOptions { uses_proxy: false, ..HttpClientOptions::default() })?;
    /// let url = "http://127.0.0.1:1/sparql";
    /// let fields = [("accept", "application/n-triples")];
    /// let question =
    ///     ClientRequest { method: HttpMethod::Get, url, fields: &fields, body: RequestPayload::Nothing, repeats: true, accepts: &[] };
    /// let Err(fault) = server.ask(&question) else { panic!("nothing listens there") };
    /// assert_eq!(fault.code, "server::unreachable");
    /// # Ok::<(), Box<evalgraph::diagnostic::Diagnostic>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `server::certificate` if the certificate file is not valid, `server::proxy` if the environment names a proxy
    /// that is not valid.
    pub fn new(options: HttpClientOptions) -> Result<Self, Box<Diagnostic>> {
        let roots = options.ca.as_deref().map(roots).transpose()?;
        let proxy = if options.uses_proxy { proxy()? } else { None };
        let unencrypted = match &options.credentials {
            Some(_) if !options.allow.http => ReachableAddresses::Itself,
            _ => ReachableAddresses::Any,
        };
        let agent = |reach: ReachableAddresses, proxy: Option<Proxy>| {
            let mut tls = TlsConfig::builder();
            if let Some(roots) = &roots {
                tls = tls.root_certs(roots.clone());
            }
            let config = settings(options.connect_timeout)
                .timeout_per_read(Some(options.timeout))
                .timeout_per_write(Some(options.timeout))
                .tls_config(tls.build())
                .proxy(proxy)
                .build();
            Agent::with_parts(
                config,
                DefaultConnector::new(),
                RestrictedResolver(reach, DefaultResolver::default()),
            )
        };
        Ok(Self {
            secure: agent(ReachableAddresses::Any, proxy.clone()),
            proxy,
            plain: agent(unencrypted, None),
            others: agent(ReachableAddresses::Allowed(options.allow), None),
            options,
            authorizations: Mutex::default(),
            has_answered: AtomicBool::new(false),
            has_taken: AtomicBool::new(false),
        })
    }

    /// Sends a request. After 429, 5xx and broken connections, it is repeated after growing pauses if that is safe.
    ///
    /// # Errors
    ///
    /// A code of `server`, if there is no response or its status is an error.
    pub fn ask(&self, question: &ClientRequest<'_>) -> Result<ClientResponse, Box<Diagnostic>> {
        self.ask_within(question, &mut self.pauses())
    }

    /// The pauses of one request.
    pub(super) fn pauses(&self) -> RetryPauses {
        RetryPauses::new(self.options.retries, self.options.first_pause)
    }

    /// Sends a request, with the remaining pauses.
    pub(super) fn ask_within(
        &self,
        question: &ClientRequest<'_>,
        pauses: &mut RetryPauses,
    ) -> Result<ClientResponse, Box<Diagnostic>> {
        loop {
            self.options.cancellation.check()?;
            let outcome = self.follow(question);
            let wanted = outcome.as_ref().ok().and_then(|answer| answer.field("retry-after"));
            let is_passing = match &outcome {
                Ok(answer) => match answer.status {
                    429 => true,
                    // These are permanent: not implemented, no room, a loop, a network that requires a login.
                    501 | 505 | 507 | 508 | 511 => false,
                    // Other server errors may come after the work was done.
                    500..600 => question.repeats,
                    _ => false,
                },
                Err(fault) => self.is_passing(fault, question),
            };
            if let Some(pause) = is_passing.then(|| pauses.next(wanted.as_deref())).flatten() {
                self.wait(pause)?;
                continue;
            }
            let fault = match outcome {
                Ok(answer)
                    if matches!(answer.status, 200..300) || question.accepts.contains(&answer.status) =>
                {
                    return Ok(answer);
                }
                Ok(answer) => answer.fault(self.options.credentials.as_ref()),
                Err(fault) => fault,
            };
            let mut fault = pauses.told(fault, wanted.as_deref());
            // The address of a redirect may contain the credentials.
            if matches!(fault.code, ADDRESS | REDIRECT) && self.are_said(&fault.message) {
                fault.message = format!("`{}` answers with {UNSAID}", without_userinfo(question.url));
            }
            return Err(fault.into());
        }
    }

    /// Returns whether a fault may be temporary, and the request may be repeated.
    fn is_passing(&self, fault: &NetFault, question: &ClientRequest<'_>) -> bool {
        match fault.code {
            // Nothing was sent. If the server or proxy has never responded, the address is probably wrong.
            UNREACHABLE | PROXY => self.has_answered.load(Relaxed),
            BROKE_OFF => question.repeats,
            _ => false,
        }
    }

    /// Waits, and checks for cancellation meanwhile.
    pub(super) fn wait(&self, pause: Duration) -> Result<(), Box<Diagnostic>> {
        let end = Instant::now() + pause;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            self.options.cancellation.check()?;
            sleep(left.min(Duration::from_millis(100)));
        }
        Ok(())
    }

    /// Sends a request, and follows redirects.
    fn follow(&self, question: &ClientRequest<'_>) -> Result<ClientResponse, NetFault> {
        let target = |url: &str, allow: NetAllow| {
            RequestTarget::parse(url, allow).map_err(|fault| {
                let (message, help) = fault.words(url);
                NetFault { code: ADDRESS, message, help }
            })
        };
        let named = target(question.url, UNENCRYPTED)?;
        let (mut url, mut asked) = (question.url.to_owned(), named.clone());
        for _ in 0..=MOST_REDIRECTS {
            let answer = self.authorized(question, &asked, asked.is_beside(&named))?;
            let is_redirect = matches!(answer.status, 301 | 302 | 303 | 307 | 308);
            let Some(location) = answer.field("location").filter(|_| is_redirect) else {
                return Ok(answer);
            };
            let lost = |fault: NetFault| NetFault {
                code: REDIRECT,
                message: format!("`{named}` redirects, and {}", fault.message),
                help: fault.help,
            };
            url = resolve(&location, &url).unwrap_or(location);
            asked = target(&url, UNENCRYPTED).map_err(lost)?;
            self.check_redirect(question, answer.status, &asked, &named)?;
            if !asked.is_beside(&named) {
                // Another server has to be one that the options allow. The named server may be any.
                asked = target(&url, self.options.allow).map_err(lost)?;
            }
        }
        let message =
            format!("more than {MOST_REDIRECTS} redirects, the last one to `{}`", without_userinfo(&url));
        Err(NetFault::new(REDIRECT, message))
    }

    /// Rejects redirects that would change the request, or send it to another server.
    fn check_redirect(
        &self,
        question: &ClientRequest<'_>,
        status: u16,
        to: &RequestTarget,
        named: &RequestTarget,
    ) -> Result<(), NetFault> {
        let reads = question.method.reads();
        if !reads && !matches!(status, 307 | 308) {
            let message = format!("`{named}` redirects to `{to}`, but a redirect would lose what is sent");
            return Err(NetFault::new(REDIRECT, message).with_help("name the other address"));
        }
        if to.is_beside(named) || reads && self.options.follows {
            return Ok(());
        }
        let message = format!("`{named}` redirects to another server, `{to}`");
        let fault = NetFault::new(REDIRECT, message);
        Err(if reads {
            fault.with_help(help!["name that one; or ", setting("net"), " follows it, without credentials"])
        } else {
            fault.with_help("name that server if it is the right one")
        })
    }

    /// Sends a request to one server, and once more if the server asks for credentials.
    fn authorized(
        &self,
        question: &ClientRequest<'_>,
        target: &RequestTarget,
        is_named: bool,
    ) -> Result<ClientResponse, NetFault> {
        // Only the named server gets the credentials, even after redirects.
        let Some(credentials) = self.options.credentials.as_ref().filter(|_| is_named) else {
            return self.send(question, target, is_named, None);
        };
        let (server, method) = (target.origin(), question.method.name());
        let sent = self.known(&server, credentials, |known| known.value(method, &target.path));
        let answer = self.send(question, target, true, sent.as_deref())?;
        if answer.status != 401 {
            return Ok(answer);
        }
        let challenges = answer.all("www-authenticate");
        match self.known(&server, credentials, |known| known.challenged(&challenges, sent.as_deref())) {
            Ok(false) => return Ok(answer),
            Ok(true) => {}
            Err(words) => return Err(NetFault::new(UNAUTHORIZED, format!("`{server}`: {words}"))),
        }
        let value = self.known(&server, credentials, |known| known.value(method, &target.path));
        self.send(question, target, true, value.as_deref())
    }

    /// Calls `work` with what is known about a server's challenges.
    fn known<T>(
        &self,
        server: &str,
        credentials: &Credentials,
        work: impl FnOnce(&mut ServerAuthorization) -> T,
    ) -> T {
        let mut all = self.authorizations.lock().unwrap_or_else(PoisonError::into_inner);
        work(all.entry_ref(server).or_insert_with(|| ServerAuthorization::new(Some(credentials.clone()))))
    }

    /// Sends the request once.
    fn send(
        &self,
        question: &ClientRequest<'_>,
        target: &RequestTarget,
        is_named: bool,
        authorization: Option<&str>,
    ) -> Result<ClientResponse, NetFault> {
        let agent = match (is_named, target.is_tls) {
            (false, _) => &self.others,
            (true, true) => &self.secure,
            (true, false) => &self.plain,
        };
        let mut request = Request::builder()
            .method(question.method.name())
            .uri(target.to_string())
            .header("connection", "close");
        for (name, value) in question.fields {
            request = request.header(*name, *value);
        }
        if let Some(value) = authorization {
            request = request.header("authorization", value);
        }
        // A server that denies access or has no room must be able to say so before a long body is sent: a response that
        // comes during the body would be lost. Short bodies are sent at once, since some servers ignore the expectation
        // and cost a second each time.
        let is_long = match question.body {
            RequestPayload::Nothing => false,
            RequestPayload::Bytes(bytes) => bytes.len() > SHORT,
            RequestPayload::Stream(_) => true,
        };
        if is_long && !self.has_taken.load(Relaxed) {
            request = request.header("expect", "100-continue");
        }
        let bounds = ResponseBounds { size: u64::MAX, timeout: self.options.timeout };
        let reply = run(agent, request, question.body).map_err(|error| self.worded(error, target, bounds))?;
        self.has_answered.store(true, Relaxed);
        if is_long && reply.status().is_success() {
            self.has_taken.store(true, Relaxed);
        }
        Ok(ClientResponse::from_response(reply, target, bounds))
    }

    /// The first words of a response that is not what was requested.
    pub fn words_of(&self, answer: ClientResponse) -> Option<String> {
        answer.reason(self.options.credentials.as_ref())
    }

    /// Describes an error of the HTTP client. The description depends on what is between client and server.
    fn worded(&self, error: ureq::Error, target: &RequestTarget, bounds: ResponseBounds) -> NetFault {
        let fault = NetFault::from_error(error, target, bounds);
        let between = self.proxy.as_ref().filter(|proxy| is_between(proxy, target));
        let fault = match between {
            Some(proxy) => blamed(fault, proxy, target),
            None => fault,
        };
        match fault.code {
            CERTIFICATE if fault.message.contains("UnknownIssuer") => {
                fault.with_help(help!["name the file of the authority that issued it with ", setting("ca")])
            }
            CERTIFICATE if fault.message.contains("certificate") => fault,
            // An earlier connection was secure.
            CERTIFICATE if self.has_answered.load(Relaxed) => NetFault { code: BROKE_OFF, ..fault },
            CERTIFICATE => fault.with_help(match between {
                Some(_) => "`NO_PROXY` names the hosts that are asked without a proxy",
                None => "a server without encryption has a URL that begins with `http://`",
            }),
            _ => fault,
        }
    }

    /// Returns a quotation from a response, unless it contains a part of the credentials.
    pub fn unless_secret<'w>(&self, words: &'w str) -> &'w str {
        if self.are_said(words) { UNSAID } else { words }
    }

    fn are_said(&self, words: &str) -> bool {
        self.options.credentials.as_ref().is_some_and(|credentials| credentials.are_in(words))
    }
}

/// Sends a request with its body.
fn run(
    agent: &Agent,
    request: Builder,
    body: RequestPayload<'_>,
) -> Result<ureq::http::Response<ureq::Body>, ureq::Error> {
    match body {
        RequestPayload::Nothing => agent.run(request.body(())?),
        RequestPayload::Bytes(bytes) => agent.run(request.body(bytes)?),
        RequestPayload::Stream(make) => {
            let mut stream = make();
            agent.run(request.body(SendBody::from_reader(&mut stream))?)
        }
    }
}
