//! Explanations of rules as texts: as a section of a page in Markdown, and as plain text.

use super::rules::ExplainedRule;
use evalgraph_diagnostics::markdown;
use evalgraph_diagnostics::rule_explanation::{ExamplePlace, RuleExample, RuleExplanation};

/// Returns the body of a rule's section in Markdown, without the heading.
pub fn markdown_text(known: &ExplainedRule, details: &RuleExplanation) -> String {
    let ExplainedRule { rule, page, .. } = known;
    let RuleExplanation { demand, cause, example, cure, .. } = details;
    let title = markdown::message(rule.title);
    let origin = origin(known);
    let place = place(example);
    let [wrong, right] = [&example.wrong, &example.right].map(|text| fenced(text));
    let mut text = format!(
        "*{}; {origin}: {title}.*\n\n{demand}\n\nWhy: {cause}\n\nViolates it{place}:\n\n{wrong}\nSatisfies \
         it:\n\n{right}\nTo do: {cure}\n",
        rule.severity
    );
    if let Some(page) = page {
        text.push_str(&format!("\nPage: <{page}>\n"));
    }
    text
}

/// Returns a rule in plain text, a paragraph a line.
pub fn plain_text(known: &ExplainedRule, details: &RuleExplanation) -> String {
    let ExplainedRule { rule, page, .. } = known;
    let RuleExplanation { demand, cause, example, cure, .. } = details;
    let place = place(example);
    let [wrong, right] = [&example.wrong, &example.right].map(|text| indented(text));
    let mut text = format!(
        "Rule: {}.\nDemands: {demand}\nWhy: {cause}\nViolates it{place}:\n{wrong}Satisfies it:\n{right}To do: {cure}",
        rule.title
    );
    if let Some(page) = page {
        text.push_str(&format!("\nPage: {page}"));
    }
    text
}

fn fenced(text: &str) -> String {
    let fence = markdown::fence(text, 3);
    format!("{fence}text\n{text}\n{fence}\n")
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// Returns the set of rules that has a rule, and its system.
pub fn origin(known: &ExplainedRule) -> String {
    match known.profiles.as_slice() {
        ["check"] => format!("`check`, {}", known.system),
        ["expect"] => format!("`[expect]` of {}", known.system),
        [profile] => format!("profile {profile} of {}", known.system),
        profiles => format!("profiles {} of {}", profiles.join(", "), known.system),
    }
}

/// Returns the place of an example in words.
pub fn place(example: &RuleExample) -> String {
    match &example.place {
        ExamplePlace::Part { pointer, .. } if pointer.is_empty() => ", at the root".to_owned(),
        ExamplePlace::Part { pointer, .. } => format!(", at {pointer}"),
        ExamplePlace::Document(name) => format!(", as {name}"),
        ExamplePlace::Files => ", as files of a folder".to_owned(),
        ExamplePlace::Command => String::new(),
    }
}
