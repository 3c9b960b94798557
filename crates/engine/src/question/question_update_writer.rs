//! The SPARQL update that changes one question, as a person would write it.

use std::fmt::Write as _;

use oxrdf::Literal;

use super::question_named::QuestionNamed;
use super::scope::QuestionScope;
use evalgraph_diagnostics::RunFailure;
use evalgraph_diagnostics::help::{command, help};
use evalgraph_formats::checkpoint::CheckpointDialect;
use evalgraph_formats::system_name::SystemName;

/// Writes updates of one question.
///
/// Other methods are in `keywords.rs`.
#[derive(Clone, Copy)]
pub struct QuestionUpdateWriter<'u> {
    pub(crate) scope: QuestionScope<'u>,
    pub(crate) named: &'u QuestionNamed,
}

impl QuestionUpdateWriter<'_> {
    /// Returns the update after which the question has this text.
    pub fn text(&self, text: &str) -> String {
        let QuestionNamed { question, text_property, .. } = self.named;
        let template = format!("{question} {text_property} ?text");
        let insert = format!("{question} {text_property} {}", Literal::new_simple_literal(text));
        self.operation(&template, &insert, &template)
    }

    /// Returns the update after which the question has this accepted answer.
    ///
    /// # Errors
    ///
    /// `no-place`, with the command's prefix, if the question has no place for an answer.
    pub fn answer(&self, answer: &str) -> Result<String, RunFailure> {
        let (question, text) = (&self.named.question, Literal::new_simple_literal(answer));
        let of_question = format!("{question} s:acceptedAnswer ?answer .");
        let with_text = format!("{of_question}\n  ?answer s:text ?text .");
        if self.has(&with_text)? {
            let insert = format!("?answer s:text {text}");
            return Ok(self.operation("?answer s:text ?text", &insert, &with_text));
        }
        let as_text = format!("{of_question}\n  FILTER(ISLITERAL(?answer))");
        if self.has(&as_text)? {
            let (delete, insert) = (&of_question, format!("{question} s:acceptedAnswer {text}"));
            return Ok(self.operation(delete, &insert, &as_text));
        }
        if self.has(&of_question)? {
            return Ok(self.operation("", &format!("?answer s:text {text}"), &of_question));
        }
        self.check_is_checkpoint("accepted answer")?;
        let insert = format!("{question} s:acceptedAnswer [ a s:Answer ; s:text {text} ]");
        Ok(self.operation("", &insert, ""))
    }

    /// Returns the update after which the question is finished, or is not.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::answer`].
    pub fn finished(&self, finished: bool) -> Result<String, RunFailure> {
        self.check_is_checkpoint("`finished`")?;
        self.property("finished", &finished.to_string())
    }

    /// Returns the update that sets a property of the question, or adds it.
    pub fn property(&self, name: &str, value: &str) -> Result<String, RunFailure> {
        let question = &self.named.question;
        let of_question = format!(
            "{question} s:additionalProperty ?property .\n  ?property s:name \"{name}\" ; s:value ?value ."
        );
        if self.has(&of_question)? {
            let (delete, insert) = ("?property s:value ?value", format!("?property s:value {value}"));
            return Ok(self.operation(delete, &insert, &of_question));
        }
        let new = format!("[ a s:PropertyValue ; s:name \"{name}\" ; s:value {value} ]");
        Ok(self.operation("", &format!("{question} s:additionalProperty {new}"), ""))
    }

    /// Returns an operation on the graph of the question.
    pub fn operation(&self, delete: &str, insert: &str, pattern: &str) -> String {
        let QuestionNamed { graph, binding, .. } = self.named;
        operation(graph, [delete, insert], &[binding, pattern])
    }

    /// Returns whether a pattern about the question finds anything in its graph.
    pub fn has(&self, pattern: &str) -> Result<bool, RunFailure> {
        let QuestionNamed { graph, binding, .. } = self.named;
        self.scope.has(graph, &format!("{binding} {pattern}"))
    }

    /// Returns the dialect of the checkpoint that contains the question.
    ///
    /// # Errors
    ///
    /// `no-place`, with the command's prefix, if the question is not in a checkpoint.
    pub fn check_is_checkpoint(&self, what: &str) -> Result<CheckpointDialect, RunFailure> {
        let kind = self.scope.kind(&self.named.graph);
        checkpoint_dialect(kind).ok_or_else(|| {
            let of = match kind.split(' ').next().filter(|system| !system.is_empty()) {
                Some(system) => format!("a file of {system}"),
                None => "a graph without a file".to_owned(),
            };
            let message = format!("the question has no {what}, and {of} has no place for it");
            let update = command("update");
            let help =
                help!["change its file and load it again, or use ", update, " to write the statements"];
            self.scope.fault("no-place", message).with_help(help).into()
        })
    }
}

/// Returns an operation on one graph, made from two templates and the lines of a pattern. Empty templates and lines are
/// left out.
pub fn operation(graph: &str, [delete, insert]: [&str; 2], pattern: &[&str]) -> String {
    let mut text = format!("WITH <{graph}>\n");
    for (verb, template) in [("DELETE", delete), ("INSERT", insert)] {
        if !template.is_empty() {
            let is_one_line = !template.contains('\n');
            let _ = match is_one_line {
                true => writeln!(text, "{verb} {{ {template} }}"),
                false => writeln!(text, "{verb} {{\n  {template}\n}}"),
            };
        }
    }
    let lines: Vec<&str> = pattern.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        text.push_str("WHERE { }");
    } else {
        let _ = write!(text, "WHERE {{\n  {}\n}}", lines.join("\n  "));
    }
    text
}

/// Returns the dialect of a kind of file, or `None` if the kind is not a checkpoint.
pub fn checkpoint_dialect(kind: &str) -> Option<CheckpointDialect> {
    let dialect = kind.strip_prefix(SystemName::JSON_LD.name())?.strip_prefix(' ')?;
    let dialect = CheckpointDialect::from_id(dialect)?;
    (dialect.has_questions() || dialect == CheckpointDialect::Hybrid).then_some(dialect)
}
