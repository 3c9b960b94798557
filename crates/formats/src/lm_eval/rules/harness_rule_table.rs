//! The rules for files of the harness, which follow what its version 0.4 writes (`lm_eval.loggers.EvaluationTracker`).

use crate::checking::{FormatRule, rules, violation, warning};
use crate::named_enum::named_enum;

rules! {
    /// The rules of the harness, in the order of the report.
    SEED:
    ROW = violation("L-1", "a sample must be an object with `doc_id`, `doc`, `target`, `arguments` and `resps`");
    METRICS = violation("L-2", "a sample must have a value for each metric in `metrics`");
    REPEATED = violation("L-3", "a document must occur once for each filter");
    VALUE = violation("L-4", "a metric of a task must be a number, or `N/A` for an error that is not known");
    ALL_SAMPLES = warning("L-5", "all samples of a task should be evaluated");
}

named_enum! {
    /// A profile of rules, by the name on the command line.
    pub enum HarnessProfile {
        /// The files that the harness writes.
        Seed = "seed",
    }
}

impl HarnessProfile {
    /// The rules in the order of the report.
    pub fn rules(self) -> Vec<FormatRule> {
        SEED.to_vec()
    }
}
