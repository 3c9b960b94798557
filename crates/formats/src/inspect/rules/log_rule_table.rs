//! The rules for logs, which follow the classes of Inspect's log files (`inspect_ai.log`: `EvalLog`, `EvalSpec`,
//! `EvalSample` and `Score`).

use crate::checking::{FormatRule, rules, violation, warning};
use crate::named_enum::named_enum;

rules! {
    /// The rules of the classes, in the order of the report.
    SEED:
    RUN = violation("I-1", "`eval` must have the task, the model, the dataset and the time of the run");
    STATUS = violation("I-2", "`status` must be started, success, cancelled or error");
    SAMPLE = violation("I-3", "a sample must have an `id`, an `epoch`, an `input` and a `target`");
    REPEATED = violation("I-4", "a sample must occur once in each epoch");
    SCORE = violation("I-5", "a score must be an object with a `value`");
    SUCCESS = warning("I-6", "a run should have succeeded");
    FAILED = warning("I-7", "a sample should have run without an error");
}

named_enum! {
    /// A profile of rules, by the name on the command line.
    pub enum LogProfile {
        /// The classes of Inspect.
        Seed = "seed",
    }
}

impl LogProfile {
    /// The rules in the order of the report.
    pub fn rules(self) -> Vec<FormatRule> {
        SEED.to_vec()
    }
}
