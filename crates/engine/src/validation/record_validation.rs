//! Checks files of records against the rules of their systems.

use std::path::Path;

use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_diagnostics::{Diagnostic, SourceText};
use evalgraph_formats::checking::{CheckedFile, ProfileName, RecordRules};
use evalgraph_formats::system_name::SystemName;
use evalgraph_json::{DocumentComposer, JsonDocument, TokenId};

/// The rules of the systems in one run, and their thresholds.
pub struct RuleSets(Vec<(SystemName, Box<dyn RecordRules>)>);

impl Default for RuleSets {
    /// The rules with the thresholds of the systems' documents.
    fn default() -> Self {
        Self(
            SystemName::ALL
                .into_iter()
                .filter_map(|system| Some((system, system.entry().rules()?)))
                .collect(),
        )
    }
}

impl RuleSets {
    /// Reads thresholds from an object that has an object for each system.
    ///
    /// # Errors
    ///
    /// `validate::config` for a value that is not an object and for a key that is not a system with thresholds; and
    /// faults in the thresholds of a system.
    pub fn read(document: &JsonDocument) -> Result<Self, Box<Diagnostic>> {
        let mut rules = Self::default();
        let with_settings = rules.0.iter().filter(|(_, own)| own.has_settings());
        let names: Vec<String> = with_settings.map(|(system, _)| format!("`{system}`")).collect();
        let systems = format!("there are {}", names.join(", "));
        let root = document.root();
        if !document.is_object(root) {
            let message = "thresholds are an object with an object for each system";
            let fault = Diagnostic::error("validate::config", message).at(document.place(root));
            return Err(Box::new(fault.with_help(systems)));
        }
        for member in document.members(root) {
            let key = document.symbol_text(member.symbol);
            let own = SystemName::from_name(key).and_then(|system| rules.rules_of(system));
            let Some(own) = own.filter(|own| own.has_settings()) else {
                let message = format!("`{key}` is not a system with thresholds");
                let fault = Diagnostic::error("validate::config", message).at(document.place(member.key));
                return Err(Box::new(fault.with_help(systems)));
            };
            own.read_settings(&part_of(document, member.value)?)?;
        }
        Ok(rules)
    }

    /// The rules of a system. `None` if the system has no rules for records.
    pub fn rules_of(&mut self, system: SystemName) -> Option<&mut dyn RecordRules> {
        let found = self.0.iter_mut().find(|(own, _)| *own == system);
        found.map(|(_, rules)| &mut **rules as &mut dyn RecordRules)
    }

    /// Returns the results of the rules about several files together. There are none for a single file.
    pub fn finish(&mut self) -> impl Iterator<Item = (String, RuleReport)> {
        self.0.iter_mut().filter_map(|(_, rules)| rules.finish())
    }

    /// Checks a file against the rules of its system.
    ///
    /// # Errors
    ///
    /// `validate::profile` if the system has no rules with this name, or none for files of this kind.
    pub fn check(
        &mut self,
        file: &CheckedFile<'_>,
        profile: Option<ProfileName>,
    ) -> Result<RuleReport, Box<Diagnostic>> {
        let system = file.recognised.system;
        let checked = match self.rules_of(system) {
            Some(rules) => rules.check(file, profile.map(ProfileName::name))?,
            None => None,
        };
        checked.ok_or_else(|| {
            let message = match profile {
                Some(profile) => format!("{system} has no rules named `{}`", profile.name()),
                None => format!("files of this kind have no rules: {}", file.recognised.dialect()),
            };
            let place = SourceText::new(file.document.name().as_ref(), b"").place(0..0);
            Box::new(Diagnostic::error("validate::profile", message).at(place))
        })
    }
}

/// Returns whether the inputs name the directory of a file instead of the file itself.
pub fn is_of_directory(path: Option<&Path>, inputs: &[String]) -> bool {
    let parent = path.and_then(Path::parent);
    inputs.iter().any(|input| parent == Some(Path::new(input)))
}

/// A value inside a document as a separate document that keeps its places.
fn part_of(document: &JsonDocument, value: TokenId) -> Result<JsonDocument, Box<Diagnostic>> {
    let mut composer = DocumentComposer::over(document);
    composer.value(document, value);
    composer.finish()
}
