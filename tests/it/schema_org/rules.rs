//! The rules, one by one: the findings of a document, and their absence in one that is right.

use super::{CheckedText, NOTHING, lines, lines_of, node};
use evalgraph::schema_org::{CheckLevel, CheckOptions, CheckRule, SchemaOrgVocabulary};
use oxrdf::Term;
use std::collections::BTreeMap;
use std::sync::Arc;

#[test]
fn an_unknown_type_brings_no_findings_about_its_properties() {
    assert_eq!(
        lines(&node(r#""Questionn""#, r#""acceptedAnswer": {"@type": "Answer", "text": "4"}, "isbn": "1""#)),
        ["unknown-type urn:n @type Questionn > Question"]
    );
    let value = node(r#""Dataset""#, r#""author": {"@type": "Persn", "name": "A"}"#);
    assert_eq!(lines(&value), ["unknown-type _: @type Persn > Person"]);
}

#[test]
fn a_foreign_type_is_left_alone() {
    assert_eq!(lines(&node(r#""urn:other:Thing""#, r#""isbn": "1""#)), NOTHING);
    assert_eq!(lines(&node(r#"["Question", "urn:other:Thing"]"#, r#""isbn": "1""#)), ["domain urn:n isbn"]);
    assert_eq!(lines(&node(r#""Dataset""#, r#""author": {"@type": "urn:other:Being"}"#)), NOTHING);
}

#[test]
fn a_quantity_is_a_literal_or_a_node_with_the_properties_of_things() {
    assert_eq!(lines(&node(r#""Product""#, r#""weight": "5 kg", "height": 5"#)), NOTHING);
    assert_eq!(lines(&node(r#""Product""#, r#""weight": {"@type": "Mass", "name": "5 kg"}"#)), NOTHING);
    assert_eq!(lines(&node(r#""Recipe""#, r#""cookTime": {"@type": "Duration", "name": "PT5M"}"#)), NOTHING);
    assert_eq!(lines(&node(r#""Mass""#, r#""isbn": "1""#)), ["domain urn:n isbn"]);
    assert_eq!(lines(&node(r#""Date""#, r#""isbn": "1""#)), ["datatype-node urn:n @type Date"]);
}

#[test]
fn lexical_forms_are_those_of_iso_8601() {
    let of = |property: &str, value: &str| {
        let text = node(r#"["Event", "Recipe", "VideoObject"]"#, &format!(r#""{property}": "{value}""#));
        lines(&text).is_empty()
    };
    for good in [
        "2024",
        "2024-05",
        "20240501",
        "2024-W10",
        "2024W102",
        "2024-366",
        "2020-W53-7",
        "-0043-03-15",
        "2024-05-01Z",
        "2024-05-01+02:00",
        "2024-05-01T10:30",
        "20240501T103000Z",
        "2024-05-01T24:00:00",
        "2024-05-01T10:30:00,5+0200",
    ] {
        assert!(of("startDate", good), "{good}");
    }
    for bad in [
        "",
        "24",
        "202405",
        "2024-13",
        "2023-02-29",
        "2023-366",
        "2024-W54",
        "2021-W53-1",
        "2024-05-01T25:00",
        "2024-5-1",
        "2024-05-01 10:30",
        "01/05/2024",
        "2024-05-01T",
        "2024-05-01T10:61",
        "2024-05-01Tnoon",
        "٢٠٢٤",
        "2024é1",
    ] {
        assert!(!of("startDate", bad), "{bad}");
    }
    for (good, value) in [
        (true, "PT1H30M"),
        (true, "P1Y2M3DT4H5M6.5S"),
        (true, "P2W"),
        (true, "-P1D"),
        (false, "P"),
        (false, "PT"),
        (false, "1H"),
        (false, "P1H"),
        (false, "PT1D"),
        (false, "P1D1Y"),
        (false, "P1"),
        (false, "PD"),
        (false, "P1é"),
    ] {
        assert_eq!(of("duration", value), good, "{value}");
    }
    for (good, value) in [
        (true, "10:30"),
        (true, "10:30:59Z"),
        (true, "10:30-05:00"),
        (false, "1030"),
        (false, "10"),
        (false, "24:01"),
    ] {
        assert_eq!(of("doorTime", value), good, "{value}");
    }
}

#[test]
fn numbers_booleans_and_urls_count_by_their_form() {
    let of = |members: &str| lines(&node(r#"["Question", "Dataset", "Movie"]"#, members));
    assert_eq!(of(r#""answerCount": ["3", 3, 3.0, "-3"]"#), NOTHING);
    assert_eq!(of(r#""answerCount": [3.5]"#), ["datatype urn:n answerCount"]);
    assert_eq!(of(r#""answerCount": [true]"#), ["datatype urn:n answerCount"]);
    assert_eq!(of(r#""isFamilyFriendly": ["true", false, "http://schema.org/False"]"#), NOTHING);
    assert_eq!(of(r#""isFamilyFriendly": 1"#), ["datatype urn:n isFamilyFriendly"]);
    assert_eq!(of(r#""sameAs": ["urn:uuid:1", "https://example.org/?q={term}", {"@id": "urn:a"}]"#), NOTHING);
    assert_eq!(of(r#""sameAs": "example.org""#), ["datatype urn:n sameAs"]);
    assert_eq!(of(r#""sameAs": "see: there""#), ["datatype urn:n sameAs"]);
    assert_eq!(of(r#""dateCreated": {"@value": "2024-01-01", "@type": "Date"}"#), NOTHING);
    assert_eq!(
        of(r#""dateCreated": {"@value": "2024-01-01", "@type": "Dtae"}"#),
        ["unknown-type urn:n @type Dtae > Date"]
    );
}

#[test]
fn a_text_may_stand_where_text_is_expected_in_whatever_form() {
    let text = r#""name": ["a", {"@value": "b", "@language": "it"}, "https://example.org/", {"@value": "c", "@type": "Text"}]"#;
    assert_eq!(lines(&node(r#""Dataset""#, text)), NOTHING);
    assert_eq!(lines(&node(r#""Dataset""#, r#""name": [5, true]"#)), ["literal-kind urn:n name"]);
    assert_eq!(lines(&node(r#""Dataset""#, r#""author": 5"#)), ["range urn:n author"]);
}

#[test]
fn an_enumeration_has_members_and_texts_that_name_them() {
    let offer = |value: &str| lines(&node(r#""Offer""#, &format!(r#""availability": {value}"#)));
    assert_eq!(offer(r#"{"@id": "https://schema.org/InStock"}"#), NOTHING);
    assert_eq!(offer(r#""https://example.org/in-stock""#), NOTHING);
    assert_eq!(offer(r#"{"@type": "ItemAvailability", "name": "on order"}"#), NOTHING);
    assert_eq!(offer(r#""https://schema.org/InStock""#), ["enum-as-text urn:n availability"]);
    assert_eq!(offer(r#""instock""#), ["enum-value urn:n availability instock > InStock"]);
    assert_eq!(offer(r#""Monday""#), ["enum-value urn:n availability Monday"]);
    assert_eq!(
        offer(r#"{"@id": "https://schema.org/InStok"}"#),
        ["unknown-term urn:n availability InStok > InStock"]
    );
    assert_eq!(offer(r#"{"@id": "https://schema.org/Person"}"#), ["range urn:n availability"]);
}

#[test]
fn a_member_may_leave_out_its_enumeration_and_an_enumeration_its_members() {
    let incentive = node(r#""FinancialIncentive""#, r#""incentiveType": "TaxCredit""#);
    assert_eq!(lines(&incentive), ["enum-as-text urn:n incentiveType"]);
    let offer = |value: &str| lines(&node(r#""Offer""#, &format!(r#""businessFunction": "{value}""#)));
    assert_eq!(offer("http://purl.org/goodrelations/v1#LeaseOut"), NOTHING);
    assert_eq!(offer("lease"), ["text-for-object urn:n businessFunction"]);
}

#[test]
fn a_described_node_is_no_address_unless_it_has_one() {
    let of = |members: &str| lines(&node(r#"["Dataset", "SoftwareSourceCode"]"#, members));
    assert_eq!(of(r#""url": {"@id": "https://example.org/", "@type": "WebPage"}"#), NOTHING);
    assert_eq!(
        of(r#""codeRepository": {"@id": "urn:p", "@type": "Person"}"#),
        ["range urn:n codeRepository"]
    );
    assert_eq!(
        of(r#""license": {"@id": "https://example.org/p", "@type": "Person"}"#),
        ["range urn:n license"]
    );
    assert_eq!(of(r#""url": {"name": "x"}"#), ["no-type _:", "range urn:n url"]);
    assert_eq!(
        of(r#""name": {"@id": "urn:p", "alternateName": "x"}"#),
        ["no-type urn:p", "range urn:n name"]
    );
}

#[test]
fn values_mix_no_namespaces() {
    let offer = |namespace: &str| {
        let members = format!(r#""availability": {{"@id": "{namespace}InStock"}}"#);
        lines(&format!(r#"{{"@context": "https://schema.org", "@type": "Offer", {members}}}"#))
    };
    assert_eq!(offer("https://schema.org/"), NOTHING);
    assert_eq!(offer("https://schema.org/#"), ["namespace-alias"]);
    assert_eq!(
        lines(&node(r#"["Offer", "http://schema.org/Offer"]"#, r#""name": "x""#)),
        ["namespace-mixed"]
    );
}

#[test]
fn a_class_may_stand_for_its_instances_and_a_term_for_itself() {
    let of = |members: &str| lines(&node(r#"["Book", "Property"]"#, members));
    assert_eq!(of(r#""about": {"@id": "https://schema.org/Person"}"#), NOTHING);
    assert_eq!(of(r#""author": {"@id": "https://schema.org/Person"}"#), NOTHING);
    assert_eq!(of(r#""rangeIncludes": {"@id": "https://schema.org/Text"}"#), NOTHING);
    assert_eq!(
        of(r#""rangeIncludes": {"@id": "https://schema.org/Persn"}"#),
        ["unknown-term urn:n rangeIncludes Persn > Person"]
    );
    assert_eq!(of(r#""author": {"@id": "https://schema.org/docs/about.html"}"#), NOTHING);
}

#[test]
fn a_role_stands_between_a_node_and_a_value() {
    let film = |role: &str| lines(&node(r#""Movie""#, &format!(r#""actor": {role}"#)));
    let role = r#""@type": "PerformanceRole", "characterName": "X""#;
    assert_eq!(film(&format!(r#"{{{role}, "actor": {{"@type": "Person", "name": "A"}}}}"#)), NOTHING);
    assert_eq!(film(&format!(r#"{{"@list": [{{{role}, "actor": {{"@type": "Person"}}}}]}}"#)), NOTHING);
    assert_eq!(film(&format!("{{{role}}}")), ["role-unpropagated urn:n actor"]);
    // It carries the property that leads to it, and no other.
    assert_eq!(
        film(&format!(r#"{{{role}, "actor": {{"@type": "Person"}}, "director": {{"@type": "Person"}}}}"#)),
        ["domain _: director"]
    );
}

#[test]
fn items_of_lists_are_values_wherever_the_list_is() {
    let lists =
        r#""author": {"@list": [{"@list": [{"@type": "Person"}]}, {"@list": []}, {"@type": "Product"}]}"#;
    assert_eq!(lines(&node(r#""Dataset""#, lists)), ["range urn:n author"]);
    assert_eq!(
        lines(&node(r#""Dataset""#, r#""name": {"@list": ["a", {"@id": "a b"}]}"#)),
        ["bad-iri urn:n name https://example.org/a b"]
    );
}

#[test]
fn a_list_that_comes_back_to_itself_ends() {
    let first = "http://www.w3.org/1999/02/22-rdf-syntax-ns#first";
    let rest = "http://www.w3.org/1999/02/22-rdf-syntax-ns#rest";
    let cells = format!(
        r#""author": {{"@id": "urn:c", "{first}": [{{"@type": "Product"}}, {{"@id": "urn:c"}}], "{rest}": {{"@id": "urn:c"}}}}"#
    );
    assert_eq!(lines(&node(r#""Dataset""#, &cells)), ["range urn:n author"]);
}

#[test]
fn annotations_of_actions_are_for_actions() {
    let search =
        r#""query-input": "required name=q", "result-output": {"@type": "PropertyValueSpecification"}"#;
    assert_eq!(lines(&node(r#""SearchAction""#, search)), NOTHING);
    assert_eq!(lines(&node(r#""Book""#, r#""text-input": "required""#)), ["domain urn:n text-input"]);
    assert_eq!(
        lines(&node(r#""SearchAction""#, r#""qery-input": "required""#)),
        ["unknown-property urn:n qery-input qery-input > query-input"]
    );
}

#[test]
fn both_generations_of_the_context_are_fine() {
    let members = r#""@type": "Dataset", "url": "https://example.org/", "dateCreated": "2024-01-01", "license": "https://example.org/l""#;
    for context in
        ["https://schema.org", "http://schema.org/", "https://schema.org/docs/jsonldcontext.jsonld"]
    {
        assert_eq!(lines(&format!(r#"{{"@context": "{context}", {members}}}"#)), NOTHING, "{context}");
    }
    // The next release's has no coercions.
    assert_eq!(lines(&format!(r#"{{"@context": {{"@vocab": "http://schema.org/"}}, {members}}}"#)), NOTHING);
}

#[test]
fn a_document_that_lost_its_context_hears_of_that_alone() {
    assert_eq!(lines(r#"{"@type": "Dataset", "name": "Set", "author": {"name": "A"}}"#), ["no-schema-org"]);
    assert_eq!(lines("{}"), ["no-schema-org"]);
    assert_eq!(
        lines(r#"{"@id": "urn:n", "@type": "sdo:Person", "sdo:name": "A"}"#),
        ["undefined-prefix sdo"]
    );
}

#[test]
fn what_the_graph_does_not_have_is_found() {
    let context =
        r#""@context": {"name": "https://schema.org/name", "Dataset": "https://schema.org/Dataset"}"#;
    let text = format!(r#"{{{context}, "@id": "a b", "@type": "Dataset", "name": "Set", "titel": "T"}}"#);
    let found = CheckedText::with_base(&text, None).findings(&CheckOptions::default());
    assert_eq!(lines_of(&found), ["bad-iri a b a b", "dropped-key a b titel titel"]);
    let text = format!(
        r#"{{{context}, "@id": "a", "@type": "Dataset", "name": {{"@id": "b", "@type": "Dataset"}}}}"#
    );
    let found = CheckedText::with_base(&text, None).findings(&CheckOptions::default());
    assert_eq!(lines_of(&found), ["range a name", "relative-iri a a", "relative-iri a name b"]);
    assert_eq!(
        lines(&node(r#""Dataset""#, r#""name": null, "description": [null], "keywords": []"#)),
        NOTHING
    );
    assert_eq!(
        lines(&node(r#""Dataset""#, r#""date created": "2024""#)),
        ["bad-iri urn:n date created https://schema.org/date created"]
    );
}

#[test]
fn levels_are_set_by_rule() {
    let text = CheckedText::new(&node(r#""Dataset""#, r#""creator": "A", "isbn": "1""#));
    let levels = |levels: &[(CheckRule, CheckLevel)]| CheckOptions {
        levels: levels.iter().copied().collect(),
        ..CheckOptions::default()
    };
    let (_, summary) = text.check(&CheckOptions::default());
    assert_eq!((summary.errors, summary.warnings, summary.infos, summary.conforms), (0, 1, 1, true));
    let (_, summary) = text.check(&CheckOptions { strict: true, ..CheckOptions::default() });
    assert!(!summary.conforms);
    let (found, summary) = text.check(&levels(&[
        (CheckRule::Domain, CheckLevel::Off),
        (CheckRule::TextForObject, CheckLevel::Error),
    ]));
    assert_eq!(lines_of(&found), ["text-for-object urn:n creator"]);
    assert!(!summary.conforms);
}

#[test]
fn an_own_vocabulary_takes_the_place_of_the_one_that_is_built_in() {
    let table = "kind\tname\tup\tdom\trng\tsup\tinv\tlay\nC\tExam\t\t\t\t\t\tcore\nP\tgrade\t\tExam\tGrade\t\t\tcore\n";
    let vocabulary = Arc::new(SchemaOrgVocabulary::from_table("own.tsv", table).expect("it is a table"));
    let options = CheckOptions { vocabulary: Some(vocabulary), ..CheckOptions::default() };
    let text = CheckedText::new(&node(r#""Exam""#, r#""grade": "A", "nmae": "B""#));
    assert_eq!(
        lines_of(&text.findings(&options)),
        ["text-for-object urn:n grade", "unknown-property urn:n nmae nmae"]
    );
}

#[test]
fn a_finding_has_its_statement_its_page_and_its_words() {
    let found = CheckedText::new(&node(r#""Offer""#, r#""availability": "InStok""#))
        .findings(&CheckOptions::default());
    let [finding] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(finding.message, "`InStok` is not a member of `ItemAvailability`");
    assert_eq!(finding.page().as_deref(), Some("https://schema.org/InStock"));
    let statement = finding.statement.as_ref().expect("the graph has it");
    assert_eq!(statement.node.to_string(), "<urn:n>");
    assert_eq!(statement.predicate.as_ref().map(|iri| iri.as_str()), Some("https://schema.org/availability"));
    assert!(matches!(&statement.value, Some(Term::Literal(text)) if text.value() == "InStok"));
}

#[test]
fn a_name_of_a_rule_or_level_is_read_back() {
    let names: BTreeMap<&str, CheckRule> = CheckRule::all().map(|code| (code.name(), code)).collect();
    assert_eq!(names.len(), CheckRule::all().count());
    for (name, code) in names {
        assert_eq!(CheckRule::named(name), Some(code));
    }
    assert_eq!(CheckLevel::named("info"), Some(CheckLevel::Info));
    assert_eq!(CheckLevel::named("fatal"), None);
}
