//! Data of all four systems, a quarter of the questions each, that share texts, documents and ids as a laboratory's do.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::checkpoint;
use super::records::{samples_of_each_category, words};

/// How many files one id stands in, as the revisions of a checkpoint.
const REVISIONS: usize = 3;

/// One question of so many has the same text in all systems.
const SHARED: usize = 5;

/// Writes so many questions into so many files of a folder, at least one for each system.
pub(crate) fn write_into(folder: &Path, questions: usize, files: usize) {
    let known = samples_of_each_category()["samples"].as_array().expect("it has samples").clone();
    let (count, files) = (questions / 4, (files / 4).max(1));
    for file in 0..files {
        let numbers: Vec<usize> = (0..count).filter(|number| file_of(*number, files) == file).collect();
        let of =
            |record: &dyn Fn(usize) -> Value| numbers.iter().map(|number| record(*number)).collect::<Value>();
        let written = [
            (format!("k{file}.jsonld"), checkpoint_of(file, &of(&item))),
            (format!("t{file}.json"), of(&|number| row(number, count))),
            (
                format!("w{file}.json"),
                json!({
                    "dataset_version": "1.0.0",
                    "created_at": "2026-02-01T08:00:00Z",
                    "updated_at": "2026-03-08T10:00:00Z",
                    "description": words(file, 6),
                    "samples": of(&|number| sample(number, count, &known)),
                }),
            ),
            (
                format!("r{file}.json"),
                json!({"users": (1..=20).map(user).collect::<Value>(), "tasks": of(&task)}),
            ),
        ];
        for (name, value) in written {
            fs::write(folder.join(name), value.to_string()).expect("there is room");
        }
    }
}

/// The file of a record. Neighbours are apart, and each file has records of all kinds.
fn file_of(number: usize, files: usize) -> usize {
    (number + number / files) % files
}

fn text(number: usize, system: &str) -> String {
    match number.is_multiple_of(SHARED) {
        true => format!("What does the {} have in case {number}?", words(number, 6)),
        // Two questions of a system have one text now and then.
        false if number % 11 == 1 => format!("What repeats in {system} {}?", number / 22),
        false => format!("Which {} is that of {system} {number}?", words(number + 1, 8)),
    }
}

/// Returns whether systems answer in the same words.
fn answer(number: usize, of: usize) -> String {
    if number.is_multiple_of(2) { words(number + 7, 5) } else { words(number * 4 + of, 5) }
}

fn checkpoint_of(file: usize, items: &Value) -> Value {
    let mut context = checkpoint::context();
    context["keywords"] = json!({"@id": "keywords", "@container": "@set"});
    context["additionalType"] = json!("additionalType");
    let mut head = json!({
        "@context": context,
        "@type": "Dataset",
        "@id": format!("urn:uuid:karenina-checkpoint-{}", 1_700_000_000 + file / REVISIONS),
        "name": format!("generated {}", file / REVISIONS),
        "version": format!("0.{}.0", file % REVISIONS),
        "creator": person(file),
        "dateCreated": "2025-01-01T00:00:00.000Z",
        "dateModified": format!("2025-01-0{}T00:00:00.000Z", file % REVISIONS + 2),
        "hasPart": items,
    });
    if file % REVISIONS == 1 {
        head["rating"] = json!([rating("Concise", "karenina:GlobalLLMRubricTrait", 3)]);
    }
    head
}

fn person(number: usize) -> String {
    format!("Person {}", number % 30)
}

fn rating(name: &str, kind: &str, value: usize) -> Value {
    json!({
        "@type": "Rating", "name": name, "additionalType": kind, "description": "how it is",
        "ratingValue": value, "bestRating": 5, "worstRating": 1,
    })
}

fn property(name: &str, value: impl Into<Value>) -> Value {
    json!({"@type": "PropertyValue", "name": name, "value": value.into()})
}

fn item(number: usize) -> Value {
    let text = text(number, "karenina");
    let kind = ["RegexTrait", "CallableTrait", "LLMRubricTrait"][number % 3];
    let mut own = rating("Exact", &format!("karenina:QuestionSpecific{kind}"), number % 6 + 1);
    own["additionalProperty"] = json!([property("pattern", "a+b")]);
    let ratings =
        if number % 17 == 3 { json!([]) } else { json!([own, rating("Clear", "", number % 5 + 1)]) };
    let author = json!({"@type": "Person", "name": person(number)}).to_string();
    let template = if number % 13 == 2 { "" } else { "class Answer(BaseAnswer):\n    value: str\n" };
    let time = format!("2025-{:02}-{:02}T10:00:00.000Z", number % 12 + 1, number % 28 + 1);
    json!({
        "@type": "DataFeedItem",
        "@id": format!("urn:uuid:item-{number:012x}"),
        "dateCreated": time,
        "dateModified": time,
        "item": {
            "@type": "Question",
            "@id": format!("urn:uuid:question-{number:012x}"),
            "text": text,
            "keywords": [format!("keyword {}", number * 7 % 60), format!("keyword {}", number / 3 % 60)],
            "acceptedAnswer": {"@type": "Answer", "text": answer(number, 0)},
            "hasPart": {"@type": "SoftwareSourceCode", "name": "Template", "text": template},
            "rating": ratings,
            "additionalProperty": [property("finished", !number.is_multiple_of(5)), property("author", author)],
        },
    })
}

