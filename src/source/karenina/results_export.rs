//! Karenina's export of verification results, format 2.2: judgements on answers that models have given
//! to the questions of a checkpoint.
//!
//! A judged question is one node for all results about it. Its id and its text are what it has in
//! common with the question of the checkpoint.

use crate::json::Document;
use crate::rdf::quad_buffer::TermId;
use crate::rdf::vocabulary::EVALGRAPH;
use crate::source::records::{
    Certainty, FileShape, Form, Identity, Member, Recognised, Records, Shape, member,
};
use crate::source::rewriting::Graph;
use crate::source::system::System;

const FILE: FileShape = FileShape { root: &EXPORT, records: Records::InRoot };

const EXPORT: Shape = Shape {
    name: "results export",
    node: "Dataset+eg:ResultsExport",
    identity: Identity::Blank,
    members: &[
        member("format_version", "version", Form::Value),
        member(
            "metadata",
            "",
            Form::Group(&[
                member("export_timestamp", "dateCreated", Form::DateTime),
                member("karenina_version", "eg:kareninaVersion", Form::Value),
                member("job_id", "identifier", Form::Value),
                member("verification_config", "eg:verificationConfig", Form::Json),
                member("job_summary", "eg:jobSummary", Form::Json),
            ]),
        ),
        member("shared_data", "eg:sharedData", Form::Json),
        member("results", "eg:result", Form::Nodes(&RESULT)),
    ],
};

const RESULT: Shape = Shape {
    name: "result",
    node: "Review+eg:VerificationResult",
    identity: Identity::Record { kind: "result", key: "result_id" },
    members: &[
        member("metadata", "", Form::Group(METADATA)),
        member("template", "eg:templateResult", Form::Json),
        member(
            "template",
            "",
            Form::Group(&[member("verify_result", "eg:verifyResult", Form::Derived(&Form::Value))]),
        ),
        member("rubric", "eg:rubricResult", Form::Json),
        member("deep_judgment", "eg:deepJudgment", Form::Json),
        member("", "position", Form::Position),
    ],
};

const METADATA: &[Member] = &[
    member(
        "question_id",
        "itemReviewed:Answer+eg:GeneratedAnswer#answer/parentItem:Question@question(question_id)/identifier",
        Form::Value,
    ),
    member("template_id", "eg:templateId", Form::Value),
    member(
        "question_text",
        "itemReviewed:Answer+eg:GeneratedAnswer#answer/parentItem:Question@question(question_id)/text",
        Form::Value,
    ),
    member("raw_answer", "itemReviewed:Answer+eg:GeneratedAnswer#answer/text", Form::Value),
    member(
        "answering",
        "",
        Form::Group(&[
            member("interface", "eg:answeringInterface", Form::Value),
            member("model_name", "eg:answeringModel", Form::Value),
            member("tools", "eg:answeringTools", Form::Values),
        ]),
    ),
    member(
        "parsing",
        "",
        Form::Group(&[
            member("interface", "eg:parsingInterface", Form::Value),
            member("model_name", "eg:parsingModel", Form::Value),
            member("tools", "eg:parsingTools", Form::Values),
        ]),
    ),
    member("timestamp", "dateCreated", Form::DateTime),
    member("result_id", "identifier", Form::Value),
    member("replicate", "eg:replicate", Form::Value),
    member("run_name", "eg:runName", Form::Value),
];

/// Says whether a document is an export of results.
pub fn recognise(document: &Document) -> Option<Recognised> {
    let root = document.root();
    let results = document.get(root, "results").filter(|&results| document.is_array(results))?;
    document.get(root, "format_version")?;
    // The name of the first result's parts, where there is one, is Karenina's alone.
    let mut records = document.items(results).take(1);
    let is_known = records.all(|record| document.get(record, "metadata").is_some());
    is_known.then(|| Recognised {
        system: System::Karenina,
        kind: "results export".into(),
        shape: FILE,
        certainty: Certainty::Sure,
        why: "it has `format_version` and `results`".into(),
    })
}

/// How the file was made whose node a graph has.
pub fn file_shape(graph: &Graph<'_>, root: TermId) -> Option<FileShape> {
    let class = graph.quads().find_iri(&format!("{EVALGRAPH}ResultsExport"))?;
    graph.objects(root, graph.rdf_type()?).any(|found| found == class).then_some(FILE)
}
