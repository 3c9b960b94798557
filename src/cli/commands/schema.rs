//! `evalgraph schema`: the classes of the data, with their properties, counts, kinds of values and examples.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::io::{self, Write};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use crate::cli::arguments::OutputArguments;
use crate::cli::output::{ResultOutput, terminal_width, write, write_json};
use crate::cli::output_form;
use crate::cli::preferences::preferences;
use crate::cli::run_ending::cancellation;
use crate::cli::schema_drawing::{write_dot, write_mermaid};
use crate::cli::schema_examples::{ExampleArguments, write_examples};
use crate::cli::visible::visible;
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::shortened::cut;
use evalgraph_diagnostics::{RunReport, thousands};
use evalgraph_engine::api::data_vocabulary::{ClassUsage, DataVocabulary, PropertyUsage};
use evalgraph_engine::api::{LoadedData, Loader};
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::load::load_purpose::LoadPurpose;
use evalgraph_engine::load::read_session::LoadOptions;
use evalgraph_rdf::vocabulary::rdf;
use evalgraph_sparql::QueryPrefixes;

const EXAMPLES: &str = "\
Examples:
  evalgraph schema checkpoint.jsonld
  evalgraph schema checkpoints/ --format mermaid
  evalgraph schema data.ttl -o schema.dot
  evalgraph schema checkpoints/ --examples --class s:Rating

A property is listed under each class whose nodes have it, with the number of these nodes, the kinds of its values
(a class instead of an IRI or a blank node if the values have one), and a value. Without INPUT the schema is that
of the store.

--examples shows some nodes of a class instead, with everything said about them. The same seed selects
the same nodes of the same data.";

/// The width of examples if the width of the terminal is unknown.
const EXAMPLE_WIDTH: usize = 60;

/// The arguments of `schema`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SchemaArguments {
    #[command(flatten)]
    input: GroupedOptions<RunInputs>,
    /// Form of the schema (default: by name of -o, else text)
    #[arg(long, value_name = "FORM")]
    format: Option<SchemaForm>,
    #[command(flatten)]
    examples: ExampleArguments,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    loading: GroupedOptions<LoadOptions>,
}

/// The forms of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SchemaForm {
    /// Lines for a person
    Text,
    /// A table for each class, in Markdown
    Markdown,
    /// JSON
    Json,
    /// A class diagram for Mermaid
    Mermaid,
    /// A graph for Graphviz
    Dot,
}

/// Runs `schema`.
pub(super) fn run(arguments: &SchemaArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    report.set_strictness(arguments.input.reading.strictness);
    let path = arguments.output.output.as_deref();
    if arguments.examples.examples {
        return write_examples(&arguments.examples, &arguments.input, &arguments.loading, path, report);
    }
    let form = output_form::SCHEMA.value(path, arguments.format, report)?.unwrap_or(SchemaForm::Text);
    let loader = Loader::from_options(&arguments.input, &arguments.loading);
    let loaded = LoadedData::read(&loader, LoadPurpose::Quads, report)?;
    let vocabulary = DataVocabulary::from_dataset(loaded.dataset(), &cancellation())?;
    if let Some(fault) = loaded.dataset().fault() {
        return Err(fault.clone().into());
    }
    let prefixes = preferences()?.prefixes(loaded.prefixes());
    write(path, |output| match form {
        SchemaForm::Text => write_text(&vocabulary, &prefixes, output),
        SchemaForm::Markdown => write_markdown(&vocabulary, &prefixes, output),
        SchemaForm::Json => write_json(&to_json(&vocabulary), output),
        SchemaForm::Mermaid => write_mermaid(&vocabulary, &prefixes, output),
        SchemaForm::Dot => write_dot(&vocabulary, &prefixes, output),
    })?;
    Ok(CommandAnswer::Yes)
}

/// The properties that say more than the class itself.
fn shown(class: &ClassUsage) -> impl Iterator<Item = &PropertyUsage> {
    class.properties.iter().filter(|property| property.property.iri != rdf::TYPE)
}

fn short(iri: &str, prefixes: &QueryPrefixes) -> String {
    prefixes.shorten(iri).unwrap_or_else(|| format!("<{}>", visible(iri)))
}

