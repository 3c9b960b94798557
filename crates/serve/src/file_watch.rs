//! Reads files again when they change. The files are checked from time to time, which works on every system and every
//! disk.

use std::sync::Weak;
use std::thread;
use std::time::Instant;

use super::server_context::ServerContext;
use evalgraph_engine::input::files_read::{SHORTEST_PAUSE, pause_after};

/// Watches the files of a server while the server exists.
///
/// # Errors
///
/// An error if there is no thread.
pub(super) fn watch(server: Weak<ServerContext>) -> std::io::Result<()> {
    let look = move || {
        let mut pause = SHORTEST_PAUSE;
        loop {
            thread::sleep(pause);
            let Some(context) = server.upgrade() else { return };
            let begun = Instant::now();
            if let Err(findings) = context.data.read_again() {
                findings.iter().for_each(|finding| context.tell(finding));
            }
            pause = pause_after(begun.elapsed());
        }
    };
    thread::Builder::new().name("files".to_owned()).spawn(look).map(drop)
}
