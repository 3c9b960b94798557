//! Derives the form of an output file from its name, with one table of forms for all commands and one of extensions.
//!
//! A known extension determines the form. If a command does not write that form, the error lists the forms that it
//! writes, and nothing is read or written. A form named by a flag is always used, with a warning if the extension
//! belongs to another form. Without a known extension, the command chooses the form.

use std::path::Path;

use clap::ValueEnum;

use super::CommandStop;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, RunReport};
use evalgraph_engine::convert::output_form::OutputForm;
use evalgraph_rdf::RdfFormat;

/// The known extensions, grouped by the usual name of such files. Every other extension is unknown.
const KNOWN: [(&str, &[&str]); 34] = [
    ("JSON-LD", &["jsonld", "json-ld"]),
    ("JSON", &["json"]),
    ("JSON lines", &["jsonl", "ndjson"]),
    ("N-Quads", &["nq", "nquads"]),
    ("N-Triples", &["nt"]),
    ("Turtle", &["ttl", "turtle"]),
    ("TriG", &["trig"]),
    ("RDF/XML", &["rdf", "owl", "rdfxml"]),
    ("N3", &["n3"]),
    ("an RDF patch", &["rdfp"]),
    ("SARIF", &["sarif"]),
    ("XML", &["xml"]),
    ("results of SPARQL in JSON", &["srj"]),
    ("results of SPARQL in XML", &["srx"]),
    ("CSV", &["csv"]),
    ("TSV", &["tsv"]),
    ("YAML", &["yaml", "yml"]),
    ("Markdown", &["md", "markdown"]),
    ("HTML", &["html", "htm", "xhtml"]),
    ("LaTeX", &["tex"]),
    ("SVG", &["svg"]),
    ("Graphviz", &["dot", "gv"]),
    ("Mermaid", &["mmd", "mermaid"]),
    ("PNG", &["png"]),
    ("GraphML", &["graphml"]),
    ("a picture", &["jpg", "jpeg", "gif", "webp"]),
    ("PDF", &["pdf"]),
    ("Excel", &["xlsx", "xls"]),
    ("OpenDocument", &["ods", "odt"]),
    ("Word", &["docx", "doc"]),
    ("Parquet", &["parquet"]),
    ("Arrow", &["arrow", "feather", "arrows"]),
    ("a database", &["sqlite", "sqlite3", "db", "duckdb", "hdt"]),
    (
        "an archive or a compression other than gzip and zstd",
        &["zip", "tar", "tgz", "7z", "xz", "bz2", "br", "lz4"],
    ),
];

/// The extensions of plain text, which every command may write.
const OF_TEXT: [&str; 4] = ["txt", "text", "log", "out"];

/// The extensions of tables.
const TABLES: [&str; 4] = ["csv", "tsv", "xlsx", "parquet"];

/// A form that a command can write.
#[derive(Debug, Clone, Copy)]
struct CommandForm {
    /// Its name as a value of the command's flag.
    name: &'static str,
    /// The extensions that belong to it.
    extensions: &'static [&'static str],
    /// `true` if an extension is enough to choose it. Otherwise the flag must name it.
    is_by_name: bool,
    /// `true` if it can be written into a folder, with one file for each input.
    is_for_folders: bool,
}

