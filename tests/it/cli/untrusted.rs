//! Files, stores and graphs from somebody else: they do not say where is written, and what is shown of keys.

use crate::cli::input::run;
use std::fs;
use std::path::Path;

pub(crate) fn folder(name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join(name.rsplit('/').next().expect("it has a name"));
    fs::copy(crate::karenina::fixtures::path(name), file).expect("the folder is ours");
    folder
}

/// A graph with a sidecar, whose catalog has another path for the file.
fn graph_of(path: &Path, file: &str, other: &str) {
    let arguments = ["convert", file, "--to", "nq", "--with", "sidecar,catalog", "-o", "g.nq"];
    let (status, _, stderr) = run(path, &arguments);
    assert_eq!(status, 0, "{stderr}");
    let quads = fs::read_to_string(path.join("g.nq")).expect("it was written");
    let known = format!("<urn:evalgraph:vocab:path> \"{file}\"");
    assert!(quads.contains(&known), "{quads}");
    let quads = quads.replace(&known, &format!("<urn:evalgraph:vocab:path> \"{other}\""));
    fs::write(path.join("g.nq"), quads).expect("the folder is ours");
}

#[test]
fn a_graph_names_no_hidden_file() {
    for name in [".bashrc", "a/.git", "..", "/etc/passwd", "."] {
        let folder = folder("train/support-desk.json");
        let path = folder.path();
        graph_of(path, "support-desk.json", name);
        let (status, _, stderr) = run(path, &["convert", "g.nq", "--to", "same", "-o", "out/"]);
        assert_eq!(status, 0, "{name}: {stderr}");
        let names: Vec<String> = fs::read_dir(path.join("out"))
            .expect("it was made")
            .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
            .collect();
        assert!(names.len() == 1 && !names[0].starts_with('.'), "{name}: {names:?}");
    }
}

/// What writes files into a folder.
pub(crate) const WRITERS: &[(&str, &[&str])] = &[
    ("train/support-desk.json", &["convert", "FILE", "--to", "same", "-o", "out/"]),
    ("train/support-desk.json", &["convert", "FILE", "--to", "train", "-o", "out/"]),
    ("train/support-desk.json", &["convert", "FILE", "--to", "kwanzaa", "-o", "out/"]),
    ("train/support-desk.json", &["convert", "FILE", "--to", "karenina", "-o", "out/"]),
    ("train/support-desk.json", &["convert", "FILE", "--to", "rlcf", "-o", "out/"]),
    ("train/support-desk.json", &["convert", "FILE", "--to", "hf-chat", "-o", "out/"]),
    ("train/support-desk.json", &["update", "FILE", "-q", "INSERT DATA {}", "--to", "same", "-o", "out/"]),
    ("karenina/p1-physics.jsonld", &["convert", "FILE", "--to", "karenina-gui", "-o", "out/"]),
    ("karenina/p1-physics.jsonld", &["convert", "FILE", "--to", "same", "-o", "out/"]),
    ("karenina/p1-physics.jsonld", &["templates", "out", "FILE", "-o", "out"]),
    ("karenina/p1-physics.jsonld", &["split", "FILE", "--max", "2", "-o", "out"]),
    ("kwanzaa/citation.json", &["split", "FILE", "--train", "0.5", "-o", "out"]),
];

/// The files below a folder.
pub(crate) fn files_in(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries =
        fs::read_dir(folder).expect("it can be read").map(|entry| entry.expect("it can be read").path());
    entries.flat_map(|path| if path.is_dir() { files_in(&path) } else { vec![path] }).collect()
}

#[cfg(unix)]
#[test]
fn a_link_is_not_written_through() {
    for (fixture, command) in WRITERS {
        let folder = folder(fixture);
        let path = folder.path();
        let file = fixture.rsplit('/').next().expect("it has a name");
        let arguments: Vec<&str> =
            command.iter().map(|word| if *word == "FILE" { file } else { word }).collect();
        let (status, _, stderr) = run(path, &arguments);
        assert_eq!(status, 0, "{arguments:?}: {stderr}");
        let written = files_in(&path.join("out"));
        assert!(!written.is_empty(), "{arguments:?}");
        fs::write(path.join("precious"), "mine\n").expect("the folder is ours");
        for one in written {
            let text = fs::read(&one).expect("it was written");
            fs::remove_file(&one).expect("the folder is ours");
            std::os::unix::fs::symlink(path.join("precious"), &one).expect("it can be made");
            let (status, _, stderr) = run(path, &arguments);
            assert!(
                status == 2 && stderr.contains("output::link"),
                "{arguments:?} {}: {stderr}",
                one.display()
            );
            assert_eq!(
                fs::read_to_string(path.join("precious")).expect("it is there"),
                "mine\n",
                "{arguments:?}"
            );
            fs::remove_file(&one).expect("the folder is ours");
            fs::write(&one, text).expect("the folder is ours");
        }
    }
}

