//! The list of questions: what each system's questions say, filters and their counts against a model that looks at each
//! question, searches, orders, pages, and what is refused.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::browsed::{FILES, all_systems, begins, code, list, object, of_file, question, questions, text};
use super::client::{ask, encoded, get};
use super::served::{Served, store_of};

/// The filters, each with its values that are in a facet.
const FILTERS: [&str; 9] =
    ["system", "dataset", "licence", "finished", "answerable", "template", "rated", "contested", "keyword"];

fn as_parameter(value: &Value) -> String {
    match value {
        Value::String(text) => encoded(text),
        value => value.to_string(),
    }
}

/// What the model knows of a question beyond what the list says.
struct Known {
    listed: Value,
    licences: Value,
    answer: String,
}

impl Known {
    fn all(served: &Served) -> Vec<Self> {
        let known = |listed: Value| {
            let all = question(served, &listed);
            let answer = all["answer"].as_str().unwrap_or_default().to_owned();
            Self { licences: all["licences"].clone(), answer, listed }
        };
        questions(served).into_iter().map(known).collect()
    }

    /// The values of a question that a filter looks at.
    fn values(&self, filter: &str) -> Vec<Value> {
        let listed = &self.listed;
        match filter {
            "licence" => list(&json!({"it": self.licences}), "it").to_vec(),
            "keyword" => list(listed, "keywords").to_vec(),
            "rated" => vec![json!(listed["ratings"] != 0)],
            "contested" => vec![json!(listed["disagreement"].as_f64().is_some_and(|value| value > 0.4))],
            name => Some(listed[name].clone()).filter(|value| !value.is_null()).into_iter().collect(),
        }
    }

    fn passes(&self, chosen: &[(&str, Value)]) -> bool {
        chosen.iter().all(|(filter, value)| self.values(filter).contains(value))
    }

    fn has(&self, word: &str) -> bool {
        let texts = ["text", "localId", "file"].map(|name| self.listed[name].as_str().unwrap_or_default());
        let mut texts = texts.into_iter().chain([&*self.answer]);
        texts.any(|text| text.to_lowercase().contains(word))
    }
}

fn target(chosen: &[(&str, Value)]) -> String {
    let parameters: Vec<String> =
        chosen.iter().map(|(filter, value)| format!("{filter}={}", as_parameter(value))).collect();
    format!("/api/questions?limit=1000&{}", parameters.join("&"))
}

fn ids(questions: &[Value]) -> Vec<String> {
    let id = |question: &Value| format!("{} {}", text(question, "graph"), text(question, "id"));
    questions.iter().map(id).collect()
}

/// Each choice is made, alone and beside others: the list has those questions that the model lets pass, and each count of a
/// further choice is the total of the list once it is chosen.
#[test]
fn counts_are_the_totals_of_the_lists_that_they_promise() {
    let served = all_systems();
    let known = Known::all(&served);
    assert!(known.len() > 200, "{}", known.len());
    let whole = object(&served, "/api/questions?limit=0");
    assert_eq!(whole["total"], json!(known.len()));
    assert_eq!(whole["facets"]["findings"], Value::Null, "nothing has been looked for yet");
    // Of each filter a common and a rare choice, beside each choice of the next filters.
    let mut choices: Vec<Vec<(&str, Value)>> = vec![vec![]];
    for (at, filter) in FILTERS.iter().enumerate() {
        let counted = list(&whole["facets"], filter);
        assert!(!counted.is_empty(), "{filter}");
        for one in [counted.first(), counted.last()].into_iter().flatten() {
            let one = (*filter, one["value"].clone());
            choices.push(vec![one.clone()]);
            for other in FILTERS.iter().skip(at + 1) {
                let other = (*other, list(&whole["facets"], other)[0]["value"].clone());
                choices.push(vec![one.clone(), other]);
            }
        }
    }
    let (mut checked, mut promised) = (0, 0);
    for chosen in choices {
        let answer = object(&served, &target(&chosen));
        let expected: Vec<Value> =
            known.iter().filter(|known| known.passes(&chosen)).map(|known| known.listed.clone()).collect();
        assert_eq!(ids(list(&answer, "questions")), ids(&expected), "{chosen:?}");
        assert_eq!(answer["total"], json!(expected.len()), "{chosen:?}");
        for filter in FILTERS {
            // A keyword adds to the others, every other choice takes the place of its like.
            let others: Vec<(&str, Value)> =
                chosen.iter().filter(|(name, _)| *name != filter || filter == "keyword").cloned().collect();
            let mut counts: BTreeMap<String, (Value, usize)> = BTreeMap::new();
            for known in known.iter().filter(|known| known.passes(&others)) {
                for value in known.values(filter) {
                    counts.entry(value.to_string()).or_insert((value, 0)).1 += 1;
                }
            }
            let told = list(&answer["facets"], filter);
            assert_eq!(told.len(), counts.len().min(100), "{chosen:?}: {filter}");
            for counted in told {
                let (_, count) = &counts[&counted["value"].to_string()];
                assert_eq!(counted["count"], json!(count), "{chosen:?}: {filter} {counted}");
                promised += 1;
            }
            let sorted = told.windows(2).all(|two| two[0]["count"].as_u64() >= two[1]["count"].as_u64());
            assert!(sorted || told[0]["value"].is_boolean(), "{filter}: {told:?}");
            if let Some(next) = told.last() {
                let mut others = others;
                others.push((filter, next["value"].clone()));
                let then = object(&served, &(target(&others) + "&limit=0").replace("limit=1000&", ""));
                assert_eq!(then["total"], next["count"], "{others:?}");
                checked += 1;
            }
        }
    }
    assert!(checked > 400 && promised > 2_000, "{checked} {promised}");
}

