//! The library as a program meets it that embeds it: it answers what the command line answers, and the programs in
//! `examples` do what they say.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use chrono::DateTime;
use evalgraph::diagnostic::FindingSeverity;
use evalgraph::diagnostic::validation::ResultSeverity;
use evalgraph::json::{Limits, parse};
use evalgraph::jsonld::{FramingOptions, JsonLdEmbed};
use evalgraph::rdf::RdfFormat;
use evalgraph::sparql::{ExecuteOptions, Query, QueryResults, ResultFormat, TableLayout, write_solutions};
use evalgraph::{
    Conversion, InputFormat, JsonLdOperation, JsonLdShape, LoadedData, Loader, OutputForm, ProfileName,
    QuestionEdit, Store, validate,
};
use serde_json::Value;

use crate::cli::input::{run, run_at};
use crate::fixture_files::{files_below, short};
use crate::share::one_of;

/// When the conversions are made.
const TIME: i64 = 1_780_000_000;

/// The folder that `examples` and `fixtures` lie in.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The fixtures of the four systems.
fn fixtures() -> Vec<PathBuf> {
    ["karenina", "train", "kwanzaa", "rlcf"].iter().flat_map(|system| files_below(system)).collect()
}

/// The files of a folder by their paths.
fn files_in(folder: &Path) -> BTreeMap<String, String> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(below) = folders.pop() {
        let Ok(entries) = fs::read_dir(&below) else { continue };
        for entry in entries {
            let path = entry.expect("the folder is ours").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("it is below").display().to_string();
                files.insert(name, fs::read_to_string(&path).expect("it is text"));
            }
        }
    }
    files
}

fn csv_of(loaded: &LoadedData, text: &str) -> String {
    let query = Query::parse(text, "query").expect("it is SPARQL");
    let prefixes = query.prefixes().clone();
    let answer = loaded.execute(query, ExecuteOptions::default()).expect("it can be answered");
    let QueryResults::Solutions(rows) = answer else { panic!("a table comes of SELECT") };
    let mut csv = Vec::new();
    let layout = TableLayout::new(&prefixes);
    write_solutions(rows, ResultFormat::Csv, &layout, &mut csv).expect("memory takes it");
    String::from_utf8(csv).expect("it is text")
}

#[test]
fn a_conversion_makes_what_the_command_makes() {
    let (mut alike, mut refused) = (0, 0);
    for (number, path) in fixtures().into_iter().enumerate() {
        let forms = ["karenina", "karenina-gui", "same", "train", "rlcf", "kwanzaa"];
        for form in forms.into_iter().skip(number % one_of(3)).step_by(one_of(3)) {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let out = folder.path().join("out/");
            let file = path.display().to_string();
            let arguments = ["convert", file.as_str(), "--to", form, "-o", &format!("{}/", out.display())];
            let (status, _, stderr) = run_at(TIME, root().as_path(), &arguments);
            let form_of = OutputForm::from_name(form).expect("it is a form");
            let time = DateTime::from_timestamp(TIME, 0).expect("it is a time");
            let made = Loader::new().at(time).convert([file.as_str()], form_of);
            match made {
                Ok(made) => {
                    let mut files: BTreeMap<String, String> =
                        made.files.into_iter().map(|file| (file.path, file.text)).collect();
                    files.extend(made.copies.into_iter().map(|copy| {
                        let text = fs::read_to_string(&copy.from).expect("it is text");
                        (copy.path, text)
                    }));
                    assert_eq!((status, &files), (0, &files_in(&out)), "{} to {form}", short(&path));
                    alike += 1;
                }
                Err(error) => {
                    assert_eq!(status, 2, "{} to {form}: {error}\n{stderr}", short(&path));
                    let finding = error.findings().next().expect("an error has a reason");
                    assert!(stderr.contains(&*finding.code), "{} to {form}: {error}\n{stderr}", short(&path));
                    refused += 1;
                }
            }
        }
    }
    assert!(alike * one_of(3) > 100 && refused > 0, "{alike} alike, {refused} refused");
}

