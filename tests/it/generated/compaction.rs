//! Generated expanded documents with contexts that cover them, for the round trip through
//! compaction.
//!
//! Left out is what the algorithms themselves lose (sections of JSON-LD 1.1 API):
//!
//! - Compaction 12.8.7.3: a second list of one property under a term with `@list` takes the place of
//!   the first.
//! - Compaction 12.8.8.1 and 12.8.8.2: several nodes of one graph in a map by id or index are read
//!   back as several graphs; 12.8.8.3: in a graph container they come back inside `@included`, and
//!   none at all leaves nothing.
//! - Compaction 12.8.8.2 to 12.8.8.4: `@index` under `[@graph, @id]` or `[@graph]` is dropped, and a
//!   graph with an id under `[@graph, @index]` or `[@graph]` is read back as a map, or as a graph in
//!   a graph.
//! - Compaction 12.5: `@index` under an index that is a property, and of a node in a graph under
//!   `[@graph, @index]`; 12.8.9.6: a value under one.
//! - Compaction 12.8.9.6: the key of a property index is compacted without a value, and may be
//!   another term than the one that `@index` names and that Expansion 13.8.3.7.2 reads it by.
//! - Compaction 12.8.7.2 and 12.8.8.4: a list or a graph under a term with `@index` alone becomes an
//!   object that is read back as a map.
//! - Compaction 12.8.9.4: the direction of a value in a language map; numbers in one are not strings.
//! - Compaction 12.8.10 and Expansion 13.6: several JSON literals of one property, or one in an
//!   array, are read back as one array under a term with `@json`; nulls among them are dropped.
//! - Compaction 12.8.6: the items of a list in a list are compacted for `@list`, not for the term
//!   that Expansion 13.4.9 reads them by, where the term has a type or a language and no `@list`.
//! - IRI Compaction 4.7.4.3 takes a list in a list for a reference, and Value Compaction 10 looks at
//!   no type: a string in it is read back as an IRI.
//! - Compaction 5 ends a context that is not propagated at every node, Expansion 7 not in an index
//!   map (`from map`), and Compaction 12.8.6 not at an object with `@list`.
//! - Compaction 12.3: a reverse property under a term with `@nest`, which `@reverse` cannot hold.
//! - IRI Compaction 11: an IRI that is itself a term with a coercion or a container, and that is not
//!   selected, is returned all the same.
//! - Value Compaction 10 compares languages in lower case: how they were written is left out of the
//!   comparison.

use super::choices::Choices;
use super::documents::Json;

/// A generated case.
pub(crate) struct Case {
    /// The expanded document.
    pub(crate) document: String,
    /// A document with the context.
    pub(crate) context: String,
    pub(crate) compact_arrays: bool,
    pub(crate) ordered: bool,
}

/// Where the documents are said to live.
pub(crate) const BASE: &str = "http://example.org/base/document";

const NAMESPACE: &str = "http://example.org/ns#";

const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// How deep nodes nest at most.
const MOST_LEVELS: usize = 4;

/// Which graph objects the properties with graphs hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Graphs {
    Simple,
    Named,
    Indexed,
}

/// What the context of a case allows in the document.
struct Settings {
    graphs: Graphs,
    /// `true` if graphs may hold any number of nodes: no term takes them out of their objects.
    graphs_are_whole: bool,
    /// `true` if the keys of the property index are references.
    keys_are_references: bool,
    /// `true` if JSON literals have a term of their own, which has room for one.
    json_has_term: bool,
    /// `true` if some term is for lists of references.
    has_lists_of_references: bool,
}

/// Draws a document and a context that covers it.
pub(crate) fn case(choices: &mut Choices<'_>) -> Case {
    let compact_arrays = !choices.once_in(4);
    let ordered = choices.once_in(3);
    let (context, settings) = context(choices, compact_arrays);
    let mut nodes = vec![node(choices, &settings, 0, false)];
    for _ in 0..choices.below(3) {
        nodes.push(node(choices, &settings, 1, false));
    }
    let (mut document, mut text) = (String::new(), String::new());
    Json::Array(nodes).write(&mut document);
    Json::object([("@context", context)]).write(&mut text);
    Case { document, context: text, compact_arrays, ordered }
}

