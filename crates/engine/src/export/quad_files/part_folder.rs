//! The folder of a part of an export: sorted rows with their texts, the hashes of terms, and what is known about them.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

use serde_json::{Value, json};
use twox_hash::XxHash3_64;

use super::collected_facts::CollectedFacts;
use super::document_rows::DatasetOwner;
use super::folder_writing::{into_file, write_list};
use super::record_sorter::write_records;
use super::row_collector::CollectedRows;
use crate::export::files_export_form::ExportedFile;
use crate::input::source::InputSource;

/// The folder of parts in the folder of an export.
pub(super) const PARTS: &str = "parts";
/// The files of a part.
pub(super) const ROWS: &str = "rows.zst";
pub(super) const TERMS: &str = "terms.zst";
pub(super) const TABLE_ROWS: &str = "tables.zst";
const ABOUT: &str = "part.json";

/// One of several parts of an export, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExportPartNumber {
    number: usize,
    count: usize,
}

impl ExportPartNumber {
    /// Returns its position, counted from 1.
    pub fn number(self) -> usize {
        self.number
    }

    /// Returns how many parts there are.
    pub fn count(self) -> usize {
        self.count
    }

    /// Returns whether the part has the file at a place in the list of all files.
    pub(super) fn has(self, place: usize) -> bool {
        place % self.count == self.number - 1
    }

    /// Returns the name of its folder.
    pub(super) fn folder(self) -> String {
        format!("{}-of-{}", self.number, self.count)
    }

    /// Returns the part of a folder. `None` if that is not the name of a part.
    pub(super) fn from_folder(name: &str) -> Option<Self> {
        let part: Self = name.replacen("-of-", "/", 1).parse().ok()?;
        (part.folder() == name).then_some(part)
    }
}

impl FromStr for ExportPartNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("expected a part such as 3/8, found `{text}`");
        let (number, count) = text.split_once('/').ok_or_else(expected)?;
        let [number, count] = [number, count].map(|digits| digits.parse::<usize>().ok());
        let (number, count) = number.zip(count).ok_or_else(expected)?;
        if number == 0 || number > count {
            return Err(format!("expected a part from 1/{count} to {count}/{count}, found `{text}`"));
        }
        Ok(Self { number, count })
    }
}

impl fmt::Display for ExportPartNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "part {} of {}", self.number, self.count)
    }
}

/// What is known about a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PartFacts {
    /// The hash of the list of all files, of which the part has some, and of the program's version.
    pub(super) files: String,
    /// `true` if it has rows of tables.
    pub(super) has_tables: bool,
    pub(super) owners: BTreeSet<DatasetOwner>,
    pub(super) collected: CollectedFacts,
    /// The sizes of the files of rows, of terms and of tables.
    sizes: [u64; 3],
}

/// What a part is made from.
pub(super) struct PartAbout {
    pub(super) files: String,
    pub(super) has_tables: bool,
    pub(super) owners: BTreeSet<DatasetOwner>,
}

/// Returns the hash of a list of files, of whether a part has rows of tables, and of the program's version, since another
/// version may write other rows.
pub(super) fn hash_of_files(sources: &[InputSource], has_tables: bool) -> String {
    let mut names = vec![env!("CARGO_PKG_VERSION").to_owned(), has_tables.to_string()];
    names.extend(sources.iter().map(InputSource::name));
    format!("{:016x}", XxHash3_64::oneshot(names.join("\0").as_bytes()))
}

/// Writes a part into a folder.
///
/// # Errors
///
/// Fails if the folder cannot be written.
pub(super) fn write_part(
    collected: CollectedRows,
    about: PartAbout,
    folder: &Path,
) -> io::Result<Vec<ExportedFile>> {
    let CollectedRows { rows, terms, tables, facts } = collected;
    let mut exported = Vec::new();
    for (name, records) in [(ROWS, rows), (TERMS, terms), (TABLE_ROWS, tables)] {
        let mut output = File::create_new(folder.join(name))?;
        let count = write_records(records, &mut output)?;
        output.sync_all()?;
        let quads = if name == ROWS { count } else { 0 };
        let bytes = output.metadata()?.len();
        exported.push(ExportedFile { name: name.to_owned(), graph: None, quads, bytes });
    }
    let sizes = exported.iter().map(|file| file.bytes).collect::<Vec<_>>();
    let PartAbout { files, has_tables, owners } = about;
    let owners = owners.iter().map(|DatasetOwner { dataset, owner }| json!([dataset, owner]));
    let about = json!({
        "files": files,
        "tables": has_tables,
        "owners": owners.collect::<Vec<_>>(),
        "sizes": sizes,
        "facts": facts.to_json(),
    });
    let bytes = into_file(&folder.join(ABOUT), |output| write!(output, "{about}"))?;
    exported.push(ExportedFile { name: ABOUT.to_owned(), graph: None, quads: 0, bytes });
    write_list(folder, &exported, None)?;
    Ok(exported)
}

/// Reads what is known about the part in a folder. `None` if the part is damaged.
pub(super) fn read_part(folder: &Path) -> Option<PartFacts> {
    let text = fs::read(folder.join(ABOUT)).ok()?;
    let about: Value = serde_json::from_slice(&text).ok()?;
    let owner = |row: &Value| {
        Some(DatasetOwner { dataset: row[0].as_str()?.to_owned(), owner: row[1].as_str()?.to_owned() })
    };
    let facts = PartFacts {
        files: about["files"].as_str()?.to_owned(),
        has_tables: about["tables"].as_bool()?,
        owners: about["owners"].as_array()?.iter().map(owner).collect::<Option<_>>()?,
        collected: CollectedFacts::from_json(&about["facts"])?,
        sizes: [about["sizes"][0].as_u64()?, about["sizes"][1].as_u64()?, about["sizes"][2].as_u64()?],
    };
    let size = |name: &str| fs::metadata(folder.join(name)).map_or(0, |file| file.len());
    ([ROWS, TERMS, TABLE_ROWS].map(size) == facts.sizes).then_some(facts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_from_one() {
        let part = |text: &str| text.parse::<ExportPartNumber>();
        for text in ["", "3", "0/2", "3/2", "1/0", "a/b", "1/2/3"] {
            assert!(part(text).is_err(), "{text}");
        }
        let parts = [part("1/2"), part("2/2")].map(|part| part.expect("a part"));
        assert_eq!([0, 1, 2, 3].map(|place| parts[0].has(place)), [true, false, true, false]);
        assert_eq!([0, 1, 2, 3].map(|place| parts[1].has(place)), [false, true, false, true]);
        assert_eq!(ExportPartNumber::from_folder("2-of-2"), Some(parts[1]));
        for name in ["2", "02-of-2", "3-of-2", ".2-of-2"] {
            assert_eq!(ExportPartNumber::from_folder(name), None, "{name}");
        }
    }
}
