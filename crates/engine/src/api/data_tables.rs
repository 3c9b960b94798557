//! Tables of the records in loaded data: questions, answers, results and others.
//!
//! `LoadedData` is defined in `loaded_data.rs`.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use oxrdf::{Literal, NamedNode};

use super::error::Error;
use super::file_loader::Loader;
use super::loaded_data::LoadedData;
use crate::tables::AnswerTable;
use crate::tables::record_tables::{RecordTable, TableRow, line_number, text_of};
use crate::validation::document_places::{WantedInGraph, WantedTerm};
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_sparql::WriteError;

impl LoadedData {
    /// Returns a table of records of all systems, in the order of files and lines. The tables are those that an export as
    /// Parquet has: `answers`, `files`, `models`, `questions`, `ratings`, `results`, `retrievals`, `runs`, `samples`,
    /// `trait_ranges` and `traits`. Their columns are the same for all data, and so are the types of the columns, except
    /// that a column with a value that does not fit is text.
    ///
    /// Loading keeps no lines, so the files are read again with the loader's options; a record whose file is not there has no
    /// line.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// let loader = evalgraph::Loader::new();
    /// let loaded = loader.load(["fixtures/karenina/p1-physics.jsonld"])?;
    /// let questions = loaded.record_table("questions", &loader)?;
    /// assert_eq!(questions.columns()[1].0, "line");
    /// println!("{} questions", questions.rows());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `sparql::unknown-query` for another name, and an error if the store is damaged or the work is cancelled.
    pub fn record_table(&self, name: &str, loader: &Loader) -> Result<AnswerTable, Error> {
        let files = self.files()?;
        // The graph of a row is needed to find its line, so it takes the place of the file until then.
        let graphs = Arc::new(files.keys().map(|graph| (graph.clone(), graph.clone())).collect());
        let ((table, rows), _) = loader.reported_here(|_| {
            let table = table_of(name)?;
            let rows = table.rows(self.dataset(), &graphs, &loader.cancellation)?;
            Ok((table, rows))
        })?;
        let table = &table;
        let lines = match table.line_column() {
            Some(_) => self.lines_of(table, &rows, loader)?,
            None => HashMap::new(),
        };
        let mut placed = Vec::with_capacity(rows.len());
        for mut row in rows {
            let graph =
                table.file_column().and_then(|file| text_of(row.get(file)?.as_ref()?)).map(str::to_owned);
            let record = table.record(&row).map(str::to_owned);
            let line =
                graph.as_ref().zip(record).and_then(|(graph, record)| lines.get(&(graph.clone(), record)));
            let line = line.copied();
            let file = graph.and_then(|graph| files.get(&graph));
            if let Some(place) = table.file_column() {
                row[place] = file.map(|file| Literal::new_simple_literal(file).into());
            }
            if let Some(place) = table.line_column() {
                row.insert(place, line.and_then(line_number));
            }
            placed.push((file, line, row));
        }
        // Rows without a place come last; those of one record keep the order of the query.
        placed.sort_by_key(|(file, line, _)| (file.is_none(), *file, line.is_none(), *line));
        let rows = placed.into_iter().map(|(_, _, row)| row).collect();
        table.typed(rows).map_err(|error| match error {
            WriteError::Evaluation(error) => error.into(),
            WriteError::Io(error) => {
                Box::new(Diagnostic::error("output::unwritable", error.to_string())).into()
            }
        })
    }

    /// Returns the lines of records, by graph and IRI.
    fn lines_of(
        &self,
        table: &RecordTable,
        rows: &[TableRow],
        loader: &Loader,
    ) -> Result<HashMap<(String, String), u64>, Error> {
        let mut records: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for row in rows {
            let graph = table.file_column().and_then(|file| text_of(row.get(file)?.as_ref()?));
            if let (Some(graph), Some(record)) = (graph, table.record(row)) {
                records.entry(graph).or_default().push(record);
            }
        }
        let wanted = records.iter_mut().map(|(graph, records)| {
            records.sort_unstable();
            records.dedup();
            let node = |record: &&str| {
                let node = NamedNode::new_unchecked(*record).into();
                vec![WantedTerm { node, predicate: None, value: None }]
            };
            WantedInGraph { graph, wanted: records.iter().map(node).collect() }
        });
        let wanted: Vec<_> = wanted.collect();
        let places = self.places_of_graphs(loader, &wanted)?;
        let mut lines = HashMap::new();
        for ((graph, records), places) in records.iter().zip(places) {
            for (record, place) in records.iter().zip(places) {
                if let Some(place) = place {
                    lines.insert(((*graph).to_owned(), (*record).to_owned()), place.line);
                }
            }
        }
        Ok(lines)
    }
}

/// Returns the table of that name.
fn table_of(name: &str) -> Result<RecordTable, RunFailure> {
    let tables = RecordTable::built_in()?;
    let names: Vec<&str> = tables.iter().map(|table| table.name).collect();
    let names = names.join(", ");
    tables.into_iter().find(|table| table.name == name).ok_or_else(|| {
        let message = format!("the table `{name}` does not exist; the tables are {names}");
        Diagnostic::error("sparql::unknown-query", message).into()
    })
}
