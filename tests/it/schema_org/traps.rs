//! Forms that look wrong and are right, and the other way round.

use super::{CheckedText, NOTHING, lines, lines_of, node};
use evalgraph::diagnostic::Diagnostic;
use evalgraph::rdf::RdfFormat;
use evalgraph::schema_org::CheckOptions;
use evalgraph::sparql::CancellationToken;

/// The findings of a value of a property on a node of a class, without the node.
fn of(class: &str, property: &str, value: &str) -> String {
    let found = lines(&node(&format!("{class:?}"), &format!("{property:?}: {value}")));
    found.join("; ").replace(" urn:n", "").replace(&format!(" {property}"), "")
}

/// The rules that a text in Turtle breaks.
fn of_turtle(text: &str) -> Vec<String> {
    let text = format!(
        "@prefix s: <http://schema.org/> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . {text}"
    );
    lines_of(&CheckedText::of_rdf(&text, RdfFormat::Turtle).findings(&CheckOptions::default()))
}

#[test]
fn a_literal_counts_by_its_form_whatever_it_is_said_to_be() {
    for value in [
        r#"{"@value": "2024-02-29", "@language": "en"}"#,
        r#"{"@value": "2024-02-29", "@type": "Text"}"#,
        r#"{"@value": "2024-W09-4", "@type": "http://www.w3.org/2001/XMLSchema#date"}"#,
        "2024",
        r#""2000-02-29""#,
        r#""2016-12-31T23:59:60Z""#,
        r#""2024-12-31T24:00:00Z""#,
        r#""2024-060""#,
        r#""2026-W53""#,
    ] {
        assert_eq!(of("CreativeWork", "dateCreated", value), "", "{value}");
    }
    for value in [
        r#"{"@value": "soon", "@language": "en"}"#,
        r#"{"@value": "soon", "@type": "Date"}"#,
        r#"{"@value": "1900-02-29", "@type": "http://www.w3.org/2001/XMLSchema#date"}"#,
        "20.5",
        "true",
        r#""2025-W53""#,
        r#""2024-12-31T24:00:01Z""#,
        r#""2024-01-01/2024-02-01""#,
        r#"" 2024-01-01""#,
        r#""2024-1-1""#,
    ] {
        assert_eq!(of("CreativeWork", "dateCreated", value), "datatype", "{value}");
    }
    // A time of day is wanted.
    assert_eq!(of("ParcelDelivery", "expectedArrivalFrom", r#""2024-05-01""#), "");
    assert_eq!(of("Message", "dateRead", r#""2024-05-01""#), "");
    assert_eq!(of("Schedule", "startTime", r#""2024-05-01""#), "datatype");
}

#[test]
fn numbers_and_booleans_may_be_texts_in_their_own_form_alone() {
    for (value, expected) in [
        (r#""4""#, ""),
        (r#""4.5""#, ""),
        (r#""-1e3""#, ""),
        (r#"{"@value": "4", "@type": "Number"}"#, ""),
        (r#""four""#, "datatype"),
        (r#""4,5""#, "datatype"),
        (r#""NaN""#, "datatype"),
        (r#""4 stars""#, "datatype"),
        ("true", "datatype"),
    ] {
        assert_eq!(of("GeoShape", "postalCode", "5"), "literal-kind");
        assert_eq!(of("MonetaryAmount", "maxValue", value), expected, "{value}");
    }
    for (value, expected) in [
        (r#"{"@id": "http://www.schema.org/False"}"#, "namespace-alias"),
        (r#""https://schema.org/True""#, ""),
        (r#"{"@value": "false", "@type": "Boolean"}"#, ""),
        (r#""True""#, "datatype"),
        (r#""no""#, "datatype"),
        ("0", "datatype"),
    ] {
        assert_eq!(of("CreativeWork", "isAccessibleForFree", value), expected, "{value}");
    }
}

#[test]
fn a_datatype_of_schema_org_makes_no_other_literal_of_a_text() {
    let number = r#"{"@value": "5", "@type": "Number"}"#;
    assert_eq!(of("Book", "name", number), "");
    assert_eq!(of("Book", "name", r#"{"@value": "x", "@type": "Integer"}"#), "");
    assert_eq!(of("Book", "numberOfPages", number), "");
    assert_eq!(of("Book", "author", number), "text-for-object");
}

#[test]
fn durations_have_weeks_fractions_and_signs_where_iso_8601_has_them() {
    for (value, expected) in [
        ("P1W", ""),
        ("P0.5Y", ""),
        ("PT1,5H", ""),
        ("-PT5M", ""),
        ("P1DT", "datatype"),
        ("PT5M5H", "datatype"),
        ("P-1D", "datatype"),
        ("p1d", "datatype"),
        ("5 min", "datatype"),
    ] {
        assert_eq!(of("Recipe", "cookTime", &format!("{value:?}")), expected, "{value}");
    }
    assert_eq!(of("NutritionInformation", "fatContent", r#""9 g""#), "");
    assert_eq!(of("NutritionInformation", "fatContent", "9"), "");
    assert_eq!(of("NutritionInformation", "fatContent", r#"{"name": "9 g"}"#), "no-type _:");
    assert_eq!(of("NutritionInformation", "fatContent", r#"{"@type": "Energy", "name": "9"}"#), "range");
}

#[test]
fn a_url_is_any_absolute_iri_without_blanks() {
    for value in [
        "https://пример.рф/страница",
        "mailto:ann@example.org",
        "data:text/plain,hello",
        "urn:isbn:9780000000002",
        "tel:+1-555-0100",
        "https://example.org/?q={search_term_string}",
    ] {
        assert_eq!(of("SoftwareSourceCode", "codeRepository", &format!("{value:?}")), "", "{value}");
    }
    for value in ["//example.org/a", "/a", "example.org", "https://example.org/a b", "https:", ""] {
        assert_eq!(of("SoftwareSourceCode", "codeRepository", &format!("{value:?}")), "datatype", "{value}");
    }
    for id in ["https://example.org/a b", "https://example.org/?q={q}", "http://[::1", "urn:x:%zz"] {
        let expected = format!("bad-iri {id}");
        assert_eq!(of("SoftwareSourceCode", "codeRepository", &format!(r#"{{"@id": "{id}"}}"#)), expected);
    }
}

#[test]
fn a_member_is_named_by_any_of_its_iris_or_its_bare_name() {
    for (value, expected) in [
        (r#"{"@id": "http://schema.org/Monday"}"#, ""),
        (r#"{"@id": "https://schema.org/PublicHolidays"}"#, ""),
        (r#"{"@id": "https://schema.org/monday"}"#, "unknown-term monday > Monday"),
        (r#"{"@id": "https://schema.org/DayOfWeek"}"#, ""),
        (r#""Monday""#, "enum-as-text"),
        (r#""http://schema.org/Monday""#, "enum-as-text"),
        (r#""http://www.schema.org/Monday""#, "enum-as-text"),
        (r#""schema:Monday""#, "enum-as-text"),
        (r#""https://schema.org/monday""#, "enum-value monday > Monday"),
        (r#""schema:Mondy""#, "enum-value Mondy > Monday"),
        (r#""monday""#, "enum-value monday > Monday"),
        (r#""Mo""#, "enum-value Mo"),
        (r#""http://purl.org/goodrelations/v1#Monday""#, ""),
        (r#"{"@id": "http://purl.org/goodrelations/v1#Monday"}"#, ""),
        ("1", "range"),
        (r#"["Monday", "Tuesday"]"#, "enum-as-text"),
    ] {
        assert_eq!(of("OpeningHoursSpecification", "dayOfWeek", value), expected, "{value}");
    }
    // A specialty is one for all properties that expect what is above it.
    assert_eq!(of("Physician", "medicalSpecialty", r#"{"@id": "https://schema.org/Cardiovascular"}"#), "");
    assert_eq!(of("MedicalWebPage", "specialty", r#"{"@id": "https://schema.org/Cardiovascular"}"#), "");
    assert_eq!(of("Person", "gender", r#""other""#), "");
}

#[test]
fn an_iri_without_a_description_may_stand_for_a_node_and_is_told_for_a_value() {
    assert_eq!(of("Book", "author", r#"{"@id": "https://example.org/ann"}"#), "");
    assert_eq!(of("Book", "isbn", r#"{"@id": "https://example.org/isbn"}"#), "url-for-value");
    assert_eq!(of("Book", "name", r#"{"@id": "https://schema.org/Person"}"#), "url-for-value");
    assert_eq!(of("Book", "license", r#""a licence""#), "datatype");
    assert_eq!(of("Book", "additionalType", r#"{"@id": "https://schema.org/Bok"}"#), "");
    assert_eq!(of("Book", "about", r#"{"@id": "https://schema.org/Persn"}"#), "unknown-term Persn > Person");
}

#[test]
fn one_finding_is_told_for_a_property_however_many_values_have_it() {
    assert_eq!(of("Book", "author", r#"["A", "B", {"@list": ["C", ["D"]]}]"#), "text-for-object");
    assert_eq!(of("Book", "name", "[1, 2, true]"), "literal-kind");
    assert_eq!(of("Book", "author", r#"[1, {"@type": "Product", "name": "x"}]"#), "range");
    assert_eq!(of("Book", "isbn", r#"[{"@id": "urn:a"}, {"@id": "urn:b"}]"#), "url-for-value");
    assert_eq!(of("Book", "author", r#"{"@list": []}"#), "");
}

#[test]
fn types_are_looked_at_together() {
    let kinds = |kinds: &str, members: &str| lines(&node(kinds, members));
    assert_eq!(kinds(r#"["Product", "Book"]"#, r#""isbn": "1", "gtin": "2""#), NOTHING);
    assert_eq!(
        kinds(r#"["Prodct", "Person"]"#, r#""isbn": "1""#),
        ["unknown-type urn:n @type Prodct > Product"]
    );
    assert_eq!(kinds(r#""InStock""#, r#""isbn": "1""#), ["unknown-type urn:n @type InStock"]);
    assert_eq!(kinds(r#""_:b1""#, r#""isbn": "1""#), NOTHING);
    assert_eq!(kinds(r#""DataType""#, r#""name": "Text""#), NOTHING);
    assert_eq!(kinds(r#""Integer""#, r#""isbn": "1""#), ["datatype-node urn:n @type Integer"]);
    // A datatype as a type of the value says all there is to say.
    let value = r#""url": {"@id": "https://example.org/", "@type": "URL"}"#;
    assert_eq!(kinds(r#""Book""#, value), ["datatype-node https://example.org/ @type URL"]);
}

#[test]
fn a_term_that_is_gone_is_told_wherever_it_stands() {
    let season = node(r#""TVSeries""#, r#""season": {"@type": "TVSeason"}"#);
    assert_eq!(lines(&season), ["superseded urn:n season season > containsSeason"]);
    assert_eq!(of("Physician", "medicalSpecialty", r#""Dermatologic""#), "enum-as-text");
    assert_eq!(
        of("Thing", "additionalType", r#"{"@id": "https://schema.org/Code"}"#),
        "superseded Code > SoftwareSourceCode"
    );
}

#[test]
fn pending_terms_are_told_once_each_wherever_they_stand() {
    let text = node(
        r#"["Question", "LearningResource"]"#,
        r#""educationalLevel": ["a", "b"], "text": {"@value": "x", "@type": "CssSelectorType"},
           "hasPart": {"@type": "LearningResource", "educationalLevel": "c"}"#,
    );
    let found = CheckedText::new(&text).findings(&CheckOptions { pending: true, ..CheckOptions::default() });
    assert_eq!(
        lines_of(&found),
        [
            "pending CssSelectorType CssSelectorType",
            "pending LearningResource LearningResource",
            "pending educationalLevel educationalLevel"
        ]
    );
}

#[test]
fn a_role_stands_on_either_side_of_its_property() {
    let on = |members: &str| lines(&node(r#""Organization""#, members));
    let reversed = r#""@reverse": {"member": {"@id": "urn:r", "@type": "Role", "@reverse": {"member": {"@id": "urn:o", "@type": "Organization"}}}}"#;
    assert_eq!(lines(&node(r#""Person""#, reversed)), NOTHING);
    // Nothing leads to it by the property.
    assert_eq!(lines(&node(r#""Role""#, r#""member": {"@type": "Person"}"#)), ["domain urn:n member"]);
    let twice = r#""member": {"@type": "Role", "member": {"@type": "OrganizationRole", "member": {"@type": "Person"}}}"#;
    assert_eq!(on(twice), NOTHING);
    let other = r#""member": {"@type": "Role", "employee": {"@type": "Person"}}"#;
    assert_eq!(on(other), ["domain _: employee", "role-unpropagated urn:n member"]);
    let mixed = r#""http://schema.org/member": {"@type": "Role", "member": {"@type": "Person"}}"#;
    assert_eq!(on(mixed), ["namespace-mixed"]);
    let product = r#""member": {"@type": "Role", "member": {"@type": "Product"}}"#;
    assert_eq!(on(product), ["range _: member"]);
}

#[test]
fn many_roles_of_one_list_are_found_from_each_of_them() {
    let roles: Vec<String> = (0..300)
        .map(|number| {
            format!(r#"{{"@type": "Role", "roleName": "{number}", "actor": {{"@type": "Person"}}}}"#)
        })
        .collect();
    let list = format!(r#""actor": {{"@list": [[{}]]}}"#, roles.join(", "));
    assert_eq!(lines(&node(r#""Movie""#, &list)), NOTHING);
}

#[test]
fn a_list_that_several_share_is_of_each() {
    let shared = "_:l rdf:first _:r ; rdf:rest rdf:nil . _:r a s:Role ; s:actor [a s:Person] .
        <urn:n> a s:Movie ; s:actor _:l . <urn:m> a s:Movie ; s:actor _:l .";
    assert_eq!(of_turtle(shared), NOTHING);
    let ring = "_:l rdf:first _:r ; rdf:rest _:l . _:r a s:Role ; s:actor [a s:Person] .";
    assert_eq!(of_turtle(ring), ["domain _: actor"]);
}

#[test]
fn prefixes_that_nobody_declared_are_told_once_each_wherever_they_stand() {
    let text = r#"{"@context": {"@vocab": "https://schema.org/"}, "@type": ["Book", "sdo:Book"], "schema:name": "x",
        "author": {"@id": "schema:ann"}, "dateCreated": {"@value": "2024", "@type": "schemaorg:Date"},
        "about": {"@list": [{"@id": "schema:bob"}]}}"#;
    assert_eq!(
        lines(text),
        ["undefined-prefix schema", "undefined-prefix schemaorg", "undefined-prefix sdo"]
    );
    // A URL of another scheme, and a prefix that is declared.
    let text = r#"{"@context": {"@vocab": "https://schema.org/", "schema": "https://schema.org/"}, "@type": "schema:Book",
        "schema:name": "x", "sameAs": "schema://x"}"#;
    assert_eq!(lines(text), NOTHING);
}

#[test]
fn a_namespace_has_to_end_where_schema_org_ends_it() {
    let under = |namespace: &str| {
        lines(&format!(r#"{{"@context": {{"@vocab": "{namespace}"}}, "@type": "Book", "name": "x"}}"#))
    };
    assert_eq!(under("https://schema.org#"), ["namespace-alias"]);
    assert_eq!(under("http://www.schema.org/"), ["namespace-alias"]);
    assert_eq!(under("https://schema.org"), ["no-schema-org"]);
    assert_eq!(under("https://schema.org.example.net/"), ["no-schema-org"]);
}

#[test]
fn a_term_that_is_a_value_of_another_vocabulary_is_one_of_the_document() {
    assert_eq!(of_turtle("<urn:shape> <urn:path> s:name ."), NOTHING);
    assert_eq!(of_turtle("<urn:shape> <urn:path> <http://schema.org/docs/about.html> ."), ["no-schema-org"]);
}

#[test]
fn graphs_included_nodes_and_json_are_read_as_json_ld_has_them() {
    let graph = r#"{"@context": {"@vocab": "https://schema.org/"}, "@id": "urn:g", "@type": "Dataset", "name": "x",
        "@graph": [{"@id": "urn:b", "@type": "Book", "isnb": "1"}], "@included": [{"@id": "urn:c", "@type": "Bok"}]}"#;
    assert_eq!(
        lines(graph),
        ["unknown-property urn:b isnb isnb > isbn", "unknown-type urn:c @type Bok > Book"]
    );
    // The type is in one graph and the property in another.
    let graphs = r#"{"@context": {"@vocab": "https://schema.org/"}, "@id": "urn:g", "@type": "Dataset",
        "@graph": [{"@id": "urn:b", "@type": "Book"}, {"@id": "urn:h", "@graph": [{"@id": "urn:b", "isbn": "1"}]}]}"#;
    assert_eq!(lines(graphs), NOTHING);
    assert_eq!(of("Book", "author", r#"{"@value": {"nmae": "x"}, "@type": "@json"}"#), "");
    assert_eq!(of("Book", "_:p", r#""x""#), "");
}

#[test]
fn all_that_has_no_iri_is_told() {
    let authors = r#"[{"@id": "a b"}, {"@id": "c d"}, {"@list": [{"@id": "a b"}]}]"#;
    assert_eq!(
        of("Book", "author", authors),
        "bad-iri https://example.org/a b; bad-iri https://example.org/c d"
    );
    // What is said of a node without an IRI is checked like anything else.
    let lost = r#"{"@context": {"@vocab": "https://schema.org/"}, "@id": "book", "@type": "Book", "isnb": "1",
        "url": {"@id": "page", "@type": "WebPage"}, "author": [{"@id": "no id"}, {"@id": "ann", "@type": "Persn"}]}"#;
    let found = CheckedText::with_base(lost, None).findings(&CheckOptions::default());
    assert_eq!(
        lines_of(&found),
        [
            "bad-iri book author no id",
            "relative-iri book author ann",
            "relative-iri book book",
            "relative-iri book url page",
            "unknown-property book isnb isnb > isbn",
            "unknown-type ann @type Persn > Person",
        ]
    );
    let list = r#""name": {"@list": [{"@id": "no id"}, "a"]}"#;
    assert_eq!(lines(&node(r#""Book""#, list)), ["bad-iri urn:n name https://example.org/no id"]);
    // A datatype without an IRI is an error of JSON-LD.
    let datatype = node(r#""Book""#, r#""name": {"@value": "x", "@type": "no type"}"#);
    assert!(CheckedText::loaded(&datatype, None).is_err());
    let graph = r#"{"@context": {"@vocab": "https://schema.org/"},
        "@id": "urn:a b", "@graph": [{"@id": "urn:b", "@type": "Book"}, {"@id": "urn:c", "@type": "Book"}]}"#;
    assert_eq!(lines(graph), ["bad-iri urn:a b urn:a b"]);
    let type_ = node(r#"["Book", "no type"]"#, r#""isbn": "1""#);
    assert_eq!(lines(&type_), ["bad-iri urn:n @type https://schema.org/no type"]);
}

#[test]
fn a_check_ends_within_a_node_when_it_is_told_to() {
    let texts: Vec<String> = (0..100).map(|number| format!("{number}.5")).collect();
    let text = CheckedText::new(&node(
        r#""Question""#,
        &format!(r#""name": [{}], "answerCount": 0.5"#, texts.join(",")),
    ));
    let cancellation = CancellationToken::new();
    let options = CheckOptions { cancellation: cancellation.clone(), ..CheckOptions::default() };
    let mut found = 0;
    let ended = text.ended(&options, |_| {
        found += 1;
        cancellation.cancel(Diagnostic::error("test::enough", "that is enough"));
    });
    assert_eq!(
        (ended.map_err(|why| why.code.to_string()).err().as_deref(), found),
        (Some("test::enough"), 1)
    );
}
