//! The definition of an endpoint in a file of configuration.

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::DeValue;

use super::named_credentials::{NamedCredentials, SecretSource};
use super::toml_file::{TomlFile, TomlKey};
use evalgraph_diagnostics::{Diagnostic, SourcePlace};

/// Whose configuration a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConfigurationOwner {
    User,
    /// The people who work on the project, and those it was taken from.
    Project,
}

/// The keys that a project's file may have.
const PUBLIC_KEYS: [&str; 6] = ["url", "query", "update", "graph-store", "default-graph", "named-graph"];
/// The keys of the user alone.
const OWN_KEYS: [&str; 6] =
    ["user", "password-file", "password-variable", "token-file", "token-variable", "ca"];
/// The keys that are not allowed, each with those to use instead.
const REFUSED_KEYS: [&str; 2] = ["password", "token"];

/// The addresses that are given for a server. Those that are not follow from the others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GivenAddresses {
    /// The address from which the others follow.
    pub url: Option<String>,
    /// The address for queries.
    pub query: Option<String>,
    /// The address for updates.
    pub update: Option<String>,
    /// The address of the Graph Store Protocol.
    pub graph_store: Option<String>,
}

impl GivenAddresses {
    /// The address by which people know the server.
    pub fn any(&self) -> Option<&str> {
        self.url.as_deref().or(self.query.as_deref())
    }
}

/// The graphs that a query sees, as the protocol names them.
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
    /// Where its name stands.
    pub(super) place: SourcePlace,
    pub(super) addresses: GivenAddresses,
    pub(super) graphs: EndpointGraphs,
    /// Who asks.
    pub(super) level: NamedCredentials,
    pub(super) ca: Option<PathBuf>,
}

/// The surroundings of a definition.
#[derive(Clone, Copy)]
pub(super) struct DefinedIn<'f> {
    pub(super) file: &'f TomlFile,
    pub(super) owner: ConfigurationOwner,
    /// The folder of the file, where its paths begin.
    pub(super) folder: &'f Path,
    /// The user's folder, which `~` stands for.
    pub(super) home: Option<&'f Path>,
}

impl DefinedIn<'_> {
    /// Reads a definition.
    ///
    /// # Errors
    ///
    /// The codes of `config`, and `server::address`.
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
            let message =
                format!("the file and the variable of one secret are named: `{key}` is one too many");
            return Err(file.fault("config::value", value.span(), message));
        }
        *secret = Some(source);
        Ok(())
    }

    /// A path, which begins at the folder of the file.
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
                    "`{name}` in the configuration of a project, which says neither who asks nor whom to trust"
                );
                let fault = *self.file.fault("config::forbidden", key.span(), message);
                Err(Box::new(fault.with_help("define the endpoint in your own configuration")))
            }
            ConfigurationOwner::User if is_refused => {
                let message =
                    format!("a {name} does not stand in a configuration, which people show and copy");
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
