//! A configuration file in TOML. Its faults have their places, but never quote the file: a password that is in the
//! wrong place must not be shown.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::input::path_text::{plain, shown};
use crate::net::check_address;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, SourcePlace, SourceText};
use evalgraph_rdf::iri::is_iri;

/// The maximum size of a file in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// A key with its place in the file.
pub(super) type TomlKey<'t> = Spanned<Cow<'t, str>>;
/// A value with its place in the file.
pub(super) type TomlValue<'t> = Spanned<DeValue<'t>>;

/// A file that was read.
pub(super) struct TomlFile {
    name: String,
    text: String,
}

impl TomlFile {
    /// Reads a file. A file in the working folder, or below, is named without it.
    ///
    /// # Errors
    ///
    /// `config::unreadable` for a file that cannot be read, is not UTF-8 or is too large.
    pub(super) fn read(path: &Path, working: &Path) -> Result<Self, Box<Diagnostic>> {
        let name = shown(path.strip_prefix(working).unwrap_or(path));
        let unreadable = |reason: String| {
            let place = SourceText::new(name.as_str(), b"").place(0..0);
            Box::new(Diagnostic::error("config::unreadable", reason).at(place))
        };
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
        read.map_err(|error| unreadable(format!("the configuration cannot be read: {}", plain(&error))))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(unreadable("a configuration may have at most 1 MiB".to_owned()));
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self { name, text }),
            Err(_) => Err(unreadable("the configuration is not UTF-8".to_owned())),
        }
    }

    /// Returns the table of the whole file.
    ///
    /// # Errors
    ///
    /// `config::syntax` if it is not TOML.
    pub(super) fn table(&self) -> Result<DeTable<'_>, Box<Diagnostic>> {
        DeTable::parse(&self.text).map(Spanned::into_inner).map_err(|error| {
            let span = error.span().unwrap_or(self.text.len()..self.text.len());
            self.fault("config::syntax", span, format!("this is not TOML: {}", error.message()))
        })
    }

    /// Returns the place of a span.
    pub(super) fn place(&self, span: Range<usize>) -> SourcePlace {
        SourceText::new(self.name.as_str(), self.text.as_bytes()).place(span).without_text()
    }

    /// Returns an error at a place.
    pub(super) fn fault(&self, code: &'static str, span: Range<usize>, message: String) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(code, message).at(self.place(span)))
    }

    /// Returns the entries of a table.
    ///
    /// # Errors
    ///
    /// `config::value` if the value is not a table.
    pub(super) fn entries<'v, 't>(
        &self,
        key: &str,
        value: &'v TomlValue<'t>,
    ) -> Result<&'v DeTable<'t>, Box<Diagnostic>> {
        value.get_ref().as_table().ok_or_else(|| self.wrong(key, "a table", value))
    }

    /// Returns the text of a value. It is not empty.
    ///
    /// # Errors
    ///
    /// `config::value` if the value is not such a text.
    pub(super) fn text(&self, key: &str, value: &TomlValue<'_>) -> Result<String, Box<Diagnostic>> {
        let text = value.get_ref().as_str().filter(|text| !text.trim().is_empty());
        text.map(str::to_owned).ok_or_else(|| self.wrong(key, "a string", value))
    }

    /// Returns the URL of a server.
    ///
    /// # Errors
    ///
    /// The errors of [`text`](Self::text), and `server::address`.
    pub(super) fn address(&self, key: &str, value: &TomlValue<'_>) -> Result<String, Box<Diagnostic>> {
        let url = self.text(key, value)?;
        check_address(&url).map_err(|fault| Box::new(fault.at(self.place(value.span()))))?;
        Ok(url)
    }

    /// Returns one IRI or several.
    ///
    /// # Errors
    ///
    /// `config::value` if the value contains anything else.
    pub(super) fn iris(&self, key: &str, value: &TomlValue<'_>) -> Result<Vec<String>, Box<Diagnostic>> {
        let values = match value.get_ref().as_array() {
            Some(values) => values.iter().collect(),
            None => vec![value],
        };
        let iri = |value: &TomlValue<'_>| {
            let text = value.get_ref().as_str().filter(|text| is_iri(text));
            text.map(str::to_owned).ok_or_else(|| self.wrong(key, "an IRI, or a list of IRIs", value))
        };
        values.into_iter().map(iri).collect()
    }

    /// Returns a number that is not negative.
    ///
    /// # Errors
    ///
    /// `config::value` if the value is not such a number.
    pub(super) fn count(&self, key: &str, value: &TomlValue<'_>) -> Result<u64, Box<Diagnostic>> {
        let number = value.get_ref().as_integer().filter(|number| number.radix() == 10);
        let number = number.and_then(|number| number.as_str().parse().ok());
        number.ok_or_else(|| self.wrong(key, "a whole number", value))
    }

    /// Returns the error for a key that the file cannot have there.
    pub(super) fn unknown_key(&self, key: &TomlKey<'_>, known: &[&str]) -> Box<Diagnostic> {
        let name = key.get_ref();
        let fault = *self.fault("config::key", key.span(), format!("no key is called `{name}` here"));
        Box::new(match nearest(name, known.iter().copied()) {
            Some(near) => fault.with_help(format!("did you mean `{near}`?")),
            None => fault.with_help(format!("the keys are `{}`", known.join("`, `"))),
        })
    }

    /// Returns the error for a value that its key does not accept.
    pub(super) fn wrong(&self, key: &str, expected: &str, value: &TomlValue<'_>) -> Box<Diagnostic> {
        self.fault("config::value", value.span(), format!("`{key}` has to be {expected}"))
    }
}