fn ex(name: &str) -> Json {
    Json::text(format!("ex:{name}"))
}

fn words(words: &[&str]) -> Json {
    match words {
        [word] => Json::text(*word),
        words => Json::Array(words.iter().map(|word| Json::text(*word)).collect()),
    }
}

/// A term definition with a random `@set` beside its container.
fn with_container(choices: &mut Choices<'_>, id: &str, container: &[&str]) -> Json {
    let mut containers = container.to_vec();
    if choices.once_in(2) && !container.contains(&"@list") {
        containers.push("@set");
    }
    Json::object([("@id", ex(id)), ("@container", words(&containers))])
}

fn and(definition: Json, key: &str, value: Json) -> Json {
    let Json::Object(mut members) = definition else { unreachable!("definitions are objects") };
    members.push((key.to_owned(), value));
    Json::Object(members)
}

type Terms = Vec<(String, Json)>;

fn context(choices: &mut Choices<'_>, compact_arrays: bool) -> (Json, Settings) {
    let mut terms: Terms = vec![
        ("@version".to_owned(), Json::raw("1.1")),
        ("ex".to_owned(), Json::text(NAMESPACE)),
        ("xsd".to_owned(), Json::text(XSD)),
    ];
    let add = |terms: &mut Terms, name: &str, value: Json| terms.push((name.to_owned(), value));
    if choices.once_in(3) {
        let vocab = choices.pick(&[NAMESPACE, "http://example.org/", "http://other.example/"]);
        add(&mut terms, "@vocab", Json::text(vocab));
    }
    if choices.once_in(4) {
        add(
            &mut terms,
            "@base",
            Json::text(choices.pick(&["http://example.org/", "other/", "http://a.example/b/c"])),
        );
    }
    if choices.once_in(4) {
        add(&mut terms, "@language", Json::text(choices.pick(&["en", "FR"])));
    }
    if choices.once_in(5) {
        add(&mut terms, "@direction", Json::text(choices.pick(&["rtl", "ltr"])));
    }
    if choices.once_in(3) {
        add(&mut terms, "org", Json::text("http://example.org/"));
    }
    add_aliases(choices, &mut terms);
    let is_unpropagated = choices.once_in(2);
    add_plain_terms(choices, &mut terms, is_unpropagated);
    add_maps(choices, &mut terms, is_unpropagated);
    add_lists(choices, &mut terms);
    add_scoped_terms(choices, &mut terms, is_unpropagated);
    let keys_are_references = add_property_index(choices, &mut terms);
    let (graphs, graphs_are_whole) = add_graphs(choices, &mut terms);
    // An array around a JSON literal is part of it.
    let json_has_term = compact_arrays && choices.once_in(2);
    if json_has_term {
        let json = Json::object([("@id", ex("json")), ("@type", Json::text("@json"))]);
        terms.push(("json".to_owned(), json));
    }
    let has_lists_of_references = terms.iter().any(|(term, _)| term == "listOfReferences");
    let settings =
        Settings { graphs, graphs_are_whole, keys_are_references, json_has_term, has_lists_of_references };
    (Json::Object(terms), settings)
}

fn add_aliases(choices: &mut Choices<'_>, terms: &mut Terms) {
    const ALIASES: [(&str, &str); 10] = [
        ("id", "@id"),
        ("val", "@value"),
        ("lang", "@language"),
        ("dir", "@direction"),
        ("idx", "@index"),
        ("items", "@list"),
        ("contents", "@graph"),
        ("back", "@reverse"),
        ("also", "@included"),
        ("nothing", "@none"),
    ];
    for (alias, keyword) in ALIASES {
        if choices.once_in(3) {
            terms.push((alias.to_owned(), Json::text(keyword)));
        }
    }
    let set = || Json::object([("@container", Json::text("@set"))]);
    match choices.below(4) {
        1 => terms.push(("@type".to_owned(), set())),
        2 => terms.push(("type".to_owned(), Json::text("@type"))),
        3 => terms.push(("type".to_owned(), and(set(), "@id", Json::text("@type")))),
        _ => {}
    }
}

