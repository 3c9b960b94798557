//! The SPARQL update that changes one question, as a person would write it.

use std::fmt::Write as _;

use oxrdf::Literal;

use super::Stop;
use super::question_named::QuestionNamed;
use crate::diagnostic::Diagnostic;
use crate::source::karenina::Dialect;
use crate::sparql::{ExecuteOptions, Query, QueryResults};
use crate::store::{Dataset, DefaultGraph};

/// What a question is to have.
#[derive(Debug, Default)]
pub(super) struct Wanted<'w> {
    pub(super) answer: Option<&'w str>,
    pub(super) finished: Option<bool>,
    /// None where they stay.
    pub(super) keywords: Option<&'w [String]>,
    pub(super) text: Option<&'w str>,
}

/// Writes updates of one question.
pub(super) struct QuestionUpdate<'u> {
    pub(super) dataset: &'u Dataset,
    pub(super) named: &'u QuestionNamed,
    /// The system and the dialect of its file.
    pub(super) kind: &'u str,
}

impl QuestionUpdate<'_> {
    /// The update.
    ///
    /// # Errors
    ///
    /// `set::no-place` where the question has no place for what is wanted.
    pub(super) fn text(&self, wanted: &Wanted<'_>) -> Result<String, Stop> {
        let mut operations = Vec::new();
        if let Some(answer) = wanted.answer {
            operations.push(self.answer(answer)?);
        }
        if let Some(finished) = wanted.finished {
            operations.push(self.finished(finished)?);
        }
        if let Some(keywords) = wanted.keywords {
            operations.push(self.keywords(keywords)?);
        }
        // The others may find the question by the text that it has so far.
        if let Some(text) = wanted.text {
            let QuestionNamed { question, text_property, .. } = self.named;
            let template = format!("{question} {text_property} ?text");
            let insert = format!("{question} {text_property} {}", Literal::new_simple_literal(text));
            operations.push(self.operation(&template, &insert, &template));
        }
        Ok(operations.join(" ;\n"))
    }

    fn answer(&self, answer: &str) -> Result<String, Stop> {
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

    fn finished(&self, finished: bool) -> Result<String, Stop> {
        self.check_is_checkpoint("`finished`")?;
        self.property("finished", &finished.to_string())
    }

    /// A property of the question with that name gets a value, or comes.
    fn property(&self, name: &str, value: &str) -> Result<String, Stop> {
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

    /// All keywords, where the question has its keywords, else where its dialect has them.
    fn keywords(&self, keywords: &[String]) -> Result<String, Stop> {
        let dialect = self.check_is_checkpoint("keywords")?;
        let QuestionNamed { question, item, .. } = self.named;
        let is_property = format!("{question} s:additionalProperty/s:name \"keywords\" .");
        let of_item = item.as_ref().map(|item| self.item_has_keywords(item)).transpose()?.unwrap_or_default();
        let by_item = [Dialect::P0, Dialect::P1, Dialect::G, Dialect::GDev];
        let is_specification =
            [Dialect::S0, Dialect::S0b, Dialect::S0c, Dialect::S1, Dialect::M].contains(&dialect);
        let of_question = self.has(&format!("{question} s:keywords ?keyword ."))?;
        if !of_question && !of_item && (is_specification || self.has(&is_property)?) {
            let list = serde_json::to_string(keywords).unwrap_or_default();
            return self.property("keywords", &Literal::new_simple_literal(list).to_string());
        }
        let is_of_item = of_item || !of_question && (by_item.contains(&dialect) || dialect.is_version_2());
        let (holder, pattern) = match item.as_ref().filter(|_| is_of_item) {
            Some(item) if item.starts_with('?') => (item, format!("{item} s:item {question} .")),
            Some(item) => (item, String::new()),
            None => (question, String::new()),
        };
        let list: Vec<String> =
            keywords.iter().map(|keyword| Literal::new_simple_literal(keyword).to_string()).collect();
        let insert =
            if list.is_empty() { String::new() } else { format!("{holder} s:keywords {}", list.join(", ")) };
        let template = format!("{holder} s:keywords ?keyword");
        let pattern = format!("{pattern}\n  OPTIONAL {{ {template} }}");
        Ok(self.operation(&template, &insert, pattern.trim_start()))
    }

    fn item_has_keywords(&self, item: &str) -> Result<bool, Stop> {
        self.has(&format!("{item} s:item {} ; s:keywords ?keyword .", self.named.question))
    }

    fn operation(&self, delete: &str, insert: &str, pattern: &str) -> String {
        let QuestionNamed { graph, binding, .. } = self.named;
        let mut text = format!("WITH <{graph}>\n");
        if !delete.is_empty() {
            let _ = writeln!(text, "DELETE {{ {delete} }}");
        }
        if !insert.is_empty() {
            let _ = writeln!(text, "INSERT {{ {insert} }}");
        }
        let lines: Vec<&str> =
            [binding.as_str(), pattern].into_iter().filter(|line| !line.is_empty()).collect();
        let _ = write!(text, "WHERE {{\n  {}\n}}", lines.join("\n  "));
        text
    }

    /// Whether the graph has what a pattern about the question says.
    fn has(&self, pattern: &str) -> Result<bool, Stop> {
        let QuestionNamed { graph, binding, .. } = self.named;
        let query =
            Query::parse(&format!("ASK {{ GRAPH <{graph}> {{ {binding} {pattern} }} }}"), "question")?;
        let view = self.dataset.view(DefaultGraph::Union);
        Ok(matches!(query.execute(view, ExecuteOptions::default())?, QueryResults::Boolean(true)))
    }

    fn check_is_checkpoint(&self, what: &str) -> Result<Dialect, Stop> {
        let dialect = self.kind.strip_prefix("karenina ").and_then(Dialect::from_id);
        dialect.filter(|dialect| dialect.has_questions() || *dialect == Dialect::Hybrid).ok_or_else(|| {
            let system = self.kind.split(' ').next().unwrap_or_default();
            let message = format!("the question has no {what}, and a file of {system} no place for it");
            let fault = Diagnostic::error("set::no-place", message);
            fault
                .with_help(
                    "change its file and load it again, or say with `evalgraph update` what is to be where",
                )
                .into()
        })
    }
}
