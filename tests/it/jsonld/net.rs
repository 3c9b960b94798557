//! The network as the command line uses it: off unless asked for, and with an end to everything.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::cli::input::run;
use crate::http_server::{Answer, HttpServer, Request};

const DOCUMENT: &str = r#"{"@id": "x:s", "x:p": "o"}"#;
const TRIPLE: &str = "<x:s> <x:p> \"o\" .\n";
const ALLOWED: [&str; 3] = ["--net", "--net-allow", "http,loopback"];

/// Longer than any answer that a test waits for; a limit that does not work takes longer still.
const SOON: Duration = Duration::from_secs(20);

fn to_rdf(url: &str, arguments: &[&str]) -> (i32, String, String) {
    let before = Instant::now();
    let arguments = [&["to-rdf", url], arguments].concat();
    let result = run(Path::new("."), &arguments);
    assert!(before.elapsed() < SOON, "{arguments:?} took {:?}", before.elapsed());
    result
}

/// Reads a URL with the network allowed; it has to fail with the API's code.
fn failure(url: &str, arguments: &[&str]) -> String {
    let (status, stdout, stderr) = to_rdf(url, &[&ALLOWED[..], arguments].concat());
    assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
    let first = stderr.lines().next().unwrap_or_default();
    first.strip_prefix("error[loading document failed]: ").unwrap_or_else(|| panic!("{stderr}")).to_owned()
}

/// Converts a document that names a context.
fn with_context(context: &str, arguments: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let document = format!("{{\n  \"@context\": \"{context}\",\n  \"@id\": \"x:s\", \"p\": \"o\"\n}}");
    fs::write(folder.path().join("a.jsonld"), document).expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &[&["to-rdf", "a.jsonld"], arguments].concat());
    (status, stderr)
}

fn document_server() -> HttpServer {
    HttpServer::start(|_| Answer::ok("application/ld+json", DOCUMENT))
}

