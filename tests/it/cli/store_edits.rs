//! Documents of the store that an update has changed: all commands see the change, and nothing else is lost.

use std::fs;
use std::path::Path;

use crate::cli::input::run;

/// Those that have questions.
const FIXTURES: [&str; 18] = [
    "g-ecology.jsonld",
    "gdev-geology.jsonld",
    "m-history.jsonld",
    "p0-programming.jsonld",
    "p1-physics.jsonld",
    "p2-awkward-ids.jsonld",
    "p2-genomics.jsonld",
    "p2-md5-arithmetic.jsonld",
    "p2-scenario.jsonld",
    "s0-cell-biology.jsonld",
    "s0b-chemistry.jsonld",
    "s0c-pharmacology.jsonld",
    "s1-astronomy.jsonld",
    "t-general-knowledge.jsonld",
    "v2a-mycology.json",
    "v2b-meteorology.json",
    "v2c-oceans.json",
    "x-neuroscience.jsonld",
];

/// Gives every answer another text.
const ANSWERS: &str = "DELETE { GRAPH ?g { ?a s:text ?t } } INSERT { GRAPH ?g { ?a s:text \"Forty-two\" } } \
    WHERE { GRAPH ?g { ?q s:acceptedAnswer ?a . ?a s:text ?t } }";

const CATALOG_ANSWERS: &str =
    "SELECT ?k ?a { GRAPH <urn:evalgraph:graph:catalog> { ?q eg:answer ?a ; eg:textKey ?k } } ORDER BY ?k ?a";

fn fixture(name: &str) -> String {
    fs::read_to_string(crate::karenina::fixtures::path(&format!("karenina/{name}"))).expect("it is there")
}

/// A folder with a store of some fixtures.
fn folder(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in names {
        fs::write(folder.path().join(name), fixture(name)).expect("the folder is ours");
    }
    ok(folder.path(), &["init"]);
    ok(folder.path(), &[&["load"][..], names].concat());
    folder
}

/// Runs a command that is to succeed; stdout.
fn ok(path: &Path, arguments: &[&str]) -> String {
    let (status, stdout, stderr) = run(path, arguments);
    assert_eq!(status, 0, "{arguments:?}: {stderr}");
    stdout
}

fn ask(path: &Path, query: &str) -> String {
    ok(path, &["query", "-q", query]).replace("\r\n", ";")
}

/// The lines that only one of two texts has.
fn different_lines<'t>(left: &'t str, right: &'t str) -> Vec<(&'t str, &'t str)> {
    assert_eq!(left.lines().count(), right.lines().count(), "{right}");
    left.lines().zip(right.lines()).filter(|(left, right)| left != right).collect()
}

#[test]
fn an_update_changes_the_store_and_shows_in_each_file() {
    for name in FIXTURES {
        let folder = folder(&[name]);
        let path = folder.path();
        let text = ok(path, &["convert", "--to", "same"]);
        ok(path, &["update", "-q", ANSWERS]);
        let written = ok(path, &["convert", "--to", "same"]);
        let lines = different_lines(&text, &written);
        assert!(
            !lines.is_empty() && lines.iter().all(|(_, now)| now.contains("Forty-two")),
            "{name}: {lines:#?}"
        );
        // The store and the file that it writes say the same.
        fs::write(path.join("written.jsonld"), &written).expect("the folder is ours");
        let query = [
            "-q",
            "SELECT ?text ?answer { ?q s:text ?text ; s:acceptedAnswer/s:text ?answer } ORDER BY ?text",
        ];
        let of_store = ok(path, &[&["query"][..], &query].concat());
        assert_eq!(of_store, ok(path, &[&["query", "written.jsonld"][..], &query].concat()), "{name}");
        for query in ["SELECT (COUNT(*) AS ?count) { ?s ?p ?o }", CATALOG_ANSWERS] {
            let of_file = ok(path, &["query", "written.jsonld", "-q", query]);
            assert_eq!(ok(path, &["query", "-q", query]), of_file, "{name}");
        }
        // A second update keeps what the first one did.
        ok(path, &["update", "-q", &ANSWERS.replace("Forty-two", "Forty-three")]);
        let again = ok(path, &["convert", "--to", "same"]);
        assert_eq!(again, written.replace("Forty-two", "Forty-three"), "{name}");
        assert_eq!(run(path, &["doctor"]).0, 0, "{name}");
    }
}

