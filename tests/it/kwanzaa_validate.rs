//! `validate` on Kwanzaa's datasets, as a person runs it.

use crate::cli_input::run;
use crate::karenina_fixtures::path;

#[test]
fn a_good_file_conforms_and_a_bad_one_says_where() {
    let (status, text, stderr) = run(&path("kwanzaa"), &["validate", "citation.json"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(text.starts_with("citation.json: conforms to seed (kwanzaa/dataset): 0 violations"), "{text}");
    let (status, text, _) =
        run(&path("kwanzaa"), &["validate", "bad/no-third-source.json", "--profile", "contract"]);
    assert_eq!(status, 1);
    assert!(text.contains("W-18 violation: what is cited as `[1]` is a source"), "{text}");
    assert!(text.contains("the text cites `[3]`, and there is 1 source"), "{text}");
    assert!(text.contains("at /samples/0/expected_output/answer/text"), "{text}");
}

#[test]
fn ids_are_compared_across_files_and_all_files_have_an_entry() {
    let (status, text, _) = run(&path("kwanzaa"), &["validate", "each-category.json", "bad/statistics.json"]);
    assert_eq!(status, 1);
    assert!(
        text.contains("`refusal_researcher_101` is the id of /samples/2 of each-category.json, too"),
        "{text}"
    );
    assert!(text.contains("\nall files: conforms to seed (kwanzaa/dataset)"), "{text}");
}

#[test]
fn what_is_no_dataset_has_no_rules() {
    let (status, _, stderr) = run(&path("kwanzaa"), &["validate", "chat.jsonl"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("the rules are about datasets, and this is kwanzaa/chat"), "{stderr}");
    let (status, _, stderr) =
        run(&path("karenina"), &["validate", "p2-genomics.jsonld", "--profile", "contract"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[validate::profile]"), "{stderr}");
}
