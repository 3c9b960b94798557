//! `evalgraph queries`: the named queries, with their titles and parameters.

use std::io::{self, Write};

use clap::Args;
use serde_json::Value;

use crate::cli::arguments::OutputArguments;
use crate::cli::output::{ResultOutput, terminal_width, write, write_json};
use crate::cli::output_form::ListForm;
use crate::cli::preferences::preferences;
use crate::cli::visible::visible;
use crate::cli::{CommandAnswer, CommandStop, output_form};
use evalgraph_diagnostics::RunReport;
use evalgraph_diagnostics::shortened::cut;
use evalgraph_engine::named_queries::NamedQuery;

const EXAMPLES: &str = "\
Examples:
  evalgraph queries
  evalgraph queries overview
  evalgraph queries --format json";

/// The arguments of `queries`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct QueriesArguments {
    /// Show the text of this query
    name: Option<String>,
    /// Form of the list (default: by name of -o, else table)
    #[arg(long, value_name = "FORM")]
    format: Option<ListForm>,
    #[command(flatten)]
    output: OutputArguments,
}

/// Runs `queries`.
pub(super) fn run(
    arguments: &QueriesArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let path = arguments.output.output.as_deref();
    let form = output_form::QUERIES.value(path, arguments.format, report)?.unwrap_or(ListForm::Table);
    let queries = preferences()?.named_queries()?;
    let shown: Vec<&NamedQuery> = match &arguments.name {
        Some(name) => vec![queries.get(name)?],
        None => queries.iter().collect(),
    };
    let listed = match form {
        ListForm::Json => shown.iter().map(|query| query.to_json()).collect::<Result<Value, _>>()?,
        ListForm::Table => Value::Null,
    };
    write(path, |output| match (form, &arguments.name) {
        (ListForm::Table, Some(_)) => {
            shown.iter().try_for_each(|query| output.write_all(query.text.as_bytes()))
        }
        (ListForm::Table, None) => write_table(&shown, output),
        (ListForm::Json, _) => write_json(&listed, output),
    })?;
    Ok(CommandAnswer::Yes)
}

fn write_table(queries: &[&NamedQuery], output: &mut ResultOutput) -> io::Result<()> {
    let width = queries.iter().map(|query| query.name.chars().count()).max().unwrap_or(0);
    let room = terminal_width().map_or(usize::MAX, |width| width.saturating_sub(1));
    for query in queries {
        let about = query.description.as_ref().unwrap_or(&query.title);
        let line = format!("{:width$}  {about}", query.name);
        writeln!(output, "{}", cut(&visible(&line), room))?;
        for parameter in &query.parameters {
            let default = parameter.default.as_ref().map_or(String::new(), |default| format!(" = {default}"));
            let words = parameter.description.as_ref().map_or(String::new(), |words| format!("  {words}"));
            let name = &parameter.name;
            let line = format!("{:width$}  -p {name}: {}{default}{words}", "", parameter.parameter_type);
            writeln!(output, "{}", visible(&line))?;
        }
    }
    Ok(())
}
