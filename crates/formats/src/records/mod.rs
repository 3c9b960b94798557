//! Formats that are not JSON-LD, read by tables that say what each member becomes in the graph, and back.
//!
//! A system declares the [`RecordShape`]s of its objects. [`compose`] makes a JSON-LD document of a file, whose
//! values keep their places in the file, and which the JSON-LD processor turns into quads. [`decompose`]
//! reads the same tables backwards and makes a file of a graph; the statements that it leaves unread have
//! no place in the format.

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
    Condition, FileShape, Form, Identity, Member, RecordShape, Records, group, is_date_time, member, record,
    value,
};
pub use unread_names::{Lost, in_words};
