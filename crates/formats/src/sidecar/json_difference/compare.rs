//! Writes the difference of two JSON values as JSON.

use super::entry_pairing::{self, EntryPairing};
use super::named_entries::NamedEntry;
use super::value_digest::ValueDigests;
use crate::records::comparison::is_same_scalar;
use evalgraph_json::{JsonDocument, JsonKind, TokenId, minified::write_minified, write_string};

/// Returns what a value of a file has beyond the written one, or `None` if they are equal, including the order of
/// members and the spelling of numbers.
///
/// Cost: linear in the size of both values.
///
/// ```
/// use evalgraph_json::{Limits, parse};
/// use evalgraph_formats::sidecar::json_difference::difference;
///
/// let file = parse("file", r#"{"score": 1.0, "name": "a", "note": null}"#.to_owned(), Limits::default())?;
/// let written = parse("written", r#"{"name": "a", "score": 1}"#.to_owned(), Limits::default())?;
/// assert_eq!(
///     difference(&file, file.root(), &written, written.root()).as_deref(),
///     Some(r#"{"order":["score","name"],"after":{"name":{"note":null}},"in":{"score":["c4ca4238",1.0]}}"#)
/// );
/// assert_eq!(difference(&file, file.root(), &file, file.root()), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn difference(
    file: &JsonDocument,
    value: TokenId,
    written: &JsonDocument,
    written_value: TokenId,
) -> Option<String> {
    let mut comparison =
        JsonComparison { file: ValueDigests::new(file), written: ValueDigests::new(written) };
    let mut out = String::new();
    comparison.value(value, written_value, &mut out).then_some(out)
}

struct JsonComparison<'f, 'w> {
    file: ValueDigests<'f>,
    written: ValueDigests<'w>,
}

impl JsonComparison<'_, '_> {
    /// Appends the difference of two values, if there is one.
    ///
    /// Recurses by level; the parser limits the depth.
    fn value(&mut self, value: TokenId, written: TokenId, out: &mut String) -> bool {
        let documents = (self.file.document, self.written.document);
        match (documents.0.kind(value), documents.1.kind(written)) {
            (JsonKind::Object, JsonKind::Object) => {
                let pairing = entry_pairing::of_objects(documents.0, value, documents.1, written);
                self.parts(&pairing, out)
            }
            (JsonKind::Array, JsonKind::Array) => {
                // Each digest is computed once, so equal arrays need no pairing of their items at any level.
                if self.file.digest(value) == self.written.digest(written) {
                    return false;
                }
                let pairing = entry_pairing::of_arrays(&mut self.file, value, &mut self.written, written);
                out.push('[');
                let differs = self.parts(&pairing, out);
                // If the array has no difference, its brackets are removed again.
                if differs {
                    out.push(']');
                } else {
                    out.truncate(out.len() - 1);
                }
                differs
            }
            _ if is_same_scalar(documents.0, value, documents.1, written) => false,
            _ => {
                out.push('[');
                write_string(&self.written.hash(written), out);
                out.push(',');
                write_minified(documents.0, value, out);
                out.push(']');
                true
            }
        }
    }

    fn parts(&mut self, pairing: &EntryPairing<'_, '_>, out: &mut String) -> bool {
        let start = out.len();
        out.push('{');
        write_order(pairing, out);
        self.absent(pairing, out);
        self.own(pairing, out);
        self.within(pairing, out);
        if out.len() == start + 1 {
            out.truncate(start);
            return false;
        }
        if let Some(by) = pairing.by {
            write_key("by", out);
            write_string(by, out);
        }
        out.push('}');
        true
    }

    /// Writes the entries that only the written value has.
    fn absent(&mut self, pairing: &EntryPairing<'_, '_>, out: &mut String) {
        let mut is_absent = vec![true; pairing.written.len()];
        pairing.partners.iter().flatten().for_each(|&partner| is_absent[partner] = false);
        if !is_absent.contains(&true) {
            return;
        }
        write_key("absent", out);
        out.push('{');
        for (entry, _) in pairing.written.iter().zip(is_absent).filter(|(_, is_absent)| *is_absent) {
            write_key(&entry.name, out);
            write_string(&self.written.hash(entry.value), out);
        }
        out.push('}');
    }

    /// Writes the entries that only the file has.
    fn own(&self, pairing: &EntryPairing<'_, '_>, out: &mut String) {
        let EntryPairing { file, partners, .. } = pairing;
        let run = |from: usize| partners[from..].iter().take_while(|partner| partner.is_none()).count();
        let first = run(0);
        if first > 0 {
            write_key("first", out);
            self.group(&file[..first], out);
        }
        let mut has_any = false;
        for (at, partner) in partners.iter().enumerate() {
            let Some(partner) = *partner else { continue };
            // The runs do not overlap, so all of them together take linear time.
            let end = at + 1 + run(at + 1);
            if end == at + 1 {
                continue;
            }
            if !has_any {
                write_key("after", out);
                out.push('{');
                has_any = true;
            }
            write_key(&pairing.written[partner].name, out);
            self.group(&file[at + 1..end], out);
        }
        if has_any {
            out.push('}');
        }
    }

    /// Writes consecutive members or items.
    fn group(&self, entries: &[NamedEntry<'_>], out: &mut String) {
        let is_object = entries.iter().all(|entry| entry.key.is_some());
        out.push(if is_object { '{' } else { '[' });
        for entry in entries {
            if is_object {
                write_key(&entry.name, out);
            } else {
                separate(out);
            }
            write_minified(self.file.document, entry.value, out);
        }
        out.push(if is_object { '}' } else { ']' });
    }

    fn within(&mut self, pairing: &EntryPairing<'_, '_>, out: &mut String) {
        let start = out.len();
        write_key("in", out);
        out.push('{');
        let inner = out.len();
        for (entry, partner) in pairing.file.iter().zip(&pairing.partners) {
            let Some(partner) = partner.map(|partner| &pairing.written[partner]) else { continue };
            let before = out.len();
            write_key(&partner.name, out);
            if !self.value(entry.value, partner.value, out) {
                out.truncate(before);
            }
        }
        if out.len() == inner { out.truncate(start) } else { out.push('}') }
    }
}

/// Writes the common names in the order of the file, if that differs from the written order.
fn write_order(pairing: &EntryPairing<'_, '_>, out: &mut String) {
    let kept = pairing.partners.iter().flatten();
    if kept.clone().is_sorted() {
        return;
    }
    write_key("order", out);
    out.push('[');
    for &partner in kept {
        separate(out);
        write_string(&pairing.written[partner].name, out);
    }
    out.push(']');
}

fn write_key(key: &str, out: &mut String) {
    separate(out);
    write_string(key, out);
    out.push(':');
}

/// Writes a comma, unless a bracket has just been opened. No value ends with an opening bracket.
fn separate(out: &mut String) {
    if !out.ends_with(['{', '[']) {
        out.push(',');
    }
}
