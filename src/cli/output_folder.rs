//! Files in a folder, whose names come from the data. Each file has its own place there, or nothing is written.
//!
//! Names are made safe: no step of a name is hidden or leads out of the folder, no link is followed, and no two files
//! have the same name. An existing file with different content is only overwritten with `--force`.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::CommandStop;
use super::output::{ResultOutput, unwritable, write_text};
use super::output_form::is_folder;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::visible::is_obeyed;
use evalgraph_engine::input::compression;
use evalgraph_engine::input::path_text::plain;
use evalgraph_engine::input::same_bytes::have_same_bytes;
use evalgraph_formats::writing::WrittenFile;

/// How many files a message names.
const SHOWN: usize = 8;

/// The option for files that exist in the folder.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(super) struct FolderArguments {
    /// Overwrite files in the folder that differ
    #[arg(long)]
    pub(super) force: bool,
}

/// Files to be written into a folder.
pub(super) struct OutputFolder<'f> {
    folder: &'f Path,
    /// `true` if existing files may be overwritten.
    overwrites: bool,
    files: Vec<(PathBuf, OutputContent)>,
    /// Subfolders to create even if no file is written into them.
    folders: Vec<PathBuf>,
    taken: HashSet<PathBuf>,
}

/// The content of a file to be written.
enum OutputContent {
    Text(String),
    /// The bytes of another file.
    Copy(PathBuf),
}

impl OutputContent {
    fn write_to(&self, output: &mut ResultOutput) -> io::Result<()> {
        match self {
            Self::Text(text) => output.write_all(text.as_bytes()),
            Self::Copy(from) => io::copy(&mut fs::File::open(from)?, output).map(drop),
        }
    }

    /// Returns whether a file has this content. A text may be compressed in the file.
    fn is_in(&self, path: &Path) -> bool {
        match self {
            Self::Text(text) => says(path, text),
            Self::Copy(from) => {
                let is_same_file = || Some(path.canonicalize().ok()? == from.canonicalize().ok()?);
                is_same_file() == Some(true) || have_same_bytes(path, from).unwrap_or(false)
            }
        }
    }
}

/// The destination of a command: stdout, a file, or a folder.
#[derive(Debug, Clone, Copy)]
pub(super) struct OutputDestination<'p> {
    /// `None` is stdout.
    pub(super) path: Option<&'p Path>,
    pub(super) arguments: FolderArguments,
}

impl<'p> OutputDestination<'p> {
    /// Returns the folder, if the destination is one.
    pub(super) fn folder(self) -> Option<OutputFolder<'p>> {
        let folder = self.path.filter(|path| is_folder(path))?;
        Some(OutputFolder::new(folder, self.arguments))
    }

    /// Writes all files into the folder, or none if any file cannot be placed. Without a folder, writes one file after
    /// the other.
    pub(super) fn write(self, files: Vec<WrittenFile>) -> Result<(), CommandStop> {
        match self.folder() {
            Some(folder) => folder.write_files(files),
            None => files.iter().try_for_each(|file| write_text(&file.text, self.path)),
        }
    }

    /// Returns the name that messages use for a file at this destination.
    pub(super) fn shown(self, path_in_folder: &str) -> String {
        match self.path {
            Some(folder) if is_folder(folder) => folder.join(safe_name(path_in_folder)).display().to_string(),
            Some(path) => path.display().to_string(),
            None => "the result".to_owned(),
        }
    }
}

/// The state of a path before a file is written to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PathState {
    Nothing,
    /// A file with the same content.
    Same,
    /// A file with another content.
    Other,
}

impl<'f> OutputFolder<'f> {
    /// Creates an output folder without files.
    pub(super) fn new(folder: &'f Path, arguments: FolderArguments) -> Self {
        let (files, folders, taken) = (Vec::new(), Vec::new(), HashSet::new());
        Self { folder, overwrites: arguments.force, files, folders, taken }
    }

    /// Adds a folder, with or without files in it.
    pub(super) fn add_folder(&mut self, name: &str) {
        self.folders.push(self.folder.join(safe_name(name)));
    }

    /// Adds a file by its name, which may contain folders, and returns its path.
    ///
    /// # Errors
    ///
    /// `output::same-name` if another file has that name.
    pub(super) fn add(&mut self, name: &str, text: String) -> Result<PathBuf, CommandStop> {
        self.add_content(name, OutputContent::Text(text))
    }

    /// Adds a copy of a file under a name, which may contain folders.
    ///
    /// # Errors
    ///
    /// The errors of [`OutputFolder::add`].
    pub(super) fn add_copy(&mut self, name: &str, from: PathBuf) -> Result<PathBuf, CommandStop> {
        self.add_content(name, OutputContent::Copy(from))
    }

    fn add_content(&mut self, name: &str, content: OutputContent) -> Result<PathBuf, CommandStop> {
        let path = self.folder.join(safe_name(name));
        if !self.taken.insert(path.clone()) {
            let message = format!("two inputs would be written to `{}`", path.display());
            let fault = Diagnostic::error("output::same-name", message);
            return Err(fault.with_help("convert each into its own folder").into());
        }
        self.files.push((path.clone(), content));
        Ok(path)
    }

    /// Adds files, and writes all of them; see [`OutputFolder::write`].
    pub(super) fn write_files(mut self, files: Vec<WrittenFile>) -> Result<(), CommandStop> {
        for WrittenFile { path, text } in files {
            self.add(&path, text)?;
        }
        self.write()
    }

