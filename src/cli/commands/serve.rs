//! `evalgraph serve`: a server for the SPARQL protocols over HTTP.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::fs::{File, OpenOptions};
use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::{SecondsFormat, Utc};
use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::cli::allocator::give_freed_memory_back;
use crate::cli::arguments::{LIMITS, duration, size};
use crate::cli::output::ResultOutput;
use crate::cli::preferences::preferences;
use crate::cli::printer::{FindingPrinter, say};
use crate::cli::{CommandAnswer, CommandStop, browser, run_ending};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport, visible};
use evalgraph_engine::api::Loader;
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::load::read_session::LoadOptions;
use evalgraph_engine::validation::switched_rules::unknown_rules;
use evalgraph_engine::workspace::endpoints::secret_line;
use evalgraph_serve::{AccessToken, AnsweredRequest, Server, ServerObserver, ServerOptions, WriteAccess};

const EXAMPLES: &str = "\
Examples:
  evalgraph serve                                the store, at http://127.0.0.1:7878/
  evalgraph serve checkpoints/ --bind 127.0.0.1:8080
  evalgraph serve --write --token-file token
  curl http://127.0.0.1:7878/query --data-urlencode 'query=SELECT ?text { ?q s:text ?text }'

Only programs on this machine can connect, and they cannot change anything. After Ctrl-C, running requests have
10 seconds to finish.";

/// How long running requests may take after the server is stopped.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often signals are checked.
const LOOK: Duration = Duration::from_secs(3600);

/// The arguments of `serve`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ServeArguments {
    #[command(flatten)]
    input: GroupedOptions<RunInputs>,
    /// Where to listen; port 0 is any free port
    ///
    /// The address is printed
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address, default_value = "127.0.0.1:7878")]
    bind: SocketAddr,
    /// Further name of the server; can be repeated
    ///
    /// A name by which clients may call it, besides localhost and addresses
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// File with a token that readers must show
    ///
    /// Its first line; without it EVALGRAPH_SERVER_READ_TOKEN, if that is set
    #[arg(long, value_name = "FILE")]
    read_token: Option<PathBuf>,
    /// Listen to other machines without a token for reading
    #[arg(long, conflicts_with = "read_token")]
    public: bool,
    /// Origin whose pages may ask; can be repeated
    ///
    /// Such as https://app.example, or * for all; they change data only with the token, and never under --no-token
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    allow_origin: Vec<String>,
    /// Read files again when they change
    #[arg(long)]
    watch: bool,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Log each request to a file, or - for stderr
    ///
    /// Time, client, method, path, status, bytes, milliseconds
    #[arg(long, value_name = "FILE")]
    access_log: Option<PathBuf>,
    /// Let clients with a token change the store
    #[arg(long)]
    write: bool,
    /// File with the token for changes
    ///
    /// Its first line; without it EVALGRAPH_SERVER_TOKEN
    #[arg(long, value_name = "FILE", requires = "write")]
    token_file: Option<PathBuf>,
    /// Let every program of this machine change the store
    #[arg(long, requires = "write", conflicts_with = "token_file")]
    no_token: bool,
    #[command(flatten)]
    limits: RequestLimits,
    /// Longest pause of a client within a request or an answer
    ///
    /// For the head of a request, a piece of its body, or taking a piece of an answer
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30s", help_heading = LIMITS)]
    idle: Duration,
    /// Largest body of a request, after decompression
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "64MiB", help_heading = LIMITS)]
    max_body: u64,
    /// Bytes of a store's texts that stay in memory between requests
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "256MiB", help_heading = LIMITS)]
    cache: u64,
    #[command(flatten)]
    loading: GroupedOptions<LoadOptions>,
}

/// The limits that apply to the whole run in other commands, and to each request here.
#[derive(Debug)]
struct RequestLimits {
    timeout: Option<Duration>,
    max_memory: Option<u64>,
}

