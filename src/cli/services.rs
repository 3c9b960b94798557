//! The environment of an evaluation: the services that it may ask, and the cancellation that may end it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::arguments::mapping;
use super::ending;
use evalgraph_diagnostics::{Failure, Report};
use evalgraph_engine::api::services::network_services;
use evalgraph_engine::input::options::Inputs;
use evalgraph_engine::input::source::InputSource;
use evalgraph_engine::load::json_ld::JsonLd;
use evalgraph_engine::load::json_ld::LoadOptions;
use evalgraph_engine::load::loader::Loader;
use evalgraph_sparql::{DatasetServices, Environment, Services};
use evalgraph_store::Dataset;

/// The services of an evaluation.
#[derive(Debug, Args)]
pub(super) struct ServiceArguments {
    /// Answer `SERVICE <URL>` from a file; can be repeated
    ///
    /// Anything that is an input. Other services are asked over the network with `--net`
    #[arg(long, value_name = "URL=FILE", value_parser = mapping)]
    service: Vec<(String, PathBuf)>,
}

impl ServiceArguments {
    /// Whether no service is named.
    pub(super) fn is_empty(&self) -> bool {
        self.service.is_empty()
    }

    /// Reads the files of services, and begins to listen to Ctrl-C.
    ///
    /// # Errors
    ///
    /// Where the file of a service cannot be read.
    pub(super) fn environment(
        &self,
        input: &Inputs,
        loading: &LoadOptions,
        json_ld: &JsonLd,
        report: &mut Report,
    ) -> Result<Environment, Failure> {
        let cancellation = ending::cancellation();
        let loader = Loader::new(input, json_ld, loading.plain, report.shows_all());
        let mut datasets = HashMap::new();
        for (url, file) in &self.service {
            let document =
                loader.document(&InputSource::File(file.clone()), report).ok_or(Failure::Reported)?;
            datasets.insert(url.clone(), Dataset::from_documents(vec![document]));
        }
        let others = network_services(loading, input.reading.limits);
        let services: Arc<dyn Services> =
            Arc::new(DatasetServices::new(datasets, others, cancellation.clone()));
        ending::listen();
        Ok(Environment { services: Some(services), cancellation, ..Environment::default() })
    }
}
