//! A list in the cell of a table: as JSON writes it, as Python prints a list (`['a', 'b']`), or as NumPy prints an
//! array (`['a' 'b']`). Tables have no lists, so programs write one of these forms instead.

use std::iter::Peekable;
use std::str::Chars;

/// The deepest nesting of lists and objects in a cell.
const DEEPEST: usize = 16;

/// A value in the list of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CellValue {
    /// A string.
    Text(String),
    /// A word or number without quotes, as written.
    Bare(String),
    /// A list.
    List(Vec<CellValue>),
    /// An object: keys and values.
    Object(Vec<(String, CellValue)>),
}

/// Returns the values of a cell that is a list, or `None` for other text, such as `[1] a note`.
pub(super) fn list_of(cell: &str) -> Option<Vec<CellValue>> {
    let cell = cell.trim();
    let is_list = cell.starts_with('[') && cell.ends_with(']');
    let mut reader = CellListReader { rest: is_list.then(|| cell.chars().peekable())? };
    let CellValue::List(values) = reader.value(DEEPEST)? else { return None };
    reader.skip_blanks();
    reader.rest.peek().is_none().then_some(values)
}

/// Returns whether a cell is a word that programs write for a missing value.
pub(super) fn is_missing(cell: &str) -> bool {
    matches!(cell.trim(), "None" | "nan" | "NaN" | "null" | "NULL" | "<NA>" | "NaT")
}

struct CellListReader<'c> {
    rest: Peekable<Chars<'c>>,
}

impl CellListReader<'_> {
    fn skip_blanks(&mut self) {
        while self.rest.next_if(|character| character.is_whitespace()).is_some() {}
    }

    fn value(&mut self, depth: usize) -> Option<CellValue> {
        self.skip_blanks();
        match *self.rest.peek()? {
            '[' | '(' if depth > 0 => Some(CellValue::List(self.items(depth - 1)?)),
            '{' if depth > 0 => Some(CellValue::Object(self.members(depth - 1)?)),
            '"' | '\'' => Some(CellValue::Text(self.text()?)),
            _ => self.bare().map(CellValue::Bare),
        }
    }

    /// The items of a list. NumPy writes no commas between them.
    fn items(&mut self, depth: usize) -> Option<Vec<CellValue>> {
        let end = if self.rest.next()? == '[' { ']' } else { ')' };
        let mut items = Vec::new();
        loop {
            self.skip_blanks();
            if self.rest.next_if_eq(&end).is_some() {
                return Some(items);
            }
            items.push(self.value(depth)?);
            self.skip_blanks();
            self.rest.next_if_eq(&',');
        }
    }

    fn members(&mut self, depth: usize) -> Option<Vec<(String, CellValue)>> {
        self.rest.next();
        let mut members = Vec::new();
        loop {
            self.skip_blanks();
            if self.rest.next_if_eq(&'}').is_some() {
                return Some(members);
            }
            let key = self.text()?;
            self.skip_blanks();
            self.rest.next_if_eq(&':')?;
            members.push((key, self.value(depth)?));
            self.skip_blanks();
            if self.rest.next_if_eq(&',').is_none() && self.rest.peek() != Some(&'}') {
                return None;
            }
        }
    }

    /// A string in single or double quotes, with the escapes of JSON and Python.
    fn text(&mut self) -> Option<String> {
        let quote = self.rest.next_if(|character| matches!(character, '"' | '\''))?;
        let mut text = String::new();
        loop {
            match self.rest.next()? {
                character if character == quote => return Some(text),
                '\\' => self.escape(&mut text)?,
                character => text.push(character),
            }
        }
    }

    fn escape(&mut self, text: &mut String) -> Option<()> {
        let character = match self.rest.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'x' => char::from_u32(self.digits(2)?)?,
            'U' => char::from_u32(self.digits(8)?)?,
            'u' => self.unit()?,
            other @ ('\\' | '/' | '"' | '\'') => other,
            // Python keeps the backslash of an unknown escape.
            other => {
                text.push('\\');
                other
            }
        };
        text.push(character);
        Some(())
    }

    /// A character from one or two units of UTF-16.
    fn unit(&mut self) -> Option<char> {
        let first = self.digits(4)?;
        if let Some(character) = char::from_u32(first) {
            return Some(character);
        }
        self.rest.next_if_eq(&'\\')?;
        self.rest.next_if_eq(&'u')?;
        let units = [u16::try_from(first).ok()?, u16::try_from(self.digits(4)?).ok()?];
        char::decode_utf16(units).next()?.ok()
    }

    fn digits(&mut self, count: usize) -> Option<u32> {
        (0..count).try_fold(0, |number, _| Some(number * 16 + self.rest.next()?.to_digit(16)?))
    }

    /// A number, or a word of JSON or Python. Any other word shows that the cell is plain text.
    fn bare(&mut self) -> Option<String> {
        let mut word = String::new();
        while let Some(character) =
            self.rest.next_if(|character| !",:[](){}'\"".contains(*character) && !character.is_whitespace())
        {
            word.push(character);
        }
        let is_word = matches!(word.as_str(), "true" | "false" | "True" | "False") || is_missing(&word);
        (is_word || word.parse::<f64>().is_ok()).then_some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::{CellValue, list_of};

    fn texts(cell: &str) -> Option<Vec<String>> {
        let text = |value| match value {
            CellValue::Text(text) | CellValue::Bare(text) => text,
            other => format!("{other:?}"),
        };
        list_of(cell).map(|values| values.into_iter().map(text).collect())
    }

    #[test]
    fn lists_of_json_python_and_numpy_have_the_same_items() {
        let expected = Some(vec!["a, b".to_owned(), "it's \"c\"".to_owned()]);
        for cell in [
            r#"["a, b", "it's \"c\""]"#,
            r#"['a, b', 'it\'s "c"']"#,
            r#"[ 'a, b' "it's \"c\"" ]"#,
            "['a, b'\n 'it\\'s \"c\"']",
            r#"["\u0061\x2c b", 'it\'s "c"',]"#,
        ] {
            assert_eq!(texts(cell), expected, "{cell}");
        }
        assert_eq!(texts("[]"), Some(Vec::new()));
        assert_eq!(
            texts("[1, 2.5, None, True]"),
            Some(["1", "2.5", "None", "True"].map(str::to_owned).to_vec())
        );
        assert_eq!(texts(r#"["\ud83d\ude00"]"#), Some(vec!["😀".to_owned()]));
    }

    #[test]
    fn other_texts_are_not_lists() {
        for cell in
            ["[1] a note", "[Applause]", "a [b]", "['a'", "['a'] and ['b']", "[a, b]", "[']", "[", "]", ""]
        {
            assert_eq!(texts(cell), None, "{cell}");
        }
        let deep = format!("{}{}", "[".repeat(99), "]".repeat(99));
        assert_eq!(texts(&deep), None);
    }

    #[test]
    fn objects_keep_their_keys_in_order() {
        let file = |name: &str| {
            let name = ("filename".to_owned(), CellValue::Text(name.to_owned()));
            CellValue::Object(vec![name, ("text".to_owned(), CellValue::Bare("None".to_owned()))])
        };
        let cell = r#"[{'filename': 'a.pdf', 'text': None}, {"filename": "b.pdf", "text": None}]"#;
        assert_eq!(list_of(cell), Some(vec![file("a.pdf"), file("b.pdf")]));
    }
}