#[test]
fn several_keywords_have_all_to_be_there_and_an_empty_value_wants_none() {
    let served = all_systems();
    let all = questions(&served);
    let two = all.iter().find(|question| list(question, "keywords").len() > 1).expect("there is one");
    let keywords: Vec<&str> = list(two, "keywords").iter().filter_map(Value::as_str).collect();
    let parameters: Vec<String> =
        keywords.iter().map(|keyword| format!("keyword={}", encoded(keyword))).collect();
    let found = object(&served, &format!("/api/questions?limit=1000&{}", parameters.join("&")));
    let has_all = |question: &&Value| {
        keywords.iter().all(|keyword| list(question, "keywords").contains(&json!(keyword)))
    };
    let expected: Vec<Value> = all.iter().filter(has_all).cloned().collect();
    assert_eq!(ids(list(&found, "questions")), ids(&expected));
    for (name, parameter) in [("finished", "finished="), ("answerable", "answerable="), ("system", "system=")]
    {
        let found = object(&served, &format!("/api/questions?limit=1000&{parameter}"));
        let expected: Vec<Value> = all.iter().filter(|question| question[name].is_null()).cloned().collect();
        assert_eq!(ids(list(&found, "questions")), ids(&expected), "{parameter}");
    }
    let unknown = object(&served, "/api/questions?keyword=no-such&dataset=none-such");
    assert_eq!((&unknown["total"], list(&unknown["facets"], "keyword").len()), (&json!(0), 0));
}

#[test]
fn a_search_wants_all_words_in_text_answer_id_or_file() {
    let served = all_systems();
    let known = Known::all(&served);
    for search in [
        "what",
        "WHAT is",
        "lisbon",
        "Capital  lisbon",
        "p1-physics",
        "p1-physics charge",
        "train_q003",
        "fixtures/rlcf notice",
        "urn:uuid:question",
        "\"",
        "ünïcode-that-nobody-has",
        ".",
    ] {
        let words: Vec<String> = search.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let target = format!("/api/questions?limit=1000&facets=false&search={}", encoded(search));
        let found = object(&served, &target);
        let expected: Vec<Value> = known
            .iter()
            .filter(|known| words.iter().all(|word| known.has(word)))
            .map(|known| known.listed.clone())
            .collect();
        assert_eq!(ids(list(&found, "questions")), ids(&expected), "{search}");
    }
    let nothing = object(&served, "/api/questions?search=%20%0A");
    assert_eq!(nothing["total"], json!(known.len()), "no word lets all pass");
}

#[test]
fn orders_are_those_of_their_values_and_nothing_comes_last() {
    let served = all_systems();
    let by_file = questions(&served);
    let files: Vec<&str> = by_file.iter().map(|question| text(question, "file")).collect();
    assert!(files.is_sorted(), "{files:?}");
    // In its file a question stands where it does in the list.
    let rows: Vec<String> = of_file(&served, "support-desk.json")
        .iter()
        .map(|question| text(question, "localId").to_owned())
        .collect();
    assert!(rows.len() == 8 && rows.is_sorted(), "{rows:?}");
    for (sort, name) in [
        ("rating", "rating"),
        ("ratings", "ratings"),
        ("modified", "modified"),
        ("disagreement", "disagreement"),
        ("text", "text"),
    ] {
        for is_descending in [false, true] {
            let target =
                format!("/api/questions?limit=1000&facets=false&sort={sort}&descending={is_descending}");
            let sorted = list(&object(&served, &target), "questions").to_vec();
            let mut expected = by_file.clone();
            let key = |question: &Value| match &question[name] {
                Value::Number(number) => Some((number.as_f64().unwrap_or_default(), String::new())),
                Value::String(text) if !text.is_empty() => Some((0.0, folded(text))),
                _ => None,
            };
            expected.sort_by(|one, other| match (key(one), key(other)) {
                (Some(one), Some(other)) => {
                    let order = one.partial_cmp(&other).expect("no number is none");
                    if is_descending { order.reverse() } else { order }
                }
                (one, other) => one.is_none().cmp(&other.is_none()),
            });
            assert_eq!(ids(&sorted), ids(&expected), "{sort} {is_descending}");
        }
    }
    let backwards = object(&served, "/api/questions?limit=1000&facets=false&descending=true");
    let mut expected = ids(&by_file);
    expected.reverse();
    assert_eq!(ids(list(&backwards, "questions")), expected);
}

