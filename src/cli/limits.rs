//! What bounds a query or an update: time, memory, Ctrl-C; and the services that it may ask.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::arguments::{InputArguments, duration, mapping, size};
use super::input::InputSource;
use super::json_ld::JsonLd;
use super::load::{Loader, LoadingArguments};
use super::memory::{self, MemoryWatch};
use super::report::Report;
use super::{Stop, interrupts};
use crate::json::Limits;
use crate::sparql::{Cancellation, DatasetServices, Environment, Services};
use crate::store::Dataset;

/// The bounds of an evaluation.
#[derive(Debug, Args)]
pub(super) struct LimitArguments {
    /// Give up after this time, such as 500ms or 10s
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) timeout: Option<Duration>,
    /// Give up where the program has more memory than this, its data included (Linux only)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_memory: Option<u64>,
    /// Answer `SERVICE <URL>` from a file, which may be anything that is an input; can be repeated.
    /// Other services are asked over the network with `--net`
    #[arg(long, value_name = "URL=FILE", value_parser = mapping)]
    service: Vec<(String, PathBuf)>,
}

/// What stands around an evaluation for as long as it lasts.
pub(super) struct Surroundings {
    pub(super) environment: Environment,
    /// The limit of memory is watched until this is dropped.
    _memory: Option<MemoryWatch>,
}

impl LimitArguments {
    /// Reads the files of services, and begins to listen to Ctrl-C and to watch the memory.
    ///
    /// # Errors
    ///
    /// Where the file of a service cannot be read, or memory cannot be watched.
    pub(super) fn begin(
        &self,
        (input, loading, json_ld): (&InputArguments, &LoadingArguments, &JsonLd),
        report: &mut Report,
    ) -> Result<Surroundings, Stop> {
        let cancellation = Cancellation::new();
        let loader = Loader::new(input, json_ld, loading.plain, report.shows_all());
        let mut datasets = HashMap::new();
        for (url, file) in &self.service {
            let document = loader.document(&InputSource::File(file.clone()), report).ok_or(Stop::Failed)?;
            datasets.insert(url.clone(), Dataset::from_documents(vec![document]));
        }
        let limits = Limits { size: input.reading.max_size, ..Limits::default() };
        let others = network_services(loading, limits);
        let services: Arc<dyn Services> =
            Arc::new(DatasetServices::new(datasets, others, cancellation.clone()));
        interrupts::listen(&cancellation, report);
        let memory = self.max_memory.map(|limit| memory::watch(limit, &cancellation)).transpose()?;
        let environment = Environment { services: Some(services), cancellation, ..Environment::default() };
        Ok(Surroundings { environment, _memory: memory })
    }
}

#[cfg(feature = "net")]
fn network_services(loading: &LoadingArguments, limits: Limits) -> Option<Arc<dyn Services>> {
    let net = loading.iris.net.net(limits)?;
    Some(Arc::new(super::network_services::NetworkServices::new(net)))
}

#[cfg(not(feature = "net"))]
fn network_services(_loading: &LoadingArguments, _limits: Limits) -> Option<Arc<dyn Services>> {
    None
}
