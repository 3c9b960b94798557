//! Writes a checkpoint in one of the forms that Karenina's programs load.
//!
//! The forms in JSON-LD are written as the compacted document that the algorithm of the specification
//! makes under the form's own context, and unwrapped (`compacted_checkpoint.rs`): correct compaction under the
//! Karenina context makes a file that Karenina refuses. The writer returns a list of the parts that were
//! left out or filled in together with the text; nothing is left out in silence.

mod acceptance;
mod checkpoint_form;
mod checkpoint_items;
mod compacted_checkpoint;
mod default_parts;
mod json_ld_questions;
mod ledger;
mod person;
mod property_forms;
mod trait_ratings;
mod version_2_traits;
mod version_2_writer;

pub use ledger::{ChangeKind, PartChange};
pub(super) use person::bare_name;

use super::checkpoint::Checkpoint;
pub(super) use checkpoint_form::parse_own;
pub use checkpoint_form::{
    CheckpointForm, CheckpointWriteOptions, Version2Shape, WritePurpose, WrittenCheckpoint,
};
use checkpoint_items::JsonLdWriter;
use evalgraph_diagnostics::Diagnostic;

/// Writes a checkpoint.
///
/// # Errors
/// Faults with which the form cannot be written: two questions of one id, code that is not Python, an
/// id that contradicts the context.
pub fn write<'d>(
    checkpoint: &Checkpoint<'d>,
    form: CheckpointForm,
    options: &CheckpointWriteOptions<'_>,
) -> Result<WrittenCheckpoint<'d>, Vec<Diagnostic>> {
    if let CheckpointForm::Version2(shape) = form {
        return version_2_writer::write(checkpoint, shape, options);
    }
    JsonLdWriter::new(checkpoint, form, options).write()
}
