//! The SPARQL updates that set, add and remove keywords of one question.
//!
//! `QuestionUpdateWriter` is defined in `question_update_writer.rs`.

use oxrdf::{Literal, Term};

use super::question_named::QuestionNamed;
use super::question_update_writer::QuestionUpdateWriter;
use evalgraph_diagnostics::RunFailure;
use evalgraph_diagnostics::help::{command, help, setting};
use evalgraph_formats::checkpoint::CheckpointDialect;

/// The place of the keywords of a question.
enum KeywordPlace {
    /// A property of the question whose only value is a text: a JSON list.
    Property,
    /// One value per keyword on a holder, which is the question or its item. The pattern binds it.
    Each { holder: String, pattern: String },
}

/// Keywords in one text.
struct KeywordList {
    keywords: Vec<String>,
    /// The text between two keywords.
    comma: &'static str,
}

impl QuestionUpdateWriter<'_> {
    /// Returns the update after which the question has these keywords and no others.
    pub fn set_keywords(&self, keywords: &[String]) -> Result<String, RunFailure> {
        match self.keyword_place()? {
            KeywordPlace::Property => {
                // The old value may not be a list.
                let comma = self.keyword_list().map_or(",", |list| list.comma);
                let keywords = keywords.to_vec();
                self.keyword_property(&KeywordList { keywords, comma })
            }
            KeywordPlace::Each { holder, pattern } => {
                let insert = statement(&holder, keywords);
                let template = format!("{holder} s:keywords ?keyword");
                let pattern = format!("{pattern}\n  OPTIONAL {{ {template} }}");
                Ok(self.operation(&template, &insert, pattern.trim_start()))
            }
        }
    }

    /// Returns the keywords of the property, if that is where the question has its keywords.
    ///
    /// # Errors
    ///
    /// `no-place`, with the command's prefix.
    pub fn keywords_of_property(&self) -> Result<Vec<String>, RunFailure> {
        match self.keyword_place()? {
            KeywordPlace::Property => Ok(self.keyword_list()?.keywords),
            KeywordPlace::Each { .. } => Ok(Vec::new()),
        }
    }

    /// Returns the update that adds keywords to the question, or an empty string if it already has them.
    ///
    /// # Errors
    ///
    /// `no-place`, with the command's prefix.
    pub fn add_keywords(&self, keywords: &[String]) -> Result<String, RunFailure> {
        match self.keyword_place()? {
            KeywordPlace::Property => {
                let mut list = self.keyword_list()?;
                let before = list.keywords.len();
                for keyword in keywords {
                    if !list.keywords.contains(keyword) {
                        list.keywords.push(keyword.clone());
                    }
                }
                if list.keywords.len() == before { Ok(String::new()) } else { self.keyword_property(&list) }
            }
            KeywordPlace::Each { holder, pattern } => {
                Ok(self.operation("", &statement(&holder, keywords), &pattern))
            }
        }
    }

    /// Returns the update that removes these keywords from the question, and no others.
    ///
    /// # Errors
    ///
    /// `no-keyword`, with the command's prefix, if the question does not have one of the keywords.
    pub fn remove_keywords(&self, keywords: &[String]) -> Result<String, RunFailure> {
        match self.keyword_place()? {
            KeywordPlace::Property => {
                let mut list = self.keyword_list()?;
                if let Some(keyword) = keywords.iter().find(|keyword| !list.keywords.contains(keyword)) {
                    return Err(self.no_keyword(keyword));
                }
                list.keywords.retain(|keyword| !keywords.contains(keyword));
                if list.keywords.is_empty() { Ok(self.no_property()) } else { self.keyword_property(&list) }
            }
            KeywordPlace::Each { holder, pattern } => {
                for keyword in keywords {
                    let one = statement(&holder, std::slice::from_ref(keyword));
                    if !self.has(&format!("{pattern} {one}"))? {
                        return Err(self.no_keyword(keyword));
                    }
                }
                Ok(self.operation(&statement(&holder, keywords), "", &pattern))
            }
        }
    }

    /// Returns the place of the question's keywords or, without keywords, the place that its dialect uses.
    fn keyword_place(&self) -> Result<KeywordPlace, RunFailure> {
        let dialect = self.check_is_checkpoint("keywords")?;
        let QuestionNamed { question, item, .. } = self.named;
        let is_property = format!("{question} s:additionalProperty/s:name \"keywords\" .");
        let of_item = match item {
            Some(item) => self.has(&format!("{item} s:item {question} ; s:keywords ?keyword ."))?,
            None => false,
        };
        let by_item =
            [CheckpointDialect::P0, CheckpointDialect::P1, CheckpointDialect::G, CheckpointDialect::GDev];
        let is_specification = [
            CheckpointDialect::S0,
            CheckpointDialect::S0b,
            CheckpointDialect::S0c,
            CheckpointDialect::S1,
            CheckpointDialect::M,
        ]
        .contains(&dialect);
        let of_question = self.has(&format!("{question} s:keywords ?keyword ."))?;
        if !of_question && !of_item && (is_specification || self.has(&is_property)?) {
            return Ok(KeywordPlace::Property);
        }
        let is_of_item = of_item || !of_question && (by_item.contains(&dialect) || dialect.is_version_2());
        let (holder, pattern) = match item.as_ref().filter(|_| is_of_item) {
            Some(item) if item.starts_with('?') => (item, format!("{item} s:item {question} .")),
            Some(item) => (item, String::new()),
            None => (question, String::new()),
        };
        Ok(KeywordPlace::Each { holder: holder.clone(), pattern })
    }

    /// Returns the keywords of the property, or an empty list if the question has no such property.
    fn keyword_list(&self) -> Result<KeywordList, RunFailure> {
        let QuestionNamed { graph, binding, question, .. } = self.named;
        let pattern = format!(
            "{binding} {question} s:additionalProperty ?property . \
             ?property s:name \"keywords\" ; s:value ?value ."
        );
        let rows = self.scope.rows(graph, &pattern, &["value"])?;
        let Some(row) = rows.first() else { return Ok(KeywordList { keywords: Vec::new(), comma: "," }) };
        let text = match &row[0] {
            Some(Term::Literal(literal)) => literal.value(),
            _ => "",
        };
        let Ok(keywords) = serde_json::from_str(text) else {
            let message = format!("the keywords of {} are not a list of strings: `{text}`", self.named.shown);
            let set = command("set").with("QUESTION").with(setting("keyword"));
            let fault = self.scope.fault("no-place", message);
            return Err(fault.with_help(help![set, " replaces them"]).into());
        };
        // Python writes a space after the comma; JavaScript does not.
        Ok(KeywordList { keywords, comma: if text.contains("\", \"") { ", " } else { "," } })
    }

    fn keyword_property(&self, list: &KeywordList) -> Result<String, RunFailure> {
        let texts: Vec<String> = list
            .keywords
            .iter()
            .map(|keyword| serde_json::Value::from(keyword.as_str()).to_string())
            .collect();
        let list = format!("[{}]", texts.join(list.comma));
        self.property("keywords", &Literal::new_simple_literal(list).to_string())
    }

    fn no_property(&self) -> String {
        let question = &self.named.question;
        let of_question =
            format!("{question} s:additionalProperty ?property .\n  ?property s:name \"keywords\" .");
        let delete = format!("{question} s:additionalProperty ?property . ?property ?key ?value");
        self.operation(&delete, "", &format!("{of_question}\n  ?property ?key ?value ."))
    }

    fn no_keyword(&self, keyword: &str) -> RunFailure {
        let message = format!("{} has no keyword `{keyword}`", self.named.shown);
        self.scope.fault("no-keyword", message).into()
    }
}

/// Returns `?item s:keywords "one", "two"`, or an empty string without keywords.
fn statement(holder: &str, keywords: &[String]) -> String {
    let list: Vec<String> =
        keywords.iter().map(|keyword| Literal::new_simple_literal(keyword).to_string()).collect();
    if list.is_empty() { String::new() } else { format!("{holder} s:keywords {}", list.join(", ")) }
}
