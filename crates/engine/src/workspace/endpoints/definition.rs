//! The definition of an endpoint in a configuration file.

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::DeValue;

use super::named_credentials::{NamedCredentials, SecretSource};
use super::toml_file::{TomlFile, TomlKey};
use evalgraph_diagnostics::{Diagnostic, SourcePlace};

/// The owner of a configuration file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConfigurationOwner {
    User,
    /// The people who work on the project, and anyone they copied it from.
    Project,
}

/// The keys that a project's file may have.
const PUBLIC_KEYS: [&str; 6] = ["url", "query", "update", "graph-store", "default-graph", "named-graph"];
/// The keys that only a user's file may have.
const OWN_KEYS: [&str; 6] =
    ["user", "password-file", "password-variable", "token-file", "token-variable", "ca"];
/// The keys that are not allowed in any file.
const REFUSED_KEYS: [&str; 2] = ["password", "token"];

/// The addresses that are given for a server. The others are derived from them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GivenAddresses {
    /// The address that the others are derived from.
    pub url: Option<String>,
    /// The address for queries.
    pub query: Option<String>,
    /// The address for updates.
    pub update: Option<String>,
    /// The address of the Graph Store Protocol.
    pub graph_store: Option<String>,
}

impl GivenAddresses {
    /// Returns the address that people know the server by.
    pub fn any(&self) -> Option<&str> {
        self.url.as_deref().or(self.query.as_deref())
    }
}

/// The graphs that a query sees, with the terms of the protocol.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndpointGraphs {
    /// The graphs that make the default graph.
    pub default: Vec<String>,
    /// The named graphs.
    pub named: Vec<String>,
}

/// An endpoint, as a file defines it.
pub(super) struct EndpointDefinition {
    pub(super) name: String,
    /// Where its name appears.
    pub(super) place: SourcePlace,
    pub(super) addresses: GivenAddresses,
    pub(super) graphs: EndpointGraphs,
    /// The credentials that the file names.
    pub(super) level: NamedCredentials,
    pub(super) ca: Option<PathBuf>,
}

/// The context in which a definition is read.
#[derive(Clone, Copy)]
pub(super) struct DefinedIn<'f> {
    pub(super) file: &'f TomlFile,
    pub(super) owner: ConfigurationOwner,
    /// The folder of the file. Its paths are relative to it.
    pub(super) folder: &'f Path,
    /// The user's folder, for `~`.
    pub(super) home: Option<&'f Path>,
}

impl DefinedIn<'_> {
    /// Reads a definition.
    ///
    /// # Errors
    ///
    /// The `config` codes, and `server::address`.
    pub(super) fn definition(
        self,
        name: &TomlKey<'_>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<EndpointDefinition, Box<Diagnostic>> {
        let mut definition = EndpointDefinition {
            name: name.get_ref().clone().into_owned(),
            place: self.file.place(name.span()),
            addresses: GivenAddresses::default(),
            graphs: EndpointGraphs::default(),
            level: NamedCredentials::default(),
            ca: None,
        };
        for (key, value) in self.file.entries(name.get_ref(), value)? {
            self.check_key(key)?;
            self.read(key.get_ref(), value, &mut definition)?;
        }
        if definition.addresses.any().is_none() {
            let message = format!("the endpoint `{}` has no address: `url`, or `query`", definition.name);
            return Err(self.file.fault("config::value", name.span(), message));
        }
        Ok(definition)
    }

    fn read(
        self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        definition: &mut EndpointDefinition,
    ) -> Result<(), Box<Diagnostic>> {
        let EndpointDefinition { addresses, graphs, level, ca, .. } = definition;
        let file = self.file;
        let (secret, source) = match key {
            "url" => return set(&mut addresses.url, file.address(key, value)),
            "query" => return set(&mut addresses.query, file.address(key, value)),
            "update" => return set(&mut addresses.update, file.address(key, value)),
            "graph-store" => return set(&mut addresses.graph_store, file.address(key, value)),
            "default-graph" => {
                graphs.default = file.iris(key, value)?;
                return Ok(());
            }
            "named-graph" => {
                graphs.named = file.iris(key, value)?;
                return Ok(());
            }
            "user" => return set(&mut level.user, file.text(key, value)),
            "ca" => return set(ca, self.path(key, value)),
            "password-file" => (&mut level.password, SecretSource::File(self.path(key, value)?)),
            "token-file" => (&mut level.token, SecretSource::File(self.path(key, value)?)),
            "password-variable" => (&mut level.password, SecretSource::Variable(file.text(key, value)?)),
            _ => (&mut level.token, SecretSource::Variable(file.text(key, value)?)),
        };
        if secret.is_some() {
            let message = format!("one secret is given both as a file and as a variable: remove `{key}`");
            return Err(file.fault("config::value", value.span(), message));
        }
        *secret = Some(source);
        Ok(())
    }

    /// Returns a path relative to the folder of the file.
    fn path(self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<PathBuf, Box<Diagnostic>> {
        let text = self.file.text(key, value)?;
        Ok(match (text.strip_prefix("~/"), self.home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => self.folder.join(text),
        })
    }

    fn check_key(self, key: &TomlKey<'_>) -> Result<(), Box<Diagnostic>> {
        let name = key.get_ref().as_ref();
        let (known, is_own) = (PUBLIC_KEYS.contains(&name), OWN_KEYS.contains(&name));
        let is_refused = REFUSED_KEYS.contains(&name);
        match self.owner {
            _ if known => Ok(()),
            ConfigurationOwner::User if is_own => Ok(()),
            ConfigurationOwner::Project if is_own || is_refused => {
                let message = format!(
                    "`{name}` in the configuration of a project, which must not choose credentials or \
                    certificates"
                );
                let fault = *self.file.fault("config::forbidden", key.span(), message);
                Err(Box::new(fault.with_help("define the endpoint in your own configuration")))
            }
            ConfigurationOwner::User if is_refused => {
                let message =
                    format!("a {name} must not be in a configuration file, because people share such files");
                let fault = *self.file.fault("config::forbidden", key.span(), message);
                let help = format!("name a file with `{name}-file`, or a variable with `{name}-variable`");
                Err(Box::new(fault.with_help(help)))
            }
            ConfigurationOwner::User => Err(self.file.unknown_key(key, &[PUBLIC_KEYS, OWN_KEYS].concat())),
            ConfigurationOwner::Project => Err(self.file.unknown_key(key, &PUBLIC_KEYS)),
        }
    }
}

fn set<T>(place: &mut Option<T>, value: Result<T, Box<Diagnostic>>) -> Result<(), Box<Diagnostic>> {
    *place = Some(value?);
    Ok(())
}
