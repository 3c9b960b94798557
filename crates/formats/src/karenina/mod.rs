//! Karenina checkpoints: dialects, identifiers, hashes, figures, and the changes that loading makes.
//!
//! [`CheckpointSurvey::from_document`] surveys a parsed file once. [`CheckpointSurvey::detect`] returns its dialect,
//! [`CheckpointSurvey::adapt`] the special instructions for the JSON-LD processor, so that the conversion to RDF loses
//! nothing, and [`checkpoint_figures::CheckpointFigures::from_document`] the counts for `stats`. Nothing here reads
//! files or makes quads.

mod adapt;
pub mod checkpoint;
pub mod checkpoint_figures;
mod checkpoint_from_items;
pub mod checkpoint_layout;
pub mod checkpoint_merge;
pub mod checkpoint_split;
pub mod comparison;
mod dialect;
pub mod identifiers;
mod karenina_keys;
mod key_order;
pub mod question_list;
pub mod question_table;
mod refusal;
pub mod results_export;
mod results_figures;
pub(crate) mod results_table;
pub mod rules;
mod survey;
mod survey_in_pieces;
mod system;
pub mod template;
pub mod template_files;
pub mod text_edits;
mod traits;
pub mod version_2_json_ld;
pub mod writer;

pub use adapt::{CheckpointAdaptation, RenamedId, adapt};
pub use checkpoint_from_items::checkpoint_of_items;
pub use dialect::{DETECTION_ORDER, DetectionRow, DialectDetection, KareninaDialect};
pub use survey::{CheckpointSurvey, ContextForm, DialectMarks, RootType, VocabularyNamespace};
pub use survey_in_pieces::{PieceSurvey, SurveyInPieces};
pub(crate) use system::KareninaSystem;
pub use traits::{TraitKind, TraitScope};
