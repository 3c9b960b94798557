//! The queries that cross the systems, through the program: each finds in the small files of
//! `fixtures/across` what their README works out by hand.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use std::collections::BTreeSet;

const FILES: [&str; 5] = ["tenancy.jsonld", "repairs.jsonld", "handbook.json", "library.json", "review.json"];

/// The names of the two benchmarks, which are the ids of their roots.
const TENANCY: &str = "urn:uuid:karenina-checkpoint-1777626000.5";
const REPAIRS: &str = "urn:uuid:karenina-checkpoint-1777626001.5";

/// The rows of the answer without the names of the columns, cells parted by ` | `.
fn rows(arguments: &[&str]) -> Vec<String> {
    let mut all = vec!["query"];
    all.extend(FILES);
    all.extend(arguments);
    all.extend(["--format", "tsv"]);
    let (status, stdout, stderr) = run(&path("across"), &all);
    assert_eq!(status, 0, "{stderr}");
    let decimal = "^^<http://www.w3.org/2001/XMLSchema#decimal>";
    let plain =
        |line: &str| line.replace("@en", "").replace(decimal, "").replace('"', "").replace('\t', " | ");
    stdout.lines().skip(1).map(plain).collect()
}

fn named(name: &str) -> Vec<String> {
    rows(&["-n", name])
}

/// The queries of this file.
pub(crate) const NAMES: [&str; 11] = [
    "answered-elsewhere",
    "changed-chunks",
    "contested-questions",
    "disagreement",
    "differing-answers",
    "guards",
    "judges",
    "licences",
    "refused-though-found",
    "shared-documents",
    "systems",
];

#[test]
fn systems_have_questions_with_and_without_an_answer() {
    assert_eq!(
        named("systems"),
        ["karenina | 2 | 5 | 5", "kwanzaa | 1 | 4 | 2", "rlcf | 1 | 2 | 1", "train | 1 | 4 | 3"]
    );
}

#[test]
fn answers_differ_between_systems() {
    let notice = "How long is the notice period for a flat?";
    // Of two wordings, the first by code points.
    let e_mail = "Is a notice of termination  by e-mail valid?";
    let expected = [
        format!("{notice} | karenina | {TENANCY} | urn:uuid:question-tenancy-2 | Three months"),
        format!(
            "{notice} | kwanzaa | library | citation_educator_001 | Three months, by the law of 2019 [1]."
        ),
        format!("{notice} | train | handbook | 0 | Three months"),
        format!("{e_mail} | karenina | {TENANCY} | urn:uuid:question-tenancy-1 | No"),
        format!("{e_mail} | rlcf | review | 1 | Yes"),
        format!("{e_mail} | train | handbook | 1 | No, it has to be a letter"),
    ];
    assert_eq!(named("differing-answers"), expected);
}

#[test]
fn what_one_calls_impossible_another_answers() {
    let expected = [
        format!(
            "May a landlord enter a flat without notice? | train | handbook | 2 | karenina | {TENANCY} | \
             Only in an emergency"
        ),
        "Which deposit may a landlord ask for? | kwanzaa | library | refusal_researcher_001 | train | handbook | \
         At most three months' rent"
            .to_owned(),
    ];
    assert_eq!(named("answered-elsewhere"), expected);
}

#[test]
fn answers_depend_on_licences() {
    assert_eq!(named("licences"), ["CC BY-NC | 1 | 1 | citation_builder_001", "Public Domain | 1 | 1 | "]);
    let other = rows(&["-n", "licences", "-p", "free=CC BY-NC"]);
    assert_eq!(other, ["CC BY-NC | 1 | 1 | ", "Public Domain | 1 | 1 | citation_educator_001"]);
}

/// Two datasets with the same documents, one of which has another name for one of them.
#[test]
fn a_document_of_several_files_counts_once() {
    let text = std::fs::read_to_string(path("across/library.json")).expect("the fixture is there");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let once = ["CC BY-NC,1,1", "Public Domain,1,1"];
    let twice = ["CC BY-NC,1,2", "Public Domain,1,2"];
    std::fs::write(folder.path().join("a.json"), &text).expect("the folder is ours");
    let renamed =
        text.replace("Deposit guide", "A guide to deposits").replace("Tenancy Act (2019)", "The Act");
    assert_ne!(renamed, text);
    std::fs::write(folder.path().join("b.json"), renamed).expect("the folder is ours");
    for (files, expected) in [(&["a.json"][..], once), (&["a.json", "b.json"], twice)] {
        let arguments = [&["query", "-n", "licences", "--format", "csv"], files].concat();
        let (status, stdout, stderr) = run(folder.path(), &arguments);
        assert_eq!(status, 0, "{stderr}");
        let rows: Vec<String> = stdout
            .lines()
            .skip(1)
            .map(|line| line.splitn(4, ',').take(3).collect::<Vec<_>>().join(","))
            .collect();
        assert_eq!(rows, expected, "{files:?}");
    }
}

