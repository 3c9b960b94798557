//! Opens pages in the user's browser.

use std::io;
use std::process::{Command, Stdio};

/// The programs that open a page in the browser that the user prefers, the first that exists.
const OPENERS: &[&[&str]] = if cfg!(target_os = "macos") {
    &[&["open"]]
} else if cfg!(windows) {
    &[&["rundll32", "url.dll,FileProtocolHandler"]]
} else {
    &[&["xdg-open"], &["wslview"], &["gio", "open"]]
};

/// Opens a page, and does not wait for the browser.
///
/// # Errors
///
/// The error of the system if no program could be started.
pub(super) fn open(url: &str) -> io::Result<()> {
    let mut failure = io::Error::from(io::ErrorKind::NotFound);
    for opener in OPENERS {
        let mut command = Command::new(opener[0]);
        command.args(&opener[1..]).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Ctrl-C in the terminal ends this program, and not the browser.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        match command.spawn() {
            Ok(_) => return Ok(()),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}
