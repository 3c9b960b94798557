//! Finds the places of loaded data in their file.
//!
//! `Loader` is defined in `file_loader.rs`.

use super::error::Error;
use super::file_loader::Loader;
use crate::input::find::find_sources;
use crate::load::document_loading::DocumentLoading as DocumentsLoader;
use evalgraph_diagnostics::{Diagnostic, SourcePlace};
use evalgraph_rdf::place_finder::{PlaceFinder, WantedPlace};

impl Loader {
    /// Returns where nodes, properties and values appear in one loaded file: line and column, and for JSON the JSON
    /// Pointer. There is no place for anything that is not in the file, nor in N3, which has no places.
    ///
    /// Loading keeps no places, so the file is loaded again with the same options.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// use evalgraph::rdf::place_finder::{DocumentTerm, WantedPlace};
    ///
    /// let wanted = WantedPlace {
    ///     node: DocumentTerm::Iri("urn:evalgraph:train:support-desk:TRAIN_Q001/question"),
    ///     predicate: Some("http://schema.org/text"),
    ///     value: None,
    /// };
    /// let places = evalgraph::Loader::new().places("fixtures/train/support-desk.json", &[wanted])?;
    /// assert_eq!(places[0].as_ref().map(|place| place.line), Some(16));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the input is not a file, is several files, or is invalid.
    pub fn places(&self, input: &str, wanted: &[WantedPlace<'_>]) -> Result<Vec<Option<SourcePlace>>, Error> {
        let (places, _) = self.reported(|report| {
            let (sources, faults) = find_sources(&[input.to_owned()]);
            report.add_all(&faults);
            let [source] = sources.as_slice() else {
                let message = format!(
                    "places can be looked up in one file, but the input `{input}` names {}",
                    sources.len()
                );
                return Err(Diagnostic::error("input::several", message).into());
            };
            let session = self.session()?;
            let loader = DocumentsLoader::new(&self.inputs, &session, self.loading.plain, false);
            let dataset = self.loading.dataset.as_deref();
            let wanted = PlaceFinder::new(wanted.iter().copied());
            Ok(loader.places_in(source, dataset, wanted, 0, report)?)
        })?;
        Ok(places.places)
    }
}
