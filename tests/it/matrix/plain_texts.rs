//! Mutants of files that are not JSON: tables in CSV, and records in YAML.

use super::{Mutant, Mutation};

/// The cells of a table as they are written, row by row.
fn cells(table: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut is_quoted) = (Vec::new(), Vec::new(), String::new(), false);
    for letter in table.chars() {
        is_quoted ^= letter == '"';
        match letter {
            ',' if !is_quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !is_quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            other => cell.push(other),
        }
    }
    rows
}

fn table(rows: &[Vec<String>]) -> String {
    rows.iter().map(|row| format!("{}\n", row.join(","))).collect()
}

/// Another value of the kind of one, in the same quotes.
fn changed(value: &str) -> String {
    match value {
        "true" => "false".to_owned(),
        "false" => "true".to_owned(),
        "True" => "False".to_owned(),
        "False" => "True".to_owned(),
        number if number.parse::<f64>().is_ok() => format!("{number}1"),
        text => match text.chars().last().filter(|quote| "\"'".contains(*quote)) {
            Some(quote) => format!("{} changed{quote}", &text[..text.len() - 1]),
            None => format!("{text} changed"),
        },
    }
}

/// A table with another value in a row, another name of a column, and a row less.
pub(super) fn of_table(text: &str, shares: [&[usize]; 2]) -> Vec<Mutant> {
    let rows = cells(text);
    let mutant = |mutation, rows: &[Vec<String>], member: &str| Mutant {
        mutation,
        text: table(rows),
        place: String::new(),
        member: member.trim_end_matches('\r').to_owned(),
    };
    let values: Vec<(usize, usize)> = (1..rows.len())
        .flat_map(|row| (0..rows[row].len()).map(move |column| (row, column)))
        .filter(|(row, column)| !rows[*row][*column].trim().is_empty())
        .collect();
    let [of_values, of_names] = shares;
    let mut made = Vec::new();
    for (row, column) in of_values.iter().filter_map(|share| values.get(values.len() * share / 10)) {
        let mut mutated = rows.clone();
        mutated[*row][*column] = changed(&rows[*row][*column]);
        made.push(mutant(Mutation::Changed, &mutated, &rows[0][*column]));
    }
    for column in of_names.iter().map(|share| rows[0].len() * share / 10) {
        // The name of a column without values says nothing.
        if rows[1..].iter().all(|row| row[column].trim().is_empty()) {
            continue;
        }
        let mut mutated = rows.clone();
        mutated[0][column] = format!("{}_renamed", rows[0][column]);
        made.push(mutant(Mutation::Renamed, &mutated, &rows[0][column]));
    }
    made.push(mutant(Mutation::Removed, &rows[..rows.len() - 1], &rows[0][0]));
    made
}

/// A text in YAML with another value behind a key, another key, and without its last record.
pub(super) fn of_yaml(text: &str, shares: [&[usize]; 2]) -> Vec<Mutant> {
    let lines: Vec<&str> = text.lines().collect();
    let entry = |line: &str| {
        let (key, value) = line.split_once(": ")?;
        let is_plain = !value.starts_with(['&', '*', '|', '>', '{', '[', '#', '~', '!']);
        let key = key.trim_start_matches([' ', '-']);
        (is_plain && !key.starts_with('#') && !key.contains(' ')).then(|| (key.to_owned(), value.to_owned()))
    };
    let entries: Vec<(usize, (String, String))> =
        lines.iter().enumerate().filter_map(|(at, line)| Some((at, entry(line)?))).collect();
    let with = |at: usize, line: String| {
        let mut lines = lines.clone();
        lines[at] = &line;
        lines.join("\n") + "\n"
    };
    let mut made = Vec::new();
    let mut add = |mutation, text, at: usize, member: &str| {
        made.push(Mutant { mutation, text, place: keys_above(&lines, at), member: member.to_owned() });
    };
    let [of_values, of_names] = shares;
    for (at, (key, value)) in of_values.iter().filter_map(|share| entries.get(entries.len() * share / 10)) {
        add(Mutation::Changed, with(*at, lines[*at].replacen(value, &changed(value), 1)), *at, key);
    }
    for (at, (key, _)) in of_names.iter().filter_map(|share| entries.get(entries.len() * share / 10)) {
        add(Mutation::Renamed, with(*at, lines[*at].replacen(key, &format!("{key}_renamed"), 1)), *at, key);
    }
    if let Some(last) = lines.iter().rposition(|line| line.starts_with("  - ")) {
        add(Mutation::Removed, lines[..last].join("\n") + "\n", last, "");
    }
    made
}

/// The keys that a line stands below, as the place of a value among several of a file.
fn keys_above(lines: &[&str], at: usize) -> String {
    let depth = |line: &str| line.len() - line.trim_start_matches([' ', '-']).len();
    let (mut above, mut least) = (Vec::new(), depth(lines[at]));
    for line in lines[..at].iter().rev() {
        if let Some((key, _)) = line.split_once(':').filter(|_| depth(line) < least) {
            least = depth(line);
            above.push(key.trim_start_matches([' ', '-']));
        }
    }
    above.iter().rev().fold("/0".to_owned(), |place, key| format!("{place}/{key}"))
}
