//! The documents of Croissant Tasks that MLCommons calls valid or invalid, by our shapes and by those that it publishes.

use crate::beside::suites;
use crate::cli::input::run;
use std::fs;
use std::path::Path;

#[test]
#[ignore = "needs ../shared/suites"]
fn valid_and_invalid_tasks_are_told_apart_with_lines() {
    let suites = suites().join("evaluation/croissant-tasks");
    let mut counts = [0, 0];
    for entry in fs::read_dir(suites.join("testdata")).expect("the suite has its documents") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_invalid = name.starts_with("invalid");
        let document = path.display().to_string();
        let (status, stdout, stderr) =
            run(Path::new("."), &["validate", &document, "--shapes", "croissant-tasks"]);
        assert_eq!(status, i32::from(is_invalid), "{name}: {stdout}{stderr}");
        assert_eq!(is_invalid, stdout.contains(&format!("{name}:")), "{name}: {stdout}");
        counts[usize::from(is_invalid)] += 1;
    }
    assert_eq!(counts, [7, 6]);
    let published = suites.join("croissant-tasks-shapes.ttl").display().to_string();
    let (status, _, stderr) = run(Path::new("."), &["shapes", "sparql", &published]);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains(":65:15: error[shacl::path]"), "{stderr}");
}