#[test]
fn nothing_is_asked_unless_the_network_is_on() {
    let server = document_server();
    let url = server.url("/a.jsonld");
    let (status, _, stderr) = to_rdf(&url, &[]);
    assert_eq!(status, 2);
    assert!(stderr.starts_with("error[input::url]"), "{stderr}");
    let (status, stderr) = with_context(&url, &[]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[loading remote context failed]"), "{stderr}");
    assert_eq!(run(Path::new("."), &["to-rdf", &url, "--net-allow", "http"]).0, 2, "nothing to allow");
    assert_eq!(server.connections(), 0);
    assert_eq!(to_rdf(&url, &ALLOWED), (0, TRIPLE.to_owned(), String::new()));
}

#[test]
fn http_and_local_addresses_have_to_be_allowed() {
    let server = document_server();
    let port = server.port();
    let ask = |url: &str, allow: &[&str]| {
        let (status, _, stderr) = to_rdf(url, &[&["--net"], allow].concat());
        assert_eq!(status, 2, "{stderr}");
        stderr.replace(&port.to_string(), "PORT")
    };
    let url = server.url("/a.jsonld");
    insta::assert_snapshot!(ask(&url, &[]), @r#"
error[loading document failed]: `http://127.0.0.1:PORT/a.jsonld` is a URL of the scheme `http`, which is not allowed
 = help: `--net-allow http` allows it
"#);
    insta::assert_snapshot!(ask(&url, &["--net-allow", "http,private"]), @r#"
error[loading document failed]: `127.0.0.1` is at 127.0.0.1, a loopback address, which is not allowed
 = help: `--net-allow loopback` allows it
"#);
    for host in
        ["localhost", "127.0.0.2", "127.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]", "2130706433"]
    {
        for scheme in ["http", "https"] {
            let url = format!("{scheme}://{host}:{port}/");
            let stderr = ask(&url, &["--net-allow", "http,private"]);
            assert!(stderr.contains("which is not allowed"), "{url}: {stderr}");
        }
    }
    // These are allowed by nothing.
    for host in ["169.254.169.254", "[fe80::1]", "224.0.0.1", "0.0.0.0", "255.255.255.255"] {
        let stderr = ask(&format!("http://{host}/"), &["--net-allow", "http,loopback,private"]);
        assert!(stderr.contains("which is not allowed"), "{host}: {stderr}");
    }
    assert_eq!(server.connections(), 0);
}

#[test]
fn redirects_are_followed_to_their_limit_and_no_further() {
    let server = HttpServer::start(|request: &Request| match request.path.as_str() {
        "/0" => Answer::ok("application/ld+json", r#"{"@id": "s", "x:p": "o"}"#),
        "/for-ever" => Answer::redirect(302, "/for-ever"),
        "/nowhere" => Answer::Whole { status: 302, fields: Vec::new(), body: Vec::new() },
        path => {
            let number: u32 = path[1..].parse().expect("a number");
            Answer::redirect(301, format!("{}", number - 1))
        }
    });
    let (status, stdout, _) = to_rdf(&server.url("/10"), &ALLOWED);
    assert_eq!((status, stdout), (0, format!("<{}> <x:p> \"o\" .\n", server.url("/s"))));
    let last = server.url("/0");
    assert_eq!(failure(&server.url("/11"), &[]), format!("more than 10 redirects, the last one to `{last}`"));
    let before = server.connections();
    let url = server.url("/for-ever");
    let message = failure(&url, &["--max-redirects", "3"]);
    assert_eq!(message, format!("more than 3 redirects, the last one to `{url}`"));
    assert_eq!(server.connections() - before, 4);
    let url = server.url("/nowhere");
    assert_eq!(failure(&url, &[]), format!("`{url}` redirects to nowhere"));
}

#[test]
fn a_redirect_leads_only_where_a_url_may() {
    for (to, reason) in [
        ("ftp://example.org/a", "`ftp://example.org/a` is not a URL of the scheme `https`"),
        ("file:///etc/passwd", "`file:///etc/passwd` is not a URL of the scheme `https`"),
        ("http://10.0.0.1/a", "`10.0.0.1` is at 10.0.0.1, a private address, which is not allowed"),
        ("//[fd00::1]/a", "`fd00::1` is at fd00::1, a private address, which is not allowed"),
        ("//100.64.0.1/", "`100.64.0.1` is at 100.64.0.1, a private address, which is not allowed"),
        (
            "http://169.254.169.254/latest/meta-data/",
            "`169.254.169.254` is at 169.254.169.254, a link-local address, which is not allowed",
        ),
        (
            "http://[::ffff:192.168.0.1]/",
            "`::ffff:192.168.0.1` is at ::ffff:192.168.0.1, a private address, which is not allowed",
        ),
        (
            "http://me:secret@10.0.0.1/",
            "`http://***@10.0.0.1/` contains a user name or password, which are never sent",
        ),
        ("http://", "`http://` does not name a valid host"),
        ("http://a b/", "`http://a b/` is not an absolute URL"),
    ] {
        let server = HttpServer::start(move |_| Answer::redirect(307, to));
        assert_eq!(failure(&server.url("/"), &[]), reason);
        let (status, stderr) = with_context(&server.url("/"), &ALLOWED);
        assert_eq!(status, 2);
        assert!(stderr.contains("a.jsonld:2:15: error[loading remote context failed]"), "{stderr}");
        assert!(stderr.contains(reason) && !stderr.contains("secret"), "{stderr}");
    }
    // An alternate is a URL like any other.
    let server = HttpServer::start(|_| Answer::Whole {
        status: 200,
        fields: vec![
            ("Content-Type", "text/html".to_owned()),
            ("Link", "<http://10.0.0.1/>; rel=alternate; type=application/ld+json".to_owned()),
        ],
        body: Vec::new(),
    });
    assert!(failure(&server.url("/"), &[]).contains("a private address"));
}

#[test]
fn an_answer_ends_at_the_limit_of_size() {
    let zeros = vec![b' '; 1 << 16];
    let chunk = [b"10000\r\n".as_slice(), &zeros, b"\r\n"].concat();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/ld+json\r\n";
    for (fields, again) in [
        ("Content-Length: 10737418240\r\n\r\n", &zeros),
        ("\r\n", &zeros),
        ("Transfer-Encoding: chunked\r\n\r\n", &chunk),
        ("Transfer-Encoding: chunked\r\n\r\nffffffffffffff\r\n", &zeros),
    ] {
        let (first, again) = (format!("{head}{fields}").into_bytes(), again.clone());
        let server = HttpServer::start(move |_| Answer::Endless(first.clone(), again.clone()));
        let message = failure(&server.url("/"), &["--max-size", "1MiB"]);
        assert!(message.ends_with("has more than 1,048,576 bytes"), "{message}");
    }
    let server = HttpServer::start(move |_| {
        Answer::Endless(b"HTTP/1.1 200 OK\r\nX-Header: ".to_vec(), b"again and again ".to_vec())
    });
    let message = failure(&server.url("/"), &[]);
    assert!(message.ends_with("sends more than 65,536 bytes of header"), "{message}");
    let server = HttpServer::start(move |_| {
        Answer::Endless(b"HTTP/1.1 200 OK\r\n".to_vec(), b"X-Header: again\r\n".to_vec())
    });
    let message = failure(&server.url("/"), &[]);
    assert!(message.ends_with("too many headers"), "{message}");
    // A bomb: what comes out is limited too.
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&vec![b' '; 8 << 20]).expect("a vector takes everything");
    let bomb = encoder.finish().expect("a vector takes everything");
    let server = HttpServer::start(move |request: &Request| Answer::Whole {
        status: 200,
        fields: match request.path.as_str() {
            "/coded" => vec![("Content-Encoding", "gzip".to_owned())],
            _ => Vec::new(),
        },
        body: bomb.clone(),
    });
    for path in ["/coded", "/file.gz"] {
        let (status, _, stderr) =
            to_rdf(&server.url(path), &[&ALLOWED[..], &["--max-size", "1MiB"]].concat());
        assert!(status == 2 && stderr.contains("more than 1,048,576 bytes"), "{stderr}");
    }
}

#[test]
fn a_server_that_never_answers_is_not_waited_for() {
    let slow: [fn(&Request) -> Answer; 2] =
        [|_| Answer::Silence, |_| Answer::Endless(b"HTTP/1.1 200 OK\r\nX: ".to_vec(), Vec::new())];
    for answer in slow {
        let server = HttpServer::start(answer);
        let before = Instant::now();
        let message = failure(&server.url("/"), &["--net-timeout", "700ms"]);
        assert!(message.ends_with("did not answer within 0.7 seconds"), "{message}");
        assert!(before.elapsed() < Duration::from_secs(5), "{:?}", before.elapsed());
    }
    // All redirects together have the time of one document.
    let server = HttpServer::start(|_| {
        std::thread::sleep(Duration::from_millis(400));
        Answer::redirect(302, "/again")
    });
    let message = failure(&server.url("/"), &["--net-timeout", "1s", "--max-redirects", "1000"]);
    assert!(message.contains("in time") || message.contains("within 1 second"), "{message}");
    assert!(server.connections() < 5);
    // Nobody listens behind a closed port.
    let port = HttpServer::start(|_| Answer::Silence).port();
    let message = failure(&format!("http://127.0.0.1:{port}/"), &[]);
    assert!(message.contains("cannot be connected to: connection refused"), "{message}");
}

#[test]
fn an_answer_that_is_none_is_named() {
    let host = |server: &HttpServer| format!("127.0.0.1:{}", server.port());
    for (bytes, reason) in [
        ("", "`HOST` closed the connection before its answer ended"),
        ("HTTP/1.1 200 OK\r\nContent", "`HOST` closed the connection before its answer ended"),
        (
            "SSH-2.0-OpenSSH\r\n\r\n",
            "the answer of `HOST` is not HTTP: http parse fail: invalid HTTP version",
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}",
            "`HOST` closed the connection before its answer ended",
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: -9\r\n\r\n{}",
            "the answer of `HOST` is not HTTP: content-length header not a number",
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "the answer of `HOST` is not HTTP: chunk length cannot be read as a number",
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}xx",
            "`HOST` closed the connection before its answer ended",
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
            "`HOST` sends in the coding `gzip`, which is not known",
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n",
            "`HOST` compresses with `br`, which was not asked for",
        ),
        (
            "HTTP/1.1 404 Gone\u{1b}[31m\r\n\r\n",
            "the answer of `HOST` is not HTTP: http parse fail: invalid response status",
        ),
        ("HTTP/1.1 500 Oh no\r\n\r\n", "`http://HOST/`: the server answers 500 Internal Server Error"),
        ("HTTP/1.1 204 Nothing\r\n\r\n", "`http://HOST/` comes without a media type"),
    ] {
        let server = HttpServer::start(move |_| Answer::Raw(bytes.as_bytes().to_vec()));
        assert_eq!(failure(&server.url("/"), &[]), reason.replace("HOST", &host(&server)), "{bytes}");
    }
    // What is not encrypted is not an answer to who wants that.
    let server = document_server();
    let message = failure(&format!("https://{}/", host(&server)), &[]);
    assert!(message.starts_with(&format!("no secure connection to `{}`", host(&server))), "{message}");
}

#[test]
fn good_answers_come_in_many_forms() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(DOCUMENT.as_bytes()).expect("a vector takes everything");
    let gzip = encoder.finish().expect("a vector takes everything");
    let text = |head: &str| [head.as_bytes(), DOCUMENT.as_bytes()].concat();
    let (start, end) = DOCUMENT.split_at(7);
    for bytes in [
        text("HTTP/1.0 200 OK\nContent-Type: application/ld+json\n\n"),
        text(
            "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200\r\nContent-type:application/JSON\r\n\r\n",
        ),
        [b"HTTP/1.1 200 OK\r\ncontent-TYPE: text/x+json\r\nContent-Encoding: gzip\r\n\r\n".as_slice(), &gzip]
            .concat(),
        [b"HTTP/1.1 200 OK\r\nContent-Type: application/ld+json\r\n\r\n".as_slice(), &gzip].concat(),
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/ld+json\r\nTransfer-Encoding: Chunked\r\n\r\n\
             7;x=y\r\n{start}\r\n{:x}\r\n{end}\r\n0\r\nX: y\r\n\r\n",
            end.len()
        )
        .into_bytes(),
    ] {
        let server = HttpServer::start(move |_| Answer::Raw(bytes.clone()));
        assert_eq!(to_rdf(&server.url("/"), &ALLOWED), (0, TRIPLE.to_owned(), String::new()));
    }
}

