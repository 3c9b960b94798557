//! Writes a checkpoint in one of the forms that Karenina's programs load.
//!
//! The forms in JSON-LD are written as the compacted document that the algorithm of the specification
//! makes under the form's own context, and unwrapped (`compacted.rs`): correct compaction under the
//! Karenina context makes a file that Karenina refuses. The writer returns a list of the parts that were
//! left out or filled in together with the text; nothing is left out in silence.

mod acceptance;
mod compacted;
mod dataset;
mod defaults;
mod form;
mod forms;
mod ledger;
mod person;
mod questions;
mod ratings;
mod version_2;
mod version_2_traits;

pub use ledger::{Change, ChangeKind};
pub(super) use person::bare_name;

use super::checkpoint::Checkpoint;
use dataset::JsonLdWriter;
use evalgraph_diagnostics::Diagnostic;
pub(super) use form::parse_own;
pub use form::{Form, Purpose, Version2Shape, WriteOptions, Written};

/// Writes a checkpoint.
///
/// # Errors
/// Faults with which the form cannot be written: two questions of one id, code that is not Python, an
/// id that contradicts the context.
pub fn write<'d>(
    checkpoint: &Checkpoint<'d>,
    form: Form,
    options: &WriteOptions<'_>,
) -> Result<Written<'d>, Vec<Diagnostic>> {
    if let Form::Version2(shape) = form {
        return version_2::write(checkpoint, shape, options);
    }
    JsonLdWriter::new(checkpoint, form, options).write()
}
