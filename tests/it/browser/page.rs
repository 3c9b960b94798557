//! A browser at the page of a server, and what has to hold after each visit: nothing in the console, nobody else asked.

use std::path::PathBuf;
use std::time::Instant;

use super::driver::{Browser, PATIENCE};
use crate::beside::skipped;
use crate::serve::served::Served;

/// Questions of all four systems: with templates, rubrics, ratings, experts who disagree, sources, findings, and some that others
/// ask, too.
pub(super) const OF_ALL: [&str; 15] = [
    "fixtures/across/handbook.json",
    "fixtures/across/library.json",
    "fixtures/across/repairs.jsonld",
    "fixtures/across/review.json",
    "fixtures/across/tenancy.jsonld",
    "fixtures/karenina/gdev-geology.jsonld",
    "fixtures/karenina/p1-physics.jsonld",
    "fixtures/karenina/p2-scenario.jsonld",
    "fixtures/karenina/s0-cell-biology.jsonld",
    "fixtures/karenina/x-neuroscience.jsonld",
    "fixtures/kwanzaa/citation.json",
    "fixtures/kwanzaa/grounded-answer.json",
    "fixtures/kwanzaa/refusal.json",
    "fixtures/rlcf/tasks.jsonl",
    "fixtures/train/support-desk.json",
];

/// Keys as the protocol writes them.
pub(super) mod keys {
    pub(crate) const TAB: char = '\u{E004}';
    pub(crate) const ENTER: char = '\u{E007}';
    pub(crate) const SHIFT: char = '\u{E008}';
    pub(crate) const CONTROL: char = '\u{E009}';
    pub(crate) const ESCAPE: char = '\u{E00C}';
    pub(crate) const END: char = '\u{E010}';
    pub(crate) const HOME: char = '\u{E011}';
    pub(crate) const UP: char = '\u{E013}';
    pub(crate) const DOWN: char = '\u{E015}';
}

/// A browser, and the server whose page it is at.
pub(super) struct Page {
    pub(super) browser: Browser,
    served: Served,
}

impl Page {
    /// A browser at a server's page; none where there is no browser, which is said.
    pub(super) fn of(serve: impl FnOnce() -> Served, what: &str) -> Option<Self> {
        if let Some(program) = Browser::missing() {
            let is_needed = std::env::var("EVALGRAPH_BROWSER").is_ok_and(|value| value == "needed");
            assert!(!is_needed, "there is no {program}, and EVALGRAPH_BROWSER says that it is needed");
            skipped(what, &format!("there is no {program}"));
            return None;
        }
        let served = serve();
        let browser = Browser::start();
        browser.colours("light");
        browser.size(1280, 900);
        Some(Self { browser, served })
    }

    /// The address of a view, such as `#/findings`.
    pub(super) fn address(&self, view: &str) -> String {
        format!("http://{}/{view}", self.served.address)
    }

    /// Opens a view as if its address had been sent, and waits until it stands.
    pub(super) fn open(&self, view: &str) {
        self.browser.load(&self.address(view));
        self.stands();
    }

    /// Waits until all that a view asked for is there.
    pub(super) fn stands(&self) {
        self.browser
            .until("document.querySelector('main h1') && !document.querySelector('.bone, [aria-busy=true]')");
    }

    /// Writes a query in the place of the one in the editor.
    pub(super) fn edit(&self, query: &str) {
        self.browser.click(".editor textarea", "");
        self.browser.chord(keys::CONTROL, 'a');
        self.browser.write(query);
    }

    /// The text of a file that the browser was given, once it is whole.
    pub(super) fn download(&self, name: &str) -> String {
        let path: PathBuf = self.browser.downloads().join(name);
        let end = Instant::now() + PATIENCE;
        // It has its name once it is whole.
        while !path.exists() {
            assert!(Instant::now() < end, "no file {name}");
            std::thread::sleep(std::time::Duration::from_millis(30));
        }
        let text = std::fs::read_to_string(&path).expect("the file is text");
        std::fs::remove_file(&path).expect("the folder is ours");
        text
    }

    /// Nothing stands in the console beside what is expected there, and no other host was asked.
    pub(super) fn is_quiet_but(&self, expected: &[&str]) {
        let said = self.browser.console();
        let is_expected = |line: &&String| expected.iter().any(|part| line.contains(part));
        let unexpected: Vec<&String> = said.iter().filter(|line| !is_expected(line)).collect();
        assert!(unexpected.is_empty(), "in the console: {unexpected:#?}");
        let own = self.address("");
        let requests = self.browser.requests();
        assert!(requests.iter().any(|url| url.starts_with(&own)), "the log has requests: {requests:?}");
        // The browser begins with a page of its own.
        let begins = [&*own, "about:", "blob:", "chrome:", "data:"];
        let is_own = |url: &str| begins.iter().any(|begin| url.starts_with(begin));
        let others: Vec<&String> = requests.iter().filter(|url| !is_own(url)).collect();
        assert!(others.is_empty(), "asked elsewhere: {others:#?}");
    }

    pub(super) fn is_quiet(&self) {
        self.is_quiet_but(&[]);
    }
}
