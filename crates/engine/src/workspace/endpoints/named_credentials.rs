//! The credentials for a server. They come from the arguments, else from the endpoint's definition, else from the
//! environment. Secrets are kept in files and variables, because other users of the machine can see arguments.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::surroundings::ProcessEnvironment;
use crate::input::path_text::{plain, shown};
use crate::net::{BadCredentials, Credentials, SecretText};
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, FindingHelp, RunReport};

const USER: &str = "EVALGRAPH_USER";
const PASSWORD: &str = "EVALGRAPH_PASSWORD";
const TOKEN: &str = "EVALGRAPH_TOKEN";

/// The maximum size of a secret in bytes.
const MOST_BYTES: u64 = 64 << 10;

/// The user's options for requests to a server.
#[derive(Debug, Clone, Default)]
pub struct ServerUse {
    /// The user name, for servers that require one.
    pub user: Option<String>,
    /// The file whose first line is the password.
    pub password_file: Option<PathBuf>,
    /// The file whose first line is a token.
    pub token_file: Option<PathBuf>,
    /// The file of trusted certificates.
    pub ca: Option<PathBuf>,
}

/// Where a secret is kept.
#[derive(Debug, Clone)]
pub(super) enum SecretSource {
    File(PathBuf),
    Variable(String),
}

/// The credentials that are named in one place.
#[derive(Debug, Clone, Default)]
pub(super) struct NamedCredentials {
    pub(super) user: Option<String>,
    pub(super) password: Option<SecretSource>,
    pub(super) token: Option<SecretSource>,
}

impl NamedCredentials {
    /// Returns the credentials that arguments name.
    pub(super) fn of_arguments(arguments: &ServerUse) -> Self {
        let ServerUse { user, password_file, token_file, ca: _ } = arguments;
        Self {
            user: user.clone(),
            password: password_file.clone().map(SecretSource::File),
            token: token_file.clone().map(SecretSource::File),
        }
    }

    /// Returns the credentials of the environment.
    pub(super) fn of_environment(surroundings: ProcessEnvironment<'_>) -> Self {
        let source = |name: &str| surroundings.value(name).map(|_| SecretSource::Variable(name.to_owned()));
        let user = surroundings.value(USER).map(|user| user.to_string_lossy().into_owned());
        Self { user, password: source(PASSWORD), token: source(TOKEN) }
    }

    fn is_empty(&self) -> bool {
        self.user.is_none() && self.password.is_none() && self.token.is_none()
    }
}

/// Reads the credentials of the first place that has any. A user name or a password that is missing there comes from
/// the next place.
///
/// # Errors
///
/// `config::credentials` if the user name or the password is missing, if there is a token as well, or if a secret
/// cannot be read or sent.
pub(super) fn credentials(
    levels: Vec<NamedCredentials>,
    surroundings: ProcessEnvironment<'_>,
    report: &mut RunReport,
) -> Result<Option<Credentials>, Box<Diagnostic>> {
    let levels: Vec<NamedCredentials> = levels.into_iter().skip_while(NamedCredentials::is_empty).collect();
    let Some(first) = levels.first() else { return Ok(None) };
    let credentials = match &first.token {
        Some(_) if first.user.is_some() || first.password.is_some() => {
            return Err(fault(
                "a token is given together with a user or a password: a server accepts only one of the two",
            ));
        }
        Some(token) => Credentials::Token(token.read("token", surroundings, report)?),
        None => {
            let user = levels.iter().find_map(|level| level.user.clone()).ok_or_else(|| {
                lacking(
                    "there is a password, but no user",
                    help![setting("user"), " or `", USER, "` names the user"],
                )
            })?;
            let password = levels.iter().find_map(|level| level.password.as_ref()).ok_or_else(|| {
                let help =
                    help![setting("password-file"), " names a file with it, or `", PASSWORD, "` has it"];
                lacking("there is a user, but no password", help)
            })?;
            Credentials::Login { user, password: password.read("password", surroundings, report)? }
        }
    };
    credentials.check().map_err(|part| {
        fault(match part {
            BadCredentials::User => "the user's name is empty, or has a colon or a control character",
            BadCredentials::Password => "the password has a control character",
            BadCredentials::Token => {
                "the token has an invalid character: only visible ASCII characters are allowed"
            }
        })
    })?;
    Ok(Some(credentials))
}

impl SecretSource {
    fn read(
        &self,
        kind: &str,
        surroundings: ProcessEnvironment<'_>,
        report: &mut RunReport,
    ) -> Result<SecretText, Box<Diagnostic>> {
        let text = match self {
            Self::File(path) => first_line(path, report).map_err(|reason| {
                fault(format!("the {kind} cannot be read from `{}`: {reason}", shown(path)))
            })?,
            Self::Variable(name) => match surroundings.value(name).map(|value| value.into_string()) {
                Some(Ok(text)) => text,
                Some(Err(_)) => {
                    return Err(fault(format!("the {kind} in the variable `{name}` is not UTF-8")));
                }
                None => return Err(fault(format!("the variable `{name}` has no {kind}"))),
            },
        };
        Ok(SecretText::new(text))
    }
}

/// Returns the secret in the first line of a file. The report warns if other users can read the file.
///
/// # Errors
///
/// `config::credentials` if the file cannot be read.
pub fn secret_line(path: &Path, report: &mut RunReport) -> Result<String, Box<Diagnostic>> {
    first_line(path, report)
        .map_err(|reason| fault(format!("the secret cannot be read from `{}`: {reason}", shown(path))))
}

/// Returns the first line of a file, without its line ending.
fn first_line(path: &Path, report: &mut RunReport) -> Result<String, String> {
    let file = File::open(path).map_err(|error| plain(&error))?;
    if may_be_read_by_others(&file) {
        let message = format!("`{}` contains a secret, and other users can read it", shown(path));
        let help = format!("`chmod 600 {}` restricts it to you", shown(path));
        report.add(&Diagnostic::warning("config::readable", message).with_help(help));
    }
    let mut line = Vec::new();
    let mut reader = BufReader::new(file.take(MOST_BYTES + 1));
    reader.read_until(b'\n', &mut line).map_err(|error| plain(&error))?;
    if line.len() as u64 > MOST_BYTES {
        return Err("its first line has more than 64 KiB".to_owned());
    }
    let line = String::from_utf8(line).map_err(|_| "it is not UTF-8".to_owned())?;
    let line = line.strip_suffix('\n').unwrap_or(&line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    if line.is_empty() { Err("its first line is empty".to_owned()) } else { Ok(line.to_owned()) }
}

/// Returns whether users other than the owner can read a file. This causes a warning, not an error: files that are
/// passed into containers are often open, and the container cannot change that.
#[cfg(unix)]
fn may_be_read_by_others(file: &File) -> bool {
    use std::os::unix::fs::PermissionsExt;

    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn may_be_read_by_others(_file: &File) -> bool {
    false
}

fn fault(message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("config::credentials", message))
}

fn lacking(message: &str, help: FindingHelp) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("config::credentials", message).with_help(help))
}
