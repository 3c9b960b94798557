//! One question: what each system's files say of it, where it stands in its file, and ids that nobody would choose.

use std::path::Path;

use serde_json::{Value, json};

use super::browsed::{
    all_systems, begins, code, file, list, object, of_file, question, questions, target_of, text,
};
use super::client::{encoded, get};
use super::served::{Served, store_of};
use crate::cli::input::run;

/// The values of one member of each object of a list.
fn each<'v>(value: &'v Value, name: &str, member: &str) -> Vec<&'v Value> {
    list(value, name).iter().map(|one| &one[member]).collect()
}

#[test]
fn a_checkpoint_says_answer_template_and_rubric() {
    let served = all_systems();
    let ecology = of_file(&served, "g-ecology.jsonld");
    let species = question(&served, begins(&ecology, "What is a keystone"));
    assert_eq!(text(&species, "answer"), "A species with an effect on its ecosystem far beyond its numbers");
    assert_eq!(list(&species, "answers"), [species["answer"].clone()]);
    assert!(text(&species, "template").starts_with("from karenina.schemas.entities import BaseAnswer"));
    assert_eq!((&species["stub"], &species["finished"]), (&json!(false), &json!(true)));
    assert_eq!(text(&species, "created"), "2025-12-01T09:00:00.000Z");
    assert_eq!(text(&species, "modified"), "2025-12-10T09:00:00.000Z");
    assert_eq!(
        species["dataset"],
        json!({"value": "urn:uuid:karenina-checkpoint-1765557900000", "name": "Ecology", "licence": null,
               "iri": "urn:uuid:karenina-checkpoint-1765557900000"})
    );
    let traits = [
        ("Accuracy", "boolean", "global"),
        ("Completeness", "score", "global"),
        ("Cites a source", "regex", "global"),
        ("Shows its reasoning", "boolean", "global"),
        ("Accuracy", "score", "question"),
    ];
    let told: Vec<(&str, &str, &str)> = list(&species, "traits")
        .iter()
        .map(|one| (text(one, "name"), text(one, "kind"), text(one, "scope")))
        .collect();
    assert_eq!(told, traits);
    assert_eq!((&species["traits"][1]["least"], &species["traits"][1]["most"]), (&json!(1), &json!(5)));
    assert_eq!((list(&species, "ratings").len(), &species["ratingsTotal"]), (0, &json!(0)));
    // Rubrics that are objects, and a dialect without items.
    let general = of_file(&served, "t-general-knowledge.jsonld");
    let gas = question(&served, begins(&general, "Which gas do plants"));
    assert_eq!(text(&gas, "localId"), "q003");
    assert!(text(&gas, "id").starts_with("_:"), "{}", gas["id"]);
    assert!(each(&gas, "traits", "name").contains(&&json!("explains_why")));
    let kinds = each(&gas, "traits", "kind");
    assert!(kinds.contains(&&json!("regex")) && kinds.contains(&&json!("score")), "{kinds:?}");
    // Ratings by hand, with who gave them.
    let cells = of_file(&served, "s0-cell-biology.jsonld");
    let organelle = question(&served, begins(&cells, "Which organelle"));
    assert_eq!(each(&organelle, "ratings", "value"), [&json!(1), &json!(4), &json!(1)]);
    assert_eq!(
        organelle["ratings"][2],
        json!({"trait": "Names the process", "value": 1, "by": "Question-Specific Rubric",
               "explanation": null, "at": null})
    );
    let others: Vec<&str> =
        list(&organelle, "sameQuestion").iter().map(|other| text(other, "file")).collect();
    assert_eq!(others, ["fixtures/karenina/g-ecology.jsonld"], "capitals and blanks do not count");
    assert_eq!(organelle["findings"], Value::Null);
    // A stub is not a template, and is shown.
    let arithmetic = of_file(&served, "p2-md5-arithmetic.jsonld");
    let stub = arithmetic.iter().map(|listed| question(&served, listed));
    let stub = stub.into_iter().find(|question| question["stub"] == json!(true)).expect("there is one");
    assert!(text(&stub, "template").contains("# Default template:"));
}

#[test]
fn rows_say_contexts_and_what_an_evaluation_gave() {
    let served = all_systems();
    let rows = of_file(&served, "general-knowledge/train.json");
    let mountain = question(&served, begins(&rows, "How high is Mount"));
    assert_eq!(
        list(&mountain, "answers"),
        [json!("5,895 metres"), json!("Mount Kilimanjaro is 5,895 metres high.")]
    );
    assert_eq!(
        list(&mountain, "sources"),
        [
            json!({"title": "Mount_Kilimanjaro.txt", "text": "Its summit, Uhuru Peak, stands 5,895 metres above sea level.",
                "url": null, "score": null, "chunk": null, "cited": true})
        ]
    );
    assert_eq!(
        each(&mountain, "ratings", "trait"),
        [&json!("nv_accuracy"), &json!("nv_context_relevance"), &json!("nv_response_groundedness")]
    );
    assert_eq!(each(&mountain, "ratings", "value"), [&json!(1.0), &json!(0.5), &json!(1.0)]);
}

