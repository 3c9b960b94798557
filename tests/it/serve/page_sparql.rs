//! What the page's editor of queries asks for: named queries with their pictures, the vocabulary of the data, and the faults of
//! a text that is being written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};

use super::client::{Reply, ask, encoded, get, query};
use super::served::{Served, store_of};
use crate::cli::input::run;

const PHYSICS: &str = "fixtures/karenina/p1-physics.jsonld";
const OF_ALL: [&str; 4] = [
    PHYSICS,
    "fixtures/rlcf/tasks.jsonl",
    "fixtures/kwanzaa/grounded-answer.json",
    "fixtures/train/support-desk.json",
];

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("a list: {value}"))
}

#[test]
fn named_queries_come_with_their_parameters_and_pictures() {
    let served = Served::fixtures(&OF_ALL);
    let reply = served.send(&get("/api/queries"));
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/json")));
    let queries = reply.json();
    // The command line says the same.
    let (_, stdout, _) = run(Path::new("."), &["queries", "--format", "json"]);
    let listed: Value = serde_json::from_str(&stdout).expect("it is JSON");
    assert_eq!(queries["queries"], listed);
    let named = |name: &str| {
        let found = list(&listed).iter().find(|query| query["name"] == name);
        found.unwrap_or_else(|| panic!("{name} is not there"))
    };
    let free = json!([{
        "name": "free", "type": "string", "default": "\"Public Domain\"",
        "description": "the licence without conditions",
    }]);
    assert_eq!(named("licences")["parameters"], free);
    assert_eq!(named("systems")["form"], "select");
    assert_eq!(named("unfinished")["chart"], Value::Null);
    let histogram = json!({ "kind": "histogram", "label": "value", "value": "ratings" });
    assert_eq!(named("rating-values")["chart"], histogram);
    // Whatever is drawn is in the answer, and the numbers are numbers.
    let drawn: Vec<&Value> = list(&listed).iter().filter(|query| !query["chart"].is_null()).collect();
    assert!(drawn.len() >= 9, "{drawn:?}");
    for query in drawn {
        let name = query["name"].as_str().expect("a name");
        let answer = served.send(&get(&format!("/query/{name}"))).json();
        let [label, value] =
            ["label", "value"].map(|part| query["chart"][part].as_str().expect("a variable"));
        for variable in [label, value] {
            assert!(list(&answer["head"]["vars"]).contains(&json!(variable)), "{name}: {variable}");
        }
        for row in list(&answer["results"]["bindings"]) {
            let number = row[value]["value"].as_str().expect("it is bound");
            assert!(number.parse::<f64>().is_ok(), "{name}: {number}");
        }
    }
    assert_eq!(served.send(&get("/api/queries?limit=1")).status, 400);
    assert_eq!(served.send(&ask("POST", "/api/queries").body("", "")).status, 405);
}

/// The rows of a table, each by its variables.
fn rows(served: &Served, text: &str) -> Vec<BTreeMap<String, String>> {
    let reply = served.send(&query(text));
    assert_eq!(reply.status, 200, "{}", reply.text());
    let text = |cell: &Value| cell["value"].as_str().expect("a text").to_owned();
    let row = |row: &Value| {
        let cells = row.as_object().expect("an object").iter();
        cells.map(|(name, cell)| (name.clone(), text(cell))).collect()
    };
    list(&reply.json()["results"]["bindings"]).iter().map(row).collect()
}

/// Whatever has a count, by its IRI.
fn counts(listed: &Value) -> BTreeMap<String, u64> {
    let count = |one: &Value| {
        (one["iri"].as_str().expect("an IRI").to_owned(), one["count"].as_u64().expect("a number"))
    };
    list(listed).iter().map(count).collect()
}

/// The same by a query with the columns `iri` and `count`.
fn counted(served: &Served, text: &str) -> BTreeMap<String, u64> {
    let of = |row: &BTreeMap<String, String>| (row["iri"].clone(), row["count"].parse().expect("a number"));
    rows(served, text).iter().map(of).collect()
}