#[test]
fn a_check_finds_what_the_command_finds() {
    let mut results = 0;
    for path in fixtures() {
        let file = path.display().to_string();
        let (status, stdout, stderr) = run(root().as_path(), &["validate", &file, "--format", "json"]);
        let checked = match validate([file.as_str()]) {
            Ok(checked) => checked,
            Err(error) => {
                assert_eq!(status, 2, "{}: {error}\n{stderr}", short(&path));
                continue;
            }
        };
        assert_eq!(status == 0, checked.conforms(), "{}: {stderr}", short(&path));
        let told: Value = serde_json::from_str(&stdout).expect("it is JSON");
        let of_command = told.as_array().expect("an array").iter();
        let of_command = of_command.map(|file| (&file["violations"], &file["warnings"], &file["infos"]));
        let of_command: Vec<[u64; 3]> =
            of_command.map(|(a, b, c)| [a, b, c].map(|count| count.as_u64().expect("a number"))).collect();
        let severities = [ResultSeverity::Violation, ResultSeverity::Warning, ResultSeverity::Info];
        let of_library =
            checked.files.iter().map(|file| severities.map(|severity| file.report.count(severity)));
        assert_eq!(of_command, of_library.collect::<Vec<_>>(), "{}", short(&path));
        results += checked.files.iter().map(|file| file.report.results.len()).sum::<usize>();
    }
    assert!(results > 50, "{results}");
}

#[test]
fn a_query_answers_what_the_command_answers() {
    let query = "SELECT (egf:file(?g) AS ?file) ?type (COUNT(*) AS ?n) { GRAPH ?g { ?s a ?type } }
        GROUP BY ?g ?type ORDER BY ?g ?type";
    let folders = ["fixtures/karenina", "fixtures/kwanzaa/grounded-answer.json"];
    let (status, stdout, stderr) =
        run(root().as_path(), &["query", folders[0], folders[1], "-q", query, "--format", "csv"]);
    assert_eq!(status, 0, "{stderr}");
    let inputs = folders.map(|folder| root().join(folder).display().to_string());
    let loaded = Loader::new().load(inputs).expect("they can be loaded");
    let answer = csv_of(&loaded, query).replace(&format!("{}/", root().display()), "");
    assert_eq!(stdout, answer);
}

#[test]
fn a_store_that_the_library_changes_is_whole_for_the_command() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = root().join("fixtures/karenina/p1-physics.jsonld").display().to_string();
    let mut store = Store::create(folder.path()).expect("the folder is empty");
    store.load([&file]).expect("it is a checkpoint");
    let again = store.load([&file]).expect("it is a checkpoint");
    assert!(again.findings().any(|finding| finding.message.contains("unchanged")), "{again:?}");
    let told = store
        .update("INSERT { ?q s:keywords 'reviewed' } WHERE { ?q a s:Question }")
        .expect("the file has a place for it");
    assert!(told.findings().any(|finding| finding.code == "update::summary"));
    // Commands see it, and the file is written with it.
    let (status, stdout, stderr) = run(folder.path(), &["convert", "--to", "same"]);
    assert_eq!(status, 0, "{stderr}");
    let made = store.convert(OutputForm::Same).expect("it has a sidecar");
    assert_eq!(stdout, made.files[0].text);
    assert!(stdout.contains("reviewed"));
    let (status, stdout, stderr) = run(folder.path(), &["doctor"]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    // The catalog is that of the file as it is now.
    let catalog = "SELECT ?p ?o { GRAPH <urn:evalgraph:graph:catalog> { ?g eg:questionCount ?count ; ?p ?o
        FILTER(?p IN (eg:questionCount, eg:tripleCount, eg:system, eg:dialect)) } } ORDER BY ?p ?o";
    let changed = folder.path().join("changed.jsonld");
    fs::write(&changed, &made.files[0].text).expect("the folder is ours");
    let anew = Loader::new().load([changed.display().to_string()]).expect("it is a checkpoint");
    let rows = csv_of(&store.snapshot().expect("it is whole"), catalog);
    assert!(rows.lines().count() > 2, "{rows}");
    assert_eq!(rows, csv_of(&anew, catalog));
    // What fails changes nothing.
    let before = made.files[0].text.clone();
    let error = store.update("INSERT DATA { <urn:a> <urn:b> }").expect_err("an object is missing");
    assert!(error.to_string().contains("update:1:"), "{error}");
    assert_eq!(store.convert(OutputForm::Same).expect("as before").files[0].text, before);
}