#[cfg(unix)]
#[test]
fn the_files_of_a_store_are_no_links() {
    let folder = folder("train/support-desk.json");
    let path = folder.path();
    assert_eq!(run(path, &["init"]).0, 0);
    fs::write(path.join("precious"), "mine\n").expect("the folder is ours");
    for name in ["lock", "manifest"] {
        let _ = fs::remove_file(path.join(".evalgraph").join(name));
        std::os::unix::fs::symlink("../precious", path.join(".evalgraph").join(name))
            .expect("it can be made");
        let (status, _, stderr) = run(path, &["load", "support-desk.json"]);
        assert_eq!(status, 2, "{stderr}");
        assert!(stderr.contains("is a link"), "{stderr}");
        assert_eq!(fs::read_to_string(path.join("precious")).expect("it is there"), "mine\n");
    }
    // What is written in place may be nobody else's file under another name.
    let (store, lock) = (path.join("other"), path.join("other/.evalgraph/lock"));
    fs::create_dir(&store).expect("the folder is ours");
    assert_eq!(run(&store, &["init"]).0, 0);
    let _ = fs::remove_file(&lock);
    fs::hard_link(path.join("precious"), &lock).expect("it can be made");
    let (status, _, stderr) = run(&store, &["load", "../support-desk.json"]);
    assert!(status == 2 && stderr.contains("it has a second name"), "{stderr}");
    assert_eq!(fs::read_to_string(path.join("precious")).expect("it is there"), "mine\n");
}

#[test]
fn a_sign_at_the_head_of_a_file_shows_no_key() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    for (name, text) in [
        (
            "a.json",
            r#"{"@note": "x", "ai_models": [{"api_key": "sk-secret", "name": 1, "x": {}}], "tasks": []}"#,
        ),
        ("b.jsonl", "{\"@note\": 1, \"api_key\": \"sk-secret\", \"question\": \"Why?\"}\n"),
        ("c.csv", "@x,api_key,question,answer\n1,sk-secret,Why?,So\n"),
        ("e.csv", "@id,\"@type\",api_key,question,answer\n1,Question,sk-secret,Why?,So\n"),
        ("f.yaml", "\"@id\": urn:x\ntasks:\n  - task_type: QA\n    api_key: sk-secret\n"),
        ("d.yaml", "\"@note\": x\ntasks:\n  - task_type: QA\n    api_key: sk-secret\n"),
    ] {
        fs::write(path.join(name), text).expect("the folder is ours");
        for arguments in [
            &["stats", name][..],
            &["query", name, "-q", "SELECT * { ?s ?p ?o }"],
            &["convert", name, "--to", "nq"],
            &["convert", name, "--to", "same"],
            &["validate", name],
            &["check", name],
        ] {
            let (_, stdout, stderr) = run(path, arguments);
            assert!(
                !stdout.contains("sk-secret") && !stderr.contains("sk-secret"),
                "{arguments:?}: {stdout}{stderr}"
            );
        }
    }
}

#[test]
fn a_password_in_a_url_is_not_shown() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    fs::write(path.join("none.nq"), "").expect("the folder is ours");
    let service = "SELECT * { SERVICE <http://user:hunter2@127.0.0.1:1/sparql> { ?s ?p ?o } }";
    let load = "LOAD <http://user:hunter2@127.0.0.1:1/x.ttl>";
    for arguments in [["query", "none.nq", "-q", service], ["update", "none.nq", "-q", load]] {
        for net in [&[][..], &["--net"], &["--net", "--net-allow", "http", "--net-allow", "loopback"]] {
            let (status, stdout, stderr) = run(path, &[&arguments[..], net].concat());
            assert_eq!(status, 2, "{arguments:?} {net:?}: {stderr}");
            assert!(!format!("{stdout}{stderr}").contains("hunter2"), "{arguments:?} {net:?}: {stderr}");
            assert!(stderr.contains("***"), "{arguments:?} {net:?}: {stderr}");
        }
    }
}

