//! Rules that `evalgraph.toml` switches, for all files or for those of a folder.

use super::input::run;
use crate::fixture_files::root;
use std::fs;
use tempfile::TempDir;

/// A folder with a checkpoint in two folders, and a configuration.
fn project(configuration: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["drafts", "final"] {
        fs::create_dir(folder.path().join(name)).expect("our folder");
        let file = root().join("karenina/s0-cell-biology.jsonld");
        fs::copy(file, folder.path().join(name).join("a.jsonld")).expect("a copy");
    }
    fs::write(folder.path().join("evalgraph.toml"), configuration).expect("our folder");
    folder
}

#[test]
fn a_rule_is_off_everywhere_and_the_others_stay() {
    let folder = project("[rules]\nK-S7 = \"off\"\n");
    let (status, stdout, stderr) = run(folder.path(), &["validate", "final/a.jsonld"]);
    assert_eq!(status, 1);
    assert!(!stdout.contains("K-S7") && stdout.contains("K-S8 violation"), "{stdout}");
    assert!(
        stderr.contains("2 results are left out, because the configuration switches off K-S7"),
        "{stderr}"
    );
    let (_, json, _) = run(folder.path(), &["validate", "final/a.jsonld", "--format", "json"]);
    assert!(!json.contains("K-S7"), "{json}");
}

#[test]
fn a_folder_has_its_own_levels() {
    let rules = "[rules]\nK-S7 = \"warning\"\nK-S8 = \"warning\"\n[rules.drafts]\nK-S7 = \"off\"\n";
    let folder = project(rules);
    let (status, stdout, _) = run(folder.path(), &["validate", "final/a.jsonld"]);
    assert_eq!(status, 0, "{stdout}");
    assert!(stdout.contains("K-S7 warning") && stdout.contains("K-S8 warning"), "{stdout}");
    let (_, stdout, _) = run(folder.path(), &["validate", "drafts/a.jsonld"]);
    assert!(!stdout.contains("K-S7") && stdout.contains("K-S8 warning"), "{stdout}");
    // Warnings count if they are asked to.
    let (status, _, _) = run(folder.path(), &["validate", "drafts/a.jsonld", "--strict"]);
    assert_eq!(status, 1);
    // The folder is that of the file with the keys, wherever the command runs.
    let (_, stdout, _) = run(&folder.path().join("drafts"), &["validate", "a.jsonld"]);
    assert!(!stdout.contains("K-S7"), "{stdout}");
}

#[test]
fn rules_of_check_are_switched_too() {
    let folder = project("[rules]\nunknown-property = \"off\"\n");
    let (_, stdout, stderr) = run(folder.path(), &["check", "final/a.jsonld"]);
    assert!(!stdout.contains("unknown-property") && stdout.contains("warning"), "{stdout}");
    assert!(stderr.contains("switches off unknown-property"), "{stderr}");
}

#[test]
fn mistakes_in_the_configuration_name_what_there_is() {
    let folder = project("[rules]\nK-S77 = \"off\"\n");
    let (_, _, stderr) = run(folder.path(), &["validate", "final/a.jsonld"]);
    assert!(stderr.contains("warning[config::rule]") && stderr.contains("did you mean `K-S7`?"), "{stderr}");
    let folder = project("[rules]\nK-S7 = \"of\"\n");
    let (status, _, stderr) = run(folder.path(), &["validate", "final/a.jsonld"]);
    assert_eq!(status, 2);
    assert!(
        stderr.contains("evalgraph.toml:2:8: error[config::value]") && stderr.contains("`off`"),
        "{stderr}"
    );
}
