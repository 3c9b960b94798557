//! What people read is plain English: words that have to be decoded stay out of messages, help, pages and comments.

use std::path::{Path, PathBuf};

/// Words, each with what is written instead.
const WORDS: [(&str, &str); 11] = [
    ("held against", "checked against, validated against"),
    ("nobody", "a sentence about what is unknown, unused or not allowed"),
    ("whoever", "the client, the caller, the reader"),
    (" is told", "is reported, is shown; is given"),
    (" are told", "are reported, are shown; are given"),
    (" goes by", "is identified by, is named by"),
    (" go by ", "are identified by, are named by"),
    (" hears ", "receives, is notified of"),
    (" stands ", "is, appears; is used for"),
    (" by itself", "separately, only, entirely"),
    (" by themselves", "separately, only, entirely"),
];

/// Words at the beginning of a sentence that hide its subject.
const BEGINNINGS: [&str; 4] = ["Of", "Who", "Whether", "Whose"];

/// Words behind "is no" that English has there.
const AFTER_IS_NO: [&str; 5] = ["longer", "more", "less", "such", "other"];

/// The folders and files that are read, tests apart.
const READ: [&str; 8] =
    ["crates", "src", "docs", "queries", "shapes", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn texts(path: &Path, found: &mut Vec<(String, String)>) {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).expect("it can be read");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("it can be read").path()).collect();
        paths.sort();
        paths.iter().filter(|path| !path.ends_with("tests")).for_each(|path| texts(path, found));
    } else if path
        .extension()
        .is_some_and(|end| ["js", "md", "rq", "rs", "ttl"].iter().any(|one| end == *one))
    {
        let text = std::fs::read_to_string(path).expect("it is text");
        found.push((path.strip_prefix(root()).expect("it is of the project").display().to_string(), text));
    }
}

/// Returns whether a line says that something "is no" another thing. The line before can end with "there".
fn says_is_no(before: &str, line: &str) -> bool {
    let is_word = |word: &&str| word.chars().any(char::is_alphanumeric);
    let last = before.split_whitespace().last();
    let words: Vec<&str> = last.into_iter().chain(line.split_whitespace().filter(is_word)).collect();
    words.windows(3).enumerate().any(|(at, three)| {
        let is_there = at > 0 && words[at - 1].to_lowercase().ends_with("there");
        let is_no =
            ["is", "are"].iter().any(|is| three[0].trim_start_matches(['"', '(']) == *is) && three[1] == "no";
        let after = three[2].trim_matches(|letter: char| !letter.is_alphanumeric());
        is_no && !is_there && !after.is_empty() && !AFTER_IS_NO.contains(&after)
    })
}

#[test]
fn no_text_has_words_that_have_to_be_decoded() {
    let mut read = Vec::new();
    READ.iter().for_each(|path| texts(&root().join(path), &mut read));
    assert!(read.len() > 1000, "{} files", read.len());
    let mut faults = Vec::new();
    for (path, text) in &read {
        let mut before = "";
        for (number, line) in text.lines().enumerate() {
            let place = || format!("{path}:{}", number + 1);
            let small = line.to_lowercase();
            let words = WORDS.iter().filter(|(word, _)| small.contains(word));
            faults.extend(words.map(|(word, instead)| format!("{}: \"{word}\": {instead}", place())));
            let sentence = line.trim_start().trim_start_matches(['/', '!', '*', '-', '|']).trim_start();
            let is_comment = path.ends_with(".md") || line.trim_start().starts_with("//");
            let first = sentence.split(' ').next().unwrap_or_default();
            if is_comment
                && BEGINNINGS.contains(&first)
                && !sentence.contains('?')
                && !sentence.starts_with("Of course")
            {
                faults
                    .push(format!("{}: a sentence begins with \"{first}\": begin with its subject", place()));
            }
            if says_is_no(before, line) {
                faults.push(format!("{}: \"is no …\": \"is not a …\"", place()));
            }
            before = line;
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_thing_is_not_another_one() {
    assert!(
        says_is_no("", "`a` is no IRI")
            && says_is_no("", "/// keys that are no names.")
            && says_is_no("", "\"is no task\"")
    );
    for line in [
        "there is no file",
        "If there are no files",
        "it is no longer there",
        "the answer is no: it differs",
        "as they are, no more",
        "what is not a file",
    ] {
        assert!(!says_is_no("", line), "{line}");
    }
    assert!(!says_is_no("/// and there", "/// is no other way"));
}
