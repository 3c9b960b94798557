//! Finds where nodes, properties and values of a loaded document appear in its file, by processing the file again.
//!
//! `DocumentLoading` is defined in `document_loading.rs`.

use std::collections::HashMap;
use std::sync::Arc;

use super::dataset_document::DatasetDocument;
use super::dataset_names::{DatasetNames, StoredNames};
use super::document::{Document, DocumentContent};
use super::document_loading::DocumentLoading;
use crate::input::guard::SecretGuard;
use crate::input::source::{InputSource, RawInput};
use evalgraph_diagnostics::{ReportedResult, RunReport, SourcePlace, SourceText};
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use evalgraph_rdf::place_finder::{FoundPlace, FoundPlaces, PlaceFinder, QuadPart, QuadTokens};
use evalgraph_rdf::{ReadOptions, TripleSpan, each_triple_span};

/// Places in one document.
#[derive(Debug)]
pub struct PlacesInDocument {
    /// The wanted places, in the order requested.
    pub places: Vec<Option<SourcePlace>>,
    /// `true` if the document has the quads that [the finder expected](PlaceFinder::expecting), or if none were
    /// expected.
    pub is_as_expected: bool,
    /// The text that they are in, if it was requested and may be shown.
    pub text: Option<Vec<u8>>,
}

impl DocumentLoading<'_> {
    /// Returns the places of wanted nodes, properties and values of an input, in order. A place is `None` if the input
    /// does not contain the item, or if its format has no places. The input is loaded again like
    /// [`DocumentLoading::fill_from`] does, under a given dataset name or its own, and all faults are reported again.
    /// The text of the document is returned, too, if it has at most `most` bytes and nothing in it has to be hidden.
    pub fn places_in(
        &self,
        source: &InputSource,
        dataset: Option<&str>,
        wanted: PlaceFinder,
        most: u64,
        report: &mut RunReport,
    ) -> ReportedResult<PlacesInDocument> {
        let opened = Document::read(source, self.session, report)?;
        let named = DatasetNames::new(dataset, &StoredNames::default()).name(opened, 0, report);
        let found = self.places_of(&named, wanted, report)?;
        let is_hidden = || match &named.opened.content {
            DocumentContent::Other(input) => SecretGuard::from_bytes(&input.bytes).is_needed(),
            _ => false,
        };
        let is_shown = most > 0 && named.bytes() <= most && !is_hidden();
        Ok(PlacesInDocument { text: is_shown.then(|| named.text().into_owned()), ..found })
    }

    /// Like [`Self::places_in`], but for an open document, and without its text.
    pub fn places_of(
        &self,
        named: &DatasetDocument,
        mut wanted: PlaceFinder,
        report: &mut RunReport,
    ) -> ReportedResult<PlacesInDocument> {
        self.fill(named, &mut wanted, report)?;
        let found = wanted.finish();
        let places = match &named.opened.content {
            DocumentContent::Other(input) => {
                let options = self.session.read_options(input, named.opened.format);
                places_in_text(input, options, &found)
            }
            DocumentContent::Records { file, .. } => places_in_records(file, &found),
            DocumentContent::Json { .. } => places_in_json(&found),
            DocumentContent::Large(_) | DocumentContent::LargeCheckpoint(_) => vec![None; found.places.len()],
        };
        Ok(PlacesInDocument { places, is_as_expected: found.is_as_expected, text: None })
    }
}

