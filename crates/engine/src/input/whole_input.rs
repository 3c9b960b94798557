//! Reads an input as a whole, as the options for reading say.

use super::input_options::ReadingOptions;
use super::source::{InputSource, RawInput};
use evalgraph_diagnostics::Diagnostic;

/// Reads an input and decodes it.
///
/// # Errors
///
/// The errors of [`InputSource::read`] and [`RawInput::decoded`].
pub fn whole_input(source: &InputSource, reading: &ReadingOptions) -> Result<RawInput, Box<Diagnostic>> {
    let input = source.begin(&reading.files_read)?.read(reading.limits.size, &reading.rows)?;
    input.decoded(reading.encoding)
}