fn add_plain_terms(choices: &mut Choices<'_>, terms: &mut Terms, is_unpropagated: bool) {
    let plain = |key: &str, value: Json| Json::object([("@id", ex("plain")), (key, value)]);
    let mut all = vec![
        ("plain", ex("plain")),
        ("plainSet", plain("@container", Json::text("@set"))),
        ("plainDate", plain("@type", Json::text("xsd:date"))),
        ("plainFrench", plain("@language", Json::text("fr"))),
        ("plainNeutral", plain("@language", Json::raw("null"))),
        ("plainRtl", plain("@direction", Json::text("rtl"))),
        ("plainFrenchLtr", and(plain("@language", Json::text("fr")), "@direction", Json::text("ltr"))),
        ("plainUndirected", plain("@direction", Json::raw("null"))),
        ("plainReference", plain("@type", Json::text("@id"))),
        ("plainSymbol", plain("@type", Json::text("@vocab"))),
        ("plainUntyped", plain("@type", Json::text("@none"))),
        ("deep", and(Json::object([("@id", ex("deep"))]), "@nest", Json::text("@nest"))),
        ("Kind", ex("Kind")),
        ("up", Json::object([("@reverse", ex("parent"))])),
        ("upSet", Json::object([("@reverse", ex("parent")), ("@container", Json::text("@set"))])),
        ("parent", ex("parent")),
    ];
    if !is_unpropagated {
        all.push(("plainIndexed", plain("@container", Json::text("@index"))));
        all.push((
            "upIndexed",
            Json::object([("@reverse", ex("parent")), ("@container", Json::text("@index"))]),
        ));
    }
    for (name, definition) in all {
        if choices.once_in(3) {
            terms.push((name.to_owned(), definition));
        }
    }
    if choices.once_in(3) {
        terms.push(("inside".to_owned(), Json::text("@nest")));
        let deeper = Json::object([("@id", ex("deeper")), ("@nest", Json::text("inside"))]);
        terms.push(("deeper".to_owned(), deeper));
    }
}

fn add_maps(choices: &mut Choices<'_>, terms: &mut Terms, is_unpropagated: bool) {
    let null = || Json::raw("null");
    if choices.once_in(2) {
        let by_language = with_container(choices, "text", &["@language"]);
        terms.push(("byLanguage".to_owned(), and(by_language, "@direction", null())));
    }
    if choices.once_in(3) {
        let by_language = with_container(choices, "rightToLeft", &["@language"]);
        terms.push(("byLanguageRtl".to_owned(), and(by_language, "@direction", Json::text("rtl"))));
    }
    if choices.once_in(2) && !is_unpropagated {
        terms.push(("byIndex".to_owned(), with_container(choices, "indexed", &["@index"])));
    }
    if choices.once_in(2) {
        let mut by_id = with_container(choices, "identified", &["@id"]);
        if choices.once_in(3) {
            by_id = and(by_id, "@type", Json::text("@id"));
        }
        terms.push(("byId".to_owned(), by_id));
    }
    if choices.once_in(2) {
        let mut by_type = with_container(choices, "typed", &["@type"]);
        if choices.once_in(3) {
            by_type = and(by_type, "@type", Json::text("@vocab"));
        }
        terms.push(("byType".to_owned(), by_type));
    }
}

fn add_lists(choices: &mut Choices<'_>, terms: &mut Terms) {
    let list = |choices: &mut Choices<'_>| with_container(choices, "list", &["@list"]);
    for (name, key, value) in [
        ("list", "", ""),
        ("listOfDates", "@type", "xsd:date"),
        ("listOfReferences", "@type", "@id"),
        ("listInFrench", "@language", "fr"),
    ] {
        if choices.once_in(3) {
            let definition = list(choices);
            let definition =
                if key.is_empty() { definition } else { and(definition, key, Json::text(value)) };
            terms.push((name.to_owned(), definition));
        }
    }
    if choices.once_in(3) {
        terms.push(("looseList".to_owned(), ex("list")));
    }
}

