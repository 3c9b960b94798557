//! Karenina as a source system, for its files that are not JSON-LD: exports of results.

use super::karenina_names::PROFILES;
use super::results_export::{file_shape, recognise};
use super::results_figures::ResultsFigures;
use super::rules;
use super::verification_scores::VerificationScores;
use crate::checking::{FormatRule, ProfileName};
use crate::checkpoint::CheckpointProfile;
use crate::named_figures::RecordTally;
use crate::records::{FileShape, RecognisedRecords};
use crate::rewriting::IndexedGraph;
use crate::runs::RunReader;
use crate::source_system::SourceSystem;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::JsonDocument;
use evalgraph_rdf::quad_buffer::BufferTermId;

/// Karenina's checkpoints and the results of running them.
pub(crate) struct KareninaSystem;

impl SourceSystem for KareninaSystem {
    fn files(&self) -> &'static str {
        "Karenina"
    }

    fn recognise(&self, document: &JsonDocument) -> Result<Option<RecognisedRecords>, Box<Diagnostic>> {
        Ok(recognise(document))
    }

    fn file_shape(&self, graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
        file_shape(graph, root)
    }

    fn tally(&self, _recognised: &RecognisedRecords) -> Option<Box<dyn RecordTally>> {
        Some(Box::<ResultsFigures>::default())
    }

    fn run_reader(&self, recognised: &RecognisedRecords) -> Option<Box<dyn RunReader>> {
        Some(Box::new(VerificationScores::from_recognised(recognised)?))
    }

    fn own_profiles(&self) -> &'static [(ProfileName, &'static str)] {
        &PROFILES
    }

    fn explanations(&self) -> &'static [&'static str] {
        rules::EXPLANATIONS
    }

    fn profiles(&self) -> Vec<(&'static str, Vec<FormatRule>)> {
        CheckpointProfile::ALL.map(|profile| (profile.name(), profile.rules())).to_vec()
    }
}
