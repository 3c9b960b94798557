//! `evalgraph diff` by question: what differs and what does not, in all forms.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use serde_json::{Value, json};
use std::fs;
use tempfile::TempDir;

fn checkpoint() -> Value {
    json!({
        "@context": {"@vocab": "https://schema.org/", "rating": {"@id": "contentRating"}},
        "@type": "DataFeed",
        "@id": "urn:x:checkpoint",
        "name": "Any",
        "dateModified": "2026-01-01T00:00:00",
        "rating": [{"@type": "Rating", "name": "clear", "additionalType": "karenina:GlobalRubricTrait",
                    "bestRating": 5.0, "worstRating": 1.0}],
        "dataFeedElement": [
            {"@type": "DataFeedItem", "@id": "urn:x:1", "dateModified": "2026-01-01T00:00:00",
             "item": {"@type": "Question", "text": "Why?", "acceptedAnswer": {"@type": "Answer", "text": "So"},
                      "hasPart": {"@type": "SoftwareSourceCode", "name": "t", "text": "a = 1\nb = 2\nc = 3\n"},
                      "additionalProperty": [{"@type": "PropertyValue", "name": "finished", "value": true},
                          {"@type": "PropertyValue", "name": "custom_n", "value": 12345678901234567890_u64}],
                      "keywords": ["k", "l"]}},
            {"@type": "DataFeedItem", "@id": "urn:x:2", "dateModified": "2026-01-01T00:00:00",
             "item": {"@type": "Question", "text": "What?", "acceptedAnswer": {"@type": "Answer", "text": "It"},
                      "hasPart": {"@type": "SoftwareSourceCode", "name": "t", "text": "pass"}}}
        ]
    })
}

fn folder(before: &Value, after: &Value) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = |value: &Value| serde_json::to_string_pretty(value).expect("it is JSON");
    fs::write(folder.path().join("a.jsonld"), text(before)).expect("the folder is ours");
    fs::write(folder.path().join("b.jsonld"), text(after)).expect("the folder is ours");
    folder
}

/// Exit status and stdout for the base and the base with a change.
fn diff(change: impl FnOnce(&mut Value), arguments: &[&str]) -> (i32, String) {
    let before = checkpoint();
    let mut after = before.clone();
    change(&mut after);
    let folder = folder(&before, &after);
    let all = [&["diff", "a.jsonld", "b.jsonld"], arguments].concat();
    let (status, stdout, stderr) = run(folder.path(), &all);
    assert!(status < 2, "{stderr}");
    (status, stdout)
}

/// The paths of all changes, of the checkpoint and of questions.
fn paths(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let (status, stdout) = diff(change, &["--format", "json"]);
    let json: Value = serde_json::from_str(&stdout).expect("it is JSON");
    assert_eq!(status == 0, json["equal"] == true);
    let changes = json["changed"]
        .as_array()
        .expect("an array")
        .iter()
        .flat_map(|question| question["changes"].as_array().expect("an array").iter());
    let root = json["checkpoint"].as_array().expect("an array").iter();
    let path = |change: &Value| {
        let parts = change["path"].as_array().expect("an array").iter();
        parts.map(|part| part.as_str().expect("a string").to_owned()).collect::<Vec<_>>().join("/")
    };
    root.chain(changes).map(path).collect()
}

