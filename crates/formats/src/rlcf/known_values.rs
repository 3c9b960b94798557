//! The words that fields may have, and the forms of ids and times, each with the rule that requires it.

use super::rules::rlcf_rule_table::{R_12, R_13, R_16, R_19};
use crate::checking::IsoTimestamp;
use crate::checking::schema::{StringForm, WordList, listed};
use evalgraph_json::number::is_integer;

/// The status of a new task, which has no feedback.
pub const OPEN: &str = "OPEN";
/// The status of a task while experts evaluate it, each without the feedback of the others.
pub(super) const BLIND_EVALUATION: &str = "BLIND_EVALUATION";
/// The status of a task with a consensus.
pub(super) const AGGREGATED: &str = "AGGREGATED";
/// The status of a task that is done.
pub(super) const CLOSED: &str = "CLOSED";

/// The status of a task.
pub static TASK_STATUS: WordList = WordList {
    rule: &R_16,
    words: &[OPEN, BLIND_EVALUATION, AGGREGATED, CLOSED],
    otherwise: |words| format!("is not a status: there are {}", words.join(", ")),
};

/// The type of a credential whose value is a number of years.
pub(super) const PROFESSIONAL_EXPERIENCE: &str = "PROFESSIONAL_EXPERIENCE";
/// The types of credentials whose value is a number in a string.
pub const COUNTED_CREDENTIALS: [&str; 2] = [PROFESSIONAL_EXPERIENCE, "PUBLICATION"];
/// The types of credentials whose value is one of several words.
pub(super) const NAMED_CREDENTIALS: [(&str, &[&str]); 2] = [
    ("ACADEMIC_DEGREE", &["Bachelor", "LLM", "JD", "PhD"]),
    ("INSTITUTIONAL_ROLE", &["Junior", "Senior", "Partner"]),
];

/// The type of a credential.
pub static CREDENTIAL_TYPE: WordList = WordList {
    rule: &R_12,
    words: &[
        NAMED_CREDENTIALS[0].0,
        COUNTED_CREDENTIALS[0],
        COUNTED_CREDENTIALS[1],
        NAMED_CREDENTIALS[1].0,
        "PROFESSIONAL_FIELD",
    ],
    otherwise: |_| "is not a type of credential".to_owned(),
};

/// The export of examples.
pub(super) const SFT: &str = "sft";
/// The export of pairs of answers.
pub(super) const PREFERENCE: &str = "preference";

/// The form of an export.
pub(super) static EXPORT_FORMAT: WordList = WordList {
    rule: &R_13,
    words: &[SFT, PREFERENCE],
    otherwise: |words| format!("is neither `{}`", words.join("` nor `")),
};

/// The code of an error (section "Error Response Schema").
pub(super) static ERROR_CODE: WordList = WordList {
    rule: &R_19,
    words: &["VALIDATION_ERROR", "NOT_FOUND", "PERMISSION_DENIED", "CONFLICT", "INTERNAL_ERROR"],
    otherwise: |words| format!("is not an error code; there are {}", listed(words)),
};

/// The positions of an expert on an answer, the best first.
pub(super) const POSITIONS: [&str; 3] = ["correct", "partially_correct", "incorrect"];

/// The keys of feedback that must be one of several words, with these words (section "FeedbackCreate").
pub(super) const FEEDBACK_WORDS: [(&str, &[&str]); 3] = [
    ("position", &POSITIONS),
    ("legal_accuracy", &["high", "medium", "low"]),
    ("citation_quality", &["good", "fair", "poor"]),
];

/// The number of a record. In the graph it is a string, or the end of an IRI.
pub static RECORD_ID: StringForm = StringForm {
    name: "a positive integer",
    pattern: "^0*[1-9][0-9]*$",
    fits: |document, value, _| {
        let digits = document.number(value).filter(|number| is_integer(number));
        digits.is_some_and(|digits| digits != "0" && !digits.starts_with('-'))
    },
};

/// A time.
pub static ISO_TIME: StringForm = StringForm {
    name: "a time in ISO 8601",
    pattern: "^[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|\
              [12][0-9]))(T([01][0-9]|2[0-3]):[0-5][0-9](:([0-5][0-9]|60)([.,][0-9]+)?)?(Z|[+-]([01][0-9]|\
              2[0-3])(:?[0-5][0-9])?)?)?$",
    fits: |document, value, _| {
        document.string(value).is_some_and(|text| IsoTimestamp::parse(&text).is_some())
    },
};
