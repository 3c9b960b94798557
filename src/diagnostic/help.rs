//! The way out of a finding, in words that name settings and commands without the spelling of any front end.

use std::borrow::Cow;
use std::fmt;

/// A way out of words, settings and commands.
macro_rules! help {
    ($($part:expr),* $(,)?) => {
        $crate::diagnostic::Help::of([$($crate::diagnostic::HelpPart::from($part)),*])
    };
}

pub(crate) use help;

/// A way out. A front end words the settings and commands in it as its users know them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Help {
    parts: Vec<HelpPart>,
}

/// A part of a way out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HelpPart {
    /// Words.
    Text(Cow<'static, str>),
    /// A setting, alone or with a value to give it.
    Setting(Setting),
    /// Something else to do.
    Command(Command),
}

/// A setting by its name, `max-size`, and the value to give it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The name.
    pub name: &'static str,
    /// The value, where one is to be given.
    pub value: Option<String>,
}

/// Something that can be done, by its name, `split`, with what it is done to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The name.
    pub name: &'static str,
    /// Words and settings, in their order.
    pub arguments: Vec<HelpPart>,
}

impl Help {
    /// A way out of these parts.
    pub fn of(parts: impl IntoIterator<Item = HelpPart>) -> Self {
        Self { parts: parts.into_iter().collect() }
    }

    /// The parts, in their order.
    pub fn parts(&self) -> &[HelpPart] {
        &self.parts
    }
}

impl fmt::Display for Help {
    /// As a program tells it that has no other names for settings and commands.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| match part {
            HelpPart::Text(text) => f.write_str(text),
            HelpPart::Setting(Setting { name, value: None }) => write!(f, "`{name}`"),
            HelpPart::Setting(Setting { name, value: Some(value) }) => write!(f, "`{name}` = `{value}`"),
            HelpPart::Command(Command { name, .. }) => write!(f, "`{name}`"),
        })
    }
}

impl<P: Into<HelpPart>> From<P> for Help {
    fn from(part: P) -> Self {
        Self::of([part.into()])
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

impl From<Setting> for HelpPart {
    fn from(setting: Setting) -> Self {
        Self::Setting(setting)
    }
}

impl From<Command> for HelpPart {
    fn from(command: Command) -> Self {
        Self::Command(command)
    }
}

/// A setting, to be named.
pub(crate) fn setting(name: &'static str) -> Setting {
    Setting { name, value: None }
}

impl Setting {
    /// The setting with a value to give it.
    pub(crate) fn to(self, value: impl Into<String>) -> Self {
        Self { value: Some(value.into()), ..self }
    }
}

/// That a limit can be raised, and to what for example.
pub(crate) fn raising(limit: &'static str, example: &str) -> Help {
    help!["raise the limit with ", setting(limit), ", for example ", setting(limit).to(example)]
}

/// Something that can be done, to be named.
pub(crate) fn command(name: &'static str) -> Command {
    Command { name, arguments: Vec::new() }
}

impl Command {
    /// The command with one more argument: a word, or a setting.
    pub(crate) fn with(mut self, argument: impl Into<HelpPart>) -> Self {
        self.arguments.push(argument.into());
        self
    }
}
