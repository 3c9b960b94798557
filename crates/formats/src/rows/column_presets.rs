//! The columns of common datasets and of the test cases of evaluation programs, by the name of their form.
//!
//! A preset says for each key of a row which paths may lead to its value. The first path at which a row has a value is
//! read. A form that other programs write as well has their paths, too.

/// The columns of a form of rows.
#[derive(Debug, PartialEq, Eq)]
pub struct ColumnPreset {
    /// The name of the form.
    pub name: &'static str,
    /// What is read, in a sentence.
    pub meaning: &'static str,
    /// Where the form is described.
    pub source: &'static str,
    /// The columns.
    pub columns: &'static [PresetColumn],
    /// The columns that rows of this form have; such rows get a suggestion.
    pub marks: &'static [&'static str],
    /// The columns that rows of this form do not have.
    pub without: &'static [&'static str],
}

/// The paths to the values of a key.
#[derive(Debug, PartialEq, Eq)]
pub struct PresetColumn {
    /// The key of the row.
    pub key: &'static str,
    /// The paths, the first choice first.
    pub paths: &'static [&'static str],
    /// `true` if a file without a value at any of the paths is not of this form.
    pub is_required: bool,
}

const fn required(key: &'static str, paths: &'static [&'static str]) -> PresetColumn {
    PresetColumn { key, paths, is_required: true }
}

const fn optional(key: &'static str, paths: &'static [&'static str]) -> PresetColumn {
    PresetColumn { key, paths, is_required: false }
}

/// All presets, in the order of their names.
pub static COLUMN_PRESETS: [ColumnPreset; 18] = [
    ColumnPreset {
        name: "arc",
        meaning: "ARC, OpenBookQA and CommonsenseQA: the answer is the choice with the label `answerKey`.",
        source: "https://huggingface.co/datasets/allenai/ai2_arc",
        columns: &[
            optional("id", &["id"]),
            required("question", &["question.stem", "question_stem", "question"]),
            required(
                "answer",
                &[
                    "question.choices.*.text[question.choices.*.label=answerKey]",
                    "choices.text[choices.label=answerKey]",
                ],
            ),
        ],
        marks: &["answerKey"],
        without: &[],
    },
    ColumnPreset {
        name: "beir",
        meaning: "BEIR, `queries.jsonl`: questions without answers.",
        source: "https://github.com/beir-cellar/beir/wiki/Load-your-custom-dataset",
        columns: &[required("id", &["_id"]), required("question", &["text"])],
        marks: &["_id", "text"],
        without: &["title"],
    },
    ColumnPreset {
        name: "deepeval",
        meaning: "DeepEval, goldens and test cases: the answer is `expected_output`, the contexts are `context`.",
        source: "https://deepeval.com/docs/evaluation-datasets",
        columns: &[
            required("question", &["input"]),
            required("answer", &["expected_output"]),
            optional("contexts", &["context"]),
            optional("generated_answer", &["actual_output"]),
            optional("generated_contexts", &["retrieval_context"]),
        ],
        marks: &["input", "expected_output"],
        without: &[],
    },
    ColumnPreset {
        name: "gaia",
        meaning: "GAIA, `metadata.jsonl`: the answer is `Final answer`.",
        source: "https://huggingface.co/datasets/gaia-benchmark/GAIA",
        columns: &[
            optional("id", &["task_id"]),
            required("question", &["Question"]),
            required("answer", &["Final answer"]),
        ],
        marks: &["Question", "Final answer"],
        without: &[],
    },
    ColumnPreset {
        name: "gpqa",
        meaning: "GPQA: the answer is `Correct Answer`.",
        source: "https://huggingface.co/datasets/Idavidrein/gpqa",
        columns: &[
            optional("id", &["Record ID"]),
            required("question", &["Question"]),
            required("answer", &["Correct Answer"]),
        ],
        marks: &["Question", "Correct Answer"],
        without: &[],
    },
    ColumnPreset {
        name: "hotpotqa",
        meaning: "HotpotQA: each sentence of the paragraphs is a context.",
        source: "https://hotpotqa.github.io",
        columns: &[
            optional("id", &["_id", "id"]),
            required("question", &["question"]),
            optional("answer", &["answer"]),
            optional("contexts", &["context.sentences.*.*", "context.*.1.*"]),
        ],
        marks: &["question", "supporting_facts"],
        without: &[],
    },
    ColumnPreset {
        name: "inspect",
        meaning: "Inspect, samples: the last message of `input`, and the choice or the text that `target` names.",
        source: "https://inspect.aisi.org.uk/datasets.html",
        columns: &[
            optional("id", &["id"]),
            required("question", &["input.-1.content", "input"]),
            required("answer", &["choices[target]", "target"]),
        ],
        marks: &["input", "target"],
        without: &[],
    },
    ColumnPreset {
        name: "langfuse",
        meaning: "Langfuse, items of a dataset: texts, or `question` and `answer` inside of them.",
        source: "https://langfuse.com/docs/evaluation/experiments/datasets",
        columns: &[
            optional("id", &["id"]),
            required("question", &["input.question", "input"]),
            required("answer", &["expectedOutput.answer", "expectedOutput"]),
        ],
        marks: &["input", "expectedOutput"],
        without: &[],
    },
    ColumnPreset {
        name: "langsmith",
        meaning: "LangSmith, examples: `question` and `answer` of `inputs` and `outputs`.",
        source: "https://docs.langchain.com/langsmith/manage-datasets",
        columns: &[
            optional("id", &["id"]),
            required("question", &["inputs.question", "inputs.input"]),
            required("answer", &["outputs.answer", "outputs.output"]),
        ],
        marks: &["inputs", "outputs"],
        without: &[],
    },
    ColumnPreset {
        name: "math",
        meaning: "MATH: the answer is `solution`, or `answer` if there is one.",
        source: "https://github.com/hendrycks/math",
        columns: &[
            optional("id", &["unique_id"]),
            required("question", &["problem"]),
            required("answer", &["answer", "solution"]),
        ],
        marks: &["problem", "solution"],
        without: &[],
    },
    ColumnPreset {
        name: "mmlu",
        meaning: "MMLU: the answer is the text of the choice with the number or letter `answer`.",
        source: "https://huggingface.co/datasets/cais/mmlu",
        columns: &[required("question", &["question"]), required("answer", &["choices[answer]"])],
        marks: &["question", "choices", "answer"],
        without: &[],
    },
    ColumnPreset {
        name: "mt-bench",
        meaning: "MT-Bench, `question.jsonl`: the first turn, and the first reference answer if there is one.",
        source: "https://github.com/lm-sys/FastChat/tree/main/fastchat/llm_judge",
        columns: &[
            optional("id", &["question_id", "prompt_id"]),
            required("question", &["turns.0", "prompt.0"]),
            optional("answer", &["reference.0"]),
        ],
        marks: &["turns", "question_id"],
        without: &[],
    },
    ColumnPreset {
        name: "openai-evals",
        meaning: "OpenAI evals, samples: the last message of `input`; `ideal` may be several answers.",
        source: "https://github.com/openai/evals/blob/main/docs/build-eval.md",
        columns: &[required("question", &["input.-1.content", "input"]), required("answer", &["ideal"])],
        marks: &["input", "ideal"],
        without: &[],
    },
    ColumnPreset {
        name: "promptfoo",
        meaning: "promptfoo, test cases: a variable `question`, `query`, `prompt` or `input`, and the first expectation.",
        source: "https://www.promptfoo.dev/docs/configuration/test-cases/",
        columns: &[
            required(
                "question",
                &[
                    "vars.question",
                    "vars.query",
                    "vars.prompt",
                    "vars.input",
                    "question",
                    "query",
                    "prompt",
                    "input",
                ],
            ),
            required("answer", &["assert.0.value", "__expected", "__expected1"]),
        ],
        marks: &["__expected"],
        without: &[],
    },
    ColumnPreset {
        name: "ragas",
        meaning: "RAGAS: the answer is `reference`, or `ground_truth`; the response is a generated answer.",
        source: "https://docs.ragas.io/en/stable/concepts/components/eval_sample/",
        columns: &[
            required("question", &["user_input", "question"]),
            required("answer", &["reference", "ground_truth", "ground_truths"]),
            optional("contexts", &["reference_contexts"]),
            optional("generated_answer", &["response", "answer"]),
            optional("generated_contexts", &["retrieved_contexts", "contexts"]),
        ],
        marks: &["user_input", "reference"],
        without: &[],
    },
    ColumnPreset {
        name: "squad",
        meaning: "SQuAD as rows: all texts of `answers` are answers, `context` is the context.",
        source: "https://huggingface.co/datasets/rajpurkar/squad_v2",
        columns: &[
            optional("id", &["id"]),
            required("question", &["question"]),
            required("answer", &["answers.text", "answers.*.text"]),
            optional("contexts", &["context"]),
            optional("is_impossible", &["is_impossible"]),
        ],
        marks: &["question", "answers", "context"],
        without: &[],
    },
    ColumnPreset {
        name: "triviaqa",
        meaning: "TriviaQA: the answer is `value` of `answer`.",
        source: "https://huggingface.co/datasets/mandarjoshi/trivia_qa",
        columns: &[
            optional("id", &["question_id"]),
            required("question", &["question"]),
            required("answer", &["answer.value"]),
        ],
        marks: &[],
        without: &[],
    },
    ColumnPreset {
        name: "truthfulqa",
        meaning: "TruthfulQA: the answer is the best one.",
        source: "https://github.com/sylinrl/TruthfulQA",
        columns: &[
            required("question", &["question", "Question"]),
            required("answer", &["best_answer", "Best Answer"]),
        ],
        marks: &[],
        without: &[],
    },
];

impl ColumnPreset {
    /// Returns the preset with a name.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        COLUMN_PRESETS.iter().find(|preset| preset.name == name)
    }
}

/// Returns the preset whose form rows with these columns clearly have, or `None` if no preset or several fit.
pub fn suggested_preset(columns: &[&str]) -> Option<&'static ColumnPreset> {
    let has = |column: &&str| columns.contains(column);
    let mut fitting = COLUMN_PRESETS.iter().filter(|preset| {
        !preset.marks.is_empty() && preset.marks.iter().all(has) && !preset.without.iter().any(has)
    });
    let found = fitting.next()?;
    fitting.next().is_none().then_some(found)
}