/// Contexts of terms and of types; they change the terms of `ex:plain` and nothing else.
fn add_scoped_terms(choices: &mut Choices<'_>, terms: &mut Terms, is_unpropagated: bool) {
    let inner = |choices: &mut Choices<'_>| {
        let mut inner: Terms = vec![("own".to_owned(), ex("plain"))];
        if choices.once_in(2) {
            inner.push((
                "plain".to_owned(),
                Json::object([("@id", ex("plain")), ("@type", Json::text("xsd:date"))]),
            ));
        }
        if choices.once_in(3) {
            inner.push(("plainReference".to_owned(), Json::raw("null")));
        }
        if choices.once_in(3) {
            inner.push(("@language".to_owned(), Json::text("de")));
        }
        inner
    };
    if choices.once_in(2) {
        let context = Json::Object(inner(choices));
        terms.push(("scoped".to_owned(), Json::object([("@id", ex("scoped")), ("@context", context)])));
    }
    if !is_unpropagated {
        return;
    }
    if choices.once_in(2) {
        let mut context = inner(choices);
        context.push(("@propagate".to_owned(), Json::raw("false")));
        let definition = Json::object([("@id", ex("unpropagated")), ("@context", Json::Object(context))]);
        terms.push(("unpropagated".to_owned(), definition));
    }
    let context = Json::Object(inner(choices));
    terms.push(("Scoped".to_owned(), Json::object([("@id", ex("Scoped")), ("@context", context)])));
}

fn add_property_index(choices: &mut Choices<'_>, terms: &mut Terms) -> bool {
    let has_index = choices.once_in(2);
    let are_references = has_index && choices.once_in(2);
    let name = if are_references {
        let key = Json::object([("@id", ex("key")), ("@type", Json::text("@vocab"))]);
        terms.push(("key".to_owned(), key));
        "key"
    } else {
        "ex:key"
    };
    if has_index {
        let by_key = with_container(choices, "keyed", &["@index"]);
        terms.push(("byKey".to_owned(), and(by_key, "@index", Json::text(name))));
    }
    are_references
}

fn add_graphs(choices: &mut Choices<'_>, terms: &mut Terms) -> (Graphs, bool) {
    let graphs = choices.pick(&[Graphs::Simple, Graphs::Named, Graphs::Indexed]);
    let containers: &[&[&str]] = match graphs {
        Graphs::Simple => &[&["@graph"], &["@graph", "@id"], &["@graph", "@index"]],
        Graphs::Named => &[&["@graph", "@id"]],
        Graphs::Indexed => &[&["@graph", "@index"]],
    };
    let mut are_whole = true;
    for container in containers {
        if choices.once_in(2) {
            are_whole = false;
            let name = format!("graph{}", container.get(1).map_or("", |keyword| &keyword[1..]));
            terms.push((name, with_container(choices, "graph", container)));
        }
    }
    (graphs, are_whole)
}

/// A node; `is_closed` where the context around it is not propagated, so that some values cannot
/// stand in it.
fn node(choices: &mut Choices<'_>, settings: &Settings, level: usize, is_closed: bool) -> Json {
    let mut members = Vec::new();
    let mut is_closed = is_closed;
    if choices.below(3) > 0 {
        members.push(("@id".to_owned(), Json::text(identifier(choices))));
    }
    if choices.once_in(3) {
        let types = (0..1 + choices.below(2)).map(|_| choices.pick(&["Kind", "Other", "Scoped"]));
        let mut types: Vec<&str> = types.collect();
        types.dedup();
        is_closed |= types.contains(&"Scoped");
        members.push(("@type".to_owned(), Json::Array(types.into_iter().map(full).collect())));
    }
    if level > 0 && choices.once_in(8) {
        members.push(("@index".to_owned(), Json::text(choices.pick(&["a", "b", "c d"]))));
    }
    let full_serial = format!("{NAMESPACE}serial");
    let serial = Json::object([("@value", Json::raw(choices.fresh().to_string()))]);
    members.push((full_serial, Json::Array(vec![serial])));
    for _ in 0..choices.below(if level == 0 { 10 } else { 4 }) {
        let (key, value) = property(choices, settings, level, is_closed);
        if members.iter().all(|(other, _)| *other != key) {
            members.push((key, value));
        }
    }
    Json::Object(members)
}

