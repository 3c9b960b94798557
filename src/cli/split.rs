//! `evalgraph split`: a checkpoint in several that are small enough.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::arguments::{ReadingArguments, size};
use super::checkpoint_file::read_one;
use super::input::{InputSource, plain};
use super::output::Output;
use super::report::Report;
use super::visible::visible;
use super::{Answer, Stop};
use crate::diagnostic::Diagnostic;
use crate::source::karenina::splitting::{Limit, split};
use crate::source::karenina::{Dialect, Survey};

const EXAMPLES: &str = "\
Examples:
  evalgraph split large.jsonld --max 100MB -o parts
  evalgraph split checkpoint.jsonld --max 500 -o parts

Each part is a checkpoint of its own with the head of the whole: name, dates, global traits, scenarios.
Questions are copied as they stand, in their order; `evalgraph merge` of the parts in their order gives
the checkpoint again. The names of the parts are printed.";

/// The arguments of `split`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SplitArguments {
    /// A checkpoint: a file, or `-` for stdin
    input: String,
    /// The most of a part: bytes where a unit stands behind, such as 100MB, else questions
    #[arg(long, value_name = "SIZE|COUNT", value_parser = limit)]
    max: Limit,
    /// The directory of the parts, which is made where it is missing
    #[arg(short, long, value_name = "DIRECTORY")]
    output: PathBuf,
    #[command(flatten)]
    reading: ReadingArguments,
}

fn limit(text: &str) -> Result<Limit, String> {
    let limit = match text.parse() {
        Ok(questions) => Limit::Questions(questions),
        Err(_) => Limit::Bytes(size(text)?),
    };
    match limit {
        Limit::Questions(0) | Limit::Bytes(0) => Err("a part has to hold something".to_owned()),
        limit => Ok(limit),
    }
}

/// Runs `split`.
pub(super) fn run(arguments: &SplitArguments, report: &mut Report) -> Result<Answer, Stop> {
    let (source, document) = read_one(&arguments.input, &arguments.reading, report)?;
    let dialect = Survey::of(&document).detect().dialect;
    if matches!(dialect, Dialect::None | Dialect::ResultsExport) {
        let fault = Diagnostic::error("karenina::no-checkpoint", "not a Karenina checkpoint");
        return Err(fault.at(document.place(document.root())).into());
    }
    let parts = split(&document, dialect, arguments.max)?;
    report.add_all(&parts.warnings);
    if report.has_failed() {
        return Err(Stop::Failed);
    }
    fs::create_dir_all(&arguments.output).map_err(|error| {
        let message = format!("`{}` cannot be made: {}", arguments.output.display(), plain(&error));
        Diagnostic::error("output::unwritable", message)
    })?;
    let (stem, extension) = name_of(&source);
    let digits = parts.parts.len().to_string().len().max(3);
    let mut names = Output::open(None)?;
    for (at, part) in parts.parts.iter().enumerate() {
        let path = arguments.output.join(format!("{stem}-{:0digits$}.{extension}", at + 1));
        let mut output = Output::open(Some(&path))?;
        output.write_all(part.as_bytes()).map_err(|error| output.stop(&error))?;
        output.finish()?;
        writeln!(names, "{}", visible(&path.display().to_string())).map_err(|error| names.stop(&error))?;
    }
    names.finish()?;
    Ok(Answer::Yes)
}

/// The name of a file without and its extension, compression left out.
fn name_of(source: &InputSource) -> (String, String) {
    let InputSource::File(path) = source else { return ("stdin".to_owned(), "jsonld".to_owned()) };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    let path = Path::new(plain);
    let part = |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    (part(path.file_stem()).unwrap_or_default(), part(path.extension()).unwrap_or("jsonld".to_owned()))
}
