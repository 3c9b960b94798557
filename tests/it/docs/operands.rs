//! Names that a script does not choose itself come after `--`: in every script of the documentation and of the packaging.

use std::fs;

use super::page::{pages, root};

/// The files with scripts that are not pages.
const SCRIPTS: [&str; 4] = [
    ".pre-commit-hooks.yaml",
    "packaging/Dockerfile",
    "packaging/github-action/action.yml",
    "packaging/gitlab/evalgraph.gitlab-ci.yml",
];

/// The commands of a line that begin with the name of the program, each as its words.
fn commands(line: &str) -> Vec<Vec<&str>> {
    let parts = line.split("evalgraph ").skip(1);
    let end = |part: &str| part.find(['|', ';', '&', ')', '<', '>']).unwrap_or(part.len());
    parts.map(|part| part[..end(part)].split_whitespace().collect()).collect()
}

/// Returns whether a word is a name that something else fills in, from its beginning on.
fn is_filled_in(word: &str) -> bool {
    let bare = word.trim_matches(['"', '\'']);
    let is_of_git = bare.strip_prefix('%').is_some_and(|letter| ["A", "B", "O", "P"].contains(&letter));
    // A variable with more after it is a folder that the page has made.
    is_of_git || bare.starts_with('$') && !bare.starts_with("$(") && !bare.contains('/')
}

/// The words of a command that could be taken for options.
fn unprotected<'c>(command: &[&'c str], text: &str) -> Vec<&'c str> {
    let mut before = command.iter().scan("", |before, word| Some(std::mem::replace(before, word)));
    let mut is_ended = false;
    let mut found = Vec::new();
    for word in command {
        let is_value = before.next().is_some_and(|before| before.starts_with('-'));
        is_ended |= *word == "--";
        // A list in bash has its own `--`.
        let list = word.trim_matches('"').strip_prefix("${").and_then(|word| word.strip_suffix("[@]}"));
        let has_end = list.is_some_and(|list| text.contains(&format!("{list}+=(--)")));
        if is_filled_in(word) && !is_ended && !is_value && !has_end {
            found.push(*word);
        }
    }
    found
}

#[test]
fn names_that_a_script_is_given_come_after_the_end_of_options() {
    let mut texts: Vec<(String, String)> = pages().into_iter().map(|page| (page.path, page.text)).collect();
    for path in SCRIPTS {
        texts.push((path.to_owned(), fs::read_to_string(root().join(path)).expect("the file is there")));
    }
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (path, text) in &texts {
        for line in text.lines() {
            for command in commands(line) {
                count += command.iter().filter(|word| is_filled_in(word)).count();
                let unprotected = unprotected(&command, text);
                let is_fed = line.contains("xargs") && command.last() != Some(&"--");
                if !unprotected.is_empty() || is_fed {
                    wrong.push(format!("{path}: {line}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count >= 8, "the scripts are where they are looked for: {count}");
}

#[test]
fn hooks_of_pre_commit_end_their_options() {
    let hooks = fs::read_to_string(root().join(".pre-commit-hooks.yaml")).expect("the file is there");
    let page = fs::read_to_string(root().join("docs/recipes/pre-commit.md")).expect("the page is there");
    for text in [hooks, page] {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let entries = lines.iter().filter(|line| line.starts_with("entry: evalgraph")).count();
        let arguments: Vec<&&str> = lines.iter().filter(|line| line.starts_with("args:")).collect();
        assert!(entries > 0 && arguments.len() >= entries, "{text}");
        assert!(arguments.iter().all(|line| line.ends_with("--]")), "{arguments:?}");
    }
}
