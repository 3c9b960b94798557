//! What each file is and what it holds.

use super::error::Error;
use super::loader::Loader;
use crate::diagnostic::Report;
use crate::load::loaded::{Costs, Loaded as LoadedFile, gold};
use crate::load::loading::{Wanted, load};
use crate::rdf::RdfFormat;
use crate::source::facts::Fact;
use crate::source::karenina::Detection;
use crate::source::karenina::figures::Figures;
use crate::workspace::sources::sources;

/// Holds what is known of a file.
#[derive(Debug)]
#[non_exhaustive]
pub struct FileStatistics {
    /// Its name in messages.
    pub name: String,
    /// The format that it was read in.
    pub format: RdfFormat,
    /// The name of its dataset.
    pub dataset: String,
    /// What it was found to be; none for records, and for formats other than JSON-LD.
    pub detection: Option<Detection>,
    /// The figures of a checkpoint.
    pub figures: Option<Figures>,
    /// The figures of a file of records.
    pub facts: Option<Vec<Fact>>,
    /// What decided which records a file has.
    pub why: Option<String>,
    /// How many distinct quads it holds.
    pub quads: u64,
    /// How many warnings there were.
    pub warnings: u64,
    /// How many triples are missing, since their values are none.
    pub lost: u64,
}

impl Loader {
    /// Says what each file is and what it holds, as `evalgraph stats` does.
    ///
    /// ```
    /// let (files, _) = evalgraph::Loader::new().statistics(["fixtures/karenina/p1-physics.jsonld"])?;
    /// assert!(files[0].figures.as_ref().is_some_and(|figures| figures.questions > 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Where an input is missing or at fault, with file, line and column; see [`Loader::keep_going`].
    pub fn statistics<I: Into<String>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
    ) -> Result<(Vec<FileStatistics>, Report), Error> {
        let loader = self.reading(inputs)?;
        loader.reported(|report| {
            let how = (&loader.inputs, &loader.loading);
            let wanted = Wanted::Figures { in_pieces_of: None };
            let loaded = load(sources(&loader.inputs, report)?, how, wanted, report)?;
            Ok(statistics(loaded.into_iter().map(|(file, _)| file).collect(), report))
        })
    }
}

/// Returns what is known of files that were loaded together: evaluations are held against the rows among
/// them.
pub(crate) fn statistics(files: Vec<LoadedFile>, report: &mut Report) -> Vec<FileStatistics> {
    let gold = gold(files.iter().filter_map(|file| file.records.as_ref()));
    let of_file = |file: LoadedFile| {
        let LoadedFile { name, format, dataset, detection, figures, records, quads, costs } = file;
        let Costs { warnings, lost, .. } = costs;
        let facts = records.as_ref().map(|records| records.facts(&gold, report));
        let why = records.map(|records| records.recognised.why.into_owned());
        FileStatistics { name, format, dataset, detection, figures, facts, why, quads, warnings, lost }
    };
    files.into_iter().map(of_file).collect()
}
