//! Checks Python expressions without Python: finds those that Python refuses because of their brackets, quotes and
//! names. Only Python can judge the rest.

/// The functions and types that are built into Python.
const BUILTINS: &str = "abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod \
    compile complex delattr dict dir divmod enumerate eval exec filter float format frozenset getattr globals \
    hasattr hash help hex id input int isinstance issubclass iter len list locals map max memoryview min next \
    object oct open ord pow print property range repr reversed round set setattr slice sorted staticmethod str sum \
    super tuple type vars zip";

/// Returns whether a string may be a Python expression that yields a function: it begins with a built-in name or
/// contains a `lambda`.
pub(super) fn may_be_function(text: &str) -> bool {
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let first = text.trim_start_matches(['(', ' ', '\t', '\n']);
    let first = &first[..first.find(|char| !is_word(char)).unwrap_or(first.len())];
    let is_known = first.starts_with("__") || BUILTINS.split_whitespace().any(|known| known == first);
    let has_lambda = text.split(|char| !is_word(char)).any(|word| word == "lambda");
    (is_known || has_lambda) && are_brackets_closed(text)
}

/// Returns whether each bracket outside strings has its counterpart, and whether each string ends.
fn are_brackets_closed(text: &str) -> bool {
    // Strings of several lines may contain any quotes.
    if text.contains("\"\"\"") || text.contains("'''") {
        return true;
    }
    let mut open = Vec::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' if open.pop() != Some(char) => return false,
            '#' => drop(chars.find(|char| *char == '\n')),
            '"' | '\'' if !skip_string(&mut chars, char) => return false,
            _ => {}
        }
    }
    open.is_empty()
}

/// Skips the rest of a string. Returns `false` if the string does not end on its line.
fn skip_string(chars: &mut std::str::Chars<'_>, quote: char) -> bool {
    while let Some(char) = chars.next() {
        match char {
            '\\' => drop(chars.next()),
            '\n' => return false,
            char if char == quote => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::may_be_function;

    /// Examples that Python accepts and refuses (`eval` and `callable`, 3.12).
    #[test]
    fn functions_are_told_from_other_texts() {
        for text in [
            "lambda state: state",
            "(lambda s: s[\"a b\"] == '(')",
            "str.upper",
            "  len",
            "[lambda: 1][0]",
            "__import__('math').sqrt",
            "lambda s: s  # (",
        ] {
            assert!(may_be_function(text), "{text}");
        }
        for text in [
            "true",
            "For an adult",
            "[]",
            "{'a': 'b'}",
            "lambda s: s[0",
            "lambda: 'a",
            "3",
            "a.b",
            "lambda: )",
        ] {
            assert!(!may_be_function(text), "{text}");
        }
    }
}
