//! A password and a token in every place that people can put them, and servers that say again whatever they hear: no command
//! shows them, on stdout, on stderr or in a file that it writes, and no other server is told.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use evalgraph::net::{
    ClientRequest, Credentials, HttpClient, HttpClientOptions, HttpMethod, NetAllow, RequestPayload,
    SecretText,
};
use evalgraph::rdf::iri::percent_encode_into;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::http_server::{Answer, HttpServer, Request};
use crate::karenina::fixtures::path;

const USER: &str = "kestrel";
/// The second one has what URLs, JSON and quotes write in another way.
const PASSWORDS: [&str; 2] = ["Qv7-Lantern-Harbour", "Qv8 \"Länt/ern\" %?@:&<Harbour>"];
const TOKEN: &str = "Tk9.Lantern~Harbour";

/// The ways to run each command on a server: `URL` or a name is put in for `SERVER`, a checkpoint for `GOOD`.
const WAYS: [&[&str]; 17] = [
    &["query", "--endpoint", "SERVER", "-q", "SELECT * { ?s ?p ?o }"],
    &["query", "--endpoint", "SERVER", "-q", "ASK { ?s ?p ?o }"],
    &["query", "--endpoint", "SERVER", "-q", "CONSTRUCT WHERE { ?s ?p ?o }", "--default-graph", "strict"],
    &["query", "--endpoint", "SERVER", "-n", "overview", "-o", "out/table.json"],
    &["update", "--endpoint", "SERVER", "-q", "INSERT DATA { GRAPH <urn:g> { <urn:a> <urn:b> 1 } }"],
    &["graphs", "--endpoint", "SERVER"],
    &["stats", "--endpoint", "SERVER"],
    &[
        "validate",
        "--endpoint",
        "SERVER",
        "--shapes",
        "karenina",
        "--format",
        "sarif",
        "-o",
        "out/report.sarif",
    ],
    &["check", "--endpoint", "SERVER", "--format", "json", "-o", "out/report.json"],
    &["convert", "--endpoint", "SERVER", "--to", "nq", "-o", "out/graphs.nq"],
    &["dump", "--endpoint", "SERVER", "-o", "out/dump.nq"],
    &["diff", "--endpoint", "SERVER", "GOOD"],
    &["export", "fuseki", "SERVER", "--dataset", "ds", "GOOD"],
    &["export", "graphdb", "SERVER", "--repository", "r", "GOOD"],
    &["export", "rdf4j", "SERVER", "--repository", "r", "--create", "GOOD"],
    &["export", "virtuoso", "SERVER", "GOOD"],
    &["export", "gsp", "SERVER", "GOOD", "--append"],
];

/// What a server does with what it hears, once somebody has said who they are.
#[derive(Debug, Clone, Copy)]
enum Echo {
    RefusesBasic,
    RefusesDigest,
    Challenges,
    Forbids,
    Page,
    Text,
    Results,
    Triples,
    /// Takes all that is sent, and has no table with a row.
    Graphs,
    Redirects,
    RedirectsReaders,
}

const ECHOES: [Echo; 11] = [
    Echo::RefusesBasic,
    Echo::RefusesDigest,
    Echo::Challenges,
    Echo::Forbids,
    Echo::Page,
    Echo::Text,
    Echo::Results,
    Echo::Triples,
    Echo::Graphs,
    Echo::Redirects,
    Echo::RedirectsReaders,
];

