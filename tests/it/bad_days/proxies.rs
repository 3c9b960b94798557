//! Proxies and certificates, as the environment and the arguments name them.

use oxigraph::io::RdfFormat;

use super::kinds::{FUSEKI, Place};
use super::sending::{PATIENCE, tells};
use super::{Ended, at_once, run, without_ports};
use crate::faulty_server::{Cut, FaultyServer, Guard, Relay};
use crate::http_server::{Answer, HttpServer};

/// Lists the graphs of a server that a host is said to have.
fn graphs(server: &FaultyServer, host: &str, variables: &[(&str, &str)], more: &[&str]) -> Ended {
    let url = format!("https://{host}:{}/ds", server.http().port());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let ca = HttpServer::root_of_trust().display().to_string();
    let arguments = ["graphs", "--endpoint", &url, "--net-timeout", "2s", "--retries", "1", "--ca", &ca];
    run(folder.path(), variables, &[&arguments, more].concat())
}

fn told(ended: &Ended, server: &FaultyServer, proxy: u16) -> String {
    assert_eq!(ended.status, 2, "{}", ended.stdout);
    without_ports(&ended.stderr, server).replace(&format!(":{proxy}"), ":PROXY")
}

#[test]
fn a_proxy_is_used_unless_a_host_is_spared() {
    let server = FaultyServer::start_tls();
    let relay = Relay::start(server.http().port(), Cut::Never);
    let proxy = format!("http://127.0.0.1:{}", relay.port());
    let through = [("HTTPS_PROXY", &*proxy)];
    let ended = graphs(&server, "localhost", &through, &[]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert_eq!(relay.named().first(), Some(&format!("localhost:{}", server.http().port())));
    let before = relay.connections();
    let spared = [("HTTPS_PROXY", &*proxy), ("NO_PROXY", "example.org, localhost")];
    assert_eq!(graphs(&server, "localhost", &spared, &[]).status, 0);
    assert_eq!(relay.connections(), before);
    // The certificate is that of another host, which only the proxy can reach.
    let other = graphs(&server, "sparql.example.org", &through, &[]);
    insta::assert_snapshot!(told(&other, &server, relay.port()));
}

#[test]
fn a_proxy_that_cuts_connections_is_an_error() {
    let server = FaultyServer::start_tls();
    // An answer that is much longer than the greetings of TLS.
    let graphs_of_it: String = (0..500)
        .map(|number| format!("<urn:s> <urn:p> <urn:o> <urn:a-graph-with-a-name:{number}> .\n"))
        .collect();
    assert!(server.store().load_from_slice(RdfFormat::NQuads, graphs_of_it.as_bytes()).is_ok());
    let relay = Relay::start(server.http().port(), Cut::Never);
    let proxy = format!("http://127.0.0.1:{}", relay.port());
    let texts = [Cut::Asked(0), Cut::Asked(100), Cut::Answered(500), Cut::Answered(10_000)].map(|cut| {
        relay.cut(cut);
        let ended = graphs(&server, "localhost", &[("https_proxy", &proxy)], &[]);
        format!("{cut:?}\n{}", told(&ended, &server, relay.port()))
    });
    insta::assert_snapshot!(texts.join("\n"));
    relay.cut(Cut::Never);
    assert_eq!(graphs(&server, "localhost", &[("https_proxy", &proxy)], &[]).status, 0);
}

#[test]
fn an_export_through_a_proxy_that_cuts_connections_is_finished_by_another() {
    let ca = HttpServer::root_of_trust().display().to_string();
    let options = ["--replace", "--ca", &ca];
    let cuts = (0..12).flat_map(|at| [Cut::Asked(250 * at), Cut::Answered(250 * at)]);
    let options = &options;
    at_once(cuts.map(|cut| {
        move || {
            let place = Place::on(FaultyServer::start_tls());
            let relay = Relay::start(place.server.http().port(), cut);
            let proxy = format!("http://127.0.0.1:{}", relay.port());
            let through = [("HTTPS_PROXY", &*proxy)];
            let ended = place.export_with(&through, FUSEKI, &[&options[..], &PATIENCE].concat());
            let what = format!("{cut:?}: {}", ended.stderr);
            tells(&ended, place.state(), "new", &what);
            relay.cut(Cut::Never);
            let again = place.export_with(&through, FUSEKI, &[&options[..], &["--resume"]].concat());
            assert_eq!(
                (again.status, place.state()),
                (0, ["new"; 2]),
                "again after {what}: {}",
                again.stderr
            );
            assert!(place.others().is_empty(), "again after {what}");
        }
    }));
}

#[test]
fn an_export_to_a_server_that_is_not_trusted_is_done_once_it_is() {
    let place = Place::on(FaultyServer::start_tls());
    let ended = place.export(FUSEKI, &["--replace"]);
    tells(&ended, place.state(), "new", &ended.stderr);
    assert!(ended.stderr.contains("error[server::certificate]"), "{}", ended.stderr);
    assert!(ended.stderr.contains("nothing was sent"), "{}", ended.stderr);
    let ca = HttpServer::root_of_trust().display().to_string();
    let again = place.export(FUSEKI, &["--replace", "--ca", &ca]);
    assert_eq!((again.status, place.state()), (0, ["new"; 2]), "{}", again.stderr);
}

#[test]
fn a_proxy_that_does_not_let_through_is_blamed() {
    let server = FaultyServer::start_tls();
    let refusing = HttpServer::start(|_: &_| Answer::status(407, "").with("Proxy-Authenticate", "Basic"));
    let with_password = format!("http://ada:distinctive@127.0.0.1:{}", refusing.port());
    let of = |proxy: &str, port: u16| {
        told(&graphs(&server, "localhost", &[("HTTPS_PROXY", proxy)], &[]), &server, port)
    };
    let texts = [
        of(&with_password, refusing.port()),
        of("http://127.0.0.1:9", 9),
        of("http://ada:distinctive@proxy.invalid:3128", 9),
        of("socks5://ada:distinctive@127.0.0.1:9", 9),
        of("ada:distinctive", 9),
    ];
    insta::assert_snapshot!(texts.join("\n"));
    assert!(!texts.concat().contains("distinctive"));
    let login = refusing.requests()[0].field("proxy-authorization").map(str::to_owned);
    assert_eq!(login.as_deref(), Some("Basic YWRhOmRpc3RpbmN0aXZl"));
}

#[test]
fn a_certificate_that_is_not_trusted_is_an_error_with_a_way_out() {
    let server = FaultyServer::start_tls();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = server.http().url("/ds");
    let ended = run(folder.path(), &[], &["graphs", "--endpoint", &url]);
    insta::assert_snapshot!(told(&ended, &server, 9));
    let plain = FaultyServer::guarded(Guard::None);
    let url = plain.http().url("/ds").replace("http:", "https:");
    let ended = run(folder.path(), &[], &["graphs", "--endpoint", &url]);
    insta::assert_snapshot!(told(&ended, &plain, 9));
}
