//! A browser that is driven: chromedriver as a child, spoken to by the W3C's WebDriver protocol over loopback, and headless
//! Chromium with a profile and a folder of downloads of its own.
//!
//! `fantoccini` would do it over a second client of HTTP with a runtime, for a dozen requests of the protocol.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

/// How long the page may take for what is waited for: far longer than it does on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);
/// By what the protocol names an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// More than a screenshot or a log has.
const MOST_BYTES: u64 = 256 << 20;
/// Chromium keeps to the page: it asks nobody for updates, and a container has neither its sandbox nor much shared memory.
const SWITCHES: [&str; 9] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--hide-scrollbars",
    "--no-first-run",
    "--window-size=1280,900",
];

pub(crate) struct Browser {
    agent: ureq::Agent,
    /// The URL of the session.
    session: String,
    folder: TempDir,
    // Dropped after the session has been ended.
    _chromedriver: Chromedriver,
}

struct Chromedriver {
    child: Child,
    /// Open as long as the child lives, which may still write.
    _stdout: BufReader<ChildStdout>,
}

/// An element of the page.
#[derive(Debug, Clone)]
pub(crate) struct Element(String);

/// What the protocol refused: its code, such as `stale element reference`, and its message.
#[derive(Debug)]
pub(crate) struct Refusal {
    code: String,
    message: String,
}

