//! Files of every kind with a value harmed: where a message names a line and a column, the line is in the file, the
//! excerpt stands in it, and the mark is at the column. What was made of a file has no place in it.

use crate::cli::input::run;
use crate::fixture_files::{FOREIGN, OF_SHAPES};
use crate::karenina::fixtures::path;
use crate::share::one_of;
use evalgraph::diagnostic::visible;
use evalgraph::json::{Limits, TokenId, parse, parse_lines};
use std::collections::BTreeSet;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;

const VALUES: [&str; 6] = ["null", "true", "7", "\"x\"", "[]", "{\"a\": 1}"];
const CELLS: [&str; 6] = ["", "x", "\"a\nb\"", "\"[1, \"\"x\"\"\"", "日本", "7"];

/// How many places of a file are harmed; all of them for `EVALGRAPH_PLACES=all`.
fn most() -> usize {
    if std::env::var("EVALGRAPH_PLACES").is_ok_and(|asked| asked == "all") { usize::MAX } else { 2 }
}

/// The fixtures with one of the endings, by their paths.
fn fixtures(endings: &[&str]) -> Vec<String> {
    let mut files = Vec::new();
    let mut folders = vec![path("").display().to_string()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder can be read") {
            let entry = entry.expect("the folder can be read").path().display().to_string();
            if fs::metadata(&entry).is_ok_and(|found| found.is_dir()) {
                let is_apart = [OF_SHAPES, FOREIGN].iter().any(|name| entry.ends_with(name));
                folders.extend((!is_apart).then_some(entry));
            } else if endings.iter().any(|ending| entry.ends_with(ending)) {
                files.push(entry);
            }
        }
    }
    files.sort();
    files
}

/// A text with other values in it, one change a text: in places that no file had before.
fn harmed_json(name: &str, text: &str, seen: &mut BTreeSet<String>) -> Vec<String> {
    let parse = if name.ends_with(".jsonl") { parse_lines } else { parse };
    let Ok(file) = parse(name, text.to_owned(), Limits::default()) else { return Vec::new() };
    let (mut harmed, mut waiting) = (Vec::new(), vec![file.root()]);
    while let Some(container) = waiting.pop() {
        let values: Vec<TokenId> = match file.is_array(container) {
            // The last, too, so that there are lines before it.
            true => file.items(container).take(1).chain(file.items(container).last()).collect(),
            false => file.members(container).map(|member| member.value).collect(),
        };
        for value in values {
            let pointer: String = file.pointer(value).chars().filter(|c| !c.is_ascii_digit()).collect();
            if harmed.len() < most() && seen.insert(pointer) {
                let (bytes, other) = (file.bytes(value), VALUES[seen.len() % VALUES.len()]);
                harmed.push(format!("{}{other}{}", &text[..bytes.start], &text[bytes.end..]));
            }
            waiting.push(value);
        }
    }
    harmed
}

/// A table with a line before a cell that is another one, or with a column that nothing knows.
fn harmed_table(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let with = |line: usize, cell: usize, other: &str| {
        let mut cells: Vec<&str> = lines[line].trim_end_matches(['\r', '\n']).split(',').collect();
        cells.splice(cell..=cell, [other]);
        let (before, after) = (lines[..line].concat(), lines[line + 1..].concat());
        format!("{before}{}\n{after}", cells.join(","))
    };
    let mut harmed = vec![with(0, 1, "unknown"), with(0, 0, "\"né, ü\"")];
    let cells = lines.get(1).map_or(0, |line| line.split(',').count());
    let places = (1..lines.len().min(3)).flat_map(|line| (0..cells).map(move |cell| (line, cell)));
    let cells = places.filter(|&(line, cell)| lines[line].split(',').count() > cell).step_by(3);
    harmed.extend(
        cells.take(most()).enumerate().map(|(at, (line, cell))| with(line, cell, CELLS[at % CELLS.len()])),
    );
    harmed
}

/// A text of YAML with another value behind a key, another key, or a comment before all.
fn harmed_yaml(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let keyed = (0..lines.len()).filter(|&line| lines[line].contains(": ")).step_by(4).take(most());
    let mut harmed = Vec::new();
    for line in keyed {
        let (key, _) = lines[line].split_once(": ").expect("it is keyed");
        for other in
            [format!("# é\n{key}: [1, {{a: 日本}}]"), format!("{key}s: x"), format!("{key}: &a |\n  a")]
        {
            harmed.push(format!("{}\n{other}\n{}\n", lines[..line].join("\n"), lines[line + 1..].join("\n")));
        }
    }
    harmed
}

