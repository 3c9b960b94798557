//! Files that are added to an export as Parquet: the folder is byte for byte what one run over all files writes, whether files are
//! new or replace earlier ones; what cannot be added changes nothing; a killed run leaves the old export or the new one.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use evalgraph::{FolderChange, Loader, ParquetExport};
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{Rng, SeedableRng};
use tempfile::TempDir;

use super::parts::content;
use crate::cli::input::run;

/// Files of all systems, and some with named graphs, blank nodes and unusual texts. Several have the same name.
const FIXTURES: [&str; 8] = [
    "karenina/g-ecology.jsonld",
    "karenina/p2-genomics.jsonld",
    "karenina/s0-cell-biology.jsonld",
    "train/support-desk.json",
    "train/awkward-rows.json",
    "rlcf/worked/export.json",
    "kwanzaa/each-category.json",
    "verification/results-today.json",
];

const OWN: [(&str, &str); 6] = [
    (
        "a/data.ttl",
        "@prefix : <urn:x:> . :a :p 1 , 01 , \"a \\\"b\\\" \\\\ \\n\\r\\t\\u0001\\u007F é 😀\"@de-AT , [ :p [] ] ; :same :a .",
    ),
    (
        "b/data.ttl",
        "@prefix : <urn:x:> . :a :p 1 , 1.5e0 , \"x\"^^:own , \"\" ; :same :a ; :next [ :next :a ] .",
    ),
    (
        "c/graphs.nq",
        "<urn:x:a> <urn:x:p> _:b <urn:g> .\n_:b <urn:x:p> _:c <urn:g> .\n<urn:x:a> <urn:x:p> _:c .\n<urn:x:a> <urn:x:p> \"c\" <urn:h> .",
    ),
    (
        "d/graphs.nq",
        "<urn:x:a> <urn:x:p> _:b <urn:g> .\n<urn:x:a> <urn:x:p> \"c\" <urn:h> .\n_:b <urn:x:next> _:d _:e .",
    ),
    ("e/only.nq", "<urn:x:e> <urn:x:p> _:b <urn:inside> .\n_:b <urn:x:next> _:d _:inside ."),
    ("f/empty.ttl", "# nothing"),
];

/// A folder with all files, and their names.
fn files() -> (TempDir, Vec<String>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut names = Vec::new();
    let mut write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("ours");
        fs::write(path, bytes).expect("ours");
        names.push(name.to_owned());
    };
    for name in FIXTURES {
        let path = format!("{}/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
        write(name, &fs::read(path).expect("it is there"));
    }
    for (name, text) in OWN {
        write(name, text.as_bytes());
    }
    (folder, names)
}

/// Writes an export, and returns the status and what was said.
fn export(folder: &Path, out: &str, arguments: &[&str], files: &[String]) -> (i32, String) {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let (status, _, stderr) = run(folder, &[&["export", "parquet", out], arguments, &files].concat());
    (status, stderr)
}

fn exported(folder: &Path, out: &str, arguments: &[&str], files: &[String]) -> BTreeMap<String, Vec<u8>> {
    let (status, stderr) = export(folder, out, arguments, files);
    assert_eq!(status, 0, "{stderr}");
    content(&folder.join(out))
}

fn assert_same(one: &BTreeMap<String, Vec<u8>>, other: &BTreeMap<String, Vec<u8>>) {
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in one {
        assert!(bytes == &other[name], "{name} differs");
    }
}

const OPTIONS: [&[&str]; 3] = [
    &[],
    &["--own-file", "1", "--closure", "urn:x:next", "--closure", "urn:x:same"],
    &["--tables", "--own-file", "40"],
];

#[test]
fn added_files_give_what_one_run_writes() {
    let (folder, names) = files();
    let path = folder.path();
    let mut random = StdRng::seed_from_u64(11);
    for options in OPTIONS {
        let mut names = names.clone();
        names.shuffle(&mut random);
        let whole = exported(path, "whole", &[options, &["--replace"]].concat(), &names);
        let first = random.random_range(1..4);
        exported(path, "steps", &[options, &["--replace"]].concat(), &names[..first]);
        let mut rest = &names[first..];
        while !rest.is_empty() {
            let (next, after) = rest.split_at(random.random_range(1..5).min(rest.len()));
            exported(path, "steps", &["--append"], next);
            rest = after;
        }
        assert_same(&content(&path.join("steps")), &whole);
    }
}

