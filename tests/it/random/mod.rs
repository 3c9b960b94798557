//! Random work, checked against other engines.

pub(crate) mod decided;
pub(crate) mod engines;
pub(crate) mod expressions;
pub(crate) mod fuzz_findings;
pub(crate) mod json_ld;
pub(crate) mod queries;
pub(crate) mod updates;
pub(crate) mod work;
