//! The files of the page: to whom they are shown, and how they are sent.

use std::io::Read as _;
use std::path::Path;

use super::client::{ask, get};
use super::served::Served;

const PHYSICS: &str = "fixtures/karenina/p1-physics.jsonld";
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

fn index() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/serve/src/page/index.html");
    std::fs::read(path).expect("the page is there")
}

#[test]
fn the_root_is_a_page_to_browsers_and_a_graph_to_programs() {
    let served = Served::fixtures(&[PHYSICS]);
    let page = served.send(&get("/").accept(BROWSER));
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!((page.header("content-encoding"), page.body == index()), (None, true));
    assert!(page.vary().contains(&"accept".to_owned()), "{:?}", page.vary());
    for accept in ["*/*", "text/turtle", "text/html, text/turtle"] {
        let graph = served.send(&get("/").accept(accept));
        assert_eq!((graph.status, graph.header("content-type")), (200, Some("text/turtle; charset=utf-8")));
        assert!(graph.vary().contains(&"accept".to_owned()), "{:?}", graph.vary());
    }
    let head = served.send(&ask("HEAD", "/").accept(BROWSER));
    assert_eq!((head.status, head.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert_eq!(served.send(&ask("POST", "/").accept(BROWSER).body("", "x")).status, 405);
    for unknown in ["/page/", "/page/none.js", "/page/../Cargo.toml", "/page/%2e%2e%2fmod.rs"] {
        assert_eq!(served.send(&get(unknown).accept(BROWSER)).status, 404, "{unknown}");
    }
}

#[test]
fn a_file_of_the_page_is_sent_compressed_and_once() {
    let served = Served::fixtures(&[PHYSICS]);
    let file = get("/page/index.html");
    let compressed = served.send(&file.clone().with("accept-encoding", "gzip, deflate, br, zstd"));
    assert_eq!(compressed.header("content-encoding"), Some("gzip"));
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(&*compressed.body).read_to_end(&mut plain).expect("it is gzip");
    assert!(plain == index());
    let served_plain = served.send(&file.clone().with("accept-encoding", "br, gzip;q=0"));
    assert_eq!((served_plain.header("content-encoding"), served_plain.body == index()), (None, true));
    for reply in [&compressed, &served_plain] {
        assert!(reply.vary().contains(&"accept-encoding".to_owned()));
        assert_eq!(reply.header("cache-control"), Some("no-cache"));
    }
    let tag = compressed.header("etag").expect("it has a name").to_owned();
    assert_eq!(served_plain.header("etag"), Some(tag.as_str()));
    let again = served.send(&file.clone().with("if-none-match", &tag));
    assert_eq!((again.status, again.header("etag")), (304, Some(tag.as_str())));
    assert_eq!(served.send(&file.with("if-none-match", "\"other\"")).status, 200);
}

#[test]
fn the_page_needs_no_token_and_its_data_do() {
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(folder.path().join("a.ttl"), "<urn:x:s> <urn:x:p> 1 .").expect("the folder is ours");
    std::fs::write(folder.path().join("token"), "correct-horse-battery\n").expect("the folder is ours");
    let served = Served::start(folder.path(), &["a.ttl", "--read-token", "token"]);
    assert_eq!(served.send(&get("/").accept(BROWSER)).status, 200);
    assert_eq!(served.send(&get("/page/index.html")).status, 200);
    for data in ["/api/queries", "/api/vocabulary", "/api/findings", "/api/findings.csv", "/api/summary"] {
        assert_eq!(served.send(&get(data).accept(BROWSER)).status, 401, "{data}");
    }
    let misled = get("/").accept(BROWSER).with("host", "evil.example");
    assert_eq!(served.send(&misled).status, 421);
}
