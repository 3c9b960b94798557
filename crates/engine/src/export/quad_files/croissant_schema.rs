//! The description of an export's files and columns in Croissant 1.1.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::export::files_export_form::ExportedFile;
use crate::tables::quad_columns::{DescribedColumn, QuadFileKind, columns_of_file, graph_columns};

/// The name of the file.
pub(super) const SCHEMA: &str = "_schema.json";
/// The terms that Croissant recommends.
const CONTEXT: &str = include_str!("croissant_context.json");
/// The IRI of SPDX that says that nothing is said about a licence.
const NO_ASSERTION: &str = "http://spdx.org/rdf/terms#noassertion";

/// A file that is described.
pub(super) struct DescribedFile<'f> {
    pub(super) file: &'f ExportedFile,
    pub(super) rows: DescribedRows,
    /// The predicate of its rows, if they share one.
    pub(super) predicate: Option<&'f str>,
}

/// What the rows of a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DescribedRows {
    Graphs,
    Quads(QuadFileKind),
    Table,
}

impl DescribedFile<'_> {
    fn description(&self) -> String {
        let predicate = self.predicate.unwrap_or_default();
        match self.rows {
            DescribedRows::Graphs => "The graphs, each with the file that it was read from".to_owned(),
            DescribedRows::Table => "The answers of a named query for each file".to_owned(),
            DescribedRows::Quads(QuadFileKind::All) => {
                "The quads whose predicates have no file of their own".to_owned()
            }
            DescribedRows::Quads(QuadFileKind::Predicate) => {
                format!("The quads with the predicate <{predicate}>")
            }
            DescribedRows::Quads(QuadFileKind::Closure) => {
                format!("The pairs of terms that one or more steps over <{predicate}> lead to")
            }
        }
    }

    fn columns(&self, folder: &Path) -> io::Result<Vec<DescribedColumn>> {
        Ok(match self.rows {
            DescribedRows::Graphs => graph_columns(),
            DescribedRows::Quads(kind) => kind.described(),
            DescribedRows::Table => columns_of_file(File::open(folder.join(&self.file.name))?)?,
        })
    }

    /// The file as a resource.
    fn resource(&self, digest: &str) -> Value {
        let ExportedFile { name, bytes, .. } = self.file;
        json!({
            "@type": "cr:FileObject",
            "@id": name,
            "name": name,
            "description": self.description(),
            "contentUrl": name,
            "contentSize": format!("{bytes} B"),
            "encodingFormat": "application/vnd.apache.parquet",
            "sha256": digest,
        })
    }

    /// The rows of the file.
    fn record_set(&self, folder: &Path) -> io::Result<Value> {
        let name = &self.file.name;
        let field = |DescribedColumn { name: column, data_type, description }: DescribedColumn| {
            json!({
                "@type": "cr:Field",
                "@id": format!("{name}/{column}"),
                "name": column,
                "description": description,
                "dataType": data_type,
                "source": {"fileObject": {"@id": name}, "extract": {"column": column}},
            })
        };
        let fields: Vec<Value> = self.columns(folder)?.into_iter().map(field).collect();
        let description = self.description();
        Ok(json!({
            "@type": "cr:RecordSet",
            "@id": format!("rows/{name}"),
            "name": format!("rows of {name}"),
            "description": description,
            "field": fields,
        }))
    }
}

/// Returns the description of the files in a folder. `day` is the latest date that the data state.
///
/// # Errors
///
/// Fails if a file cannot be read.
pub(super) fn croissant_schema(
    files: &[DescribedFile<'_>],
    day: Option<&str>,
    folder: &Path,
) -> io::Result<Value> {
    let mut all = Sha256::new();
    let (mut resources, mut record_sets) = (Vec::new(), Vec::new());
    for described in files {
        let digest = digest_of(&folder.join(&described.file.name))?;
        all.update(described.file.name.as_bytes());
        all.update(digest.as_bytes());
        resources.push(described.resource(&digest));
        record_sets.push(described.record_set(folder)?);
    }
    let context: Value = serde_json::from_str(CONTEXT)?;
    // The same data have the same address.
    let address = format!("urn:sha256:{}", hexadecimal(&all.finalize()));
    let maker = json!({"@type": "sc:Organization", "name": "evalgraph"});
    let day = day.unwrap_or("1970-01-01");
    Ok(json!({
        "@context": context,
        "@type": "sc:Dataset",
        "@id": address,
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": "evalgraph-export",
        "description": "Evaluation datasets as quads for SQL. The files that they were read from say who made them, \
                        and under which licence; this description asserts none. Its dates are the latest date in the data.",
        "keywords": ["evaluation", "RDF", "Parquet"],
        "inLanguage": "en",
        "license": NO_ASSERTION,
        "sdLicense": NO_ASSERTION,
        "url": address,
        "sameAs": address,
        "creator": maker,
        "publisher": maker,
        "version": env!("CARGO_PKG_VERSION"),
        "datePublished": day,
        "dateCreated": day,
        "dateModified": day,
        "distribution": resources,
        "recordSet": record_sets,
    }))
}

/// Returns the SHA-256 of a file.
fn digest_of(path: &Path) -> io::Result<String> {
    let (mut file, mut digest) = (File::open(path)?, Sha256::new());
    let mut bytes = vec![0; 1 << 16];
    loop {
        match file.read(&mut bytes)? {
            0 => return Ok(hexadecimal(&digest.finalize())),
            count => digest.update(&bytes[..count]),
        }
    }
}

fn hexadecimal(digest: &[u8]) -> String {
    use std::fmt::Write;
    digest.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
