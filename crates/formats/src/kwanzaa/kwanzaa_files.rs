//! Kwanzaa's datasets, and conversations made from them.

use std::collections::HashSet;
use std::path::Path;

use chrono::SecondsFormat;

use super::chat::{SystemPrompt, UserPrompt, to_chat, to_dataset};
use super::{
    DatasetPart, KWANZAA, KwanzaaFileKind, completed, dataset_of_items, file_shape, merged, right_statistics,
};
use crate::items::DatasetItems;
use crate::plain_conversations::{PlainConversations, plain_conversations};
use crate::records::{FileShape, decompose};
use crate::rewriting::IndexedGraph;
use crate::sidecar::{DocumentSidecars, RestoredFile};
use crate::source_system::ConversationWriter;
use crate::system_name::SystemName;
use crate::writing::document_graphs::DocumentGraphs;
use crate::writing::loss_reports::{
    report_defaults, report_faults, report_left_out, report_losses, report_unread,
};
use crate::writing::unwritten_statements::report_unwritten;
use crate::writing::written_questions::{questions, without_questions};
use crate::writing::{FormOptions, FormWriter, SystemForm, WrittenFile, WrittenFiles, parsed};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport, codes};
use evalgraph_json::{JsonDocument, Limits, grafted, parse, parse_lines};
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::quad_buffer::{BufferTermId, TermRef};

/// The form to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KwanzaaForm {
    /// A dataset file.
    Dataset,
    /// Conversations, one per line.
    Chat,
}

impl KwanzaaForm {
    /// The name on the command line.
    const fn name(self) -> &'static str {
        match self {
            Self::Dataset => KWANZAA.name(),
            Self::Chat => "hf-chat",
        }
    }

    const fn extension(self) -> &'static str {
        match self {
            Self::Dataset => "json",
            Self::Chat => "jsonl",
        }
    }
}

/// The forms of the system.
pub(super) static FORMS: [SystemForm; 2] = [
    SystemForm {
        name: KwanzaaForm::Dataset.name(),
        extension: KwanzaaForm::Dataset.extension(),
        writer: FormWriter::Restored(|quads, options, report| {
            kwanzaa_files(quads, KwanzaaForm::Dataset, options, report)
        }),
        has_corpus: false,
        takes_prompts: false,
    },
    SystemForm {
        name: KwanzaaForm::Chat.name(),
        extension: KwanzaaForm::Chat.extension(),
        writer: FormWriter::Restored(|quads, options, report| {
            kwanzaa_files(quads, KwanzaaForm::Chat, options, report)
        }),
        has_corpus: false,
        takes_prompts: true,
    },
];

/// The message if no question is left.
const NOTHING_LEFT: &str = "no question of the inputs can be written in this form";

/// A dataset among the quads.
struct KwanzaaDataset {
    document: JsonDocument,
    stem: String,
    /// The path of its file, if the catalog has it.
    path: String,
    /// `true` if the file was a dataset, whose samples have their own ids.
    has_own_ids: bool,
}

/// Writes the datasets in quads that were loaded with sidecars and the catalog: one file per dataset if
/// `takes_several`, otherwise one file for all.
fn kwanzaa_files(
    quads: &QuadBuffer,
    form: KwanzaaForm,
    options: &FormOptions<'_>,
    report: &mut RunReport,
) -> Result<WrittenFiles, RunFailure> {
    let time = (options.now)()?.to_rfc3339_opts(SecondsFormat::Secs, true);
    let takes_several = options.takes_several;
    if form == KwanzaaForm::Chat {
        return chat_files(quads, &PromptReader(options), takes_several, &time, report);
    }
    let had_failed = report.has_failed();
    let mut datasets = Vec::new();
    for of_graph in contents(quads, form, &time, report)? {
        datasets.extend(dataset_of(of_graph, &time, report)?);
    }
    if datasets.is_empty() {
        return Err(Diagnostic::error("convert::no-questions", NOTHING_LEFT).into());
    }
    let texts = match datasets.as_slice() {
        [first, _, ..] if !takes_several => {
            vec![(one_dataset(&datasets, &time, report)?, first.stem.clone())]
        }
        _ => datasets.into_iter().map(|dataset| (counted_anew(&dataset, report), dataset.stem)).collect(),
    };
    report.check(had_failed)?;
    Ok(files(texts, form))
}

