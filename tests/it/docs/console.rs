//! The console blocks of the README and of the book are run: each `$ evalgraph …` prints what stands below it.
//!
//! A line of `...` stands for any lines, `[..]` in a line for any text. Lines that begin with `>`
//! continue a command, as a shell shows it. Commands without `evalgraph` are not run.

use std::path::Path;
use std::process::Command;

use rayon::prelude::*;

use super::page::{Page, page_at, pages, root};

/// The page whose sessions are in a repository of git, which `git.rs` makes.
pub(super) const OF_GIT: &str = "docs/recipes/git.md";
/// The pages whose blocks of Python need the Python package; `tests/python/run` runs them with it.
pub(super) const OF_PYTHON: [&str; 6] = [
    "README.md",
    "docs/guides/python.md",
    "docs/recipes/hugging-face.md",
    "docs/recipes/jupyter.md",
    "docs/recipes/pandas.md",
    "docs/recipes/polars-duckdb.md",
];

pub(super) struct Session {
    place: String,
    pub(super) command: String,
    output: Vec<String>,
}

#[test]
fn the_console_blocks_of_the_pages_hold() {
    let root = root();
    let sessions: Vec<Session> =
        pages().iter().filter(|page| page.path != OF_GIT).flat_map(sessions).collect();
    let run: Vec<&Session> = sessions.iter().filter(|session| is_ours(&session.command)).collect();
    assert!(run.len() > 40, "the pages show the program at work");
    let faults: Vec<String> = run.par_iter().filter_map(|session| fault(session, &root)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_readme_shows_the_program_at_work() {
    assert!(sessions(&page_at("README.md")).iter().any(|session| is_ours(&session.command)));
}

fn is_ours(command: &str) -> bool {
    command.split(|sign: char| sign == '|' || sign.is_whitespace()).any(|word| word == "evalgraph")
}

/// The commands of a page's console blocks with what stands below each.
pub(super) fn sessions(page: &Page) -> Vec<Session> {
    let mut sessions: Vec<Session> = Vec::new();
    for block in page.blocks().iter().filter(|block| block.language == "console") {
        let begins = block.lines.first().is_some_and(|line| line.starts_with("$ "));
        assert!(begins, "{}:{}: a session begins with a command", page.path, block.line);
        for (number, line) in block.lines.iter().enumerate() {
            if let Some(command) = line.strip_prefix("$ ") {
                let place = format!("{}:{}", page.path, block.line + number);
                sessions.push(Session { place, command: command.to_owned(), output: Vec::new() });
            } else if let Some(session) = sessions.last_mut() {
                continue_session(session, line);
            }
        }
    }
    sessions
}

fn continue_session(session: &mut Session, line: &str) {
    if let (true, Some(continuation)) = (session.output.is_empty(), line.strip_prefix("> ")) {
        session.command.push('\n');
        session.command.push_str(continuation);
    } else {
        session.output.push(line.trim_end().to_owned());
    }
}

/// Says what a session does otherwise than its page.
pub(super) fn fault(session: &Session, folder: &Path) -> Option<String> {
    let program = Path::new(crate::program::PATH);
    let programs = program.parent().expect("the program lies in a folder").display().to_string();
    let path = std::env::var("PATH").map_or(programs.clone(), |path| format!("{programs}:{path}"));
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("{{ {}\n}} 2>&1", session.command))
        .current_dir(folder)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env_remove("COLUMNS")
        .output()
        .expect("there is a shell");
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let expected: Vec<&str> = session.output.iter().map(String::as_str).collect();
    let expected = trim_blank_end(&expected);
    let place = format!("{}: `{}`", session.place, session.command);
    if !output.status.success() {
        return Some(format!("{place} ends with {}:\n{text}", output.status));
    }
    (!lines_match(expected, trim_blank_end(&lines))).then(|| format!("{place} prints\n{text}"))
}

fn trim_blank_end<'a, 'b>(lines: &'a [&'b str]) -> &'a [&'b str] {
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |at| at + 1);
    &lines[..end]
}

fn lines_match(expected: &[&str], lines: &[&str]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((&"...", rest)) => (0..=lines.len()).any(|skipped| lines_match(rest, &lines[skipped..])),
        Some((first, rest)) => lines
            .split_first()
            .is_some_and(|(line, others)| line_matches(first, line) && lines_match(rest, others)),
    }
}

fn line_matches(expected: &str, line: &str) -> bool {
    let Some((before, after)) = expected.split_once("[..]") else { return expected == line };
    line.strip_prefix(before).is_some_and(|rest| {
        rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| line_matches(after, &rest[at..]))
    })
}

#[test]
fn patterns_match_lines_and_parts_of_lines() {
    assert!(lines_match(&["a", "...", "z [..] end"], &["a", "b", "c", "z 12 ms end"]));
    assert!(!lines_match(&["a", "...", "z"], &["a", "b"]));
    assert!(!lines_match(&["a"], &["a", "b"]));
}