fn row(number: usize, count: usize) -> Value {
    let is_impossible = number.is_multiple_of(7);
    let context =
        json!({"filename": format!("Doc_{}.pdf", document(number, count)), "text": words(number * 2, 20)});
    json!({
        "id": number,
        "question": text(number, "train").to_lowercase(),
        "answer": if is_impossible { "-".to_owned() } else { answer(number, 1) },
        "is_impossible": is_impossible,
        "contexts": if is_impossible { json!([]) } else { json!([context]) },
    })
}

/// The document that a record rests on: ten records share one.
fn document(number: usize, count: usize) -> usize {
    number % (count / 10 + 1)
}

fn sample(number: usize, count: usize, known: &[Value]) -> Value {
    let mut sample = known[number % known.len()].clone();
    sample["sample_id"] = format!("sample_{number}").into();
    sample["user_query"] = text(number, "kwanzaa").into();
    let document = document(number, count);
    let said = [
        ("citation_label", format!("Doc {document}")),
        ("canonical_url", format!("https://library.example.org/{document}")),
        ("doc_id", format!("doc{document}")),
        ("license", ["Public Domain", "CC BY 4.0", "Fair Use"][document % 3].to_owned()),
        // Few chunks have another text elsewhere.
        ("content", words(document * 4 + usize::from(number % 50 == 3), 20)),
    ];
    for (place, context) in sample["retrieved_context"].as_array_mut().into_iter().flatten().enumerate() {
        tell(context, &said, document, place);
    }
    let output = &mut sample["expected_output"];
    for (place, source) in output["sources"].as_array_mut().into_iter().flatten().enumerate() {
        tell(source, &said, document, place);
    }
    let results = output["retrieval_summary"]["results"].as_array_mut();
    for (place, result) in results.into_iter().flatten().enumerate() {
        tell(result, &said, document, place);
    }
    sample
}

/// Puts what is said of a document where the fixture says it of another one.
fn tell(record: &mut Value, said: &[(&str, String)], document: usize, place: usize) {
    let put = |members: &mut Map<String, Value>| {
        for (key, value) in said {
            if let Some(known) = members.get_mut(*key) {
                *known = value.as_str().into();
            }
        }
        let chunk = format!("doc{document}::chunk::{place}");
        if let Some(known) = members.get_mut("chunk_id") {
            *known = chunk.into();
        }
    };
    record.as_object_mut().into_iter().for_each(put);
    record.get_mut("metadata").and_then(Value::as_object_mut).into_iter().for_each(put);
}

fn user(id: usize) -> Value {
    json!({
        "id": id, "username": format!("user_{id}"), "authority_score": id as f64 / 10.0,
        "track_record_score": 0.5, "baseline_credential_score": 0.4, "credentials": [],
    })
}

const POSITIONS: [&str; 3] = ["correct", "incorrect", "partially_correct"];

fn task(number: usize) -> Value {
    let opinions = (0..number % 4).map(|place| {
        json!({
            "id": number * 3 + place + 1, "user_id": user_of(number, place), "response_id": number + 1,
            "is_blind_phase": true, "accuracy_score": number % 10 + 1, "utility_score": 6,
            "transparency_score": place + 4,
            "feedback_data": {
                "validated_answer": answer(number, place), "reasoning": words(number + place, 8),
                "position": POSITIONS[(number + place) % POSITIONS.len()],
                "source_accuracy": "accurate", "completeness": "complete",
            },
            "community_helpfulness_rating": 3, "consistency_score": null, "correctness_score": null,
            "submitted_at": format!("2026-02-21T08:{:02}:00", number % 60),
        })
    });
    json!({
        "id": number + 1,
        "task_type": "QA",
        "input_data": {"question": text(number, "rlcf"), "context": words(number, 10)},
        "ground_truth_data": if number.is_multiple_of(3) { Value::Null } else { json!({"answer": answer(number, 2)}) },
        "created_at": "2026-02-20T08:00:00",
        "status": "BLIND_EVALUATION",
        "responses": [{
            "id": number + 1, "task_id": number + 1, "output_data": {"message": answer(number, 3)},
            "model_version": format!("model-{}", number % 4), "generated_at": "2026-02-20T08:00:05",
            "feedback": opinions.collect::<Value>(),
        }],
    })
}

fn user_of(number: usize, place: usize) -> usize {
    (number * 7 + place * 5) % 20 + 1
}
