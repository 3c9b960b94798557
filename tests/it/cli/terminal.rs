//! The program on a terminal: a pseudo-terminal of some width, whose keys are typed and whose screen is read.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// How long an answer may take on a machine that has much else to do.
const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal with a program.
pub(super) struct Terminal {
    keys: File,
    screen: Receiver<Vec<u8>>,
    /// What was on the screen and has not been awaited. A character may arrive in two parts.
    seen: Vec<u8>,
    child: Child,
}

impl Terminal {
    /// Runs the program in the folder of the project on a terminal of so many columns. `environment` has variables.
    pub(super) fn run(columns: u16, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&master).expect("ours");
        unlockpt(&master).expect("ours");
        let name = ptsname(&master, Vec::new()).expect("a name");
        let size = Winsize { ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&master, size).expect("a size");
        let path = name.to_str().expect("a path of ASCII");
        let device = OpenOptions::new().read(true).write(true).open(path).expect("the terminal");
        let stdio = || Stdio::from(device.try_clone().expect("a file"));
        // The terminal's keys are signals for the session that it belongs to alone.
        let child = Command::new("setsid")
            .args(["--ctty", crate::program::PATH])
            .args(arguments)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("TERM", "xterm-256color")
            .envs(environment.iter().copied())
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdin(stdio())
            .stdout(stdio())
            .stderr(stdio())
            .spawn()
            .expect("setsid, which each Linux has");
        let keys = File::from(master);
        let mut reader = keys.try_clone().expect("a file");
        let (sender, screen) = mpsc::channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // It fails when nobody has the terminal any more.
            while let Ok(read @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { keys, screen, seen: Vec::new(), child }
    }

    pub(super) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Waits until the screen shows some text, and returns what it has shown since the last call.
    pub(super) fn shows(&mut self, text: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.seen.windows(text.len()).position(|bytes| bytes == text.as_bytes()) {
                let rest = self.seen.split_off(at + text.len());
                let seen = std::mem::replace(&mut self.seen, rest);
                return String::from_utf8_lossy(&seen).into_owned();
            }
            let left = end.saturating_duration_since(Instant::now());
            match self.screen.recv_timeout(left) {
                Ok(bytes) => self.seen.extend(bytes),
                Err(_) => panic!("`{text}` is not shown:\n{}", String::from_utf8_lossy(&self.seen)),
            }
        }
    }

    /// Waits for the end of the program: its status, and what else it has shown.
    pub(super) fn ends(mut self) -> (ExitStatus, String) {
        let status = self.child.wait().expect("it has run");
        while let Ok(bytes) = self.screen.recv_timeout(Duration::from_millis(200)) {
            self.seen.extend(bytes);
        }
        (status, String::from_utf8_lossy(&self.seen).into_owned())
    }
}

const PROMPT: &str = "evalgraph> ";
/// What the editor writes when it has read a line: the terminal is as it was, and Ctrl-C a signal.
const LINE_IS_READ: &str = "\u{1b}[?2004l";

#[test]
fn the_shell_completes_remembers_and_is_interrupted() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let state = home.path().display().to_string();
    let of_user = [("XDG_STATE_HOME", state.as_str())];
    let open = || Terminal::run(80, &["shell", "fixtures/karenina/g-ecology.jsonld", "--quiet"], &of_user);
    let mut terminal = open();
    terminal.shows(PROMPT);
    // A query over several lines, with a name that the data have.
    terminal.press("SELECT (COUNT(?q) AS ?n) {\r");
    terminal.press("?q a s:Quest\t }\r");
    terminal.shows("s:Question");
    terminal.shows("\r\n5\r\n");
    // A query that takes for ever ends alone.
    terminal.shows(PROMPT);
    let conditions = "FILTER(CONCAT(STR(?c), STR(?f)) < CONCAT(STR(?i), STR(?l)))";
    terminal.press("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l\r");
    terminal.press(&format!("{conditions} }}\r"));
    terminal.shows(LINE_IS_READ);
    std::thread::sleep(Duration::from_millis(500));
    terminal.press("\u{3}");
    terminal.shows("error[sparql::interrupted]");
    // A line that is not finished is left.
    terminal.shows(PROMPT);
    terminal.press("SELECT ?x {\u{3}");
    terminal.shows(LINE_IS_READ);
    terminal.press("ASK { ?q a s:Question }\r");
    terminal.shows("\r\ntrue\r\n");
    terminal.shows(PROMPT);
    terminal.press("\u{4}");
    let (status, shown) = terminal.ends();
    assert!(status.success(), "{status}: {shown}");
    // The shell that comes next knows what was asked.
    let mut terminal = open();
    terminal.shows(PROMPT);
    terminal.press("\u{1b}[A");
    terminal.shows("ASK { ?q a s:Question }");
    terminal.press("\r");
    terminal.shows("\r\ntrue\r\n");
    terminal.press(".quit\r");
    assert!(terminal.ends().0.success());
}

/// What a command shows, with its colours as text.
fn shown(columns: u16, arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let (_, shown) = Terminal::run(columns, arguments, environment).ends();
    shown.replace("\r\n", "\n").replace('\u{1b}', "␛")
}

/// Texts of scripts whose letters are as wide as two, are made of several signs, or run from right to left.
const LETTERS: &str = "\
@prefix s: <http://schema.org/> .
<urn:q:1> a s:Question ; s:text \"Welche Pflanzen wachsen im Schatten am besten, und warum tun sie das gerade dort?\" .
<urn:q:2> a s:Question ; s:text \"日本で一番高い山は何ですか。富士山の高さはどれくらいですか。いつ登れますか。\" .
<urn:q:3> a s:Question ; s:text \"👩‍👩‍👧‍👦 👍🏽 🇯🇵 e\u{301}\" .
<urn:q:4> a s:Question ; s:text \"ما هي عاصمة مصر؟\" .
";

