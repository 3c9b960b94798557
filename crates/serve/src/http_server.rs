//! The server: its socket, its connections, and how it stops.
//!
//! One thread handles all sockets. Everything that may take long is done on evaluation threads.

use std::convert::Infallible;
use std::fmt;
use std::future::poll_fn;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener as Listener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::connection::ClientConnection;
use super::connections::OpenConnections;
use super::file_watch;
use super::respond::{ConnectedClient, respond};
use super::served_data::ServedData;
use super::server_context::ServerContext;
use super::server_options::ServerOptions;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, RunReport, plain};
use evalgraph_engine::api::{Error, Loader};

/// The most headers of a request.
const MAX_HEADERS: usize = 64;
/// The most bytes of the head of a request, because a query may be in the URL.
const MAX_HEAD: usize = 64 << 10;
/// How long to wait before accepting connections again, if the system has no room for another one.
const PAUSE: Duration = Duration::from_millis(50);
/// The Unix errors for too many open files, in the process or in the system.
const TOO_MANY_FILES: [i32; 2] = [24, 23];

/// A server for the SPARQL 1.1 Protocol, which runs until it is stopped.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
/// let loader = evalgraph::Loader::new();
/// let mut options = evalgraph::ServerOptions::default();
/// options.bind = ([127, 0, 0, 1], 0).into();
/// let server = evalgraph::Server::start(&loader, ["fixtures/karenina/p1-physics.jsonld"], options)?;
/// println!("http://{}/query?query=ASK%20%7B%7D", server.address());
/// server.stop(std::time::Duration::from_secs(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Server {
    address: SocketAddr,
    report: RunReport,
    stop: watch::Sender<Option<Duration>>,
    thread: JoinHandle<()>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Server {
    /// Loads inputs and serves them.
    ///
    /// # Errors
    ///
    /// The errors of [`Loader::load`], and `serve::bind` if the server cannot listen at the address.
    pub fn start<I: Into<String>>(
        loader: &Loader,
        inputs: impl IntoIterator<Item = I>,
        options: ServerOptions,
    ) -> Result<Self, Error> {
        Self::from_loader(loader.reading(inputs)?, options)
    }

    /// Serves the inputs of a loader, or its store if it has no inputs.
    ///
    /// # Errors
    ///
    /// The errors of [`Server::start`].
    pub fn from_loader(loader: Loader, options: ServerOptions) -> Result<Self, Error> {
        let (data, report) = ServedData::open(loader)?;
        let bind = options.bind;
        let unavailable = |error: io::Error| {
            let message = format!("the server cannot listen at {bind}: {}", plain(&error));
            let fault = Diagnostic::error("serve::bind", message);
            Error::from(Box::new(match error.kind() {
                io::ErrorKind::AddrInUse => fault.with_help(help![
                    "another program listens there; take any free port: ",
                    setting("bind").to(SocketAddr::new(bind.ip(), 0).to_string())
                ]),
                _ => fault,
            }))
        };
        let listener = TcpListener::bind(bind).map_err(unavailable)?;
        listener.set_nonblocking(true).map_err(unavailable)?;
        let address = listener.local_addr().map_err(unavailable)?;
        let runtime = Builder::new_current_thread().enable_io().enable_time().build().map_err(unavailable)?;
        let (stop, stopped) = watch::channel(None);
        let context = Arc::new(ServerContext::new(data, options)?);
        if context.options.watches {
            file_watch::watch(Arc::downgrade(&context)).map_err(unavailable)?;
        }
        let thread = thread::Builder::new().name("sockets".to_owned());
        let serve = move || run(runtime, listener, &context, &stopped);
        let thread = thread.spawn(serve).map_err(unavailable)?;
        Ok(Self { address, report, stop, thread })
    }

    /// Returns the address at which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the findings of loading.
    pub fn report(&self) -> &RunReport {
        &self.report
    }

    /// Stops accepting connections and requests, gives running answers some time to end, and stops.
    pub fn stop(self, patience: Duration) {
        // The thread can only have ended already if it panicked.
        let _ = self.stop.send(Some(patience));
        let _ = self.thread.join();
    }
}

fn run(
    runtime: Runtime,
    listener: TcpListener,
    context: &Arc<ServerContext>,
    stopped: &watch::Receiver<Option<Duration>>,
) {
    let connections = OpenConnections::new(context.options.max_connections);
    runtime.block_on(async {
        let Ok(listener) = Listener::from_std(listener) else { return };
        let moments = context.moments.clone();
        tokio::spawn(async move { moments.pass().await });
        accept(&listener, context, &connections, stopped).await;
        drop(listener);
        let patience = stopped.borrow().unwrap_or_default();
        let _ = timeout(patience, connections.ended()).await;
    });
    runtime.shutdown_background();
}

/// Accepts connections until the server is stopped.
async fn accept(
    listener: &Listener,
    context: &Arc<ServerContext>,
    connections: &Arc<OpenConnections>,
    stopped: &watch::Receiver<Option<Duration>>,
) {
    let mut end = stopped.clone();
    loop {
        let next = async {
            let accepted = match listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => return Some(Err(error)),
            };
            connections.seat().await.map(|seated| Ok((seated, accepted)))
        };
        let Ok(next) = first(next, end.changed()).await else { return };
        match next {
            Some(Ok((seated, (stream, client)))) => {
                let (context, stopped) = (context.clone(), stopped.clone());
                tokio::spawn(async move {
                    context.metrics.connections.fetch_add(1, Ordering::Relaxed);
                    let client = ConnectedClient { address: client.ip(), seat: seated.seat.clone() };
                    attend(stream, client, &context, stopped).await;
                    context.metrics.connections.fetch_sub(1, Ordering::Relaxed);
                    drop(seated);
                });
            }
            // The client has disconnected, or there is no room for another connection. Waiting clients are accepted
            // later.
            Some(Err(error)) => {
                if error.raw_os_error().is_some_and(|number| TOO_MANY_FILES.contains(&number)) {
                    connections.close_one();
                }
                sleep(PAUSE).await;
            }
            None => return,
        }
    }
}

/// Handles a connection until it ends.
async fn attend(
    stream: TcpStream,
    client: ConnectedClient,
    context: &Arc<ServerContext>,
    mut stopped: watch::Receiver<Option<Duration>>,
) {
    // A small answer must not wait for the next one.
    let _ = stream.set_nodelay(true);
    let (idle, seat) = (context.options.idle, client.seat.clone());
    let service = service_fn(move |request| {
        let (context, client) = (context.clone(), client.clone());
        async move { Ok::<_, Infallible>(respond(context, client, request).await) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(idle).max_headers(MAX_HEADERS).max_buf_size(MAX_HEAD);
    let connection =
        http.serve_connection(TokioIo::new(ClientConnection::new(stream, seat.clone(), idle)), service);
    let mut connection = pin!(connection);
    let attended = async {
        // If a client disconnects or sends nonsense, only its own connection ends.
        if first(connection.as_mut(), stopped.changed()).await.is_err() {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    };
    let _ = first(attended, seat.closed()).await;
}

/// Waits for the first of two futures: `Ok` for the one, `Err` for the other.
async fn first<A: Future, B: Future>(one: A, other: B) -> Result<A::Output, B::Output> {
    let (mut one, mut other) = (pin!(one), pin!(other));
    poll_fn(|context| {
        if let Poll::Ready(one) = one.as_mut().poll(context) {
            return Poll::Ready(Ok(one));
        }
        other.as_mut().poll(context).map(Err)
    })
    .await
}
