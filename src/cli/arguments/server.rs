//! The arguments for a server that a person names.

use std::path::PathBuf;

use clap::Args;

#[cfg(feature = "net")]
use crate::diagnostic::{Diagnostic, Report};
#[cfg(feature = "net")]
use crate::input::options::NetUse;
#[cfg(feature = "net")]
use crate::workspace::endpoints::{ChosenEndpoint, ServerUse, Surroundings, choose};

/// Who asks a server, and whom to trust.
#[derive(Debug, Args)]
#[cfg_attr(not(feature = "net"), allow(dead_code))]
pub(in crate::cli) struct ServerArguments {
    /// The user, for a server that asks for one; without it that of the endpoint's definition, or EVALGRAPH_USER
    #[arg(long, value_name = "NAME", help_heading = "Server")]
    user: Option<String>,

    /// A file whose first line is the password; without it that of the definition, or EVALGRAPH_PASSWORD
    #[arg(long, value_name = "FILE", help_heading = "Server")]
    password_file: Option<PathBuf>,

    /// A file whose first line is a token to ask with; without it that of the definition, or EVALGRAPH_TOKEN
    #[arg(long, value_name = "FILE", conflicts_with_all = ["user", "password_file"],
          help_heading = "Server")]
    token_file: Option<PathBuf>,

    /// A file with the certificates, as PEM, to trust instead of those that browsers trust
    #[arg(long, value_name = "FILE", help_heading = "Server")]
    ca: Option<PathBuf>,

    /// How often a request is sent again that the server was too busy for or failed at, or whose connection broke off; the
    /// pauses grow from half a second
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Server")]
    retries: u32,
}

impl ServerArguments {
    /// The first of the arguments that is given.
    pub(in crate::cli) fn flag(&self) -> Option<&'static str> {
        let Self { user, password_file, token_file, ca, .. } = self;
        let files = [("--password-file", password_file), ("--token-file", token_file), ("--ca", ca)];
        let file = files.into_iter().find(|(_, file)| file.is_some()).map(|(flag, _)| flag);
        user.as_ref().map(|_| "--user").or(file)
    }

    /// Finds the server that a URL or a name means, and the credentials for it.
    ///
    /// # Errors
    ///
    /// `server::address` for a bad URL, and the codes of `config`.
    #[cfg(feature = "net")]
    pub(in crate::cli) fn choose(
        &self,
        endpoint: &str,
        net: &NetUse,
        report: &mut Report,
    ) -> Result<ChosenEndpoint, Box<Diagnostic>> {
        let folder = std::env::current_dir().unwrap_or_default();
        let surroundings = Surroundings { variable: &|name| std::env::var_os(name), folder: &folder };
        let Self { user, password_file, token_file, ca, retries } = self;
        let server = ServerUse {
            user: user.clone(),
            password_file: password_file.clone(),
            token_file: token_file.clone(),
            ca: ca.clone(),
        };
        let mut chosen = choose(endpoint, &server, net, surroundings, report)?;
        chosen.options.retries = *retries;
        Ok(chosen)
    }
}
