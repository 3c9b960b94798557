//! Inputs from somebody else that are small and make much, or that are wide: what is made of them counts,
//! and what is wide takes no longer than what is long.

use crate::cli::input::run;
use std::fmt::Write as _;
use std::fs;

/// Runs a command over a file that was made.
fn over(name: &str, text: &str, arguments: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join(name), text).expect("the folder is ours");
    run(folder.path(), arguments)
}

#[test]
fn aliases_of_yaml_count_with_their_bytes() {
    let long = "x".repeat(50_000);
    let aliases = |count: usize| vec!["*a"; count].join(",");
    for (text, place) in [
        (format!("a: &a \"{long}\"\ntasks: [{}]\n", aliases(20_000)), "a.yaml:2:"),
        (format!("a: &a [{long}]\ntasks: [{}]\n", aliases(20_000)), "a.yaml:2:"),
        (format!("a: &a {{k: {long}}}\ntasks: [{}]\n", aliases(20_000)), "a.yaml:2:"),
        (format!("a: &a {{? {long} : 1}}\ntasks: [{}]\n", aliases(20_000)), "a.yaml:2:"),
        (format!("a: &a |\n  {long}\ntasks: [{}]\n", aliases(20_000)), "a.yaml:3:"),
        (format!("a: &a {long}\ntasks:\n{}", "- *a : 1\n".repeat(20_000)), "a.yaml:"),
        (format!("a: &a {{k: {long}}}\ntasks:\n{}", "- <<: *a\n".repeat(20_000)), "a.yaml:"),
        (format!("a: &a {long}\nb: &b [{0}]\nc: &c [{0}]\ntasks: [*b, *c]\n", aliases(150)), "a.yaml:3:"),
    ] {
        for command in ["stats", "validate", "query"] {
            let query: &[&str] = if command == "query" { &["-q", "ASK {}"] } else { &[] };
            let arguments = [&[command, "a.yaml", "--from", "rlcf", "--max-size", "10MB"], query].concat();
            let (status, stdout, stderr) = over("a.yaml", &text, &arguments);
            assert_eq!((status, stdout.as_str()), (2, ""), "{command}: {stderr}");
            assert!(stderr.starts_with(place), "{command}: {}", &stderr[..200.min(stderr.len())]);
            for told in ["error[yaml::aliases]", "more than 10000000 bytes", "`--max-size`"] {
                assert!(stderr.contains(told), "{command}: no {told}");
            }
        }
    }
    let few = format!("a: &a \"{long}\"\nb: [{}]\n", aliases(20));
    let (_, _, stderr) = over("a.yaml", &few, &["stats", "a.yaml", "--from", "rlcf", "--max-size", "10MB"]);
    assert!(!stderr.contains("yaml::aliases"), "{stderr}");
}

#[test]
fn entities_of_xml_count_with_their_bytes() {
    let mut text = "<!DOCTYPE r [<!ENTITY a \"aaaaaaaaaa\">".to_owned();
    for (name, inner) in ('b'..='j').zip('a'..) {
        let inner = format!("&{inner};").repeat(10);
        write!(text, "<!ENTITY {name} \"{inner}\">").expect("a string takes everything");
    }
    text.push_str(
        "]>\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:e=\"http://e/\">\n\
         <e:a><e:p>&j;</e:p></e:a></rdf:RDF>",
    );
    for limit in [&["--max-size", "1MB"][..], &[]] {
        let (status, stdout, stderr) =
            over("a.rdf", &text, &[&["convert", "a.rdf", "--to", "nq"], limit].concat());
        assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.starts_with("a.rdf:3:11: error[rdf::size]"), "{stderr}");
        assert!(stderr.contains("`--max-size`"), "{stderr}");
    }
}

