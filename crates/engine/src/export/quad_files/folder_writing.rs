//! Writes collected rows as the folder of an export.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use chrono::NaiveDate;
use hashbrown::{HashMap, HashSet};
use serde_json::{Value, json};

use super::collected_facts::CollectedFacts;
use super::croissant_schema::{DescribedFile, DescribedRows, SCHEMA, croissant_schema};
use super::export_making::{ExportMaking, FolderContent, MADE};
use super::hashed_terms::TermHashes;
use super::path_closures::PredicateSteps;
use super::property_tables::{TABLES, TableRows};
use super::quad_file::{CLOSURES, QUADS, QuadFile, closure_files, quad_files};
use super::record_merge::SortedRecords;
use super::record_run::{RecordKey, RecordRun};
use super::record_sorter::{opened, write_records};
use super::row_collector::CollectedRows;
use super::row_texts::{RowObject, RowTexts};
use super::sql_views::{ViewedFiles, sql_views};
use super::term_collisions::{collision, shared_number};
use crate::export::export_folder::{LIST, unwritable};
use crate::export::files_export_form::{ExportedFile, FilesExportResult};
use crate::export::files_export_run::ExportWatch;
use crate::tables::quad_columns::{
    GraphRow, NumberedTerm, QuadFileKind, QuadFileWriter, QuadRow, write_graphs,
};
use crate::tables::record_tables::RecordTable;
use evalgraph_diagnostics::RunFailure;
use evalgraph_rdf::minted::is_beside_documents;
use evalgraph_sql::SqlDialect;

/// After how many rows the progress is shown, and the run may end.
const STEP: u64 = 1 << 10;
/// The rows of tables with the terms that they are made of, for files that are added later.
pub(super) const STORED_TABLE_ROWS: &str = "tables/rows.zst";

/// Writes the files of an export into a folder.
///
/// # Errors
///
/// `export::collision`. Also fails if the folder cannot be written, or the run is cancelled.
pub(super) fn write_folder(
    collected: CollectedRows,
    content: FolderContent<'_>,
    folder: &Path,
    watch: &ExportWatch<'_>,
) -> Result<FilesExportResult, RunFailure> {
    let CollectedRows { mut rows, terms, tables, facts } = collected;
    let failed = |error: io::Error| unwritable(folder, &error);
    if let Some(number) = shared_number(terms).map_err(failed)? {
        return Err(collision(number, &mut rows, &facts).map_err(failed)?);
    }
    let progress = watch.display.begin("exporting", facts.predicates.values().map(|facts| facts.rows).sum());
    fs::create_dir(folder.join(QUADS)).map_err(failed)?;
    let files = quad_files(&facts, content.own_file);
    let closures = closure_files(content.closures);
    let mut quads = QuadFiles::begin(folder, &files, &facts).map_err(failed)?;
    quads.steps = closures
        .iter()
        .filter_map(|file| Some((file.predicate.as_ref()?.number, PredicateSteps::default())))
        .collect();
    let mut written = 0_u64;
    while let Some((key, bytes)) = rows.next().map_err(failed)? {
        quads.row(key, bytes).map_err(failed)?;
        written += 1;
        if written.is_multiple_of(STEP) {
            progress.advance(STEP);
            watch.cancellation.check()?;
        }
    }
    let WrittenQuads { mut exported, graphs: counts, steps, latest } = quads.finish().map_err(failed)?;
    if !closures.is_empty() {
        fs::create_dir(folder.join(CLOSURES)).map_err(failed)?;
    }
    for file in &closures {
        exported.push(write_closure(folder, file, &steps, watch)?);
    }
    let mut empty_tables = Vec::new();
    let mut tables_written = Vec::new();
    if content.has_tables {
        let written = write_tables(tables, content.is_of_files, folder)?;
        let names = written.exported.iter().map(|file| file.name.clone());
        tables_written = names.filter(|name| name != STORED_TABLE_ROWS).collect();
        exported.extend(written.exported);
        empty_tables = written.empty;
    }
    let graphs = graph_rows(&facts, &counts);
    let bytes = into_file(&folder.join("graphs.parquet"), |output| write_graphs(&graphs, output));
    exported.push(listed("graphs.parquet", bytes.map_err(failed)?));
    let kinds = files.iter().map(|file| match file.predicate {
        None => (file, QuadFileKind::All),
        Some(_) => (file, QuadFileKind::Predicate),
    });
    let kinds = kinds.chain(closures.iter().map(|file| (file, QuadFileKind::Closure)));
    let kinds: HashMap<&str, (&QuadFile, QuadFileKind)> =
        kinds.map(|(file, kind)| (file.name.as_str(), (file, kind))).collect();
    let described: Vec<DescribedFile<'_>> = exported
        .iter()
        .filter_map(|file| {
            let known = kinds.get(file.name.as_str());
            let predicate = known.and_then(|(known, _)| known.predicate.as_ref());
            let predicate = predicate.map(|predicate| predicate.text.as_str());
            let rows = match known {
                Some((_, kind)) => DescribedRows::Quads(*kind),
                None if file.name == STORED_TABLE_ROWS => return None,
                None if file.name.starts_with(TABLES) => DescribedRows::Table,
                None => DescribedRows::Graphs,
            };
            Some(DescribedFile { file, rows, predicate })
        })
        .collect();
    let schema = croissant_schema(&described, latest.as_deref(), folder).map_err(failed)?;
    let bytes = into_file(&folder.join(SCHEMA), |output| writeln!(output, "{schema:#}"));
    exported.push(listed(SCHEMA, bytes.map_err(failed)?));
    for dialect in SqlDialect::ALL {
        let (name, views) = (
            format!("views.{dialect}.sql"),
            sql_views(ViewedFiles { quads: &files, closures: &closures, tables: &tables_written }, dialect),
        );
        let bytes = into_file(&folder.join(&name), |output| output.write_all(views.as_bytes()));
        exported.push(listed(&name, bytes.map_err(failed)?));
    }
    let making = ExportMaking::from_content(content, &files, &facts, &counts);
    let made = content.is_of_files.then(|| making.to_json());
    write_list(folder, &exported, made).map_err(failed)?;
    Ok(FilesExportResult { files: exported, graphs: graphs.len(), empty_tables })
}

