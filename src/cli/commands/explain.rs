//! `evalgraph explain`: what the code of an error, a warning, a note or a rule means, and what to do about it.

use std::borrow::Cow;
use std::io::{self, Write};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::cli::arguments::OutputArguments;
use crate::cli::output::{ResultOutput, write, write_json};
use crate::cli::rule_sections::{add_rule, write_indented, write_rule_text};
use crate::cli::{CommandAnswer, CommandStop, output_form};
use evalgraph_diagnostics::codes::{CODES, CodeExample, ExampleRun};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, RunReport, codes, markdown};
use evalgraph_engine::validation::rule_texts::markdown_text;
use evalgraph_engine::validation::rules::{ExplainedRule, explained_name, explained_rules};
use evalgraph_jsonld::{JsonLdErrorCode, WarningCode};

const EXAMPLES: &str = "\
Examples:
  evalgraph explain input::archive
  evalgraph explain 'invalid IRI mapping'
  evalgraph explain K-S7
  evalgraph explain
  evalgraph explain --rules
  evalgraph explain --format json";

/// The arguments of `explain`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ExplainArguments {
    /// Code or rule (default: list them all)
    ///
    /// A code is in brackets after `error` or `warning`; a rule of `validate` has a name like K-S7
    code: Option<String>,
    /// Only rules, not the codes of errors, warnings and notes
    ///
    /// In Markdown and JSON with what each demands and why, an example, and what to do
    #[arg(long)]
    rules: bool,
    /// Form (default: by name of -o, else text)
    #[arg(long, value_name = "FORM")]
    format: Option<ExplainForm>,
    #[command(flatten)]
    output: OutputArguments,
}

/// The forms of explanations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExplainForm {
    /// Lines for a person
    Text,
    /// A page with tables
    Markdown,
    /// JSON
    Json,
}

/// A code from any of the tables.
struct ExplainedCode {
    /// The heading for the code: the part before `::`, the specification, or the system of the rule.
    area: String,
    code: &'static str,
    severities: Vec<String>,
    explanation: Cow<'static, str>,
    example: Option<&'static CodeExample>,
    rule: Option<ExplainedRule>,
}

/// Runs `explain`.
pub(super) fn run(
    arguments: &ExplainArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let path = arguments.output.output.as_deref();
    let form = output_form::EXPLAIN.value(path, arguments.format, report)?.unwrap_or(ExplainForm::Text);
    let mut explained = if arguments.rules { rules().collect() } else { all() };
    if let Some(code) = arguments.code.as_deref().map(explained_name) {
        if !explained.iter().any(|known| known.code == code) {
            return Err(unknown(code, &explained).into());
        }
        explained.retain(|known| known.code == code);
    }
    let is_of_rules = arguments.rules || arguments.code.is_some() && explained.iter().all(has_details);
    write(path, |output| match (form, arguments.code.is_some()) {
        (ExplainForm::Text, true) => write_text(&explained, output),
        (ExplainForm::Text, false) => write_lines(&explained, output),
        (ExplainForm::Markdown, is_one) if is_of_rules => write_rules_page(&explained, is_one, output),
        (ExplainForm::Markdown, _) => write_codes_page(&explained, output),
        (ExplainForm::Json, _) => write_json(&explained.iter().map(to_json).collect(), output),
    })?;
    Ok(CommandAnswer::Yes)
}

fn unknown(code: &str, explained: &[ExplainedCode]) -> Diagnostic {
    let fault = Diagnostic::error("explain::unknown-code", format!("there is no code `{code}`"));
    match nearest(code, explained.iter().map(|known| known.code)) {
        Some(meant) => fault.with_help(format!("did you mean `{meant}`?")),
        None => fault.with_help("`evalgraph explain` lists all"),
    }
}

/// Returns every code: evalgraph's own, those of the JSON-LD specification, and the rules of the systems.
fn all() -> Vec<ExplainedCode> {
    let own = CODES.iter().map(|known| ExplainedCode {
        area: known.code.split("::").next().unwrap_or_default().to_owned(),
        code: known.code,
        severities: known.severities.iter().map(ToString::to_string).collect(),
        explanation: known.explanation.into(),
        example: codes::example_of(known.code),
        rule: None,
    });
    let json_ld = |severity: &str, code, sentence: &'static str| ExplainedCode {
        area: "JSON-LD".to_owned(),
        code,
        severities: vec![severity.to_owned()],
        explanation: sentence.into(),
        example: codes::example_of(code),
        rule: None,
    };
    let errors = JsonLdErrorCode::ALL.iter().map(|code| json_ld("error", code.as_str(), code.sentence()));
    // evalgraph's own codes already include those that the specification does not name.
    let errors = errors.filter(|known| codes::explain(known.code).is_none());
    let warnings = WarningCode::ALL.iter().map(|code| json_ld("warning", code.as_str(), code.sentence()));
    own.chain(errors).chain(warnings).chain(rules()).collect()
}