/// Returns the text of a dataset. Wrong `statistics` are corrected, and the correction is reported.
fn counted_anew(dataset: &KwanzaaDataset, report: &mut RunReport) -> String {
    let document = &dataset.document;
    let right = right_statistics(document).and_then(|changed| {
        let changed = parsed(document.name().as_ref(), changed).ok()?;
        grafted(document, &changed).or_else(|| Some(changed.text().to_owned()))
    });
    let Some(text) = right else { return document.text().to_owned() };
    let message = format!("wrong `statistics` of `{}` were recalculated from its samples", dataset.stem);
    report.add(&Diagnostic::new(FindingSeverity::Note, codes::CONVERT_DEFAULT, message));
    text
}

/// Makes conversations. Samples follow their contract; other questions become plain conversations.
fn chat_files(
    quads: &QuadBuffer,
    prompts: &PromptReader<'_>,
    takes_several: bool,
    time: &str,
    report: &mut RunReport,
) -> Result<WrittenFiles, RunFailure> {
    let form = KwanzaaForm::Chat;
    let (system, user) = (prompts.system()?, prompts.user()?);
    let had_failed = report.has_failed();
    let mut texts = Vec::new();
    for OfGraph { content, stem, .. } in contents(quads, form, time, report)? {
        let text = match content {
            KwanzaaContent::Samples { document, .. } => {
                let chat = to_chat(&document, &system, &user);
                let losses = chat.losses.iter().map(|(what, count)| (what.as_str(), *count));
                report_losses(losses, form.name(), document.name(), report);
                chat.text
            }
            KwanzaaContent::Questions(items) => {
                let chat = plain_conversations(&items.items, prompts.of_questions()?.as_deref());
                plain_text(chat, &stem, report)
            }
            KwanzaaContent::Conversations { document, write } => {
                plain_text(write(&document, prompts.of_questions()?.as_deref()), &stem, report)
            }
        };
        texts.push((text, stem));
    }
    report.check(had_failed)?;
    if texts.iter().all(|(text, _)| text.is_empty()) {
        return Err(Diagnostic::error("convert::no-questions", NOTHING_LEFT).into());
    }
    if let (false, Some((_, stem))) = (takes_several, texts.first()) {
        // Conversations of several files are joined unchanged.
        let stem = stem.clone();
        texts = vec![(texts.into_iter().map(|(text, _)| text).collect(), stem)];
    }
    Ok(files(texts, form))
}

fn plain_text(chat: PlainConversations, name: &str, report: &mut RunReport) -> String {
    let form = KwanzaaForm::Chat.name();
    report_losses(chat.losses.iter(), form, name, report);
    report_left_out(&chat.left_out, form, name, report);
    chat.text
}

fn files(texts: Vec<(String, String)>, form: KwanzaaForm) -> WrittenFiles {
    let file = |(text, stem): (String, String)| WrittenFile::of_stem(&stem, form.extension(), text);
    WrittenFiles { files: texts.into_iter().map(file).collect(), ..WrittenFiles::default() }
}

/// Merges several datasets into one.
fn one_dataset(
    datasets: &[KwanzaaDataset],
    time: &str,
    report: &mut RunReport,
) -> Result<String, RunFailure> {
    let part = |dataset| {
        let KwanzaaDataset { document, path, has_own_ids, .. }: &KwanzaaDataset = dataset;
        DatasetPart { document, path, has_own_ids: *has_own_ids }
    };
    let parts: Vec<DatasetPart<'_>> = datasets.iter().map(part).collect();
    let merged = merged(&parts, time)?;
    let form = KwanzaaForm::Dataset.name();
    for (at, what) in &merged.losses {
        report_losses(std::iter::once((what.as_str(), 1)), form, &datasets[*at].stem, report);
    }
    report_defaults(&merged.defaults, "the dataset", report);
    Ok(merged.json)
}

/// The prompts of conversations, whose files are read when they are needed.
struct PromptReader<'o>(&'o FormOptions<'o>);