fn full(name: &str) -> Json {
    Json::text(format!("{NAMESPACE}{name}"))
}

fn identifier(choices: &mut Choices<'_>) -> String {
    let number = choices.below(4);
    let form = choices.pick(&[
        "http://example.org/ns#node",
        "http://example.org/base/node",
        "http://example.org/base/document#",
        "http://example.org/base/document?q=",
        "http://example.org/up/",
        "_:blank",
        "http://other.example/",
        "http://a.example/b/d:",
        "urn:some:thing",
        "http://example.org/base/@id",
        "http://example.org/base/a/id",
    ]);
    format!("{form}{number}")
}

fn property(choices: &mut Choices<'_>, settings: &Settings, level: usize, is_closed: bool) -> (String, Json) {
    const KEYS: [&str; 20] = [
        "plain",
        "text",
        "rightToLeft",
        "identified",
        "typed",
        "json",
        "deep",
        "deeper",
        "scoped",
        "unpropagated",
        "@included",
        "@reverse",
        "parent",
        "list",
        "indexed",
        "keyed",
        "graph",
        "empty",
        "plain",
        "plain",
    ];
    // The last ones are read back under another context where that is not propagated.
    const OPEN_ONLY: [&str; 5] = ["list", "indexed", "keyed", "graph", "parent"];
    let key = choices.pick(&KEYS);
    let key = if is_closed && OPEN_ONLY.contains(&key) { "plain" } else { key };
    let name = if key.starts_with('@') { key.to_owned() } else { format!("{NAMESPACE}{key}") };
    let value = match key {
        "text" => some(choices, 4, |choices| tagged(choices, None)),
        "rightToLeft" => some(choices, 3, |choices| tagged(choices, Some("rtl"))),
        "identified" | "typed" | "@included" | "parent" => {
            some(choices, 4, |choices| node(choices, settings, level + 1, false))
        }
        "json" => {
            let most = if settings.json_has_term { 1 } else { 3 };
            some(choices, most, json_literal)
        }
        "unpropagated" => some(choices, 2, |choices| node(choices, settings, level + 1, true)),
        "@reverse" => {
            let nodes = some(choices, 3, |choices| node(choices, settings, level + 1, false));
            Json::object([("http://example.org/ns#parent", nodes)])
        }
        "list" => Json::Array(vec![list(choices, settings, level, 0)]),
        "keyed" => some(choices, 4, |choices| keyed(choices, settings, level)),
        "graph" => some(choices, 3, |choices| graph(choices, settings, level)),
        "empty" => Json::Array(Vec::new()),
        _ => some(choices, 4, |choices| value(choices, settings, level)),
    };
    (name, value)
}

/// At least one, at most so many.
fn some(choices: &mut Choices<'_>, most: usize, mut one: impl FnMut(&mut Choices<'_>) -> Json) -> Json {
    Json::Array((0..1 + choices.below(most)).map(|_| one(choices)).collect())
}

fn value(choices: &mut Choices<'_>, settings: &Settings, level: usize) -> Json {
    let kinds = if level < MOST_LEVELS { 12 } else { 10 };
    let value = match choices.below(kinds) {
        0 | 1 => Json::object([("@value", string(choices))]),
        2 => Json::object([("@value", number(choices))]),
        3 => Json::object([("@value", Json::raw(choices.pick(&["true", "false"])))]),
        4 => tagged(choices, None),
        5 => {
            let direction = choices.pick(&["rtl", "ltr"]);
            tagged(choices, Some(direction))
        }
        6 => {
            let direction = Json::text(choices.pick(&["rtl", "ltr"]));
            Json::object([("@value", string(choices)), ("@direction", direction)])
        }
        7 => {
            let datatype = choices.pick(&["date", "token", "integer"]);
            let datatype = Json::text(format!("{XSD}{datatype}"));
            Json::object([("@value", string(choices)), ("@type", datatype)])
        }
        8 => Json::object([("@id", Json::text(identifier(choices)))]),
        9 => json_literal(choices),
        _ => return node(choices, settings, level + 1, false),
    };
    if choices.once_in(8) {
        return and(value, "@index", Json::text(choices.pick(&["a", "b", "@id"])));
    }
    value
}

