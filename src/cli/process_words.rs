//! The words of the command line. Another program that runs ours, such as Python, has words of its own before them.

use std::ffi::OsString;
use std::sync::OnceLock;

static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();

/// Sets the words, the first of which is the name of the program. They cannot be set again.
pub(super) fn set_words(words: Vec<OsString>) {
    // They are set once, before anything reads them.
    let _ = WORDS.set(words);
}

/// The words: those that were set, or those of the process.
pub(super) fn words() -> &'static [OsString] {
    WORDS.get_or_init(|| std::env::args_os().collect())
}
