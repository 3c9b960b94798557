//! Explanations of rules: what each demands and why, with an example that violates it, the same example corrected, and
//! what to do. They are texts beside the rules of their system, in Markdown.
//!
//! ```
//! use evalgraph_diagnostics::rule_explanation::{ExamplePlace, RuleExplanation};
//!
//! let text = "## A-1\n
//! Demand: `size` is above 0.
//!
//! Cause: Sizes are divided by each other.
//!
//! Example (seed): good.json /boxes/0
//!
//!     \"size\": 0
//!
//! Corrected:
//!
//!     \"size\": 1
//!
//! Cure: Measure again.
//! ";
//! let [rule] = &RuleExplanation::parse(text)?[..] else { panic!("there is one") };
//! assert_eq!((rule.id.as_str(), rule.example.wrong.as_str()), ("A-1", "\"size\": 0"));
//! let place = ExamplePlace::Part { file: "good.json".to_owned(), pointer: "/boxes/0".to_owned() };
//! assert_eq!(rule.example.place, place);
//! # Ok::<(), String>(())
//! ```

use std::iter::Peekable;
use std::str::Lines;

/// What a rule demands and why, and what to do about a violation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleExplanation {
    /// The name of the rule.
    pub id: String,
    /// What the rule demands, in concrete terms.
    pub demand: String,
    /// What goes wrong if the rule is violated.
    pub cause: String,
    /// A violation, and its correction.
    pub example: RuleExample,
    /// What to do.
    pub cure: String,
}

/// A violation of a rule, and its correction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleExample {
    /// The set of rules that finds the violation.
    pub profile: String,
    /// What the texts are, and where they go.
    pub place: ExamplePlace,
    /// The text that violates the rule.
    pub wrong: String,
    /// The text that satisfies it.
    pub right: String,
}

/// What the texts of an example are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExamplePlace {
    /// A value at a JSON Pointer of a good file, or members of the object there.
    Part {
        /// The name of the good file.
        file: String,
        /// The JSON Pointer; empty for the root.
        pointer: String,
    },
    /// A whole file of this name.
    Document(String),
    /// The files of a folder, one a line: the name, two spaces, the content.
    Files,
    /// A command.
    Command,
}

/// The beginnings of the paragraphs, in their order.
const DEMAND: &str = "Demand: ";
const CAUSE: &str = "Cause: ";
const EXAMPLE: &str = "Example (";
const CORRECTED: &str = "Corrected:";
const CURE: &str = "Cure: ";

/// The indentation of examples.
const INDENT: &str = "    ";

impl RuleExplanation {
    /// Reads the explanations of a text. Each begins with `## ID`; what is before the first is ignored.
    ///
    /// # Errors
    /// A sentence about the first explanation that lacks a part or has one in the wrong place.
    pub fn parse(text: &str) -> Result<Vec<Self>, String> {
        // The first explanation may be at the beginning of the text.
        let text = format!("\n{text}");
        text.split("\n## ").skip(1).map(Self::parse_section).collect()
    }

    fn parse_section(section: &str) -> Result<Self, String> {
        let (id, body) = section.split_once('\n').unwrap_or((section, ""));
        let mut reader = SectionReader { id, lines: body.lines().peekable() };
        let demand = reader.paragraph(DEMAND)?;
        let cause = reader.paragraph(CAUSE)?;
        let head = reader.paragraph(EXAMPLE)?;
        let (profile, place) =
            head.split_once("): ").ok_or_else(|| reader.fault("`Example (PROFILE): PLACE`"))?;
        let wrong = reader.block()?;
        reader.paragraph(CORRECTED)?;
        let right = reader.block()?;
        let cure = reader.paragraph(CURE)?;
        reader.end()?;
        let example =
            RuleExample { profile: profile.to_owned(), place: ExamplePlace::parse(place), wrong, right };
        Ok(Self { id: id.to_owned(), demand, cause, example, cure })
    }
}

impl ExamplePlace {
    fn parse(text: &str) -> Self {
        match text.split_once(' ') {
            Some((file, pointer)) => {
                let pointer = if pointer == "root" { "" } else { pointer };
                Self::Part { file: file.to_owned(), pointer: pointer.to_owned() }
            }
            None if text == "files" => Self::Files,
            None if text == "command" => Self::Command,
            None => Self::Document(text.to_owned()),
        }
    }
}

/// Reads the parts of one explanation in their order.
struct SectionReader<'t> {
    id: &'t str,
    lines: Peekable<Lines<'t>>,
}

impl SectionReader<'_> {
    fn fault(&self, expected: &str) -> String {
        format!("the explanation of {} lacks {expected}", self.id)
    }

    fn skip_empty(&mut self) {
        while self.lines.next_if(|line| line.is_empty()).is_some() {}
    }

    /// Returns the text of a paragraph after its beginning, in one line.
    fn paragraph(&mut self, beginning: &str) -> Result<String, String> {
        self.skip_empty();
        let first = self.lines.next().and_then(|line| line.strip_prefix(beginning));
        let mut text = first.ok_or_else(|| self.fault(&format!("`{beginning}`")))?.to_owned();
        while let Some(line) = self.lines.next_if(|line| !line.is_empty()) {
            text.push(' ');
            text.push_str(line);
        }
        Ok(text)
    }

    /// Returns the indented lines of an example.
    fn block(&mut self) -> Result<String, String> {
        self.skip_empty();
        let mut block: Vec<&str> = Vec::new();
        while let Some(line) = self.lines.next_if(|line| line.starts_with(INDENT)) {
            block.push(&line[INDENT.len()..]);
        }
        if block.is_empty() { Err(self.fault("an indented example")) } else { Ok(block.join("\n")) }
    }

    fn end(&mut self) -> Result<(), String> {
        self.skip_empty();
        match self.lines.next() {
            None => Ok(()),
            Some(line) => Err(format!("the explanation of {} has another part: {line}", self.id)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "# Rules\n\n## A-1\n\nDemand: one\ntwo\n\nCause: so\n\nExample (seed): files\n\n    a  b\n    \
                        c\n\nCorrected:\n\n    d\n\nCure: do\n";

    #[test]
    fn lines_of_a_paragraph_are_joined_and_those_of_an_example_kept() {
        let [rule] = &RuleExplanation::parse(GOOD).expect("it is complete")[..] else { panic!("one rule") };
        assert_eq!((rule.demand.as_str(), rule.cure.as_str()), ("one two", "do"));
        assert_eq!((rule.example.wrong.as_str(), &rule.example.place), ("a  b\nc", &ExamplePlace::Files));
    }

    #[test]
    fn a_missing_or_a_further_part_is_a_fault() {
        for part in ["Demand: ", "Cause: ", "Example (", "    d\n", "Corrected:", "Cure: "] {
            let fault = RuleExplanation::parse(&GOOD.replace(part, "")).expect_err(part);
            assert!(fault.starts_with("the explanation of A-1 "), "{fault}");
        }
        assert!(RuleExplanation::parse(&format!("{GOOD}\nMore: text\n")).is_err());
        assert_eq!(RuleExplanation::parse("# Nothing\n"), Ok(Vec::new()));
    }
}
