//! The tables that map the statistics of instances and of a run to the graph and back.

use super::run_folder_name::{run_of_folder, task_of_folder};
use crate::records::{
    FileShape, MemberForm, ObjectIdentity, RecordMember, RecordPlacement, RecordShape, group, member, record,
    value,
};
use MemberForm::{Json, Nodes, OfFile, Position};

/// The statistics of each instance.
pub(super) const INSTANCES: FileShape =
    FileShape { root: &INSTANCES_FILE, records: RecordPlacement::Items("eg:result", &INSTANCE) };

/// The statistics of a run.
pub(super) const RUN: FileShape =
    FileShape { root: &RUN_FILE, records: RecordPlacement::Items("cr:evaluationResults", &RUN_STATISTIC) };

const INSTANCES_FILE: RecordShape =
    record("file", "Dataset+eg:EvaluationSamples+eg:InstanceStatistics", ObjectIdentity::Blank, &[]);

const RUN_FILE: RecordShape =
    record("file", "Dataset+cr:EvaluationTask+eg:EvaluationRun+eg:RunStatistics", ObjectIdentity::Blank, &[]);

const INSTANCE: RecordShape = record(
    "instance",
    "Review+eg:SampleResult",
    ObjectIdentity::Record { kind: "result", key: "instance_id" },
    INSTANCE_MEMBERS,
);

const INSTANCE_MEMBERS: &[RecordMember] = &[
    member("", "eg:runName", OfFile(run_of_folder)),
    member("", "eg:task", OfFile(task_of_folder)),
    value(
        "instance_id",
        "itemReviewed:Answer+eg:GeneratedAnswer#answer/parentItem:Question@question(instance_id)/identifier",
    ),
    value("train_trial_index", "eg:replicate"),
    member("perturbation", "eg:perturbation", Json),
    member("stats", "reviewRating", Nodes(&INSTANCE_STATISTIC)),
    member("", "position", Position),
];

const INSTANCE_STATISTIC: RecordShape = RecordShape {
    name: "statistic",
    node: "Rating+eg:SampleScore",
    identity: ObjectIdentity::Inner,
    members: &[
        group(
            "name",
            &[
                value("name", "reviewAspect"),
                value("split", "eg:split"),
                value("sub_split", "eg:subSplit"),
                member("perturbation", "eg:perturbation", Json),
            ],
        ),
        value("count", "eg:sampleCount"),
        value("sum", "eg:sum"),
        value("sum_squared", "eg:sumOfSquares"),
        value("min", "eg:minimum"),
        value("max", "eg:maximum"),
        value("mean", "ratingValue"),
        value("variance", "eg:variance"),
        value("stddev", "eg:standardDeviation"),
    ],
};

const RUN_STATISTIC: RecordShape = RecordShape {
    name: "statistic",
    node: "cr:EvaluationResult+eg:RunResult",
    identity: ObjectIdentity::Record { kind: "statistic", key: "" },
    members: &[
        member("", "eg:runName", OfFile(run_of_folder)),
        member("", "eg:task", OfFile(task_of_folder)),
        group(
            "name",
            &[
                value("name", "cr:metric"),
                value("split", "eg:split"),
                value("sub_split", "eg:subSplit"),
                member("perturbation", "eg:perturbation", Json),
            ],
        ),
        value("count", "eg:sampleCount"),
        value("sum", "eg:sum"),
        value("sum_squared", "eg:sumOfSquares"),
        value("min", "eg:minimum"),
        value("max", "eg:maximum"),
        value("mean", "cr:value"),
        value("variance", "eg:variance"),
        value("stddev", "eg:standardDeviation"),
        member("", "position", Position),
    ],
};
