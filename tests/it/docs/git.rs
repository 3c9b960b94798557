//! The recipes for git: the page is gone through from top to bottom in a repository with two versions of a checkpoint.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::console::{OF_GIT, fault, sessions};
use super::page::{Page, page_at, root};
use crate::cli::input::run;

fn git_is_there() -> bool {
    let is_there = Command::new("git").arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        eprintln!("SKIPPED the recipes for git: there is no git");
    }
    is_there
}

/// Runs a script in a repository: its exit status, stdout and stderr.
fn shell(folder: &Path, script: &str) -> (i32, String, String) {
    let programs = Path::new(crate::program::PATH).parent().expect("a folder").display().to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", script])
        .current_dir(folder)
        .env("PATH", format!("{programs}:{path}"))
        .env("NO_COLOR", "1")
        .output()
        .expect("there is a shell");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

fn well(folder: &Path, script: &str) -> String {
    let (status, stdout, stderr) = shell(folder, script);
    assert_eq!(status, 0, "{script}\n{stdout}{stderr}");
    stdout
}

fn copy(fixture: &str, folder: &Path, name: &str) {
    fs::copy(root().join("fixtures").join(fixture), folder.join(name)).expect("the fixture is there");
}

/// A repository with a committed checkpoint, and a later version of it in the working tree.
fn repository() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    copy("revisions/enzymes-2026-01.jsonld", path, "enzymes.jsonld");
    copy("karenina/p2-genomics.jsonld", path, "other.jsonld");
    well(
        path,
        "git init --quiet --initial-branch=main . && git config user.name Curator && git config user.email c@example.org
        git config core.pager cat && git add . && git commit --quiet -m 'Add the enzymes'",
    );
    copy("revisions/enzymes-2026-03.jsonld", path, "enzymes.jsonld");
    folder
}

fn the_page() -> Page {
    page_at(OF_GIT)
}

/// The script of the page that has a text.
fn script_with(text: &str) -> String {
    let blocks = the_page().blocks().into_iter().filter(|block| block.language == "sh");
    let mut found = blocks.map(|block| block.text()).filter(|script| script.contains(text));
    found.next().expect("the page has the script")
}

#[test]
fn every_script_of_the_page_is_run_by_a_test() {
    let known = ["diff.evalgraph.command", "difftool.evalgraph", "git show :2:", ".git/hooks/pre-commit"];
    let scripts = the_page().blocks().into_iter().filter(|block| block.language == "sh");
    for script in scripts.map(|block| block.text()) {
        assert!(known.iter().any(|text| script.contains(text)), "{script}");
    }
}

