//! The rules by which records of RLCF are right, as profiles: what its document asks for (`seed`), and
//! what the shipped program refuses (`shipped`).
//!
//! Rules that look from one record to another (who gave feedback, on which response, to a task in which
//! status) look at the records of all files that are given, which a [`Register`] holds.

mod configuration;
mod fields;
mod register;
mod scores;
mod settings;
mod table;
mod tasks;

pub use register::Register;
pub use settings::Settings;
pub use table::Profile;

use super::kinds::{FieldType, RecordKind};
use super::telling::Told;
use crate::diagnostic::validation::ValidationReport;
use crate::json::{Document, TokenId};
use crate::source::checking;
use std::ops::{Deref, DerefMut};

/// What collects the findings, with what the rules ask.
struct Checker<'d> {
    document: &'d Document,
    profile: Profile,
    settings: &'d Settings,
    register: &'d Register,
    findings: checking::Checker<'d>,
}

impl<'d> Deref for Checker<'d> {
    type Target = checking::Checker<'d>;

    fn deref(&self) -> &Self::Target {
        &self.findings
    }
}

impl DerefMut for Checker<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.findings
    }
}

/// A record, wherever it stands.
#[derive(Debug, Clone, Copy)]
struct Visited {
    kind: RecordKind,
    value: TokenId,
    /// The number of the array that it is an item of.
    list: usize,
}

/// The records of a file with those inside of them, each before what it holds.
fn visited(document: &Document, told: &Told) -> Vec<Visited> {
    let mut found = Vec::new();
    let mut lists = 0;
    for list in &told.lists {
        lists += 1;
        let number = lists;
        for record in &list.records {
            found.push(Visited { kind: record.kind, value: record.value, list: number });
            visit_inner(document, *found.last().expect("it was pushed"), &mut lists, &mut found);
        }
    }
    found
}

/// Records in records: kinds hold only later ones, so that this ends after a few steps.
fn visit_inner(document: &Document, outer: Visited, lists: &mut usize, found: &mut Vec<Visited>) {
    for field in outer.kind.fields() {
        let FieldType::Records(kind) = field.value else { continue };
        let Some(array) = document.get(outer.value, field.key) else { continue };
        *lists += 1;
        let list = *lists;
        for value in document.items(array) {
            let inner = Visited { kind, value, list };
            found.push(inner);
            visit_inner(document, inner, lists, found);
        }
    }
}

/// Looks at the records of a file by the rules of a profile. `register` has to know them, and may know
/// those of other files.
///
/// ```
/// use evalgraph::json::{Limits, parse};
/// use evalgraph::source::rlcf::rules::{Profile, Register, Settings, validate};
/// use evalgraph::source::rlcf::tell;
///
/// let text = r#"[{"id": 1, "user_id": 1, "feedback_id": 1, "helpfulness_score": 6}]"#;
/// let document = parse("ratings.json", text.to_owned(), Limits::default())?;
/// let told = tell(&document, "ratings.json", None)?;
/// let mut register = Register::default();
/// register.add(&document, &told);
/// let report = validate(&document, &told, Profile::Seed, (&Settings::default(), &register));
/// assert_eq!(report.results[0].rule, "R-5");
/// assert_eq!(report.results[0].message, "`6` is no integer from 1 to 5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(
    document: &Document,
    told: &Told,
    profile: Profile,
    (settings, register): (&Settings, &Register),
) -> ValidationReport {
    let findings = checking::Checker::new(document, profile.name(), profile.rules());
    let mut checker = Checker { document, profile, settings, register, findings };
    let mut ids = fields::Ids::default();
    for record in visited(document, told) {
        checker.subjects += 1;
        if !fields::check(&mut checker, record, &mut ids) {
            continue;
        }
        scores::check(&mut checker, record);
        tasks::check(&mut checker, record);
        configuration::check(&mut checker, record);
    }
    checker.findings.finish()
}
