//! The validation report of Kwanzaa's datasets.

use crate::cli::input::run;
use crate::karenina::fixtures::{document, path};
use evalgraph::source::counted_list::DatasetReport;
use evalgraph::source::kwanzaa::kwanzaa_report::KwanzaaReport;
use evalgraph::source::kwanzaa::{KwanzaaSettings, QualityBand, SampleStatistics};

const FILES: [&str; 6] = [
    "citation.json",
    "each-category.json",
    "format-compliance.json",
    "grounded-answer.json",
    "refusal.json",
    "variants.json",
];

#[test]
fn the_report_says_what_there_is_and_what_is_wrong() {
    let (status, text, stderr) = run(&path("kwanzaa"), &[&["stats", "--report"], &FILES[..]].concat());
    assert_eq!((status, stderr.as_str()), (0, ""));
    insta::assert_snapshot!("kwanzaa_report", text);
    let (_, again, _) = run(&path("kwanzaa"), &[&["stats", "--report"], &FILES[..]].concat());
    assert_eq!(text, again);
}

#[test]
fn a_report_is_made_of_datasets_only() {
    let (status, _, stderr) = run(&path(""), &["stats", "--report", "karenina/p2-genomics.jsonld"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[stats::report]: not a Kwanzaa dataset"), "{stderr}");
}

#[test]
fn qualities_fall_into_bands() {
    let settings = KwanzaaSettings::default();
    let bands =
        [1.0, 0.9, 0.89, 0.8, 0.7, 0.69, 0.0].map(|quality| QualityBand::from_quality(quality, &settings));
    use QualityBand::{Acceptable, Excellent, Good, Revise};
    assert_eq!(bands, [Excellent, Excellent, Good, Good, Acceptable, Revise, Revise]);
}

#[test]
fn the_average_does_not_depend_on_the_order() {
    let of = |qualities: &[f64]| {
        let samples: Vec<String> = qualities
            .iter()
            .map(|quality| format!(r#"{{"metadata": {{"quality_score": {quality}}}}}"#))
            .collect();
        let mut statistics = SampleStatistics::new(KwanzaaSettings::default());
        statistics.add(&document(&format!(r#"{{"samples": [{}]}}"#, samples.join(","))));
        statistics.average_quality()
    };
    assert_eq!(of(&[0.1, 0.7, 0.3]), of(&[0.7, 0.3, 0.1]));
    assert_eq!(of(&[0.9, 0.8]), Some(0.85));
    assert_eq!(of(&[]), None);
}

/// Values of a file that would break a table or a line are shown as they are meant.
#[test]
fn strange_values_do_not_break_the_report() {
    let mut collected = KwanzaaReport::new(KwanzaaSettings::default());
    collected.add(&document(r#"{"samples": [{"category": "a|b\n# c", "persona": "\u001b[31m"}]}"#));
    let text = collected.to_markdown();
    assert!(text.contains("a\\|b"), "{text}");
    assert!(!text.contains('\u{1b}') && !text.contains("\n# c"), "{text}");
}

#[test]
fn figures_of_a_dataset_are_counted_anew() {
    let (status, text, _) = run(&path("kwanzaa"), &["stats", "variants.json"]);
    assert_eq!(status, 0);
    for row in ["samples", "by category", "by persona", "by difficulty", "by principle", "average quality"] {
        assert!(text.contains(row), "{row}: {text}");
    }
    // The file says one.
    assert!(text.contains("citation 2, refusal 2, format_compliance 1"), "{text}");
}
