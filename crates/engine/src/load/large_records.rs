//! Recognises records files by their beginning, so that the rest need not be kept in memory: where the records are, and
//! which system they belong to.
//!
//! `ReadSession` is defined in `read_session.rs`.

use super::read_session::ReadSession;
use crate::input::files_read::FilesRead;
use crate::input::source::{BegunInput, InputSource};
use crate::input::syntax::RecordSyntax;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_formats::records::{BatchKind, RecognisedRecords, RecordName, RecordPlacement};
use evalgraph_formats::secrets;
use evalgraph_json::{JsonDocument, LineForm, RecordReader, RecordsIn, decode, longest_list, parse};

/// Where the records of a file are.
#[derive(Debug)]
pub enum RecordLayout {
    /// The file is an array of records.
    Array,
    /// The file is an object with a long array of records under this key.
    Key(String),
    /// Each line is a record.
    Lines,
}

impl RecordLayout {
    /// Returns the layout of a file with this beginning, or `None` if the file is not JSON.
    pub fn from_head(name: &str, head: &[u8]) -> Option<Self> {
        // UTF-16 is decoded as a whole.
        if matches!(head, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
            return None;
        }
        match RecordSyntax::from_input(name, head) {
            Some(RecordSyntax::JsonLines) => match LineForm::from_text(head) {
                LineForm::Lines => return Some(Self::Lines),
                LineForm::Array => return Some(Self::Array),
                LineForm::Values => return None,
            },
            Some(RecordSyntax::Csv | RecordSyntax::Yaml) => return None,
            Some(RecordSyntax::Json) | None => {}
        }
        let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        match text.iter().find(|byte| !byte.is_ascii_whitespace())? {
            b'[' => Some(Self::Array),
            b'{' => longest_list(text).map(Self::Key),
            _ => None,
        }
    }

    /// Returns the key of the list of records.
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Key(key) => Some(key),
            Self::Array | Self::Lines => None,
        }
    }

    pub(crate) fn records_in(&self) -> RecordsIn<'_> {
        match self {
            Self::Array => RecordsIn::Array,
            Self::Key(key) => RecordsIn::Key(key),
            Self::Lines => RecordsIn::Lines,
        }
    }
}

/// A records file, as far as its beginning shows it.
pub struct RecordsOfHead {
    pub(crate) layout: RecordLayout,
    pub(crate) recognised: RecognisedRecords,
    /// The text of the records by which the file was recognised.
    sample: String,
    /// The kind of RLCF records. If things and requests for them are mixed, the kind of the things.
    kind: Option<BatchKind>,
    /// The kind of record that the user named.
    named: Option<RecordName>,
}

/// A records file to be read in pieces.
pub struct LargeRecords {
    pub(crate) found: RecordsOfHead,
    /// The beginning of stdin, which cannot be read again.
    begun: Option<BegunInput>,
    source: InputSource,
    /// Its first bytes.
    pub beginning: Vec<u8>,
}

impl LargeRecords {
    /// Creates the value for the records found in an input, with the first `digested` bytes of the input.
    pub fn new(found: RecordsOfHead, begun: BegunInput, source: InputSource, digested: usize) -> Self {
        let beginning = begun.head[..digested.min(begun.head.len())].to_vec();
        // A beginning is large compared with everything else that is kept for a waiting file.
        let begun = Some(begun).filter(|_| source == InputSource::Stdin);
        Self { found, begun, source, beginning }
    }

    /// Returns the input from its first byte.
    ///
    /// # Errors
    ///
    /// The errors of [`InputSource::begin`].
    pub fn begin(&mut self) -> Result<BegunInput, Box<Diagnostic>> {
        self.begun.take().map_or_else(|| self.source.begin(&FilesRead::default()), Ok)
    }
}

impl ReadSession {
    /// Recognises a records file by its beginning. `None` if the beginning does not suffice.
    ///
    /// # Errors
    ///
    /// The errors of [`ReadSession::recognised`], and faults in the first lines of JSON Lines.
    pub fn records_of(&self, begun: &BegunInput) -> Result<Option<RecordsOfHead>, Box<Diagnostic>> {
        if !self.takes_pieces() || begun.origin.arrival.is_some() {
            return Ok(None);
        }
        let Some(layout) = RecordLayout::from_head(&begun.origin.name, &begun.head) else { return Ok(None) };
        let mut head = begun.head.as_slice();
        if matches!(layout, RecordLayout::Lines) && begun.has_more() {
            // The last line may be incomplete.
            head = &head[..memchr::memrchr(b'\n', head).map_or(0, |end| end + 1)];
        }
        let limits = self.limits_of_own_text();
        let mut reader = RecordReader::new(head, begun.origin.name.as_str(), layout.records_in(), limits);
        let mut batch = match reader.next() {
            Some(Ok(batch)) => batch.document,
            Some(Err(fault)) if matches!(layout, RecordLayout::Lines) => {
                let may_be_shown = !secrets::are_possible(head);
                return Err(if may_be_shown { fault } else { secrets::without_text(fault) });
            }
            Some(Err(_)) | None => return Ok(None),
        };
        secrets::hide(&mut batch);
        let sample = match layout {
            RecordLayout::Key(_) => text_of_records(&batch),
            RecordLayout::Array | RecordLayout::Lines => String::new(),
        };
        // The members around the list decide, too. They are recognised together with a few of the records.
        let recognised = match reader.with_records(&sample) {
            Some(whole) => self.recognised_text(&begun.origin.name, whole)?,
            None => self.recognised(&batch, None)?,
        };
        let Some(recognised) = recognised else { return Ok(None) };
        let is_fit = match &layout {
            RecordLayout::Key(key) => recognised.shape.has_list(key),
            RecordLayout::Array | RecordLayout::Lines => {
                matches!(recognised.shape.records, RecordPlacement::Items(..))
            }
        };
        if !is_fit {
            return Ok(None);
        }
        let mut found = RecordsOfHead { layout, recognised, sample, kind: None, named: self.reading.record };
        found.kind = found.kind_in(&batch)?;
        Ok(Some(found))
    }

