//! The console blocks of the README and of the page on servers are run: each `$ evalgraph …` prints what stands below it.
//!
//! A line of `...` stands for any lines, `[..]` in a line for any text. Lines that begin with `>`
//! continue a command, as a shell shows it. `$ cargo …` is not run.

use std::path::Path;
use std::process::Command;

/// The pages, below the root of the project.
const PAGES: [&str; 2] = ["README.md", "docs/servers.md"];

struct Session {
    page: &'static str,
    line: usize,
    command: String,
    output: Vec<String>,
}

#[test]
fn the_console_blocks_of_the_pages_hold() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut faults: Vec<String> = Vec::new();
    for page in PAGES {
        let sessions = sessions(page, root);
        let run: Vec<&Session> = sessions.iter().filter(|session| is_ours(&session.command)).collect();
        assert!(!run.is_empty(), "{page} shows the program at work");
        faults.extend(run.iter().filter_map(|session| fault(session, root)));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn is_ours(command: &str) -> bool {
    command.split(|sign: char| sign == '|' || sign.is_whitespace()).any(|word| word == "evalgraph")
}

fn sessions(page: &'static str, root: &Path) -> Vec<Session> {
    let text = std::fs::read_to_string(root.join(page)).expect("the page is there");
    let mut sessions: Vec<Session> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = !inside && line.starts_with("```console");
            continue;
        }
        if !inside {
            continue;
        }
        if let Some(command) = line.strip_prefix("$ ") {
            let command = command.to_owned();
            sessions.push(Session { page, line: number + 1, command, output: Vec::new() });
        } else if let Some(session) = sessions.last_mut() {
            continue_session(session, line);
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

/// What a session does otherwise than the README says.
fn fault(session: &Session, root: &Path) -> Option<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_evalgraph"));
    let folder = program.parent().expect("the program lies in a folder").display().to_string();
    let path = std::env::var("PATH").map_or(folder.clone(), |path| format!("{folder}:{path}"));
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("{{ {}\n}} 2>&1", session.command))
        .current_dir(root)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env_remove("COLUMNS")
        .output()
        .expect("there is a shell");
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let expected: Vec<&str> = session.output.iter().map(String::as_str).collect();
    let expected = trim_blank_end(&expected);
    let place = format!("{}:{}: `{}`", session.page, session.line, session.command);
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
