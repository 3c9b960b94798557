//! Records of the systems that are not JSON-LD, always the same for the same number.

use serde_json::Value;
use std::path::Path;

/// Words for texts.
const WORDS: [&str; 24] = [
    "river", "mountain", "number", "year", "process", "library", "people", "answer", "question", "data",
    "station", "light", "energy", "music", "water", "forest", "history", "science", "measure", "result",
    "method", "paper", "system", "the",
];

/// Some words, always the same for the same number.
pub(crate) fn words(number: usize, count: usize) -> String {
    let mut state = number as u64 + 1;
    let mut text = String::new();
    for at in 0..count {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if at > 0 {
            text.push(' ');
        }
        text.push_str(WORDS[(state >> 33) as usize % WORDS.len()]);
    }
    text
}

/// A row of train.json; of as many, which keeps its texts apart from theirs.
pub(crate) fn row(row: usize, count: usize) -> String {
    let is_impossible = row.is_multiple_of(7);
    let (question, answer) = (words(row, 12), words(row + count, 15));
    let answer = if is_impossible { "-" } else { &answer };
    let context =
        format!("{{\"filename\": \"doc_{}.txt\", \"text\": \"{}\"}}", row % 5000, words(row * 2, 30));
    let contexts = if is_impossible { "" } else { &context };
    format!(
        "{{\n    \"id\": {row},\n    \"question\": \"{question} {row}?\",\n    \"answer\": \"{answer}\",\n    \
         \"is_impossible\": {is_impossible},\n    \"contexts\": [{contexts}]\n  }}"
    )
}

/// The fixture of Kwanzaa's samples of each category.
pub(crate) fn samples_of_each_category() -> Value {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/kwanzaa/each-category.json");
    let text = std::fs::read_to_string(fixture).expect("the fixture is there");
    serde_json::from_str(&text).expect("the fixture is JSON")
}

/// A sample of Kwanzaa: one of those that are known, with an id and texts of its own.
pub(crate) fn sample(number: usize, known: &[Value]) -> Value {
    let mut sample = known[number % known.len()].clone();
    sample["sample_id"] = format!("sample_{number}").into();
    sample["user_query"] = format!("{} {number}?", words(number, 10)).into();
    for context in sample["retrieved_context"].as_array_mut().into_iter().flatten() {
        context["content"] = words(number * 3, 40).into();
    }
    sample
}

/// A record of feedback of RLCF; of as many.
pub(crate) fn feedback(record: usize, count: usize) -> String {
    let position = ["correct", "incorrect", "partially_correct"][record % 3];
    format!(
        "{{\n    \"id\": {},\n    \"user_id\": {},\n    \"response_id\": {},\n    \"is_blind_phase\": true,\n    \
         \"accuracy_score\": {}.5,\n    \"utility_score\": {}.0,\n    \"transparency_score\": {}.5,\n    \
         \"feedback_data\": {{\n      \"validated_answer\": \"{}\",\n      \"position\": \"{position}\",\n      \
         \"reasoning\": \"{}\",\n      \"source_accuracy\": {},\n      \"completeness\": {}\n    }},\n    \
         \"community_helpfulness_rating\": {},\n    \"consistency_score\": null,\n    \
         \"correctness_score\": null,\n    \"submitted_at\": \"2026-03-0{}T10:{:02}:00\"\n  }}",
        record + 1,
        record % 300 + 1,
        record % 20_000 + 1,
        record % 10,
        record % 10,
        record % 7,
        words(record, 8),
        words(record + count, 20),
        record % 5 + 1,
        record % 4 + 1,
        record % 6,
        record % 9 + 1,
        record % 60
    )
}
