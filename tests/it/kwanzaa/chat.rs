//! Conversations made of Kwanzaa's samples, and samples made of conversations.

use crate::cli::input::run;
use crate::karenina::fixtures::{document, fixture, path};
use evalgraph::diagnostic::validation::ResultSeverity;
use evalgraph::json::{Limits, parse, parse_lines};
use evalgraph::source::counts::ConversionCounts;
use evalgraph::source::kwanzaa::KwanzaaSettings;
use evalgraph::source::kwanzaa::chat::{SystemPrompt, UserPrompt, to_chat, to_dataset};
use evalgraph::source::kwanzaa::rules::{KwanzaaProfile, validate};
use serde_json::{Value, json};
use std::fs;

const TIME: &str = "2026-04-01T00:00:00Z";

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn counts(defaults: &ConversionCounts) -> Vec<(&str, u64)> {
    defaults.iter().collect()
}

#[test]
fn a_sample_becomes_three_messages() {
    let chat = to_chat(&fixture("kwanzaa/citation.json"), &SystemPrompt::default(), &UserPrompt::default());
    assert_eq!(chat.conversations, 10);
    let written = chat.text.lines().next().expect("there is a line");
    let fixture = fs::read_to_string(path("kwanzaa/chat.jsonl")).expect("the fixture is there");
    assert_eq!(written, fixture.lines().next().expect("there is a line"));
    let messages = &lines(&chat.text)[0]["messages"];
    assert_eq!(
        messages[1]["content"],
        "Retrieved Documents:\n\n[1] Pilot Licences of 1921\nRelevance Score: 0.95\nSource: Riverside Museum of Flight (1921)\n\
         Content: Bessie Coleman received her licence from the Fédération Aéronautique Internationale on \
         15 June 1921.\nURL: https://flight.example.org/licences/1921\n\n\
         [2] Crew of STS-47 (1992)\nRelevance Score: 0.41\nSource: Riverside Museum of Flight (1992)\n\
         Content: Mae Jemison flew on Endeavour from 12 to 20 September 1992 as a mission specialist of \
         STS-47.\nURL: https://flight.example.org/sts-47\n\n\
         Query: When did Bessie Coleman receive her pilot licence?"
    );
    let answer = messages[2]["content"].as_str().expect("a string");
    assert!(answer.starts_with("{\n  \"version\": \"kwanzaa.answer.v1\",\n  \"persona\": \"educator\",\n"));
    let dataset: Value = serde_json::from_str(
        &fs::read_to_string(path("kwanzaa/citation.json")).expect("the fixture is there"),
    )
    .expect("fixtures are JSON");
    let parsed: Value = serde_json::from_str(answer).expect("the answer is JSON");
    assert_eq!(parsed, dataset["samples"][0]["expected_output"]);
}

#[test]
fn what_a_conversation_does_not_hold_is_counted() {
    let chat =
        to_chat(&fixture("kwanzaa/each-category.json"), &SystemPrompt::default(), &UserPrompt::default());
    for (what, count) in
        [("sample_id", 4), ("metadata.difficulty", 4), ("metadata.notes", 1), ("statistics", 1)]
    {
        assert_eq!(chat.losses.get(what), Some(&count), "{what}");
    }
    assert_eq!(chat.losses.get("retrieved_context.chunk_id"), Some(&8));
}

/// Python rounds halves to even where a number is exactly between: `'%.2f' % 0.125`.
#[test]
fn scores_have_two_decimals() {
    let text = r#"{"samples": [{"retrieved_context": [{"score": 0.125}, {"score": 0.375}, {"score": 0.345}, {"score": 1}]}]}"#;
    let chat = to_chat(&document(text), &SystemPrompt::default(), &UserPrompt::default());
    let content = lines(&chat.text)[0]["messages"][1]["content"].as_str().expect("a string").to_owned();
    let scores: Vec<&str> =
        content.lines().filter_map(|line| line.strip_prefix("Relevance Score: ")).collect();
    assert_eq!(scores, ["0.12", "0.38", "0.34", "1.00"]);
}

#[test]
fn a_prompt_of_ones_own_is_filled_in() {
    let prompt = SystemPrompt::new("{persona} {require_citations} {creative_mode} {other} {{persona}} {");
    let text = r#"{"samples": [{"persona": "builder", "expected_output": {"toggles": {"require_citations": true}}}]}"#;
    let chat = to_chat(&document(text), &prompt, &UserPrompt::default());
    assert_eq!(lines(&chat.text)[0]["messages"][0]["content"], "builder yes not set {other} {builder} {");
}