#[test]
fn an_error_has_its_place_and_all_that_was_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let broken = folder.path().join("broken.jsonld");
    fs::write(&broken, "{\n  \"@id\": [}\n").expect("the folder is ours");
    let whole = root().join("fixtures/karenina/p1-physics.jsonld");
    let inputs = [broken, whole].map(|path| path.display().to_string());
    let error = Loader::new().load(inputs.clone()).expect_err("one is broken");
    assert!(format!("{error:?}").contains("broken.jsonld:2:11"), "{error:?}");
    let rest = Loader::new().keep_going().load(inputs).expect("the rest can be loaded");
    assert!(rest.dataset().quad_count() > 0);
    assert_eq!(rest.report().count(FindingSeverity::Error), 1);
    assert!(Loader::new().load(Vec::<String>::new()).is_err());
}

fn example(name: &str) -> Command {
    let program = Path::new(crate::program::PATH).with_file_name("examples").join(name);
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

#[test]
fn the_example_that_edits_a_store_writes_the_file_with_the_change() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = example("edit_store");
    let output = command.arg("fixtures/karenina/p1-physics.jsonld").arg(folder.path()).output();
    let output = output.expect("the example was built");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    assert!(stdout.contains("the catalog counts") && stdout.contains("p1-physics.jsonld"), "{stdout}");
    let written = fs::read_to_string(folder.path().join("p1-physics.jsonld")).expect("it was written");
    assert!(written.contains("\"reviewed\""), "{written}");
}

/// A server, which ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended needs no more.
        let _ = self.0.kill().and_then(|()| self.0.wait());
    }
}

#[test]
fn the_example_that_serves_a_query_answers_over_http() {
    let mut command = example("serve_query");
    let command = command.arg("fixtures/karenina").env("BIND", "127.0.0.1:0").stdout(Stdio::piped());
    let mut server = Server(command.stderr(Stdio::null()).spawn().expect("the example was built"));
    let mut address = String::new();
    let stdout = server.0.stdout.take().expect("it is piped");
    BufReader::new(stdout).read_line(&mut address).expect("it says where it is");
    let host = address.trim().trim_start_matches("http://").trim_end_matches("/overview").to_owned();
    let get = |target: &str| {
        let mut stream = TcpStream::connect(&host).expect("it listens");
        write!(stream, "GET {target} HTTP/1.1\r\nhost: {host}\r\n\r\n").expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    };
    let (found, missing) = (get("/overview"), get("/nothing"));
    assert!(found.starts_with("HTTP/1.1 200") && found.contains("p1-physics.jsonld,"), "{found}");
    assert!(missing.starts_with("HTTP/1.1 400") && missing.contains("no query named"), "{missing}");
}

#[test]
fn a_question_that_the_library_changes_is_as_the_command_changes_it() {
    let time = DateTime::from_timestamp(TIME, 0).expect("it is a time");
    let keywords = vec!["sums".to_owned()];
    for fixture in ["fixtures/karenina/p1-physics.jsonld", "fixtures/train/support-desk.json"] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(Path::new(fixture).file_name().expect("it has a name"));
        fs::copy(root().join(fixture), &path).expect("the folder is ours");
        let file = path.display().to_string();
        let (text, answer) = ("What is 2 + 2?".to_owned(), "4".to_owned());
        let add = QuestionEdit::Add {
            text: text.clone(),
            answer,
            finished: None,
            keywords: if fixture.contains("train") { Vec::new() } else { keywords.clone() },
        };
        let edited = Loader::new().at(time).edit_question(&path, &add).expect("the file takes a question");
        let mut arguments = vec!["add", text.as_str(), file.as_str(), "--answer", "4"];
        if !fixture.contains("train") {
            arguments.extend(["--keyword", "sums"]);
        }
        let (status, _, stderr) = run_at(TIME, folder.path(), &arguments);
        assert_eq!(status, 0, "{stderr}");
        let told =
            edited.report.findings().find(|finding| finding.code == "add::summary").expect("it is told");
        assert!(stderr.contains(&told.message), "{stderr}");
        assert_eq!(edited.text, Some(fs::read_to_string(&path).expect("it is text")), "{fixture}");
        // In a store it comes to the same, and goes again without a trace.
        let mut store = Store::create(folder.path()).expect("there is no store yet");
        store = store.with_loader(Loader::new().at(time));
        store.load([root().join(fixture).display().to_string()]).expect("it is a file of a system");
        let before = store.convert(OutputForm::Same).expect("it has a sidecar").files[0].text.clone();
        assert!(store.question_update(&add, None).expect("it is an update").contains("2 + 2"));
        store.edit_question(&add, None).expect("the store takes a question");
        assert_eq!(
            store.convert(OutputForm::Same).expect("as above").files[0].text,
            edited.text.expect("above")
        );
        let remove = QuestionEdit::Remove { question: text };
        store.edit_question(&remove, None).expect("it is there");
        let after = store.convert(OutputForm::Same).expect("as above").files[0].text.clone();
        assert_eq!(before.lines().count(), after.lines().count(), "{fixture}");
        let gone = store.edit_question(&remove, None).expect_err("it is gone");
        assert!(gone.findings().any(|finding| finding.code.starts_with("remove::")), "{gone}");
        assert!(
            store.repair(true).expect("it is whole").findings().any(|found| found.code == "store::whole")
        );
    }
}

