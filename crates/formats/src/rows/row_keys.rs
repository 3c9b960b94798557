//! The keys of rows in JSON: the columns.

use evalgraph_json::JsonDocument;

/// Returns the keys of the rows of a document in the order of first occurrence. The keys of inner objects are not
/// columns.
pub fn keys_of_rows(document: &JsonDocument) -> Vec<&str> {
    let rows = document.items(document.root());
    let mut is_known = vec![false; document.symbols().count()];
    let mut keys = Vec::new();
    for member in rows.filter(|&row| document.is_object(row)).flat_map(|row| document.members(row)) {
        if !std::mem::replace(&mut is_known[member.symbol.index()], true) {
            keys.push(document.symbol_text(member.symbol));
        }
    }
    keys
}
