//! Changes in place: what has one right answer is changed, and every other byte stays.

use super::CheckedText;
use super::mutations::documents;
use evalgraph::json::{JsonDocument, Limits, parse};
use evalgraph::jsonld::{BuiltIn, JsonLdOptions};
use evalgraph::schema_org::{
    CheckLevel, CheckOptions, CheckRule, DocumentFixer, SchemaNamespace, SchemaOrgVocabulary,
};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use std::sync::Arc;

fn document(text: String) -> Arc<JsonDocument> {
    Arc::new(parse("document", text, Limits::default()).expect("it is JSON"))
}

fn fixed_with(text: &str, namespace: Option<SchemaNamespace>, check: &CheckOptions) -> String {
    let parse = |text| parse("document", text, Limits::default()).map(Arc::new);
    let base = Some("https://example.org/doc".to_owned());
    let options = JsonLdOptions { base, ..JsonLdOptions::default() };
    let fixer = DocumentFixer { loader: &BuiltIn, options, check, namespace, parse: &parse };
    let fixed = fixer.fix(&document(text.to_owned())).expect("it is JSON-LD");
    let applied = fixed.applied(text);
    assert_eq!(fixed.is_empty(), applied == text);
    applied
}

fn fixed(text: &str) -> String {
    let once = fixed_with(text, None, &CheckOptions::default());
    assert_eq!(fixed_with(&once, None, &CheckOptions::default()), once, "once is enough");
    once
}

#[test]
fn a_name_gets_its_case_and_its_successor_wherever_it_stands() {
    for (wrong, right) in [
        (
            r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "question", "TEXT": "T"}"#,
            r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Question", "text": "T"}"#,
        ),
        // A compact IRI, an IRI, a type among others, an IRI with escapes.
        (
            r#"{"@context": {"s": "http://schema.org/"}, "@type": ["urn:a", "s:bOOK"], "s:seasons": {"@id": "urn:b"}}"#,
            r#"{"@context": {"s": "http://schema.org/"}, "@type": ["urn:a", "s:Book"], "s:containsSeason": {"@id": "urn:b"}}"#,
        ),
        (
            r#"{"@id": "urn:a", "http:\/\/schema.org\/N\u0061me": [{"@value": "\u0041"}]}"#,
            r#"{"@id": "urn:a", "http:\/\/schema.org\/n\u0061me": [{"@value": "\u0041"}]}"#,
        ),
        // A value, in a list, under a coercion, as a reference.
        (
            r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Offer", "availability": {"@id": "http://schema.org/instock"}}"#,
            r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Offer", "availability": {"@id": "http://schema.org/InStock"}}"#,
        ),
        (
            r#"{"@context": {"@vocab": "http://schema.org/", "availability": {"@type": "@vocab", "@container": "@list"}}, "@type": "Offer", "availability": ["instock"]}"#,
            r#"{"@context": {"@vocab": "http://schema.org/", "availability": {"@type": "@vocab", "@container": "@list"}}, "@type": "Offer", "availability": ["InStock"]}"#,
        ),
        // A datatype, and a text in the place of a member.
        (
            r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Event", "startDate": {"@type": "date", "@value": "2024"}}"#,
            r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Event", "startDate": {"@type": "Date", "@value": "2024"}}"#,
        ),
        (
            r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Event", "eventStatus": "eventscheduled"}"#,
            r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Event", "eventStatus": "EventScheduled"}"#,
        ),
        // The context of schema.org makes a date of the value.
        (
            r#"{"@context": "https://schema.org", "@type": "Book", "DatePublished": "2024-01-01"}"#,
            r#"{"@context": "https://schema.org", "@type": "Book", "datePublished": "2024-01-01"}"#,
        ),
        // One name after the other.
        (
            r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "TVseries", "Seasons": {"@type": "tvSeason"}}"#,
            r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "TVSeries", "containsSeason": {"@type": "TVSeason"}}"#,
        ),
    ] {
        assert_eq!(fixed(wrong), right);
    }
}

