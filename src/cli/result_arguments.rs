//! The results of a validation or a check: selecting new ones, reporting them, and deciding the exit status.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::cli::arguments::{OutputArguments, severities};
use crate::cli::line_painter::{self, LineStyler};
use crate::cli::output::write_painted;
use crate::cli::preferences::preferences;
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::validation::ResultSeverity;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport, RunStrictness, thousands};
use evalgraph_engine::input::files_read::FilesRead;
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::input::source::{InputSource, RawInput};
use evalgraph_engine::input::syntax::RecordSyntax;
use evalgraph_engine::load::parsed_input::ParsedInput;
use evalgraph_engine::load::read_session::ReadSession;
use evalgraph_engine::report::baseline::ReportBaseline;
use evalgraph_engine::report::reported_files::{ReportedFiles, keep_from};
use evalgraph_engine::report::reported_finding::ReportWords;
use evalgraph_engine::report::{BaselineComparison, ReportFormat};
use evalgraph_engine::validation::switched_rules::switch_rules;
use evalgraph_engine::validation::validated_files::{CheckedInputs, ValidatedFile};
use evalgraph_json::JsonDocument;

/// Which results to report, and where.
#[derive(Debug, Args)]
pub(super) struct ResultArguments {
    /// Report this severity and worse only
    ///
    /// The exit status stays the same
    #[arg(long, value_name = "SEVERITY", default_value = "info", value_parser = severities())]
    severity: ResultSeverity,
    /// Report only what an older report does not have
    ///
    /// A report that was saved as JSON or SARIF. Results with another rule, object, path, value or file are new; lines
    /// may have moved. The exit status depends only on new results
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Results shown for each rule
    ///
    /// In text, tables and Markdown
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    shown: usize,
    #[command(flatten)]
    output: OutputArguments,
}

/// How results are reported and judged.
pub(super) struct ResultReporting {
    /// The format of the report. `None` if the report is written in another way.
    pub(super) format: Option<ReportFormat>,
    pub(super) words: ReportWords,
    pub(super) strictness: RunStrictness,
}

impl ResultArguments {
    /// The file of the report.
    pub(super) fn path(&self) -> Option<&Path> {
        self.output.output.as_deref()
    }

    /// The inputs of a run that reports results. A faulty input does not stop the run: only the results about that
    /// input are missing. `others` are further files that options name.
    pub(super) fn inputs(&self, input: &RunInputs, others: &[Option<&Path>]) -> RunInputs {
        let others = others.iter().copied().chain([self.baseline_path()]).flatten().map(Path::to_owned);
        let beside = input.beside.iter().cloned().chain(others).collect();
        RunInputs { keep_going: true, beside, ..input.clone() }
    }

    /// The file of the baseline.
    pub(super) fn baseline_path(&self) -> Option<&Path> {
        self.baseline.as_deref()
    }

    /// Reads the baseline, if there is one.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read, or is not a report.
    pub(super) fn baseline(
        &self,
        session: &ReadSession,
        report: &mut RunReport,
    ) -> Result<Option<ReportBaseline>, CommandStop> {
        let read = |path: &PathBuf| Ok(ReportBaseline::read(&*named_document(path, session, report)?)?);
        self.baseline.as_ref().map(read).transpose()
    }

    /// Writes the report. Returns whether everything that was checked conforms.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written.
    pub(super) fn write(
        &self,
        checked: CheckedInputs,
        baseline: Option<ReportBaseline>,
        telling: &ResultReporting,
        report: &mut RunReport,
    ) -> Result<CommandAnswer, CommandStop> {
        let CheckedInputs { mut files, unchecked } = checked;
        let folder = std::env::current_dir().unwrap_or_default();
        report.add_all(&switch_rules(&preferences()?.rules, &folder, &mut files));
        let compared = baseline.map(|baseline| baseline.leave_out(&mut files));
        let strictness = telling.strictness;
        let conforms = |file: &ValidatedFile| {
            let warnings = file.report.count(ResultSeverity::Warning);
            file.report.conforms() && !(strictness == RunStrictness::Strict && warnings > 0)
        };
        let answer = if files.iter().all(conforms) { CommandAnswer::Yes } else { CommandAnswer::No };
        let Some(format) = telling.format else { return Ok(answer) };
        files.iter_mut().for_each(|file| keep_from(self.severity, &mut file.report));
        let reported = ReportedFiles {
            least: self.severity,
            shown: self.shown,
            lists_checked: report.shows_all(),
            words: telling.words,
            strictness,
            known: compared.as_ref().map(|(known, _)| &**known),
            unchecked: &unchecked,
            ..ReportedFiles::new(&files)
        };
        let look: Option<LineStyler> = match format {
            ReportFormat::Text => Some(line_painter::report),
            ReportFormat::Table => Some(line_painter::table),
            _ => None,
        };
        write_painted(self.path(), look, |output| format.write(&reported, output))?;
        if let Some((_, compared)) = compared {
            report.add(&left_out(compared));
        }
        Ok(answer)
    }
}

/// The note about how many results are in the baseline.
fn left_out(BaselineComparison { left_out: known, gone, .. }: BaselineComparison) -> Diagnostic {
    let are = if known == 1 { "result is" } else { "results are" };
    let have = if gone == 1 { "has" } else { "have" };
    let message = format!(
        "{} {are} in the baseline and left out, {} of the baseline {have} not been found again",
        thousands(known),
        thousands(gone)
    );
    Diagnostic::new(FindingSeverity::Note, "validate::left-out", message)
}

/// Reads a file that an option names.
///
/// # Errors
///
/// Fails if it cannot be read, or is neither JSON nor YAML.
pub(super) fn named_document(
    path: &Path,
    session: &ReadSession,
    report: &mut RunReport,
) -> Result<Arc<JsonDocument>, CommandStop> {
    let mut input = InputSource::File(path.to_owned()).read(u64::MAX, &FilesRead::default())?;
    let RawInput { origin, bytes, .. } = &mut input;
    origin.syntax = RecordSyntax::from_input(&origin.name, bytes).unwrap_or(origin.syntax);
    let ParsedInput { document, .. } = session.parse_data(input, report)?;
    Ok(document)
}
