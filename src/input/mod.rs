//! Where bytes come from: paths, folders, glob patterns, stdin, URLs, texts of a store. Compressed bytes are
//! decompressed, and archives are refused.

mod archive;
pub(crate) mod clock;
pub(crate) mod compression;
pub(crate) mod corpus;
pub(crate) mod files_read;
pub(crate) mod find;
pub(crate) mod found_files;
pub(crate) mod guard;
pub(crate) mod local_contexts;
pub(crate) mod options;
pub(crate) mod origin;
pub(crate) mod path_text;
pub(crate) mod progress;
pub(crate) mod remote;
pub(crate) mod same_bytes;
pub(crate) mod source;
pub(crate) mod syntax;
