//! An example of a code: what leads to it, what to write instead, and how a test runs both.

/// What leads to a code, and what to write or type instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeExample {
    /// The code.
    pub code: &'static str,
    /// A fragment of a file, or command lines, that lead to the code.
    pub wrong: &'static str,
    /// The same made right, or the command that helps.
    pub right: &'static str,
    /// What the two are, and how to run them.
    pub run: ExampleRun,
}

/// How the two texts of an example are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExampleRun {
    /// They are not run, because they need a server, a terminal, a large file or a damaged store.
    Command,
    /// The content of a file with this name, which is converted to N-Quads.
    File(&'static str),
    /// An item in the list of questions of a checkpoint, which is converted to a checkpoint.
    Item,
    /// Command lines, one after the other, in a folder with some small files and a store.
    Line,
    /// A query of a small file.
    Query,
    /// Shapes that a small file is validated against. The prefixes `sh`, `rdf`, `xsd` and `ex` are declared before.
    Shapes,
    /// An update of a small file.
    Update,
    /// The content of a file that a command reads, in a folder with the same small files.
    With {
        /// The name of the file.
        file: &'static str,
        /// The command line.
        command: &'static str,
    },
}

type ExampleText = &'static str;

pub(super) const fn command(code: ExampleText, wrong: ExampleText, right: ExampleText) -> CodeExample {
    CodeExample { code, wrong, right, run: ExampleRun::Command }
}

pub(super) const fn file(
    code: ExampleText,
    name: ExampleText,
    wrong: ExampleText,
    right: ExampleText,
) -> CodeExample {
    CodeExample { code, wrong, right, run: ExampleRun::File(name) }
}

pub(super) const fn item(code: ExampleText, wrong: ExampleText, right: ExampleText) -> CodeExample {
    CodeExample { code, wrong, right, run: ExampleRun::Item }
}

pub(super) const fn line(code: ExampleText, wrong: ExampleText, right: ExampleText) -> CodeExample {
    CodeExample { code, wrong, right, run: ExampleRun::Line }
}

pub(super) const fn query(code: ExampleText, wrong: ExampleText, right: ExampleText) -> CodeExample {
    CodeExample { code, wrong, right, run: ExampleRun::Query }
}

pub(super) const fn shapes(code: ExampleText, wrong: ExampleText, right: ExampleText) -> CodeExample {
    CodeExample { code, wrong, right, run: ExampleRun::Shapes }
}

pub(super) const fn update(code: ExampleText, wrong: ExampleText, right: ExampleText) -> CodeExample {
    CodeExample { code, wrong, right, run: ExampleRun::Update }
}

pub(super) const fn with(
    code: ExampleText,
    file: ExampleText,
    command: ExampleText,
    wrong: ExampleText,
    right: ExampleText,
) -> CodeExample {
    CodeExample { code, wrong, right, run: ExampleRun::With { file, command } }
}
