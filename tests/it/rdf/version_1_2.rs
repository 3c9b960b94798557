//! RDF 1.2 is not read: whatever belongs to it, in any input, is one error of one code at its place.

const RDF_XML: &str = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
    xmlns:its='http://www.w3.org/2005/11/its' xmlns:e='http://e/'";

/// Runs the program in a folder; stdout and stderr.
fn run(folder: &std::path::Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut program = crate::program::program();
    let output = program.current_dir(folder).args(arguments).output().expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn assert_refused(folder: &std::path::Path, arguments: &[&str], place: &str, what: &str) {
    let (status, stdout, stderr) = run(folder, arguments);
    assert_eq!((status, stdout.as_str()), (Some(2), ""), "{what}: {stderr}");
    let errors: Vec<&str> = stderr.lines().filter(|line| line.contains("error[")).collect();
    let expected = format!("{place}: error[rdf::version]: RDF 1.2 is not read: ");
    assert!(errors.len() == 1 && errors[0].starts_with(&expected), "{what}: expected {expected}\n{stderr}");
}

#[test]
fn every_format_of_rdf_says_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let turtle = [
        ("<urn:a> <urn:p> <<( <urn:b> <urn:q> 1 )>> .", 17),
        ("<< <urn:b> <urn:q> 1 >> <urn:p> 2 .", 1),
        ("<<<urn:b> <urn:q> 1>> <urn:p> 2 .", 1),
        ("<urn:a> <urn:p> 1 {| <urn:q> 2 |} .", 19),
        ("<urn:a> <urn:p> 1 ~ <urn:r> .", 19),
        ("<urn:a> <urn:p> 1 ~ .", 19),
        ("<urn:a> <urn:p> \"x\"@en--ltr .", 25),
        ("VERSION \"1.2\"", 1),
        ("version '1.2'", 1),
        ("@version \"1.2\" .", 1),
    ];
    let lines = [
        ("<urn:a> <urn:p> <<( <urn:b> <urn:q> <urn:c> )>> .", 17),
        ("<< <urn:b> <urn:q> <urn:c> >> <urn:p> <urn:d> .", 1),
        ("<urn:a> <urn:p> \"x\"@en--rtl .", 25),
        ("VERSION \"1.2\"", 1),
    ];
    let of = |formats: &'static [&'static str],
              texts: &[(&'static str, usize)]|
     -> Vec<(&str, &str, usize)> {
        let all = formats.iter().flat_map(|format| texts.iter().map(move |&(text, at)| (*format, text, at)));
        all.collect()
    };
    let all = [of(&["ttl", "trig", "n3"], &turtle), of(&["nt", "nq"], &lines)].concat();
    for (format, text, column) in all {
        let name = format!("a.{format}");
        std::fs::write(folder.path().join(&name), format!("{text}\n")).expect("the folder is ours");
        let place = format!("{name}:1:{column}");
        let what = format!("{format} {text}");
        assert_refused(folder.path(), &["convert", &name, "--from", format, "--to", "nq"], &place, &what);
        assert_refused(folder.path(), &["stats", &name, "--from", format], &place, &what);
    }
    for (attributes, content, place) in [
        (" rdf:version='1.2'", "", "a.rdf:1:128"),
        ("", "<e:a><e:p rdf:parseType='Triple'/></e:a>", "a.rdf:2:11"),
        ("", "<e:a><e:p rdf:annotation='urn:x'>x</e:p></e:a>", "a.rdf:2:11"),
        ("", "<e:a><e:p rdf:annotationNodeID='x'>x</e:p></e:a>", "a.rdf:2:11"),
        ("", "<e:a><e:p its:dir='rtl' xml:lang='he'>x</e:p></e:a>", "a.rdf:2:11"),
    ] {
        let text = format!("{RDF_XML}{attributes}>\n{content}</rdf:RDF>");
        std::fs::write(folder.path().join("a.rdf"), text).expect("the folder is ours");
        assert_refused(folder.path(), &["convert", "a.rdf", "--to", "nq"], place, content);
    }
}

#[test]
fn a_mark_of_a_conflict_is_no_triple() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("a.ttl"), "<urn:a> <urn:p> 1 .\n<<<<<<< HEAD\n")
        .expect("the folder is ours");
    let (_, _, stderr) = run(folder.path(), &["convert", "a.ttl", "--to", "nq"]);
    assert!(stderr.contains("a.ttl:2:1: error[rdf::syntax]"), "{stderr}");
}