#[test]
fn a_term_that_a_context_of_the_document_defines_stays_and_its_iri_changes_there() {
    for (wrong, right) in [
        (
            r#"{"@context": {"label": "http://schema.org/Name", "B": {"@id": "http://schema.org/book"}}, "@type": "B", "label": "N"}"#,
            r#"{"@context": {"label": "http://schema.org/name", "B": {"@id": "http://schema.org/Book"}}, "@type": "B", "label": "N"}"#,
        ),
        (
            r#"{"@context": {"@vocab": "http://schema.org/", "Name": {"@language": "en"}}, "@type": "Book", "Name": "N"}"#,
            r#"{"@context": {"@vocab": "http://schema.org/", "name": {"@language": "en"}}, "@type": "Book", "name": "N"}"#,
        ),
        // The term has a meaning of its own here, and it is not schema.org's.
        (
            r#"{"@context": {"@vocab": "http://schema.org/", "Text": "urn:own:text"}, "@type": "Book", "Text": "N", "Name": "N"}"#,
            r#"{"@context": {"@vocab": "http://schema.org/", "Text": "urn:own:text"}, "@type": "Book", "Text": "N", "name": "N"}"#,
        ),
    ] {
        assert_eq!(fixed(wrong), right);
    }
}

#[test]
fn the_namespace_of_most_terms_wins() {
    for (wrong, right) in [
        (
            r#"{"@context": {"@vocab": "http://www.schema.org/"}, "@type": "Book", "name": "N"}"#,
            r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Book", "name": "N"}"#,
        ),
        (
            r#"{"@context": {"s": "https://schema.org/#"}, "@type": "s:Book", "s:name": "N"}"#,
            r#"{"@context": {"s": "https://schema.org/"}, "@type": "s:Book", "s:name": "N"}"#,
        ),
        (
            r#"{"@context": {"@vocab": "https://schema.org/", "isbn": {"@id": "http://schema.org/isbn"}}, "@type": "Book", "text": "T", "url": "urn:u", "isbn": "1", "http:\/\/schema.org\/name": "N"}"#,
            r#"{"@context": {"@vocab": "https://schema.org/", "isbn": {"@id": "https://schema.org/isbn"}}, "@type": "Book", "text": "T", "url": "urn:u", "isbn": "1", "https:\/\/schema.org\/name": "N"}"#,
        ),
        // Nobody can change the context of schema.org, whose terms are `http`.
        (
            r#"{"@context": "https://schema.org", "@type": "Book", "https://schema.org/name": "N", "https://schema.org/isbn": "1", "https://schema.org/text": "1"}"#,
            r#"{"@context": "https://schema.org", "@type": "Book", "http://schema.org/name": "N", "http://schema.org/isbn": "1", "http://schema.org/text": "1"}"#,
        ),
        // A value of the other namespace mixes nothing, one of no namespace of schema.org is changed.
        (
            r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Offer", "availability": [{"@id": "https://schema.org/InStock"}, {"@id": "https://www.schema.org/SoldOut"}]}"#,
            r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Offer", "availability": [{"@id": "https://schema.org/InStock"}, {"@id": "http://schema.org/SoldOut"}]}"#,
        ),
    ] {
        assert_eq!(fixed(wrong), right);
    }
}

#[test]
fn a_wish_decides_and_values_follow() {
    let text = r#"{"@context": {"@vocab": "http://schema.org/"}, "@id": "http://schema.org/Thing", "@type": "Offer",
        "availability": {"@id": "https://schema.org/InStock"}, "sameAs": {"@id": "http://schema.org/docs/about.html"},
        "name": "see http://schema.org/name", "price": {"@type": "http://schema.org/Number", "@value": "1"}}"#;
    let wished = |namespace| fixed_with(text, Some(namespace), &CheckOptions::default());
    let https = text.replace("\"http://schema.org/", "\"https://schema.org/");
    assert_eq!(
        wished(SchemaNamespace::Https),
        https.replace("https://schema.org/docs", "http://schema.org/docs")
    );
    assert_eq!(
        wished(SchemaNamespace::Http),
        text.replace("https://schema.org/InStock", "http://schema.org/InStock")
    );
    // The context is from elsewhere.
    let text = r#"{"@context": "https://schema.org", "@type": "Book", "name": "N"}"#;
    assert_eq!(fixed_with(text, Some(SchemaNamespace::Https), &CheckOptions::default()), text);
}

