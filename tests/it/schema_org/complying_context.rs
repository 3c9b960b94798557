//! The context with which a checkpoint complies with schema.org: over all dialects, and what it cannot mend.

use super::{CheckedText, lines_of};
use crate::cli::input::run;
use crate::fixture_files::{files_below, root};
use evalgraph::json::{JsonDocument, Limits, parse};
use evalgraph::schema_org::{CheckLevel, CheckOptions, SchemaOrgVocabulary, complying_context};

fn document(text: &str) -> JsonDocument {
    parse("checkpoint", text.to_owned(), Limits::default()).expect("it is JSON")
}

/// A checkpoint with the context that it complies with, and all else as it is.
fn mended(text: &str) -> String {
    let document = document(text);
    let made = complying_context(&document, SchemaOrgVocabulary::built_in()).expect("it is a checkpoint");
    let made = self::document(&made);
    let context = |document: &JsonDocument| {
        let context = document.get(document.root(), "@context").expect("it has a context");
        document.bytes(context)
    };
    let (old, new) = (context(&document), context(&made));
    format!("{}{}{}", &text[..old.start], &made.text()[new], &text[old.end..])
}

fn faults(text: &str) -> Vec<String> {
    let mut found = CheckedText::with_base(text, None).findings(&CheckOptions::default());
    found.retain(|finding| finding.level >= CheckLevel::Warning);
    lines_of(&found)
}

/// What a context cannot mend: ids that are not IRIs.
const LEFT: [(&str, &str, [&str; 4]); 1] = [(
    "p2-awkward-ids.jsonld",
    "bad-iri urn:uuid:karenina-checkpoint-1775901600.5 dataFeedElement ",
    [
        "urn:uuid:question-how-much-is-30%-of-250-f47a9470",
        "urn:uuid:question-what-does-the-pipe-|-do-in-a-shell-0226a4d0",
        "urn:uuid:question-which-language-writes-[x-for-x-in-xs-if-x->-0]-e2767b82",
        "urn:uuid:question-who-wrote-\"the-origin-of-species\"-08034370",
    ],
)];

#[test]
fn checkpoints_of_all_dialects_comply_with_it() {
    let files = files_below("karenina");
    let checkpoints = files.iter().filter(|path| path.extension().is_some_and(|end| end == "jsonld"));
    let mut seen = 0;
    for path in checkpoints {
        let text = std::fs::read_to_string(path).expect("it can be read");
        assert!(!faults(&text).is_empty(), "{} has nothing to mend", path.display());
        let mended = mended(&text);
        let left = LEFT.iter().filter(|(name, ..)| path.ends_with(name));
        let left = left.flat_map(|(_, finding, ids)| ids.iter().map(move |id| format!("{finding}{id}")));
        assert_eq!(faults(&mended), left.collect::<Vec<_>>(), "{}", path.display());
        assert_eq!(self::mended(&mended), mended, "{}: there is nothing more to mend", path.display());
        seen += 1;
    }
    assert!(seen >= 16, "{seen} checkpoints are there");
}

#[test]
fn the_program_prints_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for path in files_below("karenina") {
        let name = path.file_name().and_then(|name| name.to_str()).expect("it has a name");
        let file = path.to_str().expect("its path is text");
        let (status, context, stderr) = run(folder.path(), &["check", file, "--fix-context"]);
        if name.starts_with("v2") {
            assert_eq!((status, context.as_str()), (2, ""), "{name}");
            assert!(stderr.contains("error[schema-org::fix-context]"), "{stderr}");
            continue;
        }
        assert_eq!((status, stderr.as_str()), (0, ""), "{name}");
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let (document, made) = (document(&text), document(&context));
        let place = |document: &JsonDocument| {
            document.bytes(document.get(document.root(), "@context").expect("it has a context"))
        };
        let (old, new) = (place(&document), place(&made));
        let mended = format!("{}{}{}", &text[..old.start], &context[new], &text[old.end..]);
        std::fs::write(folder.path().join(name), mended).expect("the folder is ours");
        let (status, findings, _) = run(folder.path(), &["check", name, "--strict", "--severity", "warning"]);
        let is_left = LEFT.iter().any(|(left, ..)| *left == name);
        assert_eq!(status, i32::from(is_left), "{name}: {findings}");
        assert_eq!(run(folder.path(), &["stats", name]).0, 0, "{name} is still read");
    }
    for (name, text) in
        [("other.jsonld", r#"{"@context": "https://schema.org", "@type": "Book"}"#), ("other.ttl", "")]
    {
        std::fs::write(folder.path().join(name), text).expect("the folder is ours");
        let (status, _, stderr) = run(folder.path(), &["check", name, "--fix-context"]);
        assert!(status == 2 && stderr.contains("error[schema-org::fix-context]"), "{name}: {stderr}");
    }
    let (status, _, stderr) = run(folder.path(), &["check", ".", "--fix-context"]);
    assert!(status == 2 && stderr.contains("error[input::several]"), "{stderr}");
}

#[test]
fn what_the_program_writes_complies_with_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut seen = 0;
    for path in files_below("karenina") {
        let file = path.to_str().expect("its path is text");
        for form in ["karenina", "karenina-spec", "karenina-gui"] {
            let (status, text, _) = run(folder.path(), &["convert", file, "--to", form]);
            if status > 1 || text.is_empty() {
                continue;
            }
            let mut left = faults(&mended(&text));
            left.retain(|fault| !fault.starts_with("bad-iri") && !fault.starts_with("relative-iri"));
            assert_eq!(left, [""; 0], "{file} as {form}");
            seen += 1;
        }
    }
    assert!(seen >= 45, "{seen} files were written");
}

