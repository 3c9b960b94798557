//! `evalgraph corpus-name`: the file name for a downloaded page.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use clap::Args;
use serde_json::json;

use crate::cli::arguments::OutputArguments;
use crate::cli::output::{write, write_json};
use crate::cli::output_form::ListForm;
use crate::cli::visible::visible;
use crate::cli::{CommandAnswer, CommandStop, output_form};
use evalgraph_diagnostics::{Diagnostic, RunReport, codes};
use evalgraph_engine::input::path_text::plain;
use evalgraph_formats::corpus::stem_of_url;

const EXAMPLES: &str = "\
Examples:
  evalgraph corpus-name 'https://en.wikipedia.org/wiki/Caf%C3%A9#History'
  evalgraph corpus-name - < urls.txt --format json

The stem of a corpus file is the last segment of its URL, not decoded, followed by the fragment; the
query is left out. The extension depends on how the page was saved.

The exit status is 1 if a URL does not name a file, or if two URLs name the same one.";

/// The arguments of `corpus-name`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CorpusNameArguments {
    /// URLs, or `-` for a URL on each line of stdin
    #[arg(value_name = "URL", required = true)]
    urls: Vec<String>,
    /// Form of the list (default: by name of -o, else table)
    ///
    /// A table has a stem on each line, JSON an array of objects with URL and stem
    #[arg(long, value_name = "FORM")]
    format: Option<ListForm>,
    #[command(flatten)]
    output: OutputArguments,
}

/// Runs `corpus-name`.
pub(super) fn run(
    arguments: &CorpusNameArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let path = arguments.output.output.as_deref();
    let form = output_form::CORPUS_NAME.value(path, arguments.format, report)?.unwrap_or(ListForm::Table);
    let urls = urls(&arguments.urls)?;
    let named: Vec<(&String, String)> = urls.iter().map(|url| (url, stem_of_url(url))).collect();
    write(path, |output| match form {
        ListForm::Table => named.iter().try_for_each(|(_, stem)| writeln!(output, "{}", visible(stem))),
        ListForm::Json => {
            let list = named.iter().map(|(url, stem)| json!({"url": url, "stem": stem}));
            write_json(&list.collect(), output)
        }
    })?;
    let faults = faults(&named);
    report.add_all(&faults);
    Ok(if faults.is_empty() { CommandAnswer::Yes } else { CommandAnswer::No })
}

fn urls(arguments: &[String]) -> Result<Vec<String>, CommandStop> {
    let mut urls = Vec::new();
    for argument in arguments {
        if argument != "-" {
            urls.push(argument.clone());
            continue;
        }
        let mut text = String::new();
        std::io::stdin().lock().read_to_string(&mut text).map_err(|error| {
            Diagnostic::error(codes::INPUT_UNREADABLE, format!("`-` cannot be read: {}", plain(&error)))
        })?;
        urls.extend(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned));
    }
    Ok(urls)
}

/// Returns warnings about URLs without a name, and about names that several URLs share. The stems are written in any
/// case.
fn faults(named: &[(&String, String)]) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    let mut first: BTreeMap<&str, &str> = BTreeMap::new();
    for (url, stem) in named {
        if stem.is_empty() {
            let message = format!("`{url}` ends in `/` or has no path, so it does not name a file");
            faults.push(Diagnostic::warning("train::no-stem", message).with_help("name the file by hand"));
            continue;
        }
        let earlier = *first.entry(stem).or_insert(url);
        if earlier != url.as_str() {
            let message =
                format!("`{url}` and `{earlier}` both become `{stem}`, but files are found by their names");
            let fault = Diagnostic::warning("train::same-stem", message);
            let help = "the query of a URL is not part of the name: rename one of the files";
            faults.push(if url.contains('?') { fault.with_help(help) } else { fault });
        }
    }
    faults
}
