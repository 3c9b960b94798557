//! The rules about checksums of files.

use super::croissant_graph::CroissantGraph;
use super::reporter::CroissantReporter;
use crate::code::CheckRule;
use crate::teller::{FaultDescription, StatementPart, shortened};
use evalgraph_diagnostics::article::with_article;
use evalgraph_store::TermId;

/// The checksums of files, each with the number of its hexadecimal digits.
const CHECKSUMS: [(&str, usize); 2] = [("sha256", 64), ("md5", 32)];

/// Checks the checksums of a file. A file that is contained in another, or that changes, needs none.
pub(super) fn checksums(graph: &CroissantGraph<'_>, reporter: &mut CroissantReporter<'_, '_>, file: TermId) {
    let mut has_one = false;
    for (name, digits) in CHECKSUMS {
        for at in graph.values(file, name) {
            has_one = true;
            let Some(text) = at.value.map(|value| graph.dictionary.lexical(value)) else { continue };
            if text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                continue;
            }
            reporter.tell(CheckRule::CroissantChecksum, at, "checksums", || {
                let message = format!(
                    "`{}` is not {}, which has {digits} hexadecimal digits",
                    shortened(text),
                    with_article(name)
                );
                FaultDescription { term: Some(text.to_owned()), ..FaultDescription::new(message) }
            });
        }
    }
    if has_one || graph.has(file, "containedIn") || is_of_live_dataset(graph, file) {
        return;
    }
    let at = StatementPart { node: file, predicate: None, value: None };
    reporter.tell(CheckRule::CroissantMissingProperty, at, "checksums", || FaultDescription {
        term: Some("sha256".to_owned()),
        property: Some("sha256"),
        ..FaultDescription::new("the `FileObject` has no checksum: `sha256` or `md5`")
    });
}

fn is_of_live_dataset(graph: &CroissantGraph<'_>, file: TermId) -> bool {
    let datasets = graph.owners(file, &["distribution"]);
    let values = datasets.flat_map(|dataset| graph.values(dataset, "isLiveDataset"));
    values.filter_map(|at| at.value).any(|value| matches!(graph.dictionary.lexical(value), "true" | "True"))
}
