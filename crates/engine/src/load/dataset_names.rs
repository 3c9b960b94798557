//! The names of the datasets of loaded documents. They are part of the IRIs of the nodes and graphs.

use std::collections::{HashMap, HashSet};

use super::dataset_document::DatasetDocument;
use super::document::Document;
use super::record_recognition::part_of;
use crate::input::origin::{StoredName, folder_name, stem};
use crate::input::path_text::absolute;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport, SourceText};
use evalgraph_formats::numbering::NameNumbering;
use evalgraph_formats::records::ReplyPath;
use evalgraph_rdf::minted::CATALOG;

/// The names of datasets in a store.
#[derive(Debug, Default)]
pub struct StoredNames {
    /// The names that are taken.
    pub taken: HashSet<String>,
    /// The names of datasets, by the addresses of their files.
    pub of_paths: HashMap<String, String>,
}

/// Returns the address of a document in a store: its absolute path or its URL. The address of standard input is made
/// from the name given to its dataset, or else from its content.
fn address(document: &Document, given: Option<&str>) -> String {
    match (document.origin.url(), document.origin.named_path(), given) {
        (Some(url), ..) => url.to_owned(),
        (None, Some(path), _) => absolute(path),
        (None, None, Some(name)) => format!("{STDIN}{name}"),
        (None, None, None) => {
            let digest = document.sha256.clone().unwrap_or_else(|| document.digest());
            format!("{STDIN}{digest}")
        }
    }
}

/// The prefix of addresses of standard input.
const STDIN: &str = "stdin:";

/// The names that were given so far.
pub struct DatasetNames<'g> {
    given: Option<&'g str>,
    stored: &'g StoredNames,
    datasets: HashSet<String>,
    /// By folder, the dataset that the files in it are parts of.
    folders: HashMap<String, String>,
    parts: HashSet<(String, String)>,
    numbering: NameNumbering,
}

impl<'g> DatasetNames<'g> {
    /// Begins with the names in a store. `given` is the name from the command line.
    pub fn new(given: Option<&'g str>, stored: &'g StoredNames) -> Self {
        let datasets = stored.taken.clone();
        Self {
            given,
            stored,
            datasets,
            folders: HashMap::new(),
            parts: HashSet::new(),
            numbering: NameNumbering::default(),
        }
    }

    /// Names the dataset of a document. The name comes from the command line, or else from the root's `@id`, or else
    /// from the file's stem. A document in the store keeps its name. Parts of one dataset share a name, by default that
    /// of their folder. If a name is taken or reserved, a piece of the content's digest is added, which is reported.
    pub fn name(&mut self, document: Document, size: u64, report: &mut RunReport) -> DatasetDocument {
        if let (None, Some(stored)) = (self.given, document.origin.stored.clone()) {
            let StoredName { dataset, part, .. } = stored;
            self.datasets.insert(dataset.clone());
            let address = address(&document, None);
            return DatasetDocument { opened: document, address, dataset, part, size };
        }
        let address = address(&document, self.given);
        let recognised = document.content.recognised();
        let part = recognised.and_then(|recognised| part_of(recognised, &document.origin)).cloned();
        let (dataset, part) = match part {
            Some(part) => self.of_part(&document, &address, &part, report),
            None => (self.of_file(&document, &address, report), None),
        };
        DatasetDocument { opened: document, address, dataset, part, size }
    }

    fn of_file(&mut self, document: &Document, address: &str, report: &mut RunReport) -> String {
        let root_id = || document.root_id.clone().filter(|id| !id.is_empty());
        let given = self.given.map(str::to_owned).or_else(root_id);
        let wanted = given.unwrap_or_else(|| stem(&document.origin));
        self.known(&wanted, address).unwrap_or_else(|| self.free(&wanted, document, report))
    }

    /// Returns the name of the document in the store, if it is the wanted name or was made from it. So a file keeps its
    /// name when it is loaded again.
    fn known(&self, wanted: &str, address: &str) -> Option<String> {
        let known = self.stored.of_paths.get(address)?;
        let rest = known.strip_prefix(wanted)?;
        (rest.is_empty() || rest.starts_with('-')).then(|| known.clone())
    }

    /// Returns the dataset and the part of it. A second file for one part gets its own name, like a second dataset.
    fn of_part(
        &mut self,
        document: &Document,
        address: &str,
        path: &ReplyPath,
        report: &mut RunReport,
    ) -> (String, Option<String>) {
        let dataset = match self.folders.get(&path.folder) {
            Some(dataset) => dataset.clone(),
            None => {
                let wanted = self.given.map_or_else(|| folder_name(path), str::to_owned);
                let known = self.known(&wanted, address);
                let dataset = known.unwrap_or_else(|| self.free(&wanted, document, report));
                self.folders.insert(path.folder.clone(), dataset.clone());
                dataset
            }
        };
        let parts = &self.parts;
        let is_free = |part: &str| !parts.contains(&(dataset.clone(), part.to_owned()));
        let part = match is_free(&path.part) {
            true => path.part.clone(),
            false => told_apart(&path.part, document, &mut self.numbering, &dataset, is_free),
        };
        self.parts.insert((dataset.clone(), part.clone()));
        (dataset, Some(part))
    }

    /// Returns the wanted name, or a free name made from it.
    fn free(&mut self, wanted: &str, document: &Document, report: &mut RunReport) -> String {
        // The graphs of sidecars, `sidecar:…`, need no such check, because the `:` of a name is encoded.
        let is_reserved = wanted == CATALOG;
        let is_free = |name: &str| !self.datasets.contains(name);
        let name = match !is_reserved && is_free(wanted) {
            true => wanted.to_owned(),
            false => told_apart(wanted, document, &mut self.numbering, "", is_free),
        };
        self.datasets.insert(name.clone());
        if name != wanted {
            let why = match is_reserved {
                true => format!("no dataset can be named `{wanted}`, whose graph is reserved"),
                false => format!("another input already has the dataset name `{wanted}`"),
            };
            let message = format!("{why}; this one becomes `{name}`");
            let note = Diagnostic::new(FindingSeverity::Note, "load::dataset-name", message);
            report.add(&note.at(SourceText::new(document.origin.name.as_str(), b"").place(0..0)));
        }
        name
    }
}

/// Returns the name followed by a piece of the content's digest, and by a number if that name is taken, too. `of` is
/// the dataset of a part, and empty for datasets.
fn told_apart(
    wanted: &str,
    document: &Document,
    numbering: &mut NameNumbering,
    of: &str,
    is_free: impl Fn(&str) -> bool,
) -> String {
    let name = format!("{wanted}-{}", document.digest());
    let named = |number| if number == 1 { name.clone() } else { format!("{name}-{number}") };
    numbering.free(&format!("{of}/{name}"), 1, named, is_free)
}
