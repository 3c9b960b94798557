//! What rules and the check find in the data of a server: once a state, with lines and questions, by pages and as files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Ask, PATIENCE, Reply, ask, encoded, get, query};
use super::served::{Served, store_of};
use crate::cli::input::run;

const OF_ALL: [&str; 4] = [
    "fixtures/karenina/s0-cell-biology.jsonld",
    "fixtures/across/review.json",
    "fixtures/kwanzaa/variants.json",
    "fixtures/train/awkward-rows.json",
];

/// Asks until the findings are there.
fn wait(served: &Served, request: &Ask) -> Reply {
    let end = Instant::now() + PATIENCE;
    loop {
        let reply = served.send(request);
        if reply.status != 202 {
            return reply;
        }
        assert_eq!((reply.header("retry-after"), reply.header("etag")), (Some("1"), None));
        assert_eq!(reply.json()["running"], json!(true));
        assert!(Instant::now() < end, "the findings do not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn found(served: &Served, parameters: &str) -> Value {
    let reply = wait(served, &get(&format!("/api/findings{parameters}")));
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("a list: {value}"))
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

/// A result of a command or a finding of the server: file, line, rule and message.
type Facts = (String, u64, String, String);

/// What a command says of files.
fn told(command: &str, files: &[&str]) -> Vec<Facts> {
    let mut arguments = vec![command, "--format", "json", "--keep-going"];
    arguments.extend(files);
    let (_, stdout, stderr) = run(Path::new(env!("CARGO_MANIFEST_DIR")), &arguments);
    let told: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stderr}"));
    let results = list(&told).iter().filter_map(|file| file["results"].as_array()).flatten();
    let fact = |one: &Value| {
        (
            // What is about several files has none.
            one["file"].as_str().unwrap_or("all files").to_owned(),
            one["line"].as_u64().unwrap_or_default(),
            text(one, "rule").to_owned(),
            text(one, "message").to_owned(),
        )
    };
    let mut facts: Vec<Facts> = results.map(fact).collect();
    facts.sort();
    facts
}

fn facts(findings: &Value) -> Vec<Facts> {
    let fact = |one: &Value| {
        (
            text(one, "file").to_owned(),
            one["line"].as_u64().unwrap_or_default(),
            text(one, "code").to_owned(),
            text(one, "message").to_owned(),
        )
    };
    let mut facts: Vec<Facts> = list(findings).iter().map(fact).collect();
    facts.sort();
    facts
}

#[test]
fn the_findings_are_those_of_the_commands() {
    let served = Served::fixtures(&OF_ALL);
    for command in ["validate", "check"] {
        let page = found(&served, &format!("?by={command}&limit=1000"));
        let expected = told(command, &OF_ALL);
        assert!(!expected.is_empty());
        assert_eq!(facts(&page["findings"]), expected, "{command}");
        assert_eq!(page["total"], json!(expected.len()));
    }
    let all = found(&served, "?limit=1000");
    let places: Vec<(&str, u64)> = list(&all["findings"])
        .iter()
        .map(|one| (text(one, "file"), one["line"].as_u64().unwrap_or(0)))
        .collect();
    assert!(places.is_sorted(), "{places:?}");
    let reply = served.send(&get("/api/findings"));
    let tag = reply.header("etag").expect("a state has a name").to_owned();
    assert_eq!(served.send(&get("/api/findings?offset=3").with("if-none-match", &tag)).status, 304);
    let head = served.send(&ask("HEAD", "/api/findings"));
    assert_eq!((head.status, head.header("etag")), (200, Some(tag.as_str())));
    assert_eq!(served.send(&ask("POST", "/api/findings").body("", "")).status, 405);
    assert_eq!(served.send(&get("/api/findings.xml")).status, 404);
}

#[test]
fn findings_belong_to_questions() {
    let served = Served::fixtures(&OF_ALL);
    let all = found(&served, "?limit=1000");
    let mut linked: BTreeMap<&str, usize> = BTreeMap::new();
    let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
    for one in list(&all["findings"]).iter().filter(|one| !one["id"].is_null()) {
        *linked.entry(text(one, "file")).or_default() += 1;
        *counts.entry((text(one, "graph").to_owned(), text(one, "id").to_owned())).or_default() += 1;
    }
    // Of each system some.
    assert_eq!(linked.keys().copied().collect::<BTreeSet<_>>(), BTreeSet::from(OF_ALL));
    let of = |file: &str, code: &str, pointer: &str| -> &Value {
        let is_it = |one: &&Value| {
            text(one, "file") == file
                && text(one, "code") == code
                && text(one, "pointer").starts_with(pointer)
        };
        let findings = list(&all["findings"]);
        findings.iter().find(is_it).unwrap_or_else(|| panic!("{file} {code} {pointer}"))
    };
    let text_of = |one: &Value| {
        let url =
            format!("/api/question?graph={}&id={}", encoded(text(one, "graph")), encoded(text(one, "id")));
        let reply = served.send(&get(&url));
        assert_eq!(reply.status, 200, "{one}: {}", reply.text());
        reply.json()
    };
    let [karenina, rlcf, kwanzaa, train] = OF_ALL;
    let document = |file: &str| -> Value {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        serde_json::from_str(&std::fs::read_to_string(path).expect("it is there")).expect("it is JSON")
    };
    // Each finding in the record of a question, in whatever part of it, is that question's.
    let rating = of(karenina, "K-S7", "/hasPart/1/");
    assert_eq!(text_of(rating)["text"], document(karenina)["hasPart"][1]["item"]["text"]);
    let sample = list(&all["findings"])
        .iter()
        .find(|one| text(one, "file") == kwanzaa && text(one, "pointer").starts_with("/samples/"))
        .unwrap_or_else(|| panic!("a sample has a finding: {linked:?}"));
    let at: usize =
        text(sample, "pointer").split('/').nth(2).and_then(|at| at.parse().ok()).expect("a number");
    assert_eq!(text_of(sample)["text"], document(kwanzaa)["samples"][at]["user_query"]);
    let row = list(&all["findings"])
        .iter()
        .find(|one| {
            text(one, "file") == train && !one["id"].is_null() && text(one, "pointer").starts_with("/1")
        })
        .unwrap_or_else(|| panic!("the second row has a finding: {linked:?}"));
    let told = text_of(row);
    assert_eq!(told["text"], document(train)[1]["question"], "{row}");
    // An expert's opinion stands elsewhere in the file, and is about an answer to the question.
    let opinion = of(rlcf, "R-3", "/feedback/3/");
    let response = &document(rlcf)["feedback"][3]["response_id"];
    let responses = document(rlcf)["responses"].clone();
    let task = list(&responses).iter().find(|one| one["id"] == *response).map(|one| one["task_id"].clone());
    assert_eq!(text_of(opinion)["localId"], json!(task.expect("it is there").to_string()));
    // What is about the whole file is nobody's.
    let of_file = list(&all["findings"]).iter().find(|one| text(one, "pointer") == "/creator");
    assert_eq!(of_file.map(|one| &one["id"]), Some(&Value::Null));
    // The list of questions has the same counts, and a question its findings.
    let questions = served.send(&get("/api/questions?limit=1000&findings=true")).json();
    let listed: BTreeMap<(String, String), u64> = list(&questions["questions"])
        .iter()
        .map(|one| {
            let key = (text(one, "graph").to_owned(), text(one, "id").to_owned());
            (key, one["findings"].as_u64().expect("it is known"))
        })
        .collect();
    assert_eq!(listed, counts);
    assert_eq!(
        list(&text_of(rating)["findings"]).len() as u64,
        counts[&(text(rating, "graph").to_owned(), text(rating, "id").to_owned())]
    );
    assert!(list(&text_of(rating)["findings"]).contains(rating));
}

#[test]
fn lists_have_other_answers_once_the_findings_are_there() {
    let folder = store_of(&[OF_ALL[0]]);
    let served = Served::start(folder.path(), &["--write", "--no-token"]);
    let before = served.send(&get("/api/questions"));
    let listed = before.json();
    // Nobody has asked for findings, so that nobody has looked for them.
    assert!(list(&listed["questions"]).iter().all(|one| one["findings"].is_null()), "{listed}");
    let one = &listed["questions"][0];
    let one = format!("/api/question?graph={}&id={}", encoded(text(one, "graph")), encoded(text(one, "id")));
    let told = served.send(&get(&one));
    assert_eq!(told.json()["findings"], Value::Null);
    found(&served, "");
    for (target, early) in [("/api/questions", &before), (one.as_str(), &told)] {
        let name = early.header("etag").expect("a state has a name");
        let after = served.send(&get(target).with("if-none-match", name));
        assert_eq!(after.status, 200, "{target}");
        let name = after.header("etag").expect("a state has a name").to_owned();
        assert_eq!(served.send(&get(target).with("if-none-match", &name)).status, 304);
        // Both are names of the state that a change is meant for.
        let body =
            json!({ "graph": "urn:x:none", "id": "urn:x:none", "answer": "x", "dry": true }).to_string();
        let change = ask("POST", "/api/change").body("application/json", body);
        assert_eq!(served.send(&change.clone().with("if-match", &name)).status, 404);
        assert_eq!(served.send(&change.with("if-match", "W/\"other\"")).status, 412);
    }
    let listed = served.send(&get("/api/questions")).json();
    assert!(list(&listed["questions"]).iter().all(|one| one["findings"].is_u64()));
}

/// The findings by a slow model: those of the whole list that a filter takes.
fn model<'f>(all: &'f [Value], filters: &[(&str, &str)]) -> Vec<&'f Value> {
    let takes = |one: &&Value| {
        filters.iter().all(|(name, wanted)| match *name {
            "search" => wanted.to_lowercase().split_whitespace().all(|word| {
                let names = ["code", "message", "file", "path", "value", "pointer"];
                names.iter().any(|name| text(one, name).to_lowercase().contains(word))
            }),
            name => text(one, name) == *wanted,
        })
    };
    all.iter().filter(takes).collect()
}