/// Lines that stand behind a condition are kept where it holds; the file's last line end is not the prompt's.
#[test]
fn prompts_have_lines_for_some_samples_only() {
    let system = SystemPrompt::new(
        "{?persona=builder}Build.\n{?persona!=builder}Teach.\n{?creative_mode!=yes}Stay.\nAll",
    );
    let user = UserPrompt::new("{?documents!=}D: {documents}\n{?documents=}none\n{query}\n{?documents=}last");
    let sample = |persona: &str, creative: bool, results: Value| {
        let sample = json!({"samples": [{"persona": persona, "user_query": "Why {documents}?",
            "retrieved_context": results, "expected_output": {"toggles": {"creative_mode": creative}}}]});
        let chat = to_chat(&document(&sample.to_string()), &system, &user);
        let messages = &lines(&chat.text)[0]["messages"];
        [0, 1].map(|at| messages[at]["content"].as_str().expect("a string").to_owned())
    };
    let [said, asked] = sample("builder", true, json!([]));
    assert_eq!((said.as_str(), asked.as_str()), ("Build.\nAll", "none\nWhy {documents}?\nlast"));
    let result = json!({"rank": 2, "score": 0.5, "content": "C", "metadata": {"citation_label": "L",
        "source_org": "O", "year": 1999, "canonical_url": "u"}});
    let [said, asked] = sample("educator", false, json!([result]));
    assert_eq!(said, "Teach.\nStay.\nAll");
    assert_eq!(
        asked,
        "D: [2] L\nRelevance Score: 0.50\nSource: O (1999)\nContent: C\nURL: u\nWhy {documents}?"
    );
}

/// A trainer reads the text, so that a character is itself however its file spells it.
#[test]
fn the_answer_has_no_escapes() {
    let sample = r#"{"samples": [{"expected_output": {"text": "1964 \u2014 \u00e9 \"a\" \\n"}}]}"#;
    let chat = to_chat(&document(sample), &SystemPrompt::default(), &UserPrompt::default());
    assert_eq!(
        lines(&chat.text)[0]["messages"][2]["content"],
        "{\n  \"text\": \"1964 — é \\\"a\\\" \\\\n\"\n}"
    );
}

/// What instructs the assistant stands behind the question and is not part of it.
#[test]
fn the_question_is_the_text_of_query_alone() {
    let answer = |query: &str| {
        json!({"version": "kwanzaa.answer.v1", "retrieval_summary": {"query": query}}).to_string()
    };
    let cases = [
        ("Query: Who?\n\nAnswer in JSON.", "Who?", "Who?"),
        ("Query: Who?\n\nNothing was found.", "other", "Who?"),
        ("Query: Who?\n\nAnd when?\n\nAnswer in JSON.", "Who?\n\nAnd when?", "Who?\n\nAnd when?"),
        ("Query: Who?", "", "Who?"),
        (
            "Retrieved Documents:\n\n[1] L\nRelevance Score: 0.50\nSource: O (1999)\nContent: Query: not this\n\
             Query: nor this\nURL: no address\nURL: u\n\nQuery: Who?\nAnd why?\n\nAnswer.",
            "",
            "Who?\nAnd why?",
        ),
        ("Question: Who?\n\nDocuments:\n\n[1] L\nRelevance Score: 0.50\nURL: u\n", "", "Who?"),
    ];
    for (said, query, question) in cases {
        let record = json!({"messages": [{"role": "user", "content": said},
            {"role": "assistant", "content": answer(query)}]});
        let chat = parse_lines("chat.jsonl", record.to_string(), Limits::default()).expect("lines of JSON");
        let restored = to_dataset(&chat, TIME);
        let dataset: Value = serde_json::from_str(&restored.json).expect("it is JSON");
        assert_eq!(dataset["samples"][0]["user_query"], question, "{said}");
        let is_told = restored.losses.iter().any(|(loss, _)| loss == "the text after the question");
        assert_eq!(is_told, said.contains("Answer") || said.contains("Nothing"), "{said}");
    }
}