#[test]
fn statistics_are_those_of_the_command() {
    let files: Vec<String> = fixtures().iter().map(|path| path.display().to_string()).collect();
    let (of_library, _) = Loader::new().keep_going().statistics(&files).expect("what can be read is read");
    let mut arguments = vec!["stats", "--keep-going", "--format", "json"];
    arguments.extend(files.iter().map(String::as_str));
    let (_, stdout, stderr) = run(root().as_path(), &arguments);
    let of_command: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stderr}"));
    let of_command = of_command.as_array().expect("an array");
    assert_eq!((of_command.len(), of_command.len() > 90), (of_library.len(), true));
    for (told, file) in of_command.iter().zip(&of_library) {
        let quads = told["quads"].as_u64();
        assert_eq!((told["file"].as_str(), quads), (Some(file.name.as_str()), Some(file.quads)));
        for fact in file.facts.iter().flatten() {
            assert_eq!(told[fact.key], fact.value, "{}: {}", file.name, fact.key);
        }
        if let Some(figures) = &file.figures {
            let questions = told["questions"].as_u64().unwrap_or(figures.questions);
            assert_eq!(questions, figures.questions, "{}", file.name);
        }
    }
}

#[test]
fn json_ld_has_the_shape_that_is_asked_for() {
    let context = r#"{"@context": {"s": "http://schema.org/"}}"#;
    let document = parse("context", context.to_owned(), Limits::default()).expect("it is JSON");
    let mut conversion = Conversion::from(OutputForm::Rdf(RdfFormat::JsonLd));
    conversion.json_ld = JsonLdShape::Compacted(Arc::new(document));
    let file = root().join("fixtures/karenina/p1-physics.jsonld").display().to_string();
    let made = Loader::new().convert([file], conversion).expect("it is a checkpoint");
    let made: Value = serde_json::from_str(&made.files[0].text).expect("it is JSON");
    assert_eq!(made["@context"]["s"], "http://schema.org/");
}

#[test]
fn an_operation_of_json_ld_makes_what_the_command_makes() {
    let always = FramingOptions { embed: JsonLdEmbed::Always, ..FramingOptions::default() };
    let operations: [(&[&str], JsonLdOperation); 5] = [
        (&["expand"], JsonLdOperation::expand()),
        (&["compact", "-c", "karenina"], JsonLdOperation::compact("karenina")),
        (&["flatten"], JsonLdOperation::flatten(None)),
        (
            &["flatten", "-c", "schema.org", "--compact-arrays", "false"],
            JsonLdOperation::flatten(Some("schema.org".to_owned())).compact_arrays(false),
        ),
        (
            &["frame", "-f", "karenina-gui", "--embed", "always"],
            JsonLdOperation::frame("karenina-gui", always),
        ),
    ];
    let mut done = 0;
    for path in files_below("karenina").into_iter().chain(files_below("broken")) {
        let file = path.display().to_string();
        for (arguments, operation) in &operations {
            let (status, stdout, stderr) = run(root().as_path(), &[arguments, &[file.as_str()][..]].concat());
            match Loader::new().process(&file, operation) {
                Ok((text, _)) => {
                    assert_eq!((status, stdout == text), (0, true), "{file} {arguments:?}");
                    done += 1;
                }
                Err(error) => assert_eq!(status, 2, "{file} {arguments:?}: {error} {stderr}"),
            }
        }
    }
    assert!(done > 50, "{done}");
}

