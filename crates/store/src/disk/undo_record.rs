//! The record of the last change: which command made it and when, and the manifest of the state before it.
//!
//! The record is a file beside the manifest, with a first line of a magic word, the version and a checksum, followed by
//! JSON. It counts only for the generation that it names. So it does not matter in which order a crash saves the two
//! files: a record without its change, or a change without its record, means that there is nothing to undo. Files that
//! the older manifest names stay until the next change.

use std::io::Read as _;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::manifest::{ManifestHead, StoreManifest};
use super::medium::StoreMedium;
use evalgraph_diagnostics::Diagnostic;

/// The name of the record.
pub(super) const UNDO: &str = "undo";

/// The name of a record that is not in place yet.
pub(super) const NEXT_UNDO: &str = "undo.next";

const MAGIC: &str = "evalgraph-undo 1";

/// What is recorded about the last change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UndoRecord {
    /// The generation of the store that the change made.
    pub(super) generation: u64,
    /// The process that made it.
    pub(super) who: String,
    /// When it was made, in seconds since 1970.
    pub(super) seconds: u64,
    /// The text of the manifest before.
    manifest: String,
}

impl UndoRecord {
    /// The record of a change that `who` makes now.
    pub(super) fn new(before: &StoreManifest, after: &StoreManifest, who: &str) -> Self {
        let time = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            generation: after.generation,
            who: who.to_owned(),
            seconds: time.map_or(0, |time| time.as_secs()),
            manifest: before.to_text(),
        }
    }

    /// The text of the file.
    pub(super) fn to_text(&self) -> String {
        let Self { generation, who, seconds, manifest } = self;
        let value = json!({"generation": generation, "who": who, "seconds": seconds, "manifest": manifest});
        let body = format!("{value:#}\n");
        format!("{MAGIC} {:08x}\n{body}", crc32fast::hash(body.as_bytes()))
    }

    /// Reads the record of the change that made a generation; none if there is none, or if it is damaged.
    pub(super) fn read(medium: &dyn StoreMedium, generation: u64) -> Option<Self> {
        let mut text = String::new();
        medium.open(UNDO).and_then(|mut file| file.read_to_string(&mut text)).ok()?;
        let (head, body) = text.split_once('\n')?;
        let checksum = head.strip_prefix(MAGIC)?.strip_prefix(' ')?;
        (checksum == format!("{:08x}", crc32fast::hash(body.as_bytes()))).then_some(())?;
        let value: Value = serde_json::from_str(body).ok()?;
        let record = Self {
            generation: value.get("generation")?.as_u64()?,
            who: value.get("who")?.as_str()?.to_owned(),
            seconds: value.get("seconds")?.as_u64()?,
            manifest: value.get("manifest")?.as_str()?.to_owned(),
        };
        (record.generation == generation).then_some(record)
    }

    /// The manifest before the change.
    ///
    /// # Errors
    ///
    /// The errors of [`ManifestHead::read`].
    pub(super) fn before(&self, medium: &dyn StoreMedium) -> Result<ManifestHead, Box<Diagnostic>> {
        ManifestHead::read(medium, self.manifest.as_bytes())
    }
}