#[test]
fn tables_and_findings_are_shown_as_they_always_were() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("letters.ttl").display().to_string();
    std::fs::write(&file, LETTERS).expect("ours");
    let letters =
        ["query", &*file, "-q", "SELECT ?q ?text (STRLEN(?text) AS ?n) { ?q s:text ?text } ORDER BY ?q"];
    let overview = ["query", "fixtures/karenina/p1-physics.jsonld", "-n", "overview"];
    let finding = ["validate", "fixtures/karenina/s0-cell-biology.jsonld"];
    let difference =
        ["diff", "fixtures/revisions/enzymes-2026-01.jsonld", "fixtures/revisions/enzymes-2026-03.jsonld"];
    let folder_overview = ["query", "fixtures/karenina", "-n", "overview"];
    let unfinished = ["query", "fixtures/karenina", "-n", "unfinished"];
    let cards = ["query", "fixtures/karenina/g-ecology.jsonld", "-n", "question-cards"];
    let figures = ["figures", "fixtures/rlcf/worked/export.json"];
    let results = ["validate", "fixtures/karenina/s0-cell-biology.jsonld", "--format", "table"];
    for columns in [60, 80, 120, 200] {
        insta::assert_snapshot!(format!("overview_{columns}"), shown(columns, &overview, &[]));
        insta::assert_snapshot!(format!("letters_{columns}"), shown(columns, &letters, &[]));
        insta::assert_snapshot!(format!("folder_overview_{columns}"), shown(columns, &folder_overview, &[]));
        insta::assert_snapshot!(format!("unfinished_{columns}"), shown(columns, &unfinished, &[]));
        insta::assert_snapshot!(format!("question_cards_{columns}"), shown(columns, &cards, &[]));
        insta::assert_snapshot!(format!("figures_{columns}"), shown(columns, &figures, &[]));
        insta::assert_snapshot!(format!("results_{columns}"), shown(columns, &results, &[]));
    }
    insta::assert_snapshot!("finding_with_colours", shown(80, &finding, &[]));
    insta::assert_snapshot!("finding_without_colours", shown(80, &finding, &[("NO_COLOR", "1")]));
    insta::assert_snapshot!("finding_on_a_dumb_terminal", shown(80, &finding, &[("TERM", "dumb")]));
    insta::assert_snapshot!("stats", shown(80, &["stats", "fixtures/karenina/p1-physics.jsonld"], &[]));
    insta::assert_snapshot!("difference", shown(80, &difference, &[]));
    insta::assert_snapshot!("fault", shown(80, &["query", &file, "-q", "SELECT ?x { ?x s:texxt }"], &[]));
}

/// The text without the sequences that set colours.
fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == ';');
        match end.strip_prefix('m') {
            Some(end) => rest.push_str(end),
            None => rest.push_str(&format!("\u{1b}[{part}")),
        }
    }
    rest
}

/// A title, a sequence in one sign, and a mark that turns the text around.
const OBEYED: &str = "\\u001B]0;title\\u0007 \\u009B2J \\u202E \\u001B[31mred";

#[test]
fn nothing_that_data_say_is_obeyed_in_any_form() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("ours");
        path.display().to_string()
    };
    let data = format!("<urn:a> a <http://schema.org/Question> ; <http://schema.org/text> \"{OBEYED}\" .\n");
    let turtle = path("a.ttl", &data);
    let other = path("b.ttl", &data.replace("title", "other"));
    let json = path("a.jsonld", &format!("{{\"@id\": \"urn:a\", \"http://schema.org/text\": \"{OBEYED}\"}}"));
    let shapes = path(
        "shapes.ttl",
        &format!(
            "@prefix sh: <http://www.w3.org/ns/shacl#> . <urn:s> a sh:NodeShape ; sh:name \"{OBEYED}\" ;
            sh:targetSubjectsOf <http://schema.org/text> ;
            sh:property [ sh:path <urn:z> ; sh:minCount 1 ; sh:message \"{OBEYED}\" ] ."
        ),
    );
    let all = "SELECT * { ?s ?p ?o }";
    let mut commands: Vec<Vec<&str>> = vec![
        vec!["expand", &json],
        vec!["canon", &turtle],
        vec!["query", &turtle, "-q", "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }"],
        vec!["validate", &turtle, "--shapes", &shapes],
        vec!["stats", &turtle],
        vec!["diff", &turtle, &other],
        vec!["check", &turtle],
    ];
    for form in ["ttl", "nt", "trig", "jsonld", "rdf"] {
        commands.push(vec!["convert", &turtle, "--to", form]);
    }
    for form in ["table", "csv", "tsv", "json", "jsonl", "sparql-json", "sparql-xml", "md"] {
        commands.push(vec!["query", &turtle, "-q", all, "--format", form]);
    }
    for command in commands {
        for columns in [0, 80] {
            for environment in [&[][..], &[("NO_COLOR", "1")]] {
                let (_, screen) = Terminal::run(columns, &command, environment).ends();
                assert!(!screen.is_empty(), "{command:?}");
                let rest = if environment.is_empty() { without_colours(&screen) } else { screen.clone() };
                for obeyed in ['\u{1b}', '\u{9b}', '\u{202e}', '\u{7}'] {
                    assert!(!rest.contains(obeyed), "{command:?} {columns} {environment:?}: {rest:?}");
                }
                assert!(!screen.contains("\u{1b}[31mred"), "{command:?}: {screen:?}");
            }
        }
    }
}
