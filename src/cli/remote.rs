//! What lies under a URL: what is mapped, what is built in, and the network where `--net` allows it.

use std::time::Duration;

use clap::{Args, ValueEnum};

use super::arguments::{IriArguments, duration};
use super::input::{Begun, InputSource};
use super::local_contexts::LocalContexts;
use crate::diagnostic::{Diagnostic, Failure};
use crate::json::Limits;
use crate::jsonld::{BuiltIn, Chain, Mapped, MediaType};
#[cfg(feature = "net")]
use crate::jsonld::{LoadDocumentOptions, Net, NetAllow, NetOptions};

/// Whether and how the network is used.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Network")]
pub(super) struct NetArguments {
    /// Read URLs from the network: contexts, and inputs that are URLs
    #[arg(long)]
    net: bool,

    /// What is allowed beyond https to public addresses
    #[arg(long, value_name = "WHAT", value_delimiter = ',', requires = "net")]
    net_allow: Vec<Allowance>,

    /// The longest that one URL may take, redirects included [default: 60s, 10s of it to connect]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    net_timeout: Option<Duration>,

    /// The most redirects from a URL to its document [default: 10]
    #[arg(long, value_name = "NUMBER")]
    max_redirects: Option<usize>,
}

/// What `--net-allow` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Allowance {
    /// URLs without encryption
    Http,
    /// This machine
    Loopback,
    /// Private networks
    Private,
}

/// What a server said of a document beside its content.
#[derive(Debug, Clone)]
pub(super) struct Arrival {
    /// The final URL, with the fragment that was asked for.
    pub(super) url: String,
    /// The context that the server names for plain JSON.
    pub(super) context_url: Option<String>,
    /// The media type; none where a file stands for the URL.
    pub(super) media_type: Option<MediaType>,
}

/// Where URLs lead.
#[derive(Debug)]
pub(super) struct Remote {
    mapped: Mapped,
    #[cfg(feature = "net")]
    net: Option<Net>,
}

impl Remote {
    /// Takes the options.
    ///
    /// # Errors
    ///
    /// Where `--net` is given to a program that was built without it.
    pub(super) fn new(iris: &IriArguments, limits: Limits) -> Result<Self, Failure> {
        let mut mapped = Mapped::new(limits);
        for (url, path) in &iris.map {
            mapped.add(url.clone(), path.clone());
        }
        #[cfg(not(feature = "net"))]
        if iris.net.net {
            let message = "this program was built without the network (feature `net`)";
            return Err(Diagnostic::error("input::url", message).into());
        }
        Ok(Self {
            mapped,
            #[cfg(feature = "net")]
            net: iris.net.net(limits),
        })
    }

    /// The loaders in the order in which they are asked; `local` for files beside a document.
    pub(super) fn loaders<'r>(&'r self, local: Option<&'r LocalContexts>) -> Chain<'r> {
        let mut loaders = Chain::default().and(&self.mapped);
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
    /// As [`InputSource::begin`]; `input::url` for a URL where nothing is mapped and the network is
    /// off, else the codes of the API.
    pub(super) fn begin(&self, source: &InputSource) -> Result<Begun, Box<Diagnostic>> {
        let InputSource::Url(url) = source else { return source.begin() };
        if let Some(path) = self.mapped.path(url.split('#').next().unwrap_or(url)) {
            if let Some(objection) = self.mapped.objection(&path) {
                return Err(Box::new(Diagnostic::error("input::link", objection)));
            }
            let mut begun = InputSource::File(path).begin()?;
            begun.arrival = Some(Arrival { url: url.clone(), context_url: None, media_type: None });
            return Ok(begun);
        }
        self.fetch(source, url)
    }

    #[cfg(feature = "net")]
    fn fetch(&self, source: &InputSource, url: &str) -> Result<Begun, Box<Diagnostic>> {
        use crate::jsonld::LoadError;

        let Some(net) = &self.net else { return source.begin() };
        let fetched = net.fetch(url, &LoadDocumentOptions::default()).map_err(|error| {
            let LoadError::Failed(failure) = error else {
                return Box::new(Diagnostic::error("input::url", format!("`{url}` cannot be read")));
            };
            let mut fault = Diagnostic::error(failure.code.as_str(), failure.message);
            fault.help.extend(failure.help);
            Box::new(fault)
        })?;
        // Messages name the document, not the part of it that was asked for.
        let name = fetched.url.split('#').next().unwrap_or(&fetched.url).to_owned();
        let arrival = Arrival {
            url: fetched.url,
            context_url: fetched.context_url,
            media_type: Some(fetched.media_type),
        };
        let mut begun = Begun::of(name, std::io::Cursor::new(fetched.body))?;
        begun.arrival = Some(arrival);
        Ok(begun)
    }

    #[cfg(not(feature = "net"))]
    fn fetch(&self, source: &InputSource, _url: &str) -> Result<Begun, Box<Diagnostic>> {
        source.begin()
    }
}

#[cfg(feature = "net")]
impl NetArguments {
    /// The network, where it is allowed.
    pub(super) fn net(&self, limits: Limits) -> Option<Net> {
        self.net.then(|| Net::new(self.options(limits)))
    }

    fn options(&self, limits: Limits) -> NetOptions {
        let has = |allowance| self.net_allow.contains(&allowance);
        let defaults = NetOptions::default();
        let timeout = self.net_timeout.unwrap_or(defaults.timeout);
        NetOptions {
            allow: NetAllow {
                http: has(Allowance::Http),
                loopback: has(Allowance::Loopback),
                private: has(Allowance::Private),
            },
            limits,
            max_redirects: self.max_redirects.unwrap_or(defaults.max_redirects),
            connect_timeout: defaults.connect_timeout.min(timeout),
            timeout,
        }
    }
}
