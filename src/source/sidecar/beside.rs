//! The statements about the files of a corpus, which lies beside the file of a dataset.

use crate::rdf::quad_buffer::TermId;
use crate::source::rewriting::Graph;
use hashbrown::HashSet;

/// The statements about the files of a corpus, which lies beside the file of a dataset.
pub(super) struct Beside {
    distribution: Vec<TermId>,
    files: HashSet<TermId>,
}

/// Finds them.
pub(super) fn beside(graph: &Graph<'_>) -> Beside {
    let distribution = graph.schema_org("distribution");
    let mut files = HashSet::new();
    for &subject in graph.subjects() {
        files.extend(distribution.iter().flat_map(|&property| graph.objects(subject, property)));
    }
    Beside { distribution, files }
}

impl Beside {
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    pub(super) fn has(&self, subject: TermId, predicate: TermId) -> bool {
        self.files.contains(&subject) || self.distribution.contains(&predicate)
    }
}
