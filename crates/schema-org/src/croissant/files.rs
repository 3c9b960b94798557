//! The rules about checksums of files.

use super::graph::Graph;
use super::reporter::Reporter;
use crate::code::Code;
use crate::teller::{At, Fault, shortened};
use evalgraph_diagnostics::article::with_article;
use evalgraph_store::TermId;

/// The checksums of files, each with the number of its hexadecimal digits.
const CHECKSUMS: [(&str, usize); 2] = [("sha256", 64), ("md5", 32)];

/// Checks the checksums of a file. One that lies in another file, or changes, does without.
pub(super) fn checksums(graph: &Graph<'_>, reporter: &mut Reporter<'_, '_>, file: TermId) {
    let mut has_one = false;
    for (name, digits) in CHECKSUMS {
        for at in graph.values(file, name) {
            has_one = true;
            let Some(text) = at.value.map(|value| graph.dictionary.lexical(value)) else { continue };
            if text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                continue;
            }
            reporter.tell(Code::CroissantChecksum, at, "checksums", || {
                let message = format!(
                    "`{}` is not {}, which has {digits} hexadecimal digits",
                    shortened(text),
                    with_article(name)
                );
                Fault { term: Some(text.to_owned()), ..Fault::new(message) }
            });
        }
    }
    if has_one || graph.has(file, "containedIn") || is_of_live_dataset(graph, file) {
        return;
    }
    let at = At { node: file, predicate: None, value: None };
    reporter.tell(Code::CroissantMissingProperty, at, "checksums", || Fault {
        term: Some("sha256".to_owned()),
        property: Some("sha256"),
        ..Fault::new("the `FileObject` has no checksum: `sha256` or `md5`")
    });
}

fn is_of_live_dataset(graph: &Graph<'_>, file: TermId) -> bool {
    let datasets = graph.owners(file, &["distribution"]);
    let values = datasets.flat_map(|dataset| graph.values(dataset, "isLiveDataset"));
    values.filter_map(|at| at.value).any(|value| matches!(graph.dictionary.lexical(value), "true" | "True"))
}
