//! The folder of an export: whole at any moment, and no file of others is touched.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::Value;
use tempfile::TempDir;

use crate::cli::input::run;

const GOOD: &str = "<urn:s> <urn:p> <urn:o> .\n";

/// A folder with a small file of data.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.nt"), GOOD).expect("the folder is ours");
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("it is ours").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn an_export_replaces_an_export_when_asked_and_nothing_else_ever() {
    let folder = folder();
    let path = folder.path();
    let (status, stdout, stderr) = run(path, &["export", "files", "out", "a.nt"]);
    assert_eq!((status, stdout.as_str()), (0, "out/data.nq\n"), "{stderr}");
    assert_eq!(stderr, "note[export::done]: exported 1 quad of 1 graph: 1 file, 50 bytes\n");
    let (status, _, stderr) = run(path, &["export", "files", "out", "a.nt"]);
    assert_eq!(status, 2);
    let expected = "error[export::exists]: `out` has an export already; nothing is written\n \
         = help: `--replace` replaces it; or name another folder\n";
    assert_eq!(stderr, expected);
    assert_eq!(run(path, &["export", "files", "out", "a.nt", "--replace", "--to", "ttl"]).0, 0);
    assert_eq!(names(&path.join("out")), ["0001-a.ttl", "export.json"]);
    fs::write(path.join("out/mine.txt"), "").expect("the folder is ours");
    let (status, _, stderr) = run(path, &["export", "files", "out", "a.nt", "--replace"]);
    assert!(status == 2 && stderr.contains("error[export::other-files]"), "{stderr}");
    assert_eq!(names(&path.join("out")), ["0001-a.ttl", "export.json", "mine.txt"]);
    assert_eq!(names(path), ["a.nt", "out"]);
}

#[test]
fn a_folder_that_is_there_and_empty_is_taken_and_a_link_stays_one() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir(path.join("empty")).expect("the folder is ours");
    assert_eq!(run(path, &["export", "files", "empty", "a.nt"]).0, 0);
    assert_eq!(names(&path.join("empty")), ["data.nq", "export.json"]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("empty", path.join("link")).expect("the folder is ours");
        assert_eq!(run(path, &["export", "files", "link", "a.nt", "--replace", "--compress", "zstd"]).0, 0);
        assert!(fs::symlink_metadata(path.join("link")).expect("it is there").is_symlink());
        assert_eq!(names(&path.join("empty")), ["data.nq.zst", "export.json"]);
    }
    let (status, _, stderr) = run(path, &["export", "files", "a.nt", "a.nt"]);
    assert!(status == 2 && stderr.contains("error[output::unwritable]: `a.nt`"), "{stderr}");
}

#[test]
fn a_dry_run_and_a_faulty_input_write_nothing() {
    let folder = folder();
    let path = folder.path();
    let (status, stdout, stderr) = run(path, &["export", "files", "out", "a.nt", "--dry-run"]);
    assert_eq!((status, stdout.as_str()), (0, ""));
    assert_eq!(stderr, "note[export::done]: would export 1 quad of 1 graph\n");
    fs::write(path.join("bad.nt"), "<urn:s> <urn:p>\n").expect("the folder is ours");
    assert_eq!(run(path, &["export", "files", "out", "bad.nt"]).0, 2);
    let (status, _, stderr) =
        run(path, &["export", "files", "out", "a.nt", "--for", "neptune", "--to", "ttl"]);
    let expected = "error[export::unfit]: Neptune's loader does not load Turtle with the graph of each triple\n \
         = help: `--to` may be nq\n";
    assert_eq!((status, stderr.as_str()), (2, expected));
    assert_eq!(names(path), ["a.nt", "bad.nt"]);
}

/// The number of quads that the list of an export says, which has to be that of its files.
fn quads(out: &Path) -> Option<u64> {
    let list = fs::read(out.join("export.json")).ok()?;
    let list: Value = serde_json::from_slice(&list).expect("the list is whole");
    let files = list["files"].as_array().expect("there are files");
    let mut lines = 0;
    for file in files {
        let text = fs::read_to_string(out.join(file["name"].as_str().expect("a name"))).expect("it is there");
        assert_eq!(Some(text.lines().count() as u64), file["quads"].as_u64(), "{file}");
        lines += text.lines().count() as u64;
    }
    assert_eq!(names(out).len(), files.len() + 1);
    Some(lines)
}

#[test]
fn a_killed_export_leaves_the_old_one_or_the_new_one() {
    let folder = folder();
    let path = folder.path();
    let of = |count: usize| -> String {
        (0..count).map(|at| format!("<urn:s{at}> <urn:p> \"{at}\" .\n")).collect()
    };
    fs::write(path.join("old.nt"), of(700)).expect("the folder is ours");
    fs::write(path.join("new.nt"), of(900)).expect("the folder is ours");
    let export = |file: &str| {
        let mut command = crate::program::program();
        command.args(["export", "files", "out", file, "--replace", "--split", "2000"]);
        command.current_dir(path).stderr(Stdio::null()).stdout(Stdio::null());
        command
    };
    let begin = Instant::now();
    assert!(export("old.nt").status().expect("it starts").success());
    let usual = begin.elapsed();
    let kills = std::env::var("EVALGRAPH_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(40);
    let mut random = StdRng::seed_from_u64(5);
    for kill in 0..kills {
        let mut running = export(if kill % 2 == 0 { "new.nt" } else { "old.nt" }).spawn().expect("it starts");
        std::thread::sleep(usual.mul_f64(random.random_range(0.0..1.3)));
        // It may have ended by itself.
        let _ = running.kill();
        running.wait().expect("it is ours");
        // Between two renames there is no folder; the next run puts it back.
        let found = quads(&path.join("out"));
        assert!(matches!(found, None | Some(700 | 900)), "{found:?}");
    }
    assert!(export("new.nt").status().expect("it starts").success());
    assert_eq!(quads(&path.join("out")), Some(900));
    assert_eq!(names(path), ["a.nt", "new.nt", "old.nt", "out"]);
}
