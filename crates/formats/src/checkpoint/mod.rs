//! Checkpoints: datasets of questions in the form that every other form can be written as. This module has their model
//! with its reader and writer, their dialects, identifiers, hashes and figures, and the changes that loading makes.
//!
//! [`CheckpointSurvey::from_document`] surveys a parsed file once. [`CheckpointSurvey::detect`] returns its dialect,
//! [`CheckpointSurvey::adapt`] the special instructions for the JSON-LD processor, so that the conversion to RDF loses
//! nothing, and [`checkpoint_figures::CheckpointFigures::from_document`] the counts for `stats`. Nothing here reads
//! files or makes quads. The names and the rules of the programs that read checkpoints are in `karenina`.

mod adapt;
pub mod checkpoint_figures;
mod checkpoint_from_items;
pub(crate) mod checkpoint_keys;
pub mod checkpoint_layout;
pub mod checkpoint_merge;
mod checkpoint_profile;
mod checkpoint_programs;
pub mod checkpoint_split;
pub mod comparison;
mod context_meaning;
mod dialect;
pub mod identifiers;
mod key_order;
pub mod model;
pub mod question_list;
pub mod question_table;
mod refusal;
mod survey;
mod survey_in_pieces;
pub mod template;
pub mod template_files;
pub mod text_edits;
mod traits;
pub mod version_2_json_ld;
pub mod writer;

pub use adapt::{CheckpointAdaptation, RenamedId, adapt};
pub use checkpoint_from_items::checkpoint_of_items;
pub use checkpoint_profile::CheckpointProfile;
pub use checkpoint_programs::CheckpointPrograms;
pub use context_meaning::ContextMeaning;
pub use dialect::{CheckpointDialect, DETECTION_ORDER, DetectionRow, DialectDetection};
pub use survey::{CheckpointSurvey, ContextForm, DialectMarks, RootType, VocabularyNamespace};
pub use survey_in_pieces::{PieceSurvey, SurveyInPieces};
pub use traits::{TraitKind, TraitScope};