/// The rules of all systems.
fn rules() -> impl Iterator<Item = ExplainedCode> {
    explained_rules().map(|known| ExplainedCode {
        area: format!("rules of {}", known.system),
        code: known.rule.id,
        severities: vec![known.rule.severity.to_string()],
        explanation: known.explanation().into(),
        example: None,
        rule: Some(known),
    })
}

fn has_details(known: &ExplainedCode) -> bool {
    known.rule.as_ref().is_some_and(|rule| rule.details.is_some())
}

fn write_text(explained: &[ExplainedCode], output: &mut ResultOutput) -> io::Result<()> {
    for ExplainedCode { code, severities, explanation, example, rule, .. } in explained {
        if let Some((rule, details)) = rule.as_ref().and_then(|rule| Some((rule, rule.details.as_ref()?))) {
            write_rule_text(rule, details, output)?;
            continue;
        }
        writeln!(output, "{code} ({})\n  {explanation}", severities.join(" or "))?;
        if let Some(CodeExample { wrong, right, run, .. }) = example {
            match run {
                ExampleRun::With { file, command } => {
                    writeln!(output, "  Causes it, as the content of `{file}` in `{command}`:")?;
                }
                ExampleRun::Item => writeln!(output, "  Causes it, as an item of a checkpoint:")?,
                _ => writeln!(output, "  Causes it:")?,
            }
            write_indented(wrong, "    ", output)?;
            writeln!(output, "  Does not:")?;
            write_indented(right, "    ", output)?;
        }
    }
    Ok(())
}

fn write_lines(explained: &[ExplainedCode], output: &mut ResultOutput) -> io::Result<()> {
    let width = explained.iter().map(|known| known.code.len()).max().unwrap_or(0);
    for ExplainedCode { code, severities, explanation, .. } in explained {
        writeln!(output, "{code:width$}  {}: {explanation}", severities.join(" or "))?;
    }
    Ok(())
}

/// Writes a page with a section for each rule; for a single rule, only its section.
fn write_rules_page(explained: &[ExplainedCode], is_one: bool, output: &mut ResultOutput) -> io::Result<()> {
    if !is_one {
        output.write_all(
            b"# Rules\n\n`evalgraph explain --rules --format markdown -o docs/rules.md` makes this page. It says of each \
              rule of `validate` and\n`check` what it demands, why, and what to do. Tests put both examples into a good \
              file: the first is found, the second is\nnot. [Codes](codes.md) lists all rules with their severities.\n",
        )?;
    }
    for of_area in explained.chunk_by(|one, other| one.area == other.area) {
        let area = of_area.first().map_or("", |known| &known.area);
        if !is_one {
            writeln!(output, "\n## {area}")?;
        }
        let rules = of_area.iter().filter_map(|known| known.rule.as_ref());
        for (rule, details) in rules.filter_map(|rule| Some((rule, rule.details.as_ref()?))) {
            if !is_one {
                writeln!(output)?;
            }
            let level = "#".repeat(if is_one { 1 } else { 3 });
            write!(output, "{level} {}\n\n{}", rule.rule.id, markdown_text(rule, details))?;
        }
    }
    Ok(())
}

/// Writes a page with a table for each area.
fn write_codes_page(explained: &[ExplainedCode], output: &mut ResultOutput) -> io::Result<()> {
    output.write_all(
        b"# Codes\n\n`evalgraph explain --format markdown -o docs/codes.md` makes this page. A finding has its code in \
          brackets,\n`error[input::archive]`, and `evalgraph explain CODE` shows its row. `--strict` makes an error of \
          each warning.\n[Rules](rules.md) shows for each rule why it exists, an example and what to do.\n",
    )?;
    for of_area in explained.chunk_by(|one, other| one.area == other.area) {
        let area = of_area.first().map_or("", |known| &known.area);
        writeln!(output, "\n## {area}\n\n| code | severity | what it means |\n|---|---|---|")?;
        for ExplainedCode { code, severities, explanation, .. } in of_area {
            let (code, explanation) = (markdown::code(code), markdown::message(explanation));
            writeln!(output, "| {code} | {} | {explanation} |", severities.join(" or "))?;
        }
    }
    Ok(())
}

fn to_json(known: &ExplainedCode) -> Value {
    let ExplainedCode { area, code, severities, explanation, example, rule } = known;
    let mut members =
        json!({ "code": code, "area": area, "severities": severities, "explanation": explanation });
    if let Some(CodeExample { wrong, right, .. }) = example {
        members["example"] = json!({ "wrong": wrong, "right": right });
    }
    if let Some(rule) = rule {
        add_rule(rule, &mut members);
    }
    members
}