/// A text without its case, each run of blanks one.
fn folded(text: &str) -> String {
    text.to_lowercase().replace('ß', "ss").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn pages_make_up_the_list() {
    let served = all_systems();
    let all = ids(&questions(&served));
    let mut paged = Vec::new();
    while paged.len() < all.len() {
        let page = object(&served, &format!("/api/questions?offset={}&limit=37", paged.len()));
        assert_eq!((&page["offset"], &page["total"]), (&json!(paged.len()), &json!(all.len())));
        let page = ids(list(&page, "questions"));
        assert_eq!(page.len(), 37.min(all.len() - paged.len()));
        paged.extend(page);
    }
    assert_eq!(paged, all);
    let mut distinct = all.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), all.len(), "each question has an id of its own");
    assert_eq!(list(&object(&served, "/api/questions?offset=100000"), "questions").len(), 0);
    assert_eq!(list(&object(&served, "/api/questions"), "questions").len(), 100);
    assert!(object(&served, "/api/questions?facets=false").get("facets").is_none());
}

#[test]
fn what_is_unknown_or_wrong_is_refused() {
    let served = Served::fixtures(&["fixtures/karenina/p1-physics.jsonld"]);
    for wrong in [
        "/api/questions?sytem=karenina",
        "/api/questions?finished=yes",
        "/api/questions?template=",
        "/api/questions?sort=size",
        "/api/questions?limit=1001",
        "/api/questions?limit=-1",
        "/api/questions?offset=x",
        "/api/questions?system=a&system=b",
        "/api/questions?descending=1",
        "/api/summary?state=1",
        "/api/question",
        "/api/question?graph=a",
        "/api/question?graph=a&id=b&place=no",
        "/api/question?graph=a&id=b&file=/etc/passwd",
        &format!("/api/questions?search={}", "a%20".repeat(33)),
    ] {
        let reply = served.send(&get(wrong).accept("application/json"));
        assert_eq!((reply.status, &*code(&reply)), (400, "serve::parameter"), "{wrong}");
        assert_eq!(reply.header("content-type"), Some("application/problem+json"));
    }
    let told = served.send(&get("/api/questions?sytem=karenina")).text();
    assert!(told.contains("`sytem`") && told.contains("`system`"), "{told}");
    for (method, target) in [
        ("POST", "/api/summary"),
        ("POST", "/api/questions"),
        ("PUT", "/api/question"),
        ("GET", "/api/change"),
    ] {
        assert_eq!(served.send(&ask(method, target)).status, 405, "{method} {target}");
    }
    assert_eq!(served.send(&get("/api/nothing")).status, 404);
}

#[test]
fn an_answer_has_the_name_of_the_state_and_none_is_made_for_who_has_it() {
    let folder = store_of(&["fixtures/karenina/p1-physics.jsonld"]);
    let served = Served::start(folder.path(), &["--write", "--no-token"]);
    let question = questions(&served)[0].clone();
    let one = super::browsed::target_of(&question);
    for target in ["/api/summary", "/api/questions", &one] {
        let first = served.send(&get(target));
        let name = first.header("etag").expect("the state has a name").to_owned();
        assert_eq!(format!("W/\"{}\"", text(&first.json(), "state")), name);
        let again = served.send(&get(target).with("if-none-match", &name));
        assert_eq!((again.status, again.body.len()), (304, 0), "{target}");
        let head = served.send(&ask("HEAD", target));
        assert_eq!((head.status, head.body.len()), (200, 0), "{target}");
        assert_eq!(head.header("etag"), Some(&*name));
        assert_eq!(served.send(&ask("HEAD", &format!("{target}?x=1&graph=a&id=b"))).status, 400);
    }
    let before = served.send(&get("/api/questions"));
    let update = "INSERT { GRAPH ?g { ?q s:keywords 'brand-new' } } WHERE { GRAPH ?g { ?q a s:Question } }";
    let update = ask("POST", "/update").body("application/sparql-update", update);
    assert_eq!(served.send(&update).status, 204);
    let name = before.header("etag").expect("the state has a name").to_owned();
    let after = served.send(&get("/api/questions?keyword=brand-new").with("if-none-match", &name));
    assert_eq!((after.status, &after.json()["total"]), (200, &before.json()["total"]));
}

