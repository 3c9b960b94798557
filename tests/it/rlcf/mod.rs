//! RLCF's records.

pub(crate) mod golden;
pub(crate) mod kinds;
pub(crate) mod replies;
pub(crate) mod round_trip;
pub(crate) mod rules;
pub(crate) mod secrets;
pub(crate) mod training;
pub(crate) mod worked;
pub(crate) mod writer;