impl Echo {
    fn answer(self, request: &Request, elsewhere: &str) -> Answer {
        let heard: Vec<String> =
            request.fields.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        let who = request.field("authorization").unwrap_or_default();
        // As a server would log it that takes its requests apart.
        let decoded =
            who.strip_prefix("Basic ").and_then(|word| STANDARD.decode(word).ok()).unwrap_or_default();
        let heard = format!("{} {}\n{}", request.path, String::from_utf8_lossy(&decoded), heard.join("\n"));
        let encoded =
            format!("{}&{}", who.replace(' ', "%20"), percent_encoded(&String::from_utf8_lossy(&decoded)));
        let typed = |status, media_type: &str, body: String| Answer::Whole {
            status,
            fields: vec![("Content-Type", media_type.to_owned())],
            body: body.into_bytes(),
        };
        let digest = "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"";
        match self {
            Self::RefusesDigest => {
                let body = serde_json::json!({ "message": heard }).to_string();
                typed(401, "application/json", body).with("WWW-Authenticate", digest)
            }
            Self::Challenges if !who.is_empty() => Answer::status(401, &heard).with("WWW-Authenticate", who),
            _ if who.is_empty() || matches!(self, Self::RefusesBasic) => {
                Answer::status(401, &heard).with("WWW-Authenticate", "Basic realm=\"r\"")
            }
            Self::Forbids => Answer::status(403, &heard),
            Self::Page => typed(200, "text/html", format!("<html><body>{heard}</body></html>")),
            Self::Text => Answer::status(200, &heard),
            Self::Results => {
                let rest = serde_json::json!(heard).to_string();
                typed(200, "application/sparql-results+json", format!("{{\"head\": {{\"vars\": [{rest}"))
            }
            Self::Graphs if request.field("accept").is_some_and(|accept| accept.contains("results+json")) => {
                let table = serde_json::json!({ "head": { "vars": [] }, "results": { "bindings": [] } });
                typed(200, "application/sparql-results+json", table.to_string())
            }
            Self::Graphs if request.method != "GET" => typed(200, "text/plain", heard),
            Self::Triples | Self::Graphs => typed(200, "application/n-triples", heard),
            Self::Redirects => Answer::redirect(307, format!("{elsewhere}?{encoded}")),
            _ => Answer::redirect(303, format!("{elsewhere}?{encoded}")),
        }
    }

    fn start(self, elsewhere: String) -> HttpServer {
        HttpServer::start(move |request: &Request| self.answer(request, &elsewhere))
    }
}

fn percent_encoded(text: &str) -> String {
    let mut encoded = String::new();
    percent_encode_into(text, &mut encoded);
    encoded
}

/// A place for a password or a token.
#[derive(Debug, Clone, Copy)]
enum Spot {
    PasswordFile,
    TokenFile,
    PasswordVariable,
    TokenVariable,
    UsersFile,
    UsersVariable,
    // Those where none should be.
    Url,
    UsersUrl,
    ProjectsUrl,
    UsersPassword,
    UsersSyntax,
    ProjectsToken,
    Proxy,
    Argument,
}

const GOOD_SPOTS: [Spot; 6] = [
    Spot::PasswordFile,
    Spot::TokenFile,
    Spot::PasswordVariable,
    Spot::TokenVariable,
    Spot::UsersFile,
    Spot::UsersVariable,
];

const BAD_SPOTS: [Spot; 8] = [
    Spot::Url,
    Spot::UsersUrl,
    Spot::ProjectsUrl,
    Spot::UsersPassword,
    Spot::UsersSyntax,
    Spot::ProjectsToken,
    Spot::Proxy,
    Spot::Argument,
];

/// How a program is run.
struct Scene<'s> {
    spot: Spot,
    password: &'s str,
    server: &'s HttpServer,
    way: &'s [&'s str],
    more: &'s [&'s str],
}

