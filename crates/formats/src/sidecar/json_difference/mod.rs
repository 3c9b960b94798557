//! The difference between a JSON file and the JSON that a writer makes of its graph, and the way back to the
//! file from both. It serves files that are not JSON-LD, whose graph has a writer of its own.
//!
//! A difference is JSON, too, and never repeats what is written:
//!
//! - `["0a1b2c3d", value]`: the value replaces the written one that has this hash;
//! - `{…}`: between two objects; `[{…}]`: between two arrays. `order` has the common entries, where the file has
//!   them in another order; `absent` the entries that only the written value has, each with its hash; `first` and
//!   `after` those that only the file has, by the entry before them; `in` the differences within.
//!
//! A member is named by its key. An item is named by a hash: of its member `by`, if one key identifies all
//! items, or else of the whole item; equal ones are numbered. So an edit of the graph, which changes the written
//! value, leaves the entries about other members and items valid.

mod apply;
mod compare;
mod entry_pairing;
mod named_entries;
mod parts;
mod value_digest;

pub use apply::{AppliedDifference, DifferenceApplication, apply};
pub use compare::difference;
pub(super) use value_digest::value_hash;
