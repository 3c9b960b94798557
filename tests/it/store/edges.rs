//! The store where things go wrong: damaged files, folders that may not be written or are gone, limits and
//! Ctrl-C. Whatever is said, the store is as it was.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use evalgraph::store::{FolderMedium, StoreFolder, StoreMedium};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::beside::skipped;
use crate::cli::input::{evalgraph, run};
use crate::store::medium::{Files, files_of, put_files};

/// A checkpoint whose texts cannot be compressed, so that its terms take several blocks.
pub(crate) fn checkpoint(name: &str, questions: usize) -> String {
    let mut random = StdRng::seed_from_u64(questions as u64);
    let items: Vec<String> = (0..questions)
        .map(|number| {
            let text: String =
                (0..1200).map(|_| char::from(random.random_range(b'a'..=b'z'))).collect();
            format!(
                r#"{{"@type": "DataFeedItem", "@id": "urn:uuid:{name}-{number}", "item": {{"@type": "Question",
                "text": "{number} {text}", "acceptedAnswer": {{"@type": "Answer", "text": "{number}"}}}}}}"#
            )
        })
        .collect();
    format!(
        r#"{{"@context": {{"@vocab": "http://schema.org/", "hasPart": {{"@container": "@set"}}}}, "@type": "Dataset",
        "@id": "urn:uuid:{name}", "name": "{name}", "version": "1", "hasPart": [{}]}}"#,
        items.join(",\n")
    )
}

/// A folder with a store of one large checkpoint.
pub(crate) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("large.jsonld"), checkpoint("large", 400)).expect("the folder is ours");
    ok(folder.path(), &["init"]);
    ok(folder.path(), &["load", "large.jsonld"]);
    folder
}

/// Runs a command that is to succeed; stdout.
pub(crate) fn ok(path: &Path, arguments: &[&str]) -> String {
    let (status, stdout, stderr) = run(path, arguments);
    assert_eq!(status, 0, "{arguments:?}: {stderr}");
    stdout
}

/// Runs a command that is to fail with a code; what it says.
#[track_caller]
pub(crate) fn fails(path: &Path, arguments: &[&str], code: &str) -> String {
    let (status, stdout, stderr) = run(path, arguments);
    assert_eq!(status, 2, "{arguments:?}: {stdout} {stderr}");
    assert!(stderr.contains(&format!("error[{code}]")), "{arguments:?}: {stderr}");
    stderr
}

/// The files of a store but for the lock, whose line is for people only.
pub(crate) fn state(path: &Path) -> Files {
    let mut files = files_of(&path.join(".evalgraph"));
    files.remove("lock");
    files
}

/// Changes a byte in every block but the first and the last ones of the largest file of a kind.
pub(crate) fn damage(path: &Path, kind: &str) {
    let mut files = files_of(&path.join(".evalgraph"));
    let of_kind = files.iter_mut().filter(|(name, _)| name.starts_with(kind));
    let (_, content) = of_kind.max_by_key(|(_, content)| content.len()).expect("there is one");
    assert!(content.len() > 4 << 16, "{} bytes of {kind}", content.len());
    for place in ((1 << 16) + 5000..content.len() - (2 << 16)).step_by(1 << 16) {
        content[place] ^= 1;
    }
    put_files(&path.join(".evalgraph"), &files);
}