#[test]
fn filters_groups_and_pages_agree_with_the_whole_list() {
    let served = Served::fixtures(&OF_ALL);
    let all = found(&served, "?limit=1000");
    let all = list(&all["findings"]);
    let cases: [&[(&str, &str)]; 7] = [
        &[],
        &[("severity", "warning")],
        &[("file", OF_ALL[1])],
        &[("by", "check"), ("severity", "error")],
        &[("code", "K-S7")],
        &[("search", "SOURCE_accuracy missing")],
        &[("search", "review.json"), ("code", "R-3"), ("severity", "error")],
    ];
    for filters in cases {
        let url = |filters: &[(&str, &str)], more: &str| {
            let given: Vec<String> =
                filters.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
            format!("?{}{more}", given.join("&"))
        };
        let without = |name: &str| -> Vec<(&str, &str)> {
            filters.iter().copied().filter(|(filter, _)| *filter != name).collect()
        };
        let page = found(&served, &url(filters, "&limit=1000"));
        let expected = model(all, filters);
        assert!(!expected.is_empty(), "{filters:?}");
        assert_eq!(list(&page["findings"]).iter().collect::<Vec<_>>(), expected, "{filters:?}");
        assert_eq!(page["total"], json!(expected.len()));
        for severity in ["error", "warning", "information"] {
            let count =
                model(all, &without("severity")).iter().filter(|one| one["severity"] == severity).count();
            assert_eq!(page["counts"][severity], json!(count), "{filters:?}: {severity}");
        }
        let of_rules = model(all, &without("code"));
        let codes: BTreeSet<&str> = of_rules.iter().map(|one| text(one, "code")).collect();
        assert_eq!(list(&page["groups"]).iter().map(|one| text(one, "code")).collect::<BTreeSet<_>>(), codes);
        for group in list(&page["groups"]) {
            let own: Vec<&&Value> = of_rules.iter().filter(|one| one["code"] == group["code"]).collect();
            let files: BTreeSet<&str> = own.iter().map(|one| text(one, "file")).collect();
            assert_eq!(
                (&group["count"], &group["files"]),
                (&json!(own.len()), &json!(files.len())),
                "{group}"
            );
            assert!(!text(group, "title").is_empty());
        }
        for file in list(&page["files"]) {
            let own = model(all, &without("file")).iter().filter(|one| one["file"] == file["file"]).count();
            assert_eq!(file["count"], json!(own), "{filters:?}");
        }
        let mut paged = Vec::new();
        while paged.len() < expected.len() {
            let part = found(&served, &url(filters, &format!("&limit=7&offset={}", paged.len())));
            assert!(!list(&part["findings"]).is_empty());
            paged.extend(list(&part["findings"]).clone());
        }
        assert_eq!(paged.iter().collect::<Vec<_>>(), expected, "{filters:?}");
        let beyond = found(&served, &url(filters, "&offset=1000000"));
        assert_eq!((list(&beyond["findings"]).len(), &beyond["total"]), (0, &page["total"]));
    }
    for refused in
        ["severity=violation", "by=me", "limit=1001", "limit=x", "offset=-1", "unknown=1", "code=a&code=b"]
    {
        assert_eq!(served.send(&get(&format!("/api/findings?{refused}"))).status, 400, "{refused}");
    }
    assert_eq!(served.send(&get("/api/findings.csv?limit=3")).status, 400);
}

