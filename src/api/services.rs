//! SERVICE over the network.

use std::sync::Arc;

use crate::json::Limits;
use crate::load::json_ld::LoadOptions;
use crate::sparql::Services;

/// Asks services over the network; none where that is not allowed.
#[cfg(feature = "net")]
pub(crate) fn network_services(loading: &LoadOptions, limits: Limits) -> Option<Arc<dyn Services>> {
    // The depth of an answer is not that of documents.
    let net = loading.iris.net.net(Limits { size: limits.size, ..Limits::default() })?;
    Some(Arc::new(crate::net::services::NetworkServices::new(net)))
}

#[cfg(not(feature = "net"))]
pub(crate) fn network_services(_loading: &LoadOptions, _limits: Limits) -> Option<Arc<dyn Services>> {
    None
}