#[test]
fn nothing_is_changed_over_damaged_terms() {
    let folder = folder();
    let path = folder.path();
    let question =
        ok(path, &["query", "-q", "SELECT ?text { ?q a s:Question ; s:text ?text }", "--limit", "300"]);
    let texts: Vec<&str> = question.lines().skip(1).collect();
    damage(path, "terms-");
    let before = state(path);
    fs::write(path.join("more.jsonld"), checkpoint("large", 400).replace("urn:uuid:large", "urn:uuid:more"))
        .expect("the folder is ours");
    assert!(fails(path, &["load", "more.jsonld"], "store::damaged").contains("evalgraph doctor"));
    let insertions: Vec<String> = texts.iter().map(|text| format!("<urn:a> <urn:p> \"{text}\" .")).collect();
    fs::write(path.join("insertion.ru"), format!("INSERT DATA {{ {} }}", insertions.join("\n")))
        .expect("the folder is ours");
    fails(path, &["update", "-f", "insertion.ru"], "store::damaged");
    fails(path, &["update", "-f", "insertion.ru", "--dry-run"], "store::damaged");
    let none = "DELETE { ?q s:text ?t } WHERE { ?q s:text ?t FILTER(STRSTARTS(?t, 'nothing has this')) }";
    fails(path, &["update", "-q", none], "store::damaged");
    let is_damaged = |text: &&&str| run(path, &["set", text, "--answer", "new"]).0 != 0;
    let text = texts.iter().find(is_damaged).expect("some texts cannot be read");
    fails(path, &["set", text, "--answer", "new"], "store::damaged");
    assert_eq!(state(path).keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
}

#[test]
fn an_explanation_of_a_query_over_damage_says_so() {
    let folder = folder();
    let path = folder.path();
    let query = ["query", "-q", "SELECT ?text { ?q s:text ?text FILTER(STRLEN(?text) > 3) }", "--explain"];
    assert!(ok(path, &query).contains("plan:"));
    damage(path, "terms-");
    fails(path, &query, "store::damaged");
    let path_query = ["query", "-q", "ASK { ?q s:text/s:none ?text FILTER(?text != 'a') }", "--explain"];
    let (status, _, stderr) = run(path, &path_query);
    assert!(status == 0 || stderr.contains("store::damaged"), "{stderr}");
}

#[test]
fn a_file_or_nothing_is_no_store() {
    let folder = folder();
    let path = folder.path();
    let before = state(path);
    for arguments in [
        &["query", "-q", "ASK {}", "--store", "large.jsonld"][..],
        &["load", "large.jsonld", "--store", "large.jsonld"],
        &["update", "-q", "CLEAR ALL", "--store", "large.jsonld"],
        &["graphs", "--store", "large.jsonld"],
        &["doctor", "--store", "large.jsonld"],
    ] {
        let said = fails(path, arguments, "store::missing");
        assert!(said.contains("`large.jsonld` is a file, and a store is a folder"), "{said}");
    }
    fails(path, &["query", "-q", "ASK {}", "--store", "nowhere"], "store::missing");
    fails(path, &["init", "large.jsonld"], "store::io");
    assert_eq!(state(path), before);
}

/// The program as somebody who does not own the folder; none where that cannot be, which is said.
#[cfg(unix)]
struct Somebody {
    program: PathBuf,
    is_root: bool,
}

#[cfg(unix)]
impl Somebody {
    fn new(folder: &Path) -> Option<Self> {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let is_root = fs::metadata(folder).expect("it is ours").uid() == 0;
        let mut program = PathBuf::from(crate::program::PATH);
        if is_root {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("it is ours");
            let copy = folder.join("evalgraph");
            fs::copy(&program, &copy).expect("the folder is ours");
            fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).expect("it is ours");
            program = copy;
        }
        let somebody = Self { program, is_root };
        let output = somebody.command(folder, &["--version"]).output();
        if !output.is_ok_and(|output| output.status.success()) {
            skipped("what another user may do", "the program cannot be run as another user");
            return None;
        }
        Some(somebody)
    }

    fn command(&self, folder: &Path, arguments: &[&str]) -> Command {
        use std::os::unix::process::CommandExt;
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(folder).stdin(Stdio::null());
        if self.is_root {
            command.uid(65534).gid(65534);
        }
        command
    }

    fn run(&self, folder: &Path, arguments: &[&str]) -> (i32, String) {
        let output = self.command(folder, arguments).output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code().expect("it ends by itself"), said)
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_is_read_and_stays() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let path = folder.path();
    let Some(somebody) = Somebody::new(path) else { return };
    fs::write(path.join("more.jsonld"), checkpoint("more", 2)).expect("the folder is ours");
    let store = path.join(".evalgraph");
    let allow = |mode: u32| {
        fs::set_permissions(&store, fs::Permissions::from_mode(mode)).expect("it is ours");
    };
    let before = state(path);
    let changes = [
        &["load", "more.jsonld"][..],
        &["update", "-q", "CLEAR ALL"],
        &["set", "urn:uuid:large-3", "--answer", "new"],
        &["graphs", "drop", "large.jsonld"],
    ];
    let check = |said: (i32, String), code: &str| {
        assert!(said.0 == 2 && said.1.contains(code) && said.1.contains("help:"), "{said:?}");
        assert_eq!(state(path), before);
    };
    // Who may not write reads all the same.
    allow(0o555);
    assert_eq!(somebody.run(path, &["query", "-q", "ASK { ?q a s:Question }"]).0, 0);
    assert_eq!(somebody.run(path, &["doctor"]).0, 0);
    // The lock may be writable, and nothing else.
    let modes = if somebody.is_root { [0o644, 0o666] } else { [0o444, 0o644] };
    for mode in modes {
        fs::set_permissions(store.join("lock"), fs::Permissions::from_mode(mode)).expect("it is ours");
        for change in changes {
            check(somebody.run(path, change), "error[store::permission]");
        }
    }
    // Nor may a folder be read that belongs to nobody else.
    allow(0o000);
    for command in changes.iter().copied().chain([&["query", "-q", "ASK {}"][..], &["doctor"], &["graphs"]]) {
        let said = somebody.run(path, &[command, &["--store", ".evalgraph"]].concat());
        assert!(said.0 == 2 && said.1.contains("error[store::permission]"), "{command:?}: {said:?}");
    }
    allow(0o755);
    let manifest = store.join("manifest");
    fs::set_permissions(&manifest, fs::Permissions::from_mode(0o000)).expect("it is ours");
    let said = somebody.run(path, &["query", "-q", "ASK {}"]);
    fs::set_permissions(&manifest, fs::Permissions::from_mode(0o644)).expect("it is ours");
    check(said, "error[store::permission]");
    fs::set_permissions(path, fs::Permissions::from_mode(0o555)).expect("it is ours");
    let said = somebody.run(path, &["init", "new"]);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    check((said.0, said.1 + "help:"), "error[store::permission]");
}

