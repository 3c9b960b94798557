//! Resolves names to the addresses that the program may connect to.

use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;
use ureq::{Error, config::Config};

use super::address::{AddressClass, NetAllow};
use super::net_fault::{NetFault, UNREACHABLE};
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::plain;

/// The addresses that may be connected to.
#[derive(Debug, Clone, Copy)]
pub(super) enum ReachableAddresses {
    /// Addresses that the options allow.
    Allowed(NetAllow),
    /// Any address, since the user has named the server.
    Any,
    /// Only this machine, since credentials would be sent without encryption.
    Itself,
}

/// The system's resolver, limited to allowed addresses.
#[derive(Debug)]
pub(super) struct RestrictedResolver(pub(super) ReachableAddresses, pub(super) DefaultResolver);

impl Resolver for RestrictedResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']).to_ascii_lowercase();
        let unknown = |why: &str| NetFault::new(UNREACHABLE, format!("`{host}` has no address: {why}"));
        let addresses = self.1.resolve(uri, config, timeout).map_err(|error| match error {
            Error::Io(error) => Error::Other(Box::new(unknown(&plain(&error)))),
            error => error,
        })?;
        let mut allowed = self.empty();
        for address in &addresses {
            let class = AddressClass::from_address(address.ip());
            let is_allowed = match self.0 {
                ReachableAddresses::Allowed(allow) => class.is_allowed(allow),
                ReachableAddresses::Any => true,
                ReachableAddresses::Itself => class == AddressClass::Loopback,
            };
            if is_allowed {
                allowed.push(*address);
            }
        }
        if !allowed.is_empty() {
            return Ok(allowed);
        }
        let address = addresses.first().ok_or(Error::HostNotFound)?.ip();
        if matches!(self.0, ReachableAddresses::Itself) {
            let message = format!(
                "`{host}` is contacted without encryption, so credentials would be readable on the way"
            );
            let fault = NetFault::new("server::credentials", message);
            let help = help!["use https; or ", setting("net-allow").to("http"), " sends them anyway"];
            return Err(Error::Other(Box::new(fault.with_help(help))));
        }
        let (class, flag) = AddressClass::from_address(address).words();
        let message = format!("`{host}` is at {address}, {class} address, which is not allowed");
        let fault = NetFault::new(UNREACHABLE, message);
        Err(Error::Other(Box::new(match flag {
            Some(flag) => fault.with_help(help![setting("net-allow").to(flag), " allows it"]),
            None => fault,
        })))
    }
}