/// The files of tables after they were written.
struct WrittenTables {
    exported: Vec<ExportedFile>,
    /// The tables without rows, which have no file.
    empty: Vec<&'static str>,
}

/// Writes the tables that have rows, and the rows themselves if they are kept.
fn write_tables(
    mut records: SortedRecords,
    are_kept: bool,
    folder: &Path,
) -> Result<WrittenTables, RunFailure> {
    let failed = |error: io::Error| unwritable(folder, &error);
    fs::create_dir(folder.join(TABLES)).map_err(failed)?;
    let mut written = WrittenTables { exported: Vec::new(), empty: Vec::new() };
    if are_kept {
        let written_rows = || -> io::Result<_> {
            let path = folder.join(STORED_TABLE_ROWS);
            let mut output = File::create_new(&path)?;
            write_records(records, &mut output)?;
            output.sync_all()?;
            let run = RecordRun::from_reader(opened(File::open(&path)?)?);
            Ok((SortedRecords::new(vec![run])?, output.metadata()?.len()))
        };
        let (again, bytes) = written_rows().map_err(failed)?;
        records = again;
        written.exported.push(listed(STORED_TABLE_ROWS, bytes));
    }
    let mut rows = TableRows::new(records).map_err(failed)?;
    for (at, table) in (0..).zip(RecordTable::built_in()?) {
        if !rows.has(at) {
            written.empty.push(table.name);
            continue;
        }
        let name = format!("{TABLES}/{}.parquet", table.name);
        let write = |output: &mut BufWriter<File>| rows.write(at, &table.variables(), output);
        let bytes = into_file(&folder.join(&name), write).map_err(failed)?;
        written.exported.push(listed(&name, bytes));
    }
    Ok(written)
}

/// Writes the file of a closure.
fn write_closure(
    folder: &Path,
    file: &QuadFile,
    steps: &BTreeMap<i64, PredicateSteps>,
    watch: &ExportWatch<'_>,
) -> Result<ExportedFile, RunFailure> {
    let failed = |error: io::Error| unwritable(folder, &error);
    let mut open = OpenQuadFile::begin(folder, file, QuadFileKind::Closure).map_err(failed)?;
    let number = file.predicate.as_ref().map_or(0, |predicate| predicate.number);
    if let Some(steps) = steps.get(&number) {
        steps.each_pair(|[subject, object], texts| {
            watch.cancellation.check()?;
            open.write(&[number, subject, object, 0], texts, "", true).map_err(failed)
        })?;
    }
    // The rows of a closure are not quads of the data.
    open.rows = 0;
    open.finish().map_err(failed)
}

