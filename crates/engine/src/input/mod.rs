//! Where bytes come from: paths, folders, glob patterns, stdin, URLs, and text in a store. Compressed bytes are
//! decompressed, and archives are refused.

mod archive;
pub mod clock;
pub mod compression;
pub mod corpus;
pub mod files_read;
pub mod find;
pub mod found_files;
pub mod guard;
pub mod input_options;
pub mod local_contexts;
pub mod origin;
pub mod path_text;
pub mod progress;
pub mod same_bytes;
pub mod source;
pub mod syntax;
pub mod url_sources;
pub mod whole_input;
