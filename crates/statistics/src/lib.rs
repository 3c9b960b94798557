//! Statistics of evaluations: is the difference between two runs more than chance, and how far do judges agree?
//!
//! [`PairedComparison::from_pairs`] is what most callers need: it chooses the test, and states which one it used.

mod agreement;
mod bootstrap;
mod intervals;
mod items;
mod mcnemar;
mod multiple_tests;
mod paired_comparison;
mod power;
mod random_numbers;
mod repeats;
mod special_functions;
mod sums;

pub use agreement::{
    AgreementFigures, BaseRate, KappaWeights, MeasurementLevel, cohen_kappa, fleiss_kappa, krippendorff_alpha,
};
pub use bootstrap::{
    BootstrapFigures, BootstrapOptions, ClusteredDifference, bootstrap_clustered_mean, bootstrap_mean,
};
pub use intervals::ConfidenceInterval;
pub use items::{ItemStatistics, item_statistics, kendall_tau};
pub use mcnemar::{mcnemar_exact, mcnemar_mid_p, mcnemar_power, paired_proportions_interval};
pub use multiple_tests::holm_corrected;
pub use paired_comparison::{ComparisonOptions, DifferenceTest, PairedComparison, ScorePair};
pub use power::{PowerGoal, pairs_needed, power_for_difference, smallest_detectable};
pub use repeats::{averaged_repeats, pass_all, pass_at};
pub use sums::{mean, paired_t_test, standard_error};
