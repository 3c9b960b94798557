//! Reads and writes formats that are not JSON-LD, with tables that say what each member becomes in the graph.
//!
//! A system declares the [`RecordShape`]s of its objects. [`compose`] turns a file into a JSON-LD document whose
//! values keep their places in the file; the JSON-LD processor turns the document into quads. [`decompose`] uses the
//! same tables backwards and turns a graph into a file. The statements that it leaves unread have no place in the
//! format.

pub mod comparison;
mod computed_value;
mod each_record;
mod graph_decomposer;
mod misplaced_value;
mod natural_order;
mod quad_count;
mod recognised_records;
mod record_composer;
mod record_entries;
mod record_name;
mod record_object;
mod record_plan;
mod reply_path;
mod result_members;
mod shape;
mod table_run_reader;
mod tracked_graph;
mod unread_names;
mod value_settlement;

pub use computed_value::{ComputedContent, ComputedValue, ValueContext, truth_of};
pub use each_record::each_record;
pub use graph_decomposer::{DecomposedFile, NodeList, decompose, decompose_lists, decompose_nodes};
pub use misplaced_value::{MisplacedValue, PlaceExpectation};
pub use quad_count::{CountedTerm, QuadCount};
pub use recognised_records::{RecognisedRecords, RecognitionCertainty};
pub use record_composer::{ComposedDocument, CompositionFindings, RecordComposer, TakenRecordIris, compose};
pub use record_name::{BatchKind, RecordName};
pub use record_plan::shared_kinds;
pub use reply_path::ReplyPath;
pub use shape::{
    FileShape, FoundText, MemberChoice, MemberCondition, MemberForm, ObjectIdentity, RecordMember,
    RecordPlacement, RecordShape, group, is_date_time, member, record, value,
};
pub use table_run_reader::TableRunReader;
pub use tracked_graph::{TrackedGraph, UnreadStatements};
pub use unread_names::{DescribedLoss, in_words};
pub use value_settlement::{ValueSettlement, settlement};
