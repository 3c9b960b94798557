//! The integration tests, one binary, one subject a file.

mod json;
