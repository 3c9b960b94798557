//! Files that are changed in place.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use evalgraph_diagnostics::Diagnostic;

/// Rejects a compressed file without `.gz` or `.zst` in its name: it would be written without compression.
///
/// # Errors
///
/// A fault with this code.
pub(super) fn keeps_compression(path: &Path, code: &'static str) -> Result<(), Box<Diagnostic>> {
    let is_named = path.extension().is_some_and(|extension| extension == "gz" || extension == "zst");
    let mut start = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read(&mut start));
    let is_compressed = start.starts_with(&[0x1f, 0x8b]) || start == [0x28, 0xb5, 0x2f, 0xfd];
    if read.is_ok() && is_compressed && !is_named {
        let message = format!("`{}` is compressed, but its name does not end in .gz or .zst", path.display());
        let fault = Diagnostic::error(code, message);
        return Err(Box::new(fault.with_help("rename the file")));
    }
    Ok(())
}
