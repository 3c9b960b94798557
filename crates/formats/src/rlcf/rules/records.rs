//! All rules over the records of a file, one record after the other.

use super::checker::Checker;
use super::visited::visited;
use super::{configuration, fields, scores, tasks};
use crate::rlcf::telling::Told;

/// Checks the records of a file.
pub(super) fn check(checker: &mut Checker<'_>, told: &Told) {
    let mut ids = fields::Ids::default();
    for record in visited(checker.document, told) {
        checker.subjects += 1;
        if !fields::check(checker, record, &mut ids) {
            continue;
        }
        scores::check(checker, record);
        tasks::check(checker, record);
        configuration::check(checker, record);
    }
}