#[test]
fn a_context_that_is_none_is_an_error_at_its_name() {
    let server = HttpServer::start(|request: &Request| match request.path.as_str() {
        "/turtle" => Answer::ok("text/turtle", "<x:s> <x:p> <x:o> ."),
        "/page" => Answer::ok("text/html", "<p>no script"),
        "/array" => Answer::ok("application/ld+json", "[]"),
        "/broken" => Answer::ok("application/ld+json", "{\"@context\": }"),
        "/script" => Answer::ok("text/html", "<script type=application/ld+json>\n{\"@context\": }</script>"),
        "/two" => Answer::Whole {
            status: 200,
            fields: vec![
                ("Content-Type", "application/json".to_owned()),
                ("Link", "<a>; rel=\"http://www.w3.org/ns/json-ld#context\"".to_owned()),
                ("Link", "<b>; rel=\"http://www.w3.org/ns/json-ld#context\"".to_owned()),
            ],
            body: b"{\"@context\": {}}".to_vec(),
        },
        _ => Answer::not_found(),
    });
    for (path, code, reason) in [
        (
            "/turtle",
            "loading remote context failed",
            "has the media type `text/turtle`, which is neither JSON nor HTML",
        ),
        ("/page", "loading remote context failed", "this is an HTML page without a script of the type"),
        ("/array", "invalid remote context", "contains no object with `@context`"),
        (
            "/broken",
            "loading remote context failed",
            "/broken:1:14: json::syntax: `}` where a value should be",
        ),
        ("/script", "loading remote context failed", "/script:2:14: `}` where a value should be"),
        ("/two", "loading remote context failed", "comes with the contexts `a` and `b`"),
        ("/gone", "loading remote context failed", "the server answers 404 Not Found"),
    ] {
        let (status, stderr) = with_context(&server.url(path), &ALLOWED);
        assert_eq!(status, 2);
        assert!(stderr.starts_with(&format!("a.jsonld:2:15: error[{code}]: ")), "{stderr}");
        assert!(stderr.contains(reason), "{stderr}");
        // The media type of the input is not at fault, and so not what helps.
        assert!(!stderr.contains("--content-type"), "{stderr}");
    }
}