/// A checkpoint whose root has a context and further members.
fn checkpoint(context: &str, members: &str) -> String {
    format!(
        r#"{{"@context": {context}, "@type": "DataFeed", "dataFeedElement":
            [{{"@type": "DataFeedItem", "item": {{"@type": "Question", "text": "Why?"}}}}], {members}}}"#
    )
}

fn own_terms(text: &str) -> String {
    let made =
        complying_context(&document(text), SchemaOrgVocabulary::built_in()).expect("it is a checkpoint");
    let made: serde_json::Value = serde_json::from_str(&made).expect("it is JSON");
    match &made["@context"] {
        serde_json::Value::Array(parts) => parts[parts.len() - 1].to_string(),
        // A context of one object has these terms behind its own.
        serde_json::Value::Object(terms) => {
            let of_its_own = |name: &String| name == "@vocab";
            let added = terms.iter().filter(|(name, _)| !of_its_own(name));
            let added: serde_json::Map<_, _> =
                added.map(|(name, term)| (name.clone(), term.clone())).collect();
            if added.is_empty() { String::new() } else { serde_json::Value::Object(added).to_string() }
        }
        _ => String::new(),
    }
}

#[test]
fn only_keys_that_do_not_fit_get_another_meaning() {
    let vocabulary = r#"{"@vocab": "https://schema.org/"}"#;
    let terms = |members: &str| own_terms(&checkpoint(vocabulary, members));
    assert_eq!(terms(r#""keywords": ["a"]"#), "");
    assert_eq!(
        terms(r#""rating": [{"@type": "Rating", "bestRating": 5}]"#),
        r#"{"@version":1.1,"rating":{"@id":"https://schema.org/contentRating","@container":"@set"}}"#
    );
    let code = |repository: &str| {
        terms(&format!(r#""hasPart": {{"@type": "SoftwareSourceCode", "codeRepository": "{repository}"}}"#))
    };
    assert_eq!(code("https://example.org/repository"), "");
    assert_eq!(code("here"), r#"{"@version":1.1,"codeRepository":"urn:karenina:vocab:codeRepository"}"#);
    // An object without a type and with keys of its own is JSON, one of schema.org's properties a node.
    assert_eq!(terms(r#""creator": {"name": "Ada"}"#), "");
    assert_eq!(
        terms(r#""creator": {"nick": "Ada"}, "my part": {"name": "Ada"}"#),
        r#"{"@version":1.1,"creator":{"@id":"https://schema.org/creator","@type":"@json"},"#.to_owned()
            + r#""my part":{"@id":"urn:karenina:vocab:my%20part","@type":"@json"}}"#
    );
    // A class has its own meaning of a key where another one keeps schema.org's.
    assert_eq!(
        terms(r#""keywords": ["a"], "creator": {"@type": "Person", "keywords": ["b"]}"#),
        r#"{"@version":1.1,"Person":{"@id":"https://schema.org/Person","@context":"#.to_owned()
            + r#"{"keywords":{"@id":"urn:karenina:vocab:keywords","@container":"@set"}}}}"#
    );
    assert_eq!(
        terms(r#""creator": {"@type": "Robot", "name": "R"}"#),
        r#"{"@version":1.1,"Robot":"urn:karenina:vocab:Robot"}"#
    );
}

#[test]
fn what_the_context_says_itself_stays() {
    let context = r#"[{"@vocab": "http://schema.org/", "own": "urn:own:", "level": "own:level",
                       "s": "http://schema.org/", "author": "s:creator", "blob": {"@id": "own:blob", "@type": "@json"}}]"#;
    let members = r#""level": {"x": 1}, "author": "Ada", "blob": {"y": 1}, "own:z": 1, "@type": "DataFeed""#;
    let text = checkpoint(context, members);
    let made =
        complying_context(&document(&text), SchemaOrgVocabulary::built_in()).expect("it is a checkpoint");
    let made: serde_json::Value = serde_json::from_str(&made).expect("it is JSON");
    let parts = made["@context"].as_array().expect("it has parts");
    assert_eq!(parts[0], serde_json::from_str::<serde_json::Value>(context).expect("it is JSON")[0]);
    assert_eq!(parts[1].to_string(), r#"{"@version":1.1,"x":"urn:karenina:vocab:x"}"#);
}

#[test]
fn other_documents_are_refused() {
    let fault = |text: &str| {
        let fault =
            complying_context(&document(text), SchemaOrgVocabulary::built_in()).expect_err("it is none");
        assert_eq!(fault.code, "schema-org::fix-context");
        fault.message
    };
    let version_2 = std::fs::read_to_string(root().join("karenina/v2c-oceans.json")).expect("it is there");
    assert_eq!(fault(&version_2), "a checkpoint of version 2.0 is not JSON-LD, and has no context");
    let other = "the document is not a Karenina checkpoint; which terms of schema.org fit other documents is not known";
    for text in [r#"{"@context": "https://schema.org", "@type": "Dataset"}"#, "[]", "1", "{}"] {
        assert_eq!(fault(text), other, "{text}");
    }
}