#[test]
fn no_message_shows_the_password_or_key_of_a_url() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    fs::write(path.join("none.nq"), "").expect("the folder is ours");
    fs::write(path.join("a.jsonld"), "{\"@id\": \"urn:a\"}").expect("the folder is ours");
    let urls = [
        "http://user:hunter2@127.0.0.1:1/x.jsonld",
        "HTTPS://user:hunter2@127.0.0.1:1/x.jsonld",
        "s3://user:hunter2@bucket/x.jsonld",
        "http://127.0.0.1:1/x.jsonld?a=b&api_key=hunter2&c=d",
        "postgres://user:hunter,2@127.0.0.1/x?api-key=hunter2",
    ];
    for url in urls {
        for arguments in [
            &["stats", url][..],
            &["convert", url, "--to", "nq"],
            &["convert", "none.nq", "--to", url],
            &["convert", "none.nq", "--too", url],
            &["convert", "none.nq", "--to", "nq", "-o", url],
            &["convert", "a.jsonld", "--to", "nq", "--base", url],
            &["compact", "a.jsonld", "--context", url],
            &["frame", "a.jsonld", "--frame", url],
            &["diff", "none.nq", url],
            &["merge", "a.jsonld", url],
            &["query", "none.nq", "-q", url],
            &["query", "none.nq", "--query-file", url],
            &["query", "--store", url, "-q", "ASK {}"],
            &["load", url],
            &["validate", url],
            &["check", url],
            &["check", "a.jsonld", "--schema-org", url],
            &["fmt", url],
            &[url],
        ] {
            for format in ["text", "json"] {
                for net in [&[][..], &["--net", "--net-allow", "http", "--net-allow", "loopback"]] {
                    let all = [arguments, net, &["--diagnostics", format]].concat();
                    let (_, _, stderr) = run(path, &all);
                    assert!(!stderr.contains("hunter"), "{all:?}: {stderr}");
                }
            }
        }
    }
}

#[test]
fn a_keyword_without_a_context_shows_no_key() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let record = "{\"@id\": \"urn:x\", \"@type\": \"http://example.org/T\", \"Api-Key\": \"sk-secret\", \"n\": {\"api_key\": [\"sk-secret\"]}}";
    fs::write(path.join("a.json"), record).expect("the folder is ours");
    fs::write(path.join("b.jsonld"), format!("[{record}]")).expect("the folder is ours");
    fs::write(path.join("c.jsonl"), format!("{record}\n{record}\n")).expect("the folder is ours");
    for name in ["a.json", "b.jsonld", "c.jsonl"] {
        for arguments in [
            &["stats", name, "--explain"][..],
            &["query", name, "-q", "SELECT * { ?s ?p ?o }"],
            &["convert", name, "--to", "nq"],
            &["convert", name, "--to", "same"],
            &["expand", name],
            &["to-rdf", name],
            &["validate", name],
            &["check", name],
            &["fmt", name, "-o", "-"],
        ] {
            let (_, stdout, stderr) = run(path, arguments);
            assert!(!format!("{stdout}{stderr}").contains("sk-secret"), "{arguments:?}: {stdout}{stderr}");
        }
    }
}

/// A name that would forge a line, and obeys nobody.
#[cfg(unix)]
#[test]
fn the_name_of_a_file_forges_no_line_of_hashes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    for name in ["a\nb.nt", "c\\d.nt", "e\u{1b}[2Jf.nt", "g.nt"] {
        fs::write(path.join(name), "<urn:a> <urn:b> <urn:c> .\n").expect("the folder is ours");
        let (status, stdout, stderr) = run(path, &["canon", "--hash", name]);
        assert_eq!(status, 0, "{stderr}");
        let (hash, shown) = stdout.split_once("  ").expect("there are two columns");
        let wanted = match name {
            "a\nb.nt" => (65, "a\\nb.nt\n"),
            "c\\d.nt" => (65, "c\\\\d.nt\n"),
            "g.nt" => (64, "g.nt\n"),
            _ => (64, "e\u{241b}[2Jf.nt\n"),
        };
        assert_eq!((hash.len(), shown), wanted);
        assert_eq!(hash.starts_with('\\'), hash.len() == 65);
    }
}

