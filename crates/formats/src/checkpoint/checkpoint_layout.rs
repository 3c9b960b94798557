//! The single layout of checkpoint files, in which a change to one question changes few lines.
//!
//! Keys have the order of the dialect's own program, with two spaces per level and one value per line, which is how
//! that program lays out files. Strings and numbers stay byte for byte, arrays keep their order, and nothing is left
//! out.

use super::key_order::{KeyOrder, ObjectPosition};
use super::survey::CheckpointSurvey;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonDocument, JsonStyle, StyledJson, TokenId};

/// Lays a document out.
///
/// # Errors
///
/// One `fmt::duplicate-key` for each key that occurs twice in an object, because the layout would lose one of the two
/// values.
///
/// ```
/// use evalgraph_json::{Limits, parse};
/// use evalgraph_formats::checkpoint::checkpoint_layout::format;
///
/// let text = r#"{"n": 1.0,"a":["\u00e9", {}]}"#;
/// let document = parse("any.json", text.to_owned(), Limits::default())?;
/// let laid_out = "{\n  \"n\": 1.0,\n  \"a\": [\n    \"\\u00e9\",\n    {}\n  ]\n}\n";
/// assert_eq!(format(&document).expect("no key occurs twice"), laid_out);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn format(document: &JsonDocument) -> Result<String, Vec<Diagnostic>> {
    let faults: Vec<Diagnostic> = duplicates(document);
    if !faults.is_empty() {
        return Err(faults);
    }
    let order = KeyOrder::new(CheckpointSurvey::from_document(document).detect().dialect);
    let place = order.root(document);
    let style = JsonStyle { end: "\n".to_owned(), ..JsonStyle::default() };
    let mut formatter = CheckpointFormatter { document, order, json: StyledJson::new(style) };
    formatter.json.reserve(document.text().len());
    formatter.value(document.root(), place);
    Ok(formatter.json.finish())
}

fn duplicates(document: &JsonDocument) -> Vec<Diagnostic> {
    let source = document.source_text();
    let fault = |kept, replaced| {
        let key = document.string(kept).unwrap_or_default();
        let (first, second) = (document.place_in(&source, replaced), document.place_in(&source, kept));
        let message = format!(
            "the key `{key}` occurs twice in one object, in lines {} and {}; one of them would be lost",
            first.line, second.line
        );
        Diagnostic::error("fmt::duplicate-key", message)
            .at(second)
            .with_related(first, "the first one")
            .with_help("remove the one that is not meant; readers take the last")
    };
    document.duplicate_keys().iter().map(|pair| fault(pair.kept, pair.replaced)).collect()
}

struct CheckpointFormatter<'d> {
    document: &'d JsonDocument,
    order: KeyOrder,
    json: StyledJson,
}

impl CheckpointFormatter<'_> {
    fn value(&mut self, value: TokenId, place: ObjectPosition) {
        let document = self.document;
        if document.is_object(value) {
            self.json.open('{');
            for (key, value) in self.order.members(document, value, place) {
                self.json.quoted_key(document.raw(key));
                self.member(key, value, place);
            }
            self.json.close('}');
        } else if document.is_array(value) {
            self.items(value, |_, _| place);
        } else {
            self.json.scalar(document.raw(value));
        }
    }

    /// Lays out the value of a member, which may be a list of such values.
    fn member(&mut self, key: TokenId, value: TokenId, place: ObjectPosition) {
        let document = self.document;
        let below = |order: &KeyOrder, value| order.below(document, place, key, value);
        if document.is_array(value) {
            self.items(value, below);
        } else {
            let below = below(&self.order, value);
            self.value(value, below);
        }
    }

    fn items(&mut self, array: TokenId, place: impl Fn(&KeyOrder, TokenId) -> ObjectPosition) {
        self.json.open('[');
        for item in self.document.items(array) {
            self.json.item();
            let place = place(&self.order, item);
            self.value(item, place);
        }
        self.json.close(']');
    }
}
