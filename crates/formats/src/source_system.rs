//! The trait that every system implements, in its own folder. What files of one system need, and no other, is a method
//! with a default.

use crate::checking::{FormatRule, ProfileName, RecordRules};
use crate::corpus::Corpus;
use crate::counted_list::{CountedList, DatasetReport};
use crate::file_records::LinkedLists;
use crate::named_figures::RecordTally;
use crate::new_question::{AddedQuestion, NewQuestion, QuestionGraph};
use crate::plain_conversations::PlainConversations;
use crate::records::{BatchKind, FileShape, RecognisedRecords, RecordName, ReplyPath, TableRunReader};
use crate::rewriting::IndexedGraph;
use crate::runs::RunReader;
use crate::task_finding::TaskFinding;
use crate::writing::SystemForm;
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_json::{JsonDocument, Limits};
use evalgraph_rdf::quad_buffer::BufferTermId;

/// A system: recognises, reads, counts and checks its files.
pub trait SourceSystem: Sync {
    /// Returns the name of the system's files in messages.
    fn files(&self) -> &'static str;

    /// Recognises a file that may belong to this system. Returns `None` for JSON-LD, which is recognised elsewhere.
    ///
    /// # Errors
    /// A diagnostic for a file that can only belong to this system, but whose kind is unclear.
    fn recognise(&self, document: &JsonDocument) -> Result<Option<RecognisedRecords>, Box<Diagnostic>>;

    /// Recognises a file that the user assigns to this system, with the kind of records that the user may name.
    ///
    /// # Errors
    /// A diagnostic for a file whose kind of records is unclear.
    fn recognise_named(
        &self,
        document: &JsonDocument,
        _record: Option<RecordName>,
    ) -> Result<Option<RecognisedRecords>, Box<Diagnostic>> {
        self.recognise(document)
    }

    /// Returns the kind of file that the rules assume, because they report its faults themselves. `None` if the file is
    /// recognised as usual.
    fn recognise_for_rules(&self, _document: &JsonDocument) -> Option<RecognisedRecords> {
        None
    }

    /// Returns the name that a file of the system must have, or `None` if any name will do.
    fn file_name(&self) -> Option<&'static str> {
        None
    }

    /// Returns whether tables are read as rows of this system.
    fn has_rows(&self) -> bool {
        false
    }

    /// Returns whether a file is an error reply of a service, which the rules report.
    fn is_error_reply(&self, _document: &JsonDocument) -> bool {
        false
    }

    /// Returns the shape of a file, given its node in a graph.
    fn file_shape(&self, graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape>;

    /// Returns whether a file may be part of a dataset whose other parts are in the same folder.
    fn is_part(&self, _recognised: &RecognisedRecords) -> bool {
        false
    }

    /// Returns the value of `record` for a file from which only the system can be recognised: the kind of its records,
    /// which follows from its dialect.
    fn record_of<'k>(&self, _kind: &'k str) -> Option<&'k str> {
        None
    }

    /// Returns whether the user may need to name the kind of a file's records.
    fn has_record_names(&self) -> bool {
        false
    }

    /// Returns the kind of the records in a part of a file, or `None` if all records of a file have the same kind. `path`
    /// is that of the file or of the part, `record` the kind that the user names.
    ///
    /// # Errors
    /// A diagnostic for records whose kind is unclear.
    fn kind_of_batch(
        &self,
        _batch: &JsonDocument,
        _path: &str,
        _record: Option<RecordName>,
    ) -> Result<Option<BatchKind>, Box<Diagnostic>> {
        Ok(None)
    }

    /// Returns the place of a file whose path is that of a request to the system's service.
    fn reply_path(&self, _path: &str) -> Option<ReplyPath> {
        None
    }

    /// Returns the results of the experts' opinions on the tasks of a graph, in the order of their IRIs.
    ///
    /// # Errors
    /// A diagnostic for records that cannot be read.
    fn task_findings(
        &self,
        _graph: &IndexedGraph<'_>,
        _limits: Limits,
    ) -> Result<Vec<TaskFinding>, Box<Diagnostic>> {
        Ok(Vec::new())
    }

    /// Returns the text of an edited file with the values that the format requires and a graph cannot have, or `None`
    /// if nothing is missing.
    fn edited(&self, _before: &JsonDocument, _after: &JsonDocument) -> Option<String> {
        None
    }

    /// Returns a counter for the records of a file, or `None` if only their quads are counted.
    fn tally(&self, _recognised: &RecognisedRecords) -> Option<Box<dyn RecordTally>> {
        None
    }

    /// Returns the reader of the results that models have in a file, or `None` if the file has no results of samples. By
    /// default the table of the file's records says where each fact about a result is.
    fn run_reader(&self, recognised: &RecognisedRecords) -> Option<Box<dyn RunReader>> {
        let reader = TableRunReader::from_shape(&recognised.shape)?;
        Some(Box::new(reader))
    }

    /// Returns the rules for files of records, if the system has any.
    fn rules(&self) -> Option<Box<dyn RecordRules>> {
        None
    }

    /// Returns each profile of the system's rules by its name, with the rules in the order of the report.
    fn profiles(&self) -> Vec<(&'static str, Vec<FormatRule>)> {
        Vec::new()
    }

    /// Returns the texts that explain the system's rules, in the form that `RuleExplanation::parse` reads.
    fn explanations(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the names of sets of rules that only this system has, each with what the set requires.
    fn own_profiles(&self) -> &'static [(ProfileName, &'static str)] {
        &[]
    }

    /// Checks the directory of a dataset whose file of rows is missing. Returns `None` if the system has no such
    /// directories.
    fn check_without_rows(
        &self,
        _path: &str,
        _corpus: Option<&Corpus>,
        _profile: Option<ProfileName>,
    ) -> Option<RuleReport> {
        None
    }

    /// Makes the node of a new question in a graph whose file is of a kind, which has the system and the dialect of the
    /// file. Returns `None` if files of that kind cannot take a question with only a text and an answer.
    ///
    /// # Errors
    /// Codes with the command's prefix: `no-place` for values that such a file does not hold, `next-id` if no id follows
    /// from the others.
    fn add_question(
        &self,
        _kind: &str,
        _question: &NewQuestion<'_>,
        _graph: &dyn QuestionGraph,
    ) -> Result<Option<AddedQuestion>, RunFailure> {
        Ok(None)
    }

    /// Returns whether a file of a kind has statistics that count its questions.
    fn counts_questions(&self, _kind: &str) -> bool {
        false
    }

    /// Returns the place of the records in a file that has statistics about them.
    fn counted_list(&self, _document: &JsonDocument) -> Option<CountedList> {
        None
    }

    /// Returns the lists of a dataset whose items refer to each other, with the list of its questions.
    fn linked_lists(&self) -> Option<LinkedLists> {
        None
    }

    /// Returns an empty report about the contents of datasets, or `None` if the system has no such report.
    fn dataset_report(&self) -> Option<Box<dyn DatasetReport>> {
        None
    }

    /// Returns the forms of files that the system writes from any inputs.
    fn written_forms(&self) -> &'static [SystemForm] {
        &[]
    }

    /// Returns the function that writes the conversations of a file of this system as plain chat; none where its
    /// files have no plain conversations.
    fn conversation_writer(&self) -> Option<ConversationWriter> {
        None
    }
}

/// Writes the conversations of a file as they are. A system prompt goes into those that have none.
pub type ConversationWriter = fn(&JsonDocument, Option<&str>) -> PlainConversations;
