//! Writes a checkpoint in one of the forms that Karenina's programs load.
//!
//! The JSON-LD forms are written as the compacted document that the algorithm of the specification makes under the
//! form's own context, and then unwrapped (`compacted_checkpoint.rs`), because Karenina refuses a file that is
//! compacted correctly under the Karenina context. With the text, the writer returns a list of all parts that were left
//! out or filled in.

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

use super::model::Checkpoint;
pub(super) use checkpoint_form::parse_own;
pub use checkpoint_form::{
    CheckpointForm, CheckpointWriteOptions, Version2Shape, WritePurpose, WrittenCheckpoint,
};
use checkpoint_items::JsonLdWriter;
use evalgraph_diagnostics::Diagnostic;

/// Writes a checkpoint.
///
/// # Errors
/// Faults that prevent writing the form: two questions with the same id, code that is not Python, an id that
/// contradicts the context.
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
