//! The settings of rules and figures: one matrix of the documents that hold them and of what is refused.

use evalgraph::diagnostic::Diagnostic;
use evalgraph::json::{JsonDocument, Limits, parse};
use evalgraph::source::{kwanzaa, rlcf, train};

type Read = fn(&JsonDocument) -> Result<String, Box<Diagnostic>>;

/// A document of settings: its code, its reader, and settings that it takes.
struct Settings {
    code: &'static str,
    read: Read,
    good: &'static str,
}

const KWANZAA: Settings = Settings {
    code: "kwanzaa::settings",
    read: |document| kwanzaa::KwanzaaSettings::read(document).map(|settings| format!("{settings:?}")),
    good: r#"{"citation_score": 0.5, "refusal_score": 0, "refusal_score_of_code": 0.1, "grounded_sources": 3.0,
        "excellent_quality": 1, "good_quality": 0.9, "acceptable_quality": 0.8, "samples_of_category": 1,
        "samples_in_all": 2e1}"#,
};
const TRAIN: Settings = Settings {
    code: "train::settings",
    read: |document| train::rules::TrainRuleSettings::read(document).map(|settings| format!("{settings:?}")),
    good: r#"{"no_answer": [], "other_keys": ["split"], "first_id": 1}"#,
};
const RULES: Settings = Settings {
    code: "rlcf::settings",
    read: |document| rlcf::rules::RlcfRuleSettings::read(document).map(|settings| format!("{settings:?}")),
    good: r#"{"scores": [0, 5], "confidence": [0.5, 1], "helpfulness": [1, 3], "track_record": [0, 2],
        "username": [1, 9], "reasoning": [1, 1], "question": [2, 3], "weight_tolerance": 0.1,
        "task_types": {}, "authority_weights": {"track_record": 1}, "thresholds": {"contention": 0.1},
        "baseline_credentials": {"types": {}}}"#,
};
const FIGURES: Settings = Settings {
    code: "rlcf::config",
    read: |document| {
        rlcf::figures::FigureSettings::default().with(document).map(|settings| format!("{settings:?}"))
    },
    good: r#"{"authority_weights": {"baseline_credentials": 1, "track_record": 2, "recent_performance": 3},
        "track_record": {"update_factor": 0.1, "initial": 0.2},
        "thresholds": {"disagreement": 0.1, "contention": 0.2, "rating_majority": 50, "bias_high": 2, "bias_medium": 1},
        "baseline_credentials": {"types": {
            "A": {"weight": 1, "scoring_function": {"type": "map", "values": {"x": 1}, "default": 0.5}},
            "B": {"weight": 2, "scoring_function": {"type": "formula", "expression": "value + 1"}}}}}"#,
};

/// A document, settings that it refuses with `^` before the place of the fault, the message and the help.
type Refused = (&'static Settings, &'static str, &'static str, Option<&'static str>);

const NO_PAIR: &str = "expected an array of two numbers: `[minimum, maximum]`";

