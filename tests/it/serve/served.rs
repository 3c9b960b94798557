//! The program as a server: started as a child, asked over loopback, stopped by a signal.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::client::{Ask, PATIENCE, Reply, get};
use crate::cli::input::run;

/// A server that runs.
pub(crate) struct Served {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Served {
    /// Starts the program in a folder, at a free port.
    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = crate::program::program();
        command.current_dir(folder).args(["serve", "--bind", "127.0.0.1:0"]).args(arguments);
        Self::of(command)
    }

    /// Starts a command that says where it listens.
    pub(super) fn of(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut line).expect("it says where it listens");
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
        let address = address.and_then(|address| address.parse().ok());
        Self { child, address: address.unwrap_or_else(|| panic!("no address: {line:?}")) }
    }

    /// Serves fixtures.
    pub(crate) fn fixtures(files: &[&str]) -> Self {
        Self::start(Path::new(env!("CARGO_MANIFEST_DIR")), files)
    }

    pub(super) fn send(&self, request: &Ask) -> Reply {
        request.send(self.address)
    }

    /// One of the server's figures.
    pub(super) fn metric(&self, name: &str) -> u64 {
        let text = self.send(&get("/metrics")).text();
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("evalgraph_{name} ")));
        line.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {name}: {text}"))
    }

    /// Sends a signal, and waits for the end: the exit status.
    #[cfg(unix)]
    pub(super) fn stop(mut self, signal: &str) -> Option<i32> {
        self.signal(signal);
        self.child.wait().expect("it ends").code()
    }

    #[cfg(unix)]
    pub(super) fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().expect("kill is there").success());
    }

    /// The variables of its environment, each between zeros.
    #[cfg(target_os = "linux")]
    pub(super) fn environment(&self) -> String {
        let variables = std::fs::read(format!("/proc/{}/environ", self.child.id()));
        format!("\0{}", String::from_utf8_lossy(&variables.expect("the server lives")))
    }

    /// Bytes of resident memory that no file stands behind.
    #[cfg(target_os = "linux")]
    pub(super) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("the server lives");
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("the system says it");
        line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number of kilobytes") << 10
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for an event, which comes long before the patience is over.
pub(super) fn wait_until(is_so: impl Fn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "it does not come about");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A folder with a store that has these files.
pub(crate) fn store_of(files: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files: Vec<String> = files.iter().map(|file| root.join(file).display().to_string()).collect();
    let mut arguments = vec!["load"];
    arguments.extend(files.iter().map(String::as_str));
    assert_eq!(run(folder.path(), &["init"]).0, 0);
    if files.is_empty() {
        return folder;
    }
    let (status, _, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 0, "{stderr}");
    folder
}