#[test]
fn a_context_is_asked_for_once_a_run() {
    let server = HttpServer::start(|request: &Request| match request.path.as_str() {
        "/context" => Answer::ok("application/ld+json", r#"{"@context": {"p": "x:p"}}"#),
        _ => Answer::not_found(),
    });
    let folder = tempfile::tempdir().expect("a temporary folder");
    for number in 0..5 {
        for name in ["context", "gone"] {
            let url = server.url(&format!("/{name}"));
            let text = format!(r#"{{"@context": "{url}", "@id": "x:{number}", "p": "o"}}"#);
            fs::write(folder.path().join(format!("{name}{number}.jsonld")), text)
                .expect("the folder is ours");
        }
    }
    let (status, stdout, _) =
        run(folder.path(), &[&["convert", ".", "--to", "nt", "--keep-going"], &ALLOWED[..]].concat());
    assert_eq!((status, stdout.lines().count()), (2, 5));
    let (status, ..) = run(folder.path(), &[&["stats", "."], &ALLOWED[..]].concat());
    assert_eq!(status, 2);
    let asked: Vec<String> = server.requests().into_iter().map(|request| request.path).collect();
    assert_eq!(asked.len(), 4, "{asked:?}");
}

#[test]
fn requests_say_what_they_want_and_nothing_more() {
    let server = HttpServer::start(|request: &Request| match request.path.as_str() {
        "/context" => Answer::ok("application/ld+json", r#"{"@context": {"p": "x:p"}}"#),
        _ => Answer::ok("application/ld+json", r#"{"@context": "context", "@id": "x:s", "p": "o"}"#),
    });
    assert_eq!(to_rdf(&server.url("/a?b=%C3%A4&c=ä#d"), &ALLOWED).1, TRIPLE);
    let requests = server.requests();
    let [document, context] = requests.as_slice() else { panic!("{requests:?}") };
    assert_eq!(document.path, "/a?b=%C3%A4&c=%C3%A4");
    let accept = "application/ld+json, application/json;q=0.9, text/html;q=0.5, application/xhtml+xml;q=0.5, */*;q=0.1";
    assert_eq!(document.field("accept"), Some(accept));
    let accept = "application/ld+json;profile=\"http://www.w3.org/ns/json-ld#context\", \
        application/ld+json;q=0.9, application/json;q=0.8, */*;q=0.1";
    assert_eq!(context.field("accept"), Some(accept));
    let names: Vec<&str> = document.fields.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["accept-encoding", "user-agent", "host", "accept", "connection"]);
}

#[test]
fn passwords_in_urls_are_not_shown() {
    let secret = "https://me:secret@127.0.0.1/a";
    for arguments in [&ALLOWED[..], &[]] {
        let (status, _, stderr) = to_rdf(secret, arguments);
        assert!(status == 2 && stderr.contains("`https://***@127.0.0.1/a`"), "{stderr}");
        assert!(!stderr.contains("secret"), "{stderr}");
        let (status, stderr) = with_context(secret, arguments);
        assert!(status == 2 && !stderr.contains("secret"), "{stderr}");
        let expand = [&["--expand-context", secret], arguments].concat();
        let (status, _, stderr) = run(Path::new("."), &[&["expand", "-"], expand.as_slice()].concat());
        assert!(status == 2 && !stderr.contains("secret"), "{stderr}");
    }
}

#[test]
fn other_formats_are_read_by_their_media_type_or_content() {
    let server = HttpServer::start(|request: &Request| match request.path.as_str() {
        "/turtle" => Answer::ok("text/turtle", "@prefix x: <x:> . x:s x:p \"o\" ."),
        "/relative" => Answer::ok("text/turtle", "<s> <x:p> \"o\" ."),
        "/plain.jsonld" => Answer::ok("text/plain; charset=utf-8", DOCUMENT),
        "/page" => Answer::ok("text/html", format!("<script type=application/ld+json>{DOCUMENT}</script>")),
        _ => Answer::ok("application/octet-stream", TRIPLE),
    });
    for path in ["/turtle", "/plain.jsonld", "/page", "/x"] {
        let url = server.url(path);
        let (status, stdout, stderr) =
            run(Path::new("."), &[&["convert", &url, "--to", "nt"], &ALLOWED[..]].concat());
        assert_eq!((status, stdout.as_str()), (0, TRIPLE), "{stderr}");
    }
    let url = server.url("/relative");
    let (_, stdout, _) = run(Path::new("."), &[&["convert", &url, "--to", "nt"], &ALLOWED[..]].concat());
    assert_eq!(stdout, format!("<{}> <x:p> \"o\" .\n", server.url("/s")));
    // The API reads what is JSON or HTML by its media type, unless told otherwise.
    let url = server.url("/plain.jsonld");
    assert!(failure(&url, &[]).ends_with("has the media type `text/plain`, which is neither JSON nor HTML"));
    let told = [&ALLOWED[..], &["--content-type", "application/ld+json"]].concat();
    assert_eq!(to_rdf(&url, &told).1, TRIPLE);
}

#[test]
fn a_url_that_is_mapped_needs_no_network() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.jsonld"), r#"{"@id": "s", "x:p": "o"}"#).expect("the folder is ours");
    let arguments = ["to-rdf", "https://example.org/x/a.jsonld#b", "--map", "https://example.org/x/=."];
    let (status, stdout, stderr) = run(folder.path(), &arguments);
    assert_eq!((status, stdout.as_str()), (0, "<https://example.org/x/s> <x:p> \"o\" .\n"), "{stderr}");
}
