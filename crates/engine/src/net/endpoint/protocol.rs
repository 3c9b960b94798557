//! The requests of the SPARQL 1.1 Protocol (sections 2.1.2 and 2.2.1): queries and updates, sent as forms by POST.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::addresses::EndpointAddresses;
use super::virtuoso;
use crate::net::answer::ClientResponse;
use crate::net::form_encoding::{FORM, form};
use crate::net::http_client::{ClientRequest, HttpClient, HttpMethod, RequestPayload};
use crate::net::net_fault::{ANSWER, may_be_done};
use crate::net::query_results_reader::malformed;
use crate::net::target::ADDRESS;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_rdf::iri::without_userinfo;

/// The graphs that a request is about, in addition to its text. If empty, the server's default applies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DatasetUris {
    /// The graphs that form the default graph.
    pub default: Vec<String>,
    /// The named graphs.
    pub named: Vec<String>,
}

impl DatasetUris {
    pub(super) fn is_empty(&self) -> bool {
        self.default.is_empty() && self.named.is_empty()
    }
}

/// A server that accepts queries and updates.
#[derive(Debug)]
pub(super) struct ProtocolClient {
    server: HttpClient,
    pub(super) addresses: EndpointAddresses,
    is_virtuoso: AtomicBool,
}

impl ProtocolClient {
    pub(super) fn new(server: HttpClient, addresses: EndpointAddresses) -> Self {
        Self { server, addresses, is_virtuoso: AtomicBool::new(false) }
    }

    /// Returns whether the last response came from Virtuoso.
    pub(super) fn is_virtuoso(&self) -> bool {
        self.is_virtuoso.load(Relaxed)
    }

    /// Sends a query. `more` are further parameters.
    pub(super) fn query(
        &self,
        text: &str,
        graphs: &DatasetUris,
        more: &[(&str, &str)],
        accept: &str,
    ) -> Result<ClientResponse, Box<Diagnostic>> {
        let names = ["query", "default-graph-uri", "named-graph-uri"];
        let form = if self.is_virtuoso() {
            let text = virtuoso::of_graphs(text, &graphs.default, &graphs.named);
            request(names, &text, &DatasetUris::default(), more)
        } else {
            request(names, text, graphs, more)
        };
        let answer = self.send(&self.addresses.query, &form, accept, true)?;
        let name = answer.field("server").unwrap_or_default();
        self.is_virtuoso.store(name.starts_with(virtuoso::NAME), Relaxed);
        Ok(answer)
    }

    /// Sends an update. It is not sent again if any of it may have been done.
    pub(super) fn update(&self, text: &str, graphs: &DatasetUris) -> Result<(), Box<Diagnostic>> {
        let Some(url) = &self.addresses.update else {
            let message = "the endpoint has no address for updates";
            let help = help!["name it with ", setting("update-url")];
            return Err(Box::new(Diagnostic::error(ADDRESS, message).with_help(help)));
        };
        let names = ["update", "using-graph-uri", "using-named-graph-uri"];
        let form = request(names, text, graphs, &[]);
        // Fuseki reports success with an HTML page if any media type is accepted. So do sites that require a login
        // first.
        let done = self.send(url, &form, "text/plain, */*;q=0.1", false).and_then(|answer| {
            let is_page = answer.media_type() == "text/html";
            if is_page { Err(self.unexpected("an update", answer)) } else { Ok(()) }
        });
        done.map_err(|fault| {
            let outcome = match may_be_done(&fault) {
                true => "it is not known whether the update was made: check before you send it again",
                false => "nothing was changed",
            };
            Box::new(fault.with_help(outcome))
        })
    }

    fn send(
        &self,
        url: &str,
        form: &str,
        accept: &str,
        repeats: bool,
    ) -> Result<ClientResponse, Box<Diagnostic>> {
        let fields = [("accept", accept), ("accept-encoding", "gzip"), ("content-type", FORM)];
        let body = RequestPayload::Bytes(form.as_bytes());
        let question =
            ClientRequest { method: HttpMethod::Post, url, fields: &fields, body, repeats, accepts: &[] };
        self.server.ask(&question)
    }

    /// The endpoint, as messages name it.
    pub(super) fn place(&self) -> String {
        // The parameters may contain a key.
        let url = self.addresses.query.split('?').next().unwrap_or_default();
        format!("`{}`", without_userinfo(url))
    }

    /// The fault for a response that is malformed.
    pub(super) fn malformed(&self, reason: &str) -> Box<Diagnostic> {
        malformed(&self.place(), ANSWER, self.server.unless_secret(reason))
    }

    /// The fault for a response in a format that was not requested.
    pub(super) fn unexpected(&self, to: &str, answer: ClientResponse) -> Box<Diagnostic> {
        let media_type = match answer.media_type() {
            unnamed if unnamed.is_empty() => "no media type".to_owned(),
            named => format!("`{named}`"),
        };
        let words = self.server.words_of(answer).map(|words| format!(": {words}")).unwrap_or_default();
        let message = format!("{} answers {to} with {media_type}{words}", self.place());
        let fault = Diagnostic::error(ANSWER, message);
        Box::new(fault.with_help("is this the address that takes queries and updates in SPARQL?"))
    }
}

/// A request as a form. `names` are the names of its parameters: for the text, the default graphs, and the named
/// graphs.
fn request(names: [&str; 3], text: &str, graphs: &DatasetUris, more: &[(&str, &str)]) -> String {
    let [of_text, of_default, of_named] = names;
    let default = graphs.default.iter().map(|graph| (of_default, graph.as_str()));
    let named = graphs.named.iter().map(|graph| (of_named, graph.as_str()));
    form(default.chain(named).chain(more.iter().copied()).chain([(of_text, text)]))
}
