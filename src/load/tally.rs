//! Counts what stands in files of records, which may come in pieces.

use std::path::PathBuf;
use std::sync::Arc;

use crate::diagnostic::Report;
use crate::input::corpus::corpus_of;
use crate::json::Document;
use crate::source::facts::{Fact, RecordTally, fact};
use crate::source::records::Recognised;
use crate::source::train::figures::Gold;
use crate::source::train::is_rows;

/// A file of records.
#[derive(Debug)]
pub(crate) struct RecordFile {
    pub(crate) held: Held,
    pub(crate) recognised: Recognised,
    /// Its path; none for stdin and URLs.
    pub(crate) path: Option<PathBuf>,
}

/// Tells what is kept of a file until all files were read.
#[derive(Debug)]
pub(crate) enum Held {
    /// All of it.
    Document(Arc<Document>),
    /// What was counted of a file that was read in pieces, and the documents that its rows name.
    Counted(Option<Box<dyn RecordTally>>, Gold),
}

/// Nothing counted yet; none where nothing is counted but quads.
pub(crate) fn tally_of(recognised: &Recognised) -> Option<Box<dyn RecordTally>> {
    recognised.system.entry().tally(recognised)
}

impl RecordFile {
    /// The figures of the file. A corpus that cannot be looked through is reported.
    pub(crate) fn facts(&self, gold: &Gold, report: &mut Report) -> Vec<Fact> {
        let mut counted = tally_of(&self.recognised);
        let tally = match &self.held {
            Held::Counted(tally, _) => tally,
            Held::Document(document) => {
                counted.iter_mut().for_each(|tally| tally.add(document, gold));
                &counted
            }
        };
        let corpus = corpus_of(&self.recognised, self.path.as_deref()).unwrap_or_else(|fault| {
            report.add(&fault);
            None
        });
        let kind = fact("kind", "kind", self.recognised.dialect(), self.recognised.dialect());
        let facts = tally.iter().flat_map(|tally| tally.facts(corpus.as_ref()));
        std::iter::once(kind).chain(facts).collect()
    }
}

/// The documents that the rows among all files name.
pub(crate) fn gold<'f>(files: impl Iterator<Item = &'f RecordFile>) -> Gold {
    let mut gold = Gold::default();
    for file in files {
        match &file.held {
            Held::Document(document) if is_rows(&file.recognised) => gold.add(document),
            Held::Document(_) => {}
            Held::Counted(_, named) => gold.merge(named.clone()),
        }
    }
    gold
}
