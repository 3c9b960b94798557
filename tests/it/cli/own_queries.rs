//! Named queries of a user and of a project, in folders that their configuration names.

use std::fs;

use super::input::evalgraph;

const QUERY: &str = "# title: Mine\n# param: least integer = 1\nSELECT (?least AS ?n) {}\n";

#[test]
fn a_project_has_queries_of_its_own() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("project/asked/deep")).expect("ours");
    fs::create_dir_all(path("users")).expect("ours");
    fs::write(path("project/evalgraph.toml"), "queries = \"asked\"\n").expect("ours");
    fs::write(path("project/asked/mine.rq"), QUERY).expect("ours");
    fs::write(path("users/mine.rq"), QUERY.replace("= 1", "= 2")).expect("ours");
    fs::write(path("users/theirs.rq"), QUERY.replace("= 1", "= 3")).expect("ours");
    fs::write(path("config.toml"), format!("queries = {:?}\n", path("users").display().to_string()))
        .expect("ours");
    fs::write(path("project/a.ttl"), "<x:a> <x:b> 1 .").expect("ours");
    let run = |arguments: &[&str]| {
        let output = evalgraph(&path("project/asked/deep"))
            .args(arguments)
            .env("EVALGRAPH_CONFIG", path("config.toml"))
            .output()
            .expect("the program starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let asked = |name: &str| run(&["query", "../../a.ttl", "-n", name, "--format", "csv"]).1;
    assert_eq!(asked("mine"), "n\r\n1\r\n", "that of the project counts");
    assert_eq!(asked("theirs"), "n\r\n3\r\n");
    let (_, listed, _) = run(&["queries"]);
    assert!(listed.contains("mine  ") && listed.contains("overview  "), "{listed}");
    // A project has no say outside of its folder.
    for outside in ["../users", "/etc", "asked/../../users"] {
        fs::write(path("project/evalgraph.toml"), format!("\nqueries = \"{outside}\"\n")).expect("ours");
        let (status, _, stderr) = run(&["query", "../../a.ttl", "-n", "mine"]);
        assert_eq!(status, Some(2), "{outside}");
        assert!(stderr.contains("evalgraph.toml:2:11: error[config::value]"), "{stderr}");
    }
    fs::write(path("project/evalgraph.toml"), "queries = \"missing\"\n").expect("ours");
    let (status, _, stderr) = run(&["queries"]);
    assert_eq!(status, Some(2));
    assert!(stderr.contains("error[sparql::unreadable]") && stderr.contains("missing"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn what_a_projects_queries_are_called_is_text() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("asked")).expect("ours");
    fs::write(path("evalgraph.toml"), "queries = \"asked\"\n").expect("ours");
    let name = "$(touch gone) `touch gone` \u{1b}[31mred";
    fs::write(path(&format!("asked/{name}.rq")), "# title: \u{1b}]0;title\u{7}\nASK {}\n").expect("ours");
    let said = |arguments: &[&str], stdin: &str| {
        let output = evalgraph(folder.path()).args(arguments).write_stdin(stdin).output().expect("it starts");
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    };
    // A shell runs the text of completions.
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(!said(&["completions", shell], "").contains("touch gone"), "{shell}");
    }
    fs::write(path("a.ttl"), "<x:a> <x:b> 1 .").expect("ours");
    for listed in [said(&["queries"], ""), said(&["shell", "a.ttl", "--quiet"], ".queries\n")] {
        assert!(listed.contains("touch gone") && !listed.contains(['\u{1b}', '\u{7}']), "{listed:?}");
    }
}
