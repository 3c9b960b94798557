//! A fault that our recogniser finds in the tokens of a query, before it becomes a diagnostic.

use std::ops::Range;

use evalgraph_diagnostics::{Diagnostic, FindingHelp, SourceText};

/// One fault of a query's text.
#[derive(Debug, Clone)]
pub(crate) struct QueryTextFault {
    code: &'static str,
    span: Range<usize>,
    message: String,
    help: Vec<FindingHelp>,
    related: Option<(Range<usize>, String)>,
}

impl QueryTextFault {
    pub(crate) fn new(code: &'static str, span: Range<usize>, message: impl Into<String>) -> Self {
        Self { code, span, message: message.into(), help: Vec::new(), related: None }
    }

    pub(crate) fn syntax(span: Range<usize>, message: impl Into<String>) -> Self {
        Self::new("sparql::syntax", span, message)
    }

    pub(crate) fn with_help(mut self, help: impl Into<FindingHelp>) -> Self {
        self.help.push(help.into());
        self
    }

    pub(crate) fn with_suggestion(self, name: Option<&str>) -> Self {
        match name {
            Some(name) => self.with_help(format!("did you mean `{name}`?")),
            None => self,
        }
    }

    pub(crate) fn with_related(mut self, span: Range<usize>, label: impl Into<String>) -> Self {
        self.related = Some((span, label.into()));
        self
    }

    /// The byte where the fault begins.
    pub(crate) fn start(&self) -> usize {
        self.span.start
    }

    pub(crate) fn into_diagnostic(self, source: &SourceText<'_>) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(self.code, self.message).at(source.place(self.span));
        if let Some((span, label)) = self.related {
            diagnostic = diagnostic.with_related(source.place(span), label);
        }
        for help in self.help {
            diagnostic = diagnostic.with_help(help);
        }
        diagnostic
    }
}