/// The types of the values of a class's properties, by a query.
fn types(served: &Served, class: &str) -> BTreeMap<String, BTreeSet<String>> {
    let text = format!(
        "SELECT DISTINCT ?iri (isIRI(?o) AS ?named) (isBlank(?o) AS ?blank) (DATATYPE(?o) AS ?type) \
         {{ ?s a <{class}> ; ?iri ?o }}"
    );
    let mut types: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in rows(served, &text) {
        let short = match (&*row["named"], &*row["blank"]) {
            ("true", _) => "iri".to_owned(),
            (_, "true") => "blank".to_owned(),
            _ => row["type"]
                .replace("http://www.w3.org/2001/XMLSchema#", "xsd:")
                .replace("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf:"),
        };
        types.entry(row["iri"].clone()).or_default().insert(short);
    }
    types
}

#[test]
fn the_vocabulary_is_that_of_the_data() {
    let folder = store_of(&OF_ALL);
    for served in [Served::fixtures(&OF_ALL), Served::start(folder.path(), &[])] {
        let reply = served.send(&get("/api/vocabulary"));
        assert_eq!(reply.status, 200, "{}", reply.text());
        let told = reply.json();
        assert_eq!((&told["moreClasses"], &told["moreProperties"]), (&json!(0), &json!(0)));
        assert_eq!(told["prefixes"]["s"], "http://schema.org/");
        let of_classes =
            "SELECT (?c AS ?iri) (COUNT(DISTINCT ?s) AS ?count) { ?s a ?c FILTER(isIRI(?c)) } GROUP BY ?c";
        assert_eq!(counts(&told["classes"]), counted(&served, of_classes));
        let of_all = "SELECT (?p AS ?iri) (COUNT(DISTINCT ?s) AS ?count) { ?s ?p ?o } GROUP BY ?p";
        assert_eq!(counts(&told["properties"]), counted(&served, of_all));
        assert!(list(&told["classes"]).len() > 10);
        for class in list(&told["classes"]) {
            let iri = class["iri"].as_str().expect("an IRI");
            let of_class = format!(
                "SELECT (?p AS ?iri) (COUNT(DISTINCT ?s) AS ?count) {{ ?s a <{iri}> ; ?p ?o }} GROUP BY ?p"
            );
            assert_eq!(counts(&class["properties"]), counted(&served, &of_class), "{iri}");
            let types = types(&served, iri);
            for property in list(&class["properties"]) {
                let name = property["iri"].as_str().expect("an IRI");
                let told: BTreeSet<String> = list(&property["types"])
                    .iter()
                    .map(|one| one.as_str().expect("a name").to_owned())
                    .collect();
                assert_eq!(told, types[name], "{iri} {name}");
                let example = property["example"].as_str();
                assert_eq!(example.is_none(), types[name].iter().all(|one| one == "blank"), "{iri} {name}");
                assert!(example.is_none_or(|text| text.chars().count() <= 80), "{example:?}");
            }
        }
        // The most frequent come first; catalog and sidecars are not of the data.
        let properties = list(&told["properties"]);
        assert!(properties.is_sorted_by_key(|one| std::cmp::Reverse(one["count"].as_u64())));
        assert!(!counts(&told["properties"]).contains_key("urn:evalgraph:vocab:textKey"));
        let tag = reply.header("etag").expect("a state has a name");
        assert_eq!(served.send(&get("/api/vocabulary").with("if-none-match", tag)).status, 304);
        assert_eq!(served.send(&get("/api/vocabulary?of=x")).status, 400);
    }
}

