//! A small HTTP server on loopback for one test: it answers as the test says, well or badly.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// What was asked.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// Path and query.
    pub(crate) path: String,
    /// Header fields, names in lower case.
    pub(crate) fields: Vec<(String, String)>,
}

impl Request {
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

/// What is answered.
pub(crate) enum Answer {
    /// A whole answer; the length of the body is added.
    Whole { status: u16, fields: Vec<(&'static str, String)>, body: Vec<u8> },
    /// These bytes, and then the end.
    Raw(Vec<u8>),
    /// These bytes, and then the second ones for as long as somebody listens.
    Endless(Vec<u8>, Vec<u8>),
    /// Nothing at all, until the client goes away.
    Silence,
}

impl Answer {
    pub(crate) fn ok(media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::Whole { status: 200, fields: vec![("Content-Type", media_type.to_owned())], body: body.into() }
    }

    pub(crate) fn redirect(status: u16, to: impl Into<String>) -> Self {
        Self::Whole { status, fields: vec![("Location", to.into())], body: Vec::new() }
    }

    pub(crate) fn not_found() -> Self {
        Self::Whole { status: 404, fields: Vec::new(), body: b"{}".to_vec() }
    }
}

/// The server; it ends when it is dropped.
pub(crate) struct HttpServer {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<Request>>>,
    listener: Option<JoinHandle<()>>,
}

impl HttpServer {
    pub(crate) fn start(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let is_over = Arc::new(AtomicBool::new(false));
        let connections = Arc::new(AtomicUsize::new(0));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (over, count, log, answer) =
            (Arc::clone(&is_over), Arc::clone(&connections), Arc::clone(&requests), Arc::new(answer));
        let listener = std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if over.load(Ordering::SeqCst) {
                    return;
                }
                count.fetch_add(1, Ordering::SeqCst);
                let (answer, log, over) = (Arc::clone(&answer), Arc::clone(&log), Arc::clone(&over));
                std::thread::spawn(move || {
                    // A client that goes away is what some tests are about.
                    let _ = serve(stream, &*answer, &log, &over);
                });
            }
        });
        Self { address, is_over, connections, requests, listener: Some(listener) }
    }

    /// The URL of a path, which begins with `/`.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// How often somebody has connected.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// What was asked so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("no thread panics with the log").clone()
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        // Wakes the listener, which looks at the flag.
        let _ = TcpStream::connect(self.address);
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
    }
}

fn serve(
    stream: TcpStream,
    answer: &dyn Fn(&Request) -> Answer,
    log: &Mutex<Vec<Request>>,
    over: &AtomicBool,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut fields = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            fields.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    let request = Request { path, fields };
    log.lock().expect("no thread panics with the log").push(request.clone());
    let mut stream = stream;
    match answer(&request) {
        Answer::Whole { status, fields, body } => {
            let mut head = format!("HTTP/1.1 {status} {}\r\n", reason(status));
            for (name, value) in fields {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
            head.push_str(&format!("Content-Length: {}\r\nConnection: close\r\n\r\n", body.len()));
            stream.write_all(head.as_bytes())?;
            stream.write_all(&body)?;
        }
        Answer::Raw(bytes) => stream.write_all(&bytes)?,
        Answer::Endless(head, again) => {
            stream.write_all(&head)?;
            while !over.load(Ordering::SeqCst) {
                stream.write_all(&again)?;
            }
        }
        Answer::Silence => {
            stream.set_read_timeout(Some(Duration::from_millis(50)))?;
            let mut byte = [0];
            while !over.load(Ordering::SeqCst) {
                match std::io::Read::read(&mut stream, &mut byte) {
                    Ok(0) => break,
                    Ok(_) => {}
                    Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                    Err(error) => return Err(error),
                }
            }
        }
    }
    stream.flush()
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        301 => "Moved Permanently",
        303 => "See Other",
        307 => "Temporary Redirect",
        404 => "Not Found",
        _ => "Whatever",
    }
}
