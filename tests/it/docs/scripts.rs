//! The shell and Python blocks of the pages are run, each page's in their order on a desk of its own: a folder with a
//! checkpoint, two versions of one, a folder of them, rows, records and RDF.
//!
//! No command of the program may end with 2. Lines that cannot be run here are listed with the reason.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rayon::prelude::*;
use tempfile::TempDir;

use super::console::{OF_GIT, OF_PYTHON};
use super::page::{Block, Page, pages, root};
use crate::cli::input::run;

/// Beginnings of lines that are not run, with the reason.
const NOT_RUN: [(&str, &str); 10] = [
    ("cargo ", "builds for minutes; what the README shows, `.ci/run` runs in a clone"),
    ("docker ", "needs Docker and the network"),
    ("curl ", "needs a running server"),
    ("evalgraph serve", "runs until it is ended"),
    ("evalgraph export fuseki", "needs a server"),
    ("evalgraph export graphdb", "needs a server"),
    ("evalgraph export rdf4j", "needs a server"),
    ("evalgraph export virtuoso", "needs a server"),
    ("evalgraph export gsp", "needs a server"),
    ("EVALGRAPH_", "runs tests of the repository beside suites and programs that are not part of it"),
];

/// Options of commands that are not run, with the reason.
const NOT_RUN_WITH: [(&str, &str); 1] = [("--endpoint", "needs a server")];

/// Modules whose blocks need a running server.
const CLIENTS: [&str; 2] = ["SPARQLWrapper", "requests"];

/// Files of the desk, and the fixtures that they are.
const DESK: [(&str, &str); 19] = [
    ("checkpoint.jsonld", "karenina/p1-physics.jsonld"),
    ("ours.jsonld", "karenina/p1-physics.jsonld"),
    ("theirs.jsonld", "karenina/p1-physics.jsonld"),
    ("old.jsonld", "revisions/enzymes-2026-01.jsonld"),
    ("new.jsonld", "revisions/enzymes-2026-03.jsonld"),
    ("checkpoints/physics.jsonld", "karenina/p1-physics.jsonld"),
    ("checkpoints/astronomy.jsonld", "karenina/s1-astronomy.jsonld"),
    ("checkpoints/genomics.jsonld", "karenina/p2-genomics.jsonld"),
    ("train.json", "train/general-knowledge/train.json"),
    ("questions.csv", "train/table.csv"),
    ("questions.xlsx", "foreign/workbook.xlsx"),
    ("prompts.jsonl", "train/prompts.jsonl"),
    ("squad.jsonl", "foreign/squad-rows.jsonl"),
    ("export.json", "rlcf/export.json"),
    ("tasks.jsonl", "rlcf/tasks.jsonl"),
    ("responses.json", "rlcf/responses.json"),
    ("feedback.jsonl", "rlcf/feedback.jsonl"),
    ("users.json", "rlcf/users.json"),
    ("samples.json", "kwanzaa/each-category.json"),
];

const DATA: &str = "@prefix ex: <http://example.org/> .\nex:a a ex:Thing ; ex:size 3 .\n";
const SHAPES: &str = "@prefix ex: <http://example.org/> .\n@prefix sh: <http://www.w3.org/ns/shacl#> .\n\
    ex:ThingShape a sh:NodeShape ; sh:targetClass ex:Thing ; sh:property [ sh:path ex:size ; sh:maxInclusive 2 ] .\n";

struct Desk {
    folder: TempDir,
    /// Where the commands stand: `evalgraph` tells of what ended with 2.
    programs: TempDir,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, fixture) in DESK {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
            fs::copy(root().join("fixtures").join(fixture), path).expect("the fixture is there");
        }
        fs::write(folder.path().join("data.ttl"), DATA).expect("written");
        fs::write(folder.path().join("shapes.ttl"), SHAPES).expect("written");
        let added = ["add", "What is the SI unit of power?", "theirs.jsonld", "--answer", "The watt"];
        assert_eq!(run(folder.path(), &added).0, 0);
        let programs = tempfile::tempdir().expect("a temporary folder");
        let faults = programs.path().join("faults");
        let program = crate::program::PATH;
        let script = format!(
            "#!/bin/sh\n'{program}' \"$@\"\nstatus=$?\n[ $status -le 1 ] || echo \"status $status: evalgraph $*\" >> '{}'\nexit $status\n",
            faults.display()
        );
        let evalgraph = programs.path().join("evalgraph");
        fs::write(&evalgraph, script).expect("written");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&evalgraph, fs::Permissions::from_mode(0o755)).expect("it can be run");
        }
        Self { folder, programs }
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        let path = std::env::var("PATH").unwrap_or_default();
        Command::new(program)
            .args(arguments)
            .current_dir(self.folder.path())
            .env("PATH", format!("{}:{path}", self.programs.path().display()))
            .env("NO_COLOR", "1")
            .stdin(std::process::Stdio::null())
            .output()
            .expect("the program starts")
    }

    /// What commands of the program could not do since the last time.
    fn faults(&self) -> Option<String> {
        let path = self.programs.path().join("faults");
        let text = fs::read_to_string(&path).ok()?;
        fs::remove_file(path).expect("it can be removed");
        Some(text)
    }
}