/// Begins to change the store, and waits until it holds the lock.
fn begin(path: &Path, arguments: &[&str]) -> Child {
    let lock = path.join(".evalgraph/lock");
    let mut command = crate::program::program();
    command.args(arguments).current_dir(path);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("it starts");
    let who = format!("process {},", child.id());
    let start = Instant::now();
    while !fs::read_to_string(&lock).is_ok_and(|text| text.contains(&who)) {
        assert!(start.elapsed() < Duration::from_secs(60), "{arguments:?} has begun");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn a_store_that_is_removed_underneath_is_missed() {
    let folder = folder();
    let path = folder.path();
    // It waits for stdin with the lock in its hands.
    let child = begin(path, &["load", "-", "--dataset", "late"]);
    fs::remove_dir_all(path.join(".evalgraph")).expect("it is ours");
    let mut stdin = child.stdin.as_ref().expect("it is piped");
    // It may have missed the store before it reads.
    let _ = std::io::Write::write_all(&mut stdin, checkpoint("late", 2).as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("error[store::missing]") && said.contains("was the folder removed?"), "{said}");
    assert!(!path.join(".evalgraph").exists(), "it is not made again");
    fails(path, &["query", "-q", "ASK {}"], "store::missing");
}

#[test]
fn who_has_opened_a_store_reads_on_when_it_is_removed() {
    let folder = folder();
    let path = folder.path().join(".evalgraph");
    let store = StoreFolder::open(Arc::new(FolderMedium::new(&path))).expect("it is there");
    let snapshot = store.snapshot().expect("it opens");
    let count = snapshot.dataset().quad_count();
    if cfg!(unix) {
        fs::remove_dir_all(&path).expect("it is ours");
        let terms = snapshot.dataset().dictionary();
        let texts = snapshot.dataset().quads().map(|quad| terms.lexical(quad.object).len());
        assert!(texts.sum::<usize>() > 400_000 && snapshot.dataset().quads().count() == count);
        assert!(snapshot.dataset().fault().is_none());
        assert_eq!(store.snapshot().expect_err("it is gone").code, "store::missing");
        assert_eq!(store.change("a test").expect_err("it is gone").code, "store::missing");
    }
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    assert!(sent.success());
}

/// What an interrupted command has to leave behind.
#[cfg(unix)]
#[track_caller]
fn is_undone(child: Child, path: &Path, before: &Files) {
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("error[sparql::interrupted]: interrupted"), "{said}");
    assert_eq!(&state(path), before);
    ok(path, &["update", "-q", "INSERT DATA { GRAPH <urn:g> { <urn:a> <urn:b> 1 } }"]);
    ok(path, &["graphs", "drop", "urn:g"]);
}

const ENDLESS: &str = "INSERT { GRAPH <urn:g> { ?s <urn:p> ?d } } WHERE { ?s ?p ?a . ?t ?q ?b . ?u ?r ?c . ?v ?w ?d \
    FILTER(CONCAT(STR(?a), STR(?b), STR(?c)) = 'no') }";

#[cfg(unix)]
#[test]
fn ctrl_c_undoes_a_change_of_the_store() {
    let folder = folder();
    let path = folder.path();
    let before = || state(path);
    // While it reads.
    let was = before();
    let mut child = begin(path, &["load", "-"]);
    let stdin = child.stdin.take();
    interrupt(&child);
    is_undone(child, path, &was);
    drop(stdin);
    // While it evaluates.
    let was = before();
    let child = begin(path, &["update", "-q", ENDLESS]);
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    is_undone(child, path, &was);
    // At once.
    let was = before();
    let child = begin(path, &["update", "-q", ENDLESS]);
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    interrupt(&child);
    let start = Instant::now();
    assert_eq!(child.wait_with_output().expect("it ends").status.code(), Some(130));
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(before(), was);
    // A query changes nothing, and ends as well.
    let query =
        "SELECT * { ?s ?p ?a . ?t ?q ?b . ?u ?r ?c FILTER(CONCAT(STR(?a), STR(?b), STR(?c)) = 'no') }";
    let mut command = crate::program::program();
    command.args(["query", "-q", query, "-o", "out.csv"]).current_dir(path);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let is_unfinished = |name: &String| name.starts_with(".evalgraph-");
    let start = Instant::now();
    while !names_in(path).iter().any(is_unfinished) {
        assert!(start.elapsed() < Duration::from_secs(60), "the query has begun");
        std::thread::sleep(Duration::from_millis(10));
    }
    interrupt(&child);
    is_undone(child, path, &was);
    assert!(!names_in(path).iter().any(|name| is_unfinished(name) || name == "out.csv"));
}

#[cfg(unix)]
fn names_in(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).expect("it is there");
    entries.map(|entry| entry.expect("it is there").file_name().to_string_lossy().into_owned()).collect()
}