const MISSPELT: [Refused; 8] = [
    (
        &KWANZAA,
        r#"^"refusal_scor": 1"#,
        "`refusal_scor` is not a setting",
        Some("did you mean `refusal_score`?"),
    ),
    (&TRAIN, r#"^"frist_id": 1"#, "`frist_id` is not a setting", Some("did you mean `first_id`?")),
    (&TRAIN, r#"^"x": 1"#, "`x` is not a setting", Some("there are `no_answer`, `other_keys`, `first_id`")),
    (&RULES, r#"^"confidance": [0, 1]"#, "`confidance` is not a setting", Some("did you mean `confidence`?")),
    // Settings of the figures, which may stand beside those of the rules.
    (
        &RULES,
        r#""thresholds": {^"disagrement": 1}"#,
        "`disagrement` is not a setting",
        Some("did you mean `disagreement`?"),
    ),
    (&FIGURES, r#"^"threshold": {}"#, "`threshold` is not a setting", Some("did you mean `thresholds`?")),
    (
        &FIGURES,
        r#""track_record": {^"inital": 1}"#,
        "`inital` is not a setting",
        Some("did you mean `initial`?"),
    ),
    (
        &FIGURES,
        r#""baseline_credentials": {"types": {"A": {^"wieght": 1}}}"#,
        "`wieght` is not a setting",
        Some("did you mean `weight`?"),
    ),
];

const OF_ANOTHER_TYPE: [Refused; 15] = [
    (&KWANZAA, r#""refusal_score": ^"1""#, "`refusal_score` must be a number, 0 or more", None),
    (&KWANZAA, r#""samples_in_all": ^null"#, "`samples_in_all` must be a whole number, 0 or more", None),
    (&TRAIN, r#""no_answer": ^"-""#, "`no_answer` is not an array of strings", None),
    (&TRAIN, r#""first_id": ^"1""#, "`first_id` must be a whole number, 0 or more", None),
    (&RULES, r#""scores": ^5"#, NO_PAIR, None),
    (&RULES, r#""scores": ^[0, 5, 10]"#, NO_PAIR, None),
    (&RULES, r#""username": [1, ^"9"]"#, NO_PAIR, None),
    (&RULES, r#""weight_tolerance": ^[]"#, "`weight_tolerance` must be a number, 0 or more", None),
    (&RULES, r#""authority_weights": ^1"#, "`authority_weights` is not an object", None),
    (&FIGURES, r#""thresholds": ^5"#, "`thresholds` is not an object", None),
    (&FIGURES, r#""thresholds": {"contention": ^"x"}"#, "`contention` is not a number", None),
    (&FIGURES, r#""baseline_credentials": {"types": ^[]}"#, "`types` is not an object", None),
    (&FIGURES, r#""baseline_credentials": {"types": {"A": ^1}}"#, "`A` is not an object", None),
    (
        &FIGURES,
        r#""baseline_credentials": {"types": {"A": ^{}}}"#,
        "`weight` of credential type `A` is missing",
        None,
    ),
    (
        &FIGURES,
        r#""baseline_credentials": {"types": {"A": {"weight": 1, "scoring_function": {"values": {"x": ^true}}}}}"#,
        "`x` is not a number",
        None,
    ),
];

const OUT_OF_ITS_LIMITS: [Refused; 10] = [
    (&KWANZAA, r#""refusal_score": ^-0.1"#, "`refusal_score` must be a number, 0 or more", None),
    (&KWANZAA, r#""grounded_sources": ^2.5"#, "`grounded_sources` must be a whole number, 0 or more", None),
    (&KWANZAA, r#""samples_in_all": ^1e999"#, "`samples_in_all` must be a whole number, 0 or more", None),
    (&TRAIN, r#""first_id": ^-1"#, "`first_id` must be a whole number, 0 or more", None),
    (&RULES, r#""scores": ^[10, 0]"#, "the minimum of `scores` is above the maximum", None),
    (&RULES, r#""scores": [0, ^1e999]"#, NO_PAIR, None),
    (&RULES, r#""username": [^-1, 9]"#, NO_PAIR, None),
    (&RULES, r#""helpfulness": [^0.5, 9]"#, NO_PAIR, None),
    (&RULES, r#""weight_tolerance": ^-1"#, "`weight_tolerance` must be a number, 0 or more", None),
    (&FIGURES, r#""thresholds": {"bias_high": ^1e999}"#, "`bias_high` is not a number", None),
];

fn document(text: &str) -> JsonDocument {
    parse("settings.json", text.to_owned(), Limits::default()).expect("it is JSON")
}

fn assert_refused(table: &[Refused]) {
    for &(settings, marked, message, help) in table {
        let column = marked.find('^').expect("a place is marked") + 1;
        let member = marked.replacen('^', "", 1);
        let fault = (settings.read)(&document(&format!("{{\n{member}}}"))).expect_err(marked);
        let expected = format!("settings.json:2:{column}: {}: {message}", settings.code);
        assert_eq!(fault.to_string(), expected, "{member}");
        assert_eq!(fault.help.first().map(ToString::to_string).as_deref(), help, "{member}");
    }
}

#[test]
fn a_misspelt_setting_is_refused_where_it_stands() {
    assert_refused(&MISSPELT);
}

#[test]
fn a_setting_of_another_type_is_refused_where_it_stands() {
    assert_refused(&OF_ANOTHER_TYPE);
}

#[test]
fn a_setting_out_of_its_limits_is_refused_where_it_stands() {
    assert_refused(&OUT_OF_ITS_LIMITS);
}

#[test]
fn settings_that_are_no_object_are_refused() {
    for settings in [&KWANZAA, &TRAIN, &RULES, &FIGURES] {
        for text in ["[]", "1", "\"scores\"", "null"] {
            let fault = (settings.read)(&document(text)).expect_err(text);
            let expected = format!("settings.json:1:1: {}: the settings are not an object", settings.code);
            assert_eq!(fault.to_string(), expected);
        }
    }
}

#[test]
fn every_setting_is_taken_and_no_setting_is_the_default() {
    for settings in [&KWANZAA, &TRAIN, &RULES, &FIGURES] {
        let read = |text| (settings.read)(&document(text)).expect("they are settings");
        let (default, good) = (read("{}"), read(settings.good));
        assert_ne!(default, good, "{}", settings.code);
    }
    let settings = kwanzaa::KwanzaaSettings::read(&document(KWANZAA.good)).expect("they are settings");
    assert_eq!((settings.grounded_sources, settings.samples_in_all), (3, 20));
}