impl Scene<'_> {
    /// Runs the program, and returns what shows a secret.
    fn run(&self) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path();
        for name in ["project/out", "secrets", "temporary"] {
            fs::create_dir_all(root.join(name)).expect("the folder is ours");
        }
        let mut program = crate::program::program();
        program
            .current_dir(root.join("project"))
            .stdin(Stdio::null())
            .env("HOME", root)
            .env("TMPDIR", root.join("temporary"));
        for name in ["XDG_CONFIG_HOME", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"] {
            program.env_remove(name);
        }
        let (named, more) = self.put(root, &mut program);
        let good = path("karenina/p1-physics.jsonld");
        for part in self.way.iter().copied().chain(self.more.iter().copied()) {
            program.arg(match part {
                "SERVER" => named.as_str(),
                "GOOD" => good.to_str().expect("names are UTF-8"),
                part => part,
            });
        }
        program.args(more);
        let output = program.output().expect("it runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let what = format!("{:?}: {}", self.spot, self.way.join(" "));
        assert!(!stderr.contains("panicked"), "{what}\n{stderr}");
        // An update is made where a server answers it with 200, whatever it says then.
        let is_update = self.way.first() == Some(&"update");
        let is_done = output.status.code() == Some(0);
        assert!(is_update || !is_done, "{what} is refused by all these servers\n{stderr}");
        let mut found = Vec::new();
        found.extend(self.shown(&format!("stdout of {what}"), &output.stdout));
        found.extend(self.shown(&format!("stderr of {what}"), &output.stderr));
        for folder in ["project/out", "temporary"] {
            found.extend(self.shown_in_files(&root.join(folder), &what));
        }
        found
    }

    /// Puts the secret into its place, and returns the name of the server and further arguments.
    fn put(&self, root: &Path, program: &mut Command) -> (String, Vec<String>) {
        let (url, password) = (self.server.url("/ds"), self.password);
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().expect("it is in a folder")).expect("the folder is ours");
            fs::write(&path, text).expect("the folder is ours");
            path.display().to_string()
        };
        let define = |file: &str, text: String| drop(write(file, &format!("[endpoints.lab]\n{text}\n")));
        let users = |text: String| define(".config/evalgraph/config.toml", text);
        let projects = |text: String| define("project/evalgraph.toml", text);
        let with_password = url.replace("//", &format!("//{USER}:{password}@"));
        let quoted = |text: &str| serde_json::json!(text).to_string();
        let by_name = || ("lab".to_owned(), Vec::new());
        match self.spot {
            Spot::PasswordFile => {
                let file = write("secrets/password", password);
                return (url, ["--user", USER, "--password-file", &file].map(str::to_owned).to_vec());
            }
            Spot::TokenFile => {
                return (url, vec!["--token-file".to_owned(), write("secrets/token", TOKEN)]);
            }
            Spot::PasswordVariable => {
                program.env("EVALGRAPH_USER", USER).env("EVALGRAPH_PASSWORD", password);
            }
            Spot::TokenVariable => {
                program.env("EVALGRAPH_TOKEN", TOKEN);
            }
            Spot::UsersFile => {
                let file = write("secrets/password", password);
                users(format!("url = '{url}'\nuser = '{USER}'\npassword-file = '{file}'"));
                return by_name();
            }
            Spot::UsersVariable => {
                program.env("LAB", TOKEN);
                users(format!("url = '{url}'\ntoken-variable = 'LAB'"));
                return by_name();
            }
            Spot::Url => return (with_password, Vec::new()),
            Spot::UsersUrl => {
                users(format!("url = {}", quoted(&with_password)));
                return by_name();
            }
            Spot::ProjectsUrl => {
                projects(format!("url = {}", quoted(&with_password)));
                return by_name();
            }
            Spot::UsersPassword => {
                users(format!("url = '{url}'\npassword = {}", quoted(password)));
                return by_name();
            }
            Spot::UsersSyntax => {
                users(format!("url = '{url}'\npassword = {password}"));
                return by_name();
            }
            Spot::ProjectsToken => {
                projects(format!("url = '{url}'\ntoken = '{TOKEN}'"));
                return by_name();
            }
            Spot::Proxy => {
                program.env("HTTPS_PROXY", with_password);
                return ("https://example.org/ds".to_owned(), Vec::new());
            }
            Spot::Argument => {
                return (url, vec![format!("--password={password}"), format!("--token={TOKEN}")]);
            }
        }
        (url, Vec::new())
    }

    /// The spellings of the secrets.
    fn spellings(&self) -> Vec<String> {
        let password = self.password;
        let encoded = percent_encoded(password);
        let escaped = serde_json::json!(password).to_string().trim_matches('"').to_owned();
        let basic = STANDARD.encode(format!("{USER}:{password}"));
        let mut spellings = vec![password.to_owned(), encoded, escaped, basic, TOKEN.to_owned()];
        spellings.extend(["Lantern", "Länt"].map(str::to_owned));
        spellings
    }

    fn shown(&self, what: &str, bytes: &[u8]) -> Option<String> {
        let text = String::from_utf8_lossy(bytes);
        let shows = self.spellings().iter().any(|spelling| text.contains(spelling.as_str()));
        shows.then(|| format!("{what}:\n{text}"))
    }

    fn shown_in_files(&self, folder: &Path, what: &str) -> Vec<String> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("the folder is readable").path();
            if path.is_dir() {
                found.extend(self.shown_in_files(&path, what));
            } else {
                let bytes = fs::read(&path).expect("it was written");
                found.extend(self.shown(&format!("{} of {what}", path.display()), &bytes));
            }
        }
        found
    }
}

/// The forms of messages, in turn.
fn form(number: usize) -> &'static [&'static str] {
    [&[][..], &["--diagnostics", "json"], &["--net", "--net-allow", "http,loopback"]][number % 3]
}