/// The text in other forms of a file: as it is, with a byte order mark and other line ends, and packed.
fn forms(name: &str, text: &str, number: usize) -> (String, Vec<u8>) {
    match number % 4 {
        0 => (name.to_owned(), format!("\u{feff}{text}").into_bytes()),
        1 => (name.to_owned(), text.replace("\r\n", "\n").replace('\n', "\r\n").into_bytes()),
        2 => {
            let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            packed.write_all(text.as_bytes()).expect("a vector takes everything");
            (format!("{name}.gz"), packed.finish().expect("a vector takes everything"))
        }
        _ => (name.to_owned(), text.as_bytes().to_vec()),
    }
}

/// Writes the texts as files, asks commands about them, and says how many places were named.
fn asked(ending: &str, texts: impl Iterator<Item = String>) -> usize {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut places = 0;
    let other = ["kwanzaa", "train", "rlcf", "nq"];
    for (number, text) in texts.enumerate().step_by(one_of(3)) {
        let (name, bytes) = forms(&format!("file{ending}"), &text, number);
        fs::write(folder.path().join(&name), bytes).expect("the folder is ours");
        let name = name.as_str();
        let columns = ["--map-column", "question=question_text"];
        for mut arguments in [
            vec!["stats", name],
            vec!["validate", name],
            vec!["convert", name, "--to", other[number % other.len()]],
            vec!["convert", name, "--to", "same"],
        ] {
            if number % 7 == 3 && [".csv", ".tsv", ".jsonl"].contains(&ending) {
                arguments.extend(columns);
            }
            let (_, stdout, stderr) = run(folder.path(), &arguments);
            let stdout = if arguments[0] == "validate" { stdout.as_str() } else { "" };
            match places_in(folder.path(), stdout, &stderr) {
                Ok(found) => places += found,
                Err(wrong) => panic!("{arguments:?}: {wrong}\n{stderr}{stdout}\n{text}"),
            }
        }
        fs::remove_file(folder.path().join(name)).expect("the folder is ours");
    }
    places
}

/// How many places are named, if all of them are in the files that they name.
fn places_in(folder: &Path, stdout: &str, stderr: &str) -> Result<usize, String> {
    let mut places = 0;
    let lines: Vec<&str> = stderr.lines().collect();
    for (at, headline) in lines.iter().enumerate() {
        let Some((file, line, column)) = place_before(headline, &[": error", ": warning", ": note"]) else {
            continue;
        };
        let source = source_line(folder, file, line).ok_or_else(|| format!("no such line: {headline}"))?;
        if column > source.chars().count() + 1 {
            return Err(format!("the line is shorter: {headline}\n{source}"));
        }
        places += 1;
        if lines.get(at + 1).is_some_and(|bar| bar.trim() == "|") {
            let (excerpt, mark) = (lines.get(at + 2), lines.get(at + 3));
            check_excerpt(&source, line, column, excerpt.copied(), mark.copied())
                .map_err(|wrong| format!("{wrong}: {headline}\n{source}"))?;
        }
    }
    for result in stdout.lines().filter(|line| line.starts_with("    ")) {
        if let Some((file, line, column)) = place_before(result.trim_start(), &[": "])
            && folder.join(file).exists()
        {
            let source = source_line(folder, file, line).ok_or_else(|| format!("no such line: {result}"))?;
            if column > source.chars().count() + 1 {
                return Err(format!("the line is shorter: {result}\n{source}"));
            }
            places += 1;
        }
    }
    Ok(places)
}

/// `FILE:LINE:COLUMN` before one of some words.
fn place_before<'l>(text: &'l str, words: &[&str]) -> Option<(&'l str, usize, usize)> {
    let place = words.iter().find_map(|word| text.split_once(word)).map(|(place, _)| place)?;
    let mut parts = place.rsplitn(3, ':');
    let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some((parts.next()?, line, column))
}

/// A line of a file, which is unpacked, without its end.
fn source_line(folder: &Path, file: &str, line: usize) -> Option<String> {
    let bytes = fs::read(folder.join(file)).ok()?;
    let mut text = String::new();
    match file.ends_with(".gz") {
        true => flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).ok()?,
        false => (&bytes[..]).read_to_string(&mut text).ok()?,
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    text.split('\n').nth(line.checked_sub(1)?).map(|line| line.trim_end_matches('\r').to_owned())
}

