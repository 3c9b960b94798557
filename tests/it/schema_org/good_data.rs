//! Good data: what the readers and the writers of the four systems make has no findings but those of `docs/schema-org.md`.

use super::CheckedText;
use super::page::{Departure, departures};
use crate::fixture_files::{files_below, short};
use evalgraph::json::{Limits, parse};
use evalgraph::rdf::RdfFormat;
use evalgraph::schema_org::{CheckLevel, CheckOptions};
use evalgraph::source::checkpoint::{CheckpointDialect, CheckpointSurvey};
use evalgraph::source::system_name::SystemName;
use evalgraph::{Conversion, InputFormat, Loader, OutputForm};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Fixtures that are at fault, or no data: error replies, a frame, figures that were worked out by hand. Metadata of Croissant
/// lose their relative ids here, where they get no base.
const NO_GOOD_DATA: [&str; 7] =
    ["/bad/", "broken/", "croissant/", "/errors/", "frames/", "hostile/", "worked/figures.json"];

/// Forms for training: a conversation of one turn is nobody's.
const NOT_READ_AGAIN: [&str; 3] = ["hf-chat", "sft", "preference"];

struct Checked {
    name: String,
    /// The dialect of a checkpoint.
    dialect: Option<&'static str>,
    text: CheckedText,
}

impl Checked {
    /// Reads a file as the program does, plainly.
    fn new(name: String, path: &Path, system: Option<SystemName>) -> Self {
        let dialect = dialect(path);
        let is_croissant = name.starts_with("croissant/");
        if is_croissant || path.extension().is_some_and(|extension| extension == "jsonld") {
            let text = fs::read_to_string(path).expect("the file can be read");
            // Ids in metadata of Croissant are names.
            let base = is_croissant.then_some("https://example.org/doc");
            return Self { name, dialect, text: CheckedText::with_base(&text, base) };
        }
        let loader =
            system.map_or_else(Loader::new, |system| Loader::new().format(InputFormat::Records(system)));
        let quads = OutputForm::Rdf(RdfFormat::NQuads);
        let made = loader.convert([path.display().to_string()], quads);
        let made = made.unwrap_or_else(|error| panic!("{name}: {error}"));
        Self { name, dialect, text: CheckedText::of_rdf(&made.files[0].text, RdfFormat::NQuads) }
    }

    /// The findings as the page has them.
    fn departures(&self) -> BTreeSet<Departure> {
        let found = self.text.findings(&CheckOptions::default());
        found.iter().map(|finding| Departure::of(finding, &self.text)).collect()
    }
}

/// The dialect of a checkpoint; none for other files.
fn dialect(path: &Path) -> Option<&'static str> {
    let text = fs::read_to_string(path).ok()?;
    let document = parse("checkpoint", text, Limits::default()).ok()?;
    let dialect = CheckpointSurvey::from_document(&document).detect().dialect;
    (dialect.has_questions() || dialect == CheckpointDialect::X).then(|| dialect.id())
}

/// The system of a fixture; others are told by their content.
fn system(name: &str) -> Option<SystemName> {
    SystemName::ALL.into_iter().find(|system| name.starts_with(&format!("{}/", system.name())))
}

fn good_fixtures() -> Vec<PathBuf> {
    let mut files = files_below("");
    files.retain(|path| !NO_GOOD_DATA.iter().any(|part| format!("/{}", short(path)).contains(part)));
    files
}

/// What the program writes of a file in each form.
fn written(path: &Path, folder: &Path) -> Vec<Checked> {
    let forms = OutputForm::all().filter(|form| !matches!(form, OutputForm::Rdf(_) | OutputForm::Same));
    let forms = forms.filter(|form| !NOT_READ_AGAIN.contains(&form.name()));
    let mut made = Vec::new();
    for form in forms {
        let input = [path.display().to_string()];
        // A form has no place for anything of some files.
        let Ok(converted) = evalgraph::convert(input, Conversion::from(form)) else { continue };
        for file in converted.files.iter().filter(|file| !file.path.contains("corpus")) {
            // The folders of a file of RLCF say which records it has.
            let below = folder.join(short(path).replace('/', "_")).join(form.name());
            let to = below.join(short(path)).with_file_name(&file.path);
            fs::create_dir_all(to.parent().expect("it is below the folder")).expect("the folder is ours");
            fs::write(&to, &file.text).expect("the folder is ours");
            let system = SystemName::ALL.into_iter().find(|system| form.name() == system.name());
            let system = system.filter(|system| *system != SystemName::JSON_LD);
            made.push(Checked::new(format!("{} to {}", short(path), form.name()), &to, system));
        }
    }
    made
}

#[test]
fn checkpoints_have_the_findings_of_the_page_and_everything_else_none() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let of_file = |path: &PathBuf| {
        let name = short(path);
        let system = system(&name).filter(|system| *system != SystemName::JSON_LD);
        let fixture = Checked::new(name, path, system);
        std::iter::once(fixture).chain(written(path, folder.path())).collect::<Vec<_>>()
    };
    let checked: Vec<Checked> = good_fixtures().par_iter().flat_map(of_file).collect();
    let page = departures();
    let (mut seen, mut complaints) = (BTreeSet::new(), BTreeSet::new());
    for checked in &checked {
        for departure in checked.departures() {
            let row = checked.dialect.and_then(|dialect| {
                page.iter().find(|row| row.has(&departure) && row.dialects.contains(dialect))
            });
            match (row, checked.dialect) {
                (Some(row), Some(dialect)) => {
                    seen.insert((row.departure.clone(), dialect));
                }
                (None, None) if departure.level() < CheckLevel::Warning => {}
                (_, dialect) => {
                    complaints.insert(format!("{} of {dialect:?}: {departure:?}", checked.name));
                }
            }
        }
    }
    assert!(checked.len() > 500, "{}", checked.len());
    assert_eq!(complaints, BTreeSet::new());
    let told: BTreeSet<_> = page
        .iter()
        .flat_map(|row| row.dialects.iter().map(move |dialect| (row.departure.clone(), dialect.as_str())))
        .collect();
    assert_eq!(seen, told, "the page has what nobody finds");
}
