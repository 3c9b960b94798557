//! A listener on loopback: each connection has a thread of its own.

use std::io::Result;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{JoinHandle, spawn};

/// The listener; it ends when it is dropped.
pub(crate) struct Listener {
    address: SocketAddr,
    state: Arc<State>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct State {
    is_over: AtomicBool,
    connections: AtomicUsize,
}

impl Listener {
    /// Serves each connection; the flag says that the listener is over.
    pub(crate) fn start(
        serve: impl Fn(TcpStream, &AtomicBool) -> Result<()> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let (state, serve) = (Arc::new(State::default()), Arc::new(serve));
        let shared = Arc::clone(&state);
        let thread = spawn(move || {
            for stream in listener.incoming().flatten() {
                if shared.is_over.load(Ordering::SeqCst) {
                    return;
                }
                shared.connections.fetch_add(1, Ordering::SeqCst);
                let (shared, serve) = (Arc::clone(&shared), Arc::clone(&serve));
                // A client that goes away is what some tests are about.
                spawn(move || drop(serve(stream, &shared.is_over)));
            }
        });
        Self { address, state, thread: Some(thread) }
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// How often somebody has connected.
    pub(crate) fn connections(&self) -> usize {
        self.state.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.state.is_over.store(true, Ordering::SeqCst);
        // Wakes the thread, which looks at the flag.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