impl PromptReader<'_> {
    fn system(&self) -> Result<SystemPrompt, RunFailure> {
        let Some(path) = &self.0.prompts.system else { return Ok(SystemPrompt::default()) };
        let prompt = SystemPrompt::new((self.0.read_prompt)(path)?);
        check_lines(prompt.wrong_line(), path)?;
        Ok(prompt)
    }

    /// Returns the system prompt for questions that are not samples and have no prompt.
    fn of_questions(&self) -> Result<Option<String>, RunFailure> {
        if self.0.prompts.user.is_some() {
            let message = "a user prompt is only for samples of kwanzaa, but there are other questions";
            return Err(Diagnostic::error("convert::prompt", message).into());
        }
        let Some(path) = &self.0.prompts.system else { return Ok(None) };
        let prompt = SystemPrompt::new((self.0.read_prompt)(path)?);
        let plain = prompt.plain().map(|text| Some(text.to_owned()));
        plain.map_err(|name| {
            let message = format!("the system prompt uses `{name}`, which only samples of kwanzaa have");
            let help = "remove the placeholder, or convert the samples separately";
            Diagnostic::error("convert::prompt", message).with_help(help).into()
        })
    }

    fn user(&self) -> Result<UserPrompt, RunFailure> {
        let Some(path) = &self.0.prompts.user else { return Ok(UserPrompt::default()) };
        let prompt = UserPrompt::new((self.0.read_prompt)(path)?);
        check_lines(prompt.wrong_line(), path)?;
        if !prompt.has_query() {
            let message = format!("`{}` has no placeholder for the question", path.display());
            return Err(Diagnostic::error("convert::prompt", message)
                .with_help("add `{query}` to it")
                .into());
        }
        Ok(prompt)
    }
}

fn check_lines(wrong: Option<&str>, path: &Path) -> Result<(), RunFailure> {
    let Some(line) = wrong else { return Ok(()) };
    let message = format!("`{}` has a line whose condition cannot be read: `{line}`", path.display());
    let help = "a condition is `{?persona=builder}` or `{?persona!=builder}`, with any of the placeholders";
    Err(Diagnostic::error("convert::prompt", message).with_help(help).into())
}

/// The content of a graph, and the names of its file.
struct OfGraph {
    content: KwanzaaContent,
    stem: String,
    /// The path of its file, if the catalog has it.
    path: String,
}

enum KwanzaaContent {
    /// A dataset of samples, and whether the file was a dataset, whose samples have their own ids.
    Samples { document: Box<JsonDocument>, has_own_ids: bool },
    /// The questions of another system.
    Questions(DatasetItems),
    /// Conversations that another system writes as they are.
    Conversations { document: Box<JsonDocument>, write: ConversationWriter },
}

/// Returns the dataset of a graph. Questions of other systems become samples as far as samples can express them.
fn dataset_of(
    of_graph: OfGraph,
    time: &str,
    report: &mut RunReport,
) -> Result<Option<KwanzaaDataset>, RunFailure> {
    let OfGraph { content, stem, path } = of_graph;
    let items = match content {
        KwanzaaContent::Samples { document, has_own_ids } => {
            return Ok(Some(KwanzaaDataset { document: *document, stem, path, has_own_ids }));
        }
        KwanzaaContent::Questions(items) => items,
        // Only the form of conversations asks for them.
        KwanzaaContent::Conversations { .. } => return Ok(None),
    };
    let form = KwanzaaForm::Dataset.name();
    let made = dataset_of_items(&items, time);
    report_left_out(&made.left_out, form, &stem, report);
    if made.samples == 0 {
        return Ok(None);
    }
    report_losses(made.losses.iter(), form, &stem, report);
    report_faults(&made.faults, form, &stem, None, report);
    report_defaults(&made.defaults, &stem, report);
    let document = parsed(stem.clone(), made.json)?;
    Ok(Some(KwanzaaDataset { document, stem, path, has_own_ids: false }))
}

/// Returns the contents of all graphs: Kwanzaa files as they were, and the questions of other graphs.
fn contents(
    quads: &QuadBuffer,
    form: KwanzaaForm,
    time: &str,
    report: &mut RunReport,
) -> Result<Vec<OfGraph>, RunFailure> {
    let with_sidecars = DocumentSidecars::new(quads);
    let restorable: HashSet<&str> = with_sidecars.names().collect();
    let mut made = Vec::new();
    let documents = DocumentGraphs::from_quads(quads);
    for term in documents.documents() {
        let name = match term.map(|term| quads.term(term)) {
            Some(TermRef::Iri(iri)) => iri,
            _ => "",
        };
        let stem = documents.name_of(term);
        let restored = restorable.contains(&name).then(|| with_sidecars.restore(name)).transpose()?;
        let is_kwanzaa = |restored: &RestoredFile| restored.dialect.starts_with("kwanzaa/");
        let writer = restored.as_ref().and_then(|restored| writer_of_file(restored, form));
        let made_of = match restored.filter(|restored| is_kwanzaa(restored) || writer.is_some()) {
            Some(restored) => {
                report.add_all(&restored.findings);
                report_unwritten(&with_sidecars, &restored, &restored.text, &stem, report);
                match writer {
                    Some(write) => {
                        let document = Box::new(restored_document(restored.text, &stem)?);
                        Some(KwanzaaContent::Conversations { document, write })
                    }
                    None => of_kwanzaa(restored.text, &stem, time, report)?,
                }
            }
            None => of_graph(&documents.graph(term), form, &stem, time, report)?,
        };
        let Some(content) = made_of else {
            report.add(&without_questions(&stem, "no"));
            continue;
        };
        let path = term.and_then(|term| documents.path_of(term)).map_or_else(|| stem.clone(), str::to_owned);
        made.push(OfGraph { content, stem, path });
    }
    if made.is_empty() {
        return Err(Diagnostic::error("convert::no-questions", "the inputs have no questions").into());
    }
    Ok(made)
}

