//! The shapes of a run that find no node to look at: what conforms to them, conforms to nothing.

use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_shacl::{ValidationOptions, ValidationReport};

/// The most shapes that the warning names.
const MOST_NAMED: usize = 8;

/// How many nodes the shapes that are asked have looked at, in all data of a run.
pub(super) struct FocusNodeTally<'r> {
    options: &'r ValidationOptions,
    shapes: Vec<(String, u64)>,
}

impl<'r> FocusNodeTally<'r> {
    pub(super) fn new(options: &'r ValidationOptions) -> Self {
        Self { options, shapes: Vec::new() }
    }

    /// Adds the nodes of a validation by the same shapes as those before.
    pub(super) fn add(&mut self, validated: &ValidationReport<'_, '_>) {
        if self.shapes.is_empty() {
            self.shapes = validated.asked().map(|(shape, _)| (shape.name(), 0)).collect();
        }
        self.shapes.iter_mut().zip(validated.asked()).for_each(|((_, sum), (_, nodes))| *sum += nodes);
    }

    pub(super) fn has_matched(&self) -> bool {
        self.shapes.iter().any(|(_, nodes)| *nodes > 0)
    }

    /// The warning that some shapes have found no node. Where nodes are named, a single shape may be about them.
    pub(super) fn warning(&self) -> Option<Diagnostic> {
        let idle = self.shapes.iter().filter(|(_, nodes)| *nodes == 0).map(|(name, _)| &**name);
        let idle: Vec<&str> = idle.collect();
        let ValidationOptions { focus_nodes, shapes, .. } = self.options;
        if idle.is_empty() || (!focus_nodes.is_empty() && self.has_matched()) {
            return None;
        }
        let message = match (focus_nodes.is_empty(), shapes.is_empty()) {
            (false, _) => "no shape has one of the nodes that are named among its targets".to_owned(),
            (true, true) => self.counted(&idle, "with targets"),
            (true, false) => self.counted(&idle, "that are named"),
        };
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

    fn counted(&self, idle: &[&str], which: &str) -> String {
        let named: Vec<String> = idle.iter().take(MOST_NAMED).map(|name| format!("`{name}`")).collect();
        let more = idle.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!(
            "{} of {} shapes {which} find no node to look at: {}{more}",
            idle.len(),
            self.shapes.len(),
            named.join(", ")
        )
    }
}
