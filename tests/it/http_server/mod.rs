//! A small HTTP server on loopback for one test: it answers as the test says, well or badly.

mod answer;
mod listener;
mod request;
mod stream;

pub(crate) use answer::Answer;
pub(crate) use listener::Listener;
pub(crate) use request::Request;

use std::io::{BufReader, Result};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use rustls::{ServerConfig, ServerConnection, StreamOwned};
use stream::{Connection, Stream};

/// What a server does once it has read the head of a request.
pub(crate) enum Greeting {
    /// It reads the body, and then answers.
    Listens,
    /// It answers without reading the body.
    Answers(Answer),
    /// It reads so many bytes of the body, and closes the connection.
    Leaves(usize),
}

/// What a server answers.
pub(crate) trait Site: Send + Sync + 'static {
    fn greets(&self, _request: &Request) -> Greeting {
        Greeting::Listens
    }

    fn answers(&self, request: &Request) -> Answer;
}

impl<F: Fn(&Request) -> Answer + Send + Sync + 'static> Site for F {
    fn answers(&self, request: &Request) -> Answer {
        self(request)
    }
}

/// The server; it ends when it is dropped.
pub(crate) struct HttpServer {
    listener: Listener,
    shared: Arc<Shared>,
}

struct Shared {
    site: Box<dyn Site>,
    tls: Option<Arc<ServerConfig>>,
    requests: Mutex<Vec<Request>>,
}

impl HttpServer {
    pub(crate) fn start(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        Self::start_site(answer)
    }

    pub(crate) fn start_site(site: impl Site) -> Self {
        Self::start_with(Box::new(site), None)
    }

    /// A server for `https`, with a certificate that the root in `tls` vouches for.
    pub(crate) fn start_tls(site: impl Site) -> Self {
        Self::start_with(Box::new(site), Some(stream::tls()))
    }

    fn start_with(site: Box<dyn Site>, tls: Option<Arc<ServerConfig>>) -> Self {
        let shared = Arc::new(Shared { site, tls, requests: Mutex::default() });
        let server = Arc::clone(&shared);
        Self { listener: Listener::start(move |stream, over| server.serve(stream, over)), shared }
    }

    /// The URL of a path, which begins with `/`.
    pub(crate) fn url(&self, path: &str) -> String {
        let scheme = if self.shared.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://127.0.0.1:{}{path}", self.port())
    }

    pub(crate) fn port(&self) -> u16 {
        self.listener.port()
    }

    /// The file of the root that vouches for the certificate.
    pub(crate) fn root_of_trust() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/http_server/tls/root.pem")
    }

    /// How often somebody has connected.
    pub(crate) fn connections(&self) -> usize {
        self.listener.connections()
    }

    /// What was asked so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.shared.requests.lock().expect("no thread panics with the log").clone()
    }
}

impl Shared {
    fn serve(&self, socket: TcpStream, over: &AtomicBool) -> Result<()> {
        let stream: Box<dyn Stream> = match &self.tls {
            Some(config) => {
                let session = ServerConnection::new(Arc::clone(config)).map_err(std::io::Error::other)?;
                Box::new(StreamOwned::new(session, socket))
            }
            None => Box::new(socket),
        };
        let mut connection = BufReader::new(stream);
        while self.exchange(&mut connection, over)? {}
        connection.get_ref().socket().shutdown(Shutdown::Both)
    }

    /// Reads one request and answers it; tells whether there may be another.
    fn exchange(&self, connection: &mut Connection, over: &AtomicBool) -> Result<bool> {
        let Some(mut request) = Request::read(connection)? else { return Ok(false) };
        let greeting = self.site.greets(&request);
        let read = match greeting {
            Greeting::Listens => request.read_body(connection, usize::MAX),
            Greeting::Leaves(most) => request.read_body(connection, most),
            Greeting::Answers(_) => Ok(()),
        };
        self.requests.lock().expect("no thread panics with the log").push(request.clone());
        read?;
        match greeting {
            Greeting::Listens => self.site.answers(&request).give(&request, connection, over),
            // The body may follow, so that the connection is of no use any more.
            Greeting::Answers(answer) => {
                let (head, body) = answer.parts(false);
                Answer::Raw([head, body].concat()).give(&request, connection, over)?;
                stream::linger(connection).map(|()| false)
            }
            Greeting::Leaves(_) => Ok(false),
        }
    }
}
