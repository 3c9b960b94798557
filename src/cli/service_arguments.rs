//! The environment of an evaluation: the services that it may use, and the token that can cancel it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::arguments::mapping;
use super::run_ending;
use evalgraph_diagnostics::{RunFailure, RunReport};
use evalgraph_engine::api::query_services::network_services;
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::input::source::InputSource;
use evalgraph_engine::load::document_loading::DocumentLoading;
use evalgraph_engine::load::read_session::LoadOptions;
use evalgraph_engine::load::read_session::ReadSession;
use evalgraph_sparql::{DatasetServices, EvaluationEnvironment, ServiceHandler};
use evalgraph_store::Dataset;

/// The services of an evaluation.
#[derive(Debug, Args)]
pub(super) struct ServiceArguments {
    /// Answer `SERVICE <URL>` from a file
    ///
    /// Any input can be used. Other services are queried over the network with `--net`
    #[arg(long, value_name = "URL=FILE", value_parser = mapping)]
    service: Vec<(String, PathBuf)>,
}

impl ServiceArguments {
    /// Returns whether no service is named.
    pub(super) fn is_empty(&self) -> bool {
        self.service.is_empty()
    }

    /// Reads the files of services, and starts handling Ctrl-C.
    ///
    /// # Errors
    ///
    /// Fails if the file of a service cannot be read.
    pub(super) fn environment(
        &self,
        input: &RunInputs,
        loading: &LoadOptions,
        session: &ReadSession,
        report: &mut RunReport,
    ) -> Result<EvaluationEnvironment, RunFailure> {
        let cancellation = run_ending::cancellation();
        let loader = DocumentLoading::new(input, session, loading.plain, report.shows_all());
        let mut datasets = HashMap::new();
        for (url, file) in &self.service {
            let document = loader.document(&InputSource::File(file.clone()), report)?;
            datasets.insert(url.clone(), Dataset::from_documents(vec![document]));
        }
        let others = network_services(loading, input.reading.limits);
        let services: Arc<dyn ServiceHandler> =
            Arc::new(DatasetServices::new(datasets, others, cancellation.clone()));
        run_ending::listen();
        Ok(EvaluationEnvironment {
            services: Some(services),
            cancellation,
            ..EvaluationEnvironment::default()
        })
    }
}
