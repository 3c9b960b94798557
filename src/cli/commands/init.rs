//! `evalgraph init`: makes an empty store.

use std::fs;
use std::io::{Error, ErrorKind};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::cli::{Answer, Stop};
use crate::diagnostic::{Diagnostic, Report, Severity};
use crate::store::{Folder, Store};
use crate::workspace::store::FOLDER;

const EXAMPLES: &str = "\
Examples:
  evalgraph init
  evalgraph init experiments/";

/// The arguments of `init`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct InitArguments {
    /// The folder in which `.evalgraph` is made
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
}

/// Runs `init`.
pub(super) fn run(arguments: &InitArguments, report: &mut Report) -> Result<Answer, Stop> {
    let folder = arguments.folder.join(FOLDER);
    fs::create_dir_all(&folder)
        .map_err(|error| unwritable(&error, &format!("cannot make the folder `{}`", folder.display())))?;
    Store::create(Arc::new(Folder::new(&folder)))?;
    // The store is made of files that git has already, or that are too large for it.
    let ignored = folder.join(".gitignore");
    fs::write(&ignored, "*\n")
        .map_err(|error| unwritable(&error, &format!("cannot write `{}`", ignored.display())))?;
    let message = format!("`{}` is an empty store", folder.display());
    let help = "`evalgraph load FILE…` fills it; queries in this folder and below then need no files";
    report.add(&Diagnostic::new(Severity::Note, "store::made", message).with_help(help));
    Ok(Answer::Yes)
}

fn unwritable(error: &Error, message: &str) -> Diagnostic {
    let reason = crate::input::path_text::plain(error);
    let is_forbidden = [ErrorKind::PermissionDenied, ErrorKind::ReadOnlyFilesystem].contains(&error.kind());
    let code = if is_forbidden { "store::permission" } else { "store::io" };
    Diagnostic::error(code, format!("{message}: {reason}"))
}
