//! The rules for records of RLCF, by profile: the requirements of its document (`seed`), and those that
//! the shipped program enforces (`shipped`).
//!
//! Rules that relate records (a feedback to its author, its response, and the status of the
//! task) consult the records of all given files, which a [`Register`] holds.

mod checker;
mod configuration;
mod fields;
mod records;
mod register;
mod scores;
mod settings;
mod table;
mod tasks;
mod visited;
mod yaml_content;

pub use super::profile::Profile;
pub use register::Register;
pub use settings::Settings;

use super::telling::Told;
use crate::checking;
use checker::Checker;
use evalgraph_diagnostics::validation::ValidationReport;
use evalgraph_json::Document;
use visited::visited;

/// Checks the records of a file by the rules of a profile. `register` must contain them, and may contain
/// those of other files.
///
/// ```
/// use evalgraph_json::{Limits, parse};
/// use evalgraph_formats::rlcf::rules::{Profile, Register, Settings, validate};
/// use evalgraph_formats::rlcf::tell;
///
/// let text = r#"[{"id": 1, "user_id": 1, "feedback_id": 1, "helpfulness_score": 6}]"#;
/// let document = parse("ratings.json", text.to_owned(), Limits::default())?;
/// let told = tell(&document, "ratings.json", None)?;
/// let mut register = Register::default();
/// register.add(&document, &told);
/// let report = validate(&document, &told, Profile::Seed, &Settings::default(), &register);
/// assert_eq!(report.results[0].rule, "R-5");
/// assert_eq!(report.results[0].message, "`6` is not an integer from 1 to 5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(
    document: &Document,
    told: &Told,
    profile: Profile,
    settings: &Settings,
    register: &Register,
) -> ValidationReport {
    let findings = checking::Checker::new(document, profile.name(), profile.rules());
    let mut checker = Checker { document, profile, settings, register, findings };
    records::check(&mut checker, told);
    for record in visited(document, told) {
        yaml_content::check(&mut checker, record);
    }
    checker.findings.finish()
}
