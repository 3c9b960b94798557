//! Reads the settings of rules and figures from a document. A system names its settings in a table of keys and
//! places; a key that is not in the table, or a value of another type, is refused with its place.

use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_json::{JsonDocument, TokenId};
use std::ops::RangeInclusive;
use std::str::FromStr;

/// 2^53 - 1: every integer up to this one is exact as a double.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// A value that a setting can have.
pub trait SettingValue {
    /// Sets the value that the document gives for `key`.
    ///
    /// # Errors
    /// The reader's code with the place of a value that has the wrong type or is out of range.
    fn set(&mut self, reader: &SettingsReader<'_>, key: &str, value: TokenId) -> Result<(), Box<Diagnostic>>;
}

/// A row of a table of settings: the key, and the variable for its value.
pub type SettingRow<'s> = (&'static str, &'s mut dyn SettingValue);

/// A document with settings, and the code of the faults in it.
#[derive(Debug, Clone, Copy)]
pub struct SettingsReader<'d> {
    /// The document.
    pub document: &'d JsonDocument,
    /// The code of its faults.
    pub code: &'static str,
}

impl SettingsReader<'_> {
    /// Reads the settings of a whole document. Settings that the document does not name keep their values.
    ///
    /// # Errors
    /// The reader's code with the place of a key that is not in the table, or of a value that the key cannot have.
    pub fn read(&self, rows: &mut [SettingRow<'_>]) -> Result<(), Box<Diagnostic>> {
        self.read_object(self.document.root(), rows, "the settings are not an object")
    }

    fn read_object(
        &self,
        object: TokenId,
        rows: &mut [SettingRow<'_>],
        otherwise: impl Into<String>,
    ) -> Result<(), Box<Diagnostic>> {
        if !self.document.is_object(object) {
            return Err(self.fault(object, otherwise));
        }
        for member in self.document.members(object) {
            let key = self.document.symbol_text(member.symbol);
            let Some((_, setting)) = rows.iter_mut().find(|(known, _)| *known == key) else {
                let known: Vec<&str> = rows.iter().map(|(known, _)| *known).collect();
                let fault = self.fault(member.key, format!("`{key}` is not a setting"));
                return Err(Box::new(fault.with_help(match nearest(key, known.iter().copied()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("there are `{}`", known.join("`, `")),
                })));
            };
            setting.set(self, key, member.value)?;
        }
        Ok(())
    }

    /// Reads the members of an object that may have any key.
    pub fn each<T>(
        &self,
        key: &str,
        object: TokenId,
        read: impl Fn(&str, TokenId) -> Result<T, Box<Diagnostic>>,
    ) -> Result<Vec<T>, Box<Diagnostic>> {
        if !self.document.is_object(object) {
            return Err(self.fault(object, format!("`{key}` is not an object")));
        }
        let members = self.document.members(object);
        members.map(|member| read(self.document.symbol_text(member.symbol), member.value)).collect()
    }

    /// A fault at a token.
    pub fn fault(&self, token: TokenId, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(self.code, message).at(self.document.place(token)))
    }

    fn number<T: FromStr>(&self, value: TokenId) -> Option<T> {
        let lexical = self.document.number(value)?;
        let is_finite = lexical.parse::<f64>().is_ok_and(f64::is_finite);
        if is_finite { lexical.parse().ok() } else { None }
    }
}

impl SettingValue for f64 {
    fn set(&mut self, reader: &SettingsReader<'_>, key: &str, value: TokenId) -> Result<(), Box<Diagnostic>> {
        *self =
            reader.number(value).ok_or_else(|| reader.fault(value, format!("`{key}` is not a number")))?;
        Ok(())
    }
}

impl SettingValue for Option<f64> {
    fn set(&mut self, reader: &SettingsReader<'_>, key: &str, value: TokenId) -> Result<(), Box<Diagnostic>> {
        self.insert(0.0).set(reader, key, value)
    }
}

/// A number that is not negative.
pub struct FromZero<'s>(pub &'s mut f64);

impl SettingValue for FromZero<'_> {
    fn set(&mut self, reader: &SettingsReader<'_>, key: &str, value: TokenId) -> Result<(), Box<Diagnostic>> {
        let number = reader.number(value).filter(|number| *number >= 0.0);
        let fault = || reader.fault(value, format!("`{key}` must be a number, 0 or more"));
        *self.0 = number.ok_or_else(fault)?;
        Ok(())
    }
}

impl SettingValue for u64 {
    fn set(&mut self, reader: &SettingsReader<'_>, key: &str, value: TokenId) -> Result<(), Box<Diagnostic>> {
        let is_whole = |number: &f64| (0.0..=LARGEST_EXACT).contains(number) && number.fract() == 0.0;
        // `5.0` and `5e0` are also whole numbers.
        let double = || reader.number(value).filter(is_whole).map(|number| number as u64);
        let fault = || reader.fault(value, format!("`{key}` must be a whole number, 0 or more"));
        *self = reader.number(value).or_else(double).ok_or_else(fault)?;
        Ok(())
    }
}

impl<T: FromStr + PartialOrd> SettingValue for RangeInclusive<T> {
    fn set(&mut self, reader: &SettingsReader<'_>, key: &str, value: TokenId) -> Result<(), Box<Diagnostic>> {
        let fault = |token| reader.fault(token, "expected an array of two numbers: `[minimum, maximum]`");
        let bounds: Vec<TokenId> = reader.document.items(value).collect();
        let &[least, most] = bounds.as_slice() else { return Err(fault(value)) };
        let number = |token| reader.number::<T>(token).ok_or_else(|| fault(token));
        *self = number(least)?..=number(most)?;
        if self.is_empty() {
            return Err(reader.fault(value, format!("the minimum of `{key}` is above the maximum")));
        }
        Ok(())
    }
}

impl SettingValue for Vec<String> {
    fn set(&mut self, reader: &SettingsReader<'_>, key: &str, value: TokenId) -> Result<(), Box<Diagnostic>> {
        let document = reader.document;
        if !document.is_array(value) || !document.items(value).all(|item| document.is_string(item)) {
            return Err(reader.fault(value, format!("`{key}` is not an array of strings")));
        }
        let texts = document.items(value).filter_map(|item| document.string(item));
        *self = texts.map(|text| text.into_owned()).collect();
        Ok(())
    }
}

/// Any value, which the caller checks.
impl SettingValue for Option<TokenId> {
    fn set(&mut self, _: &SettingsReader<'_>, _: &str, value: TokenId) -> Result<(), Box<Diagnostic>> {
        *self = Some(value);
        Ok(())
    }
}

/// An object with its own settings.
pub struct SettingGroup<'g, 's>(pub &'g mut [SettingRow<'s>]);

impl SettingValue for SettingGroup<'_, '_> {
    fn set(&mut self, reader: &SettingsReader<'_>, key: &str, value: TokenId) -> Result<(), Box<Diagnostic>> {
        reader.read_object(value, self.0, format!("`{key}` is not an object"))
    }
}
