//! The proxy that the environment names for https.

use std::env;

use ureq::http::Uri;
use ureq::{Error, Proxy, ProxyProtocol};

use super::net_fault::{NetFault, PROXY, UNREACHABLE};
use super::target::RequestTarget;
use evalgraph_diagnostics::Diagnostic;

/// The first variable that is set and not empty, with its value.
fn variable(names: [&'static str; 2]) -> Option<(&'static str, String)> {
    let value = |name: &'static str| Some((name, env::var_os(name)?.to_string_lossy().into_owned()));
    names.into_iter().filter_map(value).find(|(_, value)| !value.is_empty())
}

/// The proxy of `HTTPS_PROXY`, which does not apply to the hosts of `NO_PROXY`. The value may contain a password, so it
/// is never shown.
pub(super) fn proxy() -> Result<Option<Proxy>, Box<Diagnostic>> {
    let Some((name, value)) = variable(["HTTPS_PROXY", "https_proxy"]) else { return Ok(None) };
    let (_, spared) = variable(["NO_PROXY", "no_proxy"]).unwrap_or_default();
    parsed(&value, &spared).map(Some).map_err(|_| {
        let message = format!("`{name}` is not the address of a proxy that speaks HTTP");
        Box::new(Diagnostic::error(PROXY, message))
    })
}

fn parsed(value: &str, spared: &str) -> Result<Proxy, Error> {
    let named = Proxy::new(value)?;
    if !matches!(named.protocol(), ProxyProtocol::Http | ProxyProtocol::Https) {
        return Err(Error::InvalidProxyUrl);
    }
    let mut builder = Proxy::builder(named.protocol()).host(named.host()).port(named.port());
    if let Some(user) = named.username() {
        builder = builder.username(user);
    }
    if let Some(password) = named.password() {
        builder = builder.password(password);
    }
    for host in spared.split(',').map(str::trim).filter(|host| !host.is_empty()) {
        builder = builder.no_proxy(host);
        if !host.starts_with(['*', '.']) {
            // Subdomains are excluded as well, as in other programs.
            builder = builder.no_proxy(&format!(".{host}"));
        }
    }
    builder.build()
}

/// Returns whether requests to a server go through the proxy.
pub(super) fn is_between(proxy: &Proxy, target: &RequestTarget) -> bool {
    target.is_tls && !target.to_string().parse().is_ok_and(|uri: Uri| proxy.is_no_proxy(&uri))
}

/// Names the proxy in a fault of the connection to it or through it.
pub(super) fn blamed(mut fault: NetFault, proxy: &Proxy, target: &RequestTarget) -> NetFault {
    let named = format!("the proxy `{}:{}`", proxy.host(), proxy.port());
    match fault.code {
        UNREACHABLE => {
            fault.code = PROXY;
            let [server, host] = [&*target.authority, proxy.host()].map(|name| format!("`{name}`"));
            fault.message = fault.message.replace(&server, &named).replace(&host, &named);
        }
        PROXY => {}
        _ => fault.message.push_str(&format!(" (through {named})")),
    }
    fault
}

#[test]
fn a_proxy_spares_hosts() {
    let proxy =
        parsed("http://ada:secret@proxy.test:3128", "localhost, example.org,.example.com").expect("a proxy");
    assert_eq!((proxy.host(), proxy.port(), proxy.password()), ("proxy.test", 3128, Some("secret")));
    for (host, is_spared) in [
        ("localhost", true),
        ("example.org", true),
        ("a.example.org", true),
        ("notexample.org", false),
        ("example.com", false),
        ("a.example.com", true),
    ] {
        let uri: Uri = format!("https://{host}/").parse().expect("a URL");
        assert_eq!(proxy.is_no_proxy(&uri), is_spared, "{host}");
    }
    assert!(parsed("proxy.test:3128", "").is_ok());
    for wrong in ["socks5://proxy.test", "ftp://proxy.test", "http://", "a b"] {
        assert!(parsed(wrong, "").is_err(), "{wrong}");
    }
}