#[test]
fn findings_are_downloaded_as_they_are_filtered() {
    let served = Served::fixtures(&OF_ALL);
    let count = |parameters: &str| found(&served, parameters)["total"].as_u64().expect("a number") as usize;
    for parameters in [
        "",
        "?severity=warning",
        "?file=fixtures%2Facross%2Freview.json",
        "?by=check",
        "?search=rating",
        "?code=K-S7",
    ] {
        let expected = count(parameters);
        let load = |form: &str, media_type: &str| {
            let reply = served.send(&get(&format!("/api/findings.{form}{parameters}")));
            assert_eq!((reply.status, reply.header("content-type")), (200, Some(media_type)), "{parameters}");
            let name = format!("attachment; filename=\"findings.{form}\"");
            assert_eq!(reply.header("content-disposition"), Some(name.as_str()));
            reply
        };
        let csv = load("csv", "text/csv; charset=utf-8").text();
        // No fixture has a line break in a message.
        assert_eq!(csv.lines().count(), expected + 1, "{parameters}");
        let files = load("json", "application/json").json();
        let results = list(&files).iter().filter_map(|file| file["results"].as_array()).flatten();
        assert_eq!(results.count(), expected, "{parameters}");
        let sarif = load("sarif", "application/sarif+json").json();
        let results = list(&sarif["runs"]).iter().flat_map(|run| list(&run["results"]));
        assert_eq!(results.count(), expected, "{parameters}");
        let html = load("html", "text/html; charset=utf-8").text();
        assert!(html.starts_with("<!doctype html>") && html.contains("<h1>Validation report</h1>"));
    }
    let of_file = served.send(&get("/api/findings.json?file=fixtures%2Facross%2Freview.json")).json();
    assert!(list(&of_file).iter().all(|file| file["file"] == "fixtures/across/review.json"), "{of_file}");
    // A file that fails does so whatever is shown of it.
    let warnings = served.send(&get("/api/findings.json?severity=warning&by=validate")).json();
    let failing = list(&warnings).iter().filter(|file| file["conforms"] == json!(false)).count();
    let errors = found(&served, "?severity=error&by=validate");
    assert_eq!(failing, list(&errors["files"]).iter().filter(|file| file["count"] != 0).count());
}