#[test]
fn samples_say_sources_chunks_and_who_judged_them() {
    let served = all_systems();
    let library = of_file(&served, "library.json");
    let deposit = question(&served, begins(&library, "Which deposit"));
    assert_eq!(
        list(&deposit, "sources"),
        [json!({"title": "Deposit guide", "text": "A deposit is at most three months' rent.",
                "url": "https://guides.example.org/42", "score": 0.74, "chunk": "guide_002", "cited": false})]
    );
    assert_eq!(
        list(&deposit, "ratings"),
        [json!({"trait": "quality", "value": 0.8, "by": "A. Okafor", "explanation": null, "at": null})]
    );
    assert_eq!(deposit["answerable"], json!(false));
    let notice = question(&served, begins(&library, "How long is the notice"));
    let cited = list(&notice, "sources").iter().filter(|source| source["cited"] == json!(true));
    let cited: Vec<&Value> = cited.collect();
    // The search has found what the answer cites: it is one source, with the text of the chunk.
    assert_eq!((cited.len(), cited[0]["chunk"].as_str()), (1, Some("act_005")));
    assert!(cited[0]["text"].is_string() && cited[0]["url"].is_string(), "{}", cited[0]);
    let systems: Vec<&str> =
        list(&notice, "sameQuestion").iter().map(|other| text(other, "system")).collect();
    assert!(systems.contains(&"karenina") && systems.contains(&"train"), "{systems:?}");
}

#[test]
fn tasks_say_what_experts_think() {
    let served = all_systems();
    let review = of_file(&served, "review.json");
    let mail = question(&served, begins(&review, "Is a notice"));
    assert_eq!(list(&mail, "answers"), [json!("Yes"), json!("It is valid.")]);
    assert_eq!(
        mail["feedback"][0],
        json!({"by": "anna", "level": "authority 0.8", "value": "correct", "text": "as the law has it",
               "at": "2026-05-03T09:01:00"})
    );
    assert_eq!(each(&mail, "feedback", "by"), [&json!("anna"), &json!("bruno"), &json!("carla")]);
    assert_eq!(mail["disagreement"], json!(1.0));
    // Feedback stands in a file of its own, on responses of another one.
    let tasks = of_file(&served, "rlcf/tasks.jsonl");
    let defects = question(&served, begins(&tasks, "Within how many days"));
    let mut by: Vec<&str> = list(&defects, "feedback").iter().map(|said| text(said, "by")).collect();
    by.sort_unstable();
    assert_eq!(by, ["ada_moreau", "bruno.keller", "chiara_neri"]);
    assert_eq!(list(&defects, "answers").len(), 2);
    // A verdict on an answer is a rating, too.
    let results = of_file(&served, "results-export.json");
    let product = question(&served, begins(&results, "What is 12"));
    assert_eq!(
        (text(&product["ratings"][0], "by"), &product["ratings"][0]["value"]),
        ("model-b", &json!(true))
    );
}

/// Of every question that has a text: the line that is told has it in the file, and is among the lines that are shown.
#[test]
fn a_question_stands_where_its_file_has_it() {
    let served = all_systems();
    let mut placed = 0;
    for listed in questions(&served) {
        let told = question(&served, &listed);
        let path = text(&told, "file");
        let (Some(line), Some(column)) = (told["line"].as_u64(), told["column"].as_u64()) else {
            // What stands in the place of a node has no line of its own.
            assert!(path.ends_with("p2-hostile.jsonld"), "{path}: {}", told["text"]);
            continue;
        };
        let content = String::from_utf8(file(path)).expect("the fixtures are UTF-8");
        let lines: Vec<&str> = content.lines().collect();
        let there = lines[line as usize - 1];
        let excerpt = &told["excerpt"];
        let first = excerpt["first"].as_u64().expect("a number") as usize;
        let shown = list(excerpt, "lines");
        assert!(shown.len() <= 9 && first <= line as usize, "{path}:{line}");
        for (shown, number) in shown.iter().zip(first..) {
            let shown = shown.as_str().expect("a line").trim_matches('…');
            assert!(lines[number - 1].contains(shown) && shown.chars().count() <= 400, "{path}:{number}");
        }
        let from_column: String = there.chars().skip(column as usize - 1).collect();
        assert!(!from_column.is_empty(), "{path}:{line}:{column}");
        // A word of the text that no format escapes stands on the line, or on the next ones.
        let said = text(&told, "text");
        let word = said.split(|c: char| !c.is_ascii_alphanumeric()).max_by_key(|word| word.len());
        let near =
            lines[line as usize - 1..].iter().take(4).any(|line| line.contains(word.unwrap_or_default()));
        assert!(near, "{path}:{line}: {said}");
        placed += 1;
    }
    assert!(placed > 200, "{placed}");
}

