//! Remote documents (section 9.4): where they come from, and what is JSON-LD in them.

pub(super) mod html;
#[cfg(feature = "net")]
pub(super) mod link_header;
pub(super) mod loader;
pub(super) mod media_type;
#[cfg(feature = "net")]
pub(super) mod net;
pub(super) mod remote_document;