/// Returns the places in a text of an RDF format.
fn places_in_text(
    input: &RawInput,
    options: ReadOptions<'_>,
    found: &FoundPlaces,
) -> Vec<Option<SourcePlace>> {
    let mut places = vec![None; found.places.len()];
    let mut by_quad: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, place) in found.places.iter().enumerate() {
        if let Some(place) = place {
            by_quad.entry(place.quad).or_default().push(index);
        }
    }
    let source = SourceText::new(&*input.origin.name, &input.bytes);
    let hides_text = SecretGuard::from_bytes(&input.bytes).is_needed();
    let count = each_triple_span(&input.bytes, options, |quad, span| {
        for index in by_quad.remove(&quad).into_iter().flatten() {
            let Some(FoundPlace { part, .. }) = found.places[index] else { continue };
            let TripleSpan { subject, predicate, object } = span.clone();
            let place = source.place(match part {
                QuadPart::Subject => subject,
                QuadPart::Predicate => predicate,
                QuadPart::Object => object,
            });
            places[index] = Some(if hides_text { place.without_text() } else { place });
        }
    });
    // No place is better than a wrong one.
    if count == Some(found.quads) { places } else { vec![None; found.places.len()] }
}

/// Returns the places in JSON-LD. The place of an object that only names a node is the place of its `@id`.
fn places_in_json(found: &FoundPlaces) -> Vec<Option<SourcePlace>> {
    let sources: Vec<_> = found.documents.iter().map(|document| document.source_text()).collect();
    let place = |place: &FoundPlace| {
        let tokens = place.tokens?;
        let document = found.documents.get(tokens.document)?;
        let token = match place.part {
            QuadPart::Subject => tokens.subject_id.or(tokens.subject).unwrap_or(tokens.key),
            QuadPart::Predicate => key_of(document, &tokens),
            QuadPart::Object => tokens.object_id.unwrap_or(tokens.object),
        };
        Some(document.place_in(&sources[tokens.document], token))
    };
    found.places.iter().map(|found| place(found.as_ref()?)).collect()
}

/// Returns the key of a value. Several keys may have the same meaning, but the processor knows only the first.
fn key_of(document: &JsonDocument, tokens: &QuadTokens) -> TokenId {
    let is_in = |key: TokenId| {
        let value = TokenId::from_index(key.index() + 1);
        value <= tokens.object && tokens.object < document.after(value)
    };
    if document.kind(tokens.key) == JsonKind::Key && is_in(tokens.key) {
        return tokens.key;
    }
    document.key_around(tokens.object).unwrap_or(tokens.key)
}

/// Returns the places in a records file. Values in the composed documents share their bytes with the file; the keys of
/// these documents are new.
fn places_in_records(file: &JsonDocument, found: &FoundPlaces) -> Vec<Option<SourcePlace>> {
    let composed = |place: &FoundPlace| {
        let tokens = place.tokens?;
        let document = found.documents.get(tokens.document)?;
        let written = |token: &TokenId| document.is_written(*token);
        let object = Some(tokens.object).filter(written);
        let token = if place.part == QuadPart::Subject { tokens.subject } else { object.or(tokens.subject) };
        // A constant of the tables has no bytes in the file, so its place is that of the object around it.
        let around = || document.containers_around(tokens.key).into_iter().rev().find(written);
        let token = token.filter(written).or_else(around)?;
        Some((document, token, place.part == QuadPart::Predicate && object.is_some()))
    };
    let composed: Vec<_> = found.places.iter().map(|found| composed(found.as_ref()?)).collect();
    // The same bytes may be a number in the file and a string in the document.
    let starts = composed.iter().flatten().map(|(document, token, _)| (document.marked(*token).start, None));
    let mut in_file: HashMap<usize, Option<TokenId>> = starts.collect();
    for token in (0..file.token_count()).map(TokenId::from_index) {
        if matches!(file.kind(token), JsonKind::Key | JsonKind::ReplacedKey) {
            continue;
        }
        if let Some(found) = in_file.get_mut(&file.marked(token).start) {
            *found = Some(token);
        }
    }
    let source = file.source_text();
    let place = |(document, token, is_key): (&Arc<JsonDocument>, TokenId, bool)| {
        let bytes = document.marked(token);
        let Some(value) = in_file.get(&bytes.start).copied().flatten() else {
            return source.place(bytes);
        };
        let key = file.key_around(value).filter(|_| is_key);
        file.place_in(&source, key.unwrap_or(value))
    };
    composed.into_iter().map(|composed| composed.map(place)).collect()
}
