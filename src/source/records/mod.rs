//! Records of formats that are no JSON-LD, by tables: what each member becomes in the graph, and back.
//!
//! A system writes down the [`RecordShape`]s of its objects. [`compose`] makes a document in JSON-LD of a file,
//! whose values are those of the file with their places, and which the JSON-LD processor turns into
//! quads. [`decompose`] reads the same tables backwards and makes the file of a graph; what it has not
//! read of the graph, the format cannot hold.

pub mod comparison;
mod composing;
mod decomposing;
mod each_record;
mod misplaced;
mod natural_order;
mod plan;
mod quad_count;
mod reading;
mod recognised;
mod settling;
mod shape;
mod unread_names;

pub use composing::{Account, Composed, RecordComposer, TakenIds, compose};
pub use decomposing::{Decomposed, NodeList, decompose, decompose_lists, decompose_nodes};
pub use each_record::each_record;
pub use misplaced::{Expected, Misplaced};
pub use plan::shared_kinds;
pub use quad_count::{CountedTerm, QuadCount};
pub use reading::{Reading, Unread};
pub use recognised::{Certainty, Recognised};
pub use settling::{Settlement, settlement};
pub use shape::{
    Condition, FileShape, Form, Identity, Member, RecordShape, Records, group, member, record, value,
};
pub use unread_names::{Lost, in_words};