/// A dash and blanks stand in the place of an answer, also where the file does not say that there is none:
/// in the data of an evaluation, and in a checkpoint that was made of rows.
#[test]
fn what_stands_in_the_place_of_an_answer_is_none() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("the folder is ours");
    let tenancy = std::fs::read_to_string(path("across/tenancy.jsonld")).expect("the fixture is there");
    let dashed =
        tenancy.replace("Only in an emergency", "-").replace("Yes, unless it disturbs the neighbours", " ");
    write("dashed.jsonld", &dashed);
    write(
        "rag_d_evaluation_data.json",
        r#"[{"id": 0, "question": "a?", "answer": "A", "generated_answer": "A", "contexts": [], "retrieved_docs": []},
            {"id": 1, "question": "b?", "answer": "-", "generated_answer": "B", "contexts": [], "retrieved_docs": []},
            {"id": 2, "question": "c?", "answer": "", "generated_answer": "C", "contexts": [], "retrieved_docs": []}]"#,
    );
    let handbook = path("across/handbook.json").display().to_string();
    let asked = |arguments: &[&str]| {
        let (status, stdout, stderr) =
            run(folder.path(), &[&["query", "--format", "csv"], arguments].concat());
        assert_eq!(status, 0, "{stderr}");
        stdout.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let inputs = ["dashed.jsonld", "rag_d_evaluation_data.json"];
    assert_eq!(asked(&[&inputs[..], &["-n", "systems"]].concat()), ["karenina,1,4,2", "train,1,3,1"]);
    assert_eq!(asked(&["dashed.jsonld", &handbook, "-n", "answered-elsewhere"]), [""; 0]);
    let (_, stdout, _) = run(folder.path(), &["stats", "dashed.jsonld", "--format", "json"]);
    assert!(stdout.contains("\"answers\": 2,"), "{stdout}");
}

#[test]
fn documents_are_shared_by_file_name_address_and_title() {
    let expected = [
        "deposit guide | kwanzaa | library | Deposit guide",
        "deposit guide | train | handbook | Deposit_guide.pdf",
        "tenancy act | kwanzaa | library | Tenancy Act (2019)",
        "tenancy act | train | handbook | Tenancy_Act.pdf",
    ];
    assert_eq!(named("shared-documents"), expected);
}

#[test]
fn refusals_have_found_something() {
    let deposit = "library | refusal_researcher_001 | Which deposit may a landlord ask for? | 0.74";
    assert_eq!(named("refused-though-found"), [deposit]);
    let door = "library | refusal_creator_001 | Which colour may a front door have? | 0.31";
    assert_eq!(rows(&["-n", "refused-though-found", "-p", "least=0.3"]), [deposit, door]);
    assert_eq!(rows(&["-n", "refused-though-found", "-p", "least=0.75"]), [""; 0]);
}

#[test]
fn one_id_stands_for_two_texts() {
    assert_eq!(named("changed-chunks"), ["act_005 | 2 | 2"]);
}

#[test]
fn finished_questions_are_contested() {
    let question = "urn:uuid:question-tenancy-1 | Is a notice of termination by e-mail valid?";
    let expected = format!("{TENANCY} | {question} | No | review | 1 | 1.0");
    assert_eq!(named("contested-questions"), [expected]);
}

#[test]
fn experts_disagree_on_one_task_of_two() {
    let e_mail = "review | 1 | Is a notice of termination by e-mail valid? | 1.0 | true";
    let dog = "review | 2 | May a tenant keep a dog? | 0.0 | false";
    assert_eq!(named("disagreement"), [e_mail, dog]);
    assert_eq!(rows(&["-n", "disagreement", "-p", "least=0.5"]), [e_mail]);
}

#[test]
fn ratings_are_counted_by_trait_and_value() {
    let expected = [
        "accuracy | 4 | 1",
        "accuracy | 5 | 1",
        "accuracy | 7 | 1",
        "accuracy | 8 | 1",
        "accuracy | 9 | 1",
        "quality | 0.7 | 1",
        "quality | 0.8 | 1",
        "quality | 0.85 | 1",
        "quality | 0.9 | 1",
        "transparency | 6 | 5",
        "utility | 6 | 5",
    ];
    assert_eq!(named("rating-values"), expected);
    assert_eq!(rows(&["-n", "rating-values", "-p", "only=Utility"]), ["utility | 6 | 5"]);
}

#[test]
fn traits_guard_questions_or_nothing_does() {
    let expected = [
        format!("{TENANCY} | llm | 1"),
        format!("{TENANCY} | none | 2"),
        format!("{TENANCY} | regex | 1"),
        format!("{REPAIRS} | regex | 1"),
    ];
    assert_eq!(named("guards"), expected);
}

#[test]
fn judges_are_compared_on_one_scale() {
    let expected = [
        "A. Okafor | kwanzaa | quality | 2 | 0.85",
        "B. Lindqvist | kwanzaa | quality | 2 | 0.775",
        "anna | rlcf | accuracy | 2 | 0.85",
        "bruno | rlcf | accuracy | 2 | 0.6",
        "carla | rlcf | accuracy | 1 | 0.4",
    ];
    assert_eq!(named("judges"), expected);
}

#[test]
fn every_term_of_the_catalog_is_described() {
    let vocabulary = std::fs::read_to_string(path("../shapes/vocabulary.ttl")).expect("it is there");
    let mut arguments = vec!["convert"];
    arguments.extend(FILES);
    arguments.extend(["--to", "nq", "--with", "catalog"]);
    let (status, stdout, stderr) = run(&path("across"), &arguments);
    assert_eq!(status, 0, "{stderr}");
    let catalog = stdout.lines().filter(|line| line.ends_with(" <urn:evalgraph:graph:catalog> ."));
    let terms: BTreeSet<&str> = catalog
        .filter_map(|line| line.split_once(" <urn:evalgraph:vocab:")?.1.split_once('>'))
        .map(|(term, _)| term)
        .collect();
    for term in ["looseKey", "documentKey", "disagreement", "contested", "isImpossible"] {
        assert!(terms.contains(term), "{term}: {terms:?}");
    }
    for term in terms {
        assert!(vocabulary.contains(&format!("\neg:{term}\n")), "eg:{term} is not described");
    }
}
