//! Faults injected into generated documents: what is left and what is reported as lost make up
//! the repaired document.

use crate::generated::choices::Choices;
use crate::generated::documents::Json;
use crate::jsonld::collecting_sink::CollectingSink;
use evalgraph::json::{self, Limits};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, NoLoader, ToRdfEffects};
use proptest::prelude::*;
use std::sync::Arc;

/// A document in two forms.
struct Pair {
    faulty: Json,
    repaired: Json,
}

impl Pair {
    fn same(value: Json) -> Self {
        Self { faulty: value.clone(), repaired: value }
    }

    fn object(members: Vec<(String, String, Self)>) -> Self {
        let (mut faulty, mut repaired) = (Vec::new(), Vec::new());
        for (faulty_key, repaired_key, value) in members {
            faulty.push((faulty_key, value.faulty));
            repaired.push((repaired_key, value.repaired));
        }
        Self { faulty: Json::Object(faulty), repaired: Json::Object(repaired) }
    }

    fn array(items: Vec<Self>) -> Self {
        let (faulty, repaired) = items.into_iter().map(|item| (item.faulty, item.repaired)).unzip();
        Self { faulty: Json::Array(faulty), repaired: Json::Array(repaired) }
    }
}

proptest! {
    #![proptest_config(crate::generated::cases(1500))]

    #[test]
    fn what_is_left_and_what_is_lost_make_up_the_repaired_document(
        drawn in proptest::collection::vec(any::<u16>(), 0..150),
    ) {
        let pair = document(&mut Choices::new(&drawn));
        let (faulty, repaired) = (text(&pair.faulty), text(&pair.repaired));
        let (left, conversion) = convert(&faulty).map_err(TestCaseError::fail)?;
        let (whole, without_faults) = convert(&repaired).map_err(TestCaseError::fail)?;
        prop_assert_eq!(without_faults.warnings.len(), 0, "the repaired document has a fault: {}", repaired);
        prop_assert_eq!(left + conversion.lost_triples(), whole, "{}\n{}", faulty, repaired);
    }
}

