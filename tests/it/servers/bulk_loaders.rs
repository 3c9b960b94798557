//! The commands that `export files --for` prints are run: what a store holds then is what was exported.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::server::{Kind, Server};
use crate::cli::input::run;
use crate::fixture_files::root;
use crate::rdf::isomorphism::{isomorphic, read_n_quads};

/// The forms of an export: graphs in one file, in parts, and each in a file of its own.
const FORMS: [&[&str]; 3] =
    [&[], &["--split", "20k", "--compress", "gzip"], &["--to", "ttl", "--compress", "gzip"]];

/// Exports the fixtures, and returns the commands that are printed.
fn exported(folder: &Path, options: &[&str]) -> String {
    let fixtures = root().join("karenina").display().to_string();
    let (status, stdout, stderr) = run(folder, &[&["export", "files", "out", &fixtures], options].concat());
    assert_eq!(status, 0, "{stderr}");
    stdout
}

/// Runs commands in a folder, with programs that are scripts of these names and texts.
fn run_commands(folder: &Path, commands: &str, scripts: &[(&str, String)]) -> String {
    let programs = folder.join("bin");
    fs::create_dir_all(&programs).expect("the folder is ours");
    for (name, script) in scripts {
        let path = programs.join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("the folder is ours");
        assert!(Command::new("chmod").arg("+x").arg(&path).status().is_ok_and(|status| status.success()));
    }
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-ec", commands]).current_dir(folder).env("PATH", path).env("DBA_PASSWORD", "dba");
    let output = shell.output().expect("there is a shell");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{commands}\n{said}");
    String::from_utf8(output.stdout).expect("it is UTF-8")
}

/// Exports in each form, loads it by the printed commands, and compares with what `dump` prints then.
fn loads_and_dumps(loader: &str, dump: &str, scripts: &[(&str, String)]) {
    let folder = TempDir::new().expect("a temporary folder");
    exported(folder.path(), &[]);
    let expected = fs::read_to_string(folder.path().join("out/data.nq")).expect("it is exported");
    for form in FORMS {
        let folder = TempDir::new().expect("a temporary folder");
        let commands = exported(folder.path(), &[&["--for", loader], form].concat());
        run_commands(folder.path(), &commands, scripts);
        let found = run_commands(folder.path(), dump, scripts);
        assert!(isomorphic(&read_n_quads(&expected), &read_n_quads(&found)), "{loader} {form:?}");
    }
}

#[test]
#[ignore = "needs the servers that tests/servers/install installs"]
fn jena_loads_an_export_by_its_command() {
    let Some(jar) = Kind::Tdb2.installed() else { return };
    let java = |class: &str| format!("exec java -Xmx512m -cp '{}' {class} \"$@\"", jar.display());
    let scripts = [("tdb2.tdbloader", java("tdb2.tdbloader")), ("tdb2.tdbdump", java("tdb2.tdbdump"))];
    loads_and_dumps("tdb2", "tdb2.tdbdump --loc DATABASE", &scripts);
}

#[test]
#[ignore = "needs the servers that tests/servers/install installs"]
fn oxigraph_loads_an_export_by_its_command() {
    let Some(folder) = Kind::Oxigraph.installed() else { return };
    let program = format!("exec '{}'/*.data/scripts/oxigraph \"$@\"", folder.display());
    loads_and_dumps("oxigraph", "oxigraph dump --location DATABASE --format nq", &[("oxigraph", program)]);
}

#[test]
#[ignore = "needs the servers that tests/servers/install installs"]
fn virtuoso_loads_an_export_by_its_command() {
    let Some(programs) = Kind::Virtuoso.installed() else { return };
    for form in FORMS {
        let Some(server) = Server::start(Kind::Virtuoso) else { return };
        let commands = exported(server.folder(), &[&["--for", "virtuoso"], form].concat());
        let isql = format!(
            "export LD_LIBRARY_PATH='{0}/lib/x86_64-linux-gnu'; shift; exec '{0}/usr/bin/isql-vt' {1} \"$@\"",
            programs.display(),
            server.port() + 1
        );
        run_commands(server.folder(), &commands, &[("isql", isql)]);
        let plain = TempDir::new().expect("a temporary folder");
        exported(plain.path(), &[]);
        let expected = fs::read_to_string(plain.path().join("out/data.nq")).expect("it is exported");
        let graph_of = |line: &str| {
            let graph = line.trim_end_matches(" .").rsplit(' ').next().expect("a line has words");
            graph.trim_matches(['<', '>']).to_owned()
        };
        let mut graphs: Vec<String> = expected.lines().map(graph_of).collect();
        graphs.dedup();
        assert!(graphs.len() > 10, "{graphs:?}");
        for graph in graphs {
            // Virtuoso writes some literals in another way; the triples are there.
            let count = expected.lines().filter(|line| graph_of(line) == graph).count();
            let found = server.graph(&graph).map_or(0, |triples| triples.lines().count());
            assert_eq!(found, count, "{graph} {form:?}");
        }
    }
}
