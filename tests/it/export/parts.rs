//! Parts of an export as Parquet: joined, they are what one run writes, byte for byte; parts that are missing or do not belong
//! together are refused; a killed run leaves nothing that counts.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use tempfile::TempDir;

use crate::cli::input::run;

/// How many files there are, and how many parts.
const FILES: usize = 80;
const PARTS: usize = 8;

/// Files of all kinds, which share terms, triples and a named graph, and have blank nodes.
fn files() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fixture = |name: &str| {
        fs::read_to_string(format!("{}/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))).expect("it is there")
    };
    let (checkpoint, rows) = (fixture("karenina/g-ecology.jsonld"), fixture("train/support-desk.json"));
    for at in 0..FILES {
        let mut text = String::new();
        let extension = match at % 4 {
            0 => {
                text.push_str("@prefix : <urn:x:> . :all :same 1 , 1.0 , \"ä\"@de .\n");
                for other in 0..at {
                    let _ = writeln!(text, ":s{other} :p{} [ :value {at} ] , :s{at} .", other % 5);
                }
                "ttl"
            }
            1 => {
                text.push_str("<urn:x:all> <urn:x:same> <urn:x:same> <urn:shared> .\n");
                for other in 0..at {
                    let _ = writeln!(text, "<urn:x:s{other}> <urn:x:q> \"{at}\" <urn:own:{}> .", at % 3);
                    let _ = writeln!(text, "_:b{other} <urn:x:q> _:b{} .", other / 2);
                }
                "nq"
            }
            2 => {
                text = checkpoint.replace("karenina-checkpoint-", &format!("karenina-checkpoint-{at}-"));
                "jsonld"
            }
            _ => {
                text.push_str(&rows);
                "json"
            }
        };
        let inner = folder.path().join(format!("in/{}", at % 5));
        fs::create_dir_all(&inner).expect("ours");
        fs::write(inner.join(format!("file{at}.{extension}")), text).expect("ours");
    }
    folder
}

/// The content of all files below a folder, by path.
pub(super) fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("it is there") {
        let path = entry.expect("it is readable").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            files.extend(content(&path).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            files.insert(name, fs::read(&path).expect("it is readable"));
        }
    }
    files
}

fn export(folder: &Path, out: &str, arguments: &[&str]) -> (i32, String) {
    let (status, _, stderr) = run(folder, &[&["export", "parquet", out], arguments].concat());
    (status, stderr)
}

fn part(folder: &Path, number: usize) -> String {
    let (status, stderr) = export(folder, "out", &["in", "--part", &format!("{number}/{PARTS}")]);
    assert_eq!(status, 0, "{stderr}");
    stderr
}

#[test]
fn joined_parts_are_what_one_run_writes() {
    let folder = files();
    let path = folder.path();
    let own = ["--own-file", "300"];
    assert_eq!(export(path, "whole", &[&["in"][..], &own].concat()).0, 0);
    std::thread::scope(|scope| {
        for numbers in [[3, 1, 8, 5], [2, 7, 4, 6]] {
            scope.spawn(move || numbers.map(|number| part(path, number)));
        }
    });
    assert!(part(path, 3).contains("part 3 of 8 is there already"));
    let (status, stderr) = export(path, "out", &[&["--join"][..], &own].concat());
    assert_eq!(status, 0, "{stderr}");
    let (joined, whole) = (content(&path.join("out")), content(&path.join("whole")));
    assert_eq!(joined.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>());
    assert!(whole.len() > 5, "{:?}", whole.keys());
    assert!(joined == whole);
    // The whole export is not replaced by accident, and its parts are gone.
    let (status, stderr) = export(path, "out", &["in", "--part", "1/8"]);
    assert!(status != 0 && stderr.contains("export::exists"), "{stderr}");
    let (status, stderr) = export(path, "out", &["--join"]);
    assert!(status != 0 && stderr.contains("export::exists"), "{stderr}");
}

