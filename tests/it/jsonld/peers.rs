//! Other JSON-LD processors as oracles: jsonld.js and PyLD, from their registries into `target/`.
//! The tests that ask them are ignored unless asked for; then they have to be had.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program that answers a file of cases with a list of JSON values; an error is a string.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Script {
    /// The file it is written to.
    pub(crate) name: &'static str,
    /// Its text.
    pub(crate) text: &'static str,
}

/// The answers of jsonld.js to cases.
pub(crate) fn ask_jsonld_js(script: Script, cases: Vec<Value>) -> Result<Vec<Value>, String> {
    let folder = folder("jsonld-js");
    if !folder.join("node_modules/jsonld").is_dir() {
        let install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries", "0"];
        run(Command::new("npm").args(install).args(["--prefix", ".", "jsonld@9.0.0"]).current_dir(&folder))?;
    }
    ask(&folder, "node", script, cases)
}

/// The answers of PyLD to cases.
pub(crate) fn ask_pyld(script: Script, cases: Vec<Value>) -> Result<Vec<Value>, String> {
    let folder = folder("pyld");
    if !folder.join("pyld").is_dir() {
        let install = ["-m", "pip", "install", "--quiet", "--retries", "0", "--target", ".", "PyLD==2.0.4"];
        run(Command::new("python3").args(install).current_dir(&folder))?;
    }
    ask(&folder, "python3", script, cases)
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target").join(name);
    std::fs::create_dir_all(&folder).expect("target is ours");
    folder
}

fn run(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("`{program}` does not start: {error}"))?;
    if output.status.success() {
        return String::from_utf8(output.stdout).map_err(|error| error.to_string());
    }
    Err(format!("`{program}` ends with {}: {}", output.status, String::from_utf8_lossy(&output.stderr)))
}

fn ask(folder: &Path, program: &str, script: Script, cases: Vec<Value>) -> Result<Vec<Value>, String> {
    let path = folder.join(script.name).with_extension("json");
    std::fs::write(&path, Value::from(cases).to_string()).map_err(|error| error.to_string())?;
    std::fs::write(folder.join(script.name), script.text).map_err(|error| error.to_string())?;
    let answers = run(Command::new(program).arg(script.name).arg(&path).current_dir(folder))?;
    serde_json::from_str(&answers).map_err(|error| error.to_string())
}

/// Where two values differ.
pub(crate) fn differ(path: &str, ours: &Value, theirs: &Value, found: &mut Vec<String>) {
    match (ours, theirs) {
        (Value::Object(left), Value::Object(right)) => {
            for key in left.keys().chain(right.keys().filter(|key| !left.contains_key(*key))) {
                match (left.get(key), right.get(key)) {
                    (Some(left), Some(right)) => differ(&format!("{path}/{key}"), left, right, found),
                    (left, right) => found.push(format!("{path}/{key}: {left:?} <> {right:?}")),
                }
            }
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (left, right) in left.iter().zip(right) {
                differ(&format!("{path}[]"), left, right, found);
            }
        }
        (Value::Number(left), Value::Number(right)) if left.as_f64() == right.as_f64() => {}
        _ if ours == theirs => {}
        _ => found.push(format!("{path}: {ours} <> {theirs}")),
    }
}