#[test]
fn a_difference_by_triple_obeys_no_character_of_the_data() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    fs::write(path.join("a.nt"), "").expect("the folder is ours");
    fs::write(path.join("b.nt"), "<urn:a> <urn:b> \"x\u{9b}2J\u{202e}````y\" .\n")
        .expect("the folder is ours");
    for format in ["text", "markdown", "rdf-patch", "json"] {
        let (status, stdout, stderr) =
            run(path, &["diff", "a.nt", "b.nt", "--by", "triple", "--format", format]);
        assert_eq!(status, 1, "{stderr}");
        let line = match format {
            "json" => "<urn:a> <urn:b> \\\"x\\\\u009B2J\\\\u202E````y\\\" .",
            "rdf-patch" => "A <urn:a> <urn:b> \"x\\u009B2J\\u202E````y\" <",
            _ => "+ <urn:a> <urn:b> \"x\\u009B2J\\u202E````y\" .",
        };
        assert!(stdout.contains(line), "{stdout}");
        assert!(format != "markdown" || stdout.ends_with("\n`````\n"), "{stdout}");
    }
}

#[test]
fn values_are_inert_in_a_report() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let fixture =
        fs::read_to_string(crate::karenina::fixtures::path("kwanzaa/citation.json")).expect("it is there");
    let evil = "<img src=x> | [a](b) `c` *d*";
    let text = fixture.replacen("\"category\": \"citation\"", &format!("\"category\": \"{evil}\""), 1);
    assert_ne!(fixture, text);
    fs::write(path.join("evil.json"), text).expect("the folder is ours");
    let (status, stdout, stderr) = run(path, &["stats", "evil.json", "--report"]);
    assert_eq!(status, 0, "{stderr}");
    let row = "| \\<img src=x\\> \\| \\[a\\](b) \\`c\\` \\*d\\* | 1 |";
    assert!(stdout.contains(row), "{stdout}");
    // A message may have it in a code span, where it is nothing but text.
    for line in stdout.lines().filter(|line| !line.contains("\\`")) {
        let outside: String = line.split('`').step_by(2).collect();
        assert!(!outside.replace("\\<img", "").contains("<img"), "{line}");
    }
    for line in stdout.lines().filter(|line| line.contains("\\`")) {
        assert!(!line.replace("\\<img", "").contains("<img"), "{line}");
    }
}

/// A project with a file and a folder of queries.
#[cfg(unix)]
fn project() -> tempfile::TempDir {
    let project = tempfile::tempdir().expect("a temporary folder");
    let path = project.path();
    fs::write(path.join("a.nt"), "<urn:x:a> <urn:x:b> \"c\" .\n").expect("the folder is ours");
    fs::write(path.join("evalgraph.toml"), "queries = \"q\"\n").expect("the folder is ours");
    fs::create_dir(path.join("q")).expect("the folder is ours");
    project
}

#[cfg(unix)]
fn pipe(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status().expect("there is mkfifo");
    assert!(made.success());
}