impl FromArgMatches for RequestLimits {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let timeout = matches.try_get_one("timeout").ok().flatten().copied();
        let max_memory = matches.try_get_one("max_memory").ok().flatten().copied();
        Ok(Self { timeout, max_memory })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for RequestLimits {
    fn augment_args(command: Command) -> Command {
        let timeout = "The most time for one request, its answer included [default: 30s]";
        let max_memory =
            "Memory of the program above which the latest of the long requests is ended (Linux only)";
        let command = command.mut_arg("timeout", |argument| argument.help(timeout));
        command.mut_arg("max_memory", |argument| argument.help(max_memory))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

/// The environment variable with the token for writing.
const TOKEN: &str = "EVALGRAPH_SERVER_TOKEN";
/// The environment variable with the token for reading.
const READ_TOKEN: &str = "EVALGRAPH_SERVER_READ_TOKEN";

/// Decides who may change the store.
fn writes(arguments: &ServeArguments, report: &mut RunReport) -> Result<WriteAccess, CommandStop> {
    let refused = |message: &str, help: &str| -> CommandStop {
        Diagnostic::error("serve::open", message).with_help(help.to_owned()).into()
    };
    if !arguments.write {
        return Ok(WriteAccess::Refused);
    }
    if !arguments.input.inputs.is_empty() {
        return Err(refused(
            "files cannot be changed by requests",
            "leave out the inputs, and serve a store",
        ));
    }
    if arguments.no_token {
        if !arguments.bind.ip().is_loopback() {
            let message = "`--no-token` would let everyone who can reach the address change the store";
            return Err(refused(message, "give a token, or listen at 127.0.0.1"));
        }
        return Ok(WriteAccess::Free);
    }
    match token(arguments.token_file.as_deref(), TOKEN, report)? {
        Some(token) => Ok(WriteAccess::WithToken(token)),
        None => {
            let help = "set one with `--token-file FILE` or EVALGRAPH_SERVER_TOKEN; `openssl rand -hex 32` makes one";
            Err(refused("`--write` needs a token, which clients have to send to write", help))
        }
    }
}

/// Reads the token for reading.
fn read_token(
    arguments: &ServeArguments,
    report: &mut RunReport,
) -> Result<Option<AccessToken>, CommandStop> {
    let token = token(arguments.read_token.as_deref(), READ_TOKEN, report)?;
    if token.is_none() && !arguments.public && !arguments.bind.ip().is_loopback() {
        let message = "other machines can reach the address, and everyone there could query the server";
        let help = "`--read-token FILE` requires a token, `--public` allows everyone";
        return Err(Diagnostic::error("serve::open", message).with_help(help).into());
    }
    Ok(token)
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        let port = text.rsplit(':').next().filter(|port| port.parse::<u16>().is_ok()).unwrap_or("7878");
        format!("expected an address and a port, such as 127.0.0.1:{port}")
    })
}

fn origin(text: &str) -> Result<String, String> {
    let is_origin = text == "*"
        || text.split_once("://").is_some_and(|(scheme, host)| {
            !scheme.is_empty() && !host.is_empty() && !host.contains(['/', '?', '#', ' '])
        });
    is_origin
        .then(|| text.to_owned())
        .ok_or_else(|| "expected an origin, such as https://app.example".to_owned())
}

/// Reads a token from a file, or else from a variable.
fn token(
    file: Option<&Path>,
    variable: &str,
    report: &mut RunReport,
) -> Result<Option<AccessToken>, CommandStop> {
    let text = match file {
        Some(file) => secret_line(file, report)?,
        None => match std::env::var(variable) {
            Ok(text) => text,
            Err(std::env::VarError::NotPresent) => return Ok(None),
            Err(std::env::VarError::NotUnicode(_)) => String::new(),
        },
    };
    Ok(Some(AccessToken::new(&text)?))
}

/// Writes the log of requests, and prints findings as they come.
#[derive(Debug)]
struct RequestLogWriter {
    log: Option<Mutex<RequestLogTarget>>,
    printer: FindingPrinter,
}

#[derive(Debug)]
enum RequestLogTarget {
    Stderr,
    File(File),
}

impl RequestLogWriter {
    fn open(path: Option<&Path>) -> Result<Self, CommandStop> {
        let open = |path: &Path| {
            if path == Path::new("-") {
                return Ok(RequestLogTarget::Stderr);
            }
            let file = OpenOptions::new().append(true).create(true).open(path);
            file.map(RequestLogTarget::File).map_err(|error| {
                let message = format!("`{}` cannot be written: {error}", path.display());
                CommandStop::from(Diagnostic::error("output::unwritable", message))
            })
        };
        Ok(Self { log: path.map(open).transpose()?.map(Mutex::new), printer: run_ending::printer() })
    }
}

impl ServerObserver for RequestLogWriter {
    fn answered(&self, access: &AnsweredRequest) {
        let Some(log) = &self.log else { return };
        let time = Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true);
        let AnsweredRequest { client, method, path, status, sent, .. } = access;
        let (path, method) = (visible(path), visible(method));
        let milliseconds = access.time.as_secs_f64() * 1000.0;
        let broken = if access.is_whole { "" } else { " broken" };
        let line = format!("{time} {client} {method} {path} {status} {sent} {milliseconds:.3}{broken}\n");
        match &mut *log.lock().unwrap_or_else(PoisonError::into_inner) {
            RequestLogTarget::Stderr => say(&line),
            // A full disk does not end the server.
            RequestLogTarget::File(file) => drop(file.write_all(line.as_bytes())),
        }
    }