/// The files of quads while they are written.
struct QuadFiles<'f> {
    folder: &'f Path,
    files: &'f [QuadFile],
    facts: &'f CollectedFacts,
    /// The file of all small predicates.
    rest: OpenQuadFile,
    /// The file of the current predicate, if it has its own, and the file's place in the list.
    own: Option<OpenQuadFile>,
    predicate: Option<i64>,
    /// The IRI of the current predicate.
    iri: &'f str,
    /// Predicate, subject and object of the last row.
    triple: Option<[i64; 3]>,
    /// How many rows each graph has, by number.
    graphs: HashMap<i64, u64>,
    /// The graphs that are not part of the union of all graphs, such as the catalog, by number.
    beside: HashSet<i64>,
    exported: Vec<ExportedFile>,
    /// The steps of predicates whose closures are wanted, by number.
    steps: BTreeMap<i64, PredicateSteps>,
    /// The numbers of the predicates of dates.
    dates: [i64; 3],
    /// The latest of these dates, as a day.
    latest: Option<String>,
}

/// The files of quads after they were written.
struct WrittenQuads {
    /// In the order of their list.
    exported: Vec<ExportedFile>,
    graphs: HashMap<i64, u64>,
    steps: BTreeMap<i64, PredicateSteps>,
    latest: Option<String>,
}

/// A file of quads while it is written.
struct OpenQuadFile {
    name: String,
    writer: QuadFileWriter<BufWriter<File>>,
    rows: u64,
}

impl OpenQuadFile {
    fn begin(folder: &Path, file: &QuadFile, kind: QuadFileKind) -> io::Result<Self> {
        let output = BufWriter::new(File::create_new(folder.join(&file.name))?);
        let writer = QuadFileWriter::new(kind, output)?;
        Ok(Self { name: file.name.clone(), writer, rows: 0 })
    }

    /// Writes a row with these numbers, texts and predicate.
    fn write(&mut self, key: &RecordKey, texts: RowTexts<'_>, iri: &str, is_first: bool) -> io::Result<()> {
        let &[predicate, subject, object, graph] = key;
        let (kind, text, datatype, language) = match texts.object {
            RowObject::Iri(iri) => ("iri", Some(iri), None, None),
            RowObject::BlankNode => ("blank", None, None, None),
            RowObject::Literal { lexical, datatype, language } => {
                ("literal", Some(lexical), Some(datatype), language)
            }
        };
        self.writer.write(&QuadRow {
            graph,
            subject: NumberedTerm { number: subject, text: texts.subject },
            predicate: NumberedTerm { number: predicate, text: Some(iri) },
            object: NumberedTerm { number: object, text },
            kind,
            datatype,
            language,
            is_first,
        })?;
        self.rows += 1;
        Ok(())
    }

    fn finish(self) -> io::Result<ExportedFile> {
        let bytes = synced(self.writer.finish()?)?;
        Ok(ExportedFile { name: self.name, graph: None, quads: self.rows, bytes })
    }
}

impl<'f> QuadFiles<'f> {
    fn begin(folder: &'f Path, files: &'f [QuadFile], facts: &'f CollectedFacts) -> io::Result<Self> {
        let rest = files.first().ok_or_else(damaged)?;
        let beside = facts.graphs.iter().filter(|(name, _)| is_beside_documents(name));
        Ok(Self {
            folder,
            files,
            facts,
            rest: OpenQuadFile::begin(folder, rest, QuadFileKind::All)?,
            own: None,
            predicate: None,
            iri: "",
            triple: None,
            graphs: HashMap::new(),
            beside: beside.map(|(_, graph)| graph.number).collect(),
            exported: Vec::new(),
            steps: BTreeMap::new(),
            dates: DATES.map(|name| TermHashes::from_iri(&format!("{SCHEMA_ORG}{name}")).number),
            latest: None,
        })
    }

