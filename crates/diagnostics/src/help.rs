//! The help of a finding. It names settings and commands in a way that is independent of the front end.

use std::borrow::Cow;
use std::fmt;

/// Makes a help from words, settings and commands.
#[macro_export]
macro_rules! help {
    ($($part:expr),* $(,)?) => {
        $crate::FindingHelp::new([$($crate::HelpPart::from($part)),*])
    };
}

pub use crate::help;

/// A suggestion for resolving a finding. Each front end spells settings and commands as its users know them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingHelp {
    parts: Vec<HelpPart>,
}

/// A part of a help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HelpPart {
    /// Words.
    Text(Cow<'static, str>),
    /// A setting, with or without a suggested value.
    Setting(SuggestedSetting),
    /// A command to use.
    Command(SuggestedCommand),
}

/// A setting by its name, such as `max-size`, and the value to give it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuggestedSetting {
    /// The name.
    pub name: &'static str,
    /// The value to give the setting, if any.
    pub value: Option<String>,
}

/// A command by its name, such as `split`, and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuggestedCommand {
    /// The name.
    pub name: &'static str,
    /// Words and settings, in order.
    pub arguments: Vec<HelpPart>,
}

impl FindingHelp {
    /// Makes a help from these parts.
    pub fn new(parts: impl IntoIterator<Item = HelpPart>) -> Self {
        Self { parts: parts.into_iter().collect() }
    }

    /// The parts, in order.
    pub fn parts(&self) -> &[HelpPart] {
        &self.parts
    }
}

impl fmt::Display for FindingHelp {
    /// Writes the help with the plain names of settings and commands, for programs without other names.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| match part {
            HelpPart::Text(text) => f.write_str(text),
            HelpPart::Setting(SuggestedSetting { name, value: None }) => write!(f, "`{name}`"),
            HelpPart::Setting(SuggestedSetting { name, value: Some(value) }) => {
                write!(f, "`{name}` = `{value}`")
            }
            HelpPart::Command(SuggestedCommand { name, .. }) => write!(f, "`{name}`"),
        })
    }
}

impl<P: Into<HelpPart>> From<P> for FindingHelp {
    fn from(part: P) -> Self {
        Self::new([part.into()])
    }
}

impl From<&'static str> for HelpPart {
    fn from(text: &'static str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for HelpPart {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl From<SuggestedSetting> for HelpPart {
    fn from(setting: SuggestedSetting) -> Self {
        Self::Setting(setting)
    }
}

impl From<SuggestedCommand> for HelpPart {
    fn from(command: SuggestedCommand) -> Self {
        Self::Command(command)
    }
}

/// Names a setting.
pub fn setting(name: &'static str) -> SuggestedSetting {
    SuggestedSetting { name, value: None }
}

impl SuggestedSetting {
    /// Adds the value to give the setting.
    pub fn to(self, value: impl Into<String>) -> Self {
        Self { value: Some(value.into()), ..self }
    }
}

/// Returns the help to raise a limit, with an example value.
pub fn raising(limit: &'static str, example: &str) -> FindingHelp {
    help!["raise the limit with ", setting(limit), ", for example ", setting(limit).to(example)]
}

/// Names a command.
pub fn command(name: &'static str) -> SuggestedCommand {
    SuggestedCommand { name, arguments: Vec::new() }
}

impl SuggestedCommand {
    /// Adds an argument to the command: a word or a setting.
    pub fn with(mut self, argument: impl Into<HelpPart>) -> Self {
        self.arguments.push(argument.into());
        self
    }
}
