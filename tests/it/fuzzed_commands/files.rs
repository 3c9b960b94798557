//! The file of a case: a mutant of a fixture in one of the syntaxes that it can be written in, or a small one made up.

use super::{json_mutants, made_up, mutants};
use crate::cli::input::run;
use crate::fixture_files::{FOREIGN, OF_SHAPES};
use rand::Rng;
use rand::rngs::StdRng;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// What a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Data,
    Query,
    Update,
    Context,
    Shapes,
}

/// A file, and one of its kind that is whole.
pub(super) struct Case {
    pub(super) role: Role,
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) base: Vec<u8>,
    /// Where it comes from, for a person who looks at it.
    pub(super) origin: String,
}

impl Case {
    /// What its name ends in.
    pub(super) fn extension(&self) -> &str {
        match self.role {
            Role::Data => self.name.split_once('.').expect("it has one").1,
            _ => "jsonld",
        }
    }

    /// The text of some question of the file that is whole, if there is one.
    fn question(&self) -> &str {
        let text = std::str::from_utf8(&self.base).unwrap_or_default();
        let behind = |key| Some(text.split_once(key)?.1.split_once('"')?.0);
        ["\"question\": \"", "\"text\": \"", "\"user_query\": \"", "\"question\":\""]
            .into_iter()
            .find_map(behind)
            .unwrap_or("Who?")
    }

    /// A word of a command line, or the file that it stands for.
    pub(super) fn filled<'a>(&'a self, word: &'a str) -> &'a str {
        match word {
            "FILE" => &self.name,
            "BASE" => base(self.extension()),
            "QUESTION" => self.question(),
            other => other,
        }
    }
}

/// The name of the file that is whole.
pub(super) fn base(extension: &str) -> &'static str {
    match extension.split('.').next() {
        Some("csv") => "base.csv",
        Some("yaml") => "base.yaml",
        Some("jsonl") => "base.jsonl",
        Some("nt" | "nq") => "base.nq",
        Some("ttl" | "trig" | "n3") => "base.trig",
        Some("rdf") => "base.rdf",
        Some("html") => "base.html",
        _ => "base.json",
    }
}

/// The files of a folder and of those in it, by name.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("it can be read")
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    entries.sort();
    entries.into_iter().flat_map(|path| if path.is_dir() { below(&path) } else { vec![path] }).collect()
}

/// All fixtures that hold data, with those that are at fault themselves.
static FIXTURES: LazyLock<Vec<PathBuf>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut files = below(&root);
    files.retain(|path| path.extension().is_some_and(|end| end != "md" && end != "txt"));
    files.retain(|path| ![OF_SHAPES, FOREIGN].iter().any(|name| path.starts_with(root.join(name))));
    files
});

/// Queries that people ask.
static QUERIES: LazyLock<Vec<PathBuf>> = LazyLock::new(|| {
    let mut files = below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("queries"));
    files.retain(|path| path.extension().is_some_and(|end| end == "rq"));
    files
});

/// The shapes of the program.
static SHAPES: LazyLock<Vec<PathBuf>> =
    LazyLock::new(|| below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("shapes")));

/// A fixture in another syntax, as the program writes it.
fn written(fixture: &Path, format: &str) -> Option<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = fixture.to_str().expect("fixtures have plain names");
    let output = format!("written.{format}");
    let (status, _, _) = run(folder.path(), &["convert", path, "--to", format, "-o", &output]);
    (status == 0).then(|| fs::read(folder.path().join(output)).expect("it was written"))
}

/// A fixture in a syntax that it can be put in: its bytes, and the extension.
fn in_some_syntax(random: &mut StdRng, fixture: &Path) -> (Vec<u8>, String) {
    let own = fs::read(fixture).expect("a fixture");
    let extension = fixture.extension().expect("it has one").to_string_lossy().into_owned();
    const SYNTAXES: [(&str, &str); 8] = [
        ("nt", "nt"),
        ("nq", "nq"),
        ("ttl", "ttl"),
        ("trig", "trig"),
        ("ttl", "n3"),
        ("rdfxml", "rdf"),
        ("jsonld", "jsonld"),
        ("html", "html"),
    ];
    if random.random_bool(0.7) {
        return (own, extension);
    }
    let (format, end) = SYNTAXES[random.random_range(0..SYNTAXES.len())];
    if format == "html" {
        let script = [b"<html><script type=\"application/ld+json\">".as_slice(), &own, b"</script></html>"];
        return (script.concat(), end.to_owned());
    }
    match written(fixture, format) {
        Some(bytes) => (bytes, end.to_owned()),
        None => (own, extension),
    }
}