fn tagged(choices: &mut Choices<'_>, direction: Option<&str>) -> Json {
    let language = Json::text(choices.pick(&["fr", "en", "de", "FR", "zh-Hant"]));
    let value = Json::object([("@value", string(choices)), ("@language", language)]);
    match direction {
        Some(direction) => and(value, "@direction", Json::text(direction)),
        None => value,
    }
}

/// A list object; its items may be lists.
fn list(choices: &mut Choices<'_>, settings: &Settings, level: usize, depth: usize) -> Json {
    // Lists of one kind are what terms with a coercion are for.
    let kind = choices.below(5);
    let kind = if depth > 0 && settings.has_lists_of_references { kind % 2 } else { kind };
    let items = (0..choices.below(4))
        .map(|_| match kind {
            0 => Json::object([("@id", Json::text(identifier(choices)))]),
            1 => {
                let datatype = Json::text(format!("{XSD}date"));
                Json::object([("@value", string(choices)), ("@type", datatype)])
            }
            2 => Json::object([("@value", string(choices)), ("@language", Json::text("fr"))]),
            3 if depth < 3 => list(choices, settings, level, depth + 1),
            _ => without_index(value(choices, settings, level + 1)),
        })
        .collect();
    let list = Json::object([("@list", Json::Array(items))]);
    if depth == 0 && choices.once_in(8) { and(list, "@index", Json::text("a")) } else { list }
}

fn without_index(value: Json) -> Json {
    let Json::Object(mut members) = value else { unreachable!("values are objects") };
    members.retain(|(key, _)| key != "@index");
    Json::Object(members)
}

fn keyed(choices: &mut Choices<'_>, settings: &Settings, level: usize) -> Json {
    let node = without_index(node(choices, settings, level + 1, false));
    if choices.once_in(4) {
        return node;
    }
    let keys = some(choices, 2, |choices| {
        if settings.keys_are_references {
            Json::object([("@id", full(choices.pick(&["Kind", "x", "y"])))])
        } else {
            Json::object([("@value", Json::text(choices.pick(&["x", "y", "é \"z\""])))])
        }
    });
    and(node, "http://example.org/ns#key", keys)
}

fn graph(choices: &mut Choices<'_>, settings: &Settings, level: usize) -> Json {
    let most = if settings.graphs_are_whole { 3 } else { 1 };
    let nodes = some(choices, most, |choices| without_index(node(choices, settings, level + 2, false)));
    let graph = Json::object([("@graph", nodes)]);
    match settings.graphs {
        Graphs::Named => and(graph, "@id", Json::text(identifier(choices))),
        Graphs::Indexed => and(graph, "@index", Json::text(choices.pick(&["a", "b"]))),
        Graphs::Simple => graph,
    }
}

fn json_literal(choices: &mut Choices<'_>) -> Json {
    let literal = choices.pick(&[
        "1.50",
        "\"text\"",
        "true",
        "{\"a\": [1, {\"@id\": \"x\"}], \"b\": null}",
        "[]",
        "[1]",
        "[[1], {}, \"é\\n\"]",
        "{}",
    ]);
    Json::object([("@value", Json::raw(literal)), ("@type", Json::text("@json"))])
}

fn string(choices: &mut Choices<'_>) -> Json {
    Json::text(choices.pick(&[
        "a",
        "b",
        "",
        "ex:c",
        "http://example.org/d",
        "é \"quoted\" \\ \n\t\u{1}",
        "😀",
        "@id",
        "2020-01-01",
        "_:x",
        "Kind",
    ]))
}

fn number(choices: &mut Choices<'_>) -> Json {
    Json::raw(choices.pick(&["0", "-1", "1.0", "5.5e0", "1e21", "12345678901234567890", "0.1"]))
}
