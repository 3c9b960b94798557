//! Names for the files made from document graphs.

use std::collections::HashSet;

use crate::numbering::NameNumbering;
use evalgraph_rdf::minted::document_name;

/// Returns the stem of a document graph's file. The catalog may have the file's path. The stem of a part of a dataset
/// is its path in the folder, with `-` for `/`.
pub fn file_stem(graph: &str, path: Option<&str>) -> String {
    let name = file_name(graph, path, &mut TakenNames::default()).replace('/', "-");
    name.split_once('.').map_or(name.clone(), |(stem, _)| stem.to_owned())
}

/// The file names that are already taken.
#[derive(Default)]
pub struct TakenNames {
    names: HashSet<String>,
    numbering: NameNumbering,
}

impl TakenNames {
    /// Returns the wanted name or, if it is taken, a free one with a number after the stem.
    fn free(&mut self, wanted: &str, stem: &str, extension: &str) -> String {
        let named = |number| match number {
            1 => wanted.to_owned(),
            number => format!("{stem}-{number}.{extension}"),
        };
        let name = self.numbering.free(wanted, 1, named, |name| !self.names.contains(name));
        self.names.insert(name.clone());
        name
    }
}

/// Returns the file name for a document graph, from its path in the catalog or else from its dataset. A part of a
/// dataset keeps its place in the folder.
pub fn file_name(graph: &str, path: Option<&str>, taken: &mut TakenNames) -> String {
    let dataset = document_name(graph).unwrap_or(graph);
    let steps = dataset.matches('/').count().max(1);
    let known = path.and_then(|path| last_steps(path, steps));
    let (name, folder) = match dataset.split_once('/') {
        Some((_, part)) => (part, last_steps(part, steps)),
        None => (dataset, last_steps(dataset, 1)),
    };
    let own = || folder.unwrap_or_else(|| name.replace(['/', '\\'], "-")) + ".jsonld";
    let wanted = known.unwrap_or_else(own);
    let begin = wanted.rfind('/').map_or(0, |at| at + 1);
    let (stem, extension) = match wanted[begin..].split_once('.') {
        Some((stem, extension)) => (&wanted[..begin + stem.len()], extension),
        None => (wanted.as_str(), "jsonld"),
    };
    taken.free(&wanted, stem, extension)
}

/// Returns the last components of a path, or `None` if a component leads out of the folder. A graph can contain any
/// name, so names are not trusted.
fn last_steps(path: &str, count: usize) -> Option<String> {
    let mut steps: Vec<&str> = path.rsplit(['/', '\\']).take(count).collect();
    steps.reverse();
    // Hidden files are refused, too: `.bashrc`, `.git/hooks/…`.
    let is_plain =
        |step: &&str| !step.is_empty() && *step != "-" && !step.starts_with('.') && !step.contains('\0');
    steps.iter().all(is_plain).then(|| steps.join("/"))
}