#[test]
fn parts_that_are_missing_damaged_or_of_other_files_are_refused() {
    let folder = files();
    let path = folder.path();
    let refused = |code: &str, said: &str| {
        let before = content(path);
        let (status, stderr) = export(path, "out", &["--join"]);
        assert!(status != 0 && stderr.contains(code) && stderr.contains(said), "{stderr}");
        assert!(before == content(path));
    };
    fs::create_dir(path.join("out")).expect("ours");
    refused("export::missing-parts", "has no parts");
    for number in [1, 2, 4, 6, 8] {
        part(path, number);
    }
    refused("export::missing-parts", "parts 3, 5, 7 of 8 are missing");
    for number in [3, 5, 7] {
        part(path, number);
    }
    // A file more: the parts are of different lists.
    fs::write(path.join("in/more.ttl"), "<urn:a> <urn:b> <urn:c> .").expect("ours");
    let (status, stderr) = export(path, "out", &["in", "--part", "5/8"]);
    assert!(status != 0 && stderr.contains("export::exists"), "{stderr}");
    assert_eq!(export(path, "out", &["in", "--part", "5/8", "--replace"]).0, 0);
    refused("export::other-parts", "part 5 is of another list of files than part 1");
    fs::remove_file(path.join("in/more.ttl")).expect("ours");
    assert_eq!(export(path, "out", &["in", "--part", "5/8", "--replace"]).0, 0);
    let rows = path.join("out/parts/7-of-8/rows.zst");
    let bytes = fs::read(&rows).expect("it is there");
    fs::write(&rows, &bytes[..bytes.len() / 2]).expect("ours");
    refused("export::other-parts", "part 7 of 8 is damaged");
    fs::write(&rows, &bytes).expect("ours");
    fs::create_dir(path.join("out/parts/mine")).expect("ours");
    refused("export::other-parts", "mine` is not a part of an export");
    fs::remove_dir(path.join("out/parts/mine")).expect("ours");
    assert_eq!(export(path, "out", &["--join"]).0, 0);
    assert!(!path.join("out/parts").exists());
}

#[test]
fn files_of_one_name_in_different_parts_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    for name in ["a", "b"] {
        fs::create_dir_all(path.join("in").join(name)).expect("ours");
        fs::write(path.join("in").join(name).join("data.ttl"), "<urn:a> <urn:b> [] .").expect("ours");
    }
    for number in ["1/2", "2/2"] {
        assert_eq!(export(path, "out", &["in", "--part", number]).0, 0);
    }
    let (status, stderr) = export(path, "out", &["--join"]);
    assert!(status != 0 && stderr.contains("export::same-name"), "{stderr}");
    assert!(stderr.contains("a/data.ttl` in part 1") && stderr.contains("b/data.ttl` in part 2"), "{stderr}");
    // One part gives them different names, and also the blank nodes of a graph that both have.
    for (name, text) in [("a", "_:a <urn:b> _:c <urn:g> ."), ("b", "_:a <urn:b> _:d <urn:g> .")] {
        fs::remove_file(path.join("in").join(name).join("data.ttl")).expect("ours");
        fs::write(path.join("in").join(name).join(format!("{name}.nq")), text).expect("ours");
    }
    for number in ["1/2", "2/2"] {
        assert_eq!(export(path, "nodes", &["in", "--part", number]).0, 0);
    }
    let (status, stderr) = export(path, "nodes", &["--join"]);
    assert!(status != 0 && stderr.contains("export::same-name") && stderr.contains("urn:g"), "{stderr}");
    assert_eq!(export(path, "one", &["in", "--part", "1/1"]).0, 0);
    assert_eq!(export(path, "one", &["--join"]).0, 0);
    assert_eq!(export(path, "whole", &["in"]).0, 0);
    assert!(content(&path.join("one")) == content(&path.join("whole")));
}

#[test]
fn a_killed_run_leaves_nothing_that_counts() {
    let folder = files();
    let path = folder.path();
    assert_eq!(export(path, "whole", &["in"]).0, 0);
    let command = |arguments: &[&str]| {
        let mut command = crate::program::program();
        command.args(["export", "parquet", "out"]).args(arguments);
        command.current_dir(path).stderr(Stdio::null()).stdout(Stdio::null());
        command
    };
    let begin = Instant::now();
    part(path, 1);
    let usual = begin.elapsed();
    let kills = std::env::var("EVALGRAPH_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    let mut random = StdRng::seed_from_u64(5);
    let mut killed = |arguments: &[&str]| {
        let mut running = command(arguments).spawn().expect("it starts");
        std::thread::sleep(usual.mul_f64(random.random_range(0.0..1.3)));
        // It may have ended by itself.
        let _ = running.kill();
        running.wait().expect("it is ours");
    };
    for kill in 0..kills {
        killed(&["in", "--part", &format!("{}/{PARTS}", kill % PARTS + 1)]);
    }
    for number in 1..=PARTS {
        part(path, number);
    }
    let whole = content(&path.join("whole"));
    for _ in 0..kills {
        killed(&["--join"]);
        if path.join("out/export.json").exists() {
            break;
        }
    }
    if !path.join("out/export.json").exists() {
        assert_eq!(export(path, "out", &["--join"]).0, 0);
    }
    assert!(content(&path.join("out")) == whole);
    // What killed runs have left is removed by the next one.
    assert_eq!(export(path, "out", &["in", "--replace"]).0, 0);
    assert!(content(&path.join("out")) == whole);
    let mut names: Vec<_> =
        fs::read_dir(path).expect("ours").map(|entry| entry.expect("ours").file_name()).collect();
    names.sort();
    assert_eq!(names, ["in", "out", "whole"]);
}
