//! The output of results: to stdout, or to a file that appears complete or not at all.
//!
//! A file is written beside its final name and renamed at the end, so a failed run leaves the old file. The old file
//! also stays if another program has changed it since this run read it. A file whose name ends in `.gz` or `.zst` is
//! compressed. Devices and pipes are written directly.

use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anstream::{AutoStream, ColorChoice};
use serde_json::Value;
use tempfile::{NamedTempFile, PersistError};

use super::CommandStop;
use super::harmless::HarmlessText;
use super::line_painter::{LinePainter, LineStyler};
use super::visible::visible;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::convert::write_failure::WriteFailure;
use evalgraph_engine::input::compression::{CompressingWriter, FileCompression};
use evalgraph_engine::input::files_read::{self, FileState, FilesRead};
use evalgraph_engine::input::path_text::plain;

/// The file that is being written beside its final name. It must be removed if the process is ended early.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// The files that this run has read.
static FILES_READ: LazyLock<FilesRead> = LazyLock::new(FilesRead::default);

/// The width of the terminal on stdout. `None` if stdout is not a terminal.
pub(super) fn terminal_width() -> Option<usize> {
    columns(terminal_size::terminal_size_of(io::stdout()))
}

/// The width of the terminal on stderr. `None` if stderr is not a terminal.
pub(super) fn width_of_messages() -> Option<usize> {
    columns(terminal_size::terminal_size_of(io::stderr()))
}

fn columns(size: Option<(terminal_size::Width, terminal_size::Height)>) -> Option<usize> {
    size.map(|(terminal_size::Width(width), _)| usize::from(width))
}

/// The files that this run has read.
pub(super) fn files_read() -> FilesRead {
    FILES_READ.clone()
}

/// Removes the file that is being written, if there is one. No file is started while the returned lock is held.
pub(super) fn remove_unfinished() -> impl Sized {
    let mut unfinished = unfinished();
    if let Some(file) = unfinished.take() {
        // An error here would add nothing to the report: the run has failed in any case.
        let _ = fs::remove_file(file);
    }
    unfinished
}

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A destination for results.
pub(super) struct ResultOutput {
    encoder: CompressingWriter<BufWriter<OutputTarget>>,
    /// What becomes of a text that goes to a terminal.
    terminal: Option<TerminalText>,
    path: Option<PathBuf>,
    expected: ExpectedFile,
}

/// A text on its way to a terminal. In either case, control characters are made visible.
enum TerminalText {
    Plain(HarmlessText),
    Painted(LinePainter),
}

impl TerminalText {
    fn write(&mut self, bytes: &[u8], output: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Plain(text) => text.write(bytes, output),
            Self::Painted(text) => text.write(bytes, output),
        }
    }

    fn finish(&mut self, output: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Plain(text) => text.finish(output),
            Self::Painted(text) => text.finish(output),
        }
    }
}

/// The file that must exist under the final name when the result is moved there.
enum ExpectedFile {
    /// Any file or none.
    Anything,
    /// No file.
    Nothing,
    /// The file as this run has read it.
    AsRead(FileState),
}

enum OutputTarget {
    Stdout(io::Stdout),
    Device(File),
    Beside(NamedTempFile),
}

impl Write for OutputTarget {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(stdout) => stdout.write(bytes),
            Self::Device(file) => file.write(bytes),
            Self::Beside(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.flush(),
            Self::Device(file) => file.flush(),
            Self::Beside(file) => file.flush(),
        }
    }
}

/// How many links are followed at most, as on Linux.
const MOST_LINKS: usize = 40;

/// Follows links to a target that does not exist yet. Returns the path itself if it is not a link.
fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    path
}

impl ResultOutput {
    /// Opens the file. Opens stdout if there is no name or the name is `-`.
    ///
    /// # Errors
    ///
    /// `output::unwritable` if the file cannot be created.
    pub(super) fn open(path: Option<&Path>) -> Result<Self, CommandStop> {
        let path = path.filter(|path| *path != Path::new("-"));
        let Some(path) = path else {
            let target = OutputTarget::Stdout(io::stdout());
            let encoder = CompressingWriter::Plain(BufWriter::with_capacity(1 << 16, target));
            let is_terminal = io::stdout().is_terminal();
            let terminal = is_terminal.then(|| TerminalText::Plain(HarmlessText::default()));
            return Ok(Self { encoder, terminal, path: None, expected: ExpectedFile::Anything });
        };
        // A link is kept, and its target is replaced.
        let (path, expected) = match fs::canonicalize(path) {
            Ok(path) => {
                let state = FILES_READ.state_of(&path);
                (path, state.map_or(ExpectedFile::Anything, ExpectedFile::AsRead))
            }
            Err(_) => (behind_links(path), ExpectedFile::Anything),
        };
        Self::at(path, expected)
    }

