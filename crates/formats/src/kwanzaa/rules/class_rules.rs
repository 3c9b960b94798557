//! The rules that check the fields of objects: one for each class of objects.

use crate::checking::{FormatRule, violation};

pub(in crate::kwanzaa) const DATASET: FormatRule =
    violation("W-TrainingDataset", "the fields of the dataset must be there, with allowed values");
pub(in crate::kwanzaa) const STATISTICS: FormatRule =
    violation("W-Statistics", "the fields of `statistics` must be there, with allowed values");
pub(in crate::kwanzaa) const SAMPLE: FormatRule =
    violation("W-TrainingSample", "the fields of a sample must be there, with allowed values");
pub(in crate::kwanzaa) const RETRIEVAL_RESULT: FormatRule =
    violation("W-RetrievalResult", "the fields of `retrieved_context` must be there, with allowed values");
pub(in crate::kwanzaa) const RESULT_METADATA: FormatRule = violation(
    "W-RetrievalMetadata",
    "the fields of a result's `metadata` must be there, with allowed values",
);
pub(in crate::kwanzaa) const METADATA: FormatRule =
    violation("W-SampleMetadata", "the fields of a sample's `metadata` must be there, with allowed values");

/// The rules of a dataset's fields.
pub(super) const OF_DATASETS: [FormatRule; 6] =
    [DATASET, STATISTICS, SAMPLE, RETRIEVAL_RESULT, RESULT_METADATA, METADATA];

pub(in crate::kwanzaa) const ANSWER_JSON: FormatRule =
    violation("W-AnswerJson", "the fields of `expected_output` must be there, with allowed values");
pub(in crate::kwanzaa) const TOGGLES: FormatRule =
    violation("W-Toggles", "the fields of `toggles` must be there, with allowed values");
pub(in crate::kwanzaa) const ANSWER: FormatRule =
    violation("W-Answer", "the fields of `answer` must be there, with allowed values");
pub(in crate::kwanzaa) const SOURCE: FormatRule =
    violation("W-Source", "the fields of `sources` must be there, with allowed values");
pub(in crate::kwanzaa) const SUMMARY: FormatRule =
    violation("W-RetrievalSummary", "the fields of `retrieval_summary` must be there, with allowed values");
pub(in crate::kwanzaa) const FILTERS: FormatRule =
    violation("W-Filters", "the fields of `filters` must be there, with allowed values");
pub(in crate::kwanzaa) const RESULT: FormatRule = violation(
    "W-Result",
    "the fields of `results` in `retrieval_summary` must be there, with allowed values",
);
pub(in crate::kwanzaa) const UNKNOWNS: FormatRule =
    violation("W-Unknowns", "the fields of `unknowns` must be there, with allowed values");
pub(in crate::kwanzaa) const INTEGRITY: FormatRule =
    violation("W-Integrity", "the fields of `integrity` must be there, with allowed values");
pub(in crate::kwanzaa) const PROVENANCE: FormatRule =
    violation("W-Provenance", "the fields of `provenance` must be there, with allowed values");

/// The rules of the contract.
pub(super) const OF_CONTRACT: [FormatRule; 10] =
    [ANSWER_JSON, TOGGLES, ANSWER, SOURCE, SUMMARY, FILTERS, RESULT, UNKNOWNS, INTEGRITY, PROVENANCE];

/// The rules of the contract that the shipped code also has.
pub(super) const OF_CODE: [FormatRule; 4] = [ANSWER_JSON, ANSWER, SUMMARY, UNKNOWNS];

/// The rules of the contract that the outline also has.
pub(super) const OF_OUTLINE: [FormatRule; 7] =
    [ANSWER_JSON, TOGGLES, ANSWER, SUMMARY, UNKNOWNS, INTEGRITY, PROVENANCE];
