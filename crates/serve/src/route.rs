//! The resources of the server, and the methods that each has.

use hyper::{HeaderMap, Method, StatusCode};

use super::page::PageAsset;
use super::problem::ProblemDetails;
use super::request_parameters::utf_8;
use super::resource::ApiResource;
use evalgraph_rdf::iri::percent_decode_bytes;

/// A resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ServerRoute {
    /// The root, which lists the others.
    Root,
    /// The SPARQL Protocol's query operation.
    Query,
    /// A named query.
    Named(String),
    /// The update operation.
    Update,
    /// The Graph Store Protocol.
    Store,
    /// Shows that the server is running.
    Health,
    /// Metrics of the server.
    Metrics,
    /// A file of the page.
    Page(&'static PageAsset),
    /// A resource of the page.
    Api(ApiResource),
}

impl ServerRoute {
    /// Returns the resource of a path.
    ///
    /// # Errors
    ///
    /// `serve::path`, and `serve::utf-8`.
    pub(super) fn from_path(path: &str) -> Result<Self, ProblemDetails> {
        let path = utf_8(percent_decode_bytes(path))?;
        match path.trim_start_matches('/').trim_end_matches('/') {
            "" => Ok(Self::Root),
            "query" => Ok(Self::Query),
            "update" => Ok(Self::Update),
            "health" => Ok(Self::Health),
            "metrics" => Ok(Self::Metrics),
            path if path == "store" || path.starts_with("store/") => Ok(Self::Store),
            path if path.starts_with("query/") => Ok(Self::Named(path["query/".len()..].to_owned())),
            path => Self::of_page(path).ok_or_else(|| {
                let message = "there is nothing at this path; `/` lists what there is";
                ProblemDetails::new(StatusCode::NOT_FOUND, "serve::path", message)
            }),
        }
    }

    /// Returns the page, or a file of it.
    fn of_page(path: &str) -> Option<Self> {
        let file = || path.strip_prefix("page/").and_then(PageAsset::by_name).map(Self::Page);
        path.strip_prefix("api/").and_then(ApiResource::from_path).map(Self::Api).or_else(file)
    }

    /// Returns the resource for a client: the root is a page for clients that prefer one.
    pub(super) fn shown(self, headers: &HeaderMap) -> Self {
        let page = if self == Self::Root { PageAsset::at_root(headers) } else { None };
        page.map_or(self, Self::Page)
    }

    /// Returns whether everyone who can reach the server may ask, because the answer contains no data.
    pub(super) fn is_open(&self) -> bool {
        matches!(self, Self::Health | Self::Page(_))
    }

    /// Returns the name of the resource in metrics.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Query => "query",
            Self::Named(_) => "named-query",
            Self::Update => "update",
            Self::Store => "store",
            Self::Health => "health",
            Self::Metrics => "metrics",
            Self::Page(_) => "page",
            Self::Api(api) => api.name(),
        }
    }

    /// Returns the methods, as in the `Allow` header.
    pub(super) fn allowed(&self) -> &'static str {
        match self {
            Self::Root | Self::Health | Self::Metrics | Self::Page(_) => "GET, HEAD, OPTIONS",
            Self::Query | Self::Named(_) => "GET, HEAD, POST, OPTIONS",
            Self::Update => "POST, OPTIONS",
            Self::Store => "GET, HEAD, PUT, POST, DELETE, OPTIONS",
            Self::Api(api) => api.allowed(),
        }
    }

    /// Returns whether a request with this method changes data.
    pub(super) fn is_write(&self, method: &Method) -> bool {
        match self {
            Self::Update => true,
            Self::Store => ![Method::GET, Method::HEAD].contains(method),
            Self::Api(api) => api.is_write(method),
            _ => false,
        }
    }

    /// Refuses a method that the resource does not have.
    ///
    /// # Errors
    ///
    /// `serve::method`.
    pub(super) fn check(&self, method: &Method) -> Result<(), ProblemDetails> {
        let allowed = self.allowed();
        if allowed.split(", ").any(|known| known == method.as_str()) {
            return Ok(());
        }
        Err(ProblemDetails::method(
            allowed,
            format!("this resource does not support {method}, only {allowed}"),
        ))
    }
}
