//! What evalgraph does with files of evaluation datasets. [`api`] is the interface for programs; the other modules
//! implement it.

pub mod api;
pub mod complying_context;
pub mod convert;
#[cfg(feature = "drawing")]
pub mod drawing;
pub mod export;
pub mod input;
pub mod load;
pub mod named_queries;
#[cfg(feature = "net")]
pub mod net;
pub mod question;
pub mod report;
pub mod runs;
pub mod selection;
#[cfg(feature = "tables")]
pub mod tables;
pub mod validation;
pub mod workspace;
