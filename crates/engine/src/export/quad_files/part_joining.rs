//! Joins the parts of an export.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::part_folder::{ExportPartNumber, PARTS, PartFacts, ROWS, TABLE_ROWS, TERMS, read_part};
use super::record_sorter::opened;
use super::row_collector::RowCollector;
use crate::export::export_folder::unwritable;
use crate::input::source::unreadable;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, RunFailure};

/// How many parts a message names.
const SHOWN: usize = 20;

/// The parts of an export.
struct FoundParts {
    /// How many parts there are, according to their names.
    count: usize,
    folders: BTreeMap<usize, PathBuf>,
}

/// Adds the rows of all parts of the export in a folder. Returns whether they have tables.
///
/// # Errors
///
/// `export::missing-parts` if a part is missing; `export::other-parts` if parts do not belong together; and
/// `export::same-name` if files of several parts have the same name.
pub(super) fn add_parts(place: &Path, collector: &mut RowCollector<'_>) -> Result<bool, RunFailure> {
    let FoundParts { count, folders } = found(&place.join(PARTS))?;
    let mut first: Option<(usize, String)> = None;
    let mut is_with_tables = false;
    // By name of a dataset, the file that has it, and the part of that file.
    let mut owners: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for (number, folder) in &folders {
        let Some(PartFacts { files, has_tables, owners: of_part, collected, .. }) = read_part(folder) else {
            return Err(other(&format!("part {number} of {count} is damaged")));
        };
        let (of_first, known) = first.get_or_insert_with(|| (*number, files.clone()));
        if *known != files {
            let message = format!(
                "part {number} is of another list of files than part {of_first}, of another version of the program, or only one has tables"
            );
            return Err(other(&message));
        }
        is_with_tables |= has_tables;
        for owner in of_part {
            let (known, part) =
                owners.entry(owner.dataset.clone()).or_insert_with(|| (owner.owner.clone(), *number));
            if *known != owner.owner {
                let what = format!("the dataset name `{}`", owner.dataset);
                return Err(same_name(&what, [(known, *part), (&owner.owner, *number)]));
            }
        }
        if let Some(graph) = collector.facts_mut().add(collected) {
            let message = format!(
                "the graph `{graph}` has blank nodes in part {number} and in an earlier part, which cannot be told apart"
            );
            return Err(Diagnostic::error("export::same-name", message)
                .with_help("export its files in one part")
                .into());
        }
        let open = |name: &str| -> Result<Box<dyn Read + Send>, RunFailure> {
            let path = folder.join(name);
            match File::open(&path).and_then(opened) {
                Ok(records) => Ok(Box::new(records)),
                Err(error) => Err(unreadable(&path.display().to_string(), &error).into()),
            }
        };
        collector.add_part([open(ROWS)?, open(TERMS)?, open(TABLE_ROWS)?]);
    }
    Ok(is_with_tables)
}

/// Finds the parts, all of which have to be there.
fn found(parts: &Path) -> Result<FoundParts, RunFailure> {
    let mut folders: BTreeMap<ExportPartNumber, PathBuf> = BTreeMap::new();
    let entries = match fs::read_dir(parts) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        entries => entries
            .and_then(Iterator::collect::<io::Result<Vec<_>>>)
            .map_err(|error| unwritable(parts, &error))?,
    };
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        match ExportPartNumber::from_folder(&name) {
            Some(part) => drop(folders.insert(part, entry.path())),
            // The parts that are being written, or whose run was killed.
            None if name.starts_with('.') => {}
            None => return Err(other(&format!("`{}` is not a part of an export", entry.path().display()))),
        }
    }
    let Some(count) = folders.keys().next().map(|part| part.count()) else {
        let message = format!("`{}` has no parts", parts.display());
        return Err(missing(message));
    };
    if let Some(part) = folders.keys().find(|part| part.count() != count) {
        return Err(other(&format!("one part is of {count}, another one of {}", part.count())));
    }
    let folders: BTreeMap<usize, PathBuf> =
        folders.into_iter().map(|(part, folder)| (part.number(), folder)).collect();
    let absent: Vec<String> =
        (1..=count).filter(|number| !folders.contains_key(number)).map(|number| number.to_string()).collect();
    if absent.is_empty() {
        return Ok(FoundParts { count, folders });
    }
    let more = if absent.len() > SHOWN { ", …" } else { "" };
    let (noun, verb) = if absent.len() == 1 { ("part", "is") } else { ("parts", "are") };
    let shown = absent.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    Err(missing(format!("{noun} {shown}{more} of {count} {verb} missing; nothing is joined")))
}

fn missing(message: String) -> RunFailure {
    let help = help!["write them with ", setting("part").to("N/M")];
    Diagnostic::error("export::missing-parts", message).with_help(help).into()
}

fn other(message: &str) -> RunFailure {
    let fault = Diagnostic::error("export::other-parts", format!("{message}; nothing is joined"));
    fault.with_help(help!["write it again with ", setting("part"), " and ", setting("replace")]).into()
}

fn same_name(what: &str, files: [(&String, usize); 2]) -> RunFailure {
    let [(one, part), (other, later)] = files;
    let message = format!("two files have {what}: `{one}` in part {part}, and `{other}` in part {later}");
    let help = "one run over all files would rename one of them: change its `@id`, or its name, and write its part again";
    Diagnostic::error("export::same-name", message).with_help(help).into()
}
