//! Keeps how a file that is not JSON-LD was written: the style of its text, and its difference from the text that a
//! writer makes from its graph.

use super::encode::style_json;
use super::file_form::FileForm;
use super::json_difference::{AppliedDifference, DifferenceApplication};
use super::members::LIMITS;
use evalgraph_json::{JsonDocument, JsonStyle, parse};
use evalgraph_rdf::minted::sidecar_graph;
use evalgraph_rdf::vocabulary::{evalgraph, rdf};
use evalgraph_rdf::{QuadBuffer, QuadSink};

/// The layout of a file that is not JSON-LD.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileLayout {
    /// How its text is laid out.
    pub style: JsonStyle,
    /// Its [difference](super::json_difference) from the values written from its graph, or `None` if they are equal.
    pub difference: Option<String>,
    /// The form of its text, if it is not JSON.
    pub form: Option<FileForm>,
}

impl FileLayout {
    /// Appends the layout of the file of a document graph to its sidecar.
    pub fn encode(&self, graph: &str, quads: &mut QuadBuffer) {
        let Some(sidecar) = sidecar_graph(graph) else { return };
        let (document, sidecar) = (quads.iri(graph), Some(quads.iri(&sidecar)));
        let json = quads.iri(rdf::JSON);
        let style = style_json(&self.style);
        let form = self.form.as_ref().map(FileForm::encode);
        let entries = [
            (evalgraph::STYLE, Some(&style)),
            (evalgraph::DIFFERENCE, self.difference.as_ref()),
            (evalgraph::FORM, form.as_ref()),
        ];
        for (predicate, text) in entries {
            let Some(text) = text else { continue };
            let predicate = quads.iri(predicate);
            let text = quads.typed_literal(text, json);
            quads.quad(document, predicate, text, sidecar);
        }
    }

    /// Returns the values of the file as JSON, made from those written from its graph. A difference that cannot be read
    /// counts as one entry that does not fit.
    pub fn apply(&self, written: &JsonDocument) -> AppliedDifference {
        let read = |text: &String| parse("difference", text.clone(), LIMITS).ok();
        let difference = self.difference.as_ref().map(read);
        let mut application = DifferenceApplication::new(written);
        if let Some(Some(difference)) = &difference {
            application.add(written.root(), difference);
        }
        let mut applied = application.write(written.root(), self.style.clone());
        applied.stale.count += u64::from(matches!(difference, Some(None)));
        applied
    }
}