/// The kinds of a property's values. If values have classes, these are listed.
fn kinds(property: &PropertyUsage, prefixes: &QueryPrefixes) -> String {
    let is_node = |kind: &str| matches!(kind, "iri" | "blank");
    let classes = property.classes.iter().map(|class| short(class, prefixes));
    let others = property.types.iter().filter(|kind| property.classes.is_empty() || !is_node(kind)).cloned();
    classes.chain(others).collect::<Vec<_>>().join(", ")
}

fn write_text(
    vocabulary: &DataVocabulary,
    prefixes: &QueryPrefixes,
    output: &mut ResultOutput,
) -> io::Result<()> {
    if vocabulary.classes.is_empty() {
        writeln!(output, "no node has a class")?;
    }
    for (at, class) in vocabulary.classes.iter().enumerate() {
        if at > 0 {
            writeln!(output)?;
        }
        writeln!(output, "{}  {}", short(&class.class.iri, prefixes), thousands(class.class.count as u64))?;
        write_properties(class, prefixes, output)?;
        if class.more > 0 {
            writeln!(output, "  … and {} more properties", thousands(class.more as u64))?;
        }
    }
    if vocabulary.more_classes > 0 {
        writeln!(output, "\n… and {} more classes", thousands(vocabulary.more_classes as u64))?;
    }
    Ok(())
}

fn write_properties(
    class: &ClassUsage,
    prefixes: &QueryPrefixes,
    output: &mut ResultOutput,
) -> io::Result<()> {
    let row = |property: &PropertyUsage| {
        let PropertyUsage { property: counted, example, .. } = property;
        let count = thousands(counted.count as u64);
        let example = example.as_deref().map(visible).unwrap_or_default().into_owned();
        [short(&counted.iri, prefixes), count, kinds(property, prefixes), example]
    };
    let rows: Vec<[String; 4]> = shown(class).map(row).collect();
    let [names, counts, types, _] = [0, 1, 2, 3].map(|column: usize| {
        rows.iter().map(|row| row.get(column).map_or(0, |cell| cell.width())).max().unwrap_or(0)
    });
    let room =
        terminal_width().map_or(EXAMPLE_WIDTH, |width| width.saturating_sub(names + counts + types + 8));
    for [name, count, kinds, example] in rows {
        let blank = " ".repeat(names.saturating_sub(name.width()));
        let after = " ".repeat(types.saturating_sub(kinds.width()));
        let line = format!("  {name}{blank}  {count:>counts$}  {kinds}{after}  {}", cut(&example, room));
        writeln!(output, "{}", line.trim_end())?;
    }
    Ok(())
}

fn write_markdown(
    vocabulary: &DataVocabulary,
    prefixes: &QueryPrefixes,
    output: &mut ResultOutput,
) -> io::Result<()> {
    for class in &vocabulary.classes {
        let count = thousands(class.class.count as u64);
        writeln!(output, "## {} ({count})\n", in_markdown(&short(&class.class.iri, prefixes)))?;
        writeln!(output, "| property | nodes | values | example |\n|---|--:|---|---|")?;
        for property in shown(class) {
            let PropertyUsage { property: counted, example, .. } = property;
            let [name, kinds, example] = [
                short(&counted.iri, prefixes),
                kinds(property, prefixes),
                example.as_deref().map(visible).unwrap_or_default().into_owned(),
            ]
            .map(|cell| in_markdown(&cell));
            writeln!(output, "| {name} | {} | {kinds} | {example} |", thousands(counted.count as u64))?;
        }
        writeln!(output)?;
    }
    Ok(())
}

/// Escapes a text for a table of Markdown.
fn in_markdown(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '&' => safe.push_str("&amp;"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' => safe.extend(['\\', c]),
            c => safe.push(c),
        }
    }
    safe
}

fn to_json(vocabulary: &DataVocabulary) -> Value {
    let property = |property: &PropertyUsage| {
        json!({
            "iri": property.property.iri,
            "nodes": property.property.count,
            "types": property.types,
            "classes": property.classes,
            "example": property.example,
        })
    };
    let class = |class: &ClassUsage| {
        json!({
            "iri": class.class.iri,
            "nodes": class.class.count,
            "properties": class.properties.iter().map(property).collect::<Vec<_>>(),
            "moreProperties": class.more,
        })
    };
    json!({
        "classes": vocabulary.classes.iter().map(class).collect::<Vec<_>>(),
        "moreClasses": vocabulary.more_classes,
    })
}
