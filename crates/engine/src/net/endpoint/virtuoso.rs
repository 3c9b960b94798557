//! The peculiarities of Virtuoso 7: the texts that it writes instead of valid JSON results, its own graphs, and how to
//! give it the graphs of a query.

use std::io::{self, BufRead, BufReader, Read};

/// The name in Virtuoso's header field `Server`.
pub(super) const NAME: &str = "Virtuoso";

/// The column with the result of ASK: one row with 1, or no row.
pub(super) const ANSWER: &str = "__ASK_RETVAL";

/// The graphs that exist in every database. They are not data.
pub(super) const OWN_GRAPHS: [&str; 4] = [
    "http://localuriqaserver/sparql",
    "http://www.openlinksw.com/schemas/virtrdf#",
    "http://www.w3.org/2002/07/owl#",
    "http://www.w3.org/ns/ldp#",
];

/// A query of these graphs. They are given in the text of the query: Virtuoso turns each parameter into a header field,
/// and soon has too many, and a clause `FROM` makes it take minutes.
pub(super) fn of_graphs(text: &str, default: &[String], named: &[String]) -> String {
    let mut query = String::new();
    for (names, of) in [(default, "default"), (named, "named")] {
        query.extend(names.iter().map(|name| format!("define input:{of}-graph-uri <{name}> ")));
    }
    query + text
}

/// Texts that Virtuoso writes, with the texts that it should write. Literals do not contain them, since quotes in
/// literals are escaped.
const REPLACED: [(&[u8], &[u8]); 3] = [
    (br#""bnode", "value": "nodeID://"#, br#""bnode", "value": ""#),
    (br#"XMLSchema#boolean", "value": "1" "#, br#"XMLSchema#boolean", "value": "true" "#),
    (br#"XMLSchema#boolean", "value": "0" "#, br#"XMLSchema#boolean", "value": "false" "#),
];

/// A reader of JSON results that corrects these texts.
pub(super) struct VirtuosoJsonReader<R> {
    lines: BufReader<R>,
    line: Vec<u8>,
    read: usize,
}

impl<R: Read> VirtuosoJsonReader<R> {
    pub(super) fn new(answer: R) -> Self {
        Self { lines: BufReader::new(answer), line: Vec::new(), read: 0 }
    }
}

impl<R: Read> Read for VirtuosoJsonReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.line.len() {
            // Each row is one line; line ends in literals are escaped.
            self.line.clear();
            self.lines.read_until(b'\n', &mut self.line)?;
            self.read = 0;
            for (written, meant) in REPLACED {
                replace(&mut self.line, written, meant);
            }
        }
        let length = buffer.len().min(self.line.len() - self.read);
        buffer[..length].copy_from_slice(&self.line[self.read..self.read + length]);
        self.read += length;
        Ok(length)
    }
}

fn replace(line: &mut Vec<u8>, written: &[u8], meant: &[u8]) {
    let mut places = memchr::memmem::find_iter(line, written).peekable();
    if places.peek().is_none() {
        return;
    }
    let (mut made, mut end) = (Vec::with_capacity(line.len()), 0);
    for place in places {
        made.extend_from_slice(&line[end..place]);
        made.extend_from_slice(meant);
        end = place + written.len();
    }
    made.extend_from_slice(&line[end..]);
    *line = made;
}

#[test]
fn what_virtuoso_writes_becomes_json_results() {
    let mend = |text: &str| {
        let mut mended = String::new();
        VirtuosoJsonReader::new(text.as_bytes())
            .read_to_string(&mut mended)
            .map(|_| mended)
            .unwrap_or_default()
    };
    let row = r#"{ "s": { "type": "bnode", "value": "nodeID://b1" }	, "o": { "type": "typed-literal", "datatype": "http://www.w3.org/2001/XMLSchema#boolean", "value": "0" }}"#;
    let meant = row.replace("nodeID://", "").replace(r#""0""#, r#""false""#);
    assert_eq!(mend(&format!("{row},\n{row}\n")), format!("{meant},\n{meant}\n"));
    let literal = r#"{ "type": "literal", "value": "\"bnode\", \"value\": \"nodeID://b1" }"#;
    assert_eq!(mend(literal), literal);
}
