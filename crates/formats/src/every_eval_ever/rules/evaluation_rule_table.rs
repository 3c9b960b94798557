//! The rules for files of results, which follow the two schemas of version 0.3.0: `instance_level_eval.schema.json` and
//! `eval.schema.json`.

use crate::checking::{FormatRule, rules, violation, warning};
use crate::named_enum::named_enum;

rules! {
    /// The rules of the schemas, in the order of the report.
    SEED:
    RECORD = violation("E-1", "every record must be an object");
    SAMPLE = violation("E-2", "the result of a sample must have the fields of the schema, and no others");
    // `allOf` of the schema of samples.
    INTERACTION = violation("E-3", "a single turn must have `output`, other interactions must have `messages`");
    RUN = violation("E-4", "a run must have the fields of the schema, and no others");
    // `if` and `else` of `metric_config`.
    SCALE = violation("E-5", "a metric must have the scale that its `score_type` requires");
    // `oneOf` of `source_data`.
    SOURCE = violation("E-6", "`source_data` must have the fields of its `source_type`");
    // `pattern` of `file_path`.
    SAMPLES_FILE = violation("E-7", "`file_path` must be the path of samples in the data store");
    VERSION = warning("E-8", "`schema_version` should be 0.3.0");
}

named_enum! {
    /// A profile of rules, by the name on the command line.
    pub enum EvaluationProfile {
        /// The schemas.
        Seed = "seed",
    }
}

impl EvaluationProfile {
    /// The rules in the order of the report.
    pub fn rules(self) -> Vec<FormatRule> {
        SEED.to_vec()
    }
}