    fn row(&mut self, key: &RecordKey, bytes: &[u8]) -> io::Result<()> {
        let &[predicate, subject, object, graph] = key;
        let texts = RowTexts::from_bytes(bytes).ok_or_else(damaged)?;
        if self.predicate.replace(predicate) != Some(predicate) {
            self.exported.extend(self.own.take().map(OpenQuadFile::finish).transpose()?);
            let has = |file: &&QuadFile| file.predicate.as_ref().is_some_and(|own| own.number == predicate);
            let begin = |file| OpenQuadFile::begin(self.folder, file, QuadFileKind::Predicate);
            let own = self.files.iter().find(has).map(begin);
            self.own = own.transpose()?;
            self.iri = &self.facts.predicates.get(&predicate).ok_or_else(damaged)?.iri;
        }
        // Rows of one triple are neighbours, since the graph is the last term of their order.
        let triple = Some([predicate, subject, object]);
        let is_first = !self.beside.contains(&graph) && std::mem::replace(&mut self.triple, triple) != triple;
        if is_first && let Some(steps) = self.steps.get_mut(&predicate) {
            steps.add(subject, object, &texts);
        }
        if self.dates.contains(&predicate)
            && let RowObject::Literal { lexical, .. } = texts.object
            && let Some(day) =
                day_of(lexical).filter(|day| self.latest.as_deref().is_none_or(|known| known < *day))
        {
            self.latest = Some(day.to_owned());
        }
        self.own.as_mut().unwrap_or(&mut self.rest).write(key, texts, self.iri, is_first)?;
        *self.graphs.entry(graph).or_insert(0) += 1;
        Ok(())
    }

    /// Finishes the files.
    fn finish(mut self) -> io::Result<WrittenQuads> {
        self.exported.extend(self.own.take().map(OpenQuadFile::finish).transpose()?);
        self.exported.push(self.rest.finish()?);
        let place = |file: &ExportedFile| self.files.iter().position(|listed| listed.name == file.name);
        self.exported.sort_by_key(place);
        Ok(WrittenQuads {
            exported: self.exported,
            graphs: self.graphs,
            steps: self.steps,
            latest: self.latest,
        })
    }
}

/// The properties of schema.org whose values are dates of data.
const DATES: [&str; 3] = ["dateCreated", "dateModified", "datePublished"];
const SCHEMA_ORG: &str = "http://schema.org/";

/// Returns the day at the beginning of a date, if it begins with one.
fn day_of(text: &str) -> Option<&str> {
    let day = text.get(..10)?;
    NaiveDate::parse_from_str(day, "%Y-%m-%d").is_ok().then_some(day)
}

/// Returns the rows of the file of graphs: those with quads, by name.
fn graph_rows<'f>(facts: &'f CollectedFacts, counts: &HashMap<i64, u64>) -> Vec<GraphRow<'f>> {
    let rows = facts.graphs.iter().filter_map(|(name, graph)| {
        let quads = *counts.get(&graph.number)?;
        let file = graph.file.as_deref();
        Some(GraphRow { graph: NumberedTerm { number: graph.number, text: Some(name) }, file, quads })
    });
    rows.collect()
}

fn damaged() -> io::Error {
    io::ErrorKind::InvalidData.into()
}

fn listed(name: &str, bytes: u64) -> ExportedFile {
    ExportedFile { name: name.to_owned(), graph: None, quads: 0, bytes }
}

/// Creates a file, writes it, and returns its size.
pub(super) fn into_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<u64> {
    let mut output = BufWriter::new(File::create_new(path)?);
    write(&mut output)?;
    synced(output)
}

/// Writes what is left to the disk, and returns the size of the file.
fn synced(output: BufWriter<File>) -> io::Result<u64> {
    let file = output.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.sync_all()?;
    Ok(file.metadata()?.len())
}

/// Writes the list of files, by which a later export recognises them, and how they were made.
pub(super) fn write_list(folder: &Path, files: &[ExportedFile], made: Option<Value>) -> io::Result<()> {
    let row = |ExportedFile { name, quads, bytes, .. }: &ExportedFile| json!({"name": name, "quads": quads, "bytes": bytes});
    let mut list = json!({"format": "parquet", "files": files.iter().map(row).collect::<Vec<_>>()});
    if let Some(made) = made {
        list[MADE] = made;
    }
    into_file(&folder.join(LIST), |output| writeln!(output, "{list:#}")).map(drop)
}
