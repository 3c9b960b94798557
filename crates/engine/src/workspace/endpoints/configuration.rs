//! A configuration file: the endpoints that it defines, the endpoint that a project works with, and its owner's
//! preferences.

use std::path::{Component, Path, PathBuf};

use super::definition::{ConfigurationOwner, DefinedIn, EndpointDefinition};
use super::surroundings::ProcessEnvironment;
use super::toml_file::{TomlFile, TomlKey, TomlValue};
use crate::named_queries::QueryFolder;
use crate::workspace::data_expectation::{DataExpectation, ExpectedFolder};
use crate::workspace::expected_threshold::ExpectedThreshold;
use crate::workspace::preferences::UserPreferences;
use crate::workspace::rule_switch::{RuleSwitch, SwitchedLevel};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::iri::is_iri;
use evalgraph_sparql::{TableForm, is_built_in};

/// The content of a file.
#[derive(Default)]
pub(super) struct ConfigurationFile {
    /// The name of the endpoint that a project works with.
    pub(super) endpoint: Option<String>,
    endpoints: Vec<EndpointDefinition>,
    pub(super) preferences: UserPreferences,
}

/// The keys of a user's file, followed by those that only a project's file has.
const KEYS: [&str; 7] = ["endpoints", "queries", "prefixes", "output", "rules", "endpoint", "expect"];
/// How many keys only a project's file has.
const KEYS_OF_PROJECT: usize = 2;
/// The table layouts, by their names in the file.
const TABLES: [(&str, TableForm); 3] =
    [("fitting", TableForm::Fitting), ("wide", TableForm::Wide), ("blocks", TableForm::Blocks)];

impl ConfigurationFile {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// The `config` codes.
    pub(super) fn read(
        path: &Path,
        owner: ConfigurationOwner,
        surroundings: ProcessEnvironment<'_>,
    ) -> Result<Self, Box<Diagnostic>> {
        let file = TomlFile::read(path, surroundings.folder)?;
        let home = surroundings.home();
        let folder = path.parent().unwrap_or(path);
        let defined_in = DefinedIn { file: &file, owner, folder, home: home.as_deref() };
        let mut configuration = Self::default();
        for (key, value) in &file.table()? {
            match (key.get_ref().as_ref(), owner) {
                ("endpoints", _) => {
                    for (name, value) in file.entries("endpoints", value)? {
                        check_name(&file, name)?;
                        configuration.endpoints.push(defined_in.definition(name, value)?);
                    }
                }
                ("endpoint", ConfigurationOwner::Project) => {
                    configuration.endpoint = Some(file.text("endpoint", value)?);
                }
                ("queries", _) => {
                    let named = PathBuf::from(file.text("queries", value)?);
                    // A project's file cannot be trusted, so it may name only folders inside the project.
                    let is_inside = named
                        .components()
                        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
                    if owner == ConfigurationOwner::Project && !is_inside {
                        let message = "`queries` of a project has to be a folder below its file".to_owned();
                        return Err(file.fault("config::value", value.span(), message));
                    }
                    let project = (owner == ConfigurationOwner::Project).then(|| folder.to_owned());
                    configuration.preferences.queries =
                        vec![QueryFolder { path: folder.join(named), project }];
                }
                ("prefixes", _) => {
                    for (name, value) in file.entries("prefixes", value)? {
                        configuration.preferences.prefixes.push(prefix(&file, name, value)?);
                    }
                }
                ("output", _) => {
                    for (name, value) in file.entries("output", value)? {
                        configuration.set_output(&file, name, value)?;
                    }
                }
                ("rules", _) => {
                    for (name, value) in file.entries("rules", value)? {
                        configuration.add_rules(&file, folder, name, value)?;
                    }
                }
                ("expect", ConfigurationOwner::Project) => {
                    for (name, value) in file.entries("expect", value)? {
                        configuration.add_expectations(&file, folder, name, value)?;
                    }
                }
                (_, ConfigurationOwner::User) => {
                    return Err(file.unknown_key(key, &KEYS[..KEYS.len() - KEYS_OF_PROJECT]));
                }
                (_, ConfigurationOwner::Project) => return Err(file.unknown_key(key, &KEYS)),
            }
        }
        configuration.preferences.expectations.sort_by_key(|expected| expected.place.bytes.start);
        Ok(configuration)
    }

    /// Takes over a setting that controls how results look.
    fn set_output(
        &mut self,
        file: &TomlFile,
        key: &TomlKey<'_>,
        value: &TomlValue<'_>,
    ) -> Result<(), Box<Diagnostic>> {
        match &**key.get_ref() {
            "table" => {
                let text = file.text("table", value)?;
                let form = TABLES.iter().find(|(name, _)| *name == text);
                let (_, form) = form.ok_or_else(|| {
                    let names = TABLES.map(|(name, _)| format!("`{name}`")).join(", ");
                    file.wrong("table", &format!("one of {names}"), value)
                })?;
                self.preferences.table = Some(*form);
            }
            "rows" => self.preferences.rows = Some(file.count("rows", value)?),
            _ => return Err(file.unknown_key(key, &["table", "rows"])),
        }
        Ok(())
    }