    /// Opens a file in a folder. Its name may come from the data, so no link is followed. If the file is new, it fails
    /// if another file has taken its name by the time it is moved into place.
    ///
    /// # Errors
    ///
    /// The errors of [`ResultOutput::open`].
    pub(super) fn open_below(path: &Path, is_new: bool) -> Result<Self, CommandStop> {
        Self::at(path.to_owned(), if is_new { ExpectedFile::Nothing } else { ExpectedFile::Anything })
    }

    fn at(path: PathBuf, expected: ExpectedFile) -> Result<Self, CommandStop> {
        let mut unfinished = unfinished();
        let target = open_target(&path).map_err(|error| CommandStop::from(unwritable(&path, &error)))?;
        if let OutputTarget::Beside(file) = &target {
            *unfinished = Some(file.path().to_owned());
        }
        drop(unfinished);
        let writer = BufWriter::with_capacity(1 << 16, target);
        let encoder = CompressingWriter::new(FileCompression::of_name(&path), writer)
            .map_err(|error| CommandStop::from(unwritable(&path, &error)))?;
        // A named device may be a terminal as well. It gets the bytes unchanged.
        Ok(Self { encoder, terminal: None, path: Some(path), expected })
    }

    /// Paints the lines, if they go to stdout and stdout shows colours. Nothing may have been written yet.
    pub(super) fn paint(&mut self, look: LineStyler) {
        if self.path.is_none() && AutoStream::choice(&io::stdout()) != ColorChoice::Never {
            self.terminal = Some(TerminalText::Painted(LinePainter::new(look)));
        }
    }

    /// Writes out the remaining bytes, and moves the file into place.
    ///
    /// # Errors
    ///
    /// The errors of [`ResultOutput::stop`]; `output::changed` if another program has written the file since this run
    /// read it, and `output::exists` if the name of a new file is taken.
    pub(super) fn finish(self) -> Result<(), CommandStop> {
        self.finish_checked(|_| Ok(())).map(drop)
    }

    /// Writes out the remaining bytes, lets `check` read the file, and moves it into place if the check succeeds.
    /// Returns whether it was checked: stdout and devices cannot be read back.
    ///
    /// # Errors
    ///
    /// The errors of [`ResultOutput::finish`] and of `check`.
    pub(super) fn finish_checked(
        self,
        check: impl FnOnce(File) -> Result<(), CommandStop>,
    ) -> Result<bool, CommandStop> {
        let Self { mut encoder, terminal, path, expected } = self;
        let left = terminal.map_or(Ok(()), |mut terminal| terminal.finish(&mut encoder));
        let target =
            left.and_then(|()| written_out(encoder)).map_err(|error| stop(path.as_deref(), &error))?;
        let (OutputTarget::Beside(file), Some(path)) = (target, &path) else { return Ok(false) };
        check(file.reopen().map_err(|error| stop(Some(path), &error))?)?;
        put_in_place(file, path, &expected)?;
        *unfinished() = None;
        Ok(true)
    }

    /// Returns the reason to stop after a failure to write a result.
    pub(super) fn stopped(&self, failure: WriteFailure) -> CommandStop {
        match failure {
            WriteFailure::Failed(failure) => failure.into(),
            WriteFailure::Io(error) => self.stop(&error),
        }
    }

    /// Returns the reason to stop after a system error. A closed pipe ends the run without a fault; any other error is
    /// `output::unwritable`.
    pub(super) fn stop(&self, error: &io::Error) -> CommandStop {
        stop(self.path.as_deref(), error)
    }
}

impl Write for ResultOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.terminal {
            None => self.encoder.write(bytes),
            Some(terminal) => terminal.write(bytes, &mut self.encoder).map(|()| bytes.len()),
        }
    }

    // The default would call `write` in a loop for each piece of a term.
    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.terminal {
            None => self.encoder.write_all(bytes),
            Some(terminal) => terminal.write(bytes, &mut self.encoder),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.flush()
    }
}

fn open_target(path: &Path) -> io::Result<OutputTarget> {
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return File::options().write(true).open(path).map(OutputTarget::Device);
    }
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".evalgraph-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The file gets the permissions of the one it replaces, so more users can never read the new file; otherwise
        // those of a new file. The system applies the user's mask.
        let rights = old.as_ref().map_or(0o666, |old| old.permissions().mode() & 0o777);
        builder.permissions(fs::Permissions::from_mode(rights));
    }
    let file = builder.tempfile_in(directory)?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    Ok(OutputTarget::Beside(file))
}

/// Writes out all buffered bytes, and returns the target.
fn written_out(encoder: CompressingWriter<BufWriter<OutputTarget>>) -> io::Result<OutputTarget> {
    let mut writer = encoder.finish()?;
    writer.flush()?;
    let target = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let OutputTarget::Beside(file) = &target {
        // Some systems notice a full disk only here.
        file.as_file().sync_all()?;
    }
    Ok(target)
}