#[test]
fn kept_texts_of_a_store_count_as_they_open() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let text = format!("<urn:a> <urn:p> \"x\" .\n{}", "# a comment\n".repeat(200_000));
    fs::write(path.join("a.nt"), text).expect("the folder is ours");
    assert_eq!(run(path, &["init"]).0, 0);
    assert_eq!(run(path, &["load", "a.nt"]).0, 0);
    for command in [&["stats"][..], &["convert", "--to", "nq"], &["canon"]] {
        let (status, stdout, stderr) = run(path, &[command, &["--max-size", "1MB"]].concat());
        assert_eq!((status, stdout.as_str()), (2, ""), "{command:?}: {stderr}");
        assert!(
            stderr.contains("error[input::too-large]: `a.nt` contains more than 1,000,000 bytes"),
            "{command:?}: {stderr}"
        );
        assert!(stderr.contains("`--max-size`"), "{command:?}: {stderr}");
        assert_eq!(run(path, command).0, 0, "{command:?}");
    }
}

#[test]
fn a_limit_means_for_a_store_what_it_means_for_its_files() {
    let record = |number: usize| {
        let (question, answer) = ("What is it? ".repeat(20), "It is so. ".repeat(20));
        format!("{{\"question\": \"{number} {question}\", \"answer\": \"{answer}\"}}\n")
    };
    let records: String = (0..40).map(record).collect();
    let graph = format!("<urn:a> <urn:p> \"{}\" .\n", "x".repeat(2_000));
    for (name, text) in [("train.jsonl", records), ("a.nt", graph)] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path();
        fs::write(path.join(name), text).expect("the folder is ours");
        for arguments in [&["init"][..], &["load", name]] {
            assert_eq!(run(path, arguments).0, 0, "{arguments:?}");
        }
        for limit in ["100", "1000", "3000"] {
            for command in [&["stats"][..], &["canon"], &["validate"], &["check", "--format", "jsonl"]] {
                let command = [command, &["--max-size", limit]].concat();
                assert_eq!(run(path, &command), run(path, &[&*command, &[name]].concat()), "{command:?}");
            }
        }
    }
}

#[test]
fn a_table_may_be_as_wide_as_it_is_long() {
    let columns = 100_000;
    let mut text = "question,answer".to_owned();
    for number in 0..columns {
        write!(text, ",c{number}").expect("a string takes everything");
    }
    let text = format!("{text}\nWhy?,So{}\n", ",x".repeat(columns));
    let (status, stdout, stderr) = over("a.csv", &text, &["stats", "a.csv"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("rows                1\n"), "{stdout}");
    let doubled = text.replacen("c99999", "c7", 1);
    let (status, _, stderr) = over("a.csv", &doubled, &["stats", "a.csv"]);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("two columns are named `c7`"), "{stderr}");
}

#[test]
fn a_table_of_many_columns_is_written_as_it_was() {
    let head: String = (0..20_000).map(|number| format!(",c{number}")).collect();
    let text = format!("question,answer{head}\nq,a{}\n", ",x".repeat(20_000));
    let (status, stdout, stderr) = over("a.csv", &text, &["convert", "a.csv", "--to", "same"]);
    assert_eq!((status, stdout == text), (0, true), "{stderr}");
}

#[test]
fn prefixes_may_be_as_many_as_they_like() {
    let mut text = String::new();
    let mut triples = String::new();
    for number in 0..50_000 {
        writeln!(text, "@prefix p{number}: <http://e/{number}/> .").expect("a string takes everything");
        writeln!(triples, "p{number}:s p{number}:p p{number}:o .").expect("a string takes everything");
    }
    for format in ["ttl", "rdfxml", "nq"] {
        let whole = format!("{text}{triples}");
        let (status, stdout, stderr) = over("a.ttl", &whole, &["convert", "a.ttl", "--to", format]);
        assert_eq!(status, 0, "{stderr}");
        assert!(stdout.contains("http://e/49999/"), "{format}");
    }
}