/// A form that an extension chooses.
const fn form(name: &'static str, extensions: &'static [&'static str]) -> CommandForm {
    CommandForm { name, extensions, is_by_name: true, is_for_folders: false }
}

/// A form that a flag must name, since the extension could mean others.
const fn asked(name: &'static str, extensions: &'static [&'static str]) -> CommandForm {
    CommandForm { name, extensions, is_by_name: false, is_for_folders: false }
}

/// A form that a flag must name, and that can be written into a folder.
const fn asked_or_folder(name: &'static str, extensions: &'static [&'static str]) -> CommandForm {
    CommandForm { name, extensions, is_by_name: false, is_for_folders: true }
}

/// The forms that one command writes to a file.
#[derive(Debug)]
pub(super) struct CommandForms {
    command: &'static str,
    /// The flag that names a form.
    flag: Option<&'static str>,
    forms: &'static [CommandForm],
    /// `true` if it also writes the forms of checkpoints and systems.
    writes_systems: bool,
}

const JSON: &[&str] = &["json"];
const JSON_LD: &[&str] = &["jsonld", "json", "json-ld"];
const JSON_LINES: &[&str] = &["jsonl", "ndjson"];
const MARKDOWN: &[&str] = &["md", "markdown"];

/// The extensions of the files that `same` can write back.
const ANY_FILE: &[&str] = &["jsonld", "json", "jsonl", "csv", "tsv", "yaml", "yml", "json-ld", "ndjson"];

const NT: CommandForm = form("nt", &["nt"]);
const NQ: CommandForm = form("nq", &["nq", "nquads"]);
const TTL: CommandForm = form("ttl", &["ttl", "turtle"]);
const TRIG: CommandForm = form("trig", &["trig"]);
const RDF_XML: CommandForm = form("rdfxml", &["rdf", "owl", "rdfxml", "xml"]);
const RDF_JSON_LD: CommandForm = form("jsonld", JSON_LD);

const SVG: CommandForm = form("svg", &["svg"]);
const PNG: CommandForm = form("png", &["png"]);
const DOT: CommandForm = form("dot", &["dot", "gv"]);
const GRAPH_ML: CommandForm = form("graphml", &["graphml"]);
const PICTURES: &[CommandForm] = &[SVG, PNG];

const RDF: &[CommandForm] = &[NT, NQ, TTL, TRIG, RDF_XML, RDF_JSON_LD];

/// One document in JSON.
const DOCUMENT: &[CommandForm] = &[RDF_JSON_LD];

const FACTS: &[CommandForm] = &[form("table", &[]), form("json", JSON)];

pub(super) const AGREEMENT: CommandForms = forms_of(
    "agreement",
    Some("--format"),
    &[form("text", &[]), form("json", JSON), form("markdown", MARKDOWN)],
);
pub(super) const CANON: CommandForms = forms_of("canon", None, &[NQ]);
pub(super) const CANON_HASH: CommandForms = forms_of("canon --hash", None, &[]);
pub(super) const CANON_MAP: CommandForms = forms_of("canon --map-out", None, &[form("json", JSON)]);
pub(super) const CHECK: CommandForms =
    forms_of("check", Some("--format"), REPORTS.split_at(REPORTS.len() - 6).0);
pub(super) const CHECK_DIFF: CommandForms = forms_of("check --dry-run", None, &[]);
pub(super) const CHECK_CONTEXT: CommandForms = forms_of("check --fix-context", None, DOCUMENT);
pub(super) const COMPACT: CommandForms = forms_of("compact", None, DOCUMENT);
pub(super) const COMPARE: CommandForms = forms_of(
    "compare",
    Some("--format"),
    &[
        form("text", &[]),
        form("markdown", MARKDOWN),
        form("html", &["html", "htm"]),
        form("jsonl", JSON_LINES),
        form("junit", &["xml"]),
        form("sarif", &["sarif"]),
        asked("github", &[]),
    ],
);
pub(super) const CORPUS_NAME: CommandForms = forms_of("corpus-name", Some("--format"), FACTS);
pub(super) const DIFF: CommandForms = forms_of(
    "diff",
    Some("--format"),
    &[form("text", &[]), form("json", JSON), form("markdown", MARKDOWN), form("rdf-patch", &["rdfp"])],
);
pub(super) const DUMP: CommandForms = forms_of("dump", Some("--to"), RDF);
pub(super) const EXPAND: CommandForms = forms_of("expand", None, DOCUMENT);
pub(super) const EXPLAIN: CommandForms = forms_of(
    "explain",
    Some("--format"),
    &[form("text", &[]), form("markdown", MARKDOWN), form("json", JSON)],
);
pub(super) const FIGURES: CommandForms = forms_of(
    "figures",
    Some("--format"),
    &[form("text", &[]), form("json", JSON), form("markdown", MARKDOWN), form("csv", &["csv"]), SVG, PNG],
);
pub(super) const FLATTEN: CommandForms = forms_of("flatten", None, DOCUMENT);
pub(super) const FMT: CommandForms = forms_of("fmt", None, DOCUMENT);
pub(super) const FRAME: CommandForms = forms_of("frame", None, DOCUMENT);
pub(super) const FROM_RDF: CommandForms = forms_of("from-rdf", None, DOCUMENT);
pub(super) const GRAPHS: CommandForms = forms_of("graphs", Some("--format"), FACTS);
pub(super) const MERGE: CommandForms = forms_of("merge", None, DOCUMENT);
pub(super) const NEW: CommandForms = forms_of("new", None, DOCUMENT);
pub(super) const QUERIES: CommandForms = forms_of("queries", Some("--format"), FACTS);
pub(super) const SCHEMA_EXAMPLES: CommandForms = forms_of("schema --examples", Some("--to"), RDF);
pub(super) const SCHEMA: CommandForms = forms_of(
    "schema",
    Some("--format"),
    &[
        form("text", &[]),
        form("markdown", MARKDOWN),
        form("json", JSON),
        form("mermaid", &["mmd", "mermaid"]),
        form("dot", &["dot", "gv"]),
    ],
);
pub(super) const QUERY_TABLE: CommandForms = forms_of(
    "query",
    Some("--format"),
    &[
        asked("table", &[]),
        form("csv", &["csv"]),
        form("tsv", &["tsv"]),
        form("json", JSON),
        form("jsonl", JSON_LINES),
        form("sparql-json", &["srj", "json"]),
        form("sparql-xml", &["srx", "xml"]),
        form("md", MARKDOWN),
        form("html", &["html", "htm"]),
        form("parquet", &["parquet"]),
        form("arrow", &["arrow", "feather"]),
        form("xlsx", &["xlsx"]),
        SVG,
        PNG,
    ],
);
/// The forms of the answer to ASK.
pub(super) const QUERY_BOOLEAN: CommandForms =
    CommandForms { forms: QUERY_TABLE.forms.split_at(QUERY_TABLE.forms.len() - 2).0, ..QUERY_TABLE };
pub(super) const QUERY_CHART: CommandForms = forms_of("query --chart", Some("--format"), PICTURES);
pub(super) const QUERY_GRAPH: CommandForms = forms_of(
    "query",
    Some("--format"),
    &[NT, NQ, TTL, TRIG, RDF_XML, RDF_JSON_LD, SVG, PNG, DOT, GRAPH_ML, asked("cytoscape", JSON)],
);
pub(super) const QUERY_NETWORK: CommandForms =
    forms_of("query --network", Some("--format"), &[SVG, PNG, DOT, GRAPH_ML, form("cytoscape", JSON)]);
pub(super) const QUERY_PLAN: CommandForms = forms_of("query --explain", None, &[]);
pub(super) const SCHEMA_ORG_TABLE: CommandForms =
    forms_of("schema-org table", None, &[form("tsv", &["tsv"])]);
pub(super) const SHAPES_LIST: CommandForms = forms_of("shapes list", Some("--format"), FACTS);
pub(super) const SHAPES_SHOW: CommandForms = forms_of("shapes show", None, &[TTL]);
pub(super) const SHAPES_SPARQL: CommandForms =
    forms_of("shapes sparql", Some("--format"), &[form("text", &[]), form("json", JSON)]);
pub(super) const STATS: CommandForms =
    forms_of("stats", Some("--format"), &[form("table", &[]), form("json", JSON), SVG, PNG]);
pub(super) const STATS_CHART: CommandForms = forms_of("stats --chart", None, PICTURES);
pub(super) const STATS_REPORT: CommandForms = forms_of("stats --report", None, &[form("markdown", MARKDOWN)]);
pub(super) const TEMPLATES_IN: CommandForms = forms_of("templates in", None, DOCUMENT);
pub(super) const TO_RDF: CommandForms = forms_of("to-rdf", Some("--to"), RDF);
pub(super) const VALIDATE: CommandForms =
    forms_of("validate", Some("--format"), REPORTS.split_at(REPORTS.len() - 6).0);
pub(super) const VALIDATE_SHAPES: CommandForms = forms_of("validate --shapes", Some("--format"), REPORTS);

/// The reports of a validation or a check. Those in RDF, the last six, are only for shapes.
const REPORTS: &[CommandForm] = &[
    form("text", &[]),
    asked("table", &[]),
    form("json", JSON),
    form("jsonl", JSON_LINES),
    form("csv", &["csv"]),
    form("sarif", &["sarif", "json"]),
    form("junit", &["xml"]),
    asked("github", &[]),
    asked("gitlab", JSON),
    form("markdown", MARKDOWN),
    form("html", &["html", "htm"]),
    NT,
    NQ,
    TTL,
    TRIG,
    form("rdfxml", &["rdf", "owl", "rdfxml"]),
    RDF_JSON_LD,
];

/// The forms that `convert` writes, without those of checkpoints and systems. `.json` and `.jsonld` mean JSON-LD unless a
/// flag names another form.
const TARGETS: &[CommandForm] = &[NT, NQ, TTL, TRIG, RDF_XML, RDF_JSON_LD, asked_or_folder("same", ANY_FILE)];

pub(super) const CONVERT: CommandForms =
    CommandForms { writes_systems: true, ..forms_of("convert", Some("--to"), TARGETS) };
pub(super) const UPDATE: CommandForms = forms_of(
    "update",
    Some("--to"),
    &[NT, NQ, TTL, TRIG, RDF_XML, RDF_JSON_LD, asked_or_folder("same", ANY_FILE)],
);

const fn forms_of(
    command: &'static str,
    flag: Option<&'static str>,
    forms: &'static [CommandForm],
) -> CommandForms {
    CommandForms { command, flag, forms, writes_systems: false }
}

/// Returns the forms of checkpoints and systems, each with the extensions of its files.
fn forms_of_systems() -> impl Iterator<Item = CommandForm> {
    OutputForm::all().filter_map(|form| {
        let extensions = match form.extension()? {
            "jsonld" => JSON_LD,
            "jsonl" => JSON_LINES,
            _ => JSON,
        };
        Some(match form.is_from_records() {
            true => asked(form.name(), extensions),
            false => asked_or_folder(form.name(), extensions),
        })
    })
}

impl CommandForms {
    fn forms(&self) -> impl Iterator<Item = CommandForm> + use<> {
        let (forms, more) = (self.forms, self.writes_systems.then(forms_of_systems));
        forms.iter().copied().chain(more.into_iter().flatten())
    }

    /// Returns the name of the form of an output: the one named by a flag, or else the one of the extension, if any.
    ///
    /// # Errors
    ///
    /// `output::format` if the extension belongs to a form that the command does not write, and `output::folder` if a
    /// single file would be written into a folder.
    pub(super) fn chosen(
        &self,
        path: Option<&Path>,
        named: Option<&'static str>,
        report: &mut RunReport,
    ) -> Result<Option<&'static str>, CommandStop> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else { return Ok(named) };
        let known = named.and_then(|name| self.forms().find(|form| form.name == name));
        if is_folder(path) {
            return match known {
                Some(form) if form.is_for_folders => Ok(named),
                _ => Err(self.folder(path).into()),
            };
        }
        let Some(extension) = known_extension(path) else {
            return self.check_spelling(path, named).map(|()| named);
        };
        let goes_with = |form: &CommandForm| form.extensions.contains(&extension.as_str());
        let Some(name) = named else {
            let mut by_name = self.forms().filter(|form| form.is_by_name);
            return match by_name.find(goes_with) {
                Some(form) => Ok(Some(form.name)),
                None => Err(self.unwritten(path, &extension).into()),
            };
        };
        if known.is_some_and(|form| !goes_with(&form)) {
            report.add(&self.contradiction(path, name, &extension));
        }
        Ok(named)
    }

    /// Like [`CommandForms::chosen`], but for a flag with enumerated values.
    ///
    /// # Errors
    ///
    /// The errors of [`CommandForms::chosen`].
    pub(super) fn value<F: ValueEnum + Copy>(
        &self,
        path: Option<&Path>,
        named: Option<F>,
        report: &mut RunReport,
    ) -> Result<Option<F>, CommandStop> {
        let named = named.and_then(|value| Some(value.to_possible_value()?.get_name().to_owned()));
        let named = named.and_then(|name| Some(self.forms().find(|form| form.name == name)?.name));
        let chosen = self.chosen(path, named, report)?;
        Ok(chosen.and_then(|name| F::from_str(name, false).ok()))
    }

    /// Like [`CommandForms::chosen`], but for a flag that takes RDF formats.
    ///
    /// # Errors
    ///
    /// The errors of [`CommandForms::chosen`].
    pub(super) fn rdf(
        &self,
        path: Option<&Path>,
        named: Option<RdfFormat>,
        report: &mut RunReport,
    ) -> Result<Option<RdfFormat>, CommandStop> {
        let chosen = self.chosen(path, named.map(RdfFormat::name), report)?;
        Ok(chosen.and_then(RdfFormat::from_name))
    }

    /// Checks the name of the output of a command that writes only one form.
    ///
    /// # Errors
    ///
    /// The errors of [`CommandForms::chosen`].
    pub(super) fn check(&self, path: Option<&Path>, report: &mut RunReport) -> Result<(), CommandStop> {
        self.chosen(path, None, report).map(drop)
    }

    /// Returns whether the extension of a path belongs to one of the forms.
    pub(super) fn has(&self, path: &Path) -> bool {
        let extension = known_extension(path).filter(|_| !is_folder(path));
        extension.is_some_and(|extension| self.forms().any(|form| form.extensions.contains(&&*extension)))
    }

    /// Returns whether the extension of a path belongs to a form that a flag must name.
    pub(super) fn may_be_asked(&self, path: &Path) -> bool {
        let extension = known_extension(path).filter(|_| !is_folder(path));
        extension.is_some_and(|extension| self.forms_with(&extension).next().is_some())
    }

    /// Checks that an unknown extension is not a misspelt one. A form that a flag names is written in any case.
    fn check_spelling(&self, path: &Path, named: Option<&str>) -> Result<(), CommandStop> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        let Some(extension) = extension.filter(|end| named.is_none() && !OF_TEXT.contains(end)) else {
            return Ok(());
        };
        let by_name = self.forms().filter(|form| form.is_by_name);
        let Some(meant) = nearest(extension, by_name.flat_map(|form| form.extensions.iter().copied())) else {
            return Ok(());
        };
        let message = format!("no form of `{}` has the extension `.{extension}`", self.command);
        let right = path.with_extension(meant);
        let help = format!("did you mean `-o {}`?", right.display());
        Err(Diagnostic::error("output::format", message).with_help(help).into())
    }

    /// Returns the error for an extension of a form that the command does not write. Its help lists the possible forms.
    fn unwritten(&self, path: &Path, extension: &str) -> Diagnostic {
        let command = self.command;
        let says = format!("the name `{}` says {}", path.display(), title(extension));
        let asked: Vec<String> = self.forms_with(extension).map(|name| self.named(name)).collect();
        let fault = match asked.as_slice() {
            _ if self.command == CONVERT.command && TABLES.contains(&extension) => {
                let message = format!("{says}, and `{command}` writes no tables");
                let query = format!("`evalgraph query INPUT -n question-cards -o {}`", path.display());
                let fault = Diagnostic::error("output::format", message);
                fault.with_help(format!("the questions as a table: {query}"))
            }
            [] => Diagnostic::error("output::format", format!("{says}, and `{command}` does not write that")),
            asked => {
                let message = format!("{says}, and `{command}` writes that only on request");
                Diagnostic::error("output::format", message).with_help(format!("add {}", asked.join(", or ")))
            }
        };
        let by_name = self.forms().filter(|form| form.is_by_name);
        let mut written: Vec<String> = Vec::new();
        for extension in by_name.flat_map(|form| form.extensions).map(|extension| format!(".{extension}")) {
            if !written.contains(&extension) {
                written.push(extension);
            }
        }
        let help = match written.as_slice() {
            [] => format!("`{command}` writes text for people: give the file another name"),
            written => format!("by its name it writes {}", written.join(", ")),
        };
        fault.with_help(help)
    }

    /// The forms with an extension that a flag must name.
    fn forms_with<'e>(&self, extension: &'e str) -> impl Iterator<Item = &'static str> + use<'e> {
        let asked = self.forms().filter(|form| !form.is_by_name);
        asked.filter(move |form| form.extensions.contains(&extension)).map(|form| form.name)
    }

    fn named(&self, form: &str) -> String {
        format!("`{} {form}`", self.flag.unwrap_or("--format"))
    }

    /// Returns the warning for a file whose extension belongs to another form.
    pub(super) fn contradiction(&self, path: &Path, form: &str, extension: &str) -> Diagnostic {
        let message = format!(
            "`{}` is written as {}, and its name says {}",
            path.display(),
            self.named(form),
            title(extension)
        );
        Diagnostic::warning("output::name", message)
    }

    fn folder(&self, path: &Path) -> Diagnostic {
        let (command, folder) = (self.command, path.display());
        let with_folders: Vec<String> =
            self.forms().filter(|form| form.is_for_folders).map(|form| self.named(form.name)).collect();
        let message = format!("`{folder}` is a folder, and `{command}` writes one file");
        let fault = Diagnostic::error("output::folder", message);
        let name = path.join("NAME");
        match with_folders.as_slice() {
            [] => fault.with_help(format!("name a file in it: `-o {}`", name.display())),
            forms => fault.with_help(format!(
                "name a file in it, or a form that goes into a folder: {}",
                forms.join(", ")
            )),
        }
    }
}

