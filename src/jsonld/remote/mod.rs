//! Remote documents (section 9.4): where they come from, and what is JSON-LD in them.

pub(super) mod html;
pub(super) mod loader;
pub(super) mod media_type;
pub(super) mod remote_document;
