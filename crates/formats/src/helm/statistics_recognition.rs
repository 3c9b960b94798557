//! Recognises the files of a run by their keys.

use super::{HELM, request_shapes, statistic_shapes};
use crate::records::{FileShape, RecognisedRecords, RecognitionCertainty};
use crate::rewriting::IndexedGraph;
use evalgraph_json::{JsonDocument, TokenId};
use evalgraph_rdf::quad_buffer::{BufferTermId, TermRef};
use evalgraph_rdf::vocabulary::EVALGRAPH;

/// How many records are read.
const LOOKED_AT: usize = 8;

/// The kind of files with the statistics of a run.
pub(super) const RUN: &str = "run statistics";
/// The kind of files with the statistics of instances.
pub(super) const INSTANCES: &str = "instance statistics";
/// The kind of files with what models answered.
pub(super) const RESPONSES: &str = "responses";

/// Recognises a file.
pub(super) fn recognise(document: &JsonDocument) -> Option<RecognisedRecords> {
    let root = document.root();
    if document.is_object(root) {
        let has = |key| document.get(root, key).is_some();
        return match () {
            () if has("adapter_spec") && has("request_states") => Some(found(
                RESPONSES,
                request_shapes::RESPONSES,
                "it has `adapter_spec` and `request_states`",
            )),
            () if has("adapter_spec") && has("scenario_spec") => {
                let why = "it has `adapter_spec` and `scenario_spec`";
                Some(found("specification", request_shapes::SPECIFICATION, why))
            }
            () if has("definition_path") && has("name") && has("tags") => {
                Some(found("scenario", request_shapes::SCENARIO, "it has `definition_path` and `tags`"))
            }
            () => None,
        };
    }
    let objects = document.items(root).filter(|&item| document.is_object(item));
    let objects: Vec<TokenId> = objects.take(LOOKED_AT).collect();
    let is_mostly = |is: &dyn Fn(TokenId) -> bool| {
        let count = objects.iter().filter(|&&object| is(object)).count();
        count > 0 && 2 * count >= objects.len()
    };
    let has = |object, key| document.get(object, key).is_some();
    if is_mostly(&|object| has(object, "instance_id") && has(object, "stats")) {
        let why = "its objects have `instance_id` and `stats`";
        return Some(found(INSTANCES, statistic_shapes::INSTANCES, why));
    }
    let is_statistic = |object| {
        let name = document.get(object, "name").filter(|&name| document.is_object(name));
        name.is_some_and(|name| has(name, "name")) && has(object, "count") && has(object, "sum_squared")
    };
    let why = "its objects have `name` with a `name`, `count` and `sum_squared`";
    is_mostly(&is_statistic).then(|| found(RUN, statistic_shapes::RUN, why))
}

/// Returns the shape of a file by its node in a graph.
pub(super) fn file_shape(graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
    graph.objects(root, graph.rdf_type()?).find_map(|class| {
        let TermRef::Iri(iri) = graph.quads().term(class) else { return None };
        match iri.strip_prefix(EVALGRAPH)? {
            "ModelResponses" => Some(request_shapes::RESPONSES),
            "RunSpecification" => Some(request_shapes::SPECIFICATION),
            "EvaluationScenario" => Some(request_shapes::SCENARIO),
            "InstanceStatistics" => Some(statistic_shapes::INSTANCES),
            "RunStatistics" => Some(statistic_shapes::RUN),
            _ => None,
        }
    })
}

fn found(kind: &'static str, shape: FileShape, why: &'static str) -> RecognisedRecords {
    let certainty = RecognitionCertainty::Sure;
    RecognisedRecords { system: HELM, kind: kind.into(), shape, certainty, why: why.into() }
}
