//! The rules about data sources: where the data are, what is extracted from them, and how it is changed.

use super::croissant_graph::CroissantGraph;
use super::reporter::CroissantReporter;
use crate::code::CheckRule;
use crate::teller::{FaultDescription, StatementPart, one_of, shortened};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_store::TermId;

/// The properties that say where the data are.
const ORIGINS: [&str; 4] = ["fileObject", "fileSet", "recordSet", "field"];

/// The properties that say what is extracted; `regex` occurs only in the specification's example of segmentation masks.
const EXTRACTIONS: [&str; 5] = ["column", "fileProperty", "jsonPath", "content", "regex"];

/// The properties that say how text is changed.
const TEXT_TRANSFORMS: [&str; 7] =
    ["format", "jsonPath", "jsonQuery", "regex", "replace", "separator", "delimiter"];

/// The properties that say how a file is opened.
const FILE_TRANSFORMS: [&str; 3] = ["readLines", "unArchive", "samplingRate"];

/// The properties of a file; `filepath` is used by Croissant's programs, but is not in the specification.
const FILE_PROPERTIES: [&str; 6] = ["fullpath", "filename", "content", "lines", "lineNumbers", "filepath"];

/// Returns whether a node is a data source, and not a part of the dataset.
pub(super) fn is_data_source(graph: &CroissantGraph<'_>, node: TermId) -> bool {
    let has_any = |names: &[&'static str]| names.iter().any(|name| graph.has(node, name));
    graph.classes(node).is_empty() && (has_any(&ORIGINS) || has_any(&["extract", "transform", "format"]))
}

/// Checks that a data source has one origin.
pub(super) fn data_source(
    graph: &CroissantGraph<'_>,
    reporter: &mut CroissantReporter<'_, '_>,
    at: StatementPart,
    source: TermId,
) {
    let origins: Vec<StatementPart> = ORIGINS.iter().flat_map(|name| graph.values(source, name)).collect();
    match &origins[..] {
        [_] => {}
        [] if ORIGINS.iter().any(|name| graph.has(source, name)) => {}
        [] => reporter.tell(CheckRule::CroissantSource, at, "datasource", || {
            FaultDescription::new(format!(
                "the source does not say where the data are: {} is missing",
                one_of(&ORIGINS)
            ))
        }),
        [_, second, ..] => reporter.tell(CheckRule::CroissantSource, *second, "datasource", || {
            FaultDescription::new("the source says twice where the data are, but can have only one place")
        }),
    }
}

/// Checks what is extracted from a source: one thing, in one way.
pub(super) fn extract(
    graph: &CroissantGraph<'_>,
    reporter: &mut CroissantReporter<'_, '_>,
    at: StatementPart,
) {
    let Some(node) = at.value else { return };
    let ways = EXTRACTIONS.iter().filter(|name| graph.has(node, name)).count();
    if ways != 1 {
        reporter.tell(CheckRule::CroissantSource, at, "extract", || {
            let expected = one_of(&EXTRACTIONS[..3]);
            FaultDescription::new(format!(
                "{ways} properties say what is extracted; exactly one of {expected} is expected"
            ))
        });
    }
    for at in graph.values(node, "fileProperty") {
        let Some(value) = at.value.map(|value| graph.dictionary.lexical(value)) else { continue };
        if FILE_PROPERTIES.contains(&value) {
            continue;
        }
        reporter.tell(CheckRule::CroissantFileProperty, at, "extract", || {
            let suggest = nearest(value, FILE_PROPERTIES).map(str::to_owned);
            let message = format!("`{}` is not a property of files", shortened(value));
            FaultDescription { term: Some(value.to_owned()), suggest, ..FaultDescription::new(message) }
        });
    }
}

/// Checks that a transformation is valid.
pub(super) fn transform(
    graph: &CroissantGraph<'_>,
    reporter: &mut CroissantReporter<'_, '_>,
    at: StatementPart,
) {
    let Some(node) = at.value else { return };
    let count = |names: &[&'static str]| names.iter().filter(|name| graph.has(node, name)).count();
    match (count(&TEXT_TRANSFORMS), count(&FILE_TRANSFORMS)) {
        (0, 0) => reporter.tell(CheckRule::CroissantSource, at, "transform", || {
            FaultDescription::new(
                "the transformation does not say how the data are changed: `regex` or others are missing",
            )
        }),
        (0 | 1, _) => {}
        (many, _) => reporter.tell(CheckRule::CroissantSource, at, "transform", || {
            FaultDescription::new(format!(
                "{many} properties change the text in one transformation: their order is unknown"
            ))
        }),
    }
}