    fn found(&self, finding: &Diagnostic) {
        let mut report = self.printer.report();
        report.add(finding);
        self.printer.finish(&report, false);
    }
}

/// Runs `serve`.
pub(super) fn run(arguments: &ServeArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    give_freed_memory_back();
    report.set_strictness(arguments.input.reading.strictness);
    let usual = ServerOptions::default();
    let preferences = preferences()?;
    report.add_all(&unknown_rules(&preferences.rules));
    let options = ServerOptions {
        bind: arguments.bind,
        hosts: arguments.host.clone(),
        read_token: read_token(arguments, report)?,
        origins: arguments.allow_origin.clone(),
        queries: Some(preferences.named_queries()?),
        prefixes: preferences.prefixes(&[]),
        folder: std::env::current_dir().unwrap_or_default(),
        rules: preferences.rules,
        watches: arguments.watch,
        observer: Some(Arc::new(RequestLogWriter::open(arguments.access_log.as_deref())?)),
        writes: writes(arguments, report)?,
        timeout: arguments.limits.timeout.unwrap_or(usual.timeout),
        idle: arguments.idle,
        max_memory: arguments.limits.max_memory,
        max_body: arguments.max_body,
        cache: arguments.cache,
        ..usual
    };
    // A server shows what it can: files that are at fault are reported and left out. If files are watched, a file at
    // fault leaves the data as they were instead.
    let keep_going = arguments.input.keep_going || !arguments.watch;
    let input = RunInputs { keep_going, ..(*arguments.input).clone() };
    let server = match Server::from_loader(Loader::from_options(&input, &arguments.loading), options) {
        Ok(server) => server,
        Err(error) => {
            report.absorb(error.into_report());
            return Err(evalgraph_diagnostics::RunFailure::Reported.into());
        }
    };
    report.absorb(server.report().clone());
    run_ending::listen();
    // From here on, a signal ends the server, which ends the run.
    run_ending::over();
    let mut output = ResultOutput::open(None)?;
    let url = format!("http://{}/", server.address());
    writeln!(output, "{url}").map_err(|error| output.stop(&error))?;
    output.finish()?;
    if arguments.open
        && let Err(error) = browser::open(&url)
    {
        let message = format!("no browser could be opened at {url}: {error}");
        report.add(&Diagnostic::warning("serve::browser", message));
    }
    if std::io::stderr().is_terminal() {
        let what = match arguments.input.inputs.as_slice() {
            [] => "the store".to_owned(),
            [input] => format!("`{input}`"),
            [first, others @ ..] => format!("`{first}` and {} more", others.len()),
        };
        let message = format!("serves {what}; Ctrl-C ends the server");
        report.add(&Diagnostic::new(FindingSeverity::Note, "serve::ready", message));
    }
    run_ending::printer().print_now(report);
    while !run_ending::is_interrupted_within(LOOK)? {}
    server.stop(PATIENCE);
    Ok(CommandAnswer::Yes)
}
