//! A file of configuration: which endpoints it defines, which one a project works with, and where its own queries are.

use std::path::{Component, Path, PathBuf};

use super::definition::{DefinedIn, Definition, Owner};
use super::toml_file::{Key, TomlFile};
use crate::diagnostic::Diagnostic;

/// The content of a file.
#[derive(Default)]
pub(super) struct Configuration {
    /// The name of the endpoint that a project works with.
    pub(super) endpoint: Option<String>,
    endpoints: Vec<Definition>,
    /// The folder with named queries.
    pub(super) queries: Option<PathBuf>,
}

impl Configuration {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// The codes of `config`.
    pub(super) fn read(path: &Path, owner: Owner, home: Option<&Path>) -> Result<Self, Box<Diagnostic>> {
        let file = TomlFile::read(path)?;
        let folder = path.parent().unwrap_or(path);
        let defined_in = DefinedIn { file: &file, owner, folder, home };
        let mut configuration = Self::default();
        for (key, value) in &file.table()? {
            match (key.get_ref().as_ref(), owner) {
                ("endpoints", _) => {
                    for (name, value) in file.entries("endpoints", value)? {
                        check_name(&file, name)?;
                        configuration.endpoints.push(defined_in.definition(name, value)?);
                    }
                }
                ("endpoint", Owner::Project) => configuration.endpoint = Some(file.text("endpoint", value)?),
                ("queries", _) => {
                    let named = PathBuf::from(file.text("queries", value)?);
                    // A project's file may come from anybody, who has no say outside of the project.
                    let is_inside = named
                        .components()
                        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
                    if owner == Owner::Project && !is_inside {
                        let message = "`queries` of a project has to be a folder below its file".to_owned();
                        return Err(file.fault("config::value", value.span(), message));
                    }
                    configuration.queries = Some(folder.join(named));
                }
                (_, Owner::User) => return Err(file.unknown_key(key, &["endpoints", "queries"])),
                (_, Owner::Project) => {
                    return Err(file.unknown_key(key, &["endpoint", "endpoints", "queries"]));
                }
            }
        }
        Ok(configuration)
    }

    /// Takes the definition of a name out.
    pub(super) fn take(&mut self, name: &str) -> Option<Definition> {
        let at = self.endpoints.iter().position(|definition| definition.name == name)?;
        Some(self.endpoints.swap_remove(at))
    }

    /// The names of the endpoints.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.endpoints.iter().map(|definition| definition.name.as_str())
    }
}

/// Refuses names that could be taken for something else: a URL has a colon, and `.` is the project's endpoint.
fn check_name(file: &TomlFile, name: &Key<'_>) -> Result<(), Box<Diagnostic>> {
    let text = name.get_ref();
    let is_of_name = |character: char| character.is_alphanumeric() || "-_.".contains(character);
    if text.chars().all(is_of_name) && text.starts_with(char::is_alphanumeric) {
        return Ok(());
    }
    let message = format!("`{text}` is no name for an endpoint: letters, digits, `-`, `_` and `.`");
    Err(file.fault("config::value", name.span(), message))
}