#[test]
fn what_a_message_does_not_say_is_told() {
    let said = "[1] L\nRelevance Score: high\nSource: O (old)\nContent: C\nURL: u\n\nQuery: Who?";
    let record = json!({"messages": [{"role": "user", "content": said}, {"role": "user", "content": "And?"},
        {"role": "assistant", "content": r#"{"version": "kwanzaa.answer.v1"}"#}]});
    let chat = parse_lines("chat.jsonl", record.to_string(), Limits::default()).expect("lines of JSON");
    let restored = to_dataset(&chat, TIME);
    assert_eq!(counts(&restored.losses), [("a message after the first of each side", 1)]);
    let told = counts(&restored.defaults);
    for what in ["score", "year"] {
        let default = format!("`{what}` of a result is 0, since the message has none");
        assert!(told.contains(&(default.as_str(), 1)), "{what}: {told:?}");
    }
}

/// The question of a conversation is a question of the graph, and has the keys of its sample's in the catalog.
#[test]
fn questions_of_conversations_join_with_those_of_samples() {
    let query = "PREFIX s: <https://schema.org/> PREFIX eg: <urn:evalgraph:vocab:> \
        SELECT ?text ?refused { ?conversation s:about ?asked . ?asked a s:Question ; s:text ?text . \
        GRAPH <urn:evalgraph:graph:catalog> { ?asked eg:textKey ?key . ?sample eg:textKey ?key . \
        OPTIONAL { ?asked eg:isImpossible ?refused } } ?sample s:teaches ?category } ORDER BY ?text";
    let files = ["kwanzaa/chat.jsonl", "kwanzaa/citation.json", "kwanzaa/refusal.json"];
    let (status, text, stderr) =
        run(&path(""), &[&["query", "--format", "csv", "-q", query], &files[..]].concat());
    assert_eq!(status, 0, "{stderr}");
    insta::assert_snapshot!(text, @r"
    text,refused
    Quote the diary that Bessie Coleman kept in June 1921.,true
    When did Bessie Coleman receive her pilot licence?,
    Who edited The North Star when it began?,
    ");
}

/// A conversation that says no question is none in the graph either.
#[test]
fn a_conversation_without_a_question_has_none_in_the_graph() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let said = |user: &str, answer: Value| {
        json!({"messages": [{"role": "user", "content": user},
            {"role": "assistant", "content": answer.to_string()}]})
        .to_string()
    };
    let answer = json!({"version": "kwanzaa.answer.v1", "answer": {"text": "A."}});
    let text = [said("Query: Who?", answer.clone()), said("Speak.", answer)].join("\n");
    fs::write(folder.path().join("chat.jsonl"), text).expect("the folder is ours");
    let query = "SELECT ?text ?answer { ?q a s:Question ; s:text ?text ; s:acceptedAnswer/s:text ?answer }";
    let (status, text, stderr) = run(folder.path(), &["query", "chat.jsonl", "--format", "csv", "-q", query]);
    assert_eq!((status, text.as_str()), (0, "text,answer\r\nWho?,A.\r\n"), "{stderr}");
    let query = "SELECT (COUNT(?q) AS ?n) { ?q a s:Question }";
    let (_, text, _) = run(folder.path(), &["query", "chat.jsonl", "--format", "csv", "-q", query]);
    assert_eq!(text, "n\r\n1\r\n");
    let (_, text, _) = run(folder.path(), &["stats", "chat.jsonl"]);
    let questions = text.lines().find(|line| line.contains("questions")).expect("questions are counted");
    assert_eq!(questions.split_whitespace().collect::<Vec<_>>(), ["questions", "1"]);
}

#[test]
fn prompts_that_cannot_be_filled_in_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let citation = path("kwanzaa/citation.json").display().to_string();
    let cases = [
        ("--user-prompt", "No question here.", "has no placeholder for the question"),
        ("--user-prompt", "{query}\n{?documents}D", "condition cannot be read: `{?documents}D`"),
        ("--system-prompt", "{?query=a}Q", "condition cannot be read: `{?query=a}Q`"),
    ];
    for (flag, prompt, message) in cases {
        fs::write(folder.path().join("prompt.txt"), prompt).expect("the folder is ours");
        let arguments = ["convert", citation.as_str(), "--to", "hf-chat", flag, "prompt.txt"];
        let (status, _, stderr) = run(folder.path(), &arguments);
        assert_eq!(status, 2, "{stderr}");
        assert!(stderr.contains("error[convert::prompt]") && stderr.contains(message), "{stderr}");
    }
    let arguments = ["convert", citation.as_str(), "--to", "train", "--user-prompt", "prompt.txt"];
    let (status, _, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 2);
    assert!(stderr.contains("`--user-prompt` is for hf-chat"), "{stderr}");
}

#[test]
fn conversations_come_back_as_samples_with_what_they_lack_listed() {
    let text = fs::read_to_string(path("kwanzaa/chat.jsonl")).expect("the fixture is there");
    let chat = parse_lines("chat.jsonl", text, Limits::default()).expect("lines of JSON");
    let restored = to_dataset(&chat, TIME);
    let dataset: Value = serde_json::from_str(&restored.json).expect("it is JSON");
    let original: Value = serde_json::from_str(
        &fs::read_to_string(path("kwanzaa/citation.json")).expect("the fixture is there"),
    )
    .expect("fixtures are JSON");
    let (before, after) = (&original["samples"][0], &dataset["samples"][0]);
    assert_eq!(after["sample_id"], "chat_1");
    for key in ["category", "persona", "user_query", "expected_output"] {
        assert_eq!(after[key], before[key], "{key}");
    }
    assert_eq!(after["retrieved_context"][0], before["retrieved_context"][0]);
    // The second result is not a source, so that nothing says its kind and its licence.
    assert_eq!(after["retrieved_context"][1]["chunk_id"], before["retrieved_context"][1]["chunk_id"]);
    assert_eq!(after["retrieved_context"][1]["metadata"]["license"], "unknown");
    assert_eq!(dataset["samples"][2]["category"], "refusal");
    assert_eq!(dataset["samples"][2]["retrieved_context"], json!([]));
    // The question is told by the answer where the message does not.
    assert_eq!(dataset["samples"][4]["user_query"], "Who edited The North Star when it began?");
    assert_eq!(counts(&restored.losses), [("`source_file` of a record", 1), ("the system prompt", 5)]);
    assert_eq!(
        counts(&restored.defaults),
        [
            ("`category` is worked out from the answer", 5),
            ("`content_type` of a result is unknown", 2),
            ("`dataset_version` is 1.0.0, `created_at` the time of the conversion", 1),
            (
                "`difficulty` is medium, `principle_focus` Imani, `quality_score` 0, which asks for a review",
                5
            ),
            ("`license` of a result is unknown", 2),
            ("`sample_id` is chat_ and the number of the record", 5),
            ("`user_query` is the query of the retrieval", 1),
        ]
    );
    let made = parse("made.json", restored.json, Limits::default()).expect("it is JSON");
    for profile in KwanzaaProfile::ALL {
        let report = validate(&made, profile, &KwanzaaSettings::default());
        assert!(report.conforms(), "{profile}: {:#?}", report.results);
    }
}

#[test]
fn content_of_several_lines_comes_back() {
    let content = "first\n\n[2] not a result\nURLs are not URL lines\nlast";
    let sample = json!({"samples": [{"persona": "builder", "user_query": "Line one?\nLine two?",
        "retrieved_context": [{"rank": 1, "score": 0.5, "content": content,
            "metadata": {"citation_label": "a [1] b", "source_org": "Org (old)", "year": 1900, "canonical_url": "u"}}],
        "expected_output": {"version": "kwanzaa.answer.v1"}}]});
    let chat = to_chat(&document(&sample.to_string()), &SystemPrompt::default(), &UserPrompt::default());
    let chat = parse_lines("chat.jsonl", chat.text, Limits::default()).expect("lines of JSON");
    let dataset: Value = serde_json::from_str(&to_dataset(&chat, TIME).json).expect("it is JSON");
    let after = &dataset["samples"][0];
    assert_eq!(after["user_query"], "Line one?\nLine two?");
    assert_eq!(after["retrieved_context"][0]["content"], content);
    let metadata = &after["retrieved_context"][0]["metadata"];
    assert_eq!(metadata["citation_label"], "a [1] b");
    assert_eq!((&metadata["source_org"], &metadata["year"]), (&json!("Org (old)"), &json!(1900)));
}

#[test]
fn what_is_no_conversation_is_counted_and_no_crash() {
    for text in [
        "1",
        "{}",
        r#"{"messages": 1}"#,
        r#"{"messages": [1, {"role": "assistant"}, {"role": "assistant", "content": 5}]}"#,
        r#"{"messages": [{"role": "assistant", "content": "no JSON"}]}"#,
        r#"{"messages": [{"role": "assistant", "content": "[]"}]}"#,
        r#"{"messages": [{"role": "assistant", "content": "{}"}, {"role": "user", "content": "[1] \nRelevance Score: x"}]}"#,
    ] {
        let chat = parse_lines("chat.jsonl", text.to_owned(), Limits::default()).expect("lines of JSON");
        let restored = to_dataset(&chat, TIME);
        let _: Value = serde_json::from_str(&restored.json).expect("it is JSON");
    }
}

#[test]
fn the_program_writes_conversations_and_reads_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let fixtures = path("kwanzaa");
    let (status, _, stderr) = run(
        &fixtures,
        &["convert", "citation.json", "refusal.json", "--to", "hf-chat", "-o", &at("chat.jsonl"), "-v"],
    );
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("hf-chat cannot hold metadata.difficulty of `citation` (10 times)"), "{stderr}");
    let text = fs::read_to_string(folder.path().join("chat.jsonl")).expect("it was written");
    assert_eq!(text.lines().count(), 17);
    let (status, text, stderr) = run(folder.path(), &["convert", "chat.jsonl", "--to", "kwanzaa", "-v"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(
        stderr.contains("filled in for `chat`: `category` is worked out from the answer (17 times)"),
        "{stderr}"
    );
    let dataset: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(dataset["samples"].as_array().expect("an array").len(), 17);
    fs::write(folder.path().join("prompt.txt"), "Be a {persona}.\n").expect("the folder is ours");
    let source = fixtures.join("refusal.json").display().to_string();
    let (_, text, _) =
        run(folder.path(), &["convert", &source, "--to", "hf-chat", "--system-prompt", "prompt.txt"]);
    assert_eq!(lines(&text)[0]["messages"][0]["content"], "Be a educator.");
}

/// A graph without a sidecar has no empty arrays, which the contract asks for.
#[test]
fn a_bare_graph_becomes_a_dataset_that_conforms() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["citation", "grounded-answer", "refusal", "format-compliance", "each-category"] {
        let source = path("kwanzaa").join(format!("{name}.json")).display().to_string();
        let (status, quads, _) = run(folder.path(), &["convert", &source, "--to", "nt"]);
        assert_eq!(status, 0, "{name}");
        fs::write(folder.path().join("bare.nt"), quads).expect("the folder is ours");
        let (status, text, stderr) = run(folder.path(), &["convert", "bare.nt", "--to", "kwanzaa"]);
        assert_eq!((status, stderr.as_str()), (0, ""), "{name}");
        for profile in KwanzaaProfile::ALL {
            let report = validate(&document(&text), profile, &KwanzaaSettings::default());
            assert!(report.conforms(), "{name}, {profile}: {:#?}", report.results);
        }
    }
}

#[test]
fn questions_of_a_checkpoint_become_samples_that_conform() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["p2-genomics", "g-ecology", "s0-cell-biology"] {
        let source = path(&format!("karenina/{name}.jsonld")).display().to_string();
        let (status, text, stderr) = run(folder.path(), &["convert", &source, "--to", "kwanzaa"]);
        assert_eq!(status, 0, "{name}: {stderr}");
        assert!(stderr.contains("kwanzaa cannot hold"), "{stderr}");
        for profile in KwanzaaProfile::ALL {
            let report = validate(&document(&text), profile, &KwanzaaSettings::default());
            assert!(report.conforms(), "{name}, {profile}: {:#?}", report.results);
        }
    }
}

/// A question that is too short or too long for a sample stays as it is, and that is told.
#[test]
fn questions_of_other_systems_become_samples_that_conform() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in
        ["train/support-desk.json", "train/lines.jsonl", "train/awkward-rows.json", "rlcf/tasks.jsonl"]
    {
        let source = path(name).display().to_string();
        let (status, text, stderr) = run(folder.path(), &["convert", &source, "--to", "kwanzaa"]);
        assert_eq!(status, 0, "{name}: {stderr}");
        let report = validate(&document(&text), KwanzaaProfile::Contract, &KwanzaaSettings::default());
        assert!(report.conforms(), "{name}: {:#?}", report.results);
        let report = validate(&document(&text), KwanzaaProfile::Seed, &KwanzaaSettings::default());
        let violations = report.results.iter().filter(|result| result.severity == ResultSeverity::Violation);
        for violation in violations {
            assert_eq!(violation.path.as_deref(), Some("user_query"), "{name}: {violation:#?}");
            assert!(stderr.contains("a question does not have 10 to 500 characters"), "{stderr}");
        }
    }
}

