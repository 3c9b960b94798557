//! The shapes of a run that match no node. Conforming to them means nothing.

use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_shacl::{ValidationOptions, ValidationReport};

/// The maximum number of shapes that the warning names.
const MOST_NAMED: usize = 8;

/// How many nodes the chosen shapes have checked, in all data of a run.
pub(super) struct FocusNodeTally<'r> {
    options: &'r ValidationOptions,
    shapes: Vec<(String, u64)>,
}

impl<'r> FocusNodeTally<'r> {
    pub(super) fn new(options: &'r ValidationOptions) -> Self {
        Self { options, shapes: Vec::new() }
    }

    /// Adds the nodes of a validation. It must use the same shapes as the earlier ones.
    pub(super) fn add(&mut self, validated: &ValidationReport<'_, '_>) {
        if self.shapes.is_empty() {
            self.shapes = validated.asked().map(|(shape, _)| (shape.name(), 0)).collect();
        }
        self.shapes.iter_mut().zip(validated.asked()).for_each(|((_, sum), (_, nodes))| *sum += nodes);
    }

    pub(super) fn has_matched(&self) -> bool {
        self.shapes.iter().any(|(_, nodes)| *nodes > 0)
    }

    /// The warning about shapes that have matched no node. If the user names nodes, it is enough that one shape
    /// matches.
    pub(super) fn warning(&self) -> Option<Diagnostic> {
        let idle = self.shapes.iter().filter(|(_, nodes)| *nodes == 0).map(|(name, _)| &**name);
        let idle: Vec<&str> = idle.collect();
        let ValidationOptions { focus_nodes, shapes, .. } = self.options;
        if idle.is_empty() || (!focus_nodes.is_empty() && self.has_matched()) {
            return None;
        }
        let message = match (focus_nodes.is_empty(), shapes.is_empty()) {
            (false, _) => "none of the named nodes is a target of any shape".to_owned(),
            (true, true) => self.counted(&idle, "with targets"),
            (true, false) => self.counted(&idle, "that are named"),
        };
        let warning = Diagnostic::warning("shacl::unmatched", message);
        if self.has_matched() {
            return Some(warning);
        }
        Some(warning.with_help(help![
            "no shape checked any node, so conforming means nothing; ",
            setting("allow-unmatched"),
            " accepts this"
        ]))
    }

    fn counted(&self, idle: &[&str], which: &str) -> String {
        let named: Vec<String> = idle.iter().take(MOST_NAMED).map(|name| format!("`{name}`")).collect();
        let more = idle.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!(
            "{} of {} shapes {which} match no node: {}{more}",
            idle.len(),
            self.shapes.len(),
            named.join(", ")
        )
    }
}
