//! The rules for the files of a run, which follow the classes of HELM (`helm.benchmark`: `ScenarioState`, `RequestState`,
//! `PerInstanceStats` and `Stat`).

use crate::checking::{FormatRule, rules, violation, warning};
use crate::named_enum::named_enum;

rules! {
    /// The rules of the classes, in the order of the report.
    SEED:
    RESPONSE = violation("H-1", "a response must have an `instance` with an `id`, and a `request`");
    STATISTIC = violation("H-2", "a statistic must have a `name` with a `name`, and a `count`");
    REPEATED = violation("H-3", "an instance must occur once for each trial and perturbation");
    SUCCESS = warning("H-4", "a request should have succeeded");
}

named_enum! {
    /// A profile of rules, by the name on the command line.
    pub enum StatisticProfile {
        /// The classes of HELM.
        Seed = "seed",
    }
}

impl StatisticProfile {
    /// The rules in the order of the report.
    pub fn rules(self) -> Vec<FormatRule> {
        SEED.to_vec()
    }
}