#[test]
fn a_difference_has_both_lines() {
    let (status, stdout) = diff(
        |after| {
            let item = &mut after["dataFeedElement"][0]["item"];
            item["acceptedAnswer"]["text"] = json!("Because");
            item["hasPart"]["text"] = json!("a = 1\nb = 5\nc = 3\n");
        },
        &[],
    );
    assert_eq!(status, 1);
    insta::assert_snapshot!(stdout, @r#"
    question urn:x:1: Why?
      answer
        - a.jsonld:31:19: "So"
        + b.jsonld:31:19: "Because"
      template
        a.jsonld:36:19 → b.jsonld:36:19
        - b = 2
        + b = 5
    1 question changed, 0 added, 0 removed, 1 the same; 0 differences of the checkpoint itself
    "#);
}

#[test]
fn each_part_is_compared() {
    let item = "dataFeedElement";
    assert_eq!(paths(|after| after["name"] = json!("Other")), ["name"]);
    assert_eq!(paths(|after| after["mine"] = json!(1)), ["mine"]);
    assert_eq!(paths(|after| after["@context"]["@vocab"] = json!("urn:other:")), ["@context"]);
    assert_eq!(paths(|after| after[item][0]["item"]["@type"] = json!("Thing")), ["@type"]);
    assert_eq!(
        paths(|after| after[item][0]["item"]["acceptedAnswer"]["@type"] = json!("Thing")),
        ["answer/@type"]
    );
    assert_eq!(paths(|after| after["rating"][0]["bestRating"] = json!(7)), ["traits/clear/bestRating"]);
    assert_eq!(paths(|after| after["rating"][0]["description"] = json!("d")), ["traits/clear/description"]);
    assert_eq!(paths(|after| after["rating"] = json!([])), ["traits/clear"]);
    assert_eq!(paths(|after| after[item][0]["dateModified"] = json!("2027-01-01")), ["dateModified"]);
    assert_eq!(paths(|after| after[item][0]["item"]["text"] = json!("Why not?")), ["text"]);
    assert_eq!(paths(|after| after[item][0]["item"]["hasPart"]["name"] = json!("u")), ["template/name"]);
    assert_eq!(
        paths(|after| after[item][0]["item"]["additionalProperty"][0]["value"] = json!(false)),
        ["properties/finished"]
    );
    assert_eq!(
        paths(|after| after[item][0]["item"]["additionalProperty"][1]["value"] =
            json!(12345678901234567891_u64)),
        ["properties/custom_n"]
    );
    assert_eq!(
        paths(|after| drop(
            after[item][0]["item"]["additionalProperty"].as_array_mut().expect("a list").pop()
        )),
        ["properties/custom_n"]
    );
    assert_eq!(paths(|after| after[item][0]["item"]["keywords"] = json!(["k"])), ["keywords"]);
    assert_eq!(
        paths(|after| after[item][0]["item"]["rating"] = json!([
            {"@type": "Rating", "name": "own", "additionalType": "karenina:QuestionSpecificRubricTrait",
             "bestRating": 1.0, "worstRating": 0.0}])),
        ["traits/own"]
    );
    // Only the id is another: the text tells that it is the question.
    assert_eq!(paths(|after| after[item][0]["@id"] = json!("urn:x:9")), ["@id"]);
}

#[test]
fn what_means_the_same_is_the_same() {
    let nothing: [&str; 0] = [];
    assert_eq!(paths(|_| ()), nothing);
    assert_eq!(paths(|after| after["rating"][0]["bestRating"] = json!(5)), nothing);
    assert_eq!(paths(|after| after["dataFeedElement"].as_array_mut().expect("a list").reverse()), nothing);
    assert_eq!(
        paths(|after| after["dataFeedElement"][0]["item"]["keywords"]
            .as_array_mut()
            .expect("a list")
            .reverse()),
        nothing
    );
    let (status, stdout) = diff(|_| (), &[]);
    assert_eq!((status, stdout.as_str()), (0, ""));
}

#[test]
fn what_has_one_name_is_paired_in_its_order() {
    let mut value = checkpoint();
    let item = &mut value["dataFeedElement"][0]["item"];
    let rating = |best: u8| {
        json!({"@type": "Rating", "name": "own", "additionalType": "karenina:QuestionSpecificRubricTrait",
               "bestRating": best, "worstRating": 0})
    };
    item["rating"] = json!([rating(1), rating(5)]);
    let property = |value: u8| json!({"@type": "PropertyValue", "name": "summary", "value": value});
    item["additionalProperty"] = json!([property(1), property(2)]);
    let folder = folder(&value, &value);
    let (status, stdout, stderr) = run(folder.path(), &["diff", "a.jsonld", "b.jsonld"]);
    assert_eq!((status, stdout.as_str()), (0, ""), "{stderr}");
    value["dataFeedElement"][0]["item"]["rating"][1]["bestRating"] = json!(7);
    let changed = serde_json::to_string_pretty(&value).expect("it is JSON");
    fs::write(folder.path().join("b.jsonld"), changed).expect("the folder is ours");
    let (status, stdout, _) = run(folder.path(), &["diff", "a.jsonld", "b.jsonld"]);
    assert_eq!(status, 1);
    assert_eq!(stdout.matches("traits / own / bestRating").count(), 1, "{stdout}");
}

#[test]
fn questions_are_added_and_removed() {
    let (status, stdout) = diff(
        |after| {
            after["dataFeedElement"][1]["@id"] = json!("urn:x:3");
            after["dataFeedElement"][1]["item"]["text"] = json!("Who?");
        },
        &[],
    );
    assert_eq!(status, 1);
    insta::assert_snapshot!(stdout, @"
    - a.jsonld:56:5: question urn:x:2: What?
    + b.jsonld:56:5: question urn:x:3: Who?
    0 questions changed, 1 added, 1 removed, 1 the same; 0 differences of the checkpoint itself
    ");
}

#[test]
fn fields_can_be_ignored() {
    let change = |after: &mut Value| {
        after["dateModified"] = json!("2027-01-01T00:00:00");
        after["dataFeedElement"][0]["dateModified"] = json!("2027-01-01T00:00:00");
        after["dataFeedElement"][0]["item"]["additionalProperty"][0]["value"] = json!(false);
    };
    assert_eq!(diff(change, &["--ignore", "dateModified"]).0, 1);
    let (status, stdout) = diff(change, &["--ignore", "dateModified", "--ignore", "finished"]);
    assert_eq!((status, stdout.as_str()), (0, ""));
}

#[test]
fn markdown_is_a_report() {
    let (status, stdout) = diff(
        |after| {
            after["name"] = json!("A | `name`");
            after["dataFeedElement"][0]["item"]["hasPart"]["text"] = json!("a = 1\n```\nc = 3\n");
        },
        &["--format", "markdown"],
    );
    assert_eq!(status, 1);
    insta::assert_snapshot!(stdout, @r#"
    # `a.jsonld` → `b.jsonld`

    1 question changed, 0 added, 0 removed, 1 the same; 1 difference of the checkpoint itself

    ## The checkpoint itself

    | what | before | after |
    |---|---|---|
    | name | `"Any"` (line 10) | ``"A \| `name`"`` (line 10) |

    ## Why? (`urn:x:1`)

    | what | before | after |
    |---|---|---|
    | template | line 36 | line 36 |

    ````diff
    - b = 2
    + ```
    ````
    "#);
}

#[test]
fn json_keeps_the_digits_of_values() {
    let change = |after: &mut Value| {
        after["dataFeedElement"][0]["item"]["additionalProperty"][1]["value"] = json!(1.5);
    };
    let (_, stdout) = diff(change, &["--format", "json"]);
    assert!(stdout.contains("\"value\": 12345678901234567890,"), "{stdout}");
    assert!(
        stdout.contains("\"pointer\": \"/dataFeedElement/0/item/additionalProperty/1/value\""),
        "{stdout}"
    );
}

#[test]
fn a_patch_changes_the_graph_as_it_is_loaded() {
    let change = |after: &mut Value| after["name"] = json!("Other");
    let (status, stdout) = diff(change, &["--format", "rdf-patch"]);
    assert_eq!(status, 1);
    let (header, changes) = stdout.split_once('\n').expect("lines");
    assert!(header.starts_with("H id <uuid:") && header.ends_with("> ."), "{header}");
    insta::assert_snapshot!(changes, @r#"
    TX .
    D <urn:x:checkpoint> <http://schema.org/name> "Any" <urn:evalgraph:graph:urn%3Ax%3Acheckpoint> .
    A <urn:x:checkpoint> <http://schema.org/name> "Other" <urn:evalgraph:graph:urn%3Ax%3Acheckpoint> .
    TC .
    "#);
    let (status, stdout) = diff(|_| (), &["--format", "rdf-patch"]);
    assert_eq!(status, 0);
    assert!(stdout.ends_with("TX .\nTC .\n"), "{stdout}");
    assert_eq!(diff(change, &["--format", "rdf-patch"]), diff(change, &["--format", "rdf-patch"]));
}

#[test]
fn triples_are_compared_of_what_is_no_checkpoint() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.ttl"), "<x:s> <x:p> 1 .").expect("the folder is ours");
    fs::write(folder.path().join("b.nt"), "<x:s> <x:p> \"a\" .\n").expect("the folder is ours");
    let (status, stdout, _) = run(folder.path(), &["diff", "a.ttl", "b.nt"]);
    assert_eq!(status, 1);
    assert!(stdout.ends_with("\n+ <x:s> <x:p> \"a\" .\n"), "{stdout}");
    let (status, _, stderr) = run(folder.path(), &["diff", "a.ttl", "b.nt", "--by", "question"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("diff::question"), "{stderr}");
    let (status, _, stderr) = run(folder.path(), &["diff", "a.ttl", "b.nt", "--ignore", "name"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("diff::ignore"), "{stderr}");
}

#[test]
fn a_question_at_fault_ends_the_comparison() {
    let mut broken = checkpoint();
    broken["dataFeedElement"][0]["item"].as_object_mut().expect("an object").shift_remove("text");
    let folder = folder(&checkpoint(), &broken);
    let (status, stdout, stderr) = run(folder.path(), &["diff", "a.jsonld", "b.jsonld"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("b.jsonld:"), "{stderr}");
}

#[test]
fn every_fixture_is_the_same_as_itself() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in crate::karenina::fixtures::fixtures_in("karenina") {
        let file = path(&name).display().to_string();
        let (status, stdout, stderr) = run(folder.path(), &["diff", &file, &file]);
        assert_eq!((status, stdout.as_str()), (0, ""), "{name}: {stderr}");
    }
}

#[test]
fn what_a_question_is_and_what_its_words_mean_may_differ() {
    let of_type = paths(|after| after["dataFeedElement"][0]["item"]["@type"] = json!("Answer"));
    assert_eq!(of_type, ["@type"]);
    let of_context = paths(|after| after["@context"]["keywords"] = json!("https://schema.org/name"));
    assert!(of_context.iter().any(|path| path.starts_with("@context")), "{of_context:?}");
}
