//! The type and the figures of each file.
//!
//! `Loader` is defined in `file_loader.rs`.

use super::error::Error;
use super::file_loader::Loader;
use crate::load::load_purpose::{LoadPurpose, load};
use crate::load::loaded_document_facts::{LoadedDocumentFacts as LoadedFile, LoadingCosts, gold};
use crate::workspace::command_sources::sources;
use evalgraph_diagnostics::RunReport;
use evalgraph_formats::checkpoint::DialectDetection;
use evalgraph_formats::checkpoint::checkpoint_figures::CheckpointFigures;
use evalgraph_formats::named_figures::NamedFigure;
use evalgraph_rdf::RdfFormat;

/// The type and the figures of a file.
#[derive(Debug)]
#[non_exhaustive]
pub struct FileStatistics {
    /// Its name in messages.
    pub name: String,
    /// The format that it was read in.
    pub format: RdfFormat,
    /// The name of its dataset.
    pub dataset: String,
    /// Its dialect. `None` for records, and for formats other than JSON-LD.
    pub detection: Option<DialectDetection>,
    /// The figures of a checkpoint.
    pub figures: Option<CheckpointFigures>,
    /// The figures of a records file.
    pub facts: Option<Vec<NamedFigure>>,
    /// Why the file was recognised as records of its kind.
    pub why: Option<String>,
    /// How many distinct quads it has.
    pub quads: u64,
    /// How many warnings there were.
    pub warnings: u64,
    /// How many triples are missing because reading dropped their values.
    pub lost: u64,
}

impl Loader {
    /// Returns the type and the figures of each file, as `evalgraph stats` does.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// let (files, _) = evalgraph::Loader::new().statistics(["fixtures/karenina/p1-physics.jsonld"])?;
    /// assert!(files[0].figures.as_ref().is_some_and(|figures| figures.questions > 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If an input is missing or invalid, with file, line and column; see [`Loader::keep_going`].
    pub fn statistics<I: Into<String>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
    ) -> Result<(Vec<FileStatistics>, RunReport), Error> {
        let loader = self.reading(inputs)?;
        loader.reported(|report| {
            let wanted = LoadPurpose::Figures { in_pieces_of: None };
            let loaded =
                load(sources(&loader.inputs, report)?, &loader.inputs, &loader.loading, wanted, report)?;
            Ok(statistics(loaded.into_iter().map(|(file, _)| file).collect(), report))
        })
    }
}

/// Returns the figures of files that were loaded together. Evaluations are compared with the rows of the other files.
pub fn statistics(files: Vec<LoadedFile>, report: &mut RunReport) -> Vec<FileStatistics> {
    let gold = gold(files.iter().filter_map(|file| file.records.as_ref()));
    let of_file = |file: LoadedFile| {
        let LoadedFile { name, format, dataset, detection, figures, records, quads, costs } = file;
        let LoadingCosts { warnings, lost, .. } = costs;
        let facts = records.as_ref().map(|records| records.facts(&gold, report));
        let why = records.map(|records| records.recognised.why.into_owned());
        FileStatistics { name, format, dataset, detection, figures, facts, why, quads, warnings, lost }
    };
    files.into_iter().map(of_file).collect()
}