#[test]
fn contexts_within_the_terms_of_a_long_context_share_what_it_says() {
    let count = 8_000;
    let scoped = |number| {
        format!(r#","t{number}":{{"@id":"http://e/t{number}","@context":{{"x":"http://e/x{number}"}}}}"#)
    };
    let context: String = (0..count).map(scoped).collect();
    let entries: String = (0..count).map(|number| format!(r#","t{number}":{{"x":{number}}}"#)).collect();
    let text = format!(r#"{{"@context":{{"@vocab":"http://v/"{context}}}{entries}}}"#);
    let compact = ["compact", "a.jsonld", "-c", "a.jsonld", "--max-memory", "400MiB"];
    let (status, stdout, stderr) = over("a.jsonld", &text, &compact);
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains(r#""x": 7999"#), "the last one is there");
}

/// A document comes back from its graph as it is written.
fn comes_back(text: &str) {
    let (status, stdout, stderr) = over("a.jsonld", text, &["convert", "a.jsonld", "--to", "same"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout == text, "{stderr}: {} of {} bytes", stdout.len(), text.len());
}

#[test]
fn a_list_of_values_comes_back_however_long_it_is() {
    let numbers: Vec<String> = (0..100_000).map(|number| number.to_string()).collect();
    comes_back(&format!(r#"{{"@id":"http://e/s","http://e/p":[{}]}}"#, numbers.join(",")));
    let nodes: Vec<String> =
        numbers.iter().map(|number| format!(r#"{{"@id":"http://e/{number}"}}"#)).collect();
    comes_back(&format!(r#"{{"@id":"http://e/s","http://e/p":[{}]}}"#, nodes.join(",")));
}

#[test]
fn keys_come_back_however_many_there_are() {
    let node = |number| format!(r#"{{"@id":"http://e/{number}","a":1,"k{number}":2,"z":3}}"#);
    let nodes: Vec<String> = (0..20_000).map(node).collect();
    let context = r#""@context":{"@vocab":"http://e/"}"#;
    comes_back(&format!(r#"{{{context},"@id":"http://e/r","list":[{}]}}"#, nodes.join(",")));
    let members: Vec<String> = (0..20_000).map(|number| format!(r#""k{number}":{number}"#)).collect();
    comes_back(&format!(r#"{{{context},"@id":"http://e/r",{}}}"#, members.join(",")));
}

#[test]
fn members_beyond_the_graph_come_back_however_many_there_are() {
    let members: Vec<String> = (0..50_000).map(|number| format!(r#""k{number}":{number}"#)).collect();
    comes_back(&format!(r#"{{"@context":{{"x":"http://e/x"}},"x":1,{}}}"#, members.join(",")));
    let terms: Vec<String> = (0..20_000).map(|number| format!(r#""t{number}":"http://e/p""#)).collect();
    let members: Vec<String> = (0..20_000).map(|number| format!(r#""t{number}":"v{number}""#)).collect();
    comes_back(&format!(r#"{{"@context":{{{}}},{}}}"#, terms.join(","), members.join(",")));
}

#[test]
fn yaml_may_stand_in_one_line() {
    let task = |number| format!("{{task_type: QA, input_data: {{question: Who{number}?}}}}");
    let tasks: Vec<String> = (0..20_000).map(task).collect();
    let text = format!("tasks: [{}]\n", tasks.join(","));
    let (status, stdout, stderr) = over("a.yaml", &text, &["convert", "a.yaml", "--to", "same"]);
    assert!(status == 0 && stdout == text, "{stderr}");
}

#[test]
fn blank_nodes_may_share_what_they_point_to() {
    let (depth, width) = (18, 4);
    let node = |layer: usize, number: usize| {
        let next = |to: usize| format!(r#"{{"@id":"_:l{}n{to}"}}"#, layer + 1);
        let nodes: Vec<String> = (0..width).map(next).collect();
        format!(r#"{{"@id":"_:l{layer}n{number}","p":[{}]}}"#, nodes.join(","))
    };
    let nodes: Vec<String> =
        (0..depth).flat_map(|layer| (0..width).map(move |number| node(layer, number))).collect();
    let context = r#""@context":{"@vocab":"http://e/"}"#;
    comes_back(&format!(r#"{{{context},"@id":"http://e/r","list":[{}]}}"#, nodes.join(",")));
}

#[test]
fn a_text_may_have_any_number_of_datatypes() {
    let count = 50_000;
    let triple = |number| format!("<urn:s> <urn:p> \"x\"^^<urn:d{number}> .\n");
    let text: String = (0..count).map(triple).collect();
    let query = "SELECT (COUNT(DISTINCT ?o) AS ?n) (COUNT(DISTINCT STR(?o)) AS ?texts) { ?s ?p ?o }";
    let (status, stdout, stderr) = over("a.nt", &text, &["query", "a.nt", "-q", query, "--format", "tsv"]);
    assert_eq!((status, stdout.as_str()), (0, "?n\t?texts\n50000\t1\n"), "{stderr}");
    let (status, stdout, stderr) = over("a.nt", &text, &["convert", "a.nt", "--to", "nt"]);
    assert_eq!((status, stdout.lines().count()), (0, count), "{stderr}");
}

/// Many small files of rows, in a folder `files`, and the rows as those of one file.
fn many_files(folder: &std::path::Path, count: usize) -> String {
    fs::create_dir(folder.join("files")).expect("the folder is ours");
    let mut rows = Vec::new();
    for number in 0..count {
        let row =
            format!(r#"{{"id": "r{number:05}", "question": "Why {number}?", "answer": "So {number}"}}"#);
        fs::write(folder.join(format!("files/f{number:05}.json")), format!("[{row}]"))
            .expect("there is room");
        rows.push(row);
    }
    format!("[{}]", rows.join(",\n"))
}

#[test]
fn many_files_are_converted_as_one_file_with_all_of_theirs() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    fs::write(path.join("all.json"), many_files(path, 1000)).expect("the folder is ours");
    for (form, name) in [("train", "t.json"), ("rlcf", "r.json"), ("hf-chat", "c.jsonl")] {
        let convert = |input: &str, output: &str| {
            let (status, _, stderr) = run(path, &["convert", input, "--to", form, "-o", output]);
            assert_eq!(status, 0, "{form}: {stderr}");
            let text = fs::read_to_string(path.join(output)).expect("it was written");
            // When tasks were made is when the program ran.
            text.lines().filter(|line| !line.contains("created_at")).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(convert("files", name), convert("all.json", &format!("all-{name}")), "{form}");
    }
    assert_eq!(
        run(
            path,
            &["convert", "files", "--to", "nq", "--with", "sidecar", "--with", "catalog", "-o", "a.nq"]
        )
        .0,
        0
    );
    assert_eq!(run(path, &["convert", "a.nq", "--to", "same", "-o", "back/"]).0, 0);
    for number in [0, 7, 999] {
        let name = format!("f{number:05}.json");
        let [before, after] = ["files", "back"].map(|folder| fs::read(path.join(folder).join(&name)).ok());
        assert!(before.is_some() && before == after, "{name}");
    }
}

#[test]
fn the_catalog_of_many_files_answers_as_that_of_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    fs::write(path.join("all.json"), many_files(path, 1000)).expect("the folder is ours");
    let ask = |input: &str| {
        let query = "PREFIX eg: <urn:evalgraph:vocab:> SELECT (COUNT(*) AS ?n) { \
                     GRAPH <urn:evalgraph:graph:catalog> { ?one eg:looseKey ?key ; eg:system ?system ; \
                     eg:answerable true . ?other eg:looseKey ?key ; eg:dataset ?dataset } }";
        let (status, stdout, stderr) = run(path, &["query", input, "-q", query]);
        assert_eq!(status, 0, "{stderr}");
        stdout.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(ask("all.json"), ["n", "1000"]);
    assert_eq!(ask("files"), ["n", "1000"]);
}

#[test]
fn one_question_may_be_that_of_any_number_of_items() {
    let mut text = String::from(
        "@prefix s: <http://schema.org/> .\n<urn:feed> a s:DataFeed ; s:name \"Many\" .\n\
         <urn:q> a s:Question ; s:text \"Why?\" ; s:acceptedAnswer <urn:a> .\n<urn:a> a s:Answer ; s:text \"So\" .\n",
    );
    let items = 10_000;
    for number in 0..items {
        writeln!(
            text,
            "<urn:feed> s:dataFeedElement <urn:i{number}> . <urn:i{number}> a s:DataFeedItem ; s:item <urn:q> ; \
             s:position {number} . <urn:q> s:alternateName \"name {number}\" ."
        )
        .expect("a string takes everything");
    }
    let (status, stdout, stderr) = over("a.ttl", &text, &["convert", "a.ttl", "--to", "train"]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(stdout.matches("\"question\": \"Why?\"").count(), items, "{stderr}");
    assert_eq!(stdout.matches("\"answer\": \"So\"").count(), items);
    assert!(stdout.contains("\"id\": \"urn:i9999\""), "{}", &stdout[..300]);
    assert!(stderr.contains("10,000"), "the other names have no place: {stderr}");
}

#[test]
fn a_question_of_many_items_is_written_as_it_was() {
    let path = crate::fixture_files::root().join("karenina/s1-astronomy.jsonld");
    let fixture = fs::read_to_string(path).expect("a fixture");
    let mut checkpoint: serde_json::Value = serde_json::from_str(&fixture).expect("JSON");
    let item = checkpoint["hasPart"][0].clone();
    let items = (0..2_000).map(|number| {
        let mut item = item.clone();
        item["@id"] = format!("urn:uuid:{number}").into();
        item
    });
    checkpoint["hasPart"] = items.collect();
    let text = checkpoint.to_string();
    let (status, stdout, stderr) = over("a.jsonld", &text, &["convert", "a.jsonld", "--to", "same"]);
    assert_eq!((status, stdout.trim_end() == text), (0, true), "{stderr}");
}

#[test]
fn a_document_may_be_quoted_any_number_of_times() {
    let rows: Vec<String> = (0..20_000)
        .map(|number| {
            let context =
                format!(r#"{{"filename": "f.txt", "text": "the same beginning, and then {number:06}"}}"#);
            format!(r#"{{"id": {number}, "question": "q{number}", "answer": "a", "contexts": [{context}]}}"#)
        })
        .collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.json"), format!("[{}]", rows.join(","))).expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &["convert", "a.json", "--to", "train", "-o", "out/"]);
    assert_eq!(status, 0, "{stderr}");
    let text = fs::read_to_string(folder.path().join("out/corpus/f.txt")).expect("it was written");
    let passages: Vec<&str> = text.split("\n\n").collect();
    assert_eq!((passages.len(), passages[19_999]), (20_000, "the same beginning, and then 019999"));
}

/// Documents in which each base, namespace or term is made of the one before.
fn growing() -> Vec<(&'static str, String)> {
    let step = "x/".repeat(200);
    let many = |text: &dyn Fn(usize) -> String| (0..400).map(text).collect::<String>();
    let bases = many(&|_| format!("@base <{step}> .\n"));
    let contexts = many(&|_| format!("{{\"@base\": \"{step}\"}}, "));
    let vocabularies = many(&|_| format!("{{\"@vocab\": \"{step}\"}}, "));
    let terms = many(&|at| format!(", \"t{}\": \"t{at}:{step}\"", at + 1));
    let nested = many(&|_| format!("<rdf:Description xml:base='{step}'><rdf:value>"));
    let long = "y".repeat(100_000);
    vec![
        ("a.ttl", format!("@base <http://e/> .\n{bases}<a> <b> <c> .\n")),
        ("a.trig", format!("@base <http://e/> .\n{bases}<a> {{ <a> <b> <c> }}\n")),
        ("a.n3", format!("@base <http://e/> .\n{bases}<a> <b> <c> .\n")),
        (
            "sparql.ttl",
            format!(
                "@base <http://e/> .\n{}<a> <b> <c> .\n",
                bases.replace("@base", "Base").replace(" .", "")
            ),
        ),
        ("prefix.ttl", format!("@prefix p: <http://e/{long}> .\np:a p:b p:c .\n")),
        (
            "a.rdf",
            format!(
                "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xml:base='http://e/'>{nested}"
            ),
        ),
        (
            "prefix.rdf",
            format!(
                "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:p='http://e/{long}'/>"
            ),
        ),
        (
            "base.jsonld",
            format!("{{\"@context\": [{{\"@base\": \"http://e/\"}}, {contexts}{{}}], \"@id\": \"a\"}}"),
        ),
        (
            "vocab.jsonld",
            format!("{{\"@context\": [{{\"@vocab\": \"http://e/\"}}, {vocabularies}{{}}], \"a\": 1}}"),
        ),
        ("terms.jsonld", format!("{{\"@context\": {{\"t0\": \"http://e/\"{terms}}}, \"t399\": 1}}")),
    ]
}

#[test]
fn a_base_that_is_made_of_others_has_a_longest_form() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    for (name, text) in growing() {
        fs::write(path.join(name), text).expect("the folder is ours");
        let (status, _, stderr) = run(path, &["convert", name, "--to", "nq"]);
        assert_eq!(status, 2, "{name}: {stderr}");
        assert!(stderr.contains("may have at most 16,384 bytes"), "{name}: {stderr}");
    }
    let bases = format!(
        "BASE <http://e/> {} ASK {{ <a> <b> <c> }}",
        format!("BASE <{}> ", "x/".repeat(200)).repeat(100)
    );
    fs::write(path.join("a.nt"), "<urn:a> <urn:b> <urn:c> .\n").expect("the folder is ours");
    let (status, _, stderr) = run(path, &["query", "a.nt", "-q", &bases]);
    assert!(status == 2 && stderr.contains("sparql::too-large"), "{stderr}");
    let (status, _, stderr) = run(path, &["update", "a.nt", "-q", &bases.replace("ASK", "INSERT DATA")]);
    assert!(status == 2 && stderr.contains("sparql::too-large"), "{stderr}");
    // An IRI of its own may have any length.
    let long = format!("http://e/{}", "y".repeat(100_000));
    fs::write(path.join("long.ttl"), format!("<{long}> <urn:b> <urn:c> .\n")).expect("the folder is ours");
    assert_eq!(run(path, &["convert", "long.ttl", "--to", "nq"]).1, format!("<{long}> <urn:b> <urn:c> .\n"));
    fs::write(path.join("long.jsonld"), format!("{{\"@id\": \"urn:a\", \"{long}\": 1}}"))
        .expect("the folder is ours");
    assert_eq!(run(path, &["convert", "long.jsonld", "--to", "nq"]).0, 0);
}

#[test]
fn the_results_of_a_query_of_shapes_are_bounded() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let data: String = (0..1_500).map(|at| format!("<urn:s{at}> <urn:p> <urn:o{at}> .\n")).collect();
    fs::write(path.join("a.nt"), data).expect("the folder is ours");
    let shapes =
        "@prefix sh: <http://www.w3.org/ns/shacl#> . <urn:shape> a sh:NodeShape ; sh:targetNode <urn:s0> ;
        sh:sparql [ sh:select \"SELECT $this ?value { ?a ?b ?value . ?c ?d ?e . FILTER(BOUND($this)) }\" ] .";
    fs::write(path.join("shapes.ttl"), shapes).expect("the folder is ours");
    let (status, _, stderr) = run(path, &["validate", "a.nt", "--shapes", "shapes.ttl"]);
    assert!(status == 2 && stderr.contains("error[shacl::too-many]"), "{stderr}");
}
