//! The table of a vocabulary: after the names of the columns, one line for each term and kind, sorted by name.
//!
//! The columns are the kind (`C`lass, `D`atatype, `M`ember, `P`roperty), the name, the superterms, domain, range,
//! successor, inverse and layer. Names in one column are sorted and separated by spaces.
//!
//! `SchemaOrgVocabulary` is defined in `vocabulary_terms.rs`.

use std::fmt::Write as _;

use super::term_kind::VocabularyTermKind;
use super::vocabulary_terms::{SchemaOrgVocabulary, VocabularyTerm, VocabularyTermFacts};
use evalgraph_diagnostics::{Diagnostic, SourceText};

/// The first line.
const COLUMNS: &str = "kind\tname\tup\tdom\trng\tsup\tinv\tlay";

/// How many faults of one table are reported.
const MOST_FAULTS: usize = 100;

impl SchemaOrgVocabulary {
    /// Reads a table. Messages refer to it by `name`.
    ///
    /// # Errors
    ///
    /// The faults of the table, each with its place and the code `schema-org::table`.
    pub fn from_table(name: &str, text: &str) -> Result<Self, Vec<Diagnostic>> {
        parse(name, text)
    }

    /// Returns whether a text begins like a table.
    pub fn is_table(text: &[u8]) -> bool {
        text.starts_with(COLUMNS.as_bytes())
    }

    /// The table of the vocabulary, in the format that [`Self::from_table`] reads.
    pub fn to_table(&self) -> String {
        let mut terms: Vec<VocabularyTerm<'_>> = self.terms().collect();
        terms.sort_by_key(|term| (term.name(), term.kind()));
        let mut table = format!("{COLUMNS}\n");
        for term in terms {
            let lists = [
                in_order(term.up()),
                in_order(term.domain()),
                in_order(term.range()),
                in_order(term.superseded_by()),
                in_order(term.inverse_of()),
            ];
            let (kind, lists) = (term.kind().letter(), lists.join("\t"));
            // Writing to a string does not fail.
            let _ = writeln!(table, "{kind}\t{}\t{lists}\t{}", term.name(), term.layer());
        }
        table
    }
}

fn in_order<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.join(" ")
}

fn parse(name: &str, text: &str) -> Result<SchemaOrgVocabulary, Vec<Diagnostic>> {
    let mut vocabulary = SchemaOrgVocabulary::default();
    let mut faults = Vec::new();
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let content = line.trim_end_matches(['\n', '\r']);
        let added = match number {
            0 if content == COLUMNS => Ok(()),
            0 => Err(format!("the first line has to be `{}`", COLUMNS.replace('\t', " "))),
            _ => add_line(&mut vocabulary, content),
        };
        if let Err(message) = added {
            let place = SourceText::new(name, text.as_bytes()).place(at..at + content.len());
            faults.push(Diagnostic::error("schema-org::table", message).at(place));
        }
        // If a file is not a table at all, the fault in the first line is enough.
        if faults.len() >= MOST_FAULTS || number == 0 && !faults.is_empty() {
            break;
        }
        at += line.len();
    }
    if vocabulary.terms().next().is_none() && faults.is_empty() {
        let place = SourceText::new(name, text.as_bytes()).place(0..0);
        faults.push(Diagnostic::error("schema-org::table", "the table has no term").at(place));
    }
    if faults.is_empty() { Ok(vocabulary) } else { Err(faults) }
}

fn add_line(vocabulary: &mut SchemaOrgVocabulary, line: &str) -> Result<(), String> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [kind, name, up, domain, range, superseded_by, inverse_of, layer] = columns[..] else {
        return Err(format!("the line has {} columns, but a term has eight", columns.len()));
    };
    let kind = VocabularyTermKind::of_letter(kind)
        .ok_or_else(|| format!("`{kind}` is not a kind of term: `C`, `D`, `M` or `P`"))?;
    if name.is_empty() || name.contains(' ') {
        return Err("the second column has to be a name".to_owned());
    }
    let mut names = |list: &str| {
        list.split(' ').filter(|name| !name.is_empty()).map(|name| vocabulary.intern(name)).collect()
    };
    let (up, domain, range) = (names(up), names(domain), names(range));
    let (superseded_by, inverse_of) = (names(superseded_by), names(inverse_of));
    let layer = vocabulary.intern(layer);
    let facts = VocabularyTermFacts { kind, up, domain, range, superseded_by, inverse_of, layer };
    match vocabulary.add(name, facts) {
        true => Ok(()),
        false => Err(format!("the table has `{name}` twice in one kind")),
    }
}
