//! Applies all rules to the records of a file, one record after the other.

use super::rlcf_checker::RlcfChecker;
use super::visited_records::visited;
use super::{configuration, field_rules, scores, tasks};
use crate::rlcf::record_kind_finder::RlcfFileRecords;

/// Checks the records of a file.
pub(super) fn check(checker: &mut RlcfChecker<'_>, told: &RlcfFileRecords) {
    let mut ids = field_rules::RecordIdSet::default();
    for record in visited(checker.document, told) {
        checker.subjects += 1;
        if !field_rules::check(checker, record, &mut ids) {
            continue;
        }
        scores::check(checker, record);
        tasks::check(checker, record);
        configuration::check(checker, record);
    }
}