#[test]
fn a_null_costs_one_and_a_free_floating_value_nothing() {
    let cost = |text: &str| {
        let (_, conversion) = convert(text).expect("faults that are warnings are not errors");
        conversion.warnings.iter().map(|warning| (warning.code.as_str(), warning.cost)).collect::<Vec<_>>()
    };
    assert_eq!(cost(r#"{"http://example.org/p": [1, null, null]}"#), [("null value", 1), ("null value", 1)]);
    assert_eq!(cost(r#"{"@graph": ["free", {"http://example.org/p": 1}]}"#), [("free-floating value", 0)]);
    assert_eq!(
        cost(r#"{"unmapped": {"@id": "http://example.org/a", "http://example.org/p": [1, 2]}}"#),
        [("unmapped key", 3)]
    );
    assert_eq!(cost(r#"{"@id": "ab", "http://example.org/p": [1, 2]}"#), [("relative IRI", 2)]);
    assert_eq!(
        cost(r#"{"@id": "http://example.org/a b", "http://example.org/p": [1, 2]}"#),
        [("invalid IRI", 2)]
    );
}

fn text(json: &Json) -> String {
    let mut text = String::new();
    json.write(&mut text);
    text
}

/// How many distinct quads a text has, and what was lost, with its cost.
fn convert(text: &str) -> Result<(u64, ToRdfEffects), String> {
    let document =
        json::parse("generated", text.to_owned(), Limits::default()).expect("generated text is JSON");
    let mut sink = CollectingSink::default();
    let conversion = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader)
        .to_rdf(&Arc::new(document), &mut sink)
        .map_err(|error| format!("{error}\n{text}"))?;
    Ok((sink.quads().len() as u64, conversion))
}

fn document(choices: &mut Choices<'_>) -> Pair {
    let context = r#"{"ex": "http://example.org/ns#", "ref": {"@id": "ex:ref", "@type": "@id"},
        "list": {"@id": "ex:list", "@container": "@list"},
        "graph": {"@id": "ex:graph", "@container": "@graph"},
        "language": {"@id": "ex:language", "@container": "@language"},
        "index": {"@id": "ex:index", "@container": "@index"},
        "reverse": {"@reverse": "ex:reverse"}}"#;
    let mut items: Vec<Pair> = (0..1 + choices.below(3)).map(|_| node(choices, 0)).collect();
    let mut graph = Pair::array(std::mem::take(&mut items));
    if choices.once_in(3)
        && let Json::Array(faulty) = &mut graph.faulty
    {
        let free = choices.pick(&["\"free\"", "{\"@value\": 1}", "{\"@list\": [1]}", "true"]);
        faulty.insert(choices.below(faulty.len() + 1), Json::raw(free));
    }
    Pair::object(vec![
        ("@context".to_owned(), "@context".to_owned(), Pair::same(Json::raw(context))),
        ("@graph".to_owned(), "@graph".to_owned(), graph),
    ])
}

/// An id that is well formed, or one that is not and its repair. Few names, so that a faulty id
/// comes twice and a lost quad is there all the same.
fn id(choices: &mut Choices<'_>) -> Pair {
    let number = choices.below(3);
    match choices.below(4) {
        0 | 1 => Pair::same(Json::text(format!("http://example.org/{number}"))),
        2 => Pair {
            faulty: Json::text(format!("http://example.org/invalid {number}")),
            repaired: Json::text(format!("http://example.org/invalid%20{number}")),
        },
        _ => Pair {
            faulty: Json::text(format!("relative{number}")),
            repaired: Json::text(format!("http://example.org/relative{number}")),
        },
    }
}

fn node(choices: &mut Choices<'_>, level: usize) -> Pair {
    let mut members = Vec::new();
    let mut add = |faulty: String, repaired: String, value: Pair| {
        if members.iter().all(|(other, _, _)| *other != faulty) {
            members.push((faulty, repaired, value));
        }
    };
    if choices.below(3) > 0 {
        add("@id".to_owned(), "@id".to_owned(), id(choices));
    }
    if choices.once_in(3) {
        add("@type".to_owned(), "@type".to_owned(), Pair::array(vec![id(choices), id(choices)]));
    }
    for _ in 0..choices.below(4) {
        let plain = choices
            .pick(&["ex:p", "ref", "list", "graph", "reverse", "language", "index", "unmapped", "ex:q"]);
        let value = match plain {
            "ref" => Pair::array(vec![id(choices), id(choices)]),
            "list" => list(choices, level),
            "index" => Pair::object(vec![("a".to_owned(), "a".to_owned(), value(choices, level))]),
            "graph" | "reverse" => node(choices, level + 1),
            "language" => Pair {
                faulty: Json::raw(r#"{"en": ["a", "b", null], "de": null}"#),
                repaired: Json::Object(vec![
                    ("en".to_owned(), Json::Array(vec![Json::text("a"), Json::text("b"), fresh(choices)])),
                    ("de".to_owned(), fresh(choices)),
                ]),
            },
            _ if choices.once_in(4) => value(choices, level),
            _ => Pair::array((0..choices.below(4)).map(|_| value(choices, level)).collect()),
        };
        let repaired = if plain == "unmapped" { "http://example.org/unmapped" } else { plain };
        add(plain.to_owned(), repaired.to_owned(), value);
    }
    Pair::object(members)
}

/// A list that is not empty without its nulls: one that is ends in a triple with `rdf:nil`, which
/// the repaired list does not have.
fn list(choices: &mut Choices<'_>, level: usize) -> Pair {
    let mut items: Vec<Pair> = (0..choices.below(4)).map(|_| item(choices, level)).collect();
    if !items.is_empty() {
        items.push(Pair::same(Json::raw("3")));
    }
    Pair::array(items)
}

/// A value that may stand in a list.
fn item(choices: &mut Choices<'_>, level: usize) -> Pair {
    match choices.below(4) {
        3 => Pair { faulty: Json::raw("null"), repaired: fresh(choices) },
        0 => Pair::same(Json::raw(choices.pick(&["1", "\"a\"", "true"]))),
        1 => Pair::object(vec![("@id".to_owned(), "@id".to_owned(), id(choices))]),
        _ if level < 3 => node(choices, level + 1),
        _ => Pair::same(Json::raw("2")),
    }
}

/// What a null may have stood for: no quad with it is there already.
fn fresh(choices: &mut Choices<'_>) -> Json {
    Json::text(format!("fresh {}", choices.fresh()))
}

fn value(choices: &mut Choices<'_>, level: usize) -> Pair {
    match choices.below(5) {
        0 | 1 => item(choices, level),
        2 => Pair { faulty: Json::raw("null"), repaired: fresh(choices) },
        3 => Pair::same(Json::raw(r#"{"@type": "ex:datatype", "@value": "typed"}"#)),
        _ => Pair { faulty: Json::raw("{\"@value\": null}"), repaired: fresh(choices) },
    }
}