#[test]
fn the_vocabulary_follows_changes() {
    let folder = store_of(&[PHYSICS]);
    let served = Served::start(folder.path(), &["--write", "--no-token"]);
    let classes = |served: &Served| counts(&served.send(&get("/api/vocabulary")).json()["classes"]);
    let before = classes(&served);
    let long = "ä".repeat(200);
    let update = format!(
        "INSERT DATA {{ <urn:x:a> a <urn:x:C>, <urn:x:D> ; <urn:x:p> \"{long}\" . <urn:x:b> a <urn:x:C> . \
         <urn:x:c> a <urn:x:D> ; <urn:x:p> <file:///etc/passwd> }}"
    );
    let change = ask("POST", "/update").body("application/sparql-update", update);
    assert_eq!(served.send(&change).status, 204);
    let after = classes(&served);
    assert_eq!((after["urn:x:C"], after["urn:x:D"], after.len()), (2, 2, before.len() + 2));
    let told = served.send(&get("/api/vocabulary")).json();
    let of = |class: &str| {
        let classes = list(&told["classes"]);
        let found = classes.iter().find(|one| one["iri"] == class).expect("it is there");
        list(&found["properties"]).iter().find(|one| one["iri"] == "urn:x:p").expect("it is there").clone()
    };
    let cut = format!("{}…", "ä".repeat(79));
    assert_eq!(of("urn:x:C")["example"], json!(cut));
    // A place in somebody's file system is not an example.
    assert_eq!((&of("urn:x:D")["example"], &of("urn:x:D")["count"]), (&json!(cut), &json!(2)));
    assert_eq!(of("urn:x:D")["types"], json!(["iri", "xsd:string"]));
}

