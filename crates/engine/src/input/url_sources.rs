//! Reads URLs: from mapped files, from built-in documents, and, if `--net` allows it, from the network.

use super::files_read::FilesRead;
use super::input_options::IriOptions;
#[cfg(feature = "net")]
use super::input_options::NetUse;
use super::local_contexts::LocalContexts;
#[cfg(feature = "net")]
use super::origin::DocumentOrigin;
use super::origin::UrlOrigin;
use super::source::{BegunInput, InputSource};
#[cfg(feature = "net")]
use crate::net::{NetAllow, NetLoader, NetOptions};
use evalgraph_contexts::BuiltIn;
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_json::Limits;
#[cfg(feature = "net")]
use evalgraph_jsonld::LoadDocumentOptions;
use evalgraph_jsonld::{FileMapLoader, LoaderChain};

/// The sources of documents for URLs.
#[derive(Debug)]
pub struct UrlSources {
    mapped: FileMapLoader,
    #[cfg(feature = "net")]
    net: Option<NetLoader>,
    files_read: FilesRead,
}

impl UrlSources {
    /// Creates the sources that the options describe.
    ///
    /// # Errors
    ///
    /// If `--net` is used in a program that was built without network support.
    pub fn new(iris: &IriOptions, limits: Limits, files_read: &FilesRead) -> Result<Self, RunFailure> {
        let mut mapped = FileMapLoader::new(limits);
        for (url, path) in &iris.map {
            mapped.add(url.clone(), path.clone());
        }
        #[cfg(not(feature = "net"))]
        if iris.net.is_allowed {
            let message = "this program was built without the network (feature `net`)";
            return Err(Diagnostic::error("input::url", message).into());
        }
        Ok(Self {
            mapped,
            #[cfg(feature = "net")]
            net: iris.net.net(limits),
            files_read: files_read.clone(),
        })
    }

    /// Returns the chain of loaders. `local` reads files beside a document.
    pub fn loaders<'r>(&'r self, local: Option<&'r LocalContexts>) -> LoaderChain<'r> {
        let mut loaders = LoaderChain::default().and(&self.mapped);
        if let Some(local) = local {
            loaders = loaders.and(local);
        }
        loaders = loaders.and(&BuiltIn);
        #[cfg(feature = "net")]
        if let Some(net) = &self.net {
            loaders = loaders.and(net);
        }
        loaders
    }

    /// Begins to read an input, which may be a URL.
    ///
    /// # Errors
    ///
    /// The errors of [`InputSource::begin`]; `input::url` for a URL if nothing is mapped and the network is off;
    /// otherwise the codes of the API.
    pub fn begin(&self, source: &InputSource) -> Result<BegunInput, Box<Diagnostic>> {
        let InputSource::Url(url) = source else { return source.begin(&self.files_read) };
        if let Some(path) = self.mapped.path(url.split('#').next().unwrap_or(url)) {
            if let Some(objection) = self.mapped.objection(&path) {
                return Err(Box::new(Diagnostic::error("input::link", objection)));
            }
            let mut begun = InputSource::File(path).begin(&self.files_read)?;
            begun.origin.arrival = Some(UrlOrigin { url: url.clone(), context_url: None, media_type: None });
            return Ok(begun);
        }
        self.fetch(source, url)
    }

    #[cfg(feature = "net")]
    fn fetch(&self, source: &InputSource, url: &str) -> Result<BegunInput, Box<Diagnostic>> {
        use evalgraph_jsonld::LoadError;

        let Some(net) = &self.net else { return source.begin(&self.files_read) };
        let fetched = net.fetch(url, &LoadDocumentOptions::default()).map_err(|error| {
            let LoadError::Failed(failure) = error else {
                return Box::new(Diagnostic::error("input::url", format!("`{url}` cannot be read")));
            };
            let mut fault = Diagnostic::error(failure.code.as_str(), failure.message);
            fault.help.extend(failure.help);
            Box::new(fault)
        })?;
        // Messages name the document without the fragment of the URL.
        let name = fetched.url.split('#').next().unwrap_or(&fetched.url).to_owned();
        let arrival = UrlOrigin {
            url: fetched.url,
            context_url: fetched.context_url,
            media_type: Some(fetched.media_type),
        };
        let origin = DocumentOrigin { name, arrival: Some(arrival), ..DocumentOrigin::default() };
        BegunInput::from_source(origin, std::io::Cursor::new(fetched.body))
    }

    #[cfg(not(feature = "net"))]
    fn fetch(&self, source: &InputSource, _url: &str) -> Result<BegunInput, Box<Diagnostic>> {
        source.begin(&self.files_read)
    }
}

#[cfg(feature = "net")]
impl NetUse {
    /// Returns the network loader, if the network is allowed.
    pub fn net(&self, limits: Limits) -> Option<NetLoader> {
        let defaults = NetOptions::default();
        let timeout = self.timeout.unwrap_or(defaults.timeout);
        let options = NetOptions {
            allow: NetAllow { http: self.http, loopback: self.loopback, private: self.private },
            limits,
            max_redirects: self.max_redirects.unwrap_or(defaults.max_redirects),
            connect_timeout: defaults.connect_timeout.min(timeout),
            timeout,
        };
        self.is_allowed.then(|| NetLoader::new(options))
    }
}
