//! The kinds of the cells of columns that exporters of results write. CSV says nothing about them.

/// Columns whose cells are numbers.
const NUMBERS: [&str; 10] = [
    "row_index",
    "replicate",
    "execution_time",
    "embedding_similarity_score",
    "verify_granular_result",
    "deep_judgment_model_calls",
    "deep_judgment_excerpt_retry_count",
    "total_deep_judgment_model_calls",
    "total_traits_evaluated",
    "total_excerpt_retries",
];

/// Columns whose cells are true or false.
const BOOLEANS: [&str; 9] = [
    "success",
    "verify_result",
    "template_verification_performed",
    "rubric_evaluation_performed",
    "embedding_check_performed",
    "embedding_override_applied",
    "deep_judgment_performed",
    "deep_judgment_search_enabled",
    "deep_judgment_rubric_performed",
];

/// Returns whether the cells of a column are numbers.
pub(super) fn has_numbers(column: &str) -> bool {
    NUMBERS.contains(&column)
}

/// Returns whether the cells of a column are true or false.
pub(super) fn has_booleans(column: &str) -> bool {
    BOOLEANS.contains(&column)
}