#[test]
fn places_can_be_left_out_and_are_those_of_the_file_that_was_read() {
    let folder = tempfile::tempdir().expect("there is room");
    let own = folder.path().join("mine.jsonld");
    let content = file("fixtures/karenina/p1-physics.jsonld");
    std::fs::write(&own, &content).expect("the folder is ours");
    let served = Served::start(folder.path(), &["mine.jsonld"]);
    let all = questions(&served);
    let target = target_of(&all[0]);
    let without = object(&served, &(target.clone() + "&place=false"));
    assert_eq!((&without["line"], &without["excerpt"]), (&Value::Null, &Value::Null));
    // The file is another one by now, and nothing of it is shown.
    std::fs::write(&own, "root:x:0:0:a secret of another program\n".repeat(200)).expect("the folder is ours");
    let changed = object(&served, &target);
    assert_eq!((&changed["line"], &changed["excerpt"]), (&Value::Null, &Value::Null));
    assert_eq!(changed["answer"], without["answer"]);
    std::fs::remove_file(&own).expect("the folder is ours");
    assert_eq!(object(&served, &target_of(&all[1]))["line"], Value::Null);
}

#[test]
fn a_store_shows_the_file_with_its_changes() {
    let folder = store_of(&["fixtures/karenina/p1-physics.jsonld", "fixtures/train/support-desk.json"]);
    let served = Served::start(folder.path(), &[]);
    let physics = of_file(&served, "p1-physics.jsonld");
    let before = question(&served, &physics[0]);
    let lines = |question: &Value| serde_json::to_string(&question["excerpt"]).expect("it is JSON");
    assert!(lines(&before).contains(text(&before, "text")), "{before}");
    let (status, _, stderr) = run(
        folder.path(),
        &["set", text(&physics[0], "id"), "--answer", "Another answer", "--finished", "false"],
    );
    assert_eq!(status, 0, "{stderr}");
    let after = question(&served, &physics[0]);
    assert_eq!((text(&after, "answer"), &after["finished"]), ("Another answer", &json!(false)));
    assert!(lines(&after).contains("Another answer"), "{after}");
    let rows = of_file(&served, "support-desk.json");
    assert_eq!(question(&served, &rows[0])["line"], json!(4));
}

#[test]
fn keys_of_services_are_never_shown() {
    let folder = tempfile::tempdir().expect("there is room");
    let export = String::from_utf8(file("fixtures/rlcf/export.json")).expect("it is UTF-8");
    let at = export.find("\"tasks\"").expect("there are tasks");
    let (before, after) = export.split_at(at);
    let secret = "sk-verysecret0123456789";
    let with = format!("{before}\"model\": {{\"name\": \"m\", \"api_key\": \"{secret}\"}}, {after}");
    let task = with.find("\"task_type\"").expect("there is a task");
    let with = format!("{}\"api_key\": \"{secret}\", {}", &with[..task], &with[task..]);
    std::fs::write(folder.path().join("export.json"), with).expect("the folder is ours");
    let served = Served::start(folder.path(), &["export.json"]);
    let mut shown = 0;
    for listed in questions(&served) {
        let reply = served.send(&get(&target_of(&listed)));
        assert!(reply.status == 200 && !reply.text().contains(secret), "{}", reply.text());
        shown += usize::from(reply.text().contains("api_key"));
    }
    assert!(shown > 0, "the line of the key is shown without the key");
}

