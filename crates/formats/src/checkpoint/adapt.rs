//! The changes that loading makes to a checkpoint, so that the conversion to RDF loses nothing.
//!
//! The JSON-LD processor makes the changes; this module decides where. Ratings that share an id get one each, a
//! question with the id of its item gets its own, and values that are arrays or objects stay JSON, as do whole
//! scenarios. The processor itself handles ids that are not IRIs.
//!
//! `CheckpointSurvey` is defined in `survey.rs`.

use super::dialect::DialectDetection;
use super::survey::CheckpointSurvey;
use crate::numbering::NameNumbering;
use crate::system_name::SystemName;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity};
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use evalgraph_jsonld::LoadMode;
use evalgraph_rdf::minted::node_base_of_graph;
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;

/// How many shared ids are reported individually; one more finding counts the rest.
const REPORTED_ONE_BY_ONE: usize = 100;

/// An id that several objects of a document share, and the ids that replace it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenamedId {
    /// The value of `@id` that keeps the id.
    pub kept: TokenId,
    /// The values of `@id` that are replaced by another id, with that id.
    pub renamed: Vec<(TokenId, String)>,
}

/// The changes that loading a checkpoint makes.
#[derive(Debug)]
pub struct CheckpointAdaptation {
    /// The dialect that was detected.
    pub detection: DialectDetection,
    /// The instructions for the JSON-LD processor.
    pub load_mode: LoadMode,
    /// Ids that several ratings share.
    pub shared_rating_ids: Vec<RenamedId>,
    /// Ids of items that their questions share.
    pub shared_item_ids: Vec<RenamedId>,
    /// How many values and scenarios stay JSON.
    pub json_values: usize,
}

/// Surveys a document and returns the changes that loading makes to it. `dataset` is the name of the dataset as it
/// appears in IRIs, percent-encoded.
pub fn adapt(document: &JsonDocument, dataset: &str) -> CheckpointAdaptation {
    CheckpointSurvey::from_document(document).adapt(document, dataset)
}

impl CheckpointSurvey {
    /// Returns the changes that loading makes to the document. `dataset` is the name of the dataset as it appears in
    /// IRIs, percent-encoded. A document that is not a checkpoint keeps its ids and values.
    pub fn adapt(&self, document: &JsonDocument, dataset: &str) -> CheckpointAdaptation {
        let detection = self.detect();
        let mut adaptation = CheckpointAdaptation {
            load_mode: Self::load_mode_of_any(dataset),
            shared_rating_ids: Vec::new(),
            shared_item_ids: Vec::new(),
            json_values: 0,
            detection,
        };
        if adaptation.detection.dialect.is_checkpoint() {
            let mut taken = DocumentIds { document, ids: None, numbering: NameNumbering::default() };
            adaptation.shared_rating_ids = self.rename_ratings(document, &mut taken);
            adaptation.shared_item_ids = self.rename_questions(document, &mut taken);
            let renamed = adaptation.shared_rating_ids.iter().chain(&adaptation.shared_item_ids);
            adaptation.load_mode.replaced_ids = renamed.flat_map(|id| id.renamed.iter().cloned()).collect();
            adaptation.load_mode.json_values = self.kept_as_json();
            adaptation.json_values = adaptation.load_mode.json_values.len();
        }
        adaptation
    }

    /// Returns the load mode of the surveyed piece of a file. `file` is the detection of the whole file, in which no
    /// objects share ids. `dataset` is the same as for [`Self::adapt`].
    pub fn load_mode_of_piece(&self, file: &DialectDetection, dataset: &str) -> LoadMode {
        let mut mode = Self::load_mode_of_any(dataset);
        if file.dialect.is_checkpoint() {
            mode.json_values = self.kept_as_json();
        }
        mode
    }

    /// Like [`Self::load_mode_of_piece`], but for a piece in which no value stays JSON.
    pub fn load_mode_of_any(dataset: &str) -> LoadMode {
        let mint_below = Some(node_base_of_graph(SystemName::JSON_LD.name(), dataset));
        LoadMode { one_schema_org: true, mint_below, ..LoadMode::default() }
    }

    /// The values and scenarios that stay JSON.
    pub(super) fn kept_as_json(&self) -> HashSet<TokenId> {
        self.json_values.iter().chain(&self.scenarios).copied().collect()
    }

