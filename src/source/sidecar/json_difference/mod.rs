//! What a JSON file says or spells beyond the JSON that a writer makes of its graph, and the file
//! made again of both. For files that are no JSON-LD, whose graph a writer of their own turns back.
//!
//! A difference is JSON, too, and never repeats what is written:
//!
//! - `["0a1b2c3d", value]`: the value stands in place of the written one that has this hash;
//! - `{…}`: between two objects; `[{…}]`: between two arrays. `order` has what both have, where the
//!   file has it in another order; `absent` what only the written one has, with its hash; `first` and
//!   `after` what only the file has, by what stands before it; `in` the differences within.
//!
//! A member has the name of its key. An item has a hash for a name: of its member `by`, if one key
//! tells all items apart, else of the whole; equal ones are numbered. So an edit of the graph, which
//! changes what is written, leaves what is known of the other members and items in force.

mod apply;
mod compare;
mod digest;
mod entries;
mod pairing;
mod parts;

pub use apply::{Application, Applied, apply};
pub use compare::difference;
pub(super) use digest::value_hash;
