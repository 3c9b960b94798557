//! The documents of the four systems, statement by statement: the tables in `tests/documents` are run through the
//! program, and the page `docs/documents.md` is made of them.

mod changes;
mod checks;
mod facts;
mod layout;
mod page;
mod rows;
mod runs;

use rows::Row;

/// The documents, by the names of their systems.
const DOCUMENTS: [&str; 4] = ["karenina", "train", "kwanzaa", "rlcf"];

fn all_rows() -> Vec<Row> {
    DOCUMENTS.into_iter().flat_map(rows::of_document).collect()
}

#[test]
fn each_statement_is_kept_by_a_file_and_broken_by_one_changed_value() {
    let rows = all_rows();
    let faults = checks::faults(&rows);
    assert!(faults.is_empty(), "{} of {} rows:\n{}", faults.len(), rows.len(), faults.join("\n"));
}
