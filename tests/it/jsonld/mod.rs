//! JSON-LD, by the library and checked against other processors.

pub(crate) use evalgraph_suites::collecting_sink;
pub(crate) mod compaction;
pub(crate) mod compaction_peers;
pub(crate) mod compaction_round_trip;
pub(crate) mod expansion;
pub(crate) mod flattening;
pub(crate) mod framing;
pub(crate) mod framing_peers;
pub(crate) mod from_rdf;
pub(crate) mod html;
pub(crate) mod limits;
pub(crate) mod net;
#[cfg(feature = "net")]
pub(crate) mod net_services;
pub(crate) mod oracle;
pub(crate) mod oracle_differences;
pub(crate) mod oracle_faults;
pub(crate) mod oracle_generated;
pub(crate) mod oracle_peers;
pub(crate) mod peers;
pub(crate) mod to_rdf;
