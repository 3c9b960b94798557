//! Packaging: the scripts of the action and of the template, and the hooks' commands, are run; inputs run nothing.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use super::page::root;
use super::yaml;

const ACTION: &str = "packaging/github-action/action.yml";
const TEMPLATE: &str = "packaging/gitlab/evalgraph.gitlab-ci.yml";
const HOOKS: &str = ".pre-commit-hooks.yaml";

fn read(path: &str) -> Value {
    let text = fs::read_to_string(root().join(path)).expect("the file is there");
    yaml::read(&text).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

/// A folder with a checkpoint that conforms and one that does not.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, fixture) in [("good.jsonld", "p2-genomics.jsonld"), ("bad.jsonld", "s0-cell-biology.jsonld")] {
        fs::copy(root().join("fixtures/karenina").join(fixture), folder.path().join(name)).expect("copied");
    }
    folder
}

/// Runs a script with variables: its exit status, and what it prints.
fn bash(folder: &Path, script: &str, variables: &[(&str, &str)]) -> (i32, String) {
    let programs = Path::new(crate::program::PATH).parent().expect("a folder").display().to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("bash")
        .args(["-e", "-o", "pipefail", "-c", script])
        .current_dir(folder)
        .envs(variables.iter().copied())
        .env("PATH", format!("{programs}:{path}"))
        .output()
        .expect("there is a bash");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&text).into_owned())
}

fn steps() -> Vec<Value> {
    read(ACTION)["runs"]["steps"].as_array().expect("the action has steps").clone()
}

/// Runs the action's last step.
fn act(folder: &Path, inputs: &[(&str, &str)]) -> (i32, String) {
    let steps = steps();
    let script = steps.last().and_then(|step| step["run"].as_str()).expect("a script");
    let names = ["PATHS", "PROFILE", "SEVERITY", "BASELINE", "REPORT"];
    let given = |name: &str| inputs.iter().find(|(input, _)| *input == name).map_or("", |(_, value)| *value);
    let variables = names.map(|name| (name, given(name)));
    bash(folder, script, &variables)
}

#[test]
fn no_script_of_the_action_has_an_expression_in_it() {
    for step in steps() {
        let script = step["run"].as_str().expect("a script");
        assert!(!script.contains("${{"), "{script}");
    }
    let inputs = read(ACTION)["inputs"].as_object().expect("the action has inputs").clone();
    let variables = steps().last().map(|step| step["env"].clone()).expect("a step");
    for name in inputs.keys() {
        let expression = format!("${{{{ inputs.{name} }}}}");
        assert_eq!(variables[name.to_uppercase()], expression, "the input reaches the script by a variable");
    }
}

#[test]
fn the_action_annotates_and_reports() {
    let folder = folder();
    let path = folder.path();
    let (status, text) = act(path, &[("PATHS", "good.jsonld\n\n"), ("REPORT", "report.sarif")]);
    assert_eq!(status, 0, "{text}");
    let report = fs::read_to_string(path.join("report.sarif")).expect("a report");
    assert!(report.contains("sarif"), "{report}");
    let (status, text) = act(
        path,
        &[("PATHS", "good.jsonld\nbad.jsonld"), ("REPORT", "report.sarif"), ("SEVERITY", "violation")],
    );
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("::error file=bad.jsonld,line=177"), "{text}");
    let (status, text) =
        act(path, &[("PATHS", "*.jsonld"), ("BASELINE", "report.sarif"), ("SEVERITY", "violation")]);
    assert_eq!(status, 0, "what is known does not count: {text}");
}

#[test]
fn inputs_of_the_action_run_nothing() {
    let folder = folder();
    let hostile =
        ["$(touch pwned)", "`touch pwned`", "x; touch pwned", "x\" && touch pwned && \"", "--output=pwned"];
    for text in hostile {
        for name in ["PATHS", "PROFILE", "SEVERITY", "BASELINE", "REPORT"] {
            let good = ("PATHS", "good.jsonld");
            let inputs = if name == "PATHS" { vec![(name, text)] } else { vec![good, (name, text)] };
            act(folder.path(), &inputs);
            assert!(!folder.path().join("pwned").exists(), "{name}: {text}");
        }
    }
}

#[test]
fn the_template_of_gitlab_writes_its_report() {
    let job = &read(TEMPLATE)["evalgraph-validate"];
    let script = job["script"][0].as_str().expect("a script");
    assert!(!script.contains("$[["), "{script}");
    let report = job["artifacts"]["reports"]["codequality"].as_str().expect("a report");
    let folder = folder();
    let (status, text) = bash(folder.path(), script, &[("EVALGRAPH_PATHS", "bad.jsonld")]);
    assert_eq!((status, text.as_str()), (1, ""));
    let written = fs::read_to_string(folder.path().join(report)).expect("the report is there");
    let findings: Vec<Value> = serde_json::from_str(&written).expect("a list");
    assert!(findings.iter().any(|finding| finding["location"]["path"] == "bad.jsonld"));
    bash(folder.path(), script, &[("EVALGRAPH_PATHS", "$(touch pwned)")]);
    assert!(!folder.path().join("pwned").exists());
}

#[test]
fn the_hooks_refuse_what_is_wrong() {
    let hooks = read(HOOKS);
    let entry = |id: &str| {
        let hooks = hooks.as_array().expect("a list");
        let hook =
            hooks.iter().find(|hook| hook["id"] == id).unwrap_or_else(|| panic!("there is no hook {id}"));
        let arguments = hook["args"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let words: Vec<&str> = hook["entry"].as_str().into_iter().chain(arguments).collect();
        words.join(" ")
    };
    let folder = folder();
    let path = folder.path();
    assert_eq!(bash(path, &format!("{} good.jsonld", entry("evalgraph-validate")), &[]).0, 0);
    assert_eq!(bash(path, &format!("{} bad.jsonld", entry("evalgraph-validate")), &[]).0, 1);
    for id in ["evalgraph-validate", "evalgraph-fmt"] {
        let (status, text) = bash(path, &format!("{} --output=made.jsonld good.jsonld", entry(id)), &[]);
        assert!(status == 2 && text.contains("--output=made.jsonld"), "{id}: {text}");
        assert!(!path.join("made.jsonld").exists(), "{id}");
    }
    let read = || fs::read(path.join("good.jsonld")).expect("it is there");
    let before = read();
    let format = format!("{} good.jsonld", entry("evalgraph-fmt"));
    assert_eq!(bash(path, &format, &[]).0, 0);
    let after = read();
    assert!(before != after, "the hook lays the file out, by which pre-commit sees that something changed");
    assert_eq!(bash(path, &format, &[]).0, 0);
    assert!(after == read(), "the second commit goes through");
    assert_eq!(hooks.as_array().map(Vec::len), Some(2));
}

#[test]
fn files_of_the_debian_package_are_there() {
    let cargo = fs::read_to_string(root().join("Cargo.toml")).expect("it is there");
    let (_, package) = cargo.split_once("[package.metadata.deb]").expect("there is a package");
    let (package, _) = package.split_once("\n[").expect("it ends");
    let files = package.lines().filter_map(|line| line.trim().strip_prefix("[\"")?.split('"').next());
    let files: Vec<&str> = files.collect();
    assert!(files.len() > 3, "{files:?}");
    for file in files.into_iter().filter(|file| !file.starts_with("target/")) {
        assert!(root().join(file).is_file(), "{file}");
    }
}
