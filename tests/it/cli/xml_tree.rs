//! XML as a tree, for tests of what the program writes: it panics at whatever is not well-formed.

use std::collections::BTreeMap;

/// An element with its attributes, its children and all of its own text.
#[derive(Debug, Default)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
    pub(crate) children: Vec<Element>,
    pub(crate) text: String,
}

impl Element {
    /// Reads a document without comments, processing instructions and CDATA.
    pub(crate) fn read(xml: &str) -> Self {
        let rest = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a declaration");
        let is_allowed = |c: char| c >= ' ' && !matches!(c, '\u{FFFE}' | '\u{FFFF}') || "\t\n\r".contains(c);
        assert!(xml.chars().all(is_allowed), "a character that XML does not allow");
        let mut open: Vec<Self> = vec![Self::default()];
        let mut parts = rest.split('<');
        assert_eq!(parts.next(), Some(""));
        for part in parts {
            let (tag, text) = part.split_once('>').expect("a tag has an end");
            if let Some(name) = tag.strip_prefix('/') {
                let element = open.pop().expect("an element is open");
                assert_eq!(element.name, name);
                open.last_mut().expect("its parent is open").children.push(element);
            } else {
                let element = Self::of_tag(tag.trim_end_matches('/'));
                match tag.ends_with('/') {
                    true => open.last_mut().expect("its parent is open").children.push(element),
                    false => open.push(element),
                }
            }
            open.last_mut().expect("the document is open").text.push_str(&unescaped(text));
        }
        assert_eq!(open.len(), 1, "an element has no end");
        let mut document = open.remove(0);
        assert_eq!((document.children.len(), document.text.trim()), (1, ""));
        document.children.remove(0)
    }

    fn of_tag(tag: &str) -> Self {
        let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut attributes = BTreeMap::new();
        while let Some((attribute, value)) = rest.split_once("=\"") {
            let (value, after) = value.split_once('"').expect("a value has an end");
            assert!(attributes.insert(attribute.trim().to_owned(), unescaped(value)).is_none(), "{tag}");
            rest = after;
        }
        assert_eq!(rest.trim(), "", "{tag}");
        Self { name: name.to_owned(), attributes, ..Self::default() }
    }
}

fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut parts = text.split('&');
    plain.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (name, rest) = part.split_once(';').expect("a reference has an end");
        plain.push(match name {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "quot" => '"',
            "#39" => '\'',
            other => panic!("`{other}` is not a reference of XML"),
        });
        plain.push_str(rest);
    }
    plain
}