/// A question changed by an update, and by editing the file and loading it again.
#[test]
fn it_does_not_matter_how_a_question_was_changed() {
    let name = "p2-genomics.jsonld";
    let text = fixture(name);
    let answer = "SELECT ?t { ?q s:acceptedAnswer/s:text ?t } ORDER BY ?t LIMIT 1";
    let (updated, loaded) = (folder(&[name]), folder(&[name]));
    let before = ask(updated.path(), answer);
    let before = before.split(';').nth(1).expect("there is an answer").trim_matches('"');
    assert!(text.contains(&format!("\"text\": \"{before}\"")), "{before}");
    let update = ANSWERS.replace("WHERE {", "WHERE { FILTER(STR(?t) = ?before)");
    ok(updated.path(), &["update", "-q", &update, "-p", &format!("before=\"{before}\"")]);
    let changed = text.replace(&format!("\"text\": \"{before}\""), "\"text\": \"Forty-two\"");
    fs::write(loaded.path().join(name), &changed).expect("the folder is ours");
    ok(loaded.path(), &["load", name]);
    let commands: [&[&str]; 9] = [
        &["query", "-q", "SELECT ?q ?t { ?i s:item ?q . ?q s:acceptedAnswer/s:text ?t } ORDER BY ?t"],
        &["query", "-n", "overview"],
        &["query", "-q", CATALOG_ANSWERS],
        &["stats", "--format", "json"],
        &["convert", "--to", "same"],
        &["convert", "--to", "karenina-gui"],
        &["convert", "--to", "train"],
        &["validate"],
        &["canon"],
    ];
    for command in commands {
        let [(status, of_update, _), (expected, of_load, _)] =
            [&updated, &loaded].map(|folder| run(folder.path(), command));
        assert_eq!(status, expected, "{command:?}");
        let plain = |text: String| {
            text.lines()
                .filter(|line| !line.contains("_:b"))
                .map(|line| format!("{line}\n"))
                .collect::<String>()
        };
        assert_eq!(plain(of_update), plain(of_load), "{command:?}");
    }
    assert_eq!(ok(updated.path(), &["convert", "--to", "same"]), changed);
    for folder in [&updated, &loaded] {
        fs::write(folder.path().join("dump.nq"), ok(folder.path(), &["dump"])).expect("the folder is ours");
    }
    let other = loaded.path().join("dump.nq").display().to_string();
    ok(updated.path(), &["diff", "dump.nq", &other]);
}

#[test]
fn a_file_whose_graph_was_changed_is_not_loaded_over_it() {
    let name = "p2-genomics.jsonld";
    let folder = folder(&[name, "s1-astronomy.jsonld"]);
    let path = folder.path();
    assert!(!ok(path, &["graphs"]).contains("changed"));
    let before = ask(path, "SELECT (COUNT(*) AS ?n) { ?q s:acceptedAnswer/s:text ?t }");
    let list: serde_json::Value =
        serde_json::from_str(&ok(path, &["graphs", "--format", "json"])).expect("it is JSON");
    let graph = list[0]["graph"].as_str().expect("it has a name");
    let of_one = ANSWERS.replace("WHERE {", &format!("WHERE {{ BIND(<{graph}> AS ?g)"));
    ok(path, &["update", "-q", &of_one]);
    let edited: serde_json::Value =
        serde_json::from_str(&ok(path, &["graphs", "--format", "json"])).expect("it is JSON");
    assert!(edited[0]["edited"].as_bool().expect("a boolean"), "{edited}");
    assert!(ok(path, &["graphs"]).contains("changed    by an update, since it was loaded"));
    let (status, _, stderr) = run(path, &["load", name]);
    assert_eq!(status, 2);
    assert!(stderr.contains("store::edited") && stderr.contains("--replace"), "{stderr}");
    assert!(ask(path, "ASK { ?a s:text \"Forty-two\" }").contains("true"));
    ok(path, &["load", name, "s1-astronomy.jsonld", "--replace"]);
    assert_eq!(ask(path, "SELECT (COUNT(*) AS ?n) { ?q s:acceptedAnswer/s:text ?t }"), before);
    assert!(!ok(path, &["graphs"]).contains("changed"));
    assert!(
        !ok(path, &["dump", "--all-graphs"]).contains("graph:sidecar:"),
        "the sidecar went with the edits"
    );
    assert_eq!(ok(path, &["convert", name, "--to", "same"]), fixture(name));
}

