//! A named query as JSON, with everything that a program or a page needs to know about it.
//!
//! `NamedQuery` is defined in `named_queries/mod.rs`.

use serde_json::{Value, json};

use super::NamedQuery;
use evalgraph_diagnostics::Diagnostic;

impl NamedQuery {
    /// Returns the query as an object.
    ///
    /// # Errors
    ///
    /// The errors of [`NamedQuery::query`].
    pub fn to_json(&self) -> Result<Value, Box<Diagnostic>> {
        let parameters = self.parameters.iter().map(|parameter| {
            json!({
                "name": parameter.name,
                "type": parameter.parameter_type.name(),
                "default": parameter.default,
                "description": parameter.description,
            })
        });
        let chart = self
            .chart
            .as_ref()
            .map(|chart| json!({ "kind": chart.kind.name(), "label": chart.label, "value": chart.value }));
        Ok(json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "parameters": parameters.collect::<Vec<_>>(),
            "form": self.query()?.form().name(),
            "chart": chart,
            "text": self.text,
        }))
    }
}