/// Nothing is in a conversation that is not in the file: no prompt, no year, no confidence.
#[test]
fn questions_of_other_systems_become_plain_conversations() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rows = json!([
        {"id": "a", "question": "Which port?", "answer": "The console's is 8080.", "is_impossible": false,
         "contexts": [{"filename": "note.txt", "text": "console.port=8080"}, "Ports are numbers."]},
        {"id": "b", "question": "Which colour?", "answer": "-", "is_impossible": true, "contexts": []},
        {"id": "c", "question": "Which size?", "answer": "None is given.", "is_impossible": true, "contexts": []},
        {"id": "d", "question": "Which shape?", "answer": "", "contexts": []},
    ]);
    fs::write(folder.path().join("rows.json"), rows.to_string()).expect("the folder is ours");
    let (status, text, stderr) = run(folder.path(), &["convert", "rows.json", "--to", "hf-chat", "-v"]);
    assert_eq!(status, 0, "{stderr}");
    let user = "Which port?\n\nDocuments:\n\n[1] note.txt\nconsole.port=8080\n\n[2]\nPorts are numbers.";
    let expected = [
        json!({"messages": [
            {"role": "user", "content": user},
            {"role": "assistant", "content": "The console's is 8080."},
        ]}),
        json!({"messages": [
            {"role": "user", "content": "Which size?"},
            {"role": "assistant", "content": "None is given."},
        ]}),
    ];
    assert_eq!(lines(&text), expected);
    let left_out = "hf-chat leaves out 1 of the questions of `rows`: they ";
    assert!(stderr.contains(&format!("{left_out}have no answer\n")), "{stderr}");
    assert!(
        stderr.contains(&format!("{left_out}are marked as having no answer, without a text that says so\n")),
        "{stderr}"
    );
    let (status, stdout, _) = run(folder.path(), &["convert", "rows.json", "--to", "hf-chat", "--strict"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    let prompt = |text: &str| fs::write(folder.path().join("prompt.txt"), text).expect("the folder is ours");
    let with_prompt = ["convert", "rows.json", "--to", "hf-chat", "--system-prompt", "prompt.txt"];
    prompt("Answer from the documents.\n");
    let (_, text, _) = run(folder.path(), &with_prompt);
    assert_eq!(
        lines(&text)[0]["messages"][0],
        json!({"role": "system", "content": "Answer from the documents."})
    );
    prompt("Answer a {persona}.\n");
    let (status, _, stderr) = run(folder.path(), &with_prompt);
    assert!(
        status == 2 && stderr.contains("the system prompt uses `persona`, which only samples"),
        "{stderr}"
    );
    let unanswered = json!([{"id": 0, "question": "Which shape?", "answer": ""}]);
    fs::write(folder.path().join("none.json"), unanswered.to_string()).expect("the folder is ours");
    for form in ["hf-chat", "kwanzaa"] {
        let (status, stdout, stderr) = run(folder.path(), &["convert", "none.json", "--to", form]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains("error[convert::no-questions]: no question of the inputs"), "{stderr}");
    }
}

/// A year, an address and a confidence that nobody knows would be learnt as facts.
#[test]
fn an_answer_whose_documents_are_not_known_makes_no_sample() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = path("train/support-desk.json").display().to_string();
    let (status, text, stderr) = run(folder.path(), &["convert", &source, "--to", "kwanzaa"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(
        stderr.contains(
            "kwanzaa leaves out 5 of the questions of `support-desk`: their answers rest on documents"
        ),
        "{stderr}"
    );
    let dataset: Value = serde_json::from_str(&text).expect("it is JSON");
    let samples = dataset["samples"].as_array().expect("an array");
    assert_eq!(samples.len(), 3);
    for sample in samples {
        assert_eq!(sample["category"], "refusal");
        assert_eq!(sample["retrieved_context"], json!([]));
        assert!(sample["metadata"]["notes"].as_str().is_some_and(|notes| notes.contains("persona")));
    }
    for invented in ["1600", "unknown.invalid", "\"high\"", "\"complete\""] {
        assert!(!text.contains(invented), "{invented}: {text}");
    }
}
