//! RLCF: which kind of record stands where, and what is refused instead of guessed.

use evalgraph::json::{JsonDocument, Limits, parse};
use evalgraph::source::records::RecordName;
use evalgraph::source::rlcf::dataset_files::DatasetFile;
use evalgraph::source::rlcf::kinds::RecordKind;
use evalgraph::source::rlcf::record_kind_finder::{RlcfFileRecords, ToldBy, tell};
use evalgraph::source::rlcf::rules::RlcfProfile;
use evalgraph::source::rlcf::task_types::{TaskTypes, ValueType};

fn document(name: &str, text: &str) -> JsonDocument {
    parse(name, text.to_owned(), Limits::default()).expect("the test writes JSON")
}

fn told(path: &str, text: &str) -> RlcfFileRecords {
    tell(&document(path, text), path, None).expect("the kind is clear")
}

fn kinds(path: &str, text: &str) -> Vec<RecordKind> {
    told(path, text).records().map(|record| record.kind).collect()
}

#[test]
fn keys_tell_the_kind_of_a_record() {
    use RecordKind::*;
    let cases = [
        (r#"{"id": 1, "username": "ada", "credentials": []}"#, User),
        (r#"{"username": "ada"}"#, UserCreate),
        (r#"{"usernames": ["ada", "bob"]}"#, BulkUserCreate),
        (r#"{"users": [{"username": "ada"}]}"#, BulkUserCreate),
        (r#"{"id": 1, "user_id": 1, "type": "ACADEMIC_DEGREE", "value": "JD", "weight": 0.3}"#, Credential),
        (r#"{"type": "ACADEMIC_DEGREE", "value": "JD", "weight": 0.3}"#, CredentialCreate),
        (r#"{"id": 1, "task_type": "QA", "input_data": {}, "status": "OPEN"}"#, LegalTask),
        (r#"{"task_type": "QA", "input_data": {}}"#, LegalTaskCreate),
        (r#"{"task_type": "QA", "input_data": {}, "ai_response": {}}"#, YamlTask),
        (r#"{"status": "CLOSED"}"#, TaskStatusUpdate),
        (r#"{"id": 1, "task_id": 1, "output_data": {}, "model_version": "m", "feedback": []}"#, Response),
        (r#"{"output_data": {}, "model_version": "m"}"#, ResponseCreate),
        (r#"{"id": 1, "user_id": 1, "response_id": 1, "feedback_data": {}}"#, Feedback),
        (r#"{"user_id": 1, "accuracy_score": 1, "feedback_data": {}}"#, FeedbackCreate),
        (r#"{"id": 1, "user_id": 1, "feedback_id": 1, "helpfulness_score": 4}"#, FeedbackRating),
        (r#"{"user_id": 1, "helpfulness_score": 4}"#, FeedbackRatingCreate),
        (r#"{"id": 1, "task_id": 1, "user_id": 1, "role": "evaluator"}"#, TaskAssignment),
        (r#"{"user_id": 1, "role": "evaluator"}"#, TaskAssignmentCreate),
        (r#"{"id": 1, "task_id": 1, "user_id": 1, "instructions": "object"}"#, DevilsAdvocateAssignment),
        (r#"{"id": 1, "cycle_start": "", "cycle_end": "", "report_data": {}}"#, AccountabilityReport),
        (r#"{"id": 1, "task_id": 1, "user_id": 1, "bias_type": "A", "bias_score": 0.1}"#, BiasReport),
        (r#"{"task_type": "QA", "export_format": "sft"}"#, ExportRequest),
        (r#"{"totalTasks": 1, "totalUsers": 1, "totalFeedback": 1}"#, SystemMetrics),
        (r#"{"yaml_content": "tasks: []"}"#, YamlContentRequest),
        (r#"{"name": "m", "api_key": "x", "temperature": 0.7}"#, AIModelConfig),
        (r#"{"authority_weights": {}, "track_record": {}}"#, ModelConfig),
        (r#"{"task_types": {}}"#, TaskConfig),
        (r#"{"detail": "not found"}"#, ErrorReply),
    ];
    for (text, kind) in cases {
        assert_eq!(kinds("a.json", text), [kind], "{text}");
        assert_eq!(RecordKind::of_name(&kind.name().to_uppercase()), Some(kind));
    }
}

#[test]
fn arrays_in_an_object_are_named_after_their_records() {
    let text = r#"{"exported_at": "2026-01-01", "users": [{"id": 1, "username": "ada"}],
        "feedback": [{"user_id": 1, "response_id": 2}], "model_config": {"authority_weights": {}}}"#;
    let told = told("dump.json", text);
    assert_eq!(told.by, ToldBy::NamedArrays);
    let kinds: Vec<_> = told.records().map(|record| record.kind).collect();
    assert_eq!(kinds, [RecordKind::User, RecordKind::Feedback, RecordKind::ModelConfig]);
    let yaml = r#"{"tasks": [{"task_type": "QA", "input_data": {}}]}"#;
    assert_eq!(self::kinds("any.yaml", yaml), [RecordKind::YamlTask]);
}

#[test]
fn the_path_tells_what_the_keys_leave_open() {
    let assignment = r#"[{"id": 1, "task_id": 1, "user_id": 1, "assigned_at": "2026-01-01T00:00:00"}]"#;
    for path in
        ["assignments.json", "replies/assignments/all.json", "tasks/7/assignees", "task-assignments_2.jsonl"]
    {
        assert_eq!(kinds(path, assignment), [RecordKind::TaskAssignment], "{path}");
    }
    assert_eq!(kinds("x/devils_advocates.json", assignment), [RecordKind::DevilsAdvocateAssignment]);
    assert_eq!(kinds("replies/config/model.json", "{}"), [RecordKind::ModelConfig]);
    assert_eq!(kinds("replies/users/7.json", r#"{"id": 7, "authority_score": 1}"#), [RecordKind::User]);
    let rows =
        told("datasets/nli_entailment.jsonl", r#"[{"premise": "a", "hypothesis": "b", "label": "entail"}]"#);
    assert_eq!(rows.lists[0].rows_of.map(|file| file.task_type), Some("NLI_ENTAILMENT"));
}

#[test]
fn what_is_not_clear_is_refused_with_the_candidates() {
    let refused = |path: &str, text: &str| {
        let document = document(path, text);
        let fault = tell(&document, path, None).expect_err("it is not clear");
        let pointer = fault.place.as_ref().and_then(|place| place.pointer.clone()).unwrap_or_default();
        (fault.code.into_owned(), pointer, fault.message)
    };
    assert_eq!(
        refused("a.json", r#"[{"id": 1, "task_id": 1, "user_id": 1, "assigned_at": "x"}]"#),
        (
            "rlcf::kind".to_owned(),
            "/0".to_owned(),
            "it is not clear which kind of record this is: its keys fit several kinds; it may be \
             `TaskAssignment` or `DevilsAdvocateAssignment`"
                .to_owned()
        )
    );
    let (_, pointer, message) =
        refused("users.json", r#"[{"id": 1, "username": "a"}, {"id": 1, "task_id": 1, "output_data": {}}]"#);
    assert_eq!(pointer, "/1");
    assert_eq!(
        message,
        "it is not clear which kind of record this is: its keys do not fit the name `users`; \
         it may be `User` or `UserCreate` or `Response`"
    );
    assert!(refused("a.json", r#"{"premise": "a", "label": "b"}"#).2.ends_with("its keys fit no kind"));
}

#[test]
fn what_the_user_says_counts() {
    let document = document("a.json", r#"{"premise": "a", "hypothesis": "b", "label": "c"}"#);
    let name = RecordName::parse("nli-entailment").expect("there is such a file");
    let told = tell(&document, "a.json", Some(name)).expect("the user said it");
    assert_eq!(told.by, ToldBy::Asked);
    assert_eq!(told.records().map(|record| record.kind).collect::<Vec<_>>(), [RecordKind::DatasetRow]);
    let fault = RecordName::parse("Thing").expect_err("there is no such kind");
    assert!(fault.starts_with("`Thing` is not a kind of record; there are User, UserCreate,"), "{fault}");
}

#[test]
fn an_error_reply_is_one_whatever_the_file_is_called() {
    for path in ["exported_dataset.jsonl", "users.json", "nli_entailment.jsonl"] {
        assert!(told(path, r#"[{"detail": "No data found"}]"#).is_error_reply(), "{path}");
        let seed = r#"{"detail": "x", "error_code": "NOT_FOUND", "timestamp": "2026-01-01T00:00:00Z"}"#;
        assert!(told(path, seed).is_error_reply(), "{path}");
    }
}

#[test]
fn counts_of_tasks_have_the_type_of_every_dataset_file() {
    let counts = RecordKind::TaskDistribution.class(RlcfProfile::Shipped);
    for file in DatasetFile::ALL {
        assert!(counts.has(file.task_type), "{}", file.task_type);
    }
}

#[test]
fn task_types_are_read_from_a_configuration() {
    assert_eq!(TaskTypes::own().types.len(), 10);
    assert!(TaskTypes::document().get("NLI").is_some_and(|nli| nli.feedback_data.is_none()));
    let shipped = TaskTypes::shipped();
    assert!(
        shipped
            .types
            .iter()
            .flat_map(|each| each.feedback_data.iter().flatten())
            .all(|field| !field.required)
    );
    let text = r#"{"task_types": {"QA": {"input_data": {"question": "str", "hint": "str (optional)"},
        "feedback_data": {"position": "Literal['correct', 'incorrect']", "weights": "Dict[str, float]",
        "tags": "Optional[List[str]]"}, "ground_truth_keys": ["position"]}}}"#;
    let read = TaskTypes::read(&document("task_config.json", text)).expect("it is one");
    let qa = read.get("QA").expect("it is there");
    let required = |fields: &Option<Vec<_>>| -> Vec<bool> {
        fields
            .iter()
            .flatten()
            .map(|field: &evalgraph::source::rlcf::task_types::TaskField| field.required)
            .collect()
    };
    assert_eq!(required(&qa.input_data), [true, false]);
    assert_eq!(required(&qa.feedback_data), [true, true, false]);
    let types: Vec<_> = qa.feedback_data.iter().flatten().map(|field| field.value.clone()).collect();
    assert_eq!(types[0], ValueType::Literal(vec!["correct".to_owned(), "incorrect".to_owned()]));
    assert_eq!(types[1], ValueType::Dict(Box::new(ValueType::Float)));
    assert_eq!(types[2], ValueType::List(Box::new(ValueType::Str)));
    let fault = TaskTypes::read(&document("a.json", r#"{"task_types": {"QA": 1}}"#)).expect_err("it is none");
    assert_eq!(fault.to_string(), "a.json:1:23: rlcf::task-config: the task type `QA` is not an object");
}