/// Who ends the process sweeps up while another thread writes: nothing is begun after that.
#[test]
fn a_closed_folder_makes_no_file() {
    let folder = folder();
    let medium = FolderMedium::new(folder.path());
    drop(medium.create("graphs-1").expect("the folder is ours"));
    let other = medium.clone();
    medium.close();
    assert!(medium.create("graphs-2").is_err() && other.create("graphs-2").is_err());
    assert!(folder.path().join("graphs-1").exists() && !folder.path().join("graphs-2").exists());
}

/// At any moment of a load or of `set`: what ends with 130 has changed nothing, what ends with 0 all.
#[cfg(unix)]
#[test]
fn ctrl_c_at_any_moment_undoes_all_or_nothing() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("more.jsonld"), checkpoint("more", 600)).expect("the folder is ours");
    let answer = |path: &Path| run(path, &["query", "-q", "ASK { ?a s:text 'another answer' }"]).0 == 0;
    let is_loaded = |path: &Path| ok(path, &["graphs"]).contains("more.jsonld");
    let set = ["set", "urn:uuid:large-3", "--answer", "another answer"];
    let mut undone = 0;
    for (command, undo, is_done) in [
        (
            &["load", "more.jsonld"][..],
            &["graphs", "drop", "more.jsonld"][..],
            &is_loaded as &dyn Fn(&Path) -> bool,
        ),
        (&set, &["set", "urn:uuid:large-3", "--answer", "3"], &answer),
    ] {
        let start = Instant::now();
        ok(path, command);
        let usual = start.elapsed();
        ok(path, undo);
        for moment in 0..8 {
            let was = state(path);
            let child = begin(path, command);
            std::thread::sleep(usual.mul_f64(f64::from(moment) / 8.0));
            interrupt(&child);
            let output = child.wait_with_output().expect("it ends");
            match output.status.code() {
                Some(130) => {
                    undone += 1;
                    let names: Vec<String> = state(path).into_keys().collect();
                    assert_eq!(names, was.keys().cloned().collect::<Vec<_>>(), "{command:?} at {moment}");
                    assert!(!is_done(path), "{command:?} at {moment}");
                }
                Some(0) => {
                    assert!(is_done(path), "{command:?} at {moment}");
                    ok(path, undo);
                }
                // Before it listens the signal ends it as it ends any process.
                None => assert!(!is_done(path)),
                other => panic!("{other:?}: {}", String::from_utf8_lossy(&output.stderr)),
            }
        }
    }
    println!("{undone} of 16 were undone");
    assert_eq!(run(path, &["doctor"]).0, 0);
}

#[test]
fn limits_of_an_update_leave_the_store_as_it_was() {
    let folder = folder();
    let path = folder.path();
    let before = state(path);
    let said = fails(path, &["update", "-q", ENDLESS, "--timeout", "300ms"], "limit::timeout");
    assert!(said.contains("the run did not end within its time limit of 300ms"), "{said}");
    if cfg!(target_os = "linux") {
        let all = "INSERT { GRAPH <urn:g> { ?s <urn:p> ?all } } WHERE { ?s ?p ?a . ?t ?q ?b . \
                   BIND(CONCAT(STR(?a), STR(?b)) AS ?all) }";
        let said = fails(path, &["update", "-q", all, "--max-memory", "100MiB"], "limit::memory");
        assert!(!said.contains("query"), "{said}");
    }
    assert_eq!(state(path), before);
    let unknown = ["update", "-q", "CLEAR ALL", "-p", "nothing=1"];
    assert!(fails(path, &unknown, "sparql::unknown-parameter").contains("the update has no parameter"));
    let mut command = evalgraph(path);
    command.args(["update"]).write_stdin("").assert().code(2);
}