    fn rename_ratings(&self, document: &JsonDocument, taken: &mut DocumentIds<'_>) -> Vec<RenamedId> {
        let mut first: HashMap<Cow<'_, str>, (TokenId, Option<usize>)> = HashMap::new();
        let mut shared: Vec<RenamedId> = Vec::new();
        for &token in &self.rating_ids {
            let Some(id) = document.string(token) else { continue };
            let (kept, position) = first.entry(id.clone()).or_insert((token, None));
            if *kept == token {
                continue;
            }
            let position = *position.get_or_insert_with(|| {
                shared.push(RenamedId { kept: *kept, renamed: Vec::new() });
                shared.len() - 1
            });
            let renamed = &mut shared[position].renamed;
            let new_id = taken.free(&id, renamed.len() as u64 + 1);
            renamed.push((token, new_id));
        }
        shared
    }

    fn rename_questions(&self, document: &JsonDocument, taken: &mut DocumentIds<'_>) -> Vec<RenamedId> {
        let pairs = self.shared_item_ids.iter();
        pairs
            .filter_map(|&(kept, token)| {
                let id = document.string(token)?;
                let new_id = taken.free(&format!("{id}-question"), 0);
                Some(RenamedId { kept, renamed: vec![(token, new_id)] })
            })
            .collect()
    }
}

/// The ids of a document, gathered when the first new one is needed.
struct DocumentIds<'d> {
    document: &'d JsonDocument,
    ids: Option<HashSet<Cow<'d, str>>>,
    numbering: NameNumbering,
}

impl DocumentIds<'_> {
    /// Returns the first free id: `id` with the lowest number from `number` on that no object uses. The number 0 means
    /// the id without a number.
    fn free(&mut self, id: &str, number: u64) -> String {
        let ids = self.ids.get_or_insert_with(|| ids_of(self.document));
        let named = |number| if number == 0 { id.to_owned() } else { format!("{id}-{number}") };
        let free = self.numbering.free(id, number, named, |id| !ids.contains(id));
        // A new id is taken from now on, so it is not given a second time.
        ids.insert(Cow::Owned(free.clone()));
        free
    }
}

fn ids_of(document: &JsonDocument) -> HashSet<Cow<'_, str>> {
    let Some(id) = document.find_symbol("@id") else { return HashSet::new() };
    let tokens = (0..document.after(document.root()).index()).map(TokenId::from_index);
    let keys = tokens.filter(|&token| document.kind(token) == JsonKind::Key && document.symbol(token) == id);
    keys.filter_map(|key| document.string(TokenId::from_index(key.index() + 1))).collect()
}

impl CheckpointAdaptation {
    /// Returns one finding per shared id, with its places and the number of objects that shared it.
    ///
    /// Cost: the first finding takes a pass over the text; a document without shared ids takes none.
    pub fn diagnostics(&self, document: &JsonDocument) -> Vec<Diagnostic> {
        const RATING: &str = "karenina::shared-rating-id";
        const ITEM: &str = "karenina::shared-item-id";
        let source = document.source_text();
        let note = |code, message, id: &RenamedId, label| {
            let place = |token| document.place_in(&source, token);
            let note = Diagnostic::new(FindingSeverity::Note, code, message);
            note.at(place(id.renamed[0].0)).with_related(place(id.kept), label)
        };
        let rest = |ids: &[RenamedId], code, what| {
            let more = ids.len().checked_sub(REPORTED_ONE_BY_ONE).filter(|&more| more > 0)?;
            Some(Diagnostic::new(FindingSeverity::Note, code, format!("{more} more {what}")))
        };
        let (ratings, questions) = (&self.shared_rating_ids, &self.shared_item_ids);
        let mut diagnostics = Vec::new();
        for id in ratings.iter().take(REPORTED_ONE_BY_ONE) {
            let message = shared_rating(document, id);
            diagnostics.push(note(RATING, message, id, "the first, which keeps the id"));
        }
        diagnostics.extend(rest(ratings, RATING, "ids of ratings are shared and made distinct"));
        for id in questions.iter().take(REPORTED_ONE_BY_ONE) {
            let shared = document.string(id.kept).unwrap_or_default();
            let message =
                format!("the question has the id of its item, `{shared}`; it becomes `{}`", id.renamed[0].1);
            diagnostics.push(note(ITEM, message, id, "the item, which keeps the id"));
        }
        diagnostics.extend(rest(questions, ITEM, "questions have the ids of their items"));
        diagnostics
    }

    /// Returns how many objects got their own id.
    pub fn renamed(&self) -> usize {
        self.load_mode.replaced_ids.len()
    }
}

fn shared_rating(document: &JsonDocument, shared: &RenamedId) -> String {
    let id = document.string(shared.kept).unwrap_or_default();
    let count = shared.renamed.len() + 1;
    let (first, last) = (&shared.renamed[0].1, &shared.renamed[count - 2].1);
    match count {
        2 => format!("2 ratings share the id `{id}`; the second becomes `{first}`"),
        _ => format!("{count} ratings share the id `{id}`; the later ones become `{first}` to `{last}`"),
    }
}