    /// Takes over the switch of a rule, or those of a folder.
    fn add_rules(
        &mut self,
        file: &TomlFile,
        folder: &Path,
        key: &TomlKey<'_>,
        value: &TomlValue<'_>,
    ) -> Result<(), Box<Diagnostic>> {
        let name = &**key.get_ref();
        if value.get_ref().as_table().is_none() {
            let switch = RuleSwitch { rule: name.to_owned(), level: level(file, name, value)?, folder: None };
            // What is said of a folder takes precedence over what is said of all.
            let place = self.preferences.rules.iter().position(|known| known.folder.is_some());
            self.preferences.rules.insert(place.unwrap_or(self.preferences.rules.len()), switch);
            return Ok(());
        }
        for (rule, value) in file.entries(name, value)? {
            let rule = rule.get_ref();
            let (rule, level) = (rule.to_string(), level(file, rule, value)?);
            self.preferences.rules.push(RuleSwitch { rule, level, folder: Some(folder.join(name)) });
        }
        Ok(())
    }

    /// Takes over an expectation, or those of a folder.
    fn add_expectations(
        &mut self,
        file: &TomlFile,
        folder: &Path,
        key: &TomlKey<'_>,
        value: &TomlValue<'_>,
    ) -> Result<(), Box<Diagnostic>> {
        if value.get_ref().as_table().is_none() {
            self.preferences.expectations.push(expectation(file, key, value, None)?);
            return Ok(());
        }
        let name = key.get_ref().to_string();
        let within = ExpectedFolder { path: folder.join(&name), name };
        for (key, value) in file.entries(&within.name, value)? {
            self.preferences.expectations.push(expectation(file, key, value, Some(within.clone()))?);
        }
        Ok(())
    }

    /// Removes the definition with this name, and returns it.
    pub(super) fn take(&mut self, name: &str) -> Option<EndpointDefinition> {
        let at = self.endpoints.iter().position(|definition| definition.name == name)?;
        Some(self.endpoints.swap_remove(at))
    }

    /// Returns the names of the endpoints.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.endpoints.iter().map(|definition| definition.name.as_str())
    }
}

/// Returns the level of a rule.
fn level(file: &TomlFile, rule: &str, value: &TomlValue<'_>) -> Result<SwitchedLevel, Box<Diagnostic>> {
    let text = file.text(rule, value)?;
    let found = SwitchedLevel::ALL.iter().find(|(name, _)| *name == text);
    let (_, level) = found.ok_or_else(|| {
        let names = SwitchedLevel::ALL.map(|(name, _)| format!("`{name}`")).join(", ");
        file.wrong(rule, &format!("one of {names}"), value)
    })?;
    Ok(*level)
}

/// Returns what is expected of the data: of all files, or of those in a folder.
fn expectation(
    file: &TomlFile,
    key: &TomlKey<'_>,
    value: &TomlValue<'_>,
    folder: Option<ExpectedFolder>,
) -> Result<DataExpectation, Box<Diagnostic>> {
    let name = key.get_ref().to_string();
    let threshold = value.get_ref().as_str().and_then(ExpectedThreshold::parse);
    let threshold = threshold.ok_or_else(|| {
        let fault = *file.wrong(&name, "a threshold such as `\">= 80 %\"` or `\"= 0\"`", value);
        Box::new(fault.with_help("the comparisons are `>=`, `<=`, `>`, `<` and `=`; a share is 0 to 100 %"))
    })?;
    let (name_place, place) = (file.place(key.span()), file.place(value.span()));
    Ok(DataExpectation { name, threshold, folder, name_place, place })
}

/// Returns a prefix and its namespace.
fn prefix(
    file: &TomlFile,
    name: &TomlKey<'_>,
    value: &TomlValue<'_>,
) -> Result<(String, String), Box<Diagnostic>> {
    let fault = |span, message: String| Err(file.fault("config::value", span, message));
    let text = name.get_ref();
    let is_of_name = |character: char| character.is_alphanumeric() || "-_.".contains(character);
    // PN_PREFIX of SPARQL, section 19.8, without its rarest letters.
    let is_name =
        text.chars().all(is_of_name) && text.starts_with(char::is_alphabetic) && !text.ends_with('.');
    if !is_name && !text.is_empty() {
        return fault(name.span(), format!("`{text}` is not a prefix: letters, digits, `-`, `_` and `.`"));
    }
    if is_built_in(text) {
        return fault(
            name.span(),
            format!("the prefix `{text}` is built in, and has one meaning everywhere"),
        );
    }
    let namespace = file.text(text, value)?;
    if !is_iri(&namespace) {
        return Err(file.wrong(text, "an absolute IRI", value));
    }
    Ok((text.to_string(), namespace))
}

/// Refuses names that could be mistaken for something else: a URL has a colon, and `.` is the project's endpoint.
fn check_name(file: &TomlFile, name: &TomlKey<'_>) -> Result<(), Box<Diagnostic>> {
    let text = name.get_ref();
    let is_of_name = |character: char| character.is_alphanumeric() || "-_.".contains(character);
    if text.chars().all(is_of_name) && text.starts_with(char::is_alphanumeric) {
        return Ok(());
    }
    let message = format!("`{text}` is not a name for an endpoint: letters, digits, `-`, `_` and `.`");
    Err(file.fault("config::value", name.span(), message))
}
