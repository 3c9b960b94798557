//! The output of `--version`.

/// The output of `-V` after the name: the version.
pub(super) const SHORT: &str = env!("CARGO_PKG_VERSION");

/// The output of `--version` after the name: where the program comes from, what is built in, and which standards it
/// supports.
pub(super) const LONG: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit: ",
    env!("EVALGRAPH_COMMIT"),
    "\nfeatures: ",
    env!("EVALGRAPH_FEATURES"),
    "\nJSON-LD 1.1, SPARQL 1.1, SHACL, RDFC-1.0"
);