#[test]
fn json_ld_says_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for key in ["@annotation", "@triple", "@reifies"] {
        let text =
            format!("{{\"@id\":\"urn:a\",\n\"urn:q\":{{\"@id\":\"urn:b\", \"{key}\":{{\"urn:c\":1}}}}}}");
        std::fs::write(folder.path().join("a.jsonld"), text).expect("the folder is ours");
        for arguments in
            [&["convert", "a.jsonld", "--to", "nq"][..], &["to-rdf", "a.jsonld"], &["expand", "a.jsonld"]]
        {
            assert_refused(folder.path(), arguments, "a.jsonld:2:25", key);
        }
    }
    // The specification has a code for this one, and its suite asks for it.
    let text = "{\"@id\": {\"@id\": \"urn:a\", \"urn:p\": 1}, \"urn:q\": 2}";
    std::fs::write(folder.path().join("a.jsonld"), text).expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &["expand", "a.jsonld"]);
    assert_eq!(status, Some(2), "{stderr}");
    assert!(stderr.contains("a.jsonld:1:9: error[invalid @id value]"), "{stderr}");
    assert!(stderr.contains("an embedded node is a triple of RDF 1.2, which is not read"), "{stderr}");
}

#[test]
fn queries_and_updates_say_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("a.nt"), "<urn:a> <urn:p> \"x\" .\n").expect("the folder is ours");
    for (query, column) in [
        ("SELECT * { ?s ?p <<( ?a ?b ?c )>> }", 18),
        ("SELECT * { << ?a ?b ?c >> ?p ?o }", 12),
        ("SELECT * { <<?a ?b ?c>> ?p ?o }", 12),
        ("SELECT * { <<<urn:a> ?b ?c>> ?p ?o }", 12),
        ("SELECT * { ?s ?p ?o {| ?a ?b |} }", 21),
        ("SELECT * { ?s ?p ?o ~ ?r }", 21),
        ("VERSION \"1.2\" SELECT * { ?s ?p ?o }", 1),
        ("SELECT * { ?s ?p \"x\"@en--ltr }", 21),
        ("SELECT (TRIPLE(?s, ?p, ?o) AS ?t) { ?s ?p ?o }", 9),
        ("SELECT * { ?s ?p ?o FILTER(isTRIPLE(?o)) }", 28),
        ("SELECT (langdir(?o) AS ?t) { ?s ?p ?o }", 9),
        ("SELECT (STRLANGDIR(\"a\", \"en\", \"ltr\") AS ?t) { ?s ?p ?o }", 9),
        ("SELECT * { BIND(<<( <urn:a> ?p ?o )>> AS ?t) }", 17),
        ("SELECT * { VALUES ?t { <<( <urn:a> <urn:b> 1 )>> } }", 24),
        ("CONSTRUCT { ?s ?p ?o {| <urn:x> 1 |} } WHERE { ?s ?p ?o }", 22),
    ] {
        assert_refused(folder.path(), &["query", "a.nt", "-q", query], &format!("query:1:{column}"), query);
    }
    for (update, column) in [
        ("INSERT DATA { <urn:a> <urn:b> <<( <urn:c> <urn:d> 1 )>> }", 31),
        ("INSERT DATA { <urn:a> <urn:b> 1 {| <urn:d> 1 |} }", 33),
        ("VERSION \"1.2\" INSERT DATA { <urn:a> <urn:b> 1 }", 1),
        ("INSERT { << ?s ?p ?o >> <urn:x> 1 } WHERE { ?s ?p ?o }", 10),
    ] {
        let arguments = ["update", "a.nt", "--dry-run", "-q", update];
        assert_refused(folder.path(), &arguments, &format!("update:1:{column}"), update);
    }
    // What is wrong before comes first.
    let (_, _, stderr) = run(folder.path(), &["query", "a.nt", "-q", "SELECT * { ?s x:p ?o {| ?a ?b |} }"]);
    assert!(stderr.contains("query:1:15: error[sparql::undeclared-prefix]"), "{stderr}");
}
