//! The bulk loaders of other stores: the files that each can read, and the commands that load an export.

use std::path::Path;

use clap::ValueEnum;

use super::CommandStop;
use super::help::quoted;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::export::files_export_form::{ExportedFile, FilesExport};
use evalgraph_engine::input::compression::FileCompression;
use evalgraph_rdf::RdfFormat;

/// A bulk loader. In its commands, words in capitals are placeholders for names of the other store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum BulkLoader {
    /// tdb2.tdbloader of Apache Jena
    Tdb2,
    /// importrdf of GraphDB
    Importrdf,
    /// qlever-index of QLever
    Qlever,
    /// The loader of Virtuoso, through isql
    Virtuoso,
    /// The loader of Amazon Neptune, from S3
    Neptune,
    /// oxigraph load
    Oxigraph,
}

impl BulkLoader {
    /// The name of the program.
    fn name(self) -> &'static str {
        match self {
            Self::Tdb2 => "tdb2.tdbloader",
            Self::Importrdf => "importrdf",
            Self::Qlever => "qlever-index",
            Self::Virtuoso => "Virtuoso's loader",
            Self::Neptune => "Neptune's loader",
            Self::Oxigraph => "oxigraph",
        }
    }

    /// The formats that the loader can read with the graph of each triple.
    fn formats(self) -> &'static [RdfFormat] {
        match self {
            Self::Tdb2 | Self::Virtuoso | Self::Oxigraph => {
                &[RdfFormat::NQuads, RdfFormat::TriG, RdfFormat::NTriples, RdfFormat::Turtle]
            }
            Self::Importrdf => &[RdfFormat::NQuads, RdfFormat::TriG],
            Self::Qlever | Self::Neptune => &[RdfFormat::NQuads],
        }
    }

    /// Rejects an export that the loader cannot read.
    ///
    /// # Errors
    ///
    /// `export::unfit`.
    pub(super) fn check(self, export: &FilesExport) -> Result<(), CommandStop> {
        let unfit = |what: &str, help: String| {
            let message = format!("{} does not load {what}", self.name());
            Err(Diagnostic::error("export::unfit", message).with_help(help).into())
        };
        if !self.formats().contains(&export.format) {
            let names: Vec<&str> = self.formats().iter().map(|format| format.name()).collect();
            let what = format!("{} with the graph of each triple", export.format);
            return unfit(&what, format!("`--to` may be {}", names.join(", ")));
        }
        if export.compression == Some(FileCompression::Zstd) && self != Self::Qlever {
            return unfit("files compressed by zstd", "`--compress gzip`".to_owned());
        }
        Ok(())
    }

    /// The commands that load the files of an export.
    pub(super) fn commands(self, folder: &Path, files: &[ExportedFile], export: &FilesExport) -> Vec<String> {
        // The folder contains no other files, so a pattern works in any shell.
        let pattern = format!("*{}", export.extensions());
        let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let all = format!("{}/{pattern}", quoted(&absolute.display().to_string()));
        let one = |file: &ExportedFile| quoted(&absolute.join(&file.name).display().to_string());
        let each = |command: &dyn Fn(&ExportedFile, &str) -> String| {
            let of = |file: &ExportedFile| command(file, file.graph.as_deref().unwrap_or_default());
            files.iter().map(of).collect()
        };
        let has_graphs = export.format.has_graph_names();
        match self {
            Self::Tdb2 if has_graphs => vec![format!("tdb2.tdbloader --loc DATABASE {all}")],
            Self::Tdb2 => each(&|file, graph| {
                format!("tdb2.tdbloader --loc DATABASE --graph={} {}", quoted(graph), one(file))
            }),
            Self::Oxigraph if has_graphs => vec![format!("oxigraph load --location DATABASE --file {all}")],
            Self::Oxigraph => each(&|file, graph| {
                format!("oxigraph load --location DATABASE --graph {} --file {}", quoted(graph), one(file))
            }),
            Self::Importrdf => vec![format!("importrdf preload --force --id REPOSITORY {all}")],
            Self::Qlever => {
                let program = match export.compression {
                    None => "cat",
                    Some(FileCompression::Gzip) => "gzip -dc",
                    Some(_) => "zstd -dc",
                };
                vec![format!("{program} {all} | qlever-index -i INDEX -F nq -f -")]
            }
            Self::Virtuoso => {
                let files: Vec<String> = match has_graphs {
                    true => vec![ld_dir(&absolute, &pattern, "urn:evalgraph:no-graph")],
                    false => each(&|file, graph| ld_dir(&absolute, &file.name, graph)),
                };
                // isql decodes its arguments like URLs.
                let work = format!("{} rdf_loader_run(); checkpoint;", files.join(" ")).replace('%', "%25");
                vec![format!("isql 1111 dba \"$DBA_PASSWORD\" exec={}", quoted(&work))]
            }
            Self::Neptune => neptune(&quoted(&absolute.display().to_string()), &pattern),
        }
    }
}

/// The call that registers a file, or all files that match a pattern, with the loader of Virtuoso. The graph is for
/// triples without one.
fn ld_dir(folder: &Path, pattern: &str, graph: &str) -> String {
    let [folder, pattern, graph] =
        [&*folder.display().to_string(), pattern, graph].map(|text| text.replace('\'', "''"));
    format!("ld_dir('{folder}', '{pattern}', '{graph}');")
}

/// The commands that copy files to S3 and start the loader there.
fn neptune(folder: &str, pattern: &str) -> Vec<String> {
    let request = r#"{"source": "s3://BUCKET/evalgraph/", "format": "nquads", "iamRoleArn": "ROLE", "region": "REGION"}"#;
    vec![
        format!("aws s3 cp {folder} s3://BUCKET/evalgraph/ --recursive --exclude '*' --include '{pattern}'"),
        format!("curl https://ENDPOINT:8182/loader -H 'Content-Type: application/json' -d '{request}'"),
    ]
}
