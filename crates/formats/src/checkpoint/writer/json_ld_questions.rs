//! Writes questions in the JSON-LD forms: text, answer, template, properties, keywords.
//!
//! `JsonLdWriter` is defined in `checkpoint_items.rs`.

use super::acceptance::refused_properties;
use super::checkpoint_form::CheckpointForm;
use super::checkpoint_items::JsonLdWriter;
use super::default_parts::{answer_id, template_id};
use super::ledger::PartPath;
use super::version_2_traits::quoted;
use crate::checkpoint::model::{
    AnswerTemplate, CheckpointAnswer, CheckpointItem, CheckpointQuestion, PlacedValue, PropertyValue,
};
use crate::checkpoint::template::{default_stub, interface_name, python_name};
use evalgraph_diagnostics::Diagnostic;

/// The only language of templates.
const LANGUAGE: &str = "Python";

impl<'w, 'd> JsonLdWriter<'w, 'd> {
    pub(super) fn question(&mut self, item: &'w CheckpointItem<'d>, item_id: &str, part: &PartPath<'_>) {
        let question = &item.question;
        let made = match question.id {
            None if self.form.has_ids_everywhere() => self.question_id(&question.text.shown()),
            _ => String::new(),
        };
        let id = self.part_id(question.id.as_ref(), || made, "`@id` of a question", part, question.origin);
        self.out.open("Question", id.as_deref());
        self.out.value_text("text", &question.text);
        let is_refused = self.form == CheckpointForm::Library
            || self.form == CheckpointForm::Interface && self.options.purpose.is_file();
        if question.text.shown().is_empty() && is_refused {
            let reader = match self.form {
                CheckpointForm::Library => "library",
                _ => "user interface",
            };
            let message = format!("a question without text, which the {reader} refuses");
            let fault = Diagnostic::error("karenina::no-text", message);
            self.faults.push(fault.at(question.text.origin.place()));
        }
        self.answer(question, item_id, part);
        self.template(question, item_id, part);
        if self.form == CheckpointForm::Library {
            self.question_ratings(question, part);
            self.question_properties(question, part);
            self.keywords(question, part);
        } else {
            self.question_properties(question, part);
            self.question_ratings(question, part);
        }
        self.ledger.lose_others(&question.others, "a question", part);
        self.out.close();
    }

    fn answer(&mut self, question: &'w CheckpointQuestion<'d>, item_id: &str, part: &PartPath<'_>) {
        let Some(CheckpointAnswer { id, text, others, origin, .. }) = &question.answer else {
            let fault = Diagnostic::error("karenina::no-answer", "a question without `acceptedAnswer`");
            self.faults.push(fault.at(question.origin.place()));
            return;
        };
        let part = part.field("answer");
        self.out.open_property("acceptedAnswer");
        let id = self.part_id(id.as_ref(), || answer_id(item_id), "`@id` of an answer", &part, *origin);
        self.out.open("Answer", id.as_deref());
        self.out.value_text("text", text);
        self.ledger.lose_others(others, "an answer", &part);
        self.out.close();
        self.out.close_property();
    }

    fn template(&mut self, question: &'w CheckpointQuestion<'d>, item_id: &str, part: &PartPath<'_>) {
        let part = part.field("template");
        let template = question.template.as_ref();
        if template.is_none() && !self.options.purpose.is_file() {
            return;
        }
        let origin = template.map_or(question.origin, |template| template.origin);
        let id = template.and_then(|template| template.id.as_ref());
        self.out.open_unwrapped("hasPart");
        let id = self.part_id(id, || template_id(item_id), "`@id` of a template", &part, origin);
        self.out.open("SoftwareSourceCode", id.as_deref());
        self.template_name(question, &part);
        match template {
            Some(template) => self.out.value_text("text", &template.text),
            None => {
                self.ledger.filled("template", part.field("text"), question.origin);
                self.out.text("text", &default_stub(&question.text.shown()));
            }
        }
        self.out.text("programmingLanguage", LANGUAGE);
        if let Some(template) = template {
            self.check_language(template);
            self.out.maybe_text("codeRepository", template.code_repository.as_ref());
            self.ledger.lose_others(&template.others, "a template", &part);
        }
        self.out.close();
        self.out.close_property();
    }

    fn template_name(&mut self, question: &'w CheckpointQuestion<'d>, part: &PartPath<'_>) {
        let template = question.template.as_ref();
        if let Some(name) = template.and_then(|template| template.name.as_ref()) {
            return self.out.value_text("name", name);
        }
        let origin = template.map_or(question.origin, |template| template.origin);
        self.ledger.filled("`name` of a template", part.field("name"), origin);
        let text = question.text.shown();
        let name = match self.form {
            CheckpointForm::Library => python_name(&text),
            _ => interface_name(&text),
        };
        self.out.text("name", &name);
    }

    /// Reports a template in another language, because Karenina's programs read every template as Python.
    fn check_language(&mut self, template: &AnswerTemplate<'d>) {
        let Some(language) = &template.programming_language else { return };
        if !language.is_text(LANGUAGE) {
            let message =
                format!("a template in `{}`, and {} supports only Python", language.shown(), self.form);
            let fault = Diagnostic::error("karenina::language", message);
            self.faults.push(fault.at(language.origin.place()));
        }
    }

    fn question_properties(&mut self, question: &'w CheckpointQuestion<'d>, part: &PartPath<'_>) {
        let keywords = question.keywords.as_ref().filter(|_| self.form == CheckpointForm::Specification);
        if question.properties.is_empty() && keywords.is_none() {
            return;
        }
        self.out.open_property("additionalProperty");
        let refused = refused_properties(question, self.form, self.options);
        for property in &refused {
            let path = part.field("properties");
            self.ledger.loss("`finished` that is not true or false", path.field("finished"), property.origin);
        }
        let is_taken =
            |property: &&PropertyValue<'d>| !refused.iter().any(|other| std::ptr::eq(*other, *property));
        self.properties(question.properties.iter().filter(is_taken), "a question", part);
        if let Some(keywords) = keywords {
            // The first specification has no keywords, so they become a property, like author and sources.
            let list: Vec<&str> = keywords.values.iter().map(PlacedValue::as_json).collect();
            self.out.property_value("keywords", Some(&quoted(&format!("[{}]", list.join(",")))));
        }
        self.out.close_property();
    }

    /// Writes the keywords of a question on the open node.
    pub(super) fn keywords(&mut self, question: &CheckpointQuestion<'d>, part: &PartPath<'_>) {
        let Some(keywords) = &question.keywords else { return };
        self.out.open_values("keywords");
        for keyword in &keywords.values {
            if self.form == CheckpointForm::Library && keyword.as_str().is_none() {
                self.ledger.loss("keyword that is not text", part.field("keywords"), keyword.origin);
            } else {
                self.out.value(keyword.as_json());
            }
        }
        self.out.close_property();
    }
}
