//! Surveys a file that is read in pieces. The marks of the pieces are combined into the marks of the file.
//!
//! A piece is a document with some items of one list of the root; the other members of the root are the frame. Only
//! hashes of ids are kept. If two hashes are equal by accident, the only effect is that the file is read as a whole.
//!
//! `DialectMarks` is defined in `survey.rs`.

use super::dialect::DialectDetection;
use super::survey::{CheckpointSurvey, DialectMarks};
use evalgraph_json::JsonDocument;
use evalgraph_jsonld::stands_alone;
use foldhash::fast::FixedState;
use hashbrown::HashSet;
use std::hash::BuildHasher;

/// The survey of one piece.
#[derive(Debug)]
pub struct PieceSurvey {
    marks: DialectMarks,
    /// The hashes of the ids of its ratings.
    rating_ids: Vec<u64>,
    /// `true` if it can be converted independently of the other pieces.
    stands_alone: bool,
    /// `true` if something in it stays JSON.
    pub keeps_json: bool,
}

impl PieceSurvey {
    /// Surveys a piece.
    pub fn from_document(document: &JsonDocument) -> Self {
        let survey = CheckpointSurvey::from_document(document);
        Self { stands_alone: stands_alone(document), ..Self::new(&survey, document) }
    }

    fn new(survey: &CheckpointSurvey, document: &JsonDocument) -> Self {
        let ids = survey.rating_ids.iter().filter_map(|&id| document.string(id));
        let hasher = FixedState::default();
        Self {
            rating_ids: ids.map(|id| hasher.hash_one(id.as_bytes())).collect(),
            marks: survey.marks.clone(),
            stands_alone: true,
            keeps_json: !survey.json_values.is_empty() || !survey.scenarios.is_empty(),
        }
    }
}

/// The combined surveys of the pieces so far.
#[derive(Debug, Default)]
pub struct SurveyInPieces {
    marks: DialectMarks,
    rating_ids: HashSet<u64, FixedState>,
    shares_ids: bool,
    needs_others: bool,
}

impl SurveyInPieces {
    /// Adds the survey of a piece.
    pub fn add(&mut self, piece: PieceSurvey) {
        self.marks.add(&piece.marks);
        self.needs_others |= !piece.stands_alone;
        for id in piece.rating_ids {
            self.shares_ids |= !self.rating_ids.insert(id);
        }
    }

    /// Returns whether every piece so far can be converted independently, whatever the dialect of the file.
    pub fn stand_alone(&self) -> bool {
        !self.needs_others
    }

    /// Returns the detection of the file after all pieces were added; `frame` is the survey of the rest of its root.
    /// Returns `None` if the pieces cannot be converted one by one: loading has to make shared ids distinct, or the
    /// meaning of the items depends on the root.
    pub fn detect(mut self, frame: &CheckpointSurvey, document: &JsonDocument) -> Option<DialectDetection> {
        let mut marks = frame.marks.clone();
        marks.add(&self.marks);
        self.add(PieceSurvey { marks: DialectMarks::default(), ..PieceSurvey::new(frame, document) });
        let detection = marks.detect();
        let shares_ids = self.shares_ids || marks.shared_item_ids;
        let is_together = self.needs_others || (detection.dialect.is_checkpoint() && shares_ids);
        let is_of_lists = marks.root_type != super::RootType::Question && !marks.version_2;
        (!is_together && is_of_lists && !marks.results_export).then_some(detection)
    }
}

impl DialectMarks {
    /// Adds the marks of another piece of the same file; marks that concern only the root stay.
    fn add(&mut self, other: &Self) {
        for (own, others) in [
            (&mut self.has_part, other.has_part),
            (&mut self.data_feed_element, other.data_feed_element),
            (&mut self.empty_list, other.empty_list),
            (&mut self.scenarios, other.scenarios),
            (&mut self.question_ids, other.question_ids),
            (&mut self.shared_item_ids, other.shared_item_ids),
            (&mut self.root_ratings, other.root_ratings),
            (&mut self.authors, other.authors),
            (&mut self.plain_types, other.plain_types),
            (&mut self.prefixed_types, other.prefixed_types),
            (&mut self.llm_types, other.llm_types),
            (&mut self.higher_is_better, other.higher_is_better),
            (&mut self.rating_values, other.rating_values),
            (&mut self.interface_rating_ids, other.interface_rating_ids),
            (&mut self.checkpoint_format, other.checkpoint_format),
            (&mut self.benchmark_format, other.benchmark_format),
        ] {
            *own |= others;
        }
        self.items += other.items;
        self.direct_questions += other.direct_questions;
    }
}
