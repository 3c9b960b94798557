//! Files that are read again when they change. Files are looked at from time to time, which works on every system and
//! every disk.

use std::sync::Weak;
use std::thread;
use std::time::Duration;

use super::context::Context;

/// How often files are looked at.
const INTERVAL: Duration = Duration::from_secs(1);

/// Watches the files of a server as long as it is there.
///
/// # Errors
///
/// No thread can be had.
pub(super) fn watch(server: Weak<Context>) -> std::io::Result<()> {
    let look = move || {
        loop {
            thread::sleep(INTERVAL);
            let Some(context) = server.upgrade() else { return };
            if let Err(findings) = context.data.read_again() {
                findings.iter().for_each(|finding| context.tell(finding));
            }
        }
    };
    thread::Builder::new().name("files".to_owned()).spawn(look).map(drop)
}