#[test]
fn findings_follow_the_store() {
    let folder = store_of(&[OF_ALL[0]]);
    let served = Served::start(folder.path(), &["--write", "--no-token"]);
    let before = found(&served, "?limit=1000");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join(OF_ALL[0]).display().to_string();
    // The text of the store is that of the file.
    let expected = [told("validate", &[&path]), told("check", &[&path])].concat().len();
    assert_eq!(before["total"], json!(expected));
    let rating = list(&before["findings"]).iter().find(|one| one["code"] == "K-S7").expect("it is found");
    assert!(rating["line"].is_u64() && !rating["id"].is_null(), "{rating}");
    let rating_of = "?q s:rating ?r . ?r s:ratingValue ?v ; s:bestRating ?b FILTER(?v > ?b)";
    let put_right = format!(
        "DELETE {{ GRAPH ?g {{ ?r s:ratingValue ?v }} }} INSERT {{ GRAPH ?g {{ ?r s:ratingValue ?b }} }} WHERE {{ GRAPH ?g {{ {rating_of} }} }}"
    );
    assert!(served.send(&query(&format!("ASK {{ {rating_of} }}"))).text().contains("true"));
    assert_eq!(served.send(&ask("POST", "/update").body("application/sparql-update", put_right)).status, 204);
    let after = found(&served, "?limit=1000");
    assert_ne!(after["state"], before["state"]);
    assert!(list(&after["findings"]).iter().all(|one| one["code"] != "K-S7"), "{after}");
    assert!(list(&after["findings"]).iter().any(|one| !one["id"].is_null()));
}

