//! The shapes of a run that find no node to look at: what conforms to them, conforms to nothing.

use super::shapes::name_of;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::help::{help, setting};
use crate::shacl::ValidationReport;

/// The most shapes that the warning names.
const MOST_NAMED: usize = 8;

/// How many nodes the shapes with targets have looked at, in all data of a run.
#[derive(Default)]
pub(super) struct Tally(Vec<(String, u64)>);

impl Tally {
    /// Adds the nodes of a validation by the same shapes as those before.
    pub(super) fn add(&mut self, validated: &ValidationReport<'_, '_>) {
        let targeted = || validated.looked_at().filter(|(shape, _)| shape.has_targets());
        if self.0.is_empty() {
            self.0 = targeted().map(|(shape, _)| (name_of(shape), 0)).collect();
        }
        self.0.iter_mut().zip(targeted()).for_each(|((_, sum), (_, nodes))| *sum += nodes);
    }

    pub(super) fn has_matched(&self) -> bool {
        self.0.iter().any(|(_, nodes)| *nodes > 0)
    }

    /// The warning that some shapes have found no node.
    pub(super) fn warning(&self) -> Option<Diagnostic> {
        let idle: Vec<&str> =
            self.0.iter().filter(|(_, nodes)| *nodes == 0).map(|(name, _)| &**name).collect();
        if idle.is_empty() {
            return None;
        }
        let named: Vec<String> = idle.iter().take(MOST_NAMED).map(|name| format!("`{name}`")).collect();
        let more = idle.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let message = format!(
            "{} of {} shapes with targets find no node to look at: {}{more}",
            idle.len(),
            self.0.len(),
            named.join(", ")
        );
        let warning = Diagnostic::warning("shacl::unmatched", message);
        if self.has_matched() {
            return Some(warning);
        }
        Some(warning.with_help(help![
            "no shape looked at anything, so that conforming means nothing; ",
            setting("allow-unmatched"),
            " says that this is as it should be"
        ]))
    }
}