/// Returns whether `LINE | EXCERPT` and the mark below it are of a line of the source.
fn check_excerpt(
    source: &str,
    line: usize,
    column: usize,
    excerpt: Option<&str>,
    mark: Option<&str>,
) -> Result<(), String> {
    let (number, excerpt) = excerpt.and_then(|shown| shown.split_once(" |")).ok_or("no line is shown")?;
    if number.trim() != line.to_string() {
        return Err(format!("line {number} is shown"));
    }
    let excerpt = excerpt.strip_prefix(' ').unwrap_or(excerpt);
    let cut = |text: &str| text.trim_start_matches('…').trim_end_matches('…').to_owned();
    let shown = |text: &str| visible(&text.replace('\t', "    ")).into_owned();
    // A long line is cut, and passwords are overwritten.
    let whole = cut(excerpt.strip_suffix("...").unwrap_or(excerpt).trim_end());
    // A tab that is marked is made visible, others are blank.
    if whole.contains("***") || whole.contains('␉') {
        return Ok(());
    }
    if !shown(source).contains(&whole) {
        return Err(format!("`{whole}` does not stand there"));
    }
    let Some((before, mark)) = mark.and_then(|mark| mark.split_once('^')) else { return Ok(()) };
    let width = 1 + mark.chars().take_while(|&c| c == '^').count();
    let at = before.split_once("| ").map_or(0, |(_, blanks)| blanks.len());
    // A column of the terminal is a character only where none is wide.
    if excerpt.chars().take(at + width).all(|c| c.is_ascii() || c == '…') {
        let marked = cut(&excerpt.chars().skip(at).take(width).collect::<String>());
        let marked = marked.trim_end_matches('.').trim_end();
        let there: String = source.chars().skip(column - 1).collect();
        if !shown(&there).starts_with(marked) {
            return Err(format!("`{marked}` is marked, which does not stand at the column"));
        }
    }
    Ok(())
}

#[test]
fn places_in_json_are_those_of_the_file() {
    let mut seen = BTreeSet::new();
    let mut places = 0;
    for file in fixtures(&[".json", ".jsonl", ".jsonld"]) {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        if text.len() > 100_000 || file.contains("/hostile/") {
            continue;
        }
        let ending = &file[file.rfind('.').expect("it has an ending")..];
        places += asked(ending, harmed_json(&file, &text, &mut seen).into_iter());
    }
    assert!(places * one_of(3) > 100, "{places}");
}

#[test]
fn places_in_tables_are_those_of_the_file() {
    let mut places = 0;
    for file in fixtures(&[".csv"]) {
        let text = fs::read_to_string(&file).expect("it is text");
        places += asked(".csv", harmed_table(&text).into_iter());
        places += asked(".tsv", harmed_table(&text).iter().map(|text| text.replace(',', "\t")));
    }
    assert!(places * one_of(3) > 20, "{places}");
}

#[test]
fn places_in_yaml_are_those_of_the_file() {
    let mut places = 0;
    for file in fixtures(&[".yaml"]) {
        let text = fs::read_to_string(&file).expect("it is text");
        places += asked(".yaml", harmed_yaml(&text).into_iter());
    }
    assert!(places * one_of(3) > 10, "{places}");
}

/// The graph of a file of version 2.0 is made of JSON-LD that nobody has written.
#[test]
fn what_was_made_of_a_file_has_no_place_in_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::copy(path("karenina/v2a-mycology.json"), folder.path().join("v2.json")).expect("it is there");
    let (status, _, stderr) =
        run(folder.path(), &["convert", "v2.json", "--to", "kwanzaa", "-o", "k.json", "-v"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("v2.json: warning[convert::loss]: kwanzaa cannot hold a template"), "{stderr}");
    fs::write(folder.path().join("a.ttl"), "<urn:a> <urn:p> <urn:b> .\n").expect("the folder is ours");
    fs::write(folder.path().join("f.json"), "{\"@context\": {\"urn\": \"ex:\"}}")
        .expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &["compact", "a.ttl", "--context", "f.json"]);
    assert_eq!(status, 2);
    assert!(stderr.starts_with("a.ttl: error["), "{stderr}");
}
