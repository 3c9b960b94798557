//! Folders that files are written into under names that come from what was read: nothing that is there is lost, no two
//! files are one, and no name leads elsewhere.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::input::run_at;
use crate::cli::untrusted::{WRITERS, files_in, folder};

/// Runs a command at a time that stands still, so that a repeated run writes the same.
fn run(path: &Path, arguments: &[&str]) -> (i32, String, String) {
    run_at(1_766_000_000, path, arguments)
}

/// All files below a folder with their content.
fn content_of(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let files = files_in(folder).into_iter();
    let mut files: Vec<_> = files.map(|path| (path.clone(), fs::read(path).expect("it is there"))).collect();
    files.sort();
    files
}

/// The words of a command of [`WRITERS`], with the name of its file.
fn words<'w>(fixture: &'w str, command: &[&'w str]) -> Vec<&'w str> {
    let file = fixture.rsplit('/').next().expect("it has a name");
    command.iter().map(|word| if *word == "FILE" { file } else { word }).collect()
}

#[test]
fn what_is_there_is_overwritten_by_force_alone() {
    for (fixture, command) in WRITERS {
        let folder = folder(fixture);
        let (path, out) = (folder.path(), folder.path().join("out"));
        let arguments = words(fixture, command);
        let first = run(path, &arguments);
        assert_eq!(first.0, 0, "{arguments:?}: {}", first.2);
        let written = content_of(&out);
        // The same again has nothing to overwrite.
        let again = run(path, &arguments);
        assert_eq!((again.0, &again.1), (0, &first.1), "{arguments:?}: {}", again.2);
        assert_eq!(content_of(&out), written, "{arguments:?}");
        for (one, _) in &written {
            let others: Vec<_> = written.iter().filter(|(path, _)| path != one).collect();
            // A file that was gone would tell that something was written all the same.
            others.iter().for_each(|(path, _)| fs::remove_file(path).expect("the folder is ours"));
            fs::write(one, "mine\n").expect("the folder is ours");
            let (status, stdout, stderr) = run(path, &arguments);
            assert_eq!((status, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
            let name = one.strip_prefix(path).expect("it lies in it").display().to_string();
            assert!(
                stderr.contains("error[output::exists]") && stderr.contains(&name),
                "{arguments:?}: {stderr}"
            );
            assert!(stderr.contains("`--force` overwrites"), "{arguments:?}: {stderr}");
            assert_eq!(content_of(&out), [(one.clone(), b"mine\n".to_vec())], "{arguments:?}");
            let (status, _, stderr) = run(path, &[&arguments[..], &["--force"]].concat());
            assert_eq!(status, 0, "{arguments:?}: {stderr}");
            assert_eq!(content_of(&out), written, "{arguments:?}");
        }
    }
}

#[test]
fn what_is_no_file_stays_even_by_force() {
    for (fixture, command) in WRITERS {
        let folder = folder(fixture);
        let (path, out) = (folder.path(), folder.path().join("out"));
        let arguments = [&words(fixture, command)[..], &["--force"]].concat();
        assert_eq!(run(path, &arguments).0, 0, "{arguments:?}");
        let written = files_in(&out);
        fs::remove_dir_all(&out).expect("the folder is ours");
        fs::create_dir_all(&written[0]).expect("the folder is ours");
        let (status, _, stderr) = run(path, &arguments);
        assert!(status == 2 && stderr.contains("exists, but is not a file"), "{arguments:?}: {stderr}");
        assert!(files_in(&out).is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_corpus_that_is_a_file_is_told_before_anything_is_written() {
    let folder = folder("train/support-desk.json");
    let path = folder.path();
    fs::create_dir(path.join("out")).expect("the folder is ours");
    fs::write(path.join("out/corpus"), "mine\n").expect("the folder is ours");
    let (status, _, stderr) =
        run(path, &["convert", "support-desk.json", "--to", "train", "-o", "out", "--force"]);
    assert_eq!(status, 2);
    let expected = "error[output::exists]: `out/corpus` exists, but is not a folder";
    assert!(stderr.contains(expected), "{stderr}");
    assert_eq!(files_in(&path.join("out")), [path.join("out/corpus")]);
}

#[test]
fn what_a_compressed_file_says_counts() {
    let folder = folder("train/support-desk.json");
    let path = folder.path();
    let pack = ["convert", "support-desk.json", "--to", "same", "-o", "rows.json.gz"];
    assert_eq!(run(path, &pack).0, 0);
    let same = ["convert", "rows.json.gz", "--to", "same", "-o", "out/"];
    for _ in 0..2 {
        let (status, _, stderr) = run(path, &same);
        assert_eq!(status, 0, "{stderr}");
    }
    let written = fs::read(path.join("out/rows.json.gz")).expect("it was written");
    assert!(written.starts_with(&[0x1f, 0x8b]));
    let text = fs::read_to_string(path.join("support-desk.json")).expect("it is there");
    fs::write(path.join("support-desk.json"), text.replace("TRAIN_Q000", "TRAIN_Q900")).expect("ours");
    assert_eq!(run(path, &pack).0, 0);
    let (status, _, stderr) = run(path, &same);
    assert!(status == 2 && stderr.contains("output::exists"), "{stderr}");
    assert_eq!(fs::read(path.join("out/rows.json.gz")).expect("it is there"), written);
}

#[test]
fn two_documents_of_one_name_are_an_error_before_anything_is_written() {
    let folder = folder("train/support-desk.json");
    let path = folder.path();
    for name in ["a", "b"] {
        fs::create_dir(path.join(name)).expect("the folder is ours");
        let text = fs::read_to_string(path.join("support-desk.json")).expect("it is there");
        let text = text.replace("TRAIN_Q000", &format!("{name}-1"));
        fs::write(path.join(name).join("r.json"), text).expect("the folder is ours");
    }
    // Datasets and their files get names of their own where their documents would share one.
    for form in ["karenina", "karenina-v2"] {
        let (status, _, stderr) =
            run(path, &["convert", "a/r.json", "b/r.json", "--to", form, "-o", "out/", "--force"]);
        assert_eq!(status, 2, "{form}: {stderr}");
        assert!(stderr.contains("error[output::same-name]"), "{form}: {stderr}");
        assert!(!path.join("out").exists(), "{form}");
    }
    for form in ["same", "rlcf", "kwanzaa", "hf-chat"] {
        let out = format!("{form}/");
        let (status, _, stderr) = run(path, &["convert", "a/r.json", "b/r.json", "--to", form, "-o", &out]);
        match status {
            0 => assert_eq!(files_in(&path.join(form)).len(), 2, "{form}: {stderr}"),
            _ => assert!(
                stderr.contains("error[output::same-name]") && !path.join(form).exists(),
                "{form}: {stderr}"
            ),
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_utf_8_stay_two() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder("karenina/p1-physics.jsonld");
    let path = folder.path();
    let text = fs::read_to_string(path.join("p1-physics.jsonld")).expect("it is there");
    fs::create_dir(path.join("in")).expect("the folder is ours");
    for (byte, version) in [(0xfe, "1.0"), (0xff, "2.0")] {
        let name =
            std::ffi::OsStr::from_bytes(&[b'x', byte, b'.', b'j', b's', b'o', b'n', b'l', b'd']).to_owned();
        let text = text.replacen("Physics Basics", &format!("Physics {version}"), 1);
        fs::write(path.join("in").join(name), text).expect("the folder is ours");
    }
    for form in ["karenina", "same"] {
        let out = format!("{form}/");
        let (status, _, stderr) = run(path, &["convert", "in", "--to", form, "-o", &out]);
        assert_eq!(status, 0, "{form}: {stderr}");
        let names = files_in(&path.join(form));
        assert_eq!(names.len(), 2, "{form}: {names:?}");
    }
    for file in ["file://", "file://"].iter().zip(["%FE", "%FF"]) {
        let url = format!("{}{}/in/x{}.jsonld", file.0, path.display(), file.1);
        let (status, stdout, stderr) = run(path, &["split", &url, "--max", "10", "-o", "parts", "--force"]);
        assert_eq!((status, stdout), (0, format!("parts/x{}-001.jsonld\n", file.1)), "{stderr}");
    }
}

#[test]
fn a_graph_without_a_path_names_no_hidden_file_and_no_folder() {
    let folder = folder("train/support-desk.json");
    let path = folder.path();
    for dataset in [".bashrc", "..", "a%2F..%2F.ssh", "%2Fetc%2Fx"] {
        let arguments =
            ["convert", "support-desk.json", "--to", "nq", "--with", "sidecar", "--dataset", "DATA"];
        let (status, quads, stderr) = run(path, &arguments);
        assert_eq!(status, 0, "{stderr}");
        let quads = quads.replace("graph:sidecar:DATA", &format!("graph:sidecar:{dataset}"));
        let quads = quads.replace("graph:DATA", &format!("graph:{dataset}"));
        fs::write(path.join("g.nq"), quads).expect("the folder is ours");
        for form in ["same", "karenina", "rlcf", "hf-chat"] {
            let _ = fs::remove_dir_all(path.join("deep"));
            let (status, _, stderr) = run(path, &["convert", "g.nq", "--to", form, "-o", "deep/out/"]);
            assert_eq!(status, 0, "{dataset} {form}: {stderr}");
            let names: Vec<_> = fs::read_dir(path.join("deep/out")).expect("it was made").collect();
            let name = names[0].as_ref().expect("it can be read");
            assert!(names.len() == 1 && name.path().is_file(), "{dataset} {form}: {names:?}");
            assert!(!name.file_name().as_encoded_bytes().starts_with(b"."), "{dataset} {form}: {names:?}");
        }
    }
}

#[test]
fn what_a_run_writes_among_its_inputs_is_no_input_of_the_next() {
    let commands: [&[&str]; 7] = [
        &["convert", ".", "--to", "nq", "-o", "out.nq"],
        &["convert", "*.*", "--to", "ttl", "-o", "out.ttl"],
        &["query", ".", "-q", "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", "-o", "out.csv"],
        &["canon", ".", "-o", "out.nq"],
        &["stats", ".", "-o", "out.json"],
        &["validate", ".", "-o", "out.json"],
        &["check", "**/*.*", "-o", "out.json"],
    ];
    for command in commands {
        let folder = folder("karenina/p1-physics.jsonld");
        let output = folder.path().join(command.last().expect("it has an output"));
        let (first, _, stderr) = run(folder.path(), command);
        assert!(first < 2 && !stderr.contains("input::beside"), "{command:?}: {stderr}");
        let written = fs::read(&output).expect("it was written");
        let (again, _, stderr) = run(folder.path(), command);
        assert_eq!(again, first, "{command:?}: {stderr}");
        assert_eq!(stderr.matches("note[input::beside]").count(), 1, "{command:?}: {stderr}");
        assert!(fs::read(&output).is_ok_and(|again| again == written), "{command:?}");
    }
}