    /// Writes all files, or none if any file cannot be placed. Existing files with the same content are left alone.
    ///
    /// # Errors
    ///
    /// `output::link`, `output::exists`, `output::same-name`, and errors of the output.
    pub(super) fn write(self) -> Result<(), CommandStop> {
        let found: Vec<PathState> = self
            .files
            .iter()
            .map(|(path, content)| self.found(path, Some(content)))
            .collect::<Result<_, _>>()?;
        self.folders.iter().try_for_each(|path| self.found(path, None).map(drop))?;
        let others = self.files.iter().zip(&found).filter(|(_, found)| **found == PathState::Other);
        let others: Vec<&Path> = others.map(|((path, _), _)| path.as_path()).collect();
        if !others.is_empty() && !self.overwrites {
            return Err(exist(&others).into());
        }
        make_folder(self.folder)?;
        self.folders.iter().try_for_each(|folder| make_folder(folder))?;
        for ((path, content), found) in self.files.iter().zip(found) {
            if found == PathState::Same {
                continue;
            }
            make_folder(path.parent().unwrap_or(self.folder))?;
            let mut output = ResultOutput::open_below(path, found == PathState::Nothing)?;
            content.write_to(&mut output).map_err(|error| output.stop(&error))?;
            output.finish()?;
        }
        Ok(())
    }

    /// Returns the state of the path of a file with this content, or of a folder if there is no content. Rejects links,
    /// a folder in place of a file, and a file in place of a folder.
    fn found(&self, path: &Path, content: Option<&OutputContent>) -> Result<PathState, CommandStop> {
        let mut found = PathState::Nothing;
        for step in path.ancestors().take_while(|step| *step != self.folder) {
            let content = content.filter(|_| step == path);
            let is_file = content.is_some();
            if !is_file && self.taken.contains(step) {
                let message = format!("`{}` would be a file and a folder", step.display());
                return Err(Diagnostic::error("output::same-name", message).into());
            }
            match fs::symlink_metadata(step) {
                Ok(metadata) if metadata.is_symlink() => return Err(link(step).into()),
                Ok(metadata) => match content {
                    Some(content) if metadata.is_file() => {
                        found = if content.is_in(path) { PathState::Same } else { PathState::Other };
                    }
                    None if metadata.is_dir() => {}
                    _ => return Err(of_another_kind(step, is_file).into()),
                },
                Err(error) if is_absence(&error) => {}
                Err(error) => return Err(unwritable(step, &error).into()),
            }
        }
        Ok(found)
    }
}

/// Returns whether an error means that a path does not exist, or that a step above it is a file.
fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Makes a name safe: no step is hidden, leads out of the folder, looks like an option, or is displayed like another
/// name.
fn safe_name(name: &str) -> PathBuf {
    let safe = |step: &str| format!("{}{step}", if step.starts_with(['.', '-']) { "_" } else { "" });
    let name = name.replace(|character: char| character == '\\' || is_obeyed(character), "_");
    name.split('/').filter(|step| !step.is_empty()).map(safe).collect()
}

/// Returns whether a file, decompressed if necessary, has exactly this text.
fn says(path: &Path, text: &str) -> bool {
    let Ok((opened, _)) =
        fs::File::open(path).map_err(drop).and_then(|file| compression::open(file).map_err(drop))
    else {
        return false;
    };
    let mut content = Vec::new();
    // Reading one byte more than the text has shows whether the file is longer.
    let read = opened.take(text.len() as u64 + 1).read_to_end(&mut content);
    read.is_ok() && content == text.as_bytes()
}

/// Creates a folder if it does not exist.
fn make_folder(folder: &Path) -> Result<(), CommandStop> {
    fs::create_dir_all(folder).map_err(|error| {
        let message = format!("the folder `{}` cannot be made: {}", folder.display(), plain(&error));
        Diagnostic::error("output::unwritable", message).into()
    })
}

fn link(step: &Path) -> Diagnostic {
    let message = format!("`{}` is a link, and links are not written through", step.display());
    Diagnostic::error("output::link", message).with_help("remove it, or write to another folder")
}

fn of_another_kind(step: &Path, is_file: bool) -> Diagnostic {
    let wanted = if is_file { "file" } else { "folder" };
    let message = format!("`{}` exists, but is not a {wanted}", step.display());
    Diagnostic::error("output::exists", message).with_help("remove it, or write to another folder")
}

fn exist(others: &[&Path]) -> Diagnostic {
    let shown: Vec<String> = others.iter().take(SHOWN).map(|path| format!("`{}`", path.display())).collect();
    let more = match others.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let says = if others.len() == 1 { "already exists" } else { "already exist" };
    let message = format!("{}{more} {says} with other content; nothing is written", shown.join(", "));
    let fault = Diagnostic::error("output::exists", message);
    fault.with_help("`--force` overwrites; or name another folder")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_step_of_a_name_is_hidden_or_leads_out() {
        let names =
            [".bashrc", "a/.git/hooks/x", "../x", "/etc/x", "a//./b", "a\\..\\b", "a\0b", "-rf/a\u{202e}b"];
        let safe = ["_.bashrc", "a/_.git/hooks/x", "_../x", "etc/x", "a/_./b", "a_.._b", "a_b", "_-rf/a_b"];
        assert_eq!(names.map(safe_name), safe.map(PathBuf::from));
    }
}
