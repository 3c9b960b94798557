//! The servers that people name: by a URL, by a name that their own configuration or a project's defines, or by `.` for
//! the server that the project works with.
//!
//! A project's file cannot be trusted. It may say where a server is, but not which credentials to use or which
//! certificates to trust. A server that it defines gets no credentials except those of the arguments; otherwise the
//! file could send them anywhere.

mod configuration;
mod definition;
mod named_credentials;
mod surroundings;
mod toml_file;

use std::path::{Path, PathBuf};

use crate::input::input_options::NetUse;
use crate::input::path_text::shown;
use crate::net::{Credentials, HttpClientOptions, NetAllow, check_address};
use crate::workspace::preferences::UserPreferences;
use configuration::ConfigurationFile;
use definition::{ConfigurationOwner, EndpointDefinition};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport};
use named_credentials::NamedCredentials;
use surroundings::PROJECTS_FILE;

pub use definition::{EndpointGraphs, GivenAddresses};
pub use named_credentials::ServerUse;
pub use named_credentials::secret_line;
pub use surroundings::ProcessEnvironment;

/// The name of the endpoint that the project works with.
const OF_PROJECT: &str = ".";

/// A server, with everything needed to send requests to it.
#[derive(Debug)]
pub struct ChosenEndpoint {
    /// Its addresses.
    pub addresses: GivenAddresses,
    /// The graphs that a query sees, if the definition names any.
    pub graphs: EndpointGraphs,
    /// The credentials, the trusted certificates and the timeouts.
    pub options: HttpClientOptions,
}

/// Finds the server for a URL or a name, and the credentials for it.
///
/// # Errors
///
/// `server::address` for a bad URL; and the `config` codes for names, configuration files and credentials.
pub fn choose(
    chosen: &str,
    arguments: &ServerUse,
    net: &NetUse,
    surroundings: ProcessEnvironment<'_>,
    report: &mut RunReport,
) -> Result<ChosenEndpoint, Box<Diagnostic>> {
    let from_arguments = NamedCredentials::of_arguments(arguments);
    let from_environment = NamedCredentials::of_environment(surroundings);
    if chosen.contains(':') {
        check_address(chosen)?;
        let credentials =
            named_credentials::credentials(vec![from_arguments, from_environment], surroundings, report)?;
        return Ok(ChosenEndpoint {
            addresses: GivenAddresses { url: Some(chosen.to_owned()), ..GivenAddresses::default() },
            graphs: EndpointGraphs::default(),
            options: options(credentials, arguments.ca.clone(), net),
        });
    }
    let (definition, owner) = definition(chosen, surroundings)?;
    let levels = match owner {
        ConfigurationOwner::User => vec![from_arguments, definition.level, from_environment],
        ConfigurationOwner::Project => {
            let url = definition.addresses.any().unwrap_or_default();
            let message = format!("the endpoint `{}` is `{url}`", definition.name);
            report.add(
                &Diagnostic::new(FindingSeverity::Note, "config::endpoint", message).at(definition.place),
            );
            vec![from_arguments]
        }
    };
    let credentials = named_credentials::credentials(levels, surroundings, report)?;
    let ca = arguments.ca.clone().or(definition.ca);
    Ok(ChosenEndpoint {
        addresses: definition.addresses,
        graphs: definition.graphs,
        options: options(credentials, ca, net),
    })
}

fn options(credentials: Option<Credentials>, ca: Option<PathBuf>, net: &NetUse) -> HttpClientOptions {
    let defaults = HttpClientOptions::default();
    let timeout = net.timeout.unwrap_or(defaults.timeout);
    HttpClientOptions {
        credentials,
        ca,
        follows: net.is_allowed,
        allow: NetAllow { http: net.http, loopback: net.loopback, private: net.private },
        connect_timeout: defaults.connect_timeout.min(timeout),
        timeout,
        ..defaults
    }
}

/// Returns the other preferences of the user and the project.
///
/// # Errors
///
/// The `config` codes for configuration files.
pub fn preferences(surroundings: ProcessEnvironment<'_>) -> Result<UserPreferences, Box<Diagnostic>> {
    let [users, projects] = configurations(surroundings)?;
    Ok(users.preferences.under(projects.preferences))
}

/// Returns the configuration of the user, and that of the project.
fn configurations(surroundings: ProcessEnvironment<'_>) -> Result<[ConfigurationFile; 2], Box<Diagnostic>> {
    let read = |file: Option<&Path>, owner| {
        file.map_or_else(
            || Ok(ConfigurationFile::default()),
            |file| ConfigurationFile::read(file, owner, surroundings),
        )
    };
    let users_file = surroundings.users_file();
    // A file that is named explicitly has to exist.
    let is_there = |file: &&Path| surroundings.names_users_file() || file.exists();
    Ok([
        read(users_file.as_deref().filter(is_there), ConfigurationOwner::User)?,
        read(surroundings.projects_file().as_deref(), ConfigurationOwner::Project)?,
    ])
}

/// Returns the definition with this name, and the owner of the file that contains it.
fn definition(
    name: &str,
    surroundings: ProcessEnvironment<'_>,
) -> Result<(EndpointDefinition, ConfigurationOwner), Box<Diagnostic>> {
    let [mut users, mut projects] = configurations(surroundings)?;
    let name = if name == OF_PROJECT {
        projects.endpoint.take().ok_or_else(|| {
            let message = format!("no `{PROJECTS_FILE}` here or above names the endpoint of the project");
            let help = format!("write `endpoint = \"NAME\"` into `{PROJECTS_FILE}`, or give a URL or a name");
            Box::new(Diagnostic::error("config::unknown-endpoint", message).with_help(help))
        })?
    } else {
        name.to_owned()
    };
    match (users.take(&name), projects.take(&name)) {
        (Some(own), None) => Ok((own, ConfigurationOwner::User)),
        (None, Some(of_project)) => Ok((of_project, ConfigurationOwner::Project)),
        (Some(own), Some(of_project)) => {
            let message =
                format!("the endpoint `{name}` is defined by the project and by your own configuration");
            let fault = Diagnostic::error("config::ambiguous", message).at(of_project.place);
            let fault = fault.with_related(own.place, "defined here, too");
            Err(Box::new(fault.with_help("give one of the two another name")))
        }
        (None, None) => Err(unknown(&name, [&users, &projects], surroundings.users_file().as_deref())),
    }
}

fn unknown(
    name: &str,
    configurations: [&ConfigurationFile; 2],
    users_file: Option<&Path>,
) -> Box<Diagnostic> {
    let fault = Diagnostic::error("config::unknown-endpoint", format!("no endpoint is called `{name}`"));
    let known = configurations.into_iter().flat_map(ConfigurationFile::names);
    let own = users_file.map_or_else(String::new, |file| format!("`{}` or ", shown(file)));
    Box::new(match nearest(name, known) {
        Some(near) => fault.with_help(format!("did you mean `{near}`?")),
        None => fault.with_help(format!(
            "give its URL, or define it in {own}`{PROJECTS_FILE}`: `[endpoints.{name}]` with `url = \"…\"`"
        )),
    })
}

#[cfg(test)]
mod tests;