#[test]
fn files_without_rules_are_no_findings_and_faulty_ones_are() {
    let folder = tempfile::tempdir().expect("there is room");
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("the folder is ours");
    write(
        "nodes.ttl",
        "PREFIX s: <http://schema.org/>\n<urn:x:q> a s:Question ; s:text \"Why?\" ; s:acceptedAnswer <urn:x:a> .\n\
         <urn:x:a> a s:Answer ;\n s:txet \"Because\" .\n",
    );
    let served = Served::start(folder.path(), &["nodes.ttl"]);
    let page = found(&served, "");
    assert_eq!(page["total"], json!(1), "{page}");
    let one = &page["findings"][0];
    // Without a JSON Pointer the question is found by the nodes.
    assert_eq!(
        (&one["code"], &one["line"], &one["id"], &one["focus"]),
        (&json!("unknown-property"), &json!(4), &json!("urn:x:q"), &json!("urn:x:a"))
    );
    assert_eq!(one["help"], json!(["write `text`", "see https://schema.org/text"]), "{one}");
    // A file that is broken meanwhile is told of.
    write("rows.json", "[{\"question\": \"Why?\", \"answer\": \"So\"}]");
    let served = Served::start(folder.path(), &["rows.json", "nodes.ttl"]);
    write("rows.json", "[{\"question\": ");
    let page = found(&served, "?file=rows.json");
    assert_eq!(page["findings"][0]["severity"], "error", "{page}");
    assert!(text(&page["findings"][0], "code").starts_with("json::"), "{page}");
    assert_eq!(found(&served, "?file=nodes.ttl")["total"], json!(1));
}

#[test]
fn rules_that_a_project_switches_are_switched_in_findings() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["drafts", "final"] {
        std::fs::create_dir(folder.path().join(name)).expect("ours");
        let file = folder.path().join(name).join("a.jsonld");
        std::fs::copy(root.join(OF_ALL[0]), file).expect("a copy");
    }
    let rules = "[rules]\nK-S7 = \"off\"\nunknown-property = \"off\"\n[rules.drafts]\nK-S8 = \"info\"\n";
    std::fs::write(folder.path().join("evalgraph.toml"), rules).expect("ours");
    let served = Served::start(folder.path(), &["drafts/a.jsonld", "final/a.jsonld"]);
    let all = found(&served, "?limit=1000");
    let severities = |code: &str| -> BTreeSet<(&str, &str)> {
        let of_code = list(&all["findings"]).iter().filter(|one| text(one, "code") == code);
        of_code.map(|one| (text(one, "file"), text(one, "severity"))).collect()
    };
    assert_eq!(severities("K-S7"), BTreeSet::new());
    assert_eq!(severities("unknown-property"), BTreeSet::new());
    let expected = [("drafts/a.jsonld", "information"), ("final/a.jsonld", "error")];
    assert_eq!(severities("K-S8"), BTreeSet::from(expected));
    // The files of findings have them, too.
    let sarif = wait(&served, &get("/api/findings.sarif")).text();
    assert!(sarif.contains("\"K-S8\"") && !sarif.contains("\"ruleId\":\"K-S7\""), "{sarif}");
}
