//! For each code an example that leads to it, and one that does not.

use super::code_example::CodeExample;
use super::code_examples_json_ld::JSON_LD;
use super::code_examples_queries::QUERIES;
use super::code_examples_questions::QUESTIONS;
use super::code_examples_reading::READING;
use super::code_examples_selection::SELECTION;
use super::code_examples_servers::SERVERS;
use super::code_examples_store::STORE;
use super::code_examples_validation::VALIDATION;
use super::code_examples_writing::WRITING;

/// The examples of all codes, in a table for each group of areas. Each table is sorted by code.
pub const CODE_EXAMPLES: [&[CodeExample]; 9] =
    [JSON_LD, READING, SELECTION, QUESTIONS, WRITING, QUERIES, VALIDATION, SERVERS, STORE];

/// Returns the example of a code.
pub fn example_of(code: &str) -> Option<&'static CodeExample> {
    CODE_EXAMPLES.iter().find_map(|table| {
        let at = table.binary_search_by(|example| example.code.cmp(code)).ok()?;
        table.get(at)
    })
}

#[cfg(test)]
mod tests {
    use super::super::code_example::ExampleRun;
    use super::super::{CODES, explain};
    use super::*;

    fn all() -> impl Iterator<Item = &'static CodeExample> {
        CODE_EXAMPLES.iter().copied().flatten()
    }

    #[test]
    fn every_table_is_sorted_and_every_code_is_found_in_it() {
        for table in CODE_EXAMPLES {
            for pair in table.windows(2) {
                assert!(pair[0].code < pair[1].code, "`{}` is before `{}`", pair[0].code, pair[1].code);
            }
        }
        for example in all() {
            assert_eq!(example_of(example.code), Some(example), "the code has two examples");
        }
    }

    #[test]
    fn every_code_has_an_example_and_every_example_a_code() {
        let without: Vec<&str> =
            CODES.iter().map(|row| row.code).filter(|code| example_of(code).is_none()).collect();
        assert_eq!(without, [""; 0]);
        // The codes of JSON-LD are defined with the processor, and are compared with their examples there.
        for example in all().filter(|example| example.code.contains("::")) {
            assert!(explain(example.code).is_some(), "`{}` is not a code", example.code);
        }
    }

    #[test]
    fn an_example_says_something_short_and_right_is_not_wrong() {
        for CodeExample { code, wrong, right, run } in all() {
            assert_ne!(wrong, right, "{code}");
            for text in [wrong, right] {
                let lines = text.lines().count();
                assert!((1..=4).contains(&lines) && !text.ends_with('\n'), "{code}: {text}");
                assert!(text.lines().all(|line| line.chars().count() <= 150), "{code}: {text}");
            }
            if *run == ExampleRun::Line {
                let mut lines = wrong.lines().chain(right.lines());
                assert!(lines.all(|line| line.contains("evalgraph ")), "{code}");
            }
        }
    }
}