    /// Recognises a text of records. `None` if the text is not JSON.
    fn recognised_text(
        &self,
        name: &str,
        text: Vec<u8>,
    ) -> Result<Option<RecognisedRecords>, Box<Diagnostic>> {
        let limits = self.limits_of_own_text();
        let document = decode(name, text).and_then(|text| parse(name, text, limits));
        let Ok(mut document) = document else { return Ok(None) };
        secrets::hide(&mut document);
        self.recognised(&document, None)
    }

    /// Checks the first recognition against the whole file, which `reader` has read.
    ///
    /// # Errors
    ///
    /// `input::system` if the members after the records show another dialect.
    pub fn check_found<R: std::io::Read>(
        &self,
        found: &RecordsOfHead,
        name: &str,
        reader: &RecordReader<'_, R>,
    ) -> Result<(), Box<Diagnostic>> {
        let Some(whole) = reader.with_records(&found.sample) else { return Ok(()) };
        let now = self.recognised_text(name, whole)?;
        if now.as_ref().is_some_and(|now| now.dialect() == found.recognised.dialect()) {
            return Ok(());
        }
        let now = now.map_or_else(|| "something else".to_owned(), |now| now.dialect());
        let was = found.recognised.dialect();
        let message = format!("it began as {was}, but the members after the records make it {now}");
        let fault = Diagnostic::error("input::system", message)
            .at(evalgraph_diagnostics::SourceText::new(name, b"").place(0..0))
            .with_help("move the members that follow the long list before it");
        Err(Box::new(fault))
    }
}

/// Returns the text of the records of a batch.
fn text_of_records(batch: &JsonDocument) -> String {
    let mut records = batch.items(batch.root());
    let (first, last) = (records.next(), records.last());
    let Some(first) = first else { return String::new() };
    batch.text()[batch.start(first)..batch.bytes(last.unwrap_or(first)).end].to_owned()
}

impl RecordsOfHead {
    /// Returns the kind of the records of a batch, if the records of a file may have different kinds.
    fn kind_in(&self, batch: &JsonDocument) -> Result<Option<BatchKind>, Box<Diagnostic>> {
        let path = match &self.layout {
            RecordLayout::Key(key) => key,
            RecordLayout::Array | RecordLayout::Lines => batch.name().as_ref(),
        };
        self.recognised.system.entry().kind_of_batch(batch, path, self.named)
    }

    /// Checks that the records of a batch have the kind of the first records.
    ///
    /// # Errors
    ///
    /// Records whose kind is unclear; `rlcf::mixed` if a thing follows the requests by which the file was recognised.
    pub fn check_kind(&self, batch: &JsonDocument) -> Result<(), Box<Diagnostic>> {
        let (Some(known), Some(kind)) = (self.kind, self.kind_in(batch)?) else { return Ok(()) };
        if kind >= known {
            return Ok(());
        }
        let message = format!("records of kind `{kind}` begin here, but the file begins with `{known}`");
        let first = batch.items(batch.root()).next().unwrap_or(batch.root());
        let fault = Diagnostic::error("rlcf::mixed", message).at(batch.place(first));
        Err(Box::new(fault.with_help(help!["say what they are: ", setting("record").to(format!("{kind}"))])))
    }
}

#[cfg(test)]
mod tests {
    use super::{RecordLayout, RecordsOfHead};
    use evalgraph_formats::registry::recognise;
    use evalgraph_json::{JsonDocument, Limits, parse};

    fn document(text: &str) -> JsonDocument {
        parse("ratings.json", text.to_owned(), Limits::default()).expect("it is JSON")
    }

    #[test]
    fn things_behind_requests_by_which_the_file_was_told_are_refused() {
        let requests = document("[{\"user_id\": 1, \"helpfulness_score\": 4}]");
        let things = document("[{\"id\": 1, \"feedback_id\": 1, \"user_id\": 2, \"helpfulness_score\": 4}]");
        let recognised =
            recognise(&requests, None, None).expect("it is of one system").expect("it is of a system");
        let mut found = RecordsOfHead {
            layout: RecordLayout::Array,
            recognised,
            sample: String::new(),
            kind: None,
            named: None,
        };
        found.kind = found.kind_in(&requests).expect("the kind is clear");
        assert!(found.kind.is_some() && found.check_kind(&requests).is_ok());
        let fault = found.check_kind(&things).expect_err("the table is that of requests");
        assert_eq!(
            fault.to_string().split_once("rlcf::mixed: ").map(|(place, _)| place),
            Some("ratings.json:1:2: ")
        );
        assert_eq!(fault.help[0].to_string(), "say what they are: `record` = `FeedbackRating`");
        found.kind = found.kind_in(&things).expect("the kind is clear");
        assert!(found.check_kind(&requests).is_ok(), "requests may follow things");
    }
}
