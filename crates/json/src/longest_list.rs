//! Finds the list that makes an object long, from the beginning of the object's text.

use std::ops::Range;

/// Returns the key of the array in which a text ends, if it lies directly in the outermost object; otherwise the key of
/// the longest such array. Returns `None` if the text does not begin with an object, or if the object has no array.
///
/// The text may be cut off anywhere and need not be valid JSON.
///
/// ```
/// use evalgraph_json::longest_list;
///
/// assert_eq!(longest_list(br#"{"ids": [1, 2], "samples": [{"id": ["#).as_deref(), Some("samples"));
/// assert_eq!(longest_list(br#"{"ids": [1, 2, 3], "samples": []}"#).as_deref(), Some("ids"));
/// assert_eq!(longest_list(b"[1, 2]"), None);
/// ```
pub fn longest_list(text: &[u8]) -> Option<String> {
    let mut walk = LongestListWalk::default();
    let mut at = 0;
    while at < text.len() {
        at = match text[at] {
            b'"' => walk.string(text, at),
            byte => walk.structural(byte, at)?,
        };
        if walk.is_over {
            break;
        }
    }
    let open = walk.list.filter(|_| walk.depth > 1).map(|begin| (begin, text.len()));
    let (key, _) = match (open, walk.longest) {
        (Some(_), _) => (walk.list_key, 0),
        (None, Some((key, length))) => (key, length),
        (None, None) => return None,
    };
    let raw = std::str::from_utf8(&text[key]).ok()?;
    let mut name = String::new();
    super::unescape_into(raw, &mut name);
    Some(name)
}

/// The state of a walk over a text.
#[derive(Debug, Default)]
struct LongestListWalk {
    /// How many arrays and objects are open.
    depth: usize,
    /// The last string directly in the outermost object, without its quotes.
    string: Range<usize>,
    /// The last key of the outermost object.
    key: Range<usize>,
    /// The start of the open array that lies directly in the outermost object.
    list: Option<usize>,
    list_key: Range<usize>,
    /// The key and length of the longest array so far.
    longest: Option<(Range<usize>, usize)>,
    is_over: bool,
}

impl LongestListWalk {
    /// Passes over a string, and returns the position after it.
    fn string(&mut self, text: &[u8], begin: usize) -> usize {
        let mut at = begin + 1;
        while let Some(next) = memchr::memchr2(b'"', b'\\', text.get(at..).unwrap_or_default()) {
            at += next;
            if text[at] == b'"' {
                if self.depth == 1 {
                    self.string = begin + 1..at;
                }
                return at + 1;
            }
            at += 2;
        }
        text.len()
    }

    /// Passes over another byte; returns `None` if the text is not an object.
    fn structural(&mut self, byte: u8, at: usize) -> Option<usize> {
        match byte {
            b'{' | b'[' => {
                if self.depth == 0 && byte == b'[' {
                    return None;
                }
                if self.depth == 1 && byte == b'[' {
                    (self.list, self.list_key) = (Some(at), self.key.clone());
                }
                self.depth += 1;
            }
            b'}' | b']' => {
                self.depth = self.depth.checked_sub(1)?;
                self.is_over = self.depth == 0;
                if let Some(begin) = self.list.filter(|_| self.depth == 1) {
                    self.list = None;
                    if self.longest.as_ref().is_none_or(|(_, length)| *length < at - begin) {
                        self.longest = Some((self.list_key.clone(), at - begin));
                    }
                }
            }
            b':' if self.depth == 1 => self.key = self.string.clone(),
            _ => {}
        }
        Some(at + 1)
    }
}