#[test]
fn rules_are_those_that_are_named() {
    let file = root().join("fixtures/kwanzaa/citation.json").display().to_string();
    for profile in ProfileName::all() {
        let arguments = ["validate", &file, "--profile", profile.name(), "--format", "json"];
        let (status, stdout, stderr) = run(root().as_path(), &arguments);
        match Loader::new().validate_by([&file], profile) {
            Ok(checked) => {
                let told: Value = serde_json::from_str(&stdout).expect("it is JSON");
                let violations = checked.files[0].report.count(ResultSeverity::Violation);
                assert_eq!(told[0]["violations"].as_u64(), Some(violations), "{}", profile.name());
            }
            Err(error) => assert_eq!(status, 2, "{}: {error} {stderr}", profile.name()),
        }
    }
}

#[test]
fn thresholds_are_those_that_are_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = r#"[{"id": 1, "question": "Why?", "answer": "N/A", "is_impossible": true, "split": "dev"}]"#;
    let config = r#"{"train": {"no_answer": ["N/A"], "other_keys": ["split"], "first_id": 1}}"#;
    fs::write(folder.path().join("train.json"), rows).expect("the folder is ours");
    fs::write(folder.path().join("config.json"), config).expect("the folder is ours");
    let arguments = ["validate", "train.json", "--format", "json", "--config", "config.json"];
    let (_, stdout, _) = run(folder.path(), &arguments);
    let told: Value = serde_json::from_str(&stdout).expect("it is JSON");
    let file = folder.path().join("train.json").display().to_string();
    let thresholds = parse("config.json", config.to_owned(), Limits::default()).expect("it is JSON");
    let checked = Loader::new().validate_by_thresholds([&file], &thresholds).expect("it can be checked");
    let by_default = validate([&file]).expect("it can be checked");
    let warnings =
        |checked: &evalgraph::ValidationOutcome| checked.files[0].report.count(ResultSeverity::Warning);
    assert_eq!(told[0]["warnings"].as_u64(), Some(warnings(&checked)));
    assert!(warnings(&checked) < warnings(&by_default), "the thresholds make a difference");
    let typo = parse("config.json", r#"{"trian": {}}"#.to_owned(), Limits::default()).expect("it is JSON");
    let error = Loader::new().validate_by_thresholds([&file], &typo).expect_err("there is no such system");
    assert!(error.to_string().contains("config.json:1:2"), "{error}");
}

#[test]
fn the_format_that_is_named_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("data.txt");
    fs::write(&file, "<http://e/a> <http://e/b> [ <http://e/c> 1 ] .").expect("the folder is ours");
    let file = file.display().to_string();
    let turtle = Loader::new().format(InputFormat::Rdf(RdfFormat::Turtle));
    let loaded = turtle.load([&file]).expect("it is Turtle");
    assert_eq!(csv_of(&loaded, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"), "n\r\n2\r\n");
    let triples = Loader::new().format(InputFormat::Rdf(RdfFormat::NTriples));
    assert!(triples.load([&file]).is_err(), "it is not N-Triples");
}

#[test]
fn files_are_updated_and_merged_as_the_commands_do_it() {
    let update = "INSERT { ?q s:keywords 'reviewed' } WHERE { ?q a s:Question }";
    let [first, second] = ["p1-physics.jsonld", "p2-genomics.jsonld"]
        .map(|name| root().join("fixtures/karenina").join(name).display().to_string());
    for form in ["same", "nq", "trig"] {
        let (status, stdout, stderr) = run(root().as_path(), &["update", &first, "-q", update, "--to", form]);
        assert_eq!(status, 0, "{stderr}");
        let form = OutputForm::from_name(form).expect("it is a form");
        let made = Loader::new().update([&first], update, form).expect("the file has a place for it");
        assert_eq!(made.files[0].text, stdout);
    }
    let rows = OutputForm::from_name("train").expect("it is a form");
    let refused = Loader::new().update([&first], update, rows).expect_err("it is another form");
    assert!(refused.findings().any(|finding| finding.code == "output::format"), "{refused}");
    let (status, stdout, stderr) = run(root().as_path(), &["merge", &first, &second]);
    match Loader::new().merge([&first, &second], None) {
        Ok(merged) => assert_eq!((status, merged.files[0].text.as_str()), (0, stdout.as_str()), "{stderr}"),
        Err(error) => assert_eq!(status, 2, "{error}\n{stderr}"),
    }
    let twice = Loader::new().merge([&first, &first], None).expect("a file agrees with itself");
    assert!(twice.files[0].text.contains("DataFeed"));
}
