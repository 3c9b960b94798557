//! Chooses the names of corpus files for a dataset that is made from questions.

use crate::counts::ConversionCounts;
use crate::items::{ItemContext, QuestionItem};
use crate::numbering::NameNumbering;
use hashbrown::{HashMap, HashSet};

/// Extensions of files that are not text files. A document's text is not written to a file with one of these.
const NO_TEXT: [&str; 16] = [
    "pdf", "docx", "pptx", "xlsx", "doc", "ppt", "xls", "odt", "ods", "odp", "epub", "zip", "png", "jpg",
    "jpeg", "gif",
];

/// The longest file name, in bytes, that all operating systems accept.
const LONGEST_NAME: usize = 255;

/// The names of the corpus files.
pub(super) struct CorpusFileNames {
    /// The commonest name of each document that has an id.
    names: HashMap<String, String>,
    /// The documents with a known text.
    with_text: HashSet<CorpusDocumentKey>,
    /// The number of other names of documents with ids.
    others: u64,
    /// The files of documents, by id, or by name if they have no id.
    files: HashMap<CorpusDocumentKey, String>,
    /// The files of texts that belong to no document.
    texts: HashMap<String, String>,
    taken: HashSet<String>,
    numbering: NameNumbering,
    /// `true` if texts become files.
    with_corpus: bool,
    /// The names of files that exist on disk.
    on_disk: HashSet<String>,
}

/// How often a document has each of its names, in the order of first occurrence.
#[derive(Default)]
struct NameCounts<'i> {
    numbers: HashMap<&'i str, usize>,
    names: Vec<(&'i str, u64)>,
}

/// The id of a document, or its name if it has no id.
#[derive(PartialEq, Eq, Hash)]
enum CorpusDocumentKey {
    Id(String),
    Name(String),
}

impl CorpusDocumentKey {
    /// Returns the document of a context, or `None` if the context has no name.
    fn from_context(context: &ItemContext) -> Option<Self> {
        let name = context.name.as_deref().filter(|name| !name.is_empty())?;
        Some(context.document.clone().map_or_else(|| Self::Name(name.to_owned()), Self::Id))
    }
}

