//! The one layout of a checkpoint file, so that a change to one question is a change to few lines.
//!
//! Keys stand in the order in which the dialect's own program writes them, two spaces a level, one
//! value a line, as that program lays files out. Strings and numbers stay byte for byte, arrays keep
//! their order, and nothing is left out.

use super::key_order::{KeyOrder, Place};
use super::survey::Survey;
use crate::diagnostic::Diagnostic;
use crate::json::{Document, TokenId};

/// Lays a document out.
///
/// # Errors
///
/// One `fmt::duplicate-key` for each key that stands twice in an object: a layout of the one would
/// lose the other.
///
/// ```
/// use evalgraph::json::{Limits, parse};
/// use evalgraph::source::karenina::formatting::format;
///
/// let text = r#"{"n": 1.0,"a":["\u00e9", {}]}"#;
/// let document = parse("any.json", text.to_owned(), Limits::default())?;
/// let laid_out = "{\n  \"n\": 1.0,\n  \"a\": [\n    \"\\u00e9\",\n    {}\n  ]\n}\n";
/// assert_eq!(format(&document).expect("no key stands twice"), laid_out);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn format(document: &Document) -> Result<String, Vec<Diagnostic>> {
    let faults: Vec<Diagnostic> = duplicates(document);
    if !faults.is_empty() {
        return Err(faults);
    }
    let order = KeyOrder::new(document, Survey::of(document).detect().dialect);
    let place = order.root(document);
    let mut formatter = Formatter { document, order, text: String::with_capacity(document.text().len()) };
    formatter.value(document.root(), place, 0);
    formatter.text.push('\n');
    Ok(formatter.text)
}

fn duplicates(document: &Document) -> Vec<Diagnostic> {
    let source = document.source_text();
    let fault = |kept, replaced| {
        let key = document.string(kept).unwrap_or_default();
        let (first, second) = (document.place_in(&source, replaced), document.place_in(&source, kept));
        let message = format!(
            "the key `{key}` stands twice in one object, in lines {} and {}; one of them would be lost",
            first.line, second.line
        );
        Diagnostic::error("fmt::duplicate-key", message)
            .at(second)
            .with_related(first, "the first one")
            .with_help("remove the one that is not meant; readers take the last")
    };
    document.duplicate_keys().iter().map(|pair| fault(pair.kept, pair.replaced)).collect()
}

struct Formatter<'d> {
    document: &'d Document,
    order: KeyOrder,
    text: String,
}

impl Formatter<'_> {
    fn value(&mut self, value: TokenId, place: Place, level: usize) {
        let document = self.document;
        if document.is_object(value) {
            let members = self.order.members(document, value, place);
            self.text.push('{');
            for (at, &(key, value)) in members.iter().enumerate() {
                self.line(at, level + 1);
                self.text.push_str(document.raw(key));
                self.text.push_str(": ");
                self.member(key, value, place, level + 1);
            }
            self.close('}', members.is_empty(), level);
        } else if document.is_array(value) {
            self.items(value, level, |_| place);
        } else {
            self.text.push_str(document.raw(value));
        }
    }

    /// The value of a member, which may be a list of what the key stands for.
    fn member(&mut self, key: TokenId, value: TokenId, place: Place, level: usize) {
        let document = self.document;
        if document.is_array(value) {
            let below = |order: &KeyOrder, item| order.below(document, (place, key), item);
            let places: Vec<Place> = document.items(value).map(|item| below(&self.order, item)).collect();
            self.items(value, level, |at| places[at]);
        } else {
            let below = self.order.below(document, (place, key), value);
            self.value(value, below, level);
        }
    }

    fn items(&mut self, array: TokenId, level: usize, place: impl Fn(usize) -> Place) {
        let document = self.document;
        self.text.push('[');
        let mut is_empty = true;
        for (at, item) in document.items(array).enumerate() {
            self.line(at, level + 1);
            self.value(item, place(at), level + 1);
            is_empty = false;
        }
        self.close(']', is_empty, level);
    }

    /// Begins a line within a container.
    fn line(&mut self, at: usize, level: usize) {
        if at > 0 {
            self.text.push(',');
        }
        self.indent(level);
    }

    fn close(&mut self, bracket: char, is_empty: bool, level: usize) {
        if !is_empty {
            self.indent(level);
        }
        self.text.push(bracket);
    }

    fn indent(&mut self, level: usize) {
        self.text.push('\n');
        for _ in 0..level {
            self.text.push_str("  ");
        }
    }
}