/// Rejects the name of a file if a folder is to be created.
///
/// # Errors
///
/// `output::folder`.
pub(super) fn check_folder(command: &str, path: &Path) -> Result<(), CommandStop> {
    let extension = known_extension(path).filter(|_| !is_folder(path));
    if !path.is_file() && extension.is_none() {
        return Ok(());
    }
    let message = format!("`{}` is the name of a file, and `{command}` writes a folder", path.display());
    Err(Diagnostic::error("output::folder", message).with_help("name a folder: `-o DIR/`").into())
}

/// Returns whether a path names a folder: an existing one, or a new one, which ends in `/`.
pub(super) fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/')
}

/// Returns the extension of a file in lower case, without `.gz` or `.zst`. `None` if it is unknown.
pub(super) fn known_extension(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy().to_lowercase();
    let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    let (stem, extension) = plain.rsplit_once('.')?;
    let is_known = KNOWN.iter().any(|(_, extensions)| extensions.contains(&extension));
    (is_known && !stem.is_empty()).then(|| extension.to_owned())
}

/// Returns the warning for a file that is written back in its own form with the extension of another form. `own` has
/// the extensions of its own form.
pub(super) fn other_form(path: &Path, own: &[&str]) -> Option<Diagnostic> {
    let extension = known_extension(path).filter(|extension| !own.contains(&extension.as_str()))?;
    let own = title(own.first()?);
    let message =
        format!("`{}` is {own}, as the file was, and its name says {}", path.display(), title(&extension));
    Some(Diagnostic::warning("output::name", message))
}

/// Returns the usual name of files with a known extension.
fn title(extension: &str) -> &'static str {
    let known = KNOWN.iter().find(|(_, extensions)| extensions.contains(&extension));
    known.map_or("another form", |(title, _)| title)
}

/// The forms of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ListForm {
    /// A table for a person
    Table,
    /// JSON
    Json,
}