#[test]
fn replaced_files_give_what_one_run_writes() {
    let (folder, mut names) = files();
    let path = folder.path();
    // These share a graph, whose quads cannot be told apart.
    names.retain(|name| name != "d/graphs.nq");
    for options in OPTIONS {
        for (name, text) in OWN {
            fs::write(path.join(name), text).expect("ours");
        }
        exported(path, "steps", &[options, &["--replace"]].concat(), &names);
        let before = content(&path.join("steps"));
        let checkpoint = fs::read_to_string(path.join(FIXTURES[0])).expect("ours");
        fs::write(path.join(FIXTURES[0]), checkpoint.replace(" the ", " a ")).expect("ours");
        fs::write(path.join("a/data.ttl"), "<urn:x:a> <urn:x:p> [] .").expect("ours");
        fs::write(path.join("c/graphs.nq"), "<urn:x:a> <urn:x:p> _:z <urn:other> .").expect("ours");
        fs::write(path.join("e/only.nq"), "<urn:x:e> <urn:x:next> _:z .").expect("ours");
        fs::write(path.join("f/empty.ttl"), "<urn:x:e> <urn:x:next> <urn:x:f> .").expect("ours");
        let changed =
            [FIXTURES[0], "a/data.ttl", "c/graphs.nq", "e/only.nq", "f/empty.ttl"].map(str::to_owned);
        let steps = exported(path, "steps", &["--update"], &changed);
        assert!(before != steps);
        assert_same(&steps, &exported(path, "whole", &[options, &["--replace"]].concat(), &names));
        // The same again changes nothing, and a file that is not there yet is added.
        assert_same(&exported(path, "steps", &["--update"], &changed), &steps);
        fs::write(path.join(FIXTURES[0]), checkpoint).expect("ours");
    }
    fs::write(path.join("new.ttl"), "<urn:x:new> <urn:x:p> 1 .").expect("ours");
    let steps = exported(path, "steps", &["--update"], &["new.ttl".to_owned(), FIXTURES[0].to_owned()]);
    names.push("new.ttl".to_owned());
    let whole = [OPTIONS[2], &["--replace"]].concat();
    assert_same(&steps, &exported(path, "whole", &whole, &names));
}

#[test]
fn joined_parts_take_more_files() {
    let (folder, names) = files();
    let path = folder.path();
    let (some, more) = names.split_at(6);
    for part in ["1/2", "2/2"] {
        assert_eq!(export(path, "steps", &["--tables", "--part", part], some).0, 0);
    }
    exported(path, "steps", &["--join"], &[]);
    let steps = exported(path, "steps", &["--append"], more);
    assert_same(&steps, &exported(path, "whole", &["--tables"], &names));
}

/// What is refused changes nothing.
fn refused(folder: &Path, arguments: &[&str], files: &[&str], said: &[&str]) {
    let before = content(folder);
    let files: Vec<String> = files.iter().map(|name| (*name).to_owned()).collect();
    let (status, stderr) = export(folder, "out", arguments, &files);
    assert!(status != 0 && said.iter().all(|said| stderr.contains(said)), "{stderr}");
    assert!(content(folder) == before);
}

