//! The difference between a JSON file and the JSON that a writer makes from its graph, and the way back to the file
//! from both. It is used for files that are not JSON-LD, which have their own writers.
//!
//! A difference is also JSON, and never repeats what is written:
//!
//! - `["0a1b2c3d", value]`: the value replaces the written one that has this hash;
//! - `{…}`: between two objects; `[{…}]`: between two arrays. `order` has the common entries, if the file has them in
//!   another order; `absent` the entries that only the written value has, each with its hash; `first` and `after` those
//!   that only the file has, by the entry before them; `in` the differences inside entries.
//!
//! A member is named by its key. An item is named by a hash: of its member `by`, if one key identifies all items, or
//! else of the whole item; equal items are numbered. So when an edit of the graph changes the written value, the
//! entries about other members and items stay valid.

mod apply;
mod compare;
mod entry_pairing;
mod named_entries;
mod parts;
mod value_digest;

pub use apply::{AppliedDifference, DifferenceApplication, apply};
pub use compare::difference;
pub(super) use value_digest::value_hash;
