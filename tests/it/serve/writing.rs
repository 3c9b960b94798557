//! Changes by requests: who may make them, that they go the way of all changes, and that each request sees one state.

use std::path::Path;

use super::client::{Ask, ask, encoded, get, query};
use super::served::{Served, store_of};
use crate::cli::input::{evalgraph, run};

const PHYSICS: &str = "fixtures/karenina/p1-physics.jsonld";
const TOKEN: &str = "correct-horse-battery-staple";

/// What the specification says of descriptions: where properties stand, how often, and what they lead to.
const DESCRIPTIONS: &str = "\
@prefix sd: <http://www.w3.org/ns/sparql-service-description#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
[] a sh:NodeShape ; sh:targetClass sd:Service ;
  sh:property [ sh:path sd:endpoint ; sh:minCount 1 ; sh:maxCount 1 ; sh:nodeKind sh:IRI ] ,
    [ sh:path sd:supportedLanguage ; sh:minCount 1 ; sh:in ( sd:SPARQL11Query sd:SPARQL11Update ) ] ,
    [ sh:path sd:feature ; sh:in ( sd:UnionDefaultGraph ) ] ,
    [ sh:path sd:resultFormat ; sh:minCount 1 ; sh:nodeKind sh:IRI ] ,
    [ sh:path sd:defaultDataset ; sh:minCount 1 ; sh:maxCount 1 ; sh:class sd:Dataset ] .
[] a sh:NodeShape ; sh:targetClass sd:Dataset ;
  sh:property [ sh:path sd:defaultGraph ; sh:maxCount 1 ; sh:class sd:Graph ] ,
    [ sh:path sd:namedGraph ; sh:minCount 1 ; sh:class sd:NamedGraph ] .
[] a sh:NodeShape ; sh:targetClass sd:NamedGraph ;
  sh:property [ sh:path sd:name ; sh:minCount 1 ; sh:maxCount 1 ; sh:nodeKind sh:IRI ] ,
    [ sh:path sd:graph ; sh:minCount 1 ; sh:maxCount 1 ; sh:class sd:Graph ] .
";

fn update(text: &str) -> Ask {
    ask("POST", "/update").body("application/sparql-update", text)
}

fn writable(folder: &Path) -> Served {
    Served::start(folder, &["--write", "--no-token"])
}

#[test]
fn only_who_shows_the_token_changes_the_store() {
    let folder = store_of(&[]);
    std::fs::write(folder.path().join("token"), format!("{TOKEN}\n")).expect("the folder is ours");
    let served = Served::start(folder.path(), &["--write", "--token-file", "token"]);
    let insert = update("INSERT DATA { <urn:x:s> <urn:x:p> 1 }");
    for wrong in [
        "",
        "Bearer",
        "Bearer correct-horse-battery-stapl",
        "Basic Og==",
        "Bearer correct-horse-battery-staple2",
    ] {
        let reply = served.send(&insert.clone().with("authorization", wrong));
        assert_eq!(reply.status, 401, "{wrong}");
        assert!(reply.header("www-authenticate").is_some_and(|value| value.starts_with("Basic")));
        assert!(!reply.text().contains("correct"), "{}", reply.text());
    }
    let put = ask("PUT", "/store?graph=urn:x:g").body("text/turtle", "<urn:x:s> <urn:x:p> 1 .");
    assert_eq!(served.send(&put).status, 401);
    assert_eq!(served.send(&ask("DELETE", "/store?graph=urn:x:g")).status, 401);
    let bearer = format!("Bearer {TOKEN}");
    assert_eq!(served.send(&insert.with("authorization", &bearer)).status, 204);
    assert_eq!(served.send(&put.with("authorization", &bearer)).status, 201);
    assert_eq!(served.send(&query("SELECT * { ?s ?p ?o }").accept("text/csv")).text().lines().count(), 2);
}