#[test]
fn graphs_of_no_document_become_documents_and_go_when_they_are_empty() {
    let folder = folder(&["s1-astronomy.jsonld"]);
    let path = folder.path();
    let before = ok(path, &["convert", "--to", "same"]);
    ok(
        path,
        &[
            "update",
            "-q",
            "INSERT DATA { GRAPH <urn:evalgraph:graph:notes> { <urn:a> rdfs:label \"one\", [] } GRAPH <urn:own> { <urn:a> rdfs:label \"two\" } }",
        ],
    );
    let list = ok(path, &["graphs"]);
    assert!(list.contains("urn:evalgraph:graph:notes\n  dataset    notes\n  quads      2\n"), "{list}");
    assert!(list.contains("no file: an update made it"), "{list}");
    assert_eq!(ask(path, "SELECT ?g { GRAPH ?g { <urn:a> ?p \"two\" } }"), "g;urn:own;");
    assert_eq!(ask(path, "SELECT (COUNT(?o) AS ?n) { <urn:a> ?p ?o }"), "n;3;");
    // What is read as files has them, too.
    let all = ok(path, &["convert", "--to", "nq"]);
    assert!(all.contains("<urn:a> <http://www.w3.org/2000/01/rdf-schema#label> \"two\" <urn:own>"), "{all}");
    // There are several documents now.
    let (status, _, stderr) = run(path, &["update", "-q", "INSERT DATA { <urn:b> rdfs:label \"three\" }"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("sparql::which-graph"), "{stderr}");
    let three = "INSERT DATA { <urn:b> rdfs:label \"three\" }";
    let (status, _, stderr) = run(path, &["update", "--graph", "nothing", "-q", three]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[store::unknown-graph]: the store has no graph `nothing`"), "{stderr}");
    ok(path, &["update", "--graph", "notes", "-q", "INSERT DATA { <urn:c> rdfs:label \"three\" }"]);
    assert_eq!(ask(path, "SELECT ?g { GRAPH ?g { <urn:c> ?p \"three\" } }"), "g;urn:evalgraph:graph:notes;");
    ok(path, &["update", "--graph", "urn:own", "-q", three]);
    assert_eq!(ask(path, "SELECT ?g { GRAPH ?g { <urn:b> ?p \"three\" } }"), "g;urn:own;");
    ok(path, &["update", "-q", "DROP GRAPH <urn:own> ; CLEAR GRAPH <urn:evalgraph:graph:notes>"]);
    let list = ok(path, &["graphs"]);
    assert!(!list.contains("notes") && !list.contains("urn:own"), "{list}");
    assert_eq!(ok(path, &["convert", "--to", "same"]), before);
    // A document that was read from a file stays, although nothing is in it.
    ok(path, &["update", "-q", "CLEAR ALL"]);
    assert_eq!(ask(path, "SELECT * { ?s ?p ?o }"), "s,p,o;");
    assert!(ok(path, &["graphs"]).contains("s1-astronomy.jsonld"));
    let (status, stdout, stderr) = run(path, &["convert", "--to", "nq"]);
    assert_eq!((status, stdout.as_str()), (0, ""));
    assert!(stderr.contains("warning[sidecar::no-root]"), "{stderr}");
    ok(path, &["update", "-q", "INSERT DATA { <urn:b> rdfs:label \"three\" }"]);
    assert_eq!(ok(path, &["graphs", "--format", "json"]).matches("\"graph\"").count(), 1);
    ok(path, &["load", "s1-astronomy.jsonld", "--replace"]);
    assert_eq!(ok(path, &["convert", "--to", "same"]), before);
}

#[test]
fn what_fails_or_is_dry_changes_nothing() {
    let folder = folder(&["s1-astronomy.jsonld"]);
    let path = folder.path();
    let manifest = || fs::read(path.join(".evalgraph/manifest")).expect("it is there");
    let before = manifest();
    let (status, _, stderr) = run(path, &["update", "--dry-run", "-q", ANSWERS]);
    assert_eq!(status, 0);
    assert!(stderr.contains("quads in 1 graph"), "{stderr}");
    for update in [
        "INSERT DATA { <urn:a> rdfs:label 1 } ; DROP GRAPH <urn:none>",
        "INSERT DATA { GRAPH <urn:evalgraph:graph:catalog> { <urn:a> rdfs:label 1 } }",
        "INSERT DATA { <urn:a> rdfs:label }",
    ] {
        assert_eq!(run(path, &["update", "-q", update]).0, 2, "{update}");
    }
    assert_eq!(run(path, &["update", "-q", ANSWERS, "-o", "out.nq"]).0, 2);
    let join = "INSERT { ?s <urn:p> ?c } WHERE { ?s ?p ?a . ?t ?q ?b . ?u ?r ?c . ?v ?w ?d }";
    let (status, _, stderr) = run(path, &["update", "-q", join, "--timeout", "200ms"]);
    assert_eq!(status, 2, "{stderr}");
    assert_eq!(manifest(), before);
    // What has no effect writes nothing.
    ok(path, &["update", "-q", "DELETE DATA { GRAPH <urn:g> { <urn:none> <urn:p> 1 } }"]);
    assert_eq!(manifest(), before);
}

#[test]
fn blank_nodes_stay_the_ones_that_they_are() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    fs::write(path.join("a.ttl"), "<urn:a> <urn:p> _:x . _:x <urn:q> 1 . <urn:b> <urn:p> _:x, _:y .")
        .expect("the folder is ours");
    ok(path, &["init"]);
    ok(path, &["load", "a.ttl"]);
    let before = ok(path, &["dump"]);
    ok(path, &["update", "-q", "INSERT { ?x <urn:r> [ <urn:q> 2 ] } WHERE { ?x <urn:q> 1 }"]);
    let after = ok(path, &["dump"]);
    assert!(before.lines().all(|line| after.contains(line)), "{before}\n{after}");
    assert_eq!(after.lines().count(), before.lines().count() + 2);
    // A file that is not a checkpoint comes back as N-Quads.
    assert_eq!(ok(path, &["convert", "--to", "nt"]).lines().count(), 6);
    let (status, _, stderr) = run(path, &["stats"]);
    assert_eq!(status, 0, "{stderr}");
}

#[test]
fn all_of_many_graphs_of_one_document_go() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    // Where each graph asks all others, this does not end.
    let quads: String =
        (0..10_000).map(|at| format!("<urn:s{at}> <urn:p> \"{at}\" <urn:g{at}> .\n")).collect();
    fs::write(path.join("many.nq"), quads).expect("the folder is ours");
    ok(path, &["init"]);
    ok(path, &["load", "many.nq"]);
    let copy = "INSERT { GRAPH ?g { ?s <urn:q> ?o } } WHERE { GRAPH ?g { ?s ?p ?o } }";
    let (status, _, stderr) = run(path, &["update", "--dry-run", "-q", &format!("{copy} ; DROP NAMED")]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("inserted 0, deleted 10,000 quads in 10,000 graphs"), "{stderr}");
    ok(path, &["update", "-q", copy]);
    assert_eq!(ok(path, &["dump"]).lines().count(), 20_000);
    ok(path, &["update", "-q", "DELETE { GRAPH ?g { ?s ?p ?o } } WHERE { GRAPH ?g { ?s ?p ?o } }"]);
    assert_eq!(ok(path, &["dump"]), "");
}
