//! The fixes that `check` can make for its findings.

use std::io::Write;
use std::path::Path;

use clap::Args;

use super::arguments::choice;
use super::in_place::keeps_compression;
use super::output::{write, write_text};
use super::unified_diff::write_diff;
use super::{CommandAnswer, CommandStop, output_form, unless_failed};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport, thousands};
use evalgraph_engine::validation::schema_org::{FixedFile, SchemaOrgRun};
use evalgraph_schema_org::SchemaNamespace;

/// The options for fixing findings.
#[derive(Debug, Args)]
pub(super) struct FixArguments {
    /// Fix files in place where one answer is right
    ///
    /// The case of terms, terms with one successor, `www.` and other aliases, two namespaces; then files are checked
    #[arg(long, requires = "inputs", conflicts_with_all = ["watch", "fix_context"])]
    fix: bool,
    /// Print the fixes as a diff, and change nothing
    #[arg(long, requires = "fix", conflicts_with_all = ["format", "baseline"])]
    dry_run: bool,
    /// Move all of schema.org into one namespace
    ///
    /// Without it, in a file with two, terms are moved into the one with most terms
    #[arg(long, value_name = "http|https", requires = "fix", value_parser = choice([("http", SchemaNamespace::Http), ("https", SchemaNamespace::Https)]))]
    normalize: Option<SchemaNamespace>,
    /// Print a context that makes a checkpoint comply
    ///
    /// Its keys, nesting and values stay
    #[arg(long, requires = "inputs", conflicts_with_all = ["watch", "format", "baseline"])]
    fix_context: bool,
}

impl FixArguments {
    /// Makes the requested fixes. Returns the answer if no report follows.
    ///
    /// # Errors
    ///
    /// Fails if an input cannot be read or changed.
    pub(super) fn done(
        &self,
        run: &SchemaOrgRun<'_>,
        path: Option<&Path>,
        report: &mut RunReport,
    ) -> Result<Option<CommandAnswer>, CommandStop> {
        if self.fix_context {
            output_form::CHECK_CONTEXT.check(path, report)?;
            let context = run.complying_context(report)?;
            unless_failed(report)?;
            write_text(&context, path)?;
            return Ok(Some(CommandAnswer::Yes));
        }
        if !self.fix {
            return Ok(None);
        }
        if self.dry_run {
            output_form::CHECK_DIFF.check(path, report)?;
        }
        let files = run.fixed(self.normalize, !self.dry_run, report)?;
        unless_failed(report)?;
        if self.dry_run {
            write(path, |output| {
                files
                    .iter()
                    .try_for_each(|file| write_diff(&file.source.name(), &file.before, &file.after, output))
            })?;
            return Ok(Some(CommandAnswer::Yes));
        }
        change(&files, report)?;
        Ok(None)
    }

    /// Returns whether a report follows.
    pub(super) fn reports(&self) -> bool {
        !self.fix_context && !self.dry_run
    }
}

/// Writes changed files into place.
fn change(files: &[FixedFile], report: &mut RunReport) -> Result<(), CommandStop> {
    for path in files.iter().filter_map(|file| file.source.path()) {
        keeps_compression(path, "schema-org::fix")?;
    }
    for file in files {
        write(file.source.path(), |output| output.write_all(&file.bytes))?;
    }
    let count: usize = files.iter().map(|file| file.count).sum();
    if count > 0 {
        let names = if count == 1 { "name or namespace was" } else { "names and namespaces were" };
        let in_files = if files.len() == 1 {
            "1 file".to_owned()
        } else {
            format!("{} files", thousands(files.len() as u64))
        };
        let message = format!("{} {names} changed in {in_files}", thousands(count as u64));
        report.add(&Diagnostic::new(FindingSeverity::Note, "schema-org::fixed", message));
    }
    Ok(())
}