#[test]
fn a_server_that_may_not_write_says_so_and_one_that_would_be_open_does_not_start() {
    let folder = store_of(&[]);
    let served = Served::start(folder.path(), &[]);
    assert_eq!(served.send(&update("CLEAR ALL")).status, 403);
    assert_eq!(served.send(&ask("DELETE", "/store?default")).status, 403);
    assert_eq!(served.send(&get("/update?update=CLEAR%20ALL")).status, 405);
    std::fs::write(folder.path().join("weak"), "short\n").expect("the folder is ours");
    std::fs::write(folder.path().join("a.ttl"), "").expect("the folder is ours");
    for (arguments, code) in [
        (&["--write"][..], "serve::open"),
        (&["--write", "--no-token", "--bind", "0.0.0.0:0"], "serve::open"),
        (&["--write", "--token-file", "weak"], "serve::weak-token"),
        (&["--write", "--no-token", "a.ttl"], "serve::open"),
    ] {
        let output = evalgraph(folder.path()).arg("serve").args(arguments).output().expect("it starts");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && stderr.contains(code), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_page_from_elsewhere_changes_nothing() {
    let folder = store_of(&[]);
    let served = writable(folder.path());
    let insert = update("INSERT DATA { <urn:x:s> <urn:x:p> 1 }");
    for foreign in ["http://evil.example", "null", "http://127.0.0.1:1", "http://localhost.evil.example"] {
        assert_eq!(served.send(&insert.clone().with("origin", foreign)).status, 403, "{foreign}");
    }
    assert!(!served.send(&query("ASK { ?s ?p ?o }")).json()["boolean"].as_bool().expect("an answer"));
    let own = format!("http://{}", served.address);
    assert_eq!(served.send(&insert.with("origin", &own)).status, 204);
}

#[test]
fn an_update_goes_the_way_of_all_changes() {
    let folder = store_of(&[PHYSICS]);
    let served = writable(folder.path());
    let change = "DELETE { GRAPH ?g { ?q s:keywords ?k } } INSERT { GRAPH ?g { ?q s:keywords 'mechanics' } } \
        WHERE { GRAPH ?g { ?q s:keywords ?k } }";
    let form = ask("POST", "/update")
        .body("application/x-www-form-urlencoded", format!("update={}", encoded(change)));
    let reply = served.send(&form);
    assert_eq!(reply.status, 204, "{}", reply.text());
    // The next request sees it, and so do the file and the catalog.
    assert!(
        served.send(&query("SELECT ?k { ?q s:keywords ?k }").accept("text/csv")).text().contains("mechanics")
    );
    let (status, stdout, stderr) = run(folder.path(), &["convert", "--to", "same", "-o", "out"]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    let file = std::fs::read_to_string(folder.path().join("out/p1-physics.jsonld"))
        .or_else(|_| std::fs::read_to_string(folder.path().join("out")));
    assert!(file.expect("the file is written").contains("mechanics"));
    let (status, stdout, stderr) = run(folder.path(), &["doctor"]);
    assert_eq!(status, 0, "{stdout}{stderr}");
}

#[test]
fn a_faulty_change_changes_nothing() {
    let folder = store_of(&[PHYSICS]);
    let served = writable(folder.path());
    let before = served.send(&query("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"));
    let secret = folder.path().join("secret.ttl");
    std::fs::write(&secret, "<urn:x:secret> <urn:x:p> 1 .").expect("the folder is ours");
    let file = format!("file://{}", secret.display());
    for (request, status) in [
        (update("INSERT DATA { <urn:x:s> <urn:x:p> 1 } ; DELETE"), 400),
        (
            update("INSERT DATA { GRAPH <urn:x:new> { <urn:x:s> <urn:x:p> 1 } } ; DROP GRAPH <urn:x:none>"),
            400,
        ),
        (update("INSERT DATA { GRAPH <urn:evalgraph:graph:catalog> { <urn:x:s> <urn:x:p> 1 } }"), 400),
        (update(&format!("LOAD <{file}>")), 400),
        (update(&format!("LOAD <{file}> INTO GRAPH <urn:x:g>")), 400),
        (ask("POST", "/update").body("text/plain", "CLEAR ALL"), 415),
        (ask("POST", "/update?update=CLEAR%20ALL").body("application/x-www-form-urlencoded", ""), 400),
        (ask("PUT", "/store?graph=urn:x:g").body("text/turtle", "<urn:x:s> <urn:x:p> ."), 400),
        (ask("PUT", "/store?graph=urn:x:g").body("image/png", "x"), 415),
        (
            ask("PUT", "/store?graph=urn:x:g")
                .body("application/trig", "<urn:x:h> { <urn:x:s> <urn:x:p> 1 }"),
            400,
        ),
        (ask("PUT", "/store?graph=relative").body("text/turtle", ""), 400),
        (ask("PUT", "/store?graph=urn:x:g&default").body("text/turtle", ""), 400),
        (ask("PUT", "/store").body("text/turtle", ""), 400),
        (ask("PUT", "/store?graph=urn:evalgraph:graph:catalog").body("text/turtle", ""), 400),
        (
            ask("PUT", "/store?graph=urn:x:g")
                .body("application/ld+json", format!("{{\"@context\": \"{file}\", \"@id\": \"urn:x:s\"}}")),
            400,
        ),
        (
            ask("PUT", "/store?graph=urn:x:g")
                .body("application/ld+json", "{\"@context\": \"secret.ttl\", \"@id\": \"urn:x:s\"}"),
            400,
        ),
    ] {
        let reply = served.send(&request);
        assert_eq!(reply.status, status, "{request:?}: {}", reply.text());
    }
    let after = served.send(&query("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"));
    assert_eq!((after.header("etag"), after.text()), (before.header("etag"), before.text()));
    let fault =
        served.send(&ask("PUT", "/store?graph=urn:x:g").body("text/turtle", "\n<urn:x:s> <urn:x:p> ."));
    assert!(fault.text().starts_with("body:2:"), "{}", fault.text());
}

#[test]
fn a_graph_comes_back_as_it_was_put_and_without_a_name_has_one_of_its_own() {
    let folder = store_of(&[]);
    let served = writable(folder.path());
    let turtle = "<urn:x:s> <urn:x:p> 1 .";
    assert_eq!(served.send(&ask("PUT", "/store?default").body("text/turtle", turtle)).status, 201);
    assert_eq!(
        served
            .send(&ask("PUT", "/store?graph=urn:x:g").body("text/turtle", "<urn:x:s> <urn:x:p> 2 ."))
            .status,
        201
    );
    assert_eq!(served.send(&update("INSERT DATA { <urn:x:s> <urn:x:p> 3 }")).status, 204);
    let triples = |target: &str| {
        let reply = served.send(&get(target).accept("application/n-triples"));
        let mut lines: Vec<String> = reply.text().lines().map(str::to_owned).collect();
        lines.sort();
        (reply.status, lines.len())
    };
    assert_eq!(triples("/store?default"), (200, 2));
    assert_eq!(triples("/store?graph=urn:x:g"), (200, 1));
    assert_eq!(triples("/store?graph=urn:evalgraph:graph:%40default"), (200, 2));
    // A query sees the union.
    let all = served.send(&query("SELECT ?o { ?s ?p ?o }").accept("text/csv"));
    assert_eq!(all.text().lines().count(), 4);
    assert_eq!(served.send(&ask("DELETE", "/store?graph=urn:x:g")).status, 204);
    assert_eq!(served.send(&get("/store?graph=urn:x:g")).status, 404);
    assert_eq!(served.send(&ask("DELETE", "/store?graph=urn:x:g")).status, 404);
    assert_eq!(served.send(&ask("PUT", "/store?graph=urn:x:empty").body("text/turtle", "")).status, 201);
    // A graph without triples is none.
    assert_eq!(served.send(&get("/store?graph=urn:x:empty")).status, 404);
    assert_eq!(served.send(&ask("HEAD", "/store?graph=urn:x:g")).status, 404);
    assert_eq!(served.send(&ask("HEAD", "/store?default")).status, 200);
}

#[test]
fn a_change_that_is_meant_for_another_state_changes_nothing() {
    let folder = store_of(&[]);
    let served = writable(folder.path());
    let put = |number: u8| {
        ask("PUT", "/store?graph=urn:x:g").body("text/turtle", format!("<urn:x:s> <urn:x:p> {number} ."))
    };
    assert_eq!(served.send(&put(1).with("if-match", "*")).status, 201);
    let first = served.send(&get("/store?graph=urn:x:g"));
    let name = first.header("etag").expect("the state has a name").to_owned();
    assert_eq!(served.send(&put(2).with("if-match", &format!("\"other\", {name}"))).status, 204);
    for late in [put(3), ask("DELETE", "/store?graph=urn:x:g"), update("DROP ALL")] {
        let late = late.with("if-match", &name).with("accept", "application/json");
        let reply = served.send(&late);
        assert_eq!((reply.status, reply.json()["code"].as_str()), (412, Some("serve::changed")));
    }
    let now = served.send(&get("/store?graph=urn:x:g").accept("application/n-triples")).text();
    assert!(now.contains("\"2\""), "{now}");
}

#[test]
fn all_graphs_come_at_once_in_forms_that_name_them() {
    let folder = store_of(&[PHYSICS]);
    let served = writable(folder.path());
    assert_eq!(served.send(&update("INSERT DATA { GRAPH <urn:x:g> { <urn:x:s> <urn:x:p> 1 } }")).status, 204);
    let sorted = |text: String| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let (status, dumped, _) = run(folder.path(), &["dump"]);
    assert_eq!(status, 0);
    let reply = served.send(&get("/store"));
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/n-quads")));
    assert!(
        reply
            .text()
            .contains("<urn:x:s> <urn:x:p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> <urn:x:g> .")
    );
    assert_eq!(sorted(reply.text()), sorted(dumped));
    let name = reply.header("etag").expect("the state has a name");
    assert_eq!(served.send(&get("/store").with("if-none-match", name)).status, 304);
    for (accept, expected) in [
        ("application/trig", "application/trig"),
        ("application/ld+json, text/turtle", "application/ld+json"),
    ] {
        let reply = served.send(&get("/store").accept(accept));
        assert_eq!((reply.status, reply.header("content-type")), (200, Some(expected)));
        assert!(reply.text().contains("urn:x:g"), "{}", reply.text());
    }
    assert_eq!(served.send(&get("/store").accept("text/turtle")).status, 406);
    let head = served.send(&ask("HEAD", "/store"));
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(served.send(&ask("DELETE", "/store")).status, 400);
}

#[test]
fn load_from_a_shell_and_a_server_take_turns() {
    let folder = store_of(&[]);
    let served = writable(folder.path());
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join(PHYSICS).display().to_string();
    std::thread::scope(|scope| {
        let loading = scope.spawn(|| run(folder.path(), &["load", &file, "--wait", "60s"]));
        for number in 0..10 {
            let insert =
                format!("INSERT DATA {{ GRAPH <urn:x:{number}> {{ <urn:x:s> <urn:x:p> {number} }} }}");
            let reply = served.send(&update(&insert));
            assert_eq!(reply.status, 204, "{}", reply.text());
        }
        let (status, _, stderr) = loading.join().expect("no panic");
        assert_eq!(status, 0, "{stderr}");
    });
    let count = "SELECT (COUNT(DISTINCT ?g) AS ?n) { GRAPH ?g { ?s ?p ?o } }";
    let graphs = served.send(&query(count).accept("text/csv")).text();
    assert_eq!(graphs.lines().nth(1), Some("11"), "{graphs}");
}

#[test]
fn the_service_describes_itself() {
    let folder = store_of(&[PHYSICS]);
    let served = writable(folder.path());
    for target in ["/", "/query"] {
        let reply = served.send(&get(target).accept("application/n-triples"));
        let text = reply.text();
        let endpoint = format!("<http://{}/query>", served.address);
        assert_eq!(reply.status, 200, "{text}");
        for object in [
            "<http://www.w3.org/ns/sparql-service-description#SPARQL11Update>",
            "<http://www.w3.org/ns/sparql-service-description#UnionDefaultGraph>",
        ] {
            assert!(text.contains(object), "{object}: {text}");
        }
        let triple =
            format!("{endpoint} <http://www.w3.org/ns/sparql-service-description#endpoint> {endpoint} .");
        assert!(text.contains(&triple), "{text}");
        assert!(text.contains("<http://www.w3.org/ns/shacl#SPARQLExecutable>"), "{text}");
        assert!(text.contains("<http://rdfs.org/ns/void#triples>"), "{text}");
    }
    let secure = get("/").with("x-forwarded-proto", "https").accept("application/n-triples");
    let endpoint = format!("<https://{}/query>", served.address);
    assert!(served.send(&secure).text().contains(&endpoint), "a proxy speaks TLS to its clients");
    assert_eq!(served.send(&get("/").accept("text/csv")).status, 406);
    let description = served.send(&get("/").accept("text/turtle"));
    std::fs::write(folder.path().join("description.ttl"), &description.body).expect("the folder is ours");
    std::fs::write(folder.path().join("sd.ttl"), DESCRIPTIONS).expect("the folder is ours");
    let (status, stdout, stderr) = run(folder.path(), &["validate", "description.ttl", "--shapes", "sd.ttl"]);
    assert_eq!(status, 0, "{stdout}{stderr}");
}