#[test]
fn git_diff_shows_what_the_page_shows() {
    if !git_is_there() {
        return;
    }
    let folder = repository();
    well(folder.path(), &script_with("diff.evalgraph.command"));
    let sessions = sessions(&the_page());
    assert!(sessions.len() > 4);
    let faults: Vec<String> = sessions.iter().filter_map(|session| fault(session, folder.path())).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn git_diff_goes_on_over_files_that_are_added_removed_and_broken() {
    if !git_is_there() {
        return;
    }
    let folder = repository();
    let path = folder.path();
    well(path, &script_with("diff.evalgraph.command"));
    copy("karenina/s1-astronomy.jsonld", path, "added.jsonld");
    well(path, "git rm --quiet --cached other.jsonld && git add added.jsonld enzymes.jsonld");
    let text = well(path, "git diff --cached");
    for name in ["added.jsonld", "enzymes.jsonld", "other.jsonld"] {
        assert!(text.lines().any(|line| line == name), "{text}");
    }
    // A file that cannot be read stops the driver, and its text is shown without it.
    copy("broken/missing-comma.jsonld", path, "enzymes.jsonld");
    let (status, _, stderr) = shell(path, "git diff");
    assert!(status != 0 && stderr.contains("error[json::syntax]"), "{stderr}");
    assert!(well(path, "git diff --no-ext-diff").contains("+  \"version\": \"0.1.0\""));
}

/// A name in a repository that is an option for a program which takes it for one.
#[test]
fn a_name_that_looks_like_an_option_writes_no_file() {
    if !git_is_there() {
        return;
    }
    let folder = repository();
    let path = folder.path();
    let precious = path.join("precious");
    fs::create_dir(&precious).expect("the folder is ours");
    let victim = precious.join("work.jsonld");
    let hostile = format!("--output={}", victim.display());
    let below = path.join(&hostile);
    fs::create_dir_all(below.parent().expect("it is in a folder")).expect("the folder is ours");
    for script in ["diff.evalgraph.command", "difftool.evalgraph"] {
        well(path, &script_with(script));
    }
    // Without an input, a command works on the store of the repository.
    assert_eq!(run(path, &["init"]).0, 0);
    assert_eq!(run(path, &["load", "other.jsonld"]).0, 0);
    copy("revisions/enzymes-2026-01.jsonld", path, &hostile);
    well(path, "git add --force . && git commit --quiet -m hostile");
    copy("revisions/enzymes-2026-03.jsonld", path, &hostile);
    fs::write(&victim, "mine\n").expect("the folder is ours");
    for command in [
        "git diff",
        "git diff --no-ext-diff",
        "git diff --cached HEAD~1",
        "git log -p",
        "git blame -- './NAME'",
        "git difftool -y -t evalgraph HEAD",
        "git show HEAD",
    ] {
        let (_, stdout, stderr) = shell(path, &command.replace("NAME", &hostile));
        assert!(!stdout.is_empty(), "{command}: {stderr}");
        assert_eq!(fs::read_to_string(&victim).expect("it is there"), "mine\n", "{command}");
    }
    let (_, stdout, _) = shell(path, "git diff");
    assert!(stdout.contains("\"0.2.0\""), "the file is compared: {stdout}");
}

#[test]
fn git_difftool_compares_questions() {
    if !git_is_there() {
        return;
    }
    let folder = repository();
    well(folder.path(), &script_with("difftool.evalgraph"));
    let (_, stdout, stderr) = shell(folder.path(), "git difftool -y -t evalgraph HEAD");
    assert!(stdout.starts_with("checkpoint\n  version\n"), "{stdout}{stderr}");
}

/// Two branches that each add a question, or change one.
fn branches(folder: &Path, left: &[&str], right: &[&str]) {
    well(folder, "git checkout --quiet -b side");
    assert_eq!(run(folder, left).0, 0);
    well(folder, "git commit --quiet --all -m left && git checkout --quiet main");
    assert_eq!(run(folder, right).0, 0);
    well(folder, "git commit --quiet --all -m right");
}

#[test]
fn a_conflict_of_git_merge_is_resolved_by_question() {
    if !git_is_there() {
        return;
    }
    let folder = repository();
    let path = folder.path();
    let add = |question| ["add", question, "other.jsonld", "--answer", "It is known"];
    branches(path, &add("What is a codon?"), &add("What is an exon?"));
    let (status, stdout, stderr) = shell(path, "git merge --quiet -m both side");
    assert_eq!(status, 1, "{stdout}{stderr}");
    well(path, &script_with("git show :2:"));
    let merged = fs::read_to_string(path.join("other.jsonld")).expect("it is there");
    assert!(merged.contains("What is a codon?") && merged.contains("What is an exon?"));
    assert!(!merged.contains("<<<<"), "{merged}");
}

#[test]
fn changes_of_different_questions_are_both_in_the_result() {
    if !git_is_there() {
        return;
    }
    let folder = repository();
    let path = folder.path();
    copy("karenina/p1-physics.jsonld", path, "other.jsonld");
    well(path, "git add . && git commit --quiet -m physics");
    let set = |question, answer| ["set", question, "other.jsonld", "--answer", answer];
    let left = set("What is the SI unit of electric charge?", "The ampere second");
    branches(path, &left, &set("What is the half-life of carbon-14?", "Some time"));
    // Both sides have changed the date of the checkpoint.
    assert_eq!(shell(path, "git merge --quiet -m both side").0, 1);
    well(path, &script_with("git show :2:"));
    let merged = fs::read_to_string(path.join("other.jsonld")).expect("it is there");
    assert!(merged.contains("The ampere second") && merged.contains("Some time"), "{merged}");
}

#[test]
fn the_hook_refuses_a_commit_that_breaks_a_rule() {
    if !git_is_there() {
        return;
    }
    let folder = repository();
    let path = folder.path();
    well(path, &script_with(".git/hooks/pre-commit"));
    well(path, "git commit --quiet --all -m later");
    copy("karenina/s0-cell-biology.jsonld", path, "bad.jsonld");
    let (status, stdout, stderr) = shell(path, "git add bad.jsonld && git commit --quiet -m bad");
    assert!(status != 0 && (stdout + &stderr).contains("does not conform"));
    well(path, "git commit --quiet --no-verify -m bad");
}
