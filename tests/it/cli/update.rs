//! `update` and what bounds `query` and `update`, as the command line has them: output, summaries, exit
//! statuses, services, signals and memory.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::cli::input::{evalgraph, run};

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write =
        |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("the folder is ours");
    write("a.ttl", "@prefix s: <http://schema.org/> . <urn:q:1> a s:Question ; s:text \"one\" .");
    write("b.ttl", "@prefix s: <http://schema.org/> . <urn:q:1> s:text \"one\" ; s:version 2 .");
    folder
}

#[test]
fn the_result_is_written_and_the_file_stays() {
    let folder = folder();
    let before = fs::read_to_string(folder.path().join("a.ttl")).expect("it is there");
    let update = "DELETE { ?q s:text ?t } INSERT { ?q s:text ?new } WHERE { ?q s:text ?t }";
    let (status, stdout, stderr) =
        run(folder.path(), &["update", "a.ttl", "-q", update, "-p", "new=\"two\"@en"]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(
        stdout,
        "<urn:q:1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://schema.org/Question> .\n\
         <urn:q:1> <http://schema.org/text> \"two\"@en .\n"
    );
    assert!(stderr.contains("inserted 1, deleted 1 quads in 1 graph"), "{stderr}");
    assert_eq!(fs::read_to_string(folder.path().join("a.ttl")).expect("it is there"), before);
    fs::write(folder.path().join("fix.ru"), "DELETE WHERE { ?q s:text ?t }").expect("the folder is ours");
    let dry = run(folder.path(), &["update", "a.ttl", "-f", "fix.ru", "--dry-run"]);
    assert_eq!((dry.0, dry.1.as_str()), (0, ""));
    assert!(dry.2.contains("inserted 0, deleted 1 quads in 1 graph"), "{}", dry.2);
    let mut command = evalgraph(folder.path());
    let output = command.args(["update", "a.ttl", "--to", "ttl", "-o", "out.ttl"]).write_stdin("CLEAR ALL");
    output.assert().success().stdout("");
    assert!(!fs::read_to_string(folder.path().join("out.ttl")).expect("it is there").contains("Question"));
}

#[test]
fn an_update_that_fails_writes_nothing() {
    let folder = folder();
    for update in [
        "INSERT DATA { <urn:x> <urn:p> 1 } ; DROP GRAPH <urn:none>",
        "INSERT DATA { GRAPH <urn:evalgraph:graph:catalog> { <urn:x> <urn:p> 1 } }",
        "LOAD <https://example.org/data.ttl>",
        "INSERT { <urn:x> <urn:p> ?y } WHERE { SERVICE <urn:service> { ?x ?p ?y } }",
    ] {
        let (status, stdout, stderr) = run(folder.path(), &["update", "a.ttl", "-q", update, "-o", "out.nq"]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{update}: {stderr}");
        assert!(!folder.path().join("out.nq").exists(), "{update}");
    }
    let several =
        run(folder.path(), &["update", "a.ttl", "b.ttl", "-q", "INSERT DATA { <urn:x> <urn:p> 1 }"]);
    assert_eq!(several.0, 2);
    assert!(several.2.contains("sparql::which-graph") && several.2.contains("--graph"), "{}", several.2);
}

#[test]
fn what_is_inserted_without_a_graph_goes_into_one_that_has_a_name() {
    let folder = folder();
    let insert = "INSERT DATA { <urn:x> <urn:p> 'x' }";
    let in_graph = |name: &str| {
        run(folder.path(), &["update", "a.ttl", "b.ttl", "-q", insert, "--graph", name, "--to", "nq"])
    };
    for (name, graph) in [
        ("urn:g", "urn:g"),
        ("<urn:g>", "urn:g"),
        ("b", "urn:evalgraph:graph:b"),
        ("urn:evalgraph:graph:b", "urn:evalgraph:graph:b"),
    ] {
        let (status, stdout, stderr) = in_graph(name);
        assert_eq!(status, 0, "{name}: {stderr}");
        assert!(stdout.contains(&format!("<urn:x> <urn:p> \"x\" <{graph}> .")), "{name}: {stdout}");
    }
    let (status, _, stderr) = in_graph("c");
    assert_eq!(status, 2);
    assert!(stderr.contains("error[store::unknown-graph]: the files have no graph `c`"), "{stderr}");
}

#[test]
fn documents_and_services_come_from_files() {
    let folder = folder();
    let map = format!("https://example.org/b.ttl={}", folder.path().join("b.ttl").display());
    let update = "LOAD <https://example.org/b.ttl> INTO GRAPH <urn:b>";
    let (status, stdout, stderr) = run(folder.path(), &["update", "a.ttl", "-q", update, "--map", &map]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(stdout.lines().filter(|line| line.ends_with("<urn:b> .")).count(), 2, "{stdout}");
    let query = "SELECT ?v { ?q a s:Question SERVICE <urn:service> { ?q s:version ?v } }";
    let answered = run(folder.path(), &["query", "a.ttl", "-q", query, "--service", "urn:service=b.ttl"]);
    assert_eq!((answered.0, answered.1.as_str()), (0, "v\r\n2\r\n"), "{}", answered.2);
    let refused = run(folder.path(), &["query", "a.ttl", "-q", query]);
    assert_eq!(refused.0, 2);
    assert!(
        refused.2.contains("sparql::service") && refused.2.contains("--service urn:service=FILE"),
        "{}",
        refused.2
    );
    let silent = query.replace("SERVICE", "SERVICE SILENT");
    assert_eq!(run(folder.path(), &["query", "a.ttl", "-q", &silent]).1, "v\r\n\r\n");
}

#[test]
fn own_functions_are_there() {
    let folder = folder();
    let query = "SELECT (egf:sqrt(16) AS ?a) (egf:log(1) AS ?b) (egf:levenshtein('kitten', 'sitting') AS ?c) \
                 (egf:textKey('A  b') = egf:textKey('a b') AS ?d) (egf:looseKey('A, b!') = egf:looseKey('a b') AS ?e) \
                 (egf:member('{\"name\": \"Zoë\"}', 'name') AS ?f) {}";
    let (status, stdout, stderr) = run(folder.path(), &["query", "a.ttl", "-q", query]);
    assert_eq!((status, stdout.as_str()), (0, "a,b,c,d,e,f\r\n4,0,3,true,true,Zoë\r\n"), "{stderr}");
    let unknown = run(folder.path(), &["query", "a.ttl", "-q", "SELECT (egf:levenstein('a', 'b') AS ?c) {}"]);
    assert!(unknown.2.contains("did you mean `egf:levenshtein`?"), "{}", unknown.2);
}

fn write_many(folder: &Path) {
    let data: String = (0..3000).map(|n| format!("<urn:s:{n}> <urn:p> {n} .\n")).collect();
    fs::write(folder.join("many.ttl"), data).expect("the folder is ours");
}

/// A query that no evaluator comes to the end of.
#[cfg(unix)]
fn endless(folder: &Path) -> Command {
    write_many(folder);
    let mut command = crate::program::program();
    let query = "SELECT ?a ?b ?c { ?a <urn:p> ?x . ?b <urn:p> ?y . ?c <urn:p> ?z FILTER(?x + ?y + ?z < 0) }";
    command.current_dir(folder).args(["query", "many.ttl", "-q", query, "-o", "out.csv"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_query_and_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let child = endless(folder.path()).spawn().expect("the program starts");
    let unfinished = || {
        let files = fs::read_dir(folder.path()).expect("the folder is there");
        files.filter_map(Result::ok).any(|file| file.file_name().to_string_lossy().starts_with(".evalgraph-"))
    };
    let start = Instant::now();
    while !unfinished() {
        assert!(start.elapsed() < Duration::from_secs(60), "the query has begun");
        std::thread::sleep(Duration::from_millis(10));
    }
    let signal =
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    assert!(signal.success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted"), "{output:?}");
    assert!(!unfinished() && !folder.path().join("out.csv").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn too_much_memory_ends_a_query() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write_many(folder.path());
    let query = "SELECT (GROUP_CONCAT(?text) AS ?all) { ?a <urn:p> ?x . ?b <urn:p> ?y BIND(CONCAT(STR(?x), STR(?a), STR(?b)) AS ?text) }";
    let output = crate::program::program()
        .current_dir(folder.path())
        .args(["query", "many.ttl", "-q", query, "--max-memory", "80MiB", "--timeout", "120s"])
        .output()
        .expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("limit::memory") && stderr.contains("80 MiB"), "{stderr}");
}
