//! Registers RLCF as a system.

use super::figures::{FigureMethod, task_findings};
use super::file_shapes::{file_shape_of_graph, is_error_reply, recognise, recognise_as};
use super::new_task::legal_task;
use super::record_facts::CountedRecords;
use super::record_kind_finder::tell;
use super::reply_paths::reply_path;
use super::rlcf_forms::FORMS;
use super::rules::{self, RecordRegister, RlcfProfile, RlcfRuleSettings, validate};
use crate::checking::{CheckedFile, FormatRule, RecordRules};
use crate::file_records::{LinkedLists, ListLink};
use crate::named_figures::RecordTally;
use crate::new_question::{AddedQuestion, NewQuestion, QuestionGraph};
use crate::records::{BatchKind, FileShape, RecognisedRecords, RecordName, RecordPlacement, ReplyPath};
use crate::rewriting::IndexedGraph;
use crate::source_system::SourceSystem;
use crate::task_finding::TaskFinding;
use crate::writing::SystemForm;
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_json::{JsonDocument, Limits};
use evalgraph_rdf::quad_buffer::BufferTermId;

/// The systems and dialects of files with tasks for experts.
const FILES_WITH_TASKS: [&str; 2] = ["rlcf rlcf/LegalTask records", "rlcf rlcf/export"];

const TASKS: &[&str] = &["tasks", "task", "legal_tasks", "legal_task"];
const RESPONSES: &[&str] = &["responses", "response"];
const FEEDBACK: &[&str] = &["feedback", "feedbacks"];

/// What belongs to a task, to a response or to feedback.
const LINKS: [ListLink; 6] = [
    ListLink { lists: RESPONSES, member: "task_id", owners: TASKS },
    ListLink { lists: FEEDBACK, member: "response_id", owners: RESPONSES },
    ListLink {
        lists: &["ratings", "rating", "feedback_ratings", "feedback_rating"],
        member: "feedback_id",
        owners: FEEDBACK,
    },
    ListLink {
        lists: &["assignments", "assignment", "task_assignments", "task_assignment"],
        member: "task_id",
        owners: TASKS,
    },
    ListLink {
        lists: &["devils_advocates", "devils_advocate", "devils_advocate_assignments"],
        member: "task_id",
        owners: TASKS,
    },
    ListLink { lists: &["bias_reports", "bias_report"], member: "task_id", owners: TASKS },
];

/// Legal feedback.
pub(crate) struct RlcfSystem;

impl SourceSystem for RlcfSystem {
    fn files(&self) -> &'static str {
        "RLCF"
    }

    fn recognise(&self, document: &JsonDocument) -> Result<Option<RecognisedRecords>, Box<Diagnostic>> {
        recognise(document)
    }

    // The kinds of its records may be unclear even if the user names the system.
    fn recognise_named(
        &self,
        document: &JsonDocument,
        record: Option<RecordName>,
    ) -> Result<Option<RecognisedRecords>, Box<Diagnostic>> {
        recognise_as(document, record).map(Some)
    }

    fn is_error_reply(&self, document: &JsonDocument) -> bool {
        is_error_reply(document)
    }

    fn file_shape(&self, graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
        file_shape_of_graph(graph, root)
    }

    // Replies of the API are parts of one dataset. An object with named arrays is an entire dataset.
    fn is_part(&self, recognised: &RecognisedRecords) -> bool {
        !matches!(recognised.shape.records, RecordPlacement::InRoot)
    }

    fn record_of<'k>(&self, kind: &'k str) -> Option<&'k str> {
        RecordName::parse(kind).is_ok().then_some(kind)
    }

    fn kind_of_batch(
        &self,
        batch: &JsonDocument,
        path: &str,
        record: Option<RecordName>,
    ) -> Result<Option<BatchKind>, Box<Diagnostic>> {
        let told = tell(batch, path, record)?;
        let kind = told.lists.first().and_then(|list| list.kind());
        Ok(kind.map(|kind| BatchKind { rank: kind as usize, name: kind.name() }))
    }

    fn reply_path(&self, path: &str) -> Option<ReplyPath> {
        reply_path(path)
    }

    fn task_findings(
        &self,
        graph: &IndexedGraph<'_>,
        limits: Limits,
    ) -> Result<Vec<TaskFinding>, Box<Diagnostic>> {
        task_findings(graph, &FigureMethod::default(), limits)
    }

    fn has_record_names(&self) -> bool {
        true
    }

    fn tally(&self, recognised: &RecognisedRecords) -> Option<Box<dyn RecordTally>> {
        Some(Box::new(CountedRecords::new(recognised.shape)))
    }

    fn rules(&self) -> Option<Box<dyn RecordRules>> {
        Some(Box::<RlcfFileRules>::default())
    }

    fn add_question(
        &self,
        kind: &str,
        question: &NewQuestion<'_>,
        graph: &dyn QuestionGraph,
    ) -> Result<Option<AddedQuestion>, RunFailure> {
        if !FILES_WITH_TASKS.contains(&kind) {
            return Ok(None);
        }
        Ok(Some(AddedQuestion::Node(legal_task(question, graph)?)))
    }

    fn written_forms(&self) -> &'static [SystemForm] {
        &FORMS
    }

    fn linked_lists(&self) -> Option<LinkedLists> {
        Some(LinkedLists { records: TASKS, links: &LINKS })
    }

    fn explanations(&self) -> &'static [&'static str] {
        rules::EXPLANATIONS
    }

    fn profiles(&self) -> Vec<(&'static str, Vec<FormatRule>)> {
        RlcfProfile::ALL.map(|profile| (profile.name(), profile.rules())).to_vec()
    }
}

/// The rules for several files. They share state, because references may lead from one file to another.
#[derive(Default)]
struct RlcfFileRules {
    settings: RlcfRuleSettings,
    register: RecordRegister,
}

impl RecordRules for RlcfFileRules {
    fn read_settings(&mut self, document: &JsonDocument) -> Result<(), Box<Diagnostic>> {
        self.settings = RlcfRuleSettings::read(document)?;
        Ok(())
    }

    fn notice(&mut self, document: &JsonDocument, record: Option<RecordName>) -> Result<(), Box<Diagnostic>> {
        self.register.add(document, &tell(document, document.name(), record)?);
        Ok(())
    }

    fn check(
        &mut self,
        file: &CheckedFile<'_>,
        profile: Option<&str>,
    ) -> Result<Option<RuleReport>, Box<Diagnostic>> {
        let profile = match profile {
            None | Some("seed") => RlcfProfile::Seed,
            Some("code") => RlcfProfile::Shipped,
            Some(_) => return Ok(None),
        };
        let told = tell(file.document, file.document.name(), file.record)?;
        Ok(Some(validate(file.document, &told, profile, &self.settings, &self.register)))
    }
}
