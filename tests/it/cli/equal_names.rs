//! Many things of one name: each keeps a name of its own, in files that are written and in graphs.

use crate::cli::input::run;
use std::collections::BTreeSet;
use std::fs;

/// How many things have one name.
const MANY: usize = 300;

#[test]
fn questions_of_one_text_have_ids_of_their_own() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let row = |at: usize| {
        format!(
            "{{\"id\": \"r{at}\", \"question\": \"Why?\", \"answer\": \"So\", \"contexts\": [{{\"filename\": \"a.txt\", \"text\": \"c{at}\"}}]}}"
        )
    };
    let rows: Vec<String> = (0..MANY).map(row).collect();
    fs::write(path.join("rows.json"), format!("[{}]", rows.join(",\n"))).expect("the folder is ours");
    for (form, first, last) in [
        ("karenina", "urn:uuid:question-why-bfb2c7e7", "-299\""),
        ("karenina-gui", "urn:uuid:", "-299\""),
        ("karenina-v2", "", "-299\""),
    ] {
        let (status, stdout, stderr) = run(path, &["convert", "rows.json", "--to", form]);
        assert_eq!(status, 0, "{form}: {stderr}");
        let numbered: BTreeSet<&str> = stdout
            .lines()
            .filter(|line| line.contains("\"@id\": \"urn:uuid:question-why") || line.ends_with("\": {"))
            .collect();
        assert!(stdout.contains(last), "{form}: {last}");
        assert!(form == "karenina-v2" || stdout.contains(&first[..9]), "{form}: {first}");
        assert!(form != "karenina" || numbered.len() >= MANY, "{form}: {}", numbered.len());
    }
}

#[test]
fn records_inside_of_others_that_share_id_and_index_are_nodes_of_their_own() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let user = |at: usize| {
        format!(
            "{{\"id\": {at}, \"username\": \"u{at}\", \"authority_score\": 0.5, \"track_record_score\": 0.5, \
             \"baseline_credential_score\": 0.0, \"credentials\": [{{\"id\": 1, \"user_id\": {at}, \"type\": \
             \"ACADEMIC_DEGREE\", \"value\": \"V{at}\", \"weight\": 0.3}}]}}"
        )
    };
    let text = format!("[{}]\n", (1..=5).map(user).collect::<Vec<_>>().join(", "));
    fs::write(path.join("users.json"), &text).expect("the folder is ours");
    let (status, stdout, stderr) = run(path, &["convert", "users.json", "--to", "nt"]);
    assert_eq!(status, 0, "{stderr}");
    let subjects: BTreeSet<&str> = stdout
        .lines()
        .filter_map(|line| line.split(' ').next())
        .filter_map(|subject| subject.strip_prefix("<urn:evalgraph:rlcf:users:credential/"))
        .collect();
    let wanted = ["1>", "1~~0>", "1~~0~1>", "1~~0~2>", "1~~0~3>"];
    assert_eq!(subjects, BTreeSet::from(wanted), "{stdout}");
    let (status, stdout, stderr) = run(path, &["convert", "users.json", "--to", "same"]);
    assert_eq!((status, stdout.as_str()), (0, text.as_str()), "{stderr}");
}

#[test]
fn two_inputs_of_one_name_are_refused_before_one_is_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    for name in ["a", "b"] {
        fs::create_dir(path.join(name)).expect("the folder is ours");
        let fixture = crate::karenina::fixtures::path("rlcf/tasks.jsonl");
        fs::copy(fixture, path.join(name).join("tasks.jsonl")).expect("the folder is ours");
    }
    for form in ["rlcf", "kwanzaa", "train", "karenina"] {
        let arguments = ["convert", "a/tasks.jsonl", "b/tasks.jsonl", "--to", form, "-o", "out/"];
        let (status, _, stderr) = run(path, &arguments);
        let written: Vec<_> = fs::read_dir(path.join("out")).into_iter().flatten().collect();
        assert!(status != 2 || written.is_empty(), "{form}: {stderr} {written:?}");
        assert!(form != "rlcf" || status == 2 && stderr.contains("output::same-name"), "{form}: {stderr}");
        let _ = fs::remove_dir_all(path.join("out"));
    }
}