#[test]
fn who_may_not_read_sees_no_question() {
    let folder = store_of(&["fixtures/karenina/p1-physics.jsonld"]);
    std::fs::write(folder.path().join("token"), "correct-horse-battery-staple\n")
        .expect("the folder is ours");
    let served = Served::start(folder.path(), &["--read-token", "token"]);
    for target in ["/api/summary", "/api/questions", "/api/question?graph=a&id=b"] {
        assert_eq!(served.send(&get(target)).status, 401, "{target}");
    }
    let shown = get("/api/summary").with("authorization", "Bearer correct-horse-battery-staple");
    assert_eq!(served.send(&shown).status, 200);
}

#[test]
fn the_summary_counts_systems_and_files() {
    let served = all_systems();
    let (summary, all) = (object(&served, "/api/summary"), questions(&served));
    assert_eq!(summary["questions"], json!(all.len()));
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for question in &all {
        *counts.entry(text(question, "system")).or_default() += 1;
    }
    assert_eq!(counts.len(), 4, "{counts:?}");
    for system in list(&summary, "systems") {
        assert_eq!(system["count"], json!(counts[text(system, "value")]));
    }
    assert_eq!((&summary["write"], &summary["needsToken"]), (&json!(false), &json!(false)));
    assert_eq!(text(&summary["prefixes"], "s"), "http://schema.org/");
    assert!(summary["files"].as_u64().is_some_and(|files| files as usize > FILES.len()));
    let folder = store_of(&["fixtures/karenina/p1-physics.jsonld"]);
    std::fs::write(folder.path().join("token"), "correct-horse-battery-staple\n")
        .expect("the folder is ours");
    let served = Served::start(folder.path(), &["--write", "--token-file", "token"]);
    let summary = object(&served, "/api/summary");
    assert_eq!(
        (&summary["write"], &summary["needsToken"], &summary["files"]),
        (&json!(true), &json!(true), &json!(1))
    );
}

/// What the documents beside the fixtures say of them, worked out by hand.
#[test]
fn each_system_says_what_its_files_say() {
    let served = all_systems();
    let tenancy = of_file(&served, "tenancy.jsonld");
    let finished: Vec<bool> = tenancy.iter().filter_map(|question| question["finished"].as_bool()).collect();
    assert_eq!((tenancy.len(), finished.iter().filter(|finished| **finished).count()), (4, 3));
    let handbook = of_file(&served, "handbook.json");
    let flat = begins(&handbook, "May a landlord enter");
    assert_eq!((&flat["answerable"], &flat["finished"]), (&json!(false), &Value::Null));
    let library = of_file(&served, "library.json");
    let deposit = begins(&library, "Which deposit");
    assert_eq!(
        (&deposit["answerable"], &deposit["ratings"], &deposit["rating"]),
        (&json!(false), &json!(1), &json!(0.8))
    );
    let review = of_file(&served, "review.json");
    let mail = begins(&review, "Is a notice");
    // Three experts, three aspects each.
    assert_eq!((&mail["ratings"], &mail["disagreement"]), (&json!(9), &json!(1.0)));
    assert_eq!(mail["rating"], json!(5.888_888_889));
    let contested = object(&served, "/api/questions?contested=true&dataset=review");
    assert_eq!(ids(list(&contested, "questions")), ids(std::slice::from_ref(mail)));
    // Licences are those of what an answer cites, and of the dataset.
    let guide = object(&served, "/api/questions?licence=CC%20BY-NC&dataset=library");
    assert_eq!(ids(list(&guide, "questions")), ids(&[begins(&library, "What may a broker").clone()]));
    assert_eq!(object(&served, "/api/questions?licence=CC-BY-4.0&search=mycology")["total"], json!(4));
    // A file in which no question says whether it is finished says nothing of any.
    let general = of_file(&served, "t-general-knowledge.jsonld");
    assert!(general.len() == 5 && general.iter().all(|question| question["finished"].is_null()));
    let programming = of_file(&served, "p0-programming.jsonld");
    let unsaid = programming.iter().filter(|question| question["finished"] == json!(false)).count();
    assert!(programming.iter().all(|question| question["finished"].is_boolean()) && unsaid > 0);
    // Templates: blank ones and stubs are none.
    let arithmetic = of_file(&served, "p2-md5-arithmetic.jsonld");
    let written = arithmetic.iter().filter(|question| question["template"] == json!(true)).count();
    assert!(written > 0 && written < arithmetic.len(), "{written}");
    let evaluated = begins(&of_file(&served, "general-knowledge/train.json"), "How high is Mount").clone();
    assert_eq!((&evaluated["ratings"], &evaluated["rating"]), (&json!(3), &json!(0.833_333_333)));
    let dataset = object(&served, "/api/questions?search=p1-physics&limit=0");
    assert_eq!(list(&dataset["facets"], "dataset")[0]["label"], json!("Physics Basics"));
}
