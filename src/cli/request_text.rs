//! The text of a query or an update: from the command line, a file or stdin.

use std::io::{IsTerminal, Read};
use std::path::Path;

use super::help::quoted;
use super::preferences::preferences;
use evalgraph_diagnostics::article::with_article;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, SourceText, codes};
use evalgraph_engine::input::files_read::FilesRead;
use evalgraph_engine::input::find::find_sources;

/// Returns whether there is a named query with this name.
pub(super) fn is_named_query(name: &str) -> bool {
    let queries = preferences().and_then(|preferences| preferences.named_queries());
    queries.is_ok_and(|queries| queries.get(name).is_ok())
}

/// The maximum size in bytes of a query or update. A longer text is probably data.
const REQUEST_SIZE: u64 = 16 << 20;

/// Returns whether another program writes to stdin.
pub(super) fn is_stdin_a_pipe() -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        std::fs::metadata("/dev/stdin").is_ok_and(|stdin| stdin.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    false
}

/// A kind of request: its name in messages, the code of the error if it is missing, and the options for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct SparqlRequestKind {
    pub(super) noun: &'static str,
    pub(super) code: &'static str,
    pub(super) ways: &'static str,
}

pub(super) const QUERY: SparqlRequestKind =
    SparqlRequestKind { noun: "query", code: "sparql::no-query", ways: "`-q TEXT`, `-f FILE` or `-n NAME`" };

pub(super) const UPDATE: SparqlRequestKind =
    SparqlRequestKind { noun: "update", code: "sparql::no-update", ways: "`-q TEXT` or `-f FILE`" };

/// Returns whether a word is the first of a query or an update.
fn is_beginning(word: &str) -> bool {
    const BEGINNINGS: [&str; 8] =
        ["SELECT", "ASK", "CONSTRUCT", "DESCRIBE", "PREFIX", "INSERT", "DELETE", "WITH"];
    BEGINNINGS.iter().any(|beginning| beginning.eq_ignore_ascii_case(word))
}

/// Returns whether an input is a query or an update, and not the name of a file.
fn is_text(input: &str) -> bool {
    let mut words = input.split_whitespace();
    words.next().is_some_and(is_beginning) && words.next().is_some()
}

impl SparqlRequestKind {
    /// Returns the name of the text, and the text itself.
    ///
    /// # Errors
    ///
    /// Fails if there is no text, or if it cannot be read.
    pub(super) fn read(
        self,
        text: Option<&str>,
        file: Option<&Path>,
        inputs: &[String],
    ) -> Result<(String, String), RunFailure> {
        match (text, file) {
            (Some(text), _) => Ok((self.noun.to_owned(), text.to_owned())),
            (None, Some(file)) => self.in_file(file),
            (None, None) => self.on_stdin(inputs),
        }
    }

    fn in_file(self, file: &Path) -> Result<(String, String), RunFailure> {
        let (sources, faults) = find_sources(&[file.display().to_string()]);
        if let Some(fault) = faults.into_iter().next() {
            return Err(fault.into());
        }
        let [source] = sources.as_slice() else {
            let message = format!("`{}` is not one file", file.display());
            return Err(Diagnostic::error("input::several", message).into());
        };
        let input = source.read(REQUEST_SIZE, &FilesRead::default()).map_err(|fault| match &*fault.code {
            codes::INPUT_TOO_LARGE => Box::new(self.too_large()),
            _ => fault,
        })?;
        let text = self.decoded(&input.origin.name, input.bytes)?;
        Ok((input.origin.name, text))
    }

    fn on_stdin(self, inputs: &[String]) -> Result<(String, String), RunFailure> {
        let Self { noun, ways, .. } = self;
        let stdin = std::io::stdin();
        if stdin.is_terminal() || inputs.iter().any(|input| input == "-" || is_text(input)) {
            let help = format!("give it with {ways}, or on stdin");
            return Err(self.missing(format!("there is no {noun}"), help, inputs).into());
        }
        let mut bytes = Vec::new();
        stdin.lock().take(REQUEST_SIZE + 1).read_to_end(&mut bytes).map_err(|error| {
            let reason = evalgraph_engine::input::path_text::plain(&error);
            Diagnostic::error(codes::INPUT_UNREADABLE, format!("stdin cannot be read: {reason}"))
        })?;
        if bytes.len() as u64 > REQUEST_SIZE {
            return Err(self.too_large().into());
        }
        if bytes.trim_ascii().is_empty() {
            let help = format!("give it with {ways}");
            return Err(self.missing(format!("there is no {noun}: stdin is empty"), help, inputs).into());
        }
        Ok(("stdin".to_owned(), self.decoded("stdin", bytes)?))
    }

    /// Adds a suggestion to the fault of a text that was given with `-q`, if it is known what was meant.
    pub(super) fn explained(self, fault: Box<Diagnostic>, text: Option<&str>) -> Box<Diagnostic> {
        let Some(text) = text.map(str::trim).filter(|text| !text.contains(char::is_whitespace)) else {
            return fault;
        };
        let help = if is_beginning(text) {
            format!("put the whole {} into quotes: `-q '{text} …'`", self.noun)
        } else if Path::new(text).is_file() {
            format!("{} in a file is read by `-f {}`", with_article(self.noun), quoted(text))
        } else if is_named_query(text) {
            format!("a named query is run with `-n {}`", quoted(text))
        } else {
            return fault;
        };
        Box::new(fault.with_help(help))
    }

    /// The fault that there is no text. One of the inputs may have been meant as the text.
    fn missing(self, message: String, help: String, inputs: &[String]) -> Diagnostic {
        let is_file = |input: &&String| [".rq", ".ru", ".sparql"].iter().any(|end| input.ends_with(end));
        let help = match (inputs.iter().find(is_file), inputs.iter().find(|input| is_text(input))) {
            (Some(file), _) => {
                format!("{} in a file is read by `-f {}`", with_article(self.noun), quoted(file))
            }
            (None, Some(text)) => {
                format!("{} is given with `-q`: `-q {}`", with_article(self.noun), quoted(text))
            }
            (None, None) => help,
        };
        Diagnostic::error(self.code, message).with_help(help)
    }

    fn too_large(self) -> Diagnostic {
        let message = format!("the {} has more than {} MiB", self.noun, REQUEST_SIZE >> 20);
        Diagnostic::error("sparql::too-large", message)
            .with_help("put data into a separate file, and give it as an input or `LOAD` it")
    }

    fn decoded(self, name: &str, bytes: Vec<u8>) -> Result<String, RunFailure> {
        String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let place = SourceText::new(name, error.as_bytes()).place(at..at + 1);
            Diagnostic::error("sparql::encoding", format!("the {} is not UTF-8", self.noun)).at(place).into()
        })
    }

    /// The note about IRIs that use another form of the schema.org namespace.
    pub(super) fn mapped_iris(self, count: usize) -> Diagnostic {
        let noun = self.noun;
        let plural = if count == 1 { "IRI" } else { "IRIs" };
        let were = if count == 1 { "was" } else { "were" };
        let message = format!(
            "{count} {plural} of the {noun} {were} moved to the namespace `http://schema.org/`, as the data are"
        );
        Diagnostic::new(FindingSeverity::Note, "sparql::schema-org", message)
    }
}