/// The writer of plain conversations for a file that was restored; none where the form is another, or the system
/// of the file has no plain conversations.
fn writer_of_file(restored: &RestoredFile, form: KwanzaaForm) -> Option<ConversationWriter> {
    let (system, _) = restored.dialect.split_once('/').filter(|_| form == KwanzaaForm::Chat)?;
    SystemName::from_name(system)?.entry().conversation_writer()
}

/// The writer of plain conversations for a graph, with the node and the shape of its file.
fn writer_of_graph(graph: &IndexedGraph<'_>) -> Option<(BufferTermId, FileShape, ConversationWriter)> {
    let systems = SystemName::ALL.into_iter().map(SystemName::entry);
    let mut writers = systems.filter_map(|entry| Some((entry, entry.conversation_writer()?)));
    writers.find_map(|(entry, write)| {
        let mut nodes = graph.subjects().iter();
        nodes.find_map(|&node| Some((node, entry.file_shape(graph, node)?, write)))
    })
}

fn restored_document(text: String, name: &str) -> Result<JsonDocument, Box<Diagnostic>> {
    let limits = Limits { size: u64::MAX, ..Limits::default() };
    match parse(name, text.clone(), limits) {
        Ok(document) => Ok(document),
        Err(_) => parse_lines(name, text, limits),
    }
}

/// Returns the content of a Kwanzaa file: a dataset as it is, or the questions of conversations. `None` for an answer,
/// which has no question.
fn of_kwanzaa(
    text: String,
    name: &str,
    time: &str,
    report: &mut RunReport,
) -> Result<Option<KwanzaaContent>, RunFailure> {
    let document = restored_document(text, name)?;
    match KwanzaaFileKind::from_document(&document) {
        Some(KwanzaaFileKind::Chat) => {
            let restored = to_dataset(&document, time);
            report_losses(restored.losses.iter(), KwanzaaForm::Dataset.name(), name, report);
            report_defaults(&restored.defaults, name, report);
            let document = Box::new(parsed(name, restored.json)?);
            Ok(Some(KwanzaaContent::Samples { document, has_own_ids: false }))
        }
        Some(KwanzaaFileKind::Answer) => Ok(None),
        _ => Ok(Some(KwanzaaContent::Samples { document: Box::new(document), has_own_ids: true })),
    }
}

/// Returns the samples or the questions of a graph without a sidecar, or `None` if it has neither.
fn of_graph(
    graph: &IndexedGraph<'_>,
    form: KwanzaaForm,
    name: &str,
    time: &str,
    report: &mut RunReport,
) -> Result<Option<KwanzaaContent>, RunFailure> {
    let root = graph.subjects().iter().find_map(|&node| Some((node, file_shape(graph, node)?)));
    if let Some((root, shape)) = root {
        let decomposed = decompose(graph, root, &shape);
        report_unread(&decomposed.unread, KwanzaaForm::Dataset.name(), name, graph, report);
        let document = parsed(name, decomposed.json)?;
        return match KwanzaaFileKind::from_document(&document) {
            Some(KwanzaaFileKind::Dataset) => {
                let document = Box::new(parsed(name, completed(&document, |_| true))?);
                Ok(Some(KwanzaaContent::Samples { document, has_own_ids: true }))
            }
            _ => of_kwanzaa(document.text().to_owned(), name, time, report),
        };
    }
    if let Some((root, shape, write)) = writer_of_graph(graph).filter(|_| form == KwanzaaForm::Chat) {
        let decomposed = decompose(graph, root, &shape);
        report_unread(&decomposed.unread, form.name(), name, graph, report);
        let document = Box::new(parsed(name, decomposed.json)?);
        return Ok(Some(KwanzaaContent::Conversations { document, write }));
    }
    let items = questions(graph, form.name(), name, report);
    Ok((!items.items.is_empty()).then_some(KwanzaaContent::Questions(items)))
}