#[test]
fn files_that_cannot_be_added_change_nothing() {
    let (folder, names) = files();
    let path = folder.path();
    let append = ["--append"];
    refused(path, &append, &["a/data.ttl"], &["export::append", "has no export as Parquet"]);
    let shared = ["c/graphs.nq".to_owned(), "d/graphs.nq".to_owned()];
    exported(path, "out", &["--tables"], &[&names[..6], &shared].concat());
    refused(
        path,
        &append,
        &["train/support-desk.json"],
        &["export::same-graph", "`train/support-desk.json`", "--update"],
    );
    refused(path, &append, &["d/graphs.nq"], &["export::same-graph"]);
    refused(
        path,
        &["--update"],
        &["d/graphs.nq"],
        &["export::same-graph", "`urn:g` is also in `c/graphs.nq`"],
    );
    let before = content(&path.join("out"));
    assert_same(&exported(path, "out", &["--update"], &shared), &before);
    refused(path, &append, &[], &["export::append", "need files"]);
    for option in [
        &["--own-file", "7"][..],
        &["--replace"],
        &["--tables"],
        &["--graph", "urn:g"],
        &["--with", "catalog"],
        &["--update"],
    ] {
        refused(path, &[&append[..], option].concat(), &["a/data.ttl"], &["cannot be used with"]);
    }
    refused(path, &append, &["missing.ttl"], &["missing.ttl"]);
    let inside = "<urn:x:a> <urn:x:p> \"1\" <urn:evalgraph:graph:support-desk> .";
    fs::write(path.join("inside.nq"), inside).expect("ours");
    refused(path, &append, &["inside.nq"], &["export::same-graph", "that of another file"]);
    // Damage of every kind: files that are missing, cut off, or have another content.
    for name in ["p/rest.parquet", "graphs.parquet", "tables/rows.zst"] {
        let file = path.join("out").join(name);
        let bytes = fs::read(&file).expect("it is there");
        let mut other = bytes.clone();
        for at in (4..bytes.len() / 2).step_by(97) {
            other[at] ^= 0x55;
        }
        for damaged in [None, Some(&bytes[..bytes.len() - 1]), Some(&other[..])] {
            match damaged {
                None => fs::remove_file(&file).expect("ours"),
                Some(damaged) => fs::write(&file, damaged).expect("ours"),
            }
            refused(path, &append, &["a/data.ttl"], &["export::damaged"]);
        }
        fs::write(&file, bytes).expect("ours");
    }
    fs::write(path.join("out/own.txt"), "mine").expect("ours");
    refused(path, &append, &["a/data.ttl"], &["export::other-files"]);
    fs::remove_file(path.join("out/own.txt")).expect("ours");
    assert_eq!(export(path, "out", &append, &["a/data.ttl".to_owned()]).0, 0);
    // A store has no files that could be named again.
    exported(path, "out", &["--replace", "--with", "catalog"], &names);
    refused(path, &append, &["inside.nq"], &["export::append", "from a store"]);
}

#[test]
fn a_killed_addition_leaves_the_old_export_or_the_new_one() {
    let (folder, names) = files();
    let path = folder.path();
    let (some, more) = names.split_at(9);
    let old = exported(path, "out", &["--tables"], some);
    let whole = exported(path, "whole", &["--tables"], &names);
    let begin = Instant::now();
    exported(path, "timed", &["--tables"], some);
    exported(path, "timed", &["--append"], more);
    let usual = begin.elapsed();
    let mut random = StdRng::seed_from_u64(3);
    for _ in 0..20 {
        let mut command = crate::program::program();
        command.args(["export", "parquet", "out", "--append"]).args(more);
        command.current_dir(path).stderr(Stdio::null()).stdout(Stdio::null());
        let mut running = command.spawn().expect("it starts");
        std::thread::sleep(usual.mul_f64(random.random_range(0.0..0.8)));
        // It may have ended by itself.
        let _ = running.kill();
        running.wait().expect("it is ours");
        if !path.join("out").exists() {
            continue;
        }
        let now = content(&path.join("out"));
        assert!(now == old || now == whole);
        if now == whole {
            return;
        }
    }
    assert_same(&exported(path, "out", &["--append"], more), &whole);
}

#[test]
fn the_library_writes_what_the_command_writes() {
    let (folder, names) = files();
    let path = folder.path();
    let names: Vec<String> = names.iter().map(|name| path.join(name).display().to_string()).collect();
    let whole = exported(path, "whole", &["--tables"], &names);
    let (some, more) = names.split_at(5);
    let export = ParquetExport { has_tables: true, ..ParquetExport::default() };
    let out = path.join("out");
    Loader::new().export_parquet(some, &export, &out).expect("it is exported");
    let refused = Loader::new().export_parquet(some, &export, &out).expect_err("it is there");
    assert!(refused.to_string().contains("has an export already"), "{refused}");
    let added = Loader::new().add_to_parquet(more, FolderChange::Append, &out).expect("they are added");
    assert!(added.files.iter().any(|file| file.name == "graphs.parquet"));
    assert_same(&content(&out), &whole);
    let refused = Loader::new().add_to_parquet(more, FolderChange::Append, &out).expect_err("they are there");
    assert!(refused.to_string().contains("is in the export already"), "{refused}");
    Loader::new().add_to_parquet(more, FolderChange::Update, &out).expect("they are replaced");
    assert_same(&content(&out), &whole);
}