#[test]
fn what_has_no_one_answer_stays() {
    for text in [
        // A misspelt name, one that was given up, one with the right one beside it.
        r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Book", "nmae": "N"}"#,
        r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Dataset", "variablesMeasured": "N"}"#,
        r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Book", "Name": "N", "name": "M"}"#,
        // JSON and texts are not names.
        r#"{"@context": {"@vocab": "http://schema.org/", "value": {"@type": "@json"}}, "@type": "PropertyValue", "name": "Name", "value": {"Name": "http://www.schema.org/Name"}}"#,
    ] {
        assert_eq!(fixed(text), text);
    }
    // The other name of the object is changed all the same.
    let text = r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Book", "Name": "N", "name": "M", "Text": "T"}"#;
    assert_eq!(fixed(text), text.replace("Text", "text"));
}

#[test]
fn what_is_not_told_is_not_changed() {
    let text = r#"{"@context": {"@vocab": "http://www.schema.org/"}, "@type": "TVSeries", "seasons": {"@id": "urn:s"}, "Name": "N"}"#;
    let levels = [CheckRule::NamespaceAlias, CheckRule::Superseded].map(|code| (code, CheckLevel::Off));
    let check = CheckOptions { levels: levels.into(), ..CheckOptions::default() };
    assert_eq!(fixed_with(text, None, &check), text.replace("\"Name\"", "\"name\""));
}

/// A name in other letter case that is not a name of its kind, or one that it has taken the place of.
fn wrong_name(name: &str, random: &mut StdRng) -> Option<String> {
    let vocabulary = SchemaOrgVocabulary::built_in();
    let property = vocabulary.property(name);
    if random.random_bool(0.5) {
        let is_older = |old: &&str| {
            let old = vocabulary.property(old);
            old.and_then(|old| old.successor()).is_some_and(|it| it.name() == name)
        };
        let names: Vec<&str> = vocabulary.terms().map(|term| term.name()).filter(is_older).collect();
        property?;
        return names.choose(random).map(|name| (*name).to_owned());
    }
    let at = random.random_range(0..name.len());
    let turned = |(place, letter): (usize, char)| match place == at {
        true if letter.is_lowercase() => letter.to_ascii_uppercase(),
        true => letter.to_ascii_lowercase(),
        false => letter,
    };
    let wrong: String = name.chars().enumerate().map(turned).collect();
    let is_known = |name: &str| match property {
        Some(_) => vocabulary.property(name).is_some(),
        None => vocabulary.class(name).or(vocabulary.member(name)).is_some(),
    };
    (wrong != name && !is_known(&wrong)).then_some(wrong)
}

#[test]
fn a_document_with_wrong_names_becomes_what_it_was_byte_for_byte() {
    let documents = documents();
    let mut random = StdRng::seed_from_u64(19);
    let mut changed = 0;
    for round in 0..400 {
        let document = documents.choose(&mut random).expect("there are documents");
        let text = if round % 2 == 0 { format!("{document:#}\r\n") } else { document.to_string() };
        let quoted: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
        let name = quoted.choose(&mut random).expect("it has strings");
        let local = name.strip_prefix("http://schema.org/").unwrap_or(name);
        let vocabulary = SchemaOrgVocabulary::built_in();
        let is_name =
            vocabulary.property(local).or(vocabulary.class(local)).or(vocabulary.member(local)).is_some();
        let Some(wrong) = (is_name).then(|| wrong_name(local, &mut random)).flatten() else { continue };
        let quoted_wrong = format!("\"{}{wrong}\"", &name[..name.len() - local.len()]);
        let mutant = text.replace(&format!("\"{name}\""), &quoted_wrong);
        let faults = |text: &str| {
            let mut found = CheckedText::new(text).findings(&CheckOptions::default());
            found.retain(|finding| finding.level >= CheckLevel::Warning);
            found.len()
        };
        // A text may look like a name.
        if faults(&mutant) == 0 {
            continue;
        }
        assert_eq!(fixed(&mutant), text, "{local} → {wrong}");
        changed += 1;
    }
    assert!(changed >= 100, "{changed} documents were changed");
}