impl CorpusFileNames {
    /// Collects the names of the documents in questions.
    pub(super) fn from_items(items: &[QuestionItem], with_corpus: bool, on_disk: &HashSet<String>) -> Self {
        let mut counts: HashMap<&str, NameCounts<'_>> = HashMap::new();
        for context in items.iter().flat_map(|item| &item.contexts) {
            let (Some(id), Some(name)) = (context.document.as_deref(), context.name.as_deref()) else {
                continue;
            };
            let NameCounts { numbers, names } = counts.entry(id).or_default();
            let number = *numbers.entry(name).or_insert(names.len());
            match names.get_mut(number) {
                Some((_, count)) => *count += 1,
                None => names.push((name, 1)),
            }
        }
        let others = counts.values().map(|counts| counts.names.len() as u64 - 1).sum();
        let most_used = |NameCounts { names, .. }: NameCounts<'_>| {
            let most = names.iter().map(|(_, count)| *count).max().unwrap_or(0);
            let first = names.iter().find(|(_, count)| *count == most);
            first.map_or_else(String::new, |(name, _)| (*name).to_owned())
        };
        let names = counts.into_iter().map(|(id, names)| (id.to_owned(), most_used(names))).collect();
        let contexts = items.iter().flat_map(|item| &item.contexts);
        let with_text = contexts
            .filter(|context| context.text.is_some())
            .filter_map(CorpusDocumentKey::from_context)
            .collect();
        let (files, texts, numbering) = (HashMap::new(), HashMap::new(), NameNumbering::default());
        let taken = on_disk.iter().map(|name| name.to_lowercase()).collect();
        let on_disk = on_disk.clone();
        Self { names, with_text, others, files, texts, taken, numbering, with_corpus, on_disk }
    }

    /// Returns the file of a document that has a name. The name of a document without an id is already a file name, and
    /// is kept. The name of a document with an id is a title, which becomes the name of a text file if a text is known.
    pub(super) fn file_of(&mut self, context: &ItemContext) -> Option<String> {
        let document = CorpusDocumentKey::from_context(context)?;
        if let Some(known) = self.files.get(&document) {
            return Some(known.clone());
        }
        let name = self.name_of(&document).to_owned();
        let is_file = matches!(document, CorpusDocumentKey::Name(_));
        let file = match self.with_text.contains(&document) {
            _ if is_file && (!self.with_corpus || self.on_disk.contains(&name)) => name,
            true if is_file && is_text_file(&name) => self.free(&name),
            true => self.free(&text_name(&name)),
            false => self.free(&safe_name(&name)),
        };
        self.files.insert(document, file.clone());
        Some(file)
    }

    fn name_of<'n>(&'n self, document: &'n CorpusDocumentKey) -> &'n str {
        match document {
            CorpusDocumentKey::Id(id) => self.names.get(id).map_or(id, String::as_str),
            CorpusDocumentKey::Name(name) => name,
        }
    }

    pub(super) fn file_with(&mut self, text: &str, index: usize) -> String {
        if let Some(known) = self.texts.get(text) {
            return known.clone();
        }
        let file = self.free(&format!("context-{index}.txt"));
        self.texts.insert(text.to_owned(), file.clone());
        file
    }

    /// Counts the documents whose file has another name, and the names that no file gets.
    pub(super) fn note_changes(&self, defaults: &mut ConversionCounts, losses: &mut ConversionCounts) {
        for (document, file) in &self.files {
            let name = self.name_of(document);
            if file.strip_suffix(".txt") == Some(name) {
                defaults.add(&format!("the extension of the file `{file}`"));
            } else if name != file {
                losses.add(&format!("the name of the document `{name}`, which becomes the file `{file}`,"));
            }
        }
        for _ in 0..self.others {
            losses.add("the other name of a document that has two");
        }
    }

    /// Returns a name that no other file has. Names that differ only in case count as equal, as on some file systems.
    fn free(&mut self, wanted: &str) -> String {
        let (stem, extension) = wanted.split_at(wanted.rfind('.').unwrap_or(wanted.len()));
        let named = |number| match number {
            1 => wanted.to_owned(),
            number => format!("{stem}-{number}{extension}"),
        };
        let is_free = |name: &str| !self.taken.contains(&name.to_lowercase());
        let name = self.numbering.free(wanted, 1, named, is_free);
        self.taken.insert(name.to_lowercase());
        name
    }
}

/// Returns a basename that cannot lead to another folder.
fn safe_name(name: &str) -> String {
    let is_unsafe = |character: char| matches!(character, '/' | '\\') || character.is_control();
    let mut safe: String =
        name.chars().map(|character| if is_unsafe(character) { '_' } else { character }).collect();
    if safe.starts_with(['.', '-']) || safe.trim().is_empty() {
        safe.insert(0, '_');
    }
    safe
}

/// Returns whether a file with this name, which may have no extension, can be a text file.
fn is_text_file(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    safe_name(name) == name && name.len() <= LONGEST_NAME && !NO_TEXT.contains(&extension.as_str())
}

/// Returns a basename that cannot lead to another folder, with the extension of a text file.
fn text_name(name: &str) -> String {
    let safe = safe_name(name);
    let extension = safe.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_extension = (1..=5).contains(&extension.len())
        && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && !extension.bytes().all(|byte| byte.is_ascii_digit());
    let is_text = is_extension && !NO_TEXT.contains(&extension.to_ascii_lowercase().as_str());
    let suffix = if is_text { format!(".{extension}") } else { ".txt".to_owned() };
    let stem = if is_text { &safe[..safe.len() - suffix.len()] } else { safe.as_str() };
    let mut length = stem.len().min(LONGEST_NAME - suffix.len() - "-9999".len());
    while !stem.is_char_boundary(length) {
        length -= 1;
    }
    format!("{}{suffix}", &stem[..length])
}
