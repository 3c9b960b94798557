//! The words that Kwanzaa's fields may have, each list in one place. The documents name them, and statistics count by
//! them.

use super::rules::class_rules::STATISTICS;
use crate::checking::schema::SchemaFieldType::Integer;
use crate::checking::schema::{ObjectSchema, optional, part};
use crate::records::{RecordMember, value};

/// A list of words, with the members of a file's statistics that count by these words, and the class of these members.
macro_rules! counted_words {
    ($(#[$about:meta])* $words:ident, $counts:ident, $class:ident, $key:literal: $($word:literal),+ $(,)?) => {
        $(#[$about])*
        pub const $words: [&str; [$($word),+].len()] = [$($word),+];
        pub(super) const $counts: &[RecordMember] = &[
            $(value($word, concat!("variableMeasured:PropertyValue{name=", $key, ".", $word, "}/value"))),+
        ];
        pub(super) static $class: ObjectSchema = part(&[$(optional($word, Integer)),+]).by(&STATISTICS);
    };
}

counted_words! {
    /// The categories of samples, in the order of the documents. A category says what its samples train.
    CATEGORIES, CATEGORY_COUNTS, BY_CATEGORY, "by_category":
    "citation", "refusal", "grounded_answer", "format_compliance",
}

counted_words! {
    /// The personas for which answers are written.
    PERSONAS, PERSONA_COUNTS, BY_PERSONA, "by_persona":
    "educator", "researcher", "creator", "builder",
}

counted_words! {
    /// The levels of difficulty.
    DIFFICULTIES, DIFFICULTY_COUNTS, BY_DIFFICULTY, "by_difficulty":
    "easy", "medium", "hard",
}

/// The Nguzo Saba, the seven principles, in their order.
pub const PRINCIPLES: [&str; 7] = ["Umoja", "Kujichagulia", "Ujima", "Ujamaa", "Nia", "Kuumba", "Imani"];
