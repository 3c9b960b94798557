//! The place of a reply of a service in a folder of replies. The system of the service finds it.

/// The place of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyPath {
    /// The folder of all replies; empty if paths are relative to it.
    pub folder: String,
    /// The path below this folder, without the extensions of the file.
    pub part: String,
}