/// Bytes as they are, or compressed, and then harmed now and then.
fn perhaps_compressed(random: &mut StdRng, bytes: Vec<u8>, extension: &mut String) -> Vec<u8> {
    let mut packed = match random.random_range(0..40) {
        0 => {
            use std::io::Write as _;
            extension.push_str(".gz");
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(&bytes).expect("a vector takes everything");
            encoder.finish().expect("a vector takes everything")
        }
        1 => {
            extension.push_str(".zst");
            zstd::encode_all(bytes.as_slice(), 1).expect("a vector takes everything")
        }
        _ => return bytes,
    };
    if random.random_bool(0.5) {
        let at = random.random_range(0..packed.len());
        packed[at] ^= 1 << random.random_range(0..8);
    }
    packed
}

fn picked<'a, T>(random: &mut StdRng, of: &'a [T]) -> &'a T {
    &of[random.random_range(0..of.len())]
}

/// Draws the file of a case.
pub(super) fn drawn(random: &mut StdRng) -> Case {
    match random.random_range(0..10) {
        0 => of_queries(random),
        1 if random.random_bool(0.5) => {
            let file = picked(random, &SHAPES);
            let bytes = mutants::drawn(random, &fs::read(file).expect("shapes"));
            let base = fs::read(picked(random, &FIXTURES)).expect("a fixture");
            let origin = file.display().to_string();
            Case { role: Role::Shapes, name: "made.ttl".to_owned(), bytes, base, origin }
        }
        1 => {
            let fixture = picked(random, &FIXTURES);
            let base = fs::read(fixture).expect("a fixture");
            let text = made_up::drawn(random, "context");
            let origin = format!("a context made up, beside {}", fixture.display());
            Case { role: Role::Context, name: "made.json".to_owned(), bytes: text.into_bytes(), base, origin }
        }
        2..4 => {
            let end = *picked(random, &made_up::SYNTAXES);
            let text = made_up::drawn(random, end);
            let base = made_up::drawn(random, end).into_bytes();
            let mut end = end.to_owned();
            let bytes = perhaps_compressed(random, text.into_bytes(), &mut end);
            Case { role: Role::Data, name: format!("made.{end}"), bytes, base, origin: "made up".to_owned() }
        }
        _ => {
            let fixture = picked(random, &FIXTURES);
            let (base, mut end) = in_some_syntax(random, fixture);
            let is_to_be_read = random.random_bool(0.6);
            let structured = if is_to_be_read { json_mutants::drawn(random, &base) } else { None };
            let mutant = structured.unwrap_or_else(|| mutants::drawn(random, &base));
            let bytes = perhaps_compressed(random, mutant, &mut end);
            let stem = fixture.file_stem().expect("it has one").to_string_lossy().replace('.', "-");
            Case {
                role: Role::Data,
                name: format!("{stem}.{end}"),
                bytes,
                base,
                origin: fixture.display().to_string(),
            }
        }
    }
}

/// A query or an update, of those that people ask or made up.
fn of_queries(random: &mut StdRng) -> Case {
    let base = fs::read(picked(random, &FIXTURES)).expect("a fixture");
    let (role, bytes, origin) = match random.random_range(0..3) {
        0 => {
            let file = picked(random, &QUERIES);
            let bytes = mutants::drawn(random, &fs::read(file).expect("a query"));
            (Role::Query, bytes, file.display().to_string())
        }
        1 => (Role::Query, made_up::drawn(random, "rq").into_bytes(), "made up".to_owned()),
        _ => (Role::Update, made_up::drawn(random, "ru").into_bytes(), "made up".to_owned()),
    };
    Case { role, name: "made.rq".to_owned(), bytes, base, origin }
}
