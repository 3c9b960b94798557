//! A line typed in the shell: a command, with or without the dot before it, or a query.

use evalgraph_sparql::is_unfinished;

/// The commands of the shell, with their descriptions.
pub(in crate::cli) const COMMANDS: [(&str, &str); 12] = [
    (".help", "show this list"),
    (".classes", "list the classes of the data"),
    (".properties", "CLASS: list its properties, with kinds of values and examples"),
    (".graphs", "list the graphs with their files"),
    (".queries", "list the named queries"),
    (".run", "NAME [PARAMETER=VALUE ...]: run a named query"),
    (".format", "FORM: table, csv, tsv, json, jsonl, sparql-json, sparql-xml"),
    (".blocks", "on|off: show each row as a block"),
    (".load", "FILE ...: read further files, until the shell ends"),
    (".validate", "[SHAPES]: check the data against the rules of their systems, or against shapes"),
    (".reload", "read the files or the store again"),
    (".quit", "leave; so does Ctrl-D"),
];

/// A line of input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ShellLine<'t> {
    Nothing,
    Command {
        name: &'t str,
        arguments: Vec<&'t str>,
    },
    /// A single word: a command without its dot, or the name of a query.
    Word(&'t str),
    Query(&'t str),
}

impl<'t> ShellLine<'t> {
    pub(super) fn from_text(text: &'t str) -> Self {
        let text = text.trim();
        let mut words = text.split_whitespace();
        match words.next() {
            None => Self::Nothing,
            Some(name) if name.starts_with('.') => Self::Command { name, arguments: words.collect() },
            Some(_) if is_word(text) => Self::Word(text),
            Some(word) => match command_named(word) {
                Some(name) => Self::Command { name, arguments: words.collect() },
                None => Self::Query(text),
            },
        }
    }
}

/// Returns whether the input needs more lines. A blank line always ends it.
pub(super) fn goes_on(text: &str) -> bool {
    let ends = text.ends_with("\n\n") || text.trim_end_matches([' ', '\t']).ends_with("\n\n");
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_command = first.starts_with('.') || is_word(text.trim()) || command_named(first).is_some();
    !ends && !is_command && is_unfinished(text)
}

/// Returns the command that a word names without the dot. No query begins with such a word.
fn command_named(word: &str) -> Option<&'static str> {
    COMMANDS.iter().map(|(name, _)| *name).find(|name| name.strip_prefix('.') == Some(word))
}

/// Returns whether a text is a single word in lower case. Queries begin with a word in upper case, or have more words.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|character| character.is_ascii_lowercase() || character == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands_or_queries() {
        assert_eq!(ShellLine::from_text("  "), ShellLine::Nothing);
        assert_eq!(
            ShellLine::from_text(" .run a b=1 "),
            ShellLine::Command { name: ".run", arguments: vec!["a", "b=1"] }
        );
        assert_eq!(
            ShellLine::from_text("load a.ttl b.ttl"),
            ShellLine::Command { name: ".load", arguments: vec!["a.ttl", "b.ttl"] }
        );
        assert_eq!(ShellLine::from_text("ASK {}\n"), ShellLine::Query("ASK {}"));
    }

    #[test]
    fn a_blank_line_ends_what_is_open() {
        assert!(goes_on("SELECT ?s {\n"));
        assert!(!goes_on("SELECT ?s {\n\n"));
        assert!(!goes_on(".run {"));
        assert!(!goes_on("load {.ttl\n"));
        assert!(!goes_on("ASK {}\n"));
    }
}
