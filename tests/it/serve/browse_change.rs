//! Changes of a question from a page: shown before they are made, made as all changes of a store, and taken back to the byte.

use std::path::Path;

use serde_json::{Value, json};

use super::browsed::{begins, code, file, list, object, of_file, question, questions, text};
use super::client::{Ask, Reply, ask, query};
use super::served::{Served, store_of};
use crate::cli::input::run;

const PHYSICS: &str = "fixtures/karenina/p1-physics.jsonld";

fn writable(folder: &Path) -> Served {
    Served::start(folder, &["--write", "--no-token"])
}

fn change(body: &Value) -> Ask {
    ask("POST", "/api/change").body("application/json", body.to_string()).accept("application/json")
}

/// The body of a change of a question.
fn body(of: &Value, set: &Value) -> Value {
    let mut body = json!({"graph": of["graph"], "id": of["id"]});
    for (name, value) in set.as_object().expect("an object") {
        body[name] = value.clone();
    }
    body
}

fn done(reply: &Reply) -> Value {
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

/// The files as they would be written.
fn written(folder: &Path, name: &str) -> Vec<u8> {
    let out = folder.join("out");
    let _ = std::fs::remove_dir_all(&out);
    let _ = std::fs::remove_file(&out);
    let (status, stdout, stderr) = run(folder, &["convert", "--to", "same", "-o", "out"]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    std::fs::read(if out.is_dir() { out.join(name) } else { out }).expect("it is written")
}

fn state(served: &Served) -> String {
    text(&object(served, "/api/summary"), "state").to_owned()
}

/// Of files of every form: each change is shown first, then made, seen by queries and in the file, and taken back to the byte.
#[test]
fn a_change_is_shown_made_seen_and_taken_back_to_the_byte() {
    let sets = [
        json!({"answer": "Changed \"ä\"\n"}),
        json!({"finished": true}),
        json!({"finished": false}),
        json!({"keywords": ["new", "old \"k\""]}),
        json!({"keywords": []}),
        json!({"answer": "all", "finished": true, "keywords": ["three"]}),
    ];
    for name in [
        "karenina/p0-programming.jsonld",
        "karenina/p1-physics.jsonld",
        "karenina/g-ecology.jsonld",
        "karenina/s0-cell-biology.jsonld",
        "karenina/t-general-knowledge.jsonld",
        "karenina/v2a-mycology.json",
        "karenina/x-neuroscience.jsonld",
        "hostile/g-one-line.jsonld",
        "train/table.csv",
        "kwanzaa/citation.json",
    ] {
        let fixture = format!("fixtures/{name}");
        let own = name.rsplit('/').next().expect("a name");
        let folder = store_of(&[&fixture]);
        let before = written(folder.path(), own);
        assert_eq!(before, file(&fixture), "{name}");
        let served = writable(folder.path());
        let all = questions(&served);
        let mut made = 0;
        for (at, set) in sets.iter().enumerate() {
            let of = &all[at % all.len()];
            let known = state(&served);
            let shown = served.send(&change(&body(of, &json!({"dry": true, "ignored": null}))));
            assert_eq!((shown.status, &*code(&shown)), (400, "serve::parameter"));
            let mut dry = body(of, set);
            dry["dry"] = json!(true);
            let shown = served.send(&change(&dry));
            assert_eq!(state(&served), known, "{name}: what is shown is not made");
            let reply = served.send(&change(&body(of, set)).with("if-match", &format!("W/\"{known}\"")));
            assert_eq!(shown.status, reply.status, "{name}: {}", reply.text());
            if reply.status != 200 {
                // Other systems have no place for it.
                assert_eq!((reply.status, &*code(&reply)), (400, "set::no-place"), "{name}: {set}");
                assert!(!name.starts_with("karenina"), "{name}: {set}");
                continue;
            }
            let (shown, told) = (shown.json(), reply.json());
            assert_eq!(shown["changes"], told["changes"], "{name}: {set}");
            assert_eq!((text(&shown, "state"), &shown["undo"]), (&*known, &Value::Null));
            if list(&told, "changes").is_empty() {
                assert_eq!((text(&told, "state"), text(&told, "update")), (&*known, ""));
                continue;
            }
            made += 1;
            let next = state(&served);
            assert_ne!((text(&told, "state"), &*next), (&*known, &*known));
            assert_eq!(text(&told, "state"), next);
            assert!(text(&told, "update").contains("INSERT") || text(&told, "update").contains("DELETE"));
            assert_eq!(told["notes"], json!([]), "{name}: {set}");
            let now = question(&served, of);
            for changed in list(&told, "changes") {
                let property = text(changed, "property");
                assert_eq!(now[property], set[property], "{name}: {set}");
                assert_eq!(changed["after"], set[property]);
                assert_ne!(changed["before"], changed["after"]);
            }
            if let Some(answer) = set["answer"].as_str() {
                let sees = format!("ASK {{ ?q s:acceptedAnswer/s:text {} }}", json!(answer));
                assert_eq!(served.send(&query(&sees)).json()["boolean"], json!(true), "{name}");
            }
            let after = written(folder.path(), own);
            assert_ne!(after, before, "{name}: {set}");
            let undo = change(&told["undo"]).with("if-match", &format!("\"{next}\""));
            let undone = done(&served.send(&undo));
            assert_eq!(list(&undone, "changes").len(), list(&told, "changes").len());
            assert_eq!(undone["changes"][0]["before"], told["changes"][0]["after"]);
            assert_eq!(undone["changes"][0]["after"], told["changes"][0]["before"]);
            assert_eq!(text(&undone, "state"), state(&served));
            assert!(written(folder.path(), own) == before, "{name}: {set} is not taken back to the byte");
            // What was taken back can be made again, and is the same file.
            if at == 0 {
                let again = done(&served.send(&change(&undone["undo"])));
                assert!(written(folder.path(), own) == after, "{name}: {set}");
                done(&served.send(&change(&again["undo"])));
            }
        }
        assert!(made >= 1, "{name}");
        let (status, stdout, stderr) = run(folder.path(), &["doctor"]);
        assert_eq!(status, 0, "{name}: {stdout}{stderr}");
    }
}

#[test]
fn a_change_that_is_meant_for_another_state_or_comes_late_is_none() {
    let folder = store_of(&[PHYSICS]);
    let served = writable(folder.path());
    let one = questions(&served)[0].clone();
    let first = state(&served);
    let made = done(&served.send(&change(&body(&one, &json!({"answer": "first"})))));
    let late = change(&body(&one, &json!({"answer": "late"}))).with("if-match", &format!("\"{first}\""));
    let late = served.send(&late);
    assert_eq!((late.status, &*code(&late)), (412, "serve::changed"));
    assert_eq!(text(&question(&served, &one), "answer"), "first");
    // Somebody else has changed the store from a shell.
    let (status, _, stderr) = run(folder.path(), &["set", text(&one, "id"), "--answer", "from a shell"]);
    assert_eq!(status, 0, "{stderr}");
    let undo = served.send(&change(&made["undo"]));
    assert_eq!((undo.status, &*code(&undo)), (412, "serve::changed"));
    let undo = served.send(&change(&made["undo"]).with("if-match", &format!("\"{}\"", text(&made, "state"))));
    assert_eq!(undo.status, 412);
    assert_eq!(text(&question(&served, &one), "answer"), "from a shell");
    // A change that is taken back is no more to be taken back.
    let made = done(&served.send(&change(&body(&one, &json!({"answer": "second"})))));
    done(&served.send(&change(&made["undo"])));
    let twice = served.send(&change(&made["undo"]));
    assert_eq!((twice.status, &*code(&twice)), (404, "serve::unknown-undo"));
    assert_eq!(text(&question(&served, &one), "answer"), "from a shell");
}

#[test]
fn only_who_may_write_changes_anything() {
    let folder = store_of(&[PHYSICS]);
    std::fs::write(folder.path().join("token"), "correct-horse-battery-staple\n")
        .expect("the folder is ours");
    let reading = Served::start(folder.path(), &[]);
    let one = questions(&reading)[0].clone();
    let wish = change(&body(&one, &json!({"answer": "x"})));
    let refused = reading.send(&wish);
    assert_eq!((refused.status, &*code(&refused)), (403, "serve::read-only"));
    drop(reading);
    let guarded = Served::start(folder.path(), &["--write", "--token-file", "token"]);
    let refused = guarded.send(&wish);
    assert_eq!((refused.status, &*code(&refused)), (401, "serve::token"));
    assert_eq!(
        guarded.send(&wish.clone().with("authorization", "Bearer wrong-horse-battery-staple")).status,
        401
    );
    let dry = change(&body(&one, &json!({"answer": "x", "dry": true})));
    assert_eq!(guarded.send(&dry).status, 401, "what would change is for those who may change it");
    let shown = wish.with("authorization", "Bearer correct-horse-battery-staple");
    let foreign = shown.clone().with("origin", "http://evil.example");
    assert_eq!(guarded.send(&foreign).status, 403);
    assert_eq!(guarded.send(&shown).status, 200);
}

#[test]
fn a_faulty_body_changes_nothing() {
    let folder = store_of(&[PHYSICS]);
    let served = writable(folder.path());
    let one = questions(&served)[0].clone();
    let (graph, id) = (&one["graph"], &one["id"]);
    let before = state(&served);
    for (body, status, expected) in [
        (json!({"graph": graph, "id": id}), 400, "serve::parameter"),
        (json!({"graph": graph, "answer": "x"}), 400, "serve::parameter"),
        (json!({"graph": graph, "id": id, "answer": 1}), 400, "serve::parameter"),
        (json!({"graph": graph, "id": id, "answer": null}), 400, "serve::parameter"),
        (json!({"graph": graph, "id": id, "finished": "true"}), 400, "serve::parameter"),
        (json!({"graph": graph, "id": id, "keywords": ["a", 1]}), 400, "serve::parameter"),
        (json!({"graph": graph, "id": id, "keywords": "a"}), 400, "serve::parameter"),
        (json!({"graph": graph, "id": id, "answer": "x", "text": "y"}), 400, "serve::parameter"),
        (json!({"graph": graph, "id": id, "answer": "x", "dry": "no"}), 400, "serve::parameter"),
        (json!({"undo": "x", "answer": "y"}), 400, "serve::parameter"),
        (json!({"undo": 5}), 400, "serve::parameter"),
        (json!({"undo": "0123"}), 404, "serve::unknown-undo"),
        (json!([]), 400, "serve::parameter"),
        (json!({"graph": graph, "id": "urn:none", "answer": "x"}), 404, "serve::unknown-question"),
        (json!({"graph": "urn:none", "id": id, "answer": "x"}), 404, "serve::unknown-question"),
        (json!({"graph": graph, "id": "> } ; DROP ALL #", "answer": "x"}), 404, "serve::unknown-question"),
    ] {
        let reply = served.send(&change(&body));
        assert_eq!((reply.status, &*code(&reply)), (status, expected), "{body}");
    }
    let plain =
        ask("POST", "/api/change").body("text/plain", body(&one, &json!({"answer": "x"})).to_string());
    assert_eq!(served.send(&plain).status, 415);
    let form = ask("POST", "/api/change").body("application/x-www-form-urlencoded", "answer=x");
    assert_eq!(served.send(&form).status, 415);
    assert_eq!(served.send(&ask("POST", "/api/change").body("application/json", "{\"graph\":")).status, 400);
    let in_url = ask("POST", "/api/change?dry=true")
        .body("application/json", body(&one, &json!({"answer": "x"})).to_string());
    assert_eq!(served.send(&in_url).status, 400);
    assert_eq!(state(&served), before);
    // A text that would end a string of SPARQL is a text.
    let hostile = "\\\" } } ; DROP ALL # \u{0} \n '''";
    done(&served.send(&change(&body(&one, &json!({"answer": hostile, "keywords": [hostile]})))));
    let now = question(&served, &one);
    assert_eq!((text(&now, "answer"), list(&now, "keywords")), (hostile, &[json!(hostile)][..]));
    assert_eq!(questions(&served).len(), 4);
}

/// Two questions that say the same, and have no ids: no update can tell them apart.
#[test]
fn a_question_that_cannot_be_told_from_another_stays() {
    let folder = tempfile::tempdir().expect("there is room");
    let general =
        String::from_utf8(file("fixtures/karenina/t-general-knowledge.jsonld")).expect("it is UTF-8");
    let twins = general.replace("\"identifier\": \"q002\"", "\"identifier\": \"q001\"");
    let twins = twins.replace("How many strings does a violin have?", "What is the capital of Portugal?");
    assert_ne!(general, twins);
    std::fs::write(folder.path().join("twins.jsonld"), twins).expect("the folder is ours");
    assert_eq!(run(folder.path(), &["init"]).0, 0);
    let (status, _, stderr) = run(folder.path(), &["load", "twins.jsonld"]);
    assert_eq!(status, 0, "{stderr}");
    let served = writable(folder.path());
    let all = of_file(&served, "twins.jsonld");
    let twin = all.iter().find(|listed| text(listed, "localId") == "q001").expect("it is there");
    let refused = served.send(&change(&body(twin, &json!({"answer": "x"}))));
    assert_eq!((refused.status, &*code(&refused)), (400, "set::which-question"));
    // The others have what tells them apart.
    let gas = begins(&all, "Which gas");
    done(&served.send(&change(&body(gas, &json!({"answer": "CO2"})))));
    assert_eq!(
        text(&question(&served, begins(&of_file(&served, "twins.jsonld"), "Which gas")), "answer"),
        "CO2"
    );
}

/// Of two files with one checkpoint under one id, only the one that is named changes.
#[test]
fn of_two_files_with_one_id_the_named_one_changes() {
    let folder =
        store_of(&["fixtures/revisions/enzymes-2026-01.jsonld", "fixtures/revisions/enzymes-2026-03.jsonld"]);
    let served = writable(folder.path());
    let (older, newer) =
        (of_file(&served, "enzymes-2026-01.jsonld"), of_file(&served, "enzymes-2026-03.jsonld"));
    let one =
        older.iter().find(|one| newer.iter().any(|other| other["id"] == one["id"])).expect("there is one");
    let other = newer.iter().find(|other| other["id"] == one["id"]).expect("there is one");
    let before = question(&served, other);
    let made = done(&served.send(&change(&body(one, &json!({"answer": "only here"})))));
    assert!(text(&made, "file").ends_with("enzymes-2026-01.jsonld"));
    assert_eq!(text(&question(&served, one), "answer"), "only here");
    assert_eq!(question(&served, other)["answer"], before["answer"]);
}

/// A server that is started anew has another name for each state, and keeps no change of before.
#[test]
fn what_takes_a_change_back_ends_with_the_server() {
    let folder = store_of(&[PHYSICS]);
    let served = writable(folder.path());
    let one = questions(&served)[0].clone();
    let made = done(&served.send(&change(&body(&one, &json!({"finished": false})))));
    drop(served);
    let served = writable(folder.path());
    assert_eq!(served.send(&change(&made["undo"])).status, 404);
    let if_match = change(&made["undo"]).with("if-match", &format!("\"{}\"", text(&made, "state")));
    assert_eq!(served.send(&if_match).status, 412);
}

/// The dates of a change are those of the clock, as with the command.
#[test]
fn a_change_is_the_one_that_the_command_makes() {
    let by_page = store_of(&[PHYSICS]);
    let by_command = store_of(&[PHYSICS]);
    let mut command = crate::program::program();
    command.current_dir(by_page.path()).env("SOURCE_DATE_EPOCH", "1766000000");
    command.args(["serve", "--bind", "127.0.0.1:0", "--write", "--no-token"]);
    let served = Served::of(command);
    let one = questions(&served)[1].clone();
    let set = json!({"answer": "As the command", "finished": false, "keywords": ["a", "b"]});
    done(&served.send(&change(&body(&one, &set))));
    let arguments = [
        "set",
        text(&one, "id"),
        "--answer",
        "As the command",
        "--finished",
        "false",
        "--keyword",
        "a",
        "--keyword",
        "b",
    ];
    let (status, _, stderr) = crate::cli::input::run_at(1_766_000_000, by_command.path(), &arguments);
    assert_eq!(status, 0, "{stderr}");
    let files = [by_page.path(), by_command.path()].map(|folder| written(folder, "p1-physics.jsonld"));
    assert!(files[0] == files[1] && files[0] != file(PHYSICS));
}
