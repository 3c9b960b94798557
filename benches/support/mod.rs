//! What the benches share: generated corpora, the CPU clock and the table of figures.

#![allow(dead_code, reason = "each bench uses its part")]

pub(crate) mod checkpoint;
pub(crate) mod children;
pub(crate) mod clock;
pub(crate) mod jsonld_js;
pub(crate) mod products;
pub(crate) mod random;
pub(crate) mod records;
pub(crate) mod servers;
pub(crate) mod systems;
pub(crate) mod table;
pub(crate) mod turtle;
