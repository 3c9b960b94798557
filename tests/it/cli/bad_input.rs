//! The folder of bad inputs: each row of its tables holds, and the full text of each message is
//! pinned.

use crate::beside::shared;
use std::collections::BTreeSet;
use std::path::Path;

/// More lines than this are not read.
const MOST_LINES: usize = 15;

/// What a table says about an input.
struct Row {
    name: String,
    arguments: Vec<String>,
    /// Line and column.
    place: Option<(u64, u64)>,
    exit: i32,
    /// Any of these.
    codes: Vec<String>,
}

/// One message, as stderr shows it.
struct Message<'s> {
    place: Option<(u64, u64)>,
    code: &'s str,
    lines: usize,
}

#[test]
#[ignore = "needs ../shared/bad-input"]
fn every_bad_file_is_answered_as_its_row_says() {
    let folder = shared("bad-input");
    let table = std::fs::read_to_string(folder.join("expected.tsv")).expect("the table is readable");
    let mut complaints = Vec::new();
    for line in table.lines().skip(1) {
        let row = file_row(line);
        let arguments: Vec<&str> =
            ["stats", &row.name].into_iter().chain(row.arguments.iter().map(String::as_str)).collect();
        let input = std::fs::read(folder.join(&row.name)).expect("the file of a row is there");
        let input = String::from_utf8_lossy(&input).into_owned();
        complaints.extend(judge(&row, &folder, &arguments, &input));
        if row.exit == 0 && row.place.is_some() {
            let strictly: Vec<&str> = arguments.iter().copied().chain(["--strict"]).collect();
            let (exit, _) = run(&folder, &strictly);
            if exit != Some(2) {
                complaints.push(format!("{}: exit {exit:?} with --strict", row.name));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
#[ignore = "needs ../shared/bad-input"]
fn every_bad_query_is_answered_as_its_row_says() {
    let folder = shared("bad-input");
    let table = std::fs::read_to_string(folder.join("queries.tsv")).expect("the table is readable");
    let rows: Vec<&str> = table.lines().skip(1).collect();
    let mut complaints = Vec::new();
    for (number, line) in rows.iter().enumerate() {
        let cells: Vec<&str> = line.split('\t').collect();
        let query = cells[3].replace("\\n", "\n");
        let row = Row {
            name: cells[0].to_owned(),
            arguments: Vec::new(),
            place: place(cells[1]),
            // The last row is a warning.
            exit: if number + 1 == rows.len() { 0 } else { 2 },
            codes: Vec::new(),
        };
        complaints.extend(judge(&row, &folder, &["query", "sums.jsonld", "-q", &query], &query));
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

fn file_row(line: &str) -> Row {
    let cells: Vec<&str> = line.split('\t').collect();
    Row {
        name: cells[0].to_owned(),
        arguments: cells[1].split_whitespace().map(str::to_owned).collect(),
        place: place(cells[2]),
        exit: cells[3].parse().expect("an exit status"),
        codes: cells[4].split(" or ").filter(|code| !code.is_empty()).map(str::to_owned).collect(),
    }
}

fn place(cell: &str) -> Option<(u64, u64)> {
    let (line, column) = cell.split_once(':')?;
    Some((line.parse().ok()?, column.parse().ok()?))
}

fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = crate::program::program()
        .current_dir(folder)
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .expect("the program starts");
    (output.status.code(), String::from_utf8(output.stderr).expect("the program speaks UTF-8"))
}

/// What is wrong with an answer, and pins its text.
fn judge(row: &Row, folder: &Path, arguments: &[&str], input: &str) -> Vec<String> {
    let (exit, stderr) = run(folder, arguments);
    let mut wrong = Vec::new();
    if exit != Some(row.exit) {
        wrong.push(format!("exit {exit:?}, expected {}", row.exit));
    }
    let messages = messages(&stderr);
    if let Some(long) = messages.iter().find(|message| message.lines > MOST_LINES) {
        wrong.push(format!("a message of {} lines", long.lines));
    }
    let fits = |message: &Message<'_>| {
        place_fits(row.place, message.place)
            && (row.codes.is_empty() || row.codes.iter().any(|code| code_fits(code, message.code)))
    };
    let asks_for_a_message = row.exit != 0 || row.place.is_some();
    if asks_for_a_message && !messages.iter().any(fits) {
        wrong.push(format!("no message with {:?} at {:?}", row.codes, row.place));
    }
    if let Some((line, _)) = row.place
        && !stderr.lines().any(|shown| shown.trim_start().starts_with(&format!("{line} |")))
    {
        wrong.push(format!("line {line} is not shown"));
    }
    for name in own_types() {
        if stderr.contains(&name) && !input.contains(&name) {
            wrong.push(format!("the name of the type `{name}`"));
        }
    }
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(format!("bad_input_{}", row.name), stderr);
    });
    wrong.into_iter().map(|wrong| format!("{}: {wrong}\n{stderr}", row.name)).collect()
}

/// One column off at the edge of a token is fine, another line is not.
fn place_fits(expected: Option<(u64, u64)>, place: Option<(u64, u64)>) -> bool {
    match (expected, place) {
        (None, _) => true,
        (Some((line, column)), Some((found_line, found_column))) => {
            line == found_line && column.abs_diff(found_column) <= 1
        }
        (Some(_), None) => false,
    }
}

/// `json` stands for any code of ours for broken JSON.
fn code_fits(expected: &str, code: &str) -> bool {
    if expected == "json" { code.starts_with("json::") } else { code == expected }
}

/// The messages of stderr: each begins with `PLACE: error[CODE]: …`, `error[CODE]: …` or the same
/// with `warning`, and goes on until the next.
fn messages(stderr: &str) -> Vec<Message<'_>> {
    let mut messages: Vec<Message<'_>> = Vec::new();
    for line in stderr.lines() {
        match headline(line) {
            Some((place, code)) => messages.push(Message { place, code, lines: 1 }),
            None => {
                if let Some(message) = messages.last_mut() {
                    message.lines += 1;
                }
            }
        }
    }
    messages
}

fn headline(line: &str) -> Option<(Option<(u64, u64)>, &str)> {
    let (before, after) =
        ["error[", "warning[", "note["].into_iter().find_map(|word| line.split_once(word))?;
    let code = after.split_once(']')?.0;
    let mut parts = before.trim_end().trim_end_matches(':').rsplit(':');
    let column = parts.next().and_then(|part| part.parse().ok());
    let line = parts.next().and_then(|part| part.parse().ok());
    Some((line.zip(column), code))
}

/// The names of the program's types that no message should show. One word alone is English.
fn own_types() -> BTreeSet<String> {
    let mut types = BTreeSet::new();
    let mut folders =
        ["src", "crates"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("src is readable") {
            let path = entry.expect("src is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let source = std::fs::read_to_string(path).expect("source is text");
                types.extend(defined_types(&source));
            }
        }
    }
    types
}

fn defined_types(source: &str) -> Vec<String> {
    let words: Vec<&str> = source.split(|character: char| !character.is_alphanumeric()).collect();
    words
        .windows(2)
        .filter(|pair| ["struct", "enum", "trait"].contains(&pair[0]))
        .map(|pair| pair[1])
        .filter(|name| name.chars().filter(|character| character.is_uppercase()).count() > 1)
        .map(str::to_owned)
        .collect()
}

#[test]
fn headlines_are_read_with_and_without_a_place() {
    assert_eq!(headline("a.json:3:14: error[json::number]: what"), Some((Some((3, 14)), "json::number")));
    assert_eq!(headline("error[input::missing]: `a: b` is not there"), Some((None, "input::missing")));
    assert_eq!(headline("a.json:3:14: note: the first one"), None);
}
