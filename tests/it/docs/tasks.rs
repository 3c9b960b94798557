//! What people want to do, each by at most two commands: the pages in `tests/tasks` show it, and are run.

use std::fs;
use std::path::Path;

use rayon::prelude::*;

use super::console::{fault, sessions};
use super::page::{Page, root};

fn tasks() -> Vec<Page> {
    let folder = root().join("tests/tasks");
    let entries = fs::read_dir(folder).expect("there are tasks");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    let page = |path: &std::path::PathBuf| Page {
        path: path.strip_prefix(root()).expect("it is below the root").display().to_string(),
        text: fs::read_to_string(path).expect("a page is UTF-8"),
    };
    paths.iter().filter(|path| !path.ends_with("README.md")).map(page).collect()
}

fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder of ours");
    for entry in fs::read_dir(from).expect("it can be read") {
        let (from, to) =
            entry.map(|entry| (entry.path(), to.join(entry.file_name()))).expect("it can be read");
        if from.is_dir() {
            copied(&from, &to);
        } else {
            fs::copy(&from, &to).expect("a file of ours");
        }
    }
}

/// Copies the folders of fixtures that a task names.
fn copy_fixtures(task: &Page, to: &Path) {
    for entry in fs::read_dir(root().join("fixtures")).expect("it can be read") {
        let from = entry.expect("it can be read").path();
        let name = from.file_name().expect("it has a name").to_string_lossy();
        let path = format!("fixtures/{name}");
        if from.is_dir() && task.text.contains(&path) {
            copied(&from, &to.join(path));
        }
    }
}

#[test]
fn tasks_are_done_by_two_commands_at_most() {
    let tasks = tasks();
    assert!(tasks.len() >= 25, "{} tasks", tasks.len());
    let faults: Vec<String> = tasks
        .par_iter()
        .flat_map(|task| {
            let commands = sessions(task);
            assert!((1..=2).contains(&commands.len()), "{}: {} commands", task.path, commands.len());
            let folder = tempfile::tempdir().expect("a temporary folder");
            copy_fixtures(task, folder.path());
            commands.iter().filter_map(|command| fault(command, folder.path())).collect::<Vec<_>>()
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