#[test]
fn the_scripts_of_the_pages_run() {
    let pages: Vec<Page> = pages().into_iter().filter(|page| page.path != OF_GIT).collect();
    let faults: Vec<String> = pages.par_iter().flat_map_iter(faults_of).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn faults_of(page: &Page) -> Vec<String> {
    let blocks = page.blocks();
    if !blocks.iter().any(|block| matches!(block.language.as_str(), "sh" | "python")) {
        return Vec::new();
    }
    let desk = Desk::new();
    let faults = blocks.iter().filter_map(|block| {
        let fault = match block.language.as_str() {
            "sh" => fault_of_shell(&desk, block),
            "python" if !OF_PYTHON.contains(&page.path.as_str()) => fault_of_python(&desk, page, block),
            _ => None,
        };
        fault.map(|fault| format!("{}:{}: {fault}", page.path, block.line))
    });
    faults.collect()
}

fn fault_of_shell(desk: &Desk, block: &Block) -> Option<String> {
    let script = runnable(block).join("\n");
    let output = desk.run("sh", &["-c", &script]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    if let Some(faults) = desk.faults() {
        return Some(format!("{faults}{stderr}"));
    }
    let is_well = matches!(output.status.code(), Some(0 | 1)) && !stderr.contains("not found");
    (!is_well).then(|| format!("{}: {stderr}", output.status))
}

/// The lines of a block that can be run here.
fn runnable(block: &Block) -> Vec<String> {
    commands(block).into_iter().filter(|command| reason(command).is_none()).collect()
}

/// The lines of a block, those that a backslash parts put together.
fn commands(block: &Block) -> Vec<String> {
    let text = block.text().replace("\\\n", " ");
    text.lines().map(str::to_owned).collect()
}

/// Why a command is not run.
fn reason(command: &str) -> Option<&'static str> {
    let begins = NOT_RUN.iter().find(|(beginning, _)| command.trim_start().starts_with(beginning));
    let has = NOT_RUN_WITH.iter().find(|(option, _)| command.split_whitespace().any(|word| word == *option));
    begins.or(has).map(|(_, reason)| *reason)
}

#[test]
fn each_reason_for_not_running_is_needed() {
    let pages = pages();
    let commands: Vec<String> = pages
        .iter()
        .flat_map(Page::blocks)
        .filter(|block| block.language == "sh")
        .flat_map(|block| commands(&block))
        .collect();
    for (beginning, _) in NOT_RUN {
        assert!(commands.iter().any(|command| command.starts_with(beginning)), "{beginning}");
    }
}

/// The Python to run: that of `EVALGRAPH_PYTHON`, such as a virtual environment's with pandas.
fn python() -> String {
    std::env::var("EVALGRAPH_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

fn fault_of_python(desk: &Desk, page: &Page, block: &Block) -> Option<String> {
    let place = format!("{}:{}", page.path, block.line);
    let python = python();
    if Command::new(&python).arg("--version").output().is_err() {
        eprintln!("SKIPPED {place}: there is no {python}");
        return None;
    }
    let script = desk.folder.path().join("block.py");
    fs::write(&script, block.text()).expect("written");
    let parsed =
        desk.run(&python, &["-c", "import ast; ast.parse(open('block.py', encoding='utf-8').read())"]);
    if !parsed.status.success() {
        return Some(String::from_utf8_lossy(&parsed.stderr).into_owned());
    }
    for module in modules(block) {
        if CLIENTS.contains(&module.as_str()) {
            eprintln!("SKIPPED {place}: needs a running server");
            return None;
        }
        if !desk.run(&python, &["-c", &format!("import {module}")]).status.success() {
            eprintln!("SKIPPED {place}: {python} has no `{module}`");
            return None;
        }
    }
    let output = desk.run(&python, &["block.py"]);
    let is_well = output.status.success() && desk.faults().is_none();
    (!is_well).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The modules that a block imports.
fn modules(block: &Block) -> Vec<String> {
    let names = block.lines.iter().filter_map(|line| {
        let rest = line.strip_prefix("import ").or_else(|| line.strip_prefix("from "))?;
        rest.split(['.', ' ']).next()
    });
    names.map(str::to_owned).collect()
}

#[test]
fn the_readme_begins_with_the_commands_that_are_tried_in_a_clone() {
    let readme = pages().into_iter().find(|page| page.path == "README.md").expect("there is a README");
    let first = readme.blocks().into_iter().find(|block| block.language == "sh").expect("it has a script");
    let [run, test, ..] = &first.lines[..] else { panic!("two commands: {:?}", first.lines) };
    assert!(run.starts_with("cargo run "), "{run}");
    assert_eq!(test.split('#').next().map(str::trim), Some("cargo test"));
}

/// Paths of the repository that pages name are there.
#[test]
fn files_of_the_repository_that_pages_name_are_there() {
    let named = regex::Regex::new(r"`((?:packaging|fixtures|shapes|queries|tests|examples)/[\w./-]*)`")
        .expect("a pattern");
    for page in pages() {
        for found in named.captures_iter(&page.text) {
            let path: PathBuf = root().join(&found[1]);
            assert!(Path::new(&path).exists(), "{}: {}", page.path, &found[1]);
        }
    }
}
