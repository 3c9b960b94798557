//! Remote documents (section 9.4): their sources, and the JSON-LD in them.

pub(super) mod document_loader;
pub(super) mod html;
pub(super) mod media_type;
pub(super) mod remote_document;
