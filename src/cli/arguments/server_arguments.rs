//! The arguments for a server that the user names.

use std::path::PathBuf;

use clap::Args;

use super::headings::SERVER;

use evalgraph_diagnostics::{Diagnostic, RunReport};
use evalgraph_engine::input::input_options::NetUse;
use evalgraph_engine::workspace::endpoints::{ChosenEndpoint, ProcessEnvironment, ServerUse, choose};

/// The credentials for a server, and the certificates to trust.
#[derive(Debug, Args)]
pub(in crate::cli) struct ServerArguments {
    /// User name (default: of the endpoint's definition, else EVALGRAPH_USER)
    #[arg(long, value_name = "NAME", help_heading = SERVER)]
    user: Option<String>,

    /// File whose first line is the password (default: of the definition, else EVALGRAPH_PASSWORD)
    #[arg(long, value_name = "FILE", help_heading = SERVER)]
    password_file: Option<PathBuf>,

    /// File whose first line is the token (default: of the definition, else EVALGRAPH_TOKEN)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["user", "password_file"],
          help_heading = SERVER)]
    token_file: Option<PathBuf>,

    /// PEM file of the certificates to trust instead of the usual ones
    #[arg(long, value_name = "FILE", help_heading = SERVER)]
    ca: Option<PathBuf>,

    /// How often to repeat a request that failed or found the server too busy; pauses grow from half a second
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = SERVER)]
    retries: u32,
}

impl ServerArguments {
    /// The first of these arguments that was given.
    pub(in crate::cli) fn flag(&self) -> Option<&'static str> {
        let Self { user, password_file, token_file, ca, .. } = self;
        let files = [("--password-file", password_file), ("--token-file", token_file), ("--ca", ca)];
        let file = files.into_iter().find(|(_, file)| file.is_some()).map(|(flag, _)| flag);
        user.as_ref().map(|_| "--user").or(file)
    }

    /// Finds the server for a URL or a name, and its credentials.
    ///
    /// # Errors
    ///
    /// `server::address` for a bad URL, and the codes of `config`.
    pub(in crate::cli) fn choose(
        &self,
        endpoint: &str,
        net: &NetUse,
        report: &mut RunReport,
    ) -> Result<ChosenEndpoint, Box<Diagnostic>> {
        let folder = std::env::current_dir().unwrap_or_default();
        let surroundings = ProcessEnvironment { variable: &|name| std::env::var_os(name), folder: &folder };
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