/// How long a run waits for the lock of a file. Another run of this program holds the lock only during a rename. If it
/// is held longer, it is held by another program, for reasons of its own.
const PATIENCE: Duration = Duration::from_secs(1);

/// Locks a file until the handle is closed, against other runs of this program that are about to replace it. `None` if
/// the lock cannot be acquired.
fn hold(path: &Path) -> Option<File> {
    let file = File::open(path).ok()?;
    let end = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Some(file),
            Err(fs::TryLockError::WouldBlock) if Instant::now() < end => sleep(Duration::from_millis(1)),
            Err(_) => return None,
        }
    }
}

/// Gives a file its final name, if that name still has the expected file.
fn put_in_place(file: NamedTempFile, path: &Path, expected: &ExpectedFile) -> Result<(), CommandStop> {
    let failed = |error: PersistError| stop(Some(path), &error.error);
    match expected {
        ExpectedFile::Anything => file.persist(path).map(drop).map_err(failed),
        ExpectedFile::AsRead(state) => {
            let _held = hold(path);
            if !state.is_of(path) {
                return Err(files_read::changed(path).into());
            }
            file.persist(path).map_err(failed)?;
            FILES_READ.forget(path);
            Ok(())
        }
        ExpectedFile::Nothing => match file.persist_noclobber(path) {
            Ok(_) => Ok(()),
            Err(error) if fs::symlink_metadata(path).is_ok() => {
                let message = format!("`{}` has appeared meanwhile, and is not overwritten", path.display());
                drop(error);
                Err(Diagnostic::error("output::exists", message).into())
            }
            // Some file systems cannot rename without overwriting.
            Err(error) => error.file.persist(path).map(drop).map_err(failed),
        },
    }
}

fn stop(path: Option<&Path>, error: &io::Error) -> CommandStop {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return CommandStop::ClosedPipe;
    }
    match path {
        Some(path) => unwritable(path, error).into(),
        None => {
            let message = format!("the result cannot be written to stdout: {}", plain(error));
            Diagnostic::error("output::unwritable", message).into()
        }
    }
}

pub(super) fn unwritable(path: &Path, error: &io::Error) -> Diagnostic {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    if let (io::ErrorKind::NotFound, Some(folder)) = (error.kind(), folder) {
        let (path, folder) = (path.display(), folder.display());
        let message = format!("`{path}` cannot be written: the folder `{folder}` does not exist");
        let fault = Diagnostic::error("output::unwritable", message);
        return fault.with_help(format!("create it: `mkdir -p {folder}`"));
    }
    let message = format!("`{}` cannot be written: {}", path.display(), plain(error));
    Diagnostic::error("output::unwritable", message)
}

/// Writes a result to a file or stdout.
///
/// # Errors
///
/// The errors of [`ResultOutput::open`], [`ResultOutput::stopped`] and [`ResultOutput::finish`].
pub(super) fn write<E: Into<WriteFailure>>(
    path: Option<&Path>,
    result: impl FnOnce(&mut ResultOutput) -> Result<(), E>,
) -> Result<(), CommandStop> {
    let mut output = ResultOutput::open(path)?;
    result(&mut output).map_err(|failure| output.stopped(failure.into()))?;
    output.finish()
}

/// Writes the result of a function. On a terminal it has colours.
pub(super) fn write_painted<E: Into<WriteFailure>>(
    path: Option<&Path>,
    look: Option<LineStyler>,
    result: impl FnOnce(&mut ResultOutput) -> Result<(), E>,
) -> Result<(), CommandStop> {
    write(path, |output| {
        if let Some(look) = look {
            output.paint(look);
        }
        result(output)
    })
}

/// Writes a text to a file or stdout.
pub(super) fn write_text(text: &str, path: Option<&Path>) -> Result<(), CommandStop> {
    write(path, |output| output.write_all(text.as_bytes()))
}

/// Writes the name of each thing, followed by one line for each fact about it.
pub(super) fn write_facts<'f>(
    things: impl Iterator<Item = (&'f str, Vec<(&'f str, String)>)>,
    output: &mut impl Write,
) -> io::Result<()> {
    for (at, (name, facts)) in things.enumerate() {
        if at > 0 {
            writeln!(output)?;
        }
        writeln!(output, "{}", visible(name))?;
        let width = facts.iter().map(|(label, _)| label.len()).max().unwrap_or(0);
        for (label, value) in facts {
            writeln!(output, "  {label:width$}  {}", visible(&value))?;
        }
    }
    Ok(())
}

/// Writes a value as indented JSON.
pub(super) fn write_json(value: &Value, output: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *output, value)?;
    writeln!(output)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn no_more_can_read_what_is_being_written_than_what_it_replaces() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("out");
        fs::write(&path, "").expect("the folder is ours");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("the file is ours");
        let Ok(OutputTarget::Beside(file)) = open_target(&path) else { panic!("a file is written beside") };
        let metadata = file.as_file().metadata().expect("it is there");
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    }
}
