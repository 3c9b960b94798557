//! Makes a dataset of samples from questions of other systems.
//!
//! A model learns from samples, so a sample says nothing that its question does not say. For each document, a sample
//! gives the address, publisher, year, licence and retrieval score. Questions of other systems have none of these, and
//! an answer without the documents on which it rests would teach a model to answer without evidence. So a question
//! whose answer rests on documents is left out, and counted with the reason. Required members that say nothing about
//! the subject get a default, which the sample's `notes` mention.

use super::sample_defaults;
use crate::counts::ConversionCounts;
use crate::items::{DatasetItems, QuestionItem};
use crate::rewriting::{JsonStyle, StyledJson};
use std::collections::HashSet;

/// The number of characters that a `user_query` may have.
const QUERY: std::ops::RangeInclusive<usize> = 10..=500;
/// The most characters that a `query` of the retrieval may have.
const MOST_QUERY: usize = 1000;
/// The most characters that the text of an answer may have.
const MOST_ANSWER: usize = 10_000;
/// The text of a refusal if the question has no answer, and no text that says so.
const REFUSAL: &str = "There is no answer to this in the data.";
/// The `notes` of each sample.
const NOTES: &str = "Made from a question of another system. Filled in, because they are required but not known: \
                     persona, difficulty, principle_focus. The quality was not judged.";

/// A dataset made from questions.
#[derive(Debug, Default)]
pub struct WrittenSamples {
    /// The dataset as JSON.
    pub json: String,
    /// The number of its samples.
    pub samples: u64,
    /// The values that were filled in, with their counts.
    pub defaults: ConversionCounts,
    /// The parts of questions that a sample has no place for, with their counts.
    pub losses: ConversionCounts,
    /// The reasons for leaving questions out, with their counts.
    pub left_out: ConversionCounts,
    /// The values that the schema refuses but the dataset keeps, with their counts.
    pub faults: ConversionCounts,
}

/// Makes a dataset from questions. `time` becomes its time of creation.
pub fn dataset_of_items(items: &DatasetItems, time: &str) -> WrittenSamples {
    let json = StyledJson::new(JsonStyle::default());
    let mut maker = SampleWriter { json, made: WrittenSamples::default(), ids: HashSet::new() };
    sample_defaults::open_dataset(&mut maker.json, &mut maker.made.defaults, time);
    if let Some(description) = items.description.as_deref().or(items.name.as_deref()) {
        maker.json.key("description").string(description);
    }
    if items.name.is_some() && items.description.is_some() {
        maker.made.losses.add("the name of the dataset");
    }
    maker.json.key("samples").open('[');
    for (index, item) in items.items.iter().enumerate() {
        match SampleAnswer::from_item(item) {
            Ok(sample) => maker.sample(item, &sample, index),
            Err(reason) => maker.made.left_out.add(reason),
        }
    }
    maker.json.close(']');
    maker.json.close('}');
    WrittenSamples { json: maker.json.finish() + "\n", ..maker.made }
}

