//! The explanations of rules say what is true: the first text of an example is found in a good file, the second is not,
//! and the commands that are named do repair it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cli::input::run;

/// The most lines of an explanation at a terminal.
const MOST_LINES: usize = 25;

/// The longest line of an example.
const LONGEST_LINE: usize = 108;

/// The rules whose example is not a text in a file but a command, each with the reason.
const COMMANDS: [(&str, &str); 2] = [
    ("C-12", "the file that satisfies it has ten conversations"),
    ("W-26", "the files that satisfy it have forty samples"),
];

/// The data of which the example of the rule about expectations is true.
const EXPECTED: &str = "fixtures/karenina/p1-physics.jsonld";

/// A rule, as `evalgraph explain` knows it.
struct Explained(Value);

impl Explained {
    fn text(&self, pointer: &str) -> &str {
        self.0.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("{pointer} of {}", self.0))
    }

    fn id(&self) -> &str {
        self.text("/code")
    }

    fn profile(&self) -> &str {
        self.text("/example/profile")
    }

    fn place(&self) -> &str {
        self.text("/example/place")
    }

    /// The system, if its rules are those of `validate`.
    fn system(&self) -> &str {
        self.text("/area").trim_start_matches("rules of ")
    }

    /// The good file of the example.
    fn good_file(&self) -> PathBuf {
        let root = root();
        if self.place().starts_with("fixtures/") {
            return root.join(self.place());
        }
        root.join("crates/formats/src").join(self.system()).join("rules/explained").join(self.place())
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The rules of an area, as `explain --rules` shows them.
fn explained() -> Vec<Explained> {
    let (status, stdout, stderr) = run(root(), &["explain", "--rules", "--format", "json"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    serde_json::from_str::<Vec<Value>>(&stdout).expect("it is JSON").into_iter().map(Explained).collect()
}

/// A fragment of an example: a value, or members of an object.
enum Fragment {
    Value(Value),
    Members(serde_json::Map<String, Value>),
}

fn fragment(text: &str) -> Fragment {
    match serde_json::from_str(text) {
        Ok(value) => Fragment::Value(value),
        Err(_) => Fragment::Members(serde_json::from_str(&format!("{{{text}}}")).expect("members of JSON")),
    }
}

/// Puts a fragment into a document. Members that only the other fragment has are taken away.
fn put(document: &mut Value, pointer: &str, text: &str, other: &str) {
    match fragment(text) {
        Fragment::Members(members) => {
            let object = document.pointer_mut(pointer).and_then(Value::as_object_mut);
            let object = object.unwrap_or_else(|| panic!("an object is at {pointer}"));
            if let Fragment::Members(others) = fragment(other) {
                others.keys().for_each(|key| drop(object.shift_remove(key)));
            }
            object.extend(members);
        }
        Fragment::Value(value) => match document.pointer_mut(pointer) {
            Some(there) => *there = value,
            None => {
                let (parent, _) = pointer.rsplit_once('/').expect("a pointer has a slash");
                let parent = document.pointer_mut(parent).and_then(Value::as_array_mut);
                parent.unwrap_or_else(|| panic!("an array is around {pointer}")).push(value);
            }
        },
    }
}

/// Writes one of the two texts as a file or folder, and returns its name.
fn written(folder: &Path, known: &Explained, which: &str) -> String {
    let other = if which == "wrong" { "right" } else { "wrong" };
    let [text, other] = [which, other].map(|which| known.text(&format!("/example/{which}")));
    let write = |name: &str, content: &str| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("it is below the folder")).expect("the folder is ours");
        fs::write(path, content).expect("the folder is ours");
    };
    if known.place() == "files" {
        for line in text.lines() {
            let (name, content) = line.split_once("  ").expect("two spaces are behind a name");
            write(&format!("dataset/{name}"), &content.replace("<U+FEFF>", "\u{feff}"));
        }
        return "dataset".to_owned();
    }
    let name = known.place().rsplit('/').next().unwrap_or_default();
    let Some(pointer) = known.0.pointer("/example/pointer").and_then(Value::as_str) else {
        write(name, text);
        return name.to_owned();
    };
    let good = fs::read_to_string(known.good_file()).expect("the good file is there");
    let mut document: Value = serde_json::from_str(&good).expect("it is JSON");
    put(&mut document, pointer, text, other);
    write(name, &format!("{document:#}\n"));
    name.to_owned()
}

/// The rules that a run of the program finds violated.
fn found(folder: &Path, arguments: &[&str]) -> BTreeSet<String> {
    let (status, stdout, stderr) = run(folder, &[arguments, &["--format", "jsonl"]].concat());
    assert!(status < 2, "{arguments:?}: {stderr}");
    let id = |line: &str| {
        let finding: Value = serde_json::from_str(line).expect("each line is JSON");
        let id = ["sourceShape", "code"].iter().find_map(|key| finding[key].as_str());
        id.expect("a finding names its rule").to_owned()
    };
    stdout.lines().map(id).collect()
}

/// The rules that a file violates, by the profile of the example.
fn found_in(folder: &Path, known: &Explained, name: &str) -> BTreeSet<String> {
    if known.profile() == "check" {
        return found(folder, &["check", name, "--pending"]);
    }
    if known.profile() == "expect" {
        // The configuration is the example, and each threshold in it a rule.
        fs::copy(root().join(EXPECTED), folder.join("a.jsonld")).expect("the folder is ours");
        let found = found(folder, &["validate", "a.jsonld"]);
        let explained = |id: String| if id.starts_with("expect/") { known.id().to_owned() } else { id };
        return found.into_iter().map(explained).collect();
    }
    let by_profile = ["validate", name, "--profile", known.profile()];
    match known.system() {
        // Checkpoints are recognised by their marks, even with a fault.
        "karenina" => found(folder, &by_profile),
        system => found(folder, &[&by_profile[..], &["--from", system]].concat()),
    }
}

/// Runs the command of an example.
fn found_by_command(known: &Explained, which: &str) -> BTreeSet<String> {
    let text = known.text(&format!("/example/{which}"));
    let command = text.strip_prefix("$ evalgraph ").expect("it is a command");
    let arguments: Vec<&str> = command.split(' ').map(|word| word.trim_matches('\'')).collect();
    found(root(), &arguments)
}

/// The commands in a cure that repair the file of the example: the arguments of `convert FILE`, and `check FILE --fix`.
fn repairs(cure: &str) -> Vec<Vec<&str>> {
    let spans = cure.split('`').skip(1).step_by(2).filter_map(|span| span.strip_prefix("evalgraph "));
    let is_repair = |span: &&str| span.starts_with("convert FILE") || *span == "check FILE --fix";
    spans.filter(is_repair).map(|span| span.split(' ').collect()).collect()
}

/// Runs a command of a cure on a file, and returns the rules that the result violates.
fn found_after(folder: &Path, known: &Explained, name: &str, repair: &[&str]) -> BTreeSet<String> {
    let is_fix = repair.contains(&"--fix");
    let has_output = repair.contains(&"-o");
    let word = |word: &&str| match *word {
        "FILE" | "FILES" => name.to_owned(),
        "DIR" | "FIXED" => "repaired".to_owned(),
        word => word.to_owned(),
    };
    let mut arguments: Vec<String> = repair.iter().map(word).collect();
    if !is_fix && !has_output {
        arguments.extend(["-o".to_owned(), "repaired.jsonld".to_owned()]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (status, _, stderr) = run(folder, &arguments);
    assert!(status < 2, "{}: {arguments:?}: {stderr}", known.id());
    let result = match (is_fix, has_output) {
        (true, _) => name,
        (false, true) => "repaired",
        (false, false) => "repaired.jsonld",
    };
    found_in(folder, known, result)
}

/// Checks the examples of an area, and returns how many there are.
fn check_area(area: &str) -> usize {
    let mut faults = Vec::new();
    let rules: Vec<Explained> = explained().into_iter().filter(|known| known.text("/area") == area).collect();
    for known in &rules {
        let id = known.id();
        let is_command = known.place() == "command";
        assert_eq!(is_command, COMMANDS.iter().any(|(listed, _)| *listed == id), "{id}");
        let [wrong, right] = ["wrong", "right"].map(|which| {
            let folder = tempfile::tempdir().expect("a temporary folder");
            if is_command {
                return (found_by_command(known, which), folder, String::new());
            }
            let name = written(folder.path(), known, which);
            (found_in(folder.path(), known, &name), folder, name)
        });
        if !wrong.0.contains(id) {
            faults.push(format!("{id} is not found: {:?}", wrong.0));
        }
        if right.0.contains(id) {
            faults.push(format!("{id} is found in what satisfies it: {:?}", right.0));
        }
        for repair in repairs(known.text("/cure")) {
            if found_after(wrong.1.path(), known, &wrong.2, &repair).contains(id) {
                faults.push(format!("{id} is not cured by {repair:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    rules.len()
}

#[test]
fn examples_of_karenina_are_true() {
    assert_eq!(check_area("rules of karenina"), 58);
}

#[test]
fn examples_of_kwanzaa_are_true() {
    assert_eq!(check_area("rules of kwanzaa"), 45);
}

#[test]
fn examples_of_evaluation_runs_are_true() {
    let areas = ["rules of every-eval-ever", "rules of inspect", "rules of lm-eval", "rules of helm"];
    assert_eq!(areas.map(check_area), [8, 7, 5, 4]);
}

#[test]
fn examples_of_train_rlcf_and_chat_are_true() {
    assert_eq!(["rules of train", "rules of rlcf", "rules of chat"].map(check_area), [22, 21, 12]);
}

#[test]
fn examples_of_schema_org_and_croissant_are_true() {
    assert_eq!(["rules of schema.org", "rules of Croissant"].map(check_area), [24, 21]);
}

#[test]
fn the_example_of_expectations_is_true() {
    assert_eq!(check_area("rules of evalgraph.toml"), 1);
    // Each expectation has the explanation of all.
    let [one, all] = ["expect/drafts/rubric", "expect/NAME"].map(|name| run(root(), &["explain", name]));
    assert!(one == all && one.0 == 0, "{one:?}");
}

/// The words of a text that say something: those of four letters or more.
fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|character: char| !character.is_alphanumeric() && character != '_');
    words.filter(|word| word.chars().count() >= 4).map(str::to_lowercase).collect()
}

#[test]
fn each_part_says_more_than_the_title() {
    for known in explained() {
        let id = known.id();
        let title = words(known.text("/explanation"));
        for part in ["demand", "cause", "cure"] {
            let text = known.text(&format!("/{part}"));
            assert!(text.ends_with('.') && text.matches('`').count().is_multiple_of(2), "{id}: {text}");
        }
        for (part, fewest) in [("cause", 8), ("cure", 3)] {
            let words = words(known.text(&format!("/{part}")));
            let shared = words.intersection(&title).count();
            assert!(words.len() >= fewest, "the {part} of {id} is too short");
            assert!(2 * shared <= words.len(), "the {part} of {id} repeats the title");
        }
        let [wrong, right] = ["wrong", "right"].map(|which| known.text(&format!("/example/{which}")));
        assert_ne!(wrong, right, "{id}");
        let mut lines = wrong.lines().chain(right.lines());
        assert!(lines.all(|line| line.chars().count() <= LONGEST_LINE), "a line of {id} is too long");
    }
}

#[test]
fn an_explanation_fits_a_screen_and_has_all_parts() {
    let known: Vec<Explained> = explained();
    // Each call is a run of the program, so not all are made.
    for known in known.iter().step_by(5).chain(known.iter().filter(|known| known.id() == "W-25")) {
        let (status, stdout, stderr) = run(root(), &["explain", known.id()]);
        assert_eq!((status, stderr.as_str()), (0, ""));
        assert!(stdout.lines().count() <= MOST_LINES, "{stdout}");
        for label in ["  Demands: ", "  Why: ", "  Violates it", "  Satisfies it:", "  To do: "] {
            assert!(stdout.contains(label), "{label}: {stdout}");
        }
    }
    let (_, stdout, _) = run(root(), &["explain", "K-S7"]);
    let head = "K-S7 (violation; profile karenina-spec of karenina)\n\n  Rule: `ratingValue` must lie in its range.\n";
    assert!(stdout.starts_with(head), "{stdout}");
    assert!(stdout.contains("      \"ratingValue\": 6, \"bestRating\": 5, \"worstRating\": 1\n"), "{stdout}");
}

#[test]
fn the_page_of_rules_is_up_to_date() {
    let page = fs::read_to_string(root().join("docs/rules.md")).expect("there is the page");
    let (status, stdout, _) = run(root(), &["explain", "--rules", "--format", "markdown"]);
    assert_eq!(status, 0);
    assert!(page == stdout, "make it: `evalgraph explain --rules --format markdown -o docs/rules.md`");
    let (_, section, _) = run(root(), &["explain", "K-S7", "--format", "markdown"]);
    assert!(section.starts_with("# K-S7\n\n*violation; profile karenina-spec of karenina: "), "{section}");
    assert!(page.contains(&format!("\n##{section}")), "the page has the section of each rule");
}

/// The names of sections in the texts of a folder and those below it.
fn sections_below(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("it can be read") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            sections_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&path).expect("it is text");
            found.extend(text.lines().filter_map(|line| line.strip_prefix("## ")).map(str::to_owned));
        }
    }
}

#[test]
fn each_text_belongs_to_one_rule() {
    let mut sections = Vec::new();
    for folder in ["crates/formats/src", "crates/schema-org/src", "crates/engine/src"] {
        sections_below(&root().join(folder), &mut sections);
    }
    sections.sort();
    let mut rules: Vec<String> = explained().iter().map(|known| known.id().to_owned()).collect();
    rules.sort();
    assert_eq!(sections, rules);
}
