//! The queries that tables are made of, through the program: each gives the rows that the files of all systems say.

use crate::cli::input::run;
use crate::karenina::fixtures::path;

/// The queries of this file.
pub(crate) const NAMES: [&str; 7] =
    ["answers", "models", "ratings", "results", "retrievals", "runs", "samples"];

const FILES: [&str; 9] = [
    "karenina/s0-cell-biology.jsonld",
    "kwanzaa/chat.jsonl",
    "kwanzaa/each-category.json",
    "results/results-export.json",
    "rlcf/export.json",
    "train/evaluation/rag_general_knowledge_evaluation_data.json",
    "train/evaluation/rag_general_knowledge_evaluation_results.json",
    "train/support-desk.json",
    "verification/results-today.json",
];

/// How many characters of a line are shown.
const SHOWN: usize = 180;

#[test]
fn tables_have_what_the_files_of_all_systems_say() {
    for name in NAMES {
        let arguments = [&["query"][..], &FILES, &["-n", name, "--format", "tsv"]].concat();
        let (status, stdout, stderr) = run(&path(""), &arguments);
        assert_eq!(status, 0, "{name}: {stderr}");
        let lines = stdout.lines().map(|line| line.chars().take(SHOWN).collect::<String>());
        let lines: Vec<String> = lines.map(|line| line.replace('\t', " | ").trim_end().to_owned()).collect();
        insta::assert_snapshot!(format!("table_{name}"), lines.join("\n"));
    }
}
