//! Writes questions in the forms in JSON-LD: text, answer, template, properties, keywords.

use super::dataset::JsonLdWriter;
use super::defaults::PartIds;
use super::{Form, Purpose};
use crate::diagnostic::Diagnostic;
use crate::json::write_string;
use crate::source::karenina::checkpoint::{Answer, Item, Property, Question, Template, Value};
use crate::source::karenina::template::{default_stub, interface_name, python_name};

/// The one language of templates.
const LANGUAGE: &str = "Python";

impl<'w, 'd> JsonLdWriter<'w, 'd> {
    pub(super) fn question(&mut self, item: &'w Item<'d>, item_id: &str, part: &str) {
        let question = &item.question;
        let text = question.text.shown();
        let ids = PartIds::of(item_id, &text);
        let subject = ("`@id` of a question", format!("{part}/id"));
        let id = self.part_id(question.id.as_ref(), &ids.question, subject, question.origin);
        self.out.open("Question", id.as_deref());
        self.out.text("text", &text);
        if text.is_empty() && self.form == Form::Karenina {
            let message = "a question without text, which the library refuses";
            let fault = Diagnostic::error("karenina::no-text", message);
            self.faults.push(fault.at(question.text.origin.place()));
        }
        self.answer(question, &ids, part);
        self.template(question, &ids, part);
        if self.form == Form::Karenina {
            self.question_ratings(question, part);
            self.question_properties(question, part);
            self.keywords(question, part);
        } else {
            self.question_properties(question, part);
            self.question_ratings(question, part);
        }
        self.lose_others(&question.others, "a question", part);
        self.out.close();
    }

    fn answer(&mut self, question: &'w Question<'d>, ids: &PartIds, part: &str) {
        let Some(Answer { id, text, others, origin }) = &question.answer else {
            let fault = Diagnostic::error("karenina::no-answer", "a question without `acceptedAnswer`");
            self.faults.push(fault.at(question.origin.place()));
            return;
        };
        let part = format!("{part}/answer");
        self.out.open_property("acceptedAnswer");
        let subject = ("`@id` of an answer", format!("{part}/id"));
        let id = self.part_id(id.as_ref(), &ids.answer, subject, *origin);
        self.out.open("Answer", id.as_deref());
        self.out.text("text", &text.shown());
        self.lose_others(others, "an answer", &part);
        self.out.close();
        self.out.close_property();
    }

    fn template(&mut self, question: &'w Question<'d>, ids: &PartIds, part: &str) {
        let part = format!("{part}/template");
        let template = question.template.as_ref();
        if template.is_none() && self.options.purpose == Purpose::Graph {
            return;
        }
        let origin = template.map_or(question.origin, |template| template.origin);
        let id = template.and_then(|template| template.id.as_ref());
        self.out.open_property("hasPart");
        let subject = ("`@id` of a template", format!("{part}/id"));
        let id = self.part_id(id, &ids.template, subject, origin);
        self.out.open("SoftwareSourceCode", id.as_deref());
        self.template_name(question, &part);
        match template {
            Some(template) => self.out.text("text", &template.text.shown()),
            None => {
                self.ledger.filled("template", format!("{part}/text"), question.origin);
                self.out.text("text", &default_stub(&question.text.shown()));
            }
        }
        self.out.text("programmingLanguage", LANGUAGE);
        if let Some(template) = template {
            self.check_language(template);
            self.out.maybe_text("codeRepository", template.code_repository.as_ref());
            self.lose_others(&template.others, "a template", &part);
        }
        self.out.close();
        self.out.close_property();
    }

    fn template_name(&mut self, question: &'w Question<'d>, part: &str) {
        let template = question.template.as_ref();
        if let Some(name) = template.and_then(|template| template.name.as_ref()) {
            return self.out.text("name", &name.shown());
        }
        let origin = template.map_or(question.origin, |template| template.origin);
        self.ledger.filled("`name` of a template", format!("{part}/name"), origin);
        let text = question.text.shown();
        let name = match self.form {
            Form::Karenina => python_name(&text),
            _ => interface_name(&text),
        };
        self.out.text("name", &name);
    }

    /// Every program of Karenina's takes a template for Python.
    fn check_language(&mut self, template: &Template<'d>) {
        let Some(language) = &template.programming_language else { return };
        if !language.is_text(LANGUAGE) {
            let message =
                format!("a template in `{}`, and {} holds Python only", language.shown(), self.form);
            let fault = Diagnostic::error("karenina::language", message);
            self.faults.push(fault.at(language.origin.place()));
        }
    }

    fn question_properties(&mut self, question: &'w Question<'d>, part: &str) {
        let keywords = question.keywords.as_ref().filter(|_| self.form == Form::Specification);
        if question.properties.is_empty() && keywords.is_none() {
            return;
        }
        self.out.open_property("additionalProperty");
        let properties: &[Property<'d>] = &question.properties;
        self.properties(properties, "a question", part);
        if let Some(keywords) = keywords {
            // The first specification has no keywords: they travel as author and sources do.
            let list: Vec<&str> = keywords.values.iter().map(Value::as_json).collect();
            let mut text = String::new();
            write_string(&format!("[{}]", list.join(",")), &mut text);
            self.out.property_value("keywords", Some(&text));
        }
        self.out.close_property();
    }

    /// The keywords of a question, on whatever node is open.
    pub(super) fn keywords(&mut self, question: &Question<'d>, part: &str) {
        let Some(keywords) = &question.keywords else { return };
        self.out.open_property("keywords");
        for keyword in &keywords.values {
            if self.form == Form::Karenina && keyword.as_str().is_none() {
                let part = format!("{part}/keywords");
                self.ledger.loss("keyword that is no text", part, keyword.origin);
            } else {
                self.out.value(keyword.as_json());
            }
        }
        self.out.close_property();
    }
}