#[test]
fn an_unknown_question_is_not_there_and_ids_are_only_ids() {
    let served = all_systems();
    let known = questions(&served)[0].clone();
    let (graph, id) = (text(&known, "graph"), text(&known, "id"));
    for (graph, id) in [
        (graph, "urn:uuid:none"),
        ("urn:evalgraph:graph:none", id),
        (graph, ""),
        ("", id),
        (graph, "../../../../etc/passwd"),
        ("file:///etc/passwd", id),
        (graph, "_:b1"),
        (graph, "_:"),
        (graph, "_:b99999999999"),
        (graph, "_:../x"),
        (graph, "x> ?p ?o } #"),
        ("urn:evalgraph:graph:catalog", id),
        (graph, "http://schema.org/Question"),
        (graph, "\u{0}"),
    ] {
        let target = format!("/api/question?graph={}&id={}", encoded(graph), encoded(id));
        let reply = served.send(&get(&target).accept("application/json"));
        assert_eq!((reply.status, &*code(&reply)), (404, "serve::unknown-question"), "{graph} {id}");
    }
    let invalid = served.send(&get("/api/question?graph=%FF&id=a").accept("application/json"));
    assert_eq!((invalid.status, &*code(&invalid)), (400, "serve::utf-8"));
    // Ids that are not IRIs, stand twice or are empty are asked for as the list has them.
    let hostile = of_file(&served, "p2-hostile.jsonld");
    assert!(hostile.len() > 5, "{}", hostile.len());
    for listed in &hostile {
        let told = question(&served, listed);
        assert_eq!((&told["id"], &told["text"]), (&listed["id"], &listed["text"]));
    }
    let awkward = of_file(&served, "p2-awkward-ids.jsonld");
    assert!(awkward.iter().any(|listed| text(listed, "localId").contains('"')));
    for listed in &awkward {
        assert_eq!(question(&served, listed)["localId"], listed["localId"]);
    }
}

#[test]
fn an_item_names_its_question_and_one_id_in_two_files_two_questions() {
    let served = all_systems();
    let ecology = of_file(&served, "g-ecology.jsonld");
    let species = begins(&ecology, "What is a keystone");
    // The id in the file is that of the item.
    let (graph, item) = (encoded(text(species, "graph")), encoded(text(species, "localId")));
    let by_item = object(&served, &format!("/api/question?graph={graph}&id={item}"));
    assert_eq!(by_item["id"], species["id"]);
    let all = questions(&served);
    let enzymes: Vec<&Value> =
        all.iter().filter(|listed| text(listed, "file").contains("revisions/enzymes")).collect();
    let twice = |one: &&&Value| enzymes.iter().filter(|other| other["id"] == one["id"]).count() == 2;
    let both: Vec<&&Value> = enzymes.iter().filter(twice).collect();
    assert!(both.len() >= 4, "{}", both.len());
    for one in both {
        let told = question(&served, one);
        assert_eq!((&told["file"], &told["graph"]), (&one["file"], &one["graph"]));
        let content = String::from_utf8(file(text(&told, "file"))).expect("it is UTF-8");
        let line = content.lines().nth(told["line"].as_u64().expect("a line") as usize - 1);
        assert!(line.is_some_and(|line| line.contains("\"item\"") || line.contains("\"text\"")), "{line:?}");
    }
}

#[test]
fn many_ratings_and_long_texts_are_cut_where_a_list_would_be_too_long() {
    let folder = tempfile::tempdir().expect("there is room");
    let mut turtle = String::from("@prefix s: <http://schema.org/> .\n");
    turtle.push_str(&format!("<urn:x:q> a s:Question ; s:text \"{}\" .\n", "long ".repeat(100_000)));
    turtle.push_str(
        "<urn:x:script> a s:Question ; s:text \"<script>alert(1)</script>\" ; s:keywords \"<b>\" .\n",
    );
    for number in 0..10_000 {
        turtle.push_str(&format!(
            "<urn:x:q> s:rating [ a s:Rating ; s:name \"t\" ; s:ratingValue {} ] .\n",
            number % 5
        ));
    }
    std::fs::write(folder.path().join("long.ttl"), turtle).expect("the folder is ours");
    let served = Served::start(folder.path(), &["long.ttl"]);
    let all = questions(&served);
    let long = all.iter().find(|listed| text(listed, "id") == "urn:x:q").expect("it is there");
    assert_eq!(text(long, "text").chars().count(), 1_001);
    assert_eq!(
        (&long["ratings"], &long["rating"], &long["system"]),
        (&json!(10_000), &json!(2.0), &Value::Null)
    );
    let told = question(&served, long);
    assert_eq!((list(&told, "ratings").len(), &told["ratingsTotal"]), (1_000, &json!(10_000)));
    assert_eq!(text(&told, "text").len(), 500_000);
    let shown = list(&told["excerpt"], "lines")
        .iter()
        .all(|line| line.as_str().is_some_and(|line| line.chars().count() <= 402));
    assert!(shown && told["line"] == json!(2), "{}", told["line"]);
    let script = all.iter().find(|listed| text(listed, "id") == "urn:x:script").expect("it is there");
    let reply = served.send(&get(&target_of(script)));
    assert_eq!(
        (reply.header("content-type"), reply.header("x-content-type-options")),
        (Some("application/json"), Some("nosniff"))
    );
    assert_eq!(text(&reply.json(), "text"), "<script>alert(1)</script>");
    assert!(Path::new(text(&reply.json(), "file")).ends_with("long.ttl"));
}