fn assert_nothing_shown(found: &[String]) {
    assert!(found.is_empty(), "{} runs show a secret:\n{}", found.len(), found.join("\n"));
}

/// The commands and their parts that ask a server.
#[test]
fn each_command_that_asks_a_server_is_looked_at() {
    let program = super::program();
    let all = program.get_subcommands().flat_map(|command| {
        let parts = command
            .get_subcommands()
            .map(|part| (format!("{} {}", command.get_name(), part.get_name()), part));
        parts.chain([(command.get_name().to_owned(), command)]).collect::<Vec<_>>()
    });
    let asks = |command: &clap::Command| {
        command.get_arguments().any(|argument| argument.get_id() == "password_file")
    };
    let known: BTreeSet<String> = all.filter(|(_, command)| asks(command)).map(|(name, _)| name).collect();
    let looked_at: BTreeSet<String> = WAYS
        .iter()
        .map(|way| if way[0] == "export" { way[..2].join(" ") } else { way[0].to_owned() })
        .collect();
    assert!(known.contains("query") && known.is_subset(&looked_at), "{known:?}");
}

#[test]
fn no_command_shows_a_secret_that_a_server_says_again() {
    let other = HttpServer::start(|_| Answer::not_found());
    let all = WAYS.iter().flat_map(|way| ECHOES.map(|echo| (way, echo)));
    // A table without rows is an answer to a query.
    let is_asked = |way: &[&str], echo| way[0] == "export" || !matches!(echo, Echo::Graphs);
    let pairs: Vec<_> = all.filter(|(way, echo)| is_asked(way, *echo)).collect();
    let found = pairs.into_par_iter().enumerate().flat_map_iter(|(number, (way, echo))| {
        let server = echo.start(other.url("/elsewhere"));
        let spot = GOOD_SPOTS[(number + number / ECHOES.len()) % GOOD_SPOTS.len()];
        let password = PASSWORDS[number / 3 % 2];
        Scene { spot, password, server: &server, way, more: form(number) }.run()
    });
    assert_nothing_shown(&found.collect::<Vec<_>>());
}

#[test]
fn no_place_of_a_secret_is_shown() {
    let other = HttpServer::start(|_| Answer::not_found());
    let ways = [WAYS[0], WAYS[4], WAYS[12], WAYS[16]];
    let pairs: Vec<_> = BAD_SPOTS.iter().flat_map(|spot| ways.map(|way| (*spot, way))).collect();
    let found = pairs.into_par_iter().enumerate().flat_map_iter(|(number, (spot, way))| {
        let server = Echo::Forbids.start(other.url("/elsewhere"));
        PASSWORDS
            .into_iter()
            .flat_map(move |password| {
                Scene { spot, password, server: &server, way, more: form(number) }.run()
            })
            .collect::<Vec<_>>()
    });
    assert_nothing_shown(&found.collect::<Vec<_>>());
}

#[test]
fn another_server_is_not_told_who_asks() {
    let password = SecretText::new(PASSWORDS[0]);
    let login = Credentials::Login { user: USER.to_owned(), password };
    for credentials in [login, Credentials::Token(SecretText::new(TOKEN))] {
        let other = HttpServer::start(|_| Answer::ok("text/plain", "here"));
        let elsewhere = other.url("/elsewhere");
        let server = HttpServer::start(move |request: &Request| match request.field("authorization") {
            None => Answer::status(401, "").with("WWW-Authenticate", "Basic realm=\"r\""),
            Some(_) => Answer::redirect(307, elsewhere.clone()),
        });
        let allow = NetAllow { http: true, loopback: true, private: false };
        let options = HttpClientOptions {
            credentials: Some(credentials),
            follows: true,
            allow,
            ..HttpClientOptions::default()
        };
        let client = HttpClient::new(options).expect("the options are good");
        let url = server.url("/ds");
        let (method, body) = (HttpMethod::Get, RequestPayload::Nothing);
        let question = ClientRequest { method, url: &url, fields: &[], body, repeats: true, accepts: &[] };
        assert_eq!(client.ask(&question).expect("the redirect is followed").status, 200);
        assert!(server.requests().iter().any(|request| request.field("authorization").is_some()));
        let [request] = &other.requests()[..] else { panic!("the other server is asked once") };
        let names: Vec<&str> = request.fields.iter().map(|(name, _)| name.as_str()).collect();
        assert!(!names.iter().any(|name| name.contains("authorization") || *name == "cookie"), "{names:?}");
    }
}
