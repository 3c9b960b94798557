//! The schema of data as a drawing: for Graphviz (the DOT language) and for Mermaid (class diagrams).

use std::io::{self, Write};

use evalgraph_engine::api::data_vocabulary::{ClassUsage, DataVocabulary, PropertyUsage};
use evalgraph_rdf::vocabulary::rdf;
use evalgraph_sparql::QueryPrefixes;

/// Draws a box for each class with its properties, and an arrow for each property whose values have a class.
pub(super) fn write_dot(
    vocabulary: &DataVocabulary,
    prefixes: &QueryPrefixes,
    output: &mut impl Write,
) -> io::Result<()> {
    writeln!(output, "digraph schema {{\n  rankdir=LR;\n  node [shape=record, fontname=\"sans-serif\"];")?;
    for (number, class) in vocabulary.classes.iter().enumerate() {
        let title = format!("{} ({})", name(&class.class.iri, prefixes), class.class.count);
        let fields = class.properties.iter().filter(|property| property.classes.is_empty());
        let fields: String =
            fields.map(|property| format!("{}\\l", in_record(&field(property, prefixes)))).collect();
        writeln!(output, "  c{number} [label=\"{{{}|{fields}}}\"];", in_record(&title))?;
    }
    for ClassArrow { from, to, property } in arrows(vocabulary) {
        let label = name(&property.property.iri, prefixes);
        writeln!(
            output,
            "  c{from} -> c{to} [label=\"{}\"];",
            label.replace('\\', "\\\\").replace('"', "\\\"")
        )?;
    }
    writeln!(output, "}}")
}

/// Like [`write_dot`], but for Mermaid.
pub(super) fn write_mermaid(
    vocabulary: &DataVocabulary,
    prefixes: &QueryPrefixes,
    output: &mut impl Write,
) -> io::Result<()> {
    writeln!(output, "classDiagram\n  direction LR")?;
    for (number, class) in vocabulary.classes.iter().enumerate() {
        let title = in_mermaid(&format!("{} ({})", name(&class.class.iri, prefixes), class.class.count));
        writeln!(output, "  class c{number}[\"{title}\"] {{")?;
        for property in fields(class) {
            writeln!(output, "    {}", in_mermaid(&field(property, prefixes)))?;
        }
        writeln!(output, "  }}")?;
    }
    for ClassArrow { from, to, property } in arrows(vocabulary) {
        let label = in_mermaid(&name(&property.property.iri, prefixes)).replace(':', "-");
        writeln!(output, "  c{from} --> c{to} : {label}")?;
    }
    Ok(())
}

/// The properties without an arrow that say more than the class itself.
fn fields(class: &ClassUsage) -> impl Iterator<Item = &PropertyUsage> {
    let is_field =
        |property: &&PropertyUsage| property.classes.is_empty() && property.property.iri != rdf::TYPE;
    class.properties.iter().filter(is_field)
}

/// A property that leads from the nodes of a class to those of another.
struct ClassArrow<'v> {
    from: usize,
    to: usize,
    property: &'v PropertyUsage,
}

fn arrows(vocabulary: &DataVocabulary) -> impl Iterator<Item = ClassArrow<'_>> {
    let place = |iri: &str| vocabulary.classes.iter().position(|class| class.class.iri == iri);
    vocabulary.classes.iter().enumerate().flat_map(move |(from, class)| {
        class.properties.iter().flat_map(move |property| {
            let places = property.classes.iter().filter_map(move |class| place(class));
            places.map(move |to| ClassArrow { from, to, property })
        })
    })
}

fn name(iri: &str, prefixes: &QueryPrefixes) -> String {
    prefixes.shorten(iri).unwrap_or_else(|| iri.to_owned())
}

fn field(property: &PropertyUsage, prefixes: &QueryPrefixes) -> String {
    let types: Vec<&str> = property.types.iter().map(String::as_str).collect();
    format!("{}: {}", name(&property.property.iri, prefixes), types.join(", "))
}

/// Escapes a text for a field of a Graphviz record.
fn in_record(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            '{' | '}' | '|' | '<' | '>' | '"' | '\\' | ' ' => safe.extend(['\\', c]),
            c if c.is_control() => safe.push('?'),
            c => safe.push(c),
        }
    }
    safe
}

/// Escapes a text for Mermaid, which has only these escapes.
fn in_mermaid(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || " .:,-_/()".contains(c);
    text.chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
}