#[cfg(unix)]
#[test]
fn the_queries_of_a_project_are_short_regular_files_in_it() {
    use std::os::unix::fs::symlink;

    let outside = tempfile::tempdir().expect("a temporary folder");
    fs::write(outside.path().join("outside.rq"), "SELECT (1 AS ?leak) {}").expect("the folder is ours");
    let link_out = |queries: &Path| symlink(outside.path().join("outside.rq"), queries.join("x.rq"));
    let folder_out = |queries: &Path| {
        fs::remove_dir(queries)?;
        symlink(outside.path(), queries)
    };
    let many =
        |queries: &Path| (0..1_001).try_for_each(|at| fs::write(queries.join(format!("{at}.rq")), "ASK {}"));
    let long = "#\n".repeat(500_000);
    let much = |queries: &Path| (0..20).try_for_each(|at| fs::write(queries.join(format!("{at}.rq")), &long));
    type Make<'m> = &'m dyn Fn(&Path) -> std::io::Result<()>;
    let cases: [(&str, Make<'_>, &str); 7] = [
        ("endless", &|queries| symlink("/dev/zero", queries.join("x.rq")), "a link out of the project"),
        (
            "a pipe",
            &|queries| {
                pipe(&queries.join("x.rq"));
                Ok(())
            },
            "not a regular file",
        ),
        ("a link out", &link_out, "a link out of the project"),
        ("a folder out", &folder_out, "a link out of the project"),
        ("long", &|queries| fs::write(queries.join("x.rq"), "#".repeat((1 << 20) + 1)), "at most 1 MiB"),
        ("many", &many, "at most 1,000"),
        ("much", &much, "at most 16 MiB"),
    ];
    for (name, make, reason) in cases {
        let project = project();
        make(&project.path().join("q")).expect("the folder is ours");
        for command in
            [&["query", "a.nt", "-n", "overview"][..], &["queries"], &["query", "a.nt", "-n", "outside"]]
        {
            let (status, stdout, stderr) = run(project.path(), command);
            assert!(status == 2 && stderr.contains(reason), "{name} {command:?}: {stderr}");
            assert!(
                stdout.is_empty() && stderr.contains("sparql::unreadable"),
                "{name} {command:?}: {stderr}"
            );
        }
    }
    // A link to a file of the project is one of its queries.
    let project = project();
    fs::write(project.path().join("shared.rq"), "SELECT (1 AS ?inside) {}").expect("the folder is ours");
    symlink("../shared.rq", project.path().join("q/x.rq")).expect("the folder is ours");
    assert!(run(project.path(), &["query", "a.nt", "-n", "x"]).1.contains("inside"));
}

#[cfg(unix)]
#[test]
fn a_store_whose_files_are_pipes_is_refused() {
    let folder = folder("karenina/p1-physics.jsonld");
    let path = folder.path();
    assert_eq!(run(path, &["init"]).0, 0);
    assert_eq!(run(path, &["load", "p1-physics.jsonld"]).0, 0);
    for file in files_in(&path.join(".evalgraph")) {
        let bytes = fs::read(&file).expect("it can be read");
        fs::remove_file(&file).expect("the folder is ours");
        pipe(&file);
        let name = file.file_name().expect("it has a name").to_string_lossy().into_owned();
        let all = ["query", "-q", "SELECT * { ?s ?p ?o }"];
        for command in [&all[..], &["doctor"], &["update", "-q", "CLEAR ALL"]] {
            let (status, _, stderr) = run(path, command);
            // None waits for a file that it does not need.
            let is_refused = status != 0 && stderr.contains("regular file");
            assert!(is_refused || status == 0 && name != "manifest", "{name} {command:?}: {stderr}");
        }
        fs::remove_file(&file).expect("the folder is ours");
        fs::write(&file, bytes).expect("the folder is ours");
    }
    assert_eq!(run(path, &["doctor"]).0, 0);
}

#[cfg(unix)]
#[test]
fn shapes_that_import_a_pipe_or_a_device_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    pipe(&path.join("more.ttl"));
    fs::write(path.join("a.nt"), "<urn:x:a> <urn:x:b> \"c\" .\n").expect("the folder is ours");
    let more = format!("file://{}", path.join("more.ttl").display());
    for imported in [&*more, "file:///dev/zero"] {
        let shapes = format!("<urn:x:s> <http://www.w3.org/2002/07/owl#imports> <{imported}> .\n");
        fs::write(path.join("shapes.ttl"), shapes).expect("the folder is ours");
        let (status, _, stderr) = run(path, &["validate", "a.nt", "--shapes", "shapes.ttl"]);
        assert!(status == 2 && stderr.contains("not a regular file"), "{imported}: {stderr}");
    }
}

#[cfg(unix)]
#[test]
fn a_context_that_is_a_pipe_is_not_waited_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    pipe(&path.join("context.jsonld"));
    let text = "{\"@context\": \"context.jsonld\", \"@id\": \"urn:x:a\", \"b\": 1}";
    fs::write(path.join("a.jsonld"), text).expect("the folder is ours");
    let (status, _, stderr) = run(path, &["convert", "a.jsonld", "--to", "nq"]);
    assert!(status == 2 && stderr.contains("not a regular file"), "{stderr}");
}
