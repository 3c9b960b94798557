//! The arguments for a server that is queried instead of files or the store.

use std::sync::Arc;

use clap::Args;

use super::headings::SERVER;
use super::server_arguments::ServerArguments;
use crate::cli::CommandStop;
use crate::cli::run_ending;
use evalgraph_diagnostics::{Diagnostic, RunReport};
use evalgraph_engine::input::input_options::{NetUse, RunInputs};
use evalgraph_engine::net::{
    DatasetUris, EndpointAddresses, HttpClient, HttpClientOptions, SparqlEndpoint, check_address,
};
use evalgraph_engine::workspace::endpoints::ChosenEndpoint;
use evalgraph_rdf::iri::is_iri;
use evalgraph_sparql::SparqlServer;

/// The server, and the graphs of it that are queried.
#[derive(Debug, Args)]
pub(in crate::cli) struct EndpointArguments {
    /// Ask a server instead of files or the store
    ///
    /// URL of its SPARQL endpoint, a name from a configuration, or `.` for the endpoint that `evalgraph.toml` names
    #[arg(long, value_name = "URL|NAME", help_heading = SERVER)]
    endpoint: Option<String>,
    /// Graph to query outside of GRAPH; can be repeated
    ///
    /// Without it the union of all documents' graphs is queried
    #[arg(long, value_name = "IRI", requires = "endpoint", help_heading = SERVER)]
    default_graph_uri: Vec<String>,
    /// Graph that GRAPH sees; can be repeated
    #[arg(long, value_name = "IRI", requires = "endpoint", help_heading = SERVER)]
    named_graph_uri: Vec<String>,
    #[command(flatten)]
    server: ServerArguments,
}

impl EndpointArguments {
    /// The server, if one is named. `others` are arguments that cannot be combined with it, and whether each is given.
    ///
    /// # Errors
    ///
    /// Fails if one of these is given, or if the server cannot be used.
    pub(in crate::cli) fn open(
        &self,
        net: &NetUse,
        others: &[(&str, bool)],
        report: &mut RunReport,
    ) -> Result<Option<Arc<dyn SparqlServer>>, CommandStop> {
        self.open_with(None, net, others, report)
    }

    /// Like [`Self::open`], but with an address for updates.
    pub(in crate::cli) fn open_with(
        &self,
        update_url: Option<&str>,
        net: &NetUse,
        others: &[(&str, bool)],
        report: &mut RunReport,
    ) -> Result<Option<Arc<dyn SparqlServer>>, CommandStop> {
        let Some(endpoint) = &self.endpoint else {
            let message = |flag| format!("`{flag}` is for a server, but none is named with `--endpoint`");
            let lone = self.server.flag().map(|flag| Diagnostic::error("endpoint::argument", message(flag)));
            return lone.map_or(Ok(None), |fault| Err(fault.into()));
        };
        if let Some((other, _)) = others.iter().find(|(_, is_given)| *is_given) {
            let message = format!("`{other}` cannot be combined with `--endpoint`");
            return Err(Diagnostic::error("endpoint::argument", message).into());
        }
        if let Some(wrong) =
            self.default_graph_uri.iter().chain(&self.named_graph_uri).find(|uri| !is_iri(uri))
        {
            let message = format!("`{wrong}` is not an IRI, so it names no graph");
            return Err(Diagnostic::error("endpoint::argument", message).into());
        }
        run_ending::listen();
        self.server(endpoint, update_url, net, report).map(Some)
    }

    /// The inputs, replaced by the server if one is named.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::open`]. Also fails if files or a store are named as well.
    pub(in crate::cli) fn instead_of(
        &self,
        inputs: &RunInputs,
        net: &NetUse,
        others: &[(&str, bool)],
        report: &mut RunReport,
    ) -> Result<RunInputs, CommandStop> {
        let of_inputs = [("INPUT", !inputs.inputs.is_empty()), ("--store", inputs.store.store.is_some())];
        let endpoint = self.open(net, &[&of_inputs, others].concat(), report)?;
        Ok(RunInputs { endpoint, ..inputs.clone() })
    }

    fn server(
        &self,
        endpoint: &str,
        update_url: Option<&str>,
        net: &NetUse,
        report: &mut RunReport,
    ) -> Result<Arc<dyn SparqlServer>, CommandStop> {
        let ChosenEndpoint { addresses: given, graphs, options } =
            self.server.choose(endpoint, net, report)?;
        update_url.map_or(Ok(()), check_address)?;
        let url = given.query.as_ref().or(given.url.as_ref()).map_or("", String::as_str);
        let guessed = EndpointAddresses::from_query_address(given.url.as_deref().unwrap_or(url));
        let addresses = EndpointAddresses {
            query: url.to_owned(),
            update: update_url.map(str::to_owned).or(given.update).or(guessed.update),
            graph_store: given.graph_store.or(guessed.graph_store),
        };
        let named = match self.default_graph_uri.is_empty() && self.named_graph_uri.is_empty() {
            true => DatasetUris { default: graphs.default, named: graphs.named },
            false => {
                DatasetUris { default: self.default_graph_uri.clone(), named: self.named_graph_uri.clone() }
            }
        };
        let server =
            HttpClient::new(HttpClientOptions { cancellation: run_ending::cancellation(), ..options })?;
        Ok(Arc::new(SparqlEndpoint::new(server, addresses, named)))
    }
}
