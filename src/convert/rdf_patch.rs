//! RDF Patch (<https://afs.github.io/rdf-patch/>): the changes that turn one dataset into another.

use std::fmt::Write as _;

use crate::diagnostic::escaped;
use crate::rdf::difference::Difference;
use crate::source::karenina::identifiers::text_md5;

/// A difference as one transaction. The id of the patch is made of what is in it, so that equal
/// patches are equal.
pub(crate) fn to_rdf_patch(difference: &Difference) -> String {
    let mut changes = String::new();
    for line in &difference.removed {
        let _ = writeln!(changes, "D {}", escaped(line));
    }
    for line in &difference.added {
        let _ = writeln!(changes, "A {}", escaped(line));
    }
    format!("H id <uuid:{}> .\nTX .\n{changes}TC .\n", uuid(&changes))
}

/// A UUID of version 3, which is one made of an MD5.
fn uuid(text: &str) -> String {
    let digits = text_md5(text);
    format!("{}-{}-3{}-8{}-{}", &digits[..8], &digits[8..12], &digits[13..16], &digits[17..20], &digits[20..])
}
