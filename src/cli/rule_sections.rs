//! Explanations of rules for people: as lines of text, and as members of JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::output::{ResultOutput, terminal_width};
use evalgraph_diagnostics::rule_explanation::{ExamplePlace, RuleExample, RuleExplanation};
use evalgraph_engine::validation::rule_texts::{origin, place};
use evalgraph_engine::validation::rules::ExplainedRule;

/// The longest lines of paragraphs, even if the terminal is wider: longer lines are hard to read.
const WIDTH: usize = 100;

/// The indentation of examples, below that of paragraphs.
const INDENT: &str = "      ";

/// Writes a rule as lines of text.
pub(super) fn write_rule_text(
    known: &ExplainedRule,
    details: &RuleExplanation,
    output: &mut ResultOutput,
) -> io::Result<()> {
    let ExplainedRule { rule, page, .. } = known;
    let RuleExplanation { demand, cause, example, cure, .. } = details;
    writeln!(output, "{} ({}; {})", rule.id, rule.severity, origin(known))?;
    paragraph(&format!("Rule: {}.", rule.title), output)?;
    paragraph(&format!("Demands: {demand}"), output)?;
    paragraph(&format!("Why: {cause}"), output)?;
    writeln!(output, "\n  Violates it{}:", place(example))?;
    write_indented(&example.wrong, INDENT, output)?;
    writeln!(output, "  Satisfies it:")?;
    write_indented(&example.right, INDENT, output)?;
    paragraph(&format!("To do: {cure}"), output)?;
    match page {
        Some(page) => writeln!(output, "\n  Page: {page}"),
        None => Ok(()),
    }
}

/// Adds what is known about a rule to its members.
pub(super) fn add_rule(known: &ExplainedRule, members: &mut Value) {
    members["profiles"] = json!(known.profiles);
    members["page"] = json!(known.page);
    let Some(RuleExplanation { demand, cause, example, cure, .. }) = &known.details else { return };
    members["demand"] = json!(demand);
    members["cause"] = json!(cause);
    let (place, pointer) = match &example.place {
        ExamplePlace::Part { file, pointer } => (file.as_str(), Some(pointer.as_str())),
        ExamplePlace::Document(name) => (name.as_str(), None),
        ExamplePlace::Files => ("files", None),
        ExamplePlace::Command => ("command", None),
    };
    let RuleExample { profile, wrong, right, .. } = example;
    members["example"] =
        json!({ "profile": profile, "place": place, "pointer": pointer, "wrong": wrong, "right": right });
    members["cure"] = json!(cure);
}

/// Writes the lines of a text with an indentation.
pub(super) fn write_indented(text: &str, indent: &str, output: &mut ResultOutput) -> io::Result<()> {
    text.lines().try_for_each(|line| writeln!(output, "{indent}{line}"))
}

/// Writes a paragraph after an empty line, in lines that are not too long.
fn paragraph(text: &str, output: &mut ResultOutput) -> io::Result<()> {
    let width = terminal_width().map_or(WIDTH, |width| width.min(WIDTH));
    writeln!(output)?;
    lines(text, width.saturating_sub(2)).iter().try_for_each(|line| writeln!(output, "  {line}"))
}

/// Divides a text into lines at its blanks. A code span stays on one line, so that a command can be copied.
fn lines(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut is_code = false;
    let words = text.split(|character| {
        is_code ^= character == '`';
        character == ' ' && !is_code
    });
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn lines_are_divided_at_blanks_outside_of_code() {
        assert_eq!(lines("a bc `d e f` g", 7), ["a bc", "`d e f`", "g"]);
        assert_eq!(lines("long-word a", 4), ["long-word", "a"]);
        assert_eq!(lines("a b c", 80), ["a b c"]);
    }
}
