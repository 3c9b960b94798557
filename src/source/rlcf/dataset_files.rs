//! The dataset files that come with RLCF: rows without a task type, which the name of the file gives,
//! and with input and ground truth side by side.

/// A dataset file.
#[derive(Debug, PartialEq, Eq)]
pub struct DatasetFile {
    /// Its name without extension, and that of its rows for `--record`.
    pub stem: &'static str,
    /// The task type of its rows, as the shipped enumeration has it.
    pub task_type: &'static str,
    /// The configured task type that has the same fields.
    pub configured: &'static str,
    /// The keys that are input.
    pub input: &'static [&'static str],
    /// The keys that are ground truth.
    pub ground_truth: &'static [&'static str],
}

impl DatasetFile {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self {
            stem: "compliance_risk_spotting",
            task_type: "COMPLIANCE_RISK_SPOTTING",
            configured: "RISK_SPOTTING",
            input: &["text"],
            ground_truth: &["risk_labels", "severity"],
        },
        Self {
            stem: "doc_clause_classification",
            task_type: "DOC_CLAUSE_CLASSIFICATION",
            configured: "CLASSIFICATION",
            input: &["text", "unit"],
            ground_truth: &["labels"],
        },
        Self {
            stem: "doctrine_application",
            task_type: "DOCTRINE_APPLICATION",
            configured: "DOCTRINE_APPLICATION",
            input: &["facts", "question"],
            ground_truth: &["label", "rationale"],
        },
        Self {
            stem: "drafting_generation_parallel",
            task_type: "DRAFTING_GENERATION_PARALLEL",
            configured: "DRAFTING",
            input: &["source", "task"],
            ground_truth: &["target"],
        },
        Self {
            stem: "named_entity_bio",
            task_type: "NAMED_ENTITY_BIO",
            configured: "NER",
            input: &["tokens"],
            ground_truth: &["tags"],
        },
        Self {
            stem: "nli_entailment",
            task_type: "NLI_ENTAILMENT",
            configured: "NLI",
            input: &["premise", "hypothesis"],
            ground_truth: &["label"],
        },
        Self {
            stem: "summarization_pairs",
            task_type: "SUMMARIZATION_PAIRS",
            configured: "SUMMARIZATION",
            input: &["document"],
            ground_truth: &["summary"],
        },
        Self {
            stem: "violation_outcome_prediction",
            task_type: "VIOLATION_OUTCOME_PREDICTION",
            configured: "PREDICTION",
            input: &["facts"],
            ground_truth: &["outcome"],
        },
    ];

    /// The file of that name, without folder and extension.
    pub fn of_stem(stem: &str) -> Option<&'static Self> {
        const ALL: &[DatasetFile] = &DatasetFile::ALL;
        ALL.iter().find(|file| file.stem == stem)
    }

    /// The file whose rows are of that task type.
    pub fn of_task_type(task_type: &str) -> Option<&'static Self> {
        const ALL: &[DatasetFile] = &DatasetFile::ALL;
        ALL.iter().find(|file| file.task_type == task_type)
    }
}