fn parsed(served: &Served, text: &str) -> Value {
    let reply = served.send(&ask("POST", "/api/parse").body("application/sparql-query", text));
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

/// The faults, each with severity, code, line, column and length.
fn faults(told: &Value) -> Vec<String> {
    let fault = |fault: &Value| {
        let text = |name: &str| fault[name].as_str().expect("a text").to_owned();
        format!(
            "{} {} {} {} {}",
            text("severity"),
            text("code"),
            fault["line"],
            fault["column"],
            fault["length"]
        )
    };
    list(&told["faults"]).iter().map(fault).collect()
}

#[test]
fn the_faults_of_a_query_have_their_places() {
    let served = Served::fixtures(&[PHYSICS]);
    let good = parsed(&served, "SELECT ?b ?a {\n ?a s:text ?b }");
    assert_eq!(
        (&good["form"], &good["variables"], faults(&good)),
        (&json!("select"), &json!(["b", "a"]), vec![])
    );
    for (text, form, expected) in [
        ("ASK {}", json!("ask"), ""),
        ("CONSTRUCT WHERE { ?s ?p ?o }", json!("construct"), ""),
        ("DESCRIBE <urn:x:y>", json!("describe"), ""),
        ("", Value::Null, "error sparql::syntax 1 1 0"),
        // Columns and lengths are those of characters.
        ("SELECT * {\n  ?ä foaf:näme 'ö' }", Value::Null, "error sparql::undeclared-prefix 2 6 9"),
        ("SELECT ?x {} GROUP", Value::Null, "error sparql::syntax 1 19 0"),
        ("SELECT ?txet {\n ?s s:text ?text }", json!("select"), "warning sparql::unbound-variable 1 8 5"),
        ("SELECT * { ?s s:txet ?o }", json!("select"), "note sparql::unknown-term 1 15 6"),
        (
            "SELECT * { ?s a <https://schema.org/Qestion> }",
            json!("select"),
            "note sparql::unknown-term 1 17 28",
        ),
        ("SELECT * { OPTIONAL { ?s s:txet ?o } }", json!("select"), ""),
    ] {
        let told = parsed(&served, text);
        assert_eq!(told["form"], form, "{text}");
        assert_eq!(faults(&told).join("; "), expected, "{text}: {told}");
    }
    let regex = parsed(&served, "SELECT * { ?s s:text ?t FILTER(REGEX(?t, '(')) }");
    assert_eq!(list(&regex["faults"]).len(), 1, "{regex}");
    assert_eq!((&regex["form"], &regex["faults"][0]["line"]), (&json!("select"), &Value::Null));
    // The names that the data have are offered once they are known.
    let message = |told: &Value| told["faults"][0]["message"].as_str().expect("a text").to_owned();
    assert!(!message(&parsed(&served, "ASK { ?s s:txet ?o }")).contains("did you mean"));
    assert_eq!(served.send(&get("/api/vocabulary")).status, 200);
    let offered = message(&parsed(&served, "ASK { ?s s:txet ?o }"));
    assert!(offered.contains("did you mean `s:text` ("), "{offered}");
    let offered = message(&parsed(&served, "ASK { ?s a s:Qestion }"));
    assert!(offered.contains("did you mean `s:Question` ("), "{offered}");
}

#[test]
fn a_query_is_read_and_never_run() {
    let served = Served::fixtures(&[PHYSICS, "--timeout", "2s"]);
    // The answer would take longer than anybody waits.
    let heavy =
        "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(?a != ?d && ?g != ?j) }";
    assert_eq!(faults(&parsed(&served, heavy)), [""; 0]);
    let service = "SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }";
    assert_eq!(faults(&parsed(&served, service)), [""; 0]);
    let post = |media_type: &str, body: &str| -> Reply {
        served.send(&ask("POST", "/api/parse").body(media_type, body.to_owned()))
    };
    let form = post("application/x-www-form-urlencoded", &format!("query={}", encoded("ASK {")));
    assert_eq!((form.status, &form.json()["form"]), (200, &Value::Null));
    assert_eq!(post("application/x-www-form-urlencoded", "").status, 400);
    assert_eq!(post("application/x-www-form-urlencoded", "query=ASK%20%7B%7D&x=1").status, 400);
    assert_eq!(post("text/plain", "ASK {}").status, 415);
    assert_eq!(served.send(&get("/api/parse?query=ASK%20%7B%7D")).status, 405);
    let update = parsed(&served, "INSERT DATA { <urn:x:a> <urn:x:b> 1 }");
    assert_eq!((&update["form"], list(&update["faults"]).len()), (&Value::Null, 1));
    // Nesting that would need a stack without end is a fault like any other.
    let deep = format!("SELECT * {}{}", "{".repeat(200_000), "}".repeat(200_000));
    assert_eq!(list(&parsed(&served, &deep)["faults"]).len(), 1);
    assert_eq!(served.send(&query("ASK {}")).status, 200);
}

#[test]
fn a_server_has_the_queries_and_prefixes_of_its_project() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("ours");
    std::fs::create_dir(folder.path().join("asked")).expect("ours");
    write("evalgraph.toml", "queries = \"asked\"\n[prefixes]\nlab = \"http://lab.example/\"\n");
    write("asked/who knows <whom>?.rq", "# title: Who?\nSELECT ?a { ?a lab:knows ?b }\n");
    write("a.ttl", "<http://lab.example/a> <http://lab.example/knows> <http://lab.example/b> .");
    let served = Served::start(folder.path(), &["a.ttl"]);
    let queries = served.send(&get("/api/queries")).json();
    let own = list(&queries["queries"]).iter().find(|query| query["title"] == "Who?");
    let name = own.and_then(|query| query["name"].as_str()).expect("it is listed");
    assert!(list(&queries["queries"]).iter().any(|query| query["name"] == "overview"));
    let answer = served.send(&get(&format!("/query/{}", encoded(name)))).json();
    assert_eq!(answer["results"]["bindings"][0]["a"]["value"], "http://lab.example/a");
    // The description of the service has it under the same address.
    let description = served.send(&get("/query").accept("text/turtle"));
    assert_eq!(description.status, 200);
    assert!(description.text().contains("who%20knows%20%3Cwhom%3E%3F"), "{}", description.text());
    assert_eq!(rows(&served, "SELECT ?b { lab:a lab:knows ?b }")[0]["b"], "http://lab.example/b");
    assert_eq!(served.send(&get("/api/vocabulary")).json()["prefixes"]["lab"], "http://lab.example/");
    // A query that is none is told before anybody asks it.
    write("asked/none.rq", "SELECT {}\n");
    let (status, _, stderr) = run(folder.path(), &["serve", "a.ttl", "--bind", "127.0.0.1:0"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("none.rq:1:8: error[sparql::syntax]"), "{stderr}");
}
