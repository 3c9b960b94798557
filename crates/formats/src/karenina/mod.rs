//! Karenina checkpoints: dialects, identifiers, hashes, figures, and what loading one changes.
//!
//! [`Survey::of`] looks at a parsed file once. [`Survey::detect`] says which dialect it is,
//! [`Survey::adapt`] what the JSON-LD processor is to do differently so that nothing is lost on the
//! way to RDF, [`figures::Figures::of`] counts for `stats`. Nothing here reads files or makes quads.

mod adapt;
pub mod checkpoint;
pub mod comparison;
mod dialect;
pub mod entries;
pub mod figures;
pub mod formatting;
mod from_items;
pub mod identifiers;
mod key_order;
mod keys;
pub mod merging;
pub mod question_table;
mod refusal;
pub mod results_export;
mod results_figures;
pub(crate) mod results_table;
pub mod rules;
pub mod splitting;
mod survey;
mod survey_in_pieces;
mod system;
pub mod template;
pub mod template_files;
pub mod text_edits;
mod traits;
pub mod version_2;
pub mod writer;

pub use adapt::{Adaptation, RenamedId, adapt};
pub use dialect::{DETECTION_ORDER, Detection, DetectionRow, Dialect};
pub use from_items::checkpoint_of_items;
pub use survey::{ContextForm, Marks, RootType, Survey, Vocabulary};
pub use survey_in_pieces::{PieceSurvey, SurveyInPieces};
pub(crate) use system::Karenina;
pub use traits::{TraitKind, TraitScope};