/// The answer that a sample gives to a question.
enum SampleAnswer<'i> {
    /// The answer, which rests on no document.
    Answered(&'i str),
    /// A refusal, with the file's words for it, if it has any.
    Refused(Option<&'i str>),
}

impl<'i> SampleAnswer<'i> {
    fn from_item(item: &'i QuestionItem) -> Result<Self, &'static str> {
        let answer = item.answer.as_deref();
        match answer {
            _ if item.question.trim().is_empty() => Err("they have no text"),
            answer if item.is_impossible == Some(true) => Ok(Self::Refused(answer)),
            None => Err("they have no answer, and are not marked as impossible"),
            Some(_) if !item.contexts.is_empty() => Err(
                "their answers rest on documents, and a sample must state the address, publisher, year, type, \
                 licence and score of each",
            ),
            Some(answer) => Ok(Self::Answered(answer)),
        }
    }
}

struct SampleWriter {
    json: StyledJson,
    made: WrittenSamples,
    ids: HashSet<String>,
}

impl SampleWriter {
    fn sample(&mut self, item: &QuestionItem, sample: &SampleAnswer<'_>, index: usize) {
        self.note_losses(item);
        self.made.samples += 1;
        let category = match sample {
            SampleAnswer::Answered(_) => "format_compliance",
            SampleAnswer::Refused(_) => "refusal",
        };
        self.made.defaults.add(&format!("`category` is {category}, `persona` {}", sample_defaults::PERSONA));
        let id = self.sample_id(item, index);
        let json = self.json.item().open('{');
        json.key("sample_id").string(&id);
        json.key("category").string(category);
        json.key("persona").string(sample_defaults::PERSONA);
        json.key("user_query").string(&item.question);
        json.key("retrieved_context").open('[').close(']');
        self.output(item, sample);
        sample_defaults::open_metadata(&mut self.json, &mut self.made.defaults, "and `notes` says so");
        // The notes say that the sample is not reviewed.
        self.json.key("notes").string(NOTES);
        self.json.close('}');
        self.json.close('}');
    }

    /// Counts the parts of a question that have no place in a sample, or do not fit their place.
    fn note_losses(&mut self, item: &QuestionItem) {
        let losses = &mut self.made.losses;
        losses.add_if(item.is_impossible == Some(false), "that a question has an answer (`is_impossible`)");
        item.note_details(losses);
        losses.add_if(!item.contexts.is_empty(), "the documents of a question without an answer");
        let length = item.question.chars().count();
        if !QUERY.contains(&length) {
            let (least, most) = (QUERY.start(), QUERY.end());
            let fault = format!("a question does not have {least} to {most} characters");
            self.made.faults.add(&fault);
        }
        if item.answer.as_ref().is_some_and(|answer| answer.chars().count() > MOST_ANSWER) {
            self.made.faults.add(&format!("an answer has more than {MOST_ANSWER} characters"));
        }
    }

    /// Returns an id of a-z, 0-9 and `_` that no other sample has.
    fn sample_id(&mut self, item: &QuestionItem, index: usize) -> String {
        let given = item.source_id.as_ref().map_or("", |id| id.text.as_str());
        let is_number = item.source_id.as_ref().is_some_and(|id| !id.is_string);
        let allowed = |character: char| match character.to_ascii_lowercase() {
            character @ ('a'..='z' | '0'..='9') => character,
            _ => '_',
        };
        let mut id: String = given.chars().map(allowed).collect();
        if id.trim_matches('_').is_empty() {
            id = format!("question_{}", index + 1);
        }
        if !self.ids.insert(id.clone()) {
            // The number makes the id differ from all ids that were given before.
            let mut number = index + 1;
            while self.ids.contains(&format!("{id}_{number}")) {
                number += 1;
            }
            id = format!("{id}_{number}");
            self.ids.insert(id.clone());
        }
        self.made.losses.add_if(is_number || (!given.is_empty() && id != given), "the spelling of an id");
        self.made
            .defaults
            .add_if(given.is_empty(), "`sample_id` is question_ and the number of the question");
        id
    }

    fn output(&mut self, item: &QuestionItem, sample: &SampleAnswer<'_>) {
        let (json, defaults) = (&mut self.json, &mut self.made.defaults);
        let is_refusal = matches!(sample, SampleAnswer::Refused(_));
        json.key("expected_output").open('{');
        json.key("version").string("kwanzaa.answer.v1");
        json.key("persona").string(sample_defaults::PERSONA);
        json.key("answer").open('{');
        match sample {
            SampleAnswer::Answered(answer) => json.key("text").string(answer),
            SampleAnswer::Refused(words) => {
                defaults.add_if(words.is_none(), "the answer of a refusal says that there is none");
                json.key("text").string(words.unwrap_or(REFUSAL));
                json.key("completeness").string("insufficient_data");
            }
        }
        json.close('}');
        json.key("sources").open('[').close(']');
        // There was no search, so its summary has no results.
        defaults.add("`retrieval_summary` has the question, no results, and `unknown` as namespace");
        let query: String = item.question.chars().take(MOST_QUERY).collect();
        json.key("retrieval_summary").open('{');
        json.key("query").string(&query);
        json.key("top_k").scalar("1");
        json.key("namespaces").open('[').item().string(sample_defaults::UNKNOWN);
        json.close(']');
        json.key("results").open('[').close(']');
        json.close('}');
        json.key("unknowns").open('{');
        for key in ["unsupported_claims", "missing_context", "clarifying_questions"] {
            json.key(key).open('[');
            if is_refusal && key == "missing_context" {
                json.item().string("an answer");
            }
            json.close(']');
        }
        json.close('}');
        if is_refusal {
            json.key("integrity").open('{');
            json.key("citations_provided").scalar("false");
            json.key("fallback_behavior").string("refusal");
            json.close('}');
        }
        json.close('}');
    }
}
