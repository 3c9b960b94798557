//! Sends SERVICE queries over the network: the SPARQL 1.1 Protocol, section 2.1.1, a query by GET.

use std::sync::Arc;

use sparesults::QueryResultsFormat;
use spargebra::Query;

use super::NetLoader;
use super::query_results_reader::{ACCEPT, format_of, malformed, table};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_jsonld::LoadError;
use evalgraph_rdf::iri::{percent_encode_into, without_userinfo};
use evalgraph_sparql::{ServiceAnswer, ServiceHandler};

/// Queries services over the network, within the limits for documents.
#[derive(Debug)]
pub struct NetworkServices {
    net: NetLoader,
}

impl NetworkServices {
    pub(crate) fn new(net: NetLoader) -> Self {
        Self { net }
    }
}

impl ServiceHandler for NetworkServices {
    fn select(&self, service: &str, query: &Query) -> Result<Arc<ServiceAnswer>, Box<Diagnostic>> {
        let service = service.split('#').next().unwrap_or(service);
        let mut url = service.to_owned();
        url.push(if url.contains('?') { '&' } else { '?' });
        url.push_str("query=");
        percent_encode_into(&query.to_string(), &mut url);
        let fetched = self.net.get(&url, ACCEPT).map_err(|error| match error {
            LoadError::Failed(failure) => {
                let shown = without_userinfo(service);
                let message = format!("the service `{shown}` does not answer: {}", failure.message);
                let mut fault = Diagnostic::error("sparql::service", message);
                fault.help.extend(failure.help);
                Box::new(fault)
            }
            _ => fault(service, "it cannot be reached"),
        })?;
        // A service may be a file whose media type the server does not know.
        let format = format_of(fetched.media_type.essence()).unwrap_or(QueryResultsFormat::Json);
        let (variables, rows) = table(&fetched.body, format).map_err(|reason| fault(service, &reason))?;
        Ok(Arc::new(ServiceAnswer { variables: variables.into(), rows }))
    }
}

fn fault(service: &str, reason: &str) -> Box<Diagnostic> {
    malformed(&format!("the service `{}`", without_userinfo(service)), "sparql::service", reason)
}
