//! The exports to servers, one for each kind of server.

use clap::Args;

use super::sending_arguments::SendingArguments;
use super::server_sending::send;
use super::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::export::server_place::ServerPlace;

const SERVER_HELP: &str = "\
Each graph is sent to a staging graph, compared with what was sent, and only then put in place. A run
that fails or is killed leaves existing graphs unchanged; --resume continues from what it has sent.";

const GRAPH_STORE_HELP: &str = "\
Each graph is sent to a staging graph, compared with what was sent, and only then put in place: by an
update, or without --update-url by sending it again in one request, which the server must do
completely or not at all. A run that fails or is killed leaves existing graphs unchanged.";

/// The arguments of `export fuseki`.
#[derive(Debug, Args)]
#[command(after_help = SERVER_HELP)]
pub(super) struct FusekiArguments {
    /// URL of the server, or name of an endpoint
    ///
    /// Such as http://localhost:3030; endpoints are named in a configuration
    url: String,
    /// Name of the dataset
    #[arg(long, value_name = "NAME")]
    dataset: String,
    /// Create the dataset, on disk, if it is missing
    #[arg(long)]
    create: bool,
    #[command(flatten)]
    sending: SendingArguments,
}

/// The arguments of `export rdf4j` and `export graphdb`.
#[derive(Debug, Args)]
#[command(after_help = SERVER_HELP)]
pub(super) struct RepositoryArguments {
    /// URL of the server, or name of an endpoint
    ///
    /// Such as http://localhost:8080/rdf4j-server or http://localhost:7200; endpoints are named in a configuration
    url: String,
    /// Id of the repository
    #[arg(long, value_name = "ID")]
    repository: String,
    /// Create the repository, on disk, if it is missing
    ///
    /// Repositories of GraphDB have to be created in GraphDB
    #[arg(long)]
    create: bool,
    #[command(flatten)]
    sending: SendingArguments,
}

/// The arguments of `export virtuoso`.
#[derive(Debug, Args)]
#[command(after_help = SERVER_HELP)]
pub(super) struct VirtuosoArguments {
    /// URL of the server, or name of an endpoint
    ///
    /// Such as http://localhost:8890; endpoints are named in a configuration
    url: String,
    #[command(flatten)]
    sending: SendingArguments,
}

/// The arguments of `export gsp`.
#[derive(Debug, Args)]
#[command(after_help = GRAPH_STORE_HELP)]
pub(super) struct GraphStoreArguments {
    /// URL of the graph store, or name of an endpoint
    ///
    /// `?graph=` is added to it; endpoints are named in a configuration
    url: String,
    /// URL for updates
    #[arg(long, value_name = "URL")]
    update_url: Option<String>,
    #[command(flatten)]
    sending: SendingArguments,
}

pub(super) fn fuseki(
    arguments: &FusekiArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let FusekiArguments { url, dataset, create, sending } = arguments;
    send(sending, url, *create, |url| ServerPlace::Fuseki { url, dataset: dataset.clone() }, report)
}

pub(super) fn rdf4j(
    arguments: &RepositoryArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let RepositoryArguments { url, repository, create, sending } = arguments;
    send(sending, url, *create, |url| ServerPlace::Rdf4j { url, repository: repository.clone() }, report)
}

pub(super) fn graphdb(
    arguments: &RepositoryArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let RepositoryArguments { url, repository, create, sending } = arguments;
    send(sending, url, *create, |url| ServerPlace::GraphDb { url, repository: repository.clone() }, report)
}

pub(super) fn virtuoso(
    arguments: &VirtuosoArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    send(&arguments.sending, &arguments.url, false, |url| ServerPlace::Virtuoso { url }, report)
}

pub(super) fn graph_store(
    arguments: &GraphStoreArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let GraphStoreArguments { url, update_url: update, sending } = arguments;
    send(sending, url, false, |url| ServerPlace::GraphStore { url, update: update.clone() }, report)
}