impl Browser {
    /// The program that is missing for a browser.
    pub(crate) fn missing() -> Option<&'static str> {
        ["chromedriver", "chromium"].into_iter().find(|name| program(name).is_none())
    }

    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        for name in ["profile", "downloads"] {
            std::fs::create_dir(folder.path().join(name)).expect("the folder is ours");
        }
        let chromedriver = program("chromedriver").expect("it was looked for");
        let mut command = Command::new(chromedriver);
        // What it and Chromium keep goes with the folder.
        command.args(["--port=0"]).env("TMPDIR", folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("chromedriver starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let port = port(&mut stdout);
        let chromedriver = Chromedriver { child, _stdout: stdout };
        let config = ureq::Agent::config_builder().proxy(None).http_status_as_error(false);
        let agent = config.timeout_global(Some(PATIENCE * 2)).build().new_agent();
        let mut browser = Self { agent, session: String::new(), folder, _chromedriver: chromedriver };
        let new = browser.send("POST", &format!("http://127.0.0.1:{port}/session"), &browser.wanted());
        let new = new.unwrap_or_else(|refusal| panic!("{}: {}", refusal.code, refusal.message));
        let id = new["sessionId"].as_str().expect("a session has an id");
        browser.session = format!("http://127.0.0.1:{port}/session/{id}");
        let downloads = browser.downloads();
        let behaviour = json!({ "behavior": "allow", "downloadPath": downloads });
        browser.cdp("Browser.setDownloadBehavior", &behaviour);
        browser
    }

    fn wanted(&self) -> Value {
        let mut switches: Vec<String> = SWITCHES.iter().map(|&switch| switch.to_owned()).collect();
        switches.push(format!("--user-data-dir={}", self.folder.path().join("profile").display()));
        json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            // A window that a script opens stays open: the next command fails on it.
            "unhandledPromptBehavior": "ignore",
            "timeouts": { "script": 60_000 },
            "goog:chromeOptions": { "binary": program("chromium"), "args": switches },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        } } })
    }

    pub(crate) fn downloads(&self) -> PathBuf {
        self.folder.path().join("downloads")
    }

    fn send(&self, method: &str, url: &str, body: &Value) -> Result<Value, Refusal> {
        let reply = match method {
            "GET" => self.agent.get(url).call(),
            "DELETE" => self.agent.delete(url).call(),
            _ => self.agent.post(url).header("content-type", "application/json").send(body.to_string()),
        };
        let reply = reply.unwrap_or_else(|error| panic!("chromedriver does not answer {url}: {error}"));
        let is_refused = reply.status().as_u16() >= 400;
        let text = reply.into_body().into_with_config().limit(MOST_BYTES).read_to_string();
        let text = text.unwrap_or_else(|error| panic!("chromedriver does not answer {url}: {error}"));
        let mut answer: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let value = answer["value"].take();
        if !is_refused {
            return Ok(value);
        }
        let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        Err(Refusal { code: text("error"), message: text("message") })
    }

    fn try_command(&self, path: &str, body: &Value) -> Result<Value, Refusal> {
        self.send("POST", &format!("{}{path}", self.session), body)
    }

    fn command(&self, path: &str, body: &Value) -> Value {
        let answer = self.try_command(path, body);
        answer.unwrap_or_else(|refusal| panic!("{path} {body}: {}: {}", refusal.code, refusal.message))
    }

    /// A command of the browser's own protocol.
    pub(crate) fn cdp(&self, name: &str, parameters: &Value) -> Value {
        self.command("/goog/cdp/execute", &json!({ "cmd": name, "params": parameters }))
    }

    /// Loads a page anew, also where only what follows `#` is another.
    pub(crate) fn load(&self, url: &str) {
        self.command("/url", &json!({ "url": "about:blank" }));
        self.command("/url", &json!({ "url": url }));
    }

    pub(crate) fn reload(&self) {
        self.command("/refresh", &json!({}));
    }

    pub(crate) fn back(&self) {
        self.command("/back", &json!({}));
    }

    /// What a function returns; of a promise, what it is kept with.
    pub(crate) fn script(&self, body: &str, arguments: &[Value]) -> Value {
        self.command("/execute/sync", &json!({ "script": body, "args": arguments }))
    }

    /// The value of an expression.
    pub(crate) fn value(&self, expression: &str) -> Value {
        self.script(&format!("return ({expression});"), &[])
    }

    /// The text of the first element, or of its field.
    pub(crate) fn text(&self, css: &str) -> String {
        let of = "const e = document.querySelector(arguments[0]); return e && (e.value ?? e.innerText);";
        let text = self.script(of, &[json!(css)]);
        text.as_str().unwrap_or_else(|| panic!("there is no {css} at {}", self.url())).to_owned()
    }

    pub(crate) fn url(&self) -> String {
        self.value("location.href").as_str().expect("a page has a URL").to_owned()
    }

    /// Waits until an expression is true of the page.
    pub(crate) fn until(&self, expression: &str) {
        let end = Instant::now() + PATIENCE;
        let guarded = format!("try {{ return Boolean({expression}); }} catch {{ return false; }}");
        while self.script(&guarded, &[]) != json!(true) {
            if Instant::now() > end {
                panic!(
                    "never came: {expression}\nat {}\n{}",
                    self.url(),
                    self.value("document.body.innerText")
                );
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// The first element in sight of those that a selector finds whose text has the given one.
    pub(crate) fn find(&self, css: &str, text: &str) -> Option<Element> {
        let found = self.script(
            "return [...document.querySelectorAll(arguments[0])].find((e) => e.getClientRects().length > 0
               && (e.innerText + (e.getAttribute('aria-label') ?? '')).includes(arguments[1]));",
            &[json!(css), json!(text)],
        );
        found[ELEMENT].as_str().map(|id| Element(id.to_owned()))
    }

    /// Presses the mouse on an element, once it is there and nothing lies upon it.
    pub(crate) fn click(&self, css: &str, text: &str) {
        let end = Instant::now() + PATIENCE;
        let mut last = String::from("it is not there");
        while Instant::now() < end {
            if let Some(Element(id)) = self.find(css, text) {
                match self.try_command(&format!("/element/{id}/click"), &json!({})) {
                    Ok(_) => return,
                    // Lists are drawn anew, and what moves lies upon other things for a moment.
                    Err(refusal) => last = format!("{}: {}", refusal.code, refusal.message),
                }
            }
            std::thread::sleep(Duration::from_millis(30));
        }
        panic!(
            "no click on {css} {text:?} at {}: {last}\n{}",
            self.url(),
            self.value("document.body.innerText")
        );
    }

    /// Chooses an option of a list as a person does, whose change the page hears.
    pub(crate) fn choose(&self, css: &str, value: &str) {
        self.until(&format!("document.querySelector({})", json!(css)));
        let option = format!("{css} option[value={}]", json!(value));
        let found = self.script("return document.querySelector(arguments[0]);", &[json!(option)]);
        let id = found[ELEMENT].as_str().unwrap_or_else(|| panic!("there is no {option}"));
        self.command(&format!("/element/{id}/click"), &json!({}));
    }

    /// Presses keys one after the other, where the focus is.
    pub(crate) fn write(&self, keys: &str) {
        let steps: Vec<Value> = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key })))
            .collect();
        self.keys(&steps);
    }

    /// Presses a key while another one is held.
    pub(crate) fn chord(&self, held: char, key: char) {
        let step = |kind: &str, key: char| json!({ "type": kind, "value": key });
        self.keys(&[step("keyDown", held), step("keyDown", key), step("keyUp", key), step("keyUp", held)]);
    }

    fn keys(&self, steps: &[Value]) {
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": steps });
        self.command("/actions", &json!({ "actions": [keyboard] }));
    }

    /// The size of what is seen of the page.
    pub(crate) fn size(&self, width: u32, height: u32) {
        let is_phone = width < 600;
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone });
        self.cdp("Emulation.setDeviceMetricsOverride", &size);
    }

    /// The colours that the system asks for.
    pub(crate) fn colours(&self, scheme: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.cdp("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// A picture of what is seen, as PNG.
    pub(crate) fn picture(&self) -> Vec<u8> {
        let taken =
            self.cdp("Page.captureScreenshot", &json!({ "format": "png", "optimizeForSpeed": false }));
        BASE64_STANDARD.decode(taken["data"].as_str().expect("it has data")).expect("it is base64")
    }

    /// What came into a log since it was last read.
    fn log(&self, kind: &str) -> Vec<Value> {
        match self.command("/se/log", &json!({ "type": kind })) {
            Value::Array(entries) => entries,
            other => panic!("no log: {other}"),
        }
    }

    /// What the console of the page has said since it was last read: errors, warnings, and refusals of the policy of contents.
    pub(crate) fn console(&self) -> Vec<String> {
        self.log("browser").iter().map(|entry| format!("{}: {}", entry["level"], entry["message"])).collect()
    }

    /// The URLs that were asked for since this was last read.
    pub(crate) fn requests(&self) -> Vec<String> {
        let messages = self.log("performance").into_iter().filter_map(|entry| {
            let message = serde_json::from_str::<Value>(entry["message"].as_str()?).ok()?;
            let message = &message["message"];
            let is_request = message["method"] == "Network.requestWillBeSent";
            is_request.then(|| message["params"]["request"]["url"].as_str().map(str::to_owned))?
        });
        messages.collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            // The browser ends with its session; a failure has been told by then.
            let _ = self.agent.delete(&self.session).call();
        }
    }
}

impl Drop for Chromedriver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The port that chromedriver says it listens at.
fn port(stdout: &mut BufReader<ChildStdout>) -> u16 {
    let mut said = String::new();
    loop {
        let mut line = String::new();
        let read = stdout.read_line(&mut line).expect("chromedriver writes text");
        assert!(read > 0, "chromedriver has ended: {said}");
        if let Some((_, port)) = line.split_once("successfully on port ") {
            return port.trim().trim_end_matches('.').parse().expect("a port is a number");
        }
        said.push_str(&line);
    }
}

/// A program in the search path.
fn program(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| Path::is_file(path))
}
