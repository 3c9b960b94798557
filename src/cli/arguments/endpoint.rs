//! The arguments for a server that is asked in the place of files and the store.

use std::sync::Arc;

use clap::Args;

use crate::cli::Stop;
use crate::cli::ending;
use crate::diagnostic::{Diagnostic, Report};
use crate::input::options::{Inputs, NetUse};
use crate::sparql::SparqlServer;

/// Which server is asked, and about which of its graphs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Server")]
pub(in crate::cli) struct EndpointArguments {
    /// Ask a server instead of files or the store: the URL of its SPARQL endpoint
    #[arg(long, value_name = "URL")]
    endpoint: Option<String>,
    /// A graph that the server takes for the default graph, instead of the union of all documents' graphs; can be
    /// repeated
    #[arg(long, value_name = "IRI", requires = "endpoint")]
    default_graph_uri: Vec<String>,
    /// A graph that the server has as a named graph; can be repeated
    #[arg(long, value_name = "IRI", requires = "endpoint")]
    named_graph_uri: Vec<String>,
}

impl EndpointArguments {
    /// The server, if one is named. `others` are the arguments that do not go with it, and whether they are given.
    ///
    /// # Errors
    ///
    /// Where one of these is given, and where the server cannot be asked.
    pub(in crate::cli) fn open(
        &self,
        net: &NetUse,
        others: &[(&str, bool)],
        report: &mut Report,
    ) -> Result<Option<Arc<dyn SparqlServer>>, Stop> {
        self.open_with(None, net, others, report)
    }

    /// As [`Self::open`], with the address for updates.
    pub(in crate::cli) fn open_with(
        &self,
        update_url: Option<&str>,
        net: &NetUse,
        others: &[(&str, bool)],
        report: &mut Report,
    ) -> Result<Option<Arc<dyn SparqlServer>>, Stop> {
        let Some(endpoint) = &self.endpoint else { return Ok(None) };
        if let Some((other, _)) = others.iter().find(|(_, is_given)| *is_given) {
            let message = format!("`{other}` does not go with `--endpoint`");
            return Err(Diagnostic::error("endpoint::argument", message).into());
        }
        ending::listen();
        self.server(endpoint, update_url, net, report).map(Some)
    }

    /// The inputs with the server in their place, if one is named.
    ///
    /// # Errors
    ///
    /// As [`Self::open`], and where files or a store are named, too.
    pub(in crate::cli) fn instead_of(
        &self,
        inputs: &Inputs,
        net: &NetUse,
        others: &[(&str, bool)],
        report: &mut Report,
    ) -> Result<Inputs, Stop> {
        let of_inputs = [("INPUT", !inputs.inputs.is_empty()), ("--store", inputs.store.store.is_some())];
        let endpoint = self.open(net, &[&of_inputs, others].concat(), report)?;
        Ok(Inputs { endpoint, ..inputs.clone() })
    }

    #[cfg(feature = "net")]
    fn server(
        &self,
        url: &str,
        update_url: Option<&str>,
        net: &NetUse,
        _report: &mut Report,
    ) -> Result<Arc<dyn SparqlServer>, Stop> {
        use crate::net::endpoint::{DatasetUris, Endpoint, EndpointAddresses};
        let mut addresses = EndpointAddresses::of(url);
        addresses.update = update_url.map(str::to_owned).or(addresses.update);
        let server = crate::net::Server::new(crate::net::ServerOptions {
            cancellation: ending::cancellation(),
            timeout: net.timeout.unwrap_or(std::time::Duration::from_mins(10)),
            ..Default::default()
        })?;
        let named =
            DatasetUris { default: self.default_graph_uri.clone(), named: self.named_graph_uri.clone() };
        Ok(Arc::new(Endpoint::new(server, addresses, named)))
    }

    #[cfg(not(feature = "net"))]
    fn server(
        &self,
        _url: &str,
        _update_url: Option<&str>,
        _net: &NetUse,
        _report: &mut Report,
    ) -> Result<Arc<dyn SparqlServer>, Stop> {
        let message = "this program was built without the network (feature `net`)";
        Err(Diagnostic::error("input::url", message).into())
    }
}
