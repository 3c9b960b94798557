//! Answers SERVICE over the network.

use std::sync::Arc;

use crate::load::read_session::LoadOptions;
use evalgraph_json::Limits;
use evalgraph_sparql::ServiceHandler;

/// Queries services over the network. `None` if the network is not allowed.
#[cfg(feature = "net")]
pub fn network_services(loading: &LoadOptions, limits: Limits) -> Option<Arc<dyn ServiceHandler>> {
    // The depth limit applies to documents, not to answers.
    let net = loading.iris.net.net(Limits { size: limits.size, ..Limits::default() })?;
    Some(Arc::new(crate::net::network_services::NetworkServices::new(net)))
}

/// `None`: this build has no network support.
#[cfg(not(feature = "net"))]
pub fn network_services(_loading: &LoadOptions, _limits: Limits) -> Option<Arc<dyn ServiceHandler>> {
    None
}
